// Since when, how often and after how many applies a difference is there: told look by look.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import type { Judged } from '../../../src/tasks/drift/judge.ts';
import { lastApplied, type Sightings, sighted } from '../../../src/tasks/drift/sightings.ts';
import { tries } from '../../tries.ts';
import { ITEMS } from './example.ts';

const NOTHING: Sightings = new Map();
const START = Date.UTC(2026, 10, 1);
const DAY = 24 * 3_600_000;

/** Minutes after the first of November. */
const minute = (count: number): string => new Date(START + count * 60_000).toISOString();

const [DRIFT, CONFLICT, , ORDER, , PENDING] = ITEMS.map(judgedOf) as [Judged, Judged, Judged, Judged, Judged, Judged];

function judgedOf({
  first_seen: _,
  seen_count: __,
  returned: ___,
  fight: ____,
  ...item
}: (typeof ITEMS)[number]): Judged {
  return item;
}

interface Look {
  readonly at: number;
  readonly saw: readonly Judged[];
  /** Minutes of the last apply of each address. */
  readonly applied?: { readonly [address: string]: number };
  readonly covers?: (address: string) => boolean;
}

/** The looks one after the other; what the last one says of its items, and what is remembered then. */
function told(...looks: readonly Look[]) {
  let sightings = NOTHING;
  let items: ReturnType<typeof sighted>['items'] = [];
  for (const { at, saw, applied = {}, covers = () => true } of looks) {
    const times = new Map(Object.entries(applied).map(([address, time]) => [address, minute(time)]));
    ({ items, sightings } = sighted(sightings, saw, { at: minute(at), applied: times, covers }));
  }
  return { items, sightings, first: items[0] };
}

test('What is seen for the first time is seen once, since now', () => {
  const { first } = told({ at: 0, saw: [DRIFT] });
  expect(first).toEqual({ ...DRIFT, first_seen: minute(0), seen_count: 1, returned: 0, fight: false });
});

test('A stretch goes on for as long as each look sees it', () => {
  const { first } = told({ at: 0, saw: [DRIFT] }, { at: 15, saw: [DRIFT, ORDER] }, { at: 30, saw: [DRIFT] });
  expect(first).toMatchObject({ first_seen: minute(0), seen_count: 3, returned: 0 });
});

test('The values may change on the way: it is the same difference', () => {
  const { first } = told({ at: 0, saw: [DRIFT] }, { at: 15, saw: [{ ...DRIFT, live: 'normal' }] });
  expect(first).toMatchObject({ first_seen: minute(0), seen_count: 2 });
});

test('After a look that does not see it, a new stretch begins', () => {
  const { first } = told({ at: 0, saw: [DRIFT] }, { at: 15, saw: [] }, { at: 30, saw: [DRIFT] });
  expect(first).toMatchObject({ first_seen: minute(30), seen_count: 1, returned: 0, fight: false });
});

test('A look at other resources closes nothing', () => {
  const elsewhere = { at: 15, saw: [], covers: (address: string) => address.startsWith('agent/') };
  const { first } = told({ at: 0, saw: [DRIFT] }, elsewhere, { at: 30, saw: [DRIFT] });
  expect(first).toMatchObject({ first_seen: minute(0), seen_count: 2 });
});

describe('A return', () => {
  test('is what an apply had closed, whether a look saw that or not', () => {
    const applied = { [DRIFT.address]: 5 };
    const seen = told({ at: 0, saw: [DRIFT] }, { at: 15, saw: [], applied }, { at: 30, saw: [DRIFT], applied });
    expect(seen.first).toMatchObject({ returned: 1, first_seen: minute(30) });
    const unseen = told({ at: 0, saw: [DRIFT] }, { at: 15, saw: [DRIFT], applied });
    expect(unseen.first).toMatchObject({ returned: 1, first_seen: minute(0), seen_count: 2 });
  });

  test('is counted once for one apply', () => {
    const applied = { [DRIFT.address]: 5 };
    const looks = [0, 15, 30, 45].map((at) => ({ at, saw: [DRIFT], applied: at === 0 ? {} : applied }));
    expect(told(...looks).first).toMatchObject({ returned: 1, fight: false });
  });

  test('is a fight from the second on', () => {
    const address = DRIFT.address;
    const { first } = told(
      { at: 0, saw: [DRIFT] },
      { at: 15, saw: [DRIFT], applied: { [address]: 5 } },
      { at: 30, saw: [{ ...DRIFT, status: 'conflict' }], applied: { [address]: 20 } },
    );
    expect(first).toMatchObject({ returned: 2, fight: true });
  });

  test('of an order is known by the order that was applied', () => {
    expect(told({ at: 0, saw: [ORDER] }, { at: 15, saw: [ORDER], applied: { auto_access: 5 } }).first).toMatchObject({
      returned: 1,
    });
  });

  test.each<readonly [string, readonly Look[]]>([
    ['an apply of something else', [{ at: 15, saw: [DRIFT], applied: { 'agent/ann@example.com': 5 } }]],
    ['an apply before it was seen', [{ at: 15, saw: [DRIFT], applied: { [DRIFT.address]: -5 } }]],
    [
      'somebody who closed it by hand',
      [
        { at: 15, saw: [] },
        { at: 30, saw: [DRIFT] },
      ],
    ],
    [
      'a field that no request can close',
      [{ at: 15, saw: [{ ...DRIFT, reach: 'unreachable' }], applied: { [DRIFT.address]: 5 } }],
    ],
    [
      'the repository, which moved again',
      [{ at: 15, saw: [{ ...DRIFT, status: 'pending' }], applied: { [DRIFT.address]: 5 } }],
    ],
  ])('is not brought about by %s', (_, looks) => {
    expect(told({ at: 0, saw: [DRIFT] }, ...looks).first).toMatchObject({ returned: 0 });
  });

  test('is not what was pending, was applied and has drifted since', () => {
    const drifted: Judged = { ...PENDING, status: 'drift' };
    const { first } = told({ at: 0, saw: [PENDING] }, { at: 15, saw: [drifted], applied: { [PENDING.address]: 5 } });
    expect(first).toMatchObject({ returned: 0 });
  });

  test('is noticed for 30 days after the difference was closed', () => {
    const minutes = (days: number): number => (days * DAY) / 60_000;
    const since = (days: number) =>
      told(
        { at: 0, saw: [DRIFT] },
        { at: 15, saw: [], applied: { [DRIFT.address]: 5 } },
        { at: 15 + minutes(days), saw: [], applied: { [DRIFT.address]: 5 } },
        { at: 20 + minutes(days), saw: [DRIFT], applied: { [DRIFT.address]: 5 } },
      ).first;
    expect(since(30)).toMatchObject({ returned: 1 });
    expect(since(30.1)).toMatchObject({ returned: 0 });
  });
});

