import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueRuns, longestDelay, scheduleOf } from '../../src/many/schedule.ts';
import { fleetSettings } from '../../src/project/fleet-settings.ts';
import { START } from './names.ts';

const MINUTE = 60_000;

interface Written {
  readonly every: string;
  readonly select?: readonly string[];
}

const rulesOf = (drift: readonly Written[]) =>
  fleetSettings({ drift: drift.map(({ every, select = [] }) => ({ every, select: [...select] })) }).drift;

test('A rule has one run a period, none before it is due, and the same one for all who ask', () => {
  const minutes = fc.constantFrom(1, 2, 7, 15, 60, 90, 360);
  const label = fc.constantFrom('ring=canary', 'ring=main', 'region=eu');
  const rule = fc.record({ minutes, select: fc.uniqueArray(label) });
  fc.assert(
    fc.property(
      fc.string(),
      rule,
      fc.integer({ min: 0, max: 10_000_000 }),
      (project, { minutes: every, select }, from) => {
        const rules = rulesOf([{ every: `${every}m`, select }]);
        const gap = every * MINUTE;
        const idAt = (now: number): string => dueRuns(project, rules, now)[0]?.id ?? expect.fail();
        const looks = Array.from({ length: 200 }, (_, index) => START + from + Math.round((index * gap) / 40));
        const first = new Map<string, number>();
        let last = '';
        for (const now of looks) {
          const id = idAt(now);
          expect(id).toBe(idAt(now));
          // A period that is over does not come back.
          expect(first.has(id)).toBe(id === last);
          if (id !== last) first.set(id, now);
          last = id;
        }
        expect(first.size).toBeGreaterThanOrEqual(5);
        expect(first.size).toBeLessThanOrEqual(6);
        for (const [id, begun] of [...first].slice(1)) {
          const late = begun % gap;
          expect(late).toBeLessThanOrEqual(longestDelay(gap) + gap / 40);
          expect(idAt(begun - late - 1)).not.toBe(id);
        }
      },
    ),
  );
});

test('Each project and rule has runs of its own, whatever the order of its labels', () => {
  const named = (project: string, ...drift: readonly Written[]): readonly string[] =>
    dueRuns(project, rulesOf(drift), START).map(({ id }) => id);
  const all = [
    ...named(
      'one',
      { every: '1h' },
      { every: '2h' },
      { every: '1h', select: ['a=1'] },
      { every: '1h', select: ['a=2'] },
    ),
    ...named('one', { every: '1h', select: ['a=1', 'a=2'] }),
    ...named('other', { every: '1h' }),
  ];
  expect(new Set(all).size).toBe(6);
  for (const id of all) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  const order = [
    ['b=1', 'a=2', 'a=1'],
    ['a=1', 'a=2', 'b=1'],
  ].map((select) => rulesOf([{ every: '1h', select }]).map(scheduleOf));
  expect(order).toEqual([order[0], order[0]]);
  expect(order[0]).toEqual(['{"every":"1h","select":["a=1","a=2","b=1"]}']);
});
