// What is shown of a license as its customers see it: each check by who asked, what differs first where there is little room, and the question before a chat.

import { expect, test } from 'vitest';
import { CHAT_LEAVES, type Rehearsal } from '../../../src/features/test/customer/chat.ts';
import { summaryOf } from '../../../src/features/test/customer/checks.ts';
import { customerTesting } from '../../../src/features/test/customer/operation.ts';
import type { Checked, CustomerView } from '../../../src/features/test/customer/schema.ts';
import { rehearsalBlocks } from '../../../src/features/test/customer/view.ts';
import { uncoloured } from '../../../src/view/paint.ts';
import { blocksText } from '../../../src/view/writers/terminal.ts';
import { ABOUT, expectInert, shownText } from '../written.ts';

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

const CAREERS: Checked = {
  ...PLAIN,
  outcome: 'differs',
  subject: 'careers',
  message: 'https://shop.example/careers reaches group/sales, and group/desk is expected',
  expected: 'group/desk',
  source: { file: 'overlays/routes.yaml', line: 5, column: 13 },
};

const TIER: Checked = {
  ...PLAIN,
  check: 'property',
  subject: 'property/b1946ac92492d2347c6235b4d2611184/tier',
  message: 'visible',
};

const DESK: Checked = {
  ...PLAIN,
  check: 'status',
  outcome: 'reported',
  as: 'customer',
  subject: 'group/desk',
  message: 'offline, although 2 members should be at work by the declared hours',
  expected: null,
  found: 'offline',
};

const unseen = (subject: string): Checked => ({
  ...PLAIN,
  outcome: 'unseen',
  subject,
  message: 'the service does not show routes here: every page gets the default group',
  hindrance: 'routes-not-shown',
});

function seen(checks: readonly Checked[], more: Partial<CustomerView> = {}): CustomerView {
  return {
    target: 'production',
    api_version: '3.7',
    at: ABOUT.at,
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

const OPTIONS = { predict: false, chat: null, afterApply: false };
const LEFT = { chat_id: 'C1', thread_id: 'T1', ended: false, message: 'chat C1 could not be ended' };

test('each check by who asked, properties with columns of their own', () => {
  const all = seen([PLAIN, CAREERS, TIER, DESK], { after_apply: { elapsed_ms: 150_400, unchanged: ['group/sales'] } });
  expect(shownText(customerTesting, all, OPTIONS)).toBe(`As a visitor, 9 requests:
  Result   Check    Visitors see
  ok       prices   https://shop.example/pricing reaches group/sales
  differs  careers  https://shop.example/careers reaches group/sales, and
                    group/desk is expected
                    overlays/routes.yaml:5

  Result  Check                                           Visitors see
  ok      property/b1946ac92492d2347c6235b4d2611184/tier  visible

As a customer, 2 requests:
  Result    Check       Customers see
  reported  group/desk  offline, although 2 members should be at work by the
                        declared hours

After 150 s, customers see these groups as before: group/sales.

1 differs. 11 requests; nothing is left behind.
`);
});

test('checks that cannot be seen for one reason are one line', () => {
  const text = shownText(customerTesting, seen(['a', 'b', 'c'].map(unseen), { token: 'none' }), OPTIONS);
  expect(text).toContain('As a visitor, 9 requests without a token:');
  expect(text).toMatch(/^ {2}unseen {2}3 routes {2}the service does not show routes here/m);
});

test('what differs is exit code 2, a chat that was not ended is an error', () => {
  const row = (value: CustomerView) => customerTesting.row(value, ABOUT, OPTIONS);
  expect(row(seen([PLAIN]))).toMatchObject({ state: 'done', code: 0, isQuiet: true });
  expect(row(seen([CAREERS]))).toMatchObject({ state: 'differs', code: 2, figures: { different: 1 }, isQuiet: false });
  const left = seen([PLAIN], { chat: LEFT });
  expect(row(left)).toMatchObject({ state: 'failed', code: 1, message: LEFT.message, isQuiet: false });
  expect(customerTesting.findings(left, ABOUT, OPTIONS).failure).toBe(LEFT.message);
});

test('a difference fails at its place; what is only told or cannot be seen opens no alert', () => {
  const { findings } = customerTesting.findings(seen([PLAIN, CAREERS, DESK, unseen('a')]), ABOUT, OPTIONS);
  expect(findings.map(({ rule, result, lines, place }) => [rule, result, lines.length, place?.line])).toEqual([
    ['route', 'passed', 1, 4],
    ['route', 'failed', 2, 5],
    ['status', 'unknown', 1, 4],
    ['route', 'unknown', 1, 4],
  ]);
});

test('the question before a chat says what it leaves', () => {
  const rehearsal: Pick<Rehearsal, 'name' | 'mark'> = {
    name: 'prices',
    mark: { property: 'test/string_property', value: 'chatform test --on customer' },
  };
  const when = { url: 'https://shop.example/pricing' };
  const about = { target: 'production', leaves: CHAT_LEAVES };
  const text = blocksText(rehearsalBlocks({ ...rehearsal, route: { when } } as Rehearsal, about), uncoloured);
  expect(text).toContain('A customer begins a chat from https://shop.example/pricing, for the route prices');
  expect(text).toContain('The thread is marked: test/string_property is "chatform test --on customer".');
  for (const each of CHAT_LEAVES) expect(text).toContain(each);
});

test('no text of a license or a file is obeyed', () => {
  expectInert(
    customerTesting,
    (hostile) => {
      const checks = [CAREERS, TIER, DESK, unseen('a')].map((each) => ({
        ...each,
        subject: each.subject + hostile,
        message: each.message + hostile,
        found: hostile,
      }));
      return seen(checks, { target: `a${hostile}`, chat: { ...LEFT, message: `not ended ${hostile}` } });
    },
    OPTIONS,
  );
});
