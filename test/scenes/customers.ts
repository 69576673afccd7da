// Situations of a verification: what customers see of a license, next to the plan that was applied.

import { commentMarkdown } from '../../src/features/plan/comment.ts';
import { CHAT_LEAVES } from '../../src/features/test/customer/chat.ts';
import { summaryOf } from '../../src/features/test/customer/checks.ts';
import type { Checked, CustomerView } from '../../src/features/test/customer/schema.ts';
import { planReport } from '../features/plan/outputs.ts';
import { AT, ORIGIN, type Outputs, pathOf } from './outputs.ts';
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

/** The comment and the page of a plan that was applied, and the comment of one that will be verified. */
function verifiedPlan(): Outputs {
  const { of } = plannedFrom(FIRST);
  const applied = { ...of, testsOnCustomer: true, customers: SEEN };
  const page = planReport('html', applied, { at: AT, pathOf });
  return {
    'proposed.md': commentMarkdown({ of: { ...of, testsOnCustomer: true }, state: 'plan', origin: ORIGIN }),
    'applied.md': commentMarkdown({ of: applied, state: 'applied', origin: ORIGIN }),
    'agreeing.md': commentMarkdown({ of: { ...of, customers: viewOf([PLAIN]) }, state: 'applied', origin: ORIGIN }),
    'section.html': `${/<section aria-labelledby="customers">.*?<\/section>/s.exec(page)?.[0].replaceAll('<li>', '\n<li>') ?? ''}\n`,
  };
}

export const CUSTOMERS: { readonly [situation: string]: () => Outputs } = {
  'customers-of-plan': verifiedPlan,
};
