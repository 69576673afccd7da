// Checks of a license with its customers' eyes: the golden cases, and what holds for all of them.

import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/base/model.ts';
import {
  configVersions,
  differingGroups,
  judged,
  openQuestions,
  unchangedGroups,
  withoutDoubtful,
} from '../../../../src/features/test/customer/checks.ts';
import { askedText, isAnswer, STATUSES } from '../../../../src/features/test/customer/questions.ts';
import { answered, CASES, lineOf, subjectOf, verified } from './cases.ts';

describe.each(CASES.map((golden) => [golden.name, golden] as const))('%s', (_, golden) => {
  test('comes to its checks, with its requests and no other', async () => {
    const { checks, asked, routes_shown: shown, routes_by: by, summary } = await verified(golden);
    expect(checks.map(lineOf)).toEqual(golden.checks);
    expect(asked).toEqual(Object.keys(golden.answers));
    if (golden.shown !== undefined) expect([shown, by === 'visit']).toEqual([golden.shown, golden.by === 'visit']);
    expect(Object.values(summary).reduce((sum, count) => sum + count, 0)).toBe(checks.length);
  });
});

test('A difference says what was asked, expected and found; only what is unseen has a hindrance', async () => {
  for (const golden of CASES)
    for (const { outcome, asked, expected, found, hindrance } of (await verified(golden)).checks) {
      expect(hindrance !== null).toBe(outcome === 'unseen');
      if (outcome === 'differs') expect([asked, expected, found].filter((text) => text === null)).toEqual([]);
    }
});

test('A value is no difference exactly in the form in which the service keeps it', async () => {
  const golden = CASES.find(({ name }) => name.startsWith('Properties that show otherwise'));
  if (golden === undefined) throw new Error('the case is gone');
  const subject = await subjectOf(golden);
  const address = 'group_property/sales/shop/badge';
  const value = subject.desired.resources.find((each) => each.address === address)?.spec['value'] ?? null;
  const differs = (written: Json, read: Json): boolean => {
    const applied = new Map([
      [address, { spec: { value: written }, digests: {}, at: '', reads: { value: read } }],
    ] as const);
    return judged({ ...subject, applied }, answered(golden, subject)).checks.some(
      ({ source, outcome, subject: about }) => outcome === 'differs' && about.endsWith('/badge') && source?.line === 3,
    );
  };
  expect([differs(value, 's3cret-other'), differs(value, 's3cret'), differs('s3cret', 's3cret-other')]).toEqual([
    false,
    true,
    true,
  ]);
});

test('No check tells the value of a property', async () => {
  for (const golden of CASES)
    for (const check of (await verified(golden)).checks) expect(JSON.stringify(check)).not.toMatch(/s3cret/);
});

describe('Asking again', () => {
  const golden = CASES.find(({ name }) => name === 'A language that was not taken is a difference');

  test('drops the answers that a difference rests on, and no other', async () => {
    if (golden === undefined) throw new Error('the case is gone');
    const subject = await subjectOf(golden);
    const answers = answered(golden, subject);
    const results = judged(subject, answers);
    expect(differingGroups(subject, results)).toEqual(['group/warsaw']);
    const kept = withoutDoubtful(subject, answers, results, []);
    const dropped = [...answers.keys()].filter((key) => !kept.has(key));
    expect(dropped).toEqual(['get_dynamic_configuration group_id=2 test=true']);
    expect(openQuestions(subject, kept).map(askedText)).toEqual(dropped);
    expect(withoutDoubtful(subject, answers, results, ['group/sales']).size).toBe(answers.size - 2);
  });

  test('tells the groups of which customers see the same as before', async () => {
    if (golden === undefined) throw new Error('the case is gone');
    const subject = await subjectOf(golden);
    const now = configVersions(subject, answered(golden, subject));
    expect(Object.fromEntries(now)).toEqual({ 'group/sales': 'config of 1', 'group/warsaw': 'config of 2' });
    const before = new Map([...now, ['group/sales', 'another'] as const]);
    expect(unchangedGroups(['group/sales', 'group/warsaw'], before, now)).toEqual(['group/warsaw']);
    // A new group that shows has changed; one that does not show has not.
    expect(unchangedGroups(['group/sales'], new Map(), now)).toEqual([]);
    expect(unchangedGroups(['group/sales'], new Map(), new Map([['group/sales', null]]))).toEqual(['group/sales']);
  });
});

test('A refused token is no answer, but a missing one is', () => {
  const page = { as: 'visitor', action: 'get_dynamic_configuration', body: {} } as const;
  expect(isAnswer(page, 'authentication', false)).toBe(true);
  expect(isAnswer(page, 'authentication', true)).toBe(false);
  expect(isAnswer(STATUSES, 'authentication', true)).toBe(false);
  for (const type of ['internal', 'connection', 'license_not_found', 'validation', 'customer_banned'])
    expect(isAnswer(page, type, false)).toBe(false);
});
