// Situations of a verification: what customers see of a license, by itself and next to the plan that was applied.

import { commentMarkdown } from '../../src/render/comment/comment.ts';
import { verifyMarkdown } from '../../src/render/comment/verify.ts';
import { planRenderers } from '../../src/render/reports/formats.ts';
import { verifyRenderers } from '../../src/render/reports/verify.ts';
import { rehearsalQuestion, verifyText } from '../../src/render/text/verify.ts';
import { CHAT_LEAVES } from '../../src/tasks/verify/chat.ts';
import type { Checked, CustomerView } from '../../src/tasks/verify/schema.ts';
import { summaryOf } from '../../src/tasks/verify/verify.ts';
import { AT, ORIGIN, type Outputs, painted, pathOf } from './outputs.ts';
import { FIRST, plannedFrom } from './plans.ts';

const HOSTILE = '\u001b[31m::x\u202e | `@a` <b>';

const PLAIN: Checked = {
  check: 'route',
  outcome: 'ok',
  as: 'visitor',
  subject: 'prices',
  message: 'https://shop.example/pricing reaches group/sales',
  asked: 'get_dynamic_configuration url=https://shop.example/pricing test=true',
  expected: 'group/sales',
  found: 'group/sales',
  hindrance: null,
  source: { file: 'overlays/routes.yaml', line: 4, column: 13 },
};

const without = (subject: string): Checked => ({
  ...PLAIN,
  outcome: 'unseen',
  subject,
  message: 'the service does not show routes here: every page gets the default group',
  found: 'the default group',
  hindrance: 'routes-not-shown',
});

const CHECKS: readonly Checked[] = [
  { ...PLAIN, check: 'page', subject: 'shop.example', message: 'trusted', expected: 'trusted', found: 'trusted' },
  PLAIN,
  {
    ...PLAIN,
    outcome: 'differs',
    subject: 'careers',
    message: 'https://shop.example/careers reaches group/sales, and group/desk is expected',
    expected: 'group/desk',
    source: { file: 'overlays/routes.yaml', line: 5, column: 13 },
  },
  {
    ...PLAIN,
    outcome: 'unseen',
    subject: 'Polish customers',
    message: 'the service goes by the address of the caller',
    asked: null,
    found: null,
    hindrance: 'place',
  },
  {
    ...PLAIN,
    check: 'property',
    outcome: 'differs',
    subject: `property/shop/${HOSTILE}`,
    message: `customers cannot see it on ${HOSTILE}; access.group.customer says read`,
    asked: 'list_group_properties id=1',
    expected: 'visible',
    found: 'hidden',
    source: { file: '/etc/m.yaml', line: 31, column: 7 },
  },
  {
    ...PLAIN,
    check: 'product',
    outcome: 'differs',
    subject: 'product',
    message: 'it is not active on this license: no page shows the widget',
    expected: 'active',
    found: 'not active',
    source: null,
  },
  {
    ...PLAIN,
    check: 'status',
    as: 'customer',
    subject: 'group/sales',
    message: 'online',
    expected: null,
    found: 'online',
  },
  {
    ...PLAIN,
    check: 'status',
    outcome: 'reported',
    as: 'customer',
    subject: 'group/desk',
    message: 'offline, although 2 members should be at work by the declared hours',
    expected: null,
    found: 'offline',
  },
];

function viewOf(checks: readonly Checked[], more: Partial<CustomerView> = {}): CustomerView {
  return {
    target: 'production',
    api_version: '3.7',
    at: AT,
    summary: summaryOf(checks),
    routes_shown: true,
    token: 'customer',
    checks,
    after_apply: null,
    chat: null,
    left_behind: [],
    requests: { visitor: 9, customer: 2 },
    ...more,
  };
}

const SEEN = viewOf(CHECKS, {
  after_apply: { elapsed_ms: 150_400, unchanged: ['group/sales', 'group/desk'] },
  chat: { chat_id: 'C1', thread_id: 'T1', ended: false, message: `chat C1 could not be ended: ${HOSTILE}` },
  left_behind: CHAT_LEAVES,
});

function verification(): Outputs {
  const hidden = viewOf(['prices', 'careers', 'home'].map(without), {
    token: 'none',
    routes_shown: false,
    requests: { visitor: 3, customer: 0, agent: 2 },
  });
  const seen = { view: SEEN, requests: { get_dynamic_configuration: 9, list_group_statuses: 2 }, diagnostics: [] };
  const awaited = viewOf([PLAIN], { after_apply: { elapsed_ms: 12_000, unchanged: [] } });
  return {
    ...painted('verify', (paint) => verifyText(SEEN, { quiet: false }, paint)),
    ...painted('quiet', (paint) => verifyText(SEEN, { quiet: true }, paint)),
    ...painted('hidden', (paint) => verifyText(hidden, { quiet: false }, paint)),
    ...painted('awaited', (paint) => verifyText(awaited, { quiet: false }, paint)),
    ...painted('question', (paint) =>
      rehearsalQuestion(
        {
          name: 'prices',
          route: { when: { url: `https://shop.example/${HOSTILE}` } } as never,
          mark: { property: 'test/string_property', value: 'chatform verify' },
        },
        { target: 'production', leaves: CHAT_LEAVES },
        paint,
      ),
    ),
    'verify.json': verifyRenderers.json(seen),
    'verify.md': verifyMarkdown(SEEN, ORIGIN.lineOf),
    'hidden.md': verifyMarkdown(hidden),
    'junit.xml': verifyRenderers.junit(seen, pathOf),
    'report.sarif': verifyRenderers.sarif(seen, pathOf),
  };
}

/** The comment and the page of a plan that was applied, and the comment of one that will be verified. */
function verifiedPlan(): Outputs {
  const { of } = plannedFrom(FIRST);
  const applied = { ...of, verifiesAsCustomer: true, customers: SEEN };
  const page = planRenderers.html(applied, { at: AT, pictures: null, pathOf });
  return {
    'proposed.md': commentMarkdown({ of: { ...of, verifiesAsCustomer: true }, state: 'plan', origin: ORIGIN }),
    'applied.md': commentMarkdown({ of: applied, state: 'applied', origin: ORIGIN }),
    'agreeing.md': commentMarkdown({ of: { ...of, customers: viewOf([PLAIN]) }, state: 'applied', origin: ORIGIN }),
    'section.html': `${/<section aria-labelledby="customers">.*?<\/section>/s.exec(page)?.[0].replaceAll('<li>', '\n<li>') ?? ''}\n`,
  };
}

export const CUSTOMERS: { readonly [situation: string]: () => Outputs } = {
  customers: verification,
  'customers-of-plan': verifiedPlan,
};