test('Nothing of a value is remembered, and what is long closed is forgotten', () => {
  const { sightings } = told({ at: 0, saw: [{ ...DRIFT, live: 'a value', reason: 'a value' }] }, { at: 15, saw: [] });
  expect(JSON.stringify([...sightings])).not.toContain('a value');
  expect(sightings.size).toBe(1);
  expect(told({ at: 0, saw: [DRIFT] }, { at: 1, saw: [] }, { at: 60 * 24 * 31, saw: [] }).sightings.size).toBe(0);
});

test('Of two looks that overlap, the one that began first and ended last takes nothing back', () => {
  const { first, sightings } = told({ at: 0, saw: [DRIFT] }, { at: 20, saw: [DRIFT] }, { at: 15, saw: [DRIFT] });
  expect(first).toMatchObject({ first_seen: minute(0), seen_count: 3 });
  expect(sightings.get(DRIFT.fingerprint)?.last_seen).toBe(minute(20));
});

test('The ledger says when an address, and when an order, was last applied', () => {
  const stamp = { v: 1 as const, run: 'r' };
  const state = foldLedger([
    { ...stamp, type: 'applied', at: minute(1), address: 'group/sales', spec: {}, digests: {} },
    { ...stamp, type: 'applied', at: minute(2), address: 'group/sales', spec: {}, digests: {} },
    { ...stamp, type: 'order', at: minute(3), moment: 'applied', kind: 'auto_access', order: [], ids: [] },
    { ...stamp, type: 'order', at: minute(4), moment: 'before', kind: 'auto_access', order: [], ids: [] },
  ]);
  expect([...lastApplied(state)]).toEqual([
    ['group/sales', minute(2)],
    ['auto_access', minute(3)],
  ]);
});

test('Whatever is seen and applied, counts never fall, one look counts one, and no item is lost', () => {
  const step = fc.record({ saw: fc.subarray([DRIFT, CONFLICT, ORDER]), isApplied: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let sightings = NOTHING;
      let applied: ReadonlyMap<string, string> = new Map();
      const streaks = new Map<string, number>();
      let applies = 0;
      for (const [index, { saw, isApplied }] of steps.entries()) {
        const at = minute(index * 15);
        const before = sightings;
        const looked = sighted(before, saw, { at, applied, covers: () => true });
        sightings = looked.sightings;
        expect(looked.items.map(({ fingerprint }) => fingerprint)).toEqual(saw.map(({ fingerprint }) => fingerprint));
        for (const { fingerprint, seen_count: count, returned, first_seen: first } of looked.items) {
          const streak = (streaks.get(fingerprint) ?? 0) + 1;
          streaks.set(fingerprint, streak);
          expect(count).toBe(streak);
          expect(first).toBe(minute((index - streak + 1) * 15));
          expect(returned).toBeGreaterThanOrEqual(before.get(fingerprint)?.returned ?? 0);
          expect(returned).toBeLessThanOrEqual(applies);
        }
        for (const fingerprint of streaks.keys())
          if (!saw.some((item) => item.fingerprint === fingerprint)) streaks.delete(fingerprint);
        if (!isApplied) continue;
        applies += 1;
        applied = new Map([DRIFT, ORDER].map(({ address }) => [address, minute(index * 15 + 5)]));
      }
    }),
    { numRuns: tries(200) },
  );
});
