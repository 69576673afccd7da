// How often a follow-up says that something changed when nothing did, and how often it finds what did: over weeks drawn from a seed.

import { expect, test } from 'vitest';
import { followReport, type ReadGroup } from '../../../../src/features/report/since/follow.ts';
import type { FollowReport } from '../../../../src/features/report/since/schema.ts';
import { LEVEL, probabilityOfCount } from '../../../../src/features/report/since/tests.ts';
import type { FollowWindow } from '../../../../src/features/report/since/window.ts';
import { ASSUMED } from '../../../../src/routing/rules.ts';
import { tries } from '../../../tries.ts';
import { drawnHours, type Random, randomFrom, type Weeks, windowOf } from './weeks.ts';

function followed(window: FollowWindow, groups: readonly Weeks[], random: Random): FollowReport {
  const read = groups.map(
    (weeks, index): ReadGroup => ({
      address: `group/g${index}`,
      id: index,
      name: `G${index}`,
      effects: [],
      hours: drawnHours(window, weeks, random),
    }),
  );
  const at = new Date(window.from).toISOString();
  const run = {
    id: 'r-1',
    at,
    command: 'apply',
    outcome: 'done',
    finished: [],
    undoes: null,
    fleetRun: null,
    endedBy: null,
    ahead: 0,
  } as const;
  return followReport({
    target: 'here',
    followed: { run, since: window.from },
    window,
    wanted: window.hours,
    interrupted: false,
    groups: read,
    isWhole: true,
    events: [],
    assumptions: ASSUMED,
    now: window.to,
    lag: 0,
  });
}

/** Real weeks differ as wholes, and days by themselves: standard deviations, as shares of the mean. */
const NULL_WEEKS: readonly (readonly [string, number, readonly Weeks[]])[] = [
  ['weeks differ by chance alone, 1 group of 150 chats in 4 h', 4, [{ expected: 150 }]],
  ['real weeks, 1 group of 150 chats in 4 h', 4, [{ expected: 150, weeks: 0.1, days: 0.15 }]],
  [
    'real weeks, 3 groups of 20, 150 and 600 chats in 4 h',
    4,
    [20, 150, 600].map((expected) => ({ expected, weeks: 0.1, days: 0.15 })),
  ],
  ['real weeks, 3 groups in 24 h', 24, [60, 200, 900].map((expected) => ({ expected, weeks: 0.1, days: 0.15 }))],
  ['real weeks, 2 groups in a week', 168, [300, 2000].map((expected) => ({ expected, weeks: 0.1, days: 0.15 }))],
];

test.each(NULL_WEEKS)('at most 5 % of weeks without a change raise an alarm: %s', (_, hours, groups) => {
  const [runs, random, window] = [tries(1000, 20), randomFrom(20), windowOf(hours)];
  let alarms = 0;
  for (let run = 0; run < runs; run += 1) if (followed(window, groups, random).summary.changed > 0) alarms += 1;
  expect(alarms).toBeLessThanOrEqual(LEVEL * runs);
});

test('arrivals weigh as much as all other measures together', () => {
  const { groups } = followed(windowOf(24), [{ expected: 560, wait: 2 }], randomFrom(21));
  const tested = groups.flatMap(({ measures }) => measures.filter(({ probability }) => probability !== null));
  const others = tested.filter(({ measure }) => measure !== 'arrivals');
  const least = others.toSorted((one, other) => (one.probability ?? 1) - (other.probability ?? 1))[0];
  expect([tested.length > others.length, others.length > 1, least?.measure]).toEqual([true, true, 'first_response']);
  expect(least?.adjusted).toBeCloseTo(2 * others.length * (least?.probability ?? 1), 12);
});

test('the same weeks would raise more alarms if only chance made weeks differ', () => {
  const [runs, random, window] = [tries(1000, 30), randomFrom(20), windowOf(4)];
  let alarms = 0;
  for (let run = 0; run < runs; run += 1) {
    const [group] = followed(window, [{ expected: 600, weeks: 0.1, days: 0.15 }], random).groups;
    const [arrivals] = group?.measures ?? [];
    const before = (arrivals?.before ?? []).map(({ chats }) => ({ events: chats, exposure: 4 }));
    const chance = probabilityOfCount({ events: arrivals?.now.chats ?? 0, exposure: 4 }, before, [
      { deviation: 0, weight: 1 },
    ]);
    if (chance <= LEVEL) alarms += 1;
  }
  expect(alarms).toBeGreaterThan(0.2 * runs);
});

const SHIFTS: readonly (readonly [
  string,
  number,
  Weeks,
  'rises' | 'falls',
  FollowReport['groups'][number]['measures'][number]['measure'],
])[] = [
  ['half as many chats in 4 h', 4, { expected: 150, arrivals: 0.5 }, 'falls', 'arrivals'],
  ['half as many again in 4 h', 4, { expected: 150, arrivals: 1.5 }, 'rises', 'arrivals'],
  ['half as many chats in 24 h', 24, { expected: 150, arrivals: 0.5 }, 'falls', 'arrivals'],
  ['half as many chats in a week', 168, { expected: 150, arrivals: 0.5 }, 'falls', 'arrivals'],
  ['twice as long until a response, and 500 of them', 4, { expected: 560, wait: 2 }, 'rises', 'first_response'],
  ['three times as many without an answer', 4, { expected: 150, unanswered: 3 }, 'rises', 'unanswered'],
];

test.each(SHIFTS)('a planted shift is found in 90 % of runs: %s', (_, hours, weeks, direction, measure) => {
  const [runs, random, window] = [tries(1000, 20), randomFrom(21), windowOf(hours)];
  let found = 0;
  for (let run = 0; run < runs; run += 1) {
    const [group] = followed(window, [weeks], random).groups;
    if (group?.measures.find((each) => each.measure === measure)?.result === direction) found += 1;
  }
  expect(found).toBeGreaterThanOrEqual(0.9 * runs);
});
