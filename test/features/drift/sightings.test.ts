// Since when a difference is there: told look by look.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Judged } from '../../../src/features/drift/judge.ts';
import { type Sightings, sighted } from '../../../src/features/drift/sightings.ts';
import { tries } from '../../tries.ts';
import { ITEMS } from './example.ts';

const NOTHING: Sightings = new Map();
const START = Date.UTC(2026, 10, 1);

/** Minutes of a day. */
const DAY = 24 * 60;

/** Minutes after the first of November. */
const minute = (count: number): string => new Date(START + count * 60_000).toISOString();

const [DRIFT, CONFLICT, , ORDER] = ITEMS.map(judgedOf) as [Judged, Judged, Judged, Judged];

function judgedOf({ first_seen: _, ...item }: (typeof ITEMS)[number]): Judged {
  return item;
}

interface Look {
  readonly at: number;
  readonly saw: readonly Judged[];
  readonly covers?: (address: string) => boolean;
}

/** The looks one after the other; what the last one says of its items, and what is remembered then. */
function told(...looks: readonly Look[]) {
  let sightings = NOTHING;
  let items: ReturnType<typeof sighted>['items'] = [];
  for (const { at, saw, covers = () => true } of looks)
    ({ items, sightings } = sighted(sightings, saw, { at: minute(at), covers }));
  return { items, sightings, first: items[0] };
}

test('What is seen for the first time is seen since now', () => {
  const { first, sightings } = told({ at: 0, saw: [DRIFT] });
  expect(first).toEqual({ ...DRIFT, first_seen: minute(0) });
  expect([...sightings]).toEqual([
    [DRIFT.fingerprint, { address: DRIFT.address, first_seen: minute(0), closed_at: null }],
  ]);
});

test('A stretch goes on for as long as each look sees it', () => {
  const { items } = told({ at: 0, saw: [DRIFT] }, { at: 15, saw: [DRIFT, ORDER] }, { at: 30, saw: [DRIFT, ORDER] });
  expect(items.map(({ first_seen: first }) => first)).toEqual([minute(0), minute(15)]);
});

test('The values may change on the way: it is the same difference', () => {
  const { first } = told({ at: 0, saw: [DRIFT] }, { at: 15, saw: [{ ...DRIFT, live: 'normal', status: 'conflict' }] });
  expect(first).toMatchObject({ first_seen: minute(0) });
});

test('After a look that does not see it, a new stretch begins', () => {
  const closed = told({ at: 0, saw: [DRIFT] }, { at: 15, saw: [] });
  expect(closed.sightings.get(DRIFT.fingerprint)).toMatchObject({ first_seen: minute(0), closed_at: minute(15) });
  const again = told({ at: 0, saw: [DRIFT] }, { at: 15, saw: [] }, { at: 30, saw: [DRIFT] });
  expect(again.first).toMatchObject({ first_seen: minute(30) });
  expect(again.sightings.get(DRIFT.fingerprint)).toMatchObject({ first_seen: minute(30), closed_at: null });
});

test('A look at other resources closes nothing', () => {
  const elsewhere = { at: 15, saw: [], covers: (address: string) => address.startsWith('agent/') };
  const { first } = told({ at: 0, saw: [DRIFT] }, elsewhere, { at: 30, saw: [DRIFT] });
  expect(first).toMatchObject({ first_seen: minute(0) });
});

test('What was closed is remembered for 30 days, as of the look that closed it', () => {
  const after = (days: number) =>
    told({ at: 0, saw: [DRIFT] }, { at: 1, saw: [] }, { at: 15, saw: [] }, { at: 1 + days * DAY, saw: [] }).sightings;
  expect(after(30).get(DRIFT.fingerprint)).toMatchObject({ closed_at: minute(1) });
  expect(after(30.1).size).toBe(0);
});

test('Nothing of a value is remembered', () => {
  const { sightings } = told({ at: 0, saw: [{ ...DRIFT, live: 'a value', reason: 'a value' }] }, { at: 15, saw: [] });
  expect(JSON.stringify([...sightings])).not.toContain('a value');
});

test('Of two looks that overlap, the one that began first and ended last takes nothing back', () => {
  const { first } = told({ at: 0, saw: [DRIFT] }, { at: 20, saw: [DRIFT] }, { at: 15, saw: [DRIFT] });
  expect(first).toMatchObject({ first_seen: minute(0) });
});

test('Whatever is seen, each item is seen since its stretch began, and no item is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.subarray([DRIFT, CONFLICT, ORDER]), { maxLength: 12 }), (looks) => {
      let sightings = NOTHING;
      let since: ReadonlyMap<string, string> = new Map();
      for (const [index, saw] of looks.entries()) {
        const at = minute(index * 15);
        const looked = sighted(sightings, saw, { at, covers: () => true });
        since = new Map(saw.map(({ fingerprint }) => [fingerprint, since.get(fingerprint) ?? at]));
        expect(looked.items.map(({ fingerprint, first_seen: first }) => [fingerprint, first])).toEqual([...since]);
        sightings = looked.sightings;
      }
    }),
    { numRuns: tries(200) },
  );
});
