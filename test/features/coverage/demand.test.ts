// Demand next to staff: what an hour without a chat proves, and that an hour that was not looked at proves nothing.

import { expect, test } from 'vitest';
import { weekAt } from '../../../src/base/week.ts';
import { queueFigures } from '../../../src/demand/queues.ts';
import { lastRange } from '../../../src/demand/range.ts';
import { demandReport } from '../../../src/features/coverage/demand.ts';
import type { GroupCover } from '../../../src/routing/staff/coverage.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 2, 16);
const WEEK = weekAt('UTC', NOW);

/** One agent with two slots, all week. */
const COVER: GroupCover = {
  group: { reference: 'group/g', name: 'G', builtin: false, isDeclared: true, isWhole: true, members: [] },
  pieces: [{ from: WEEK.from, to: WEEK.to, people: 1, bots: 0, slots: 2 }],
  people: { low: 1, high: 1 },
  agents: { low: 1, high: 1 },
  bots: { low: 0, high: 0 },
  slots: { low: 2, high: 2 },
  anytime: { people: 0, slots: 0 },
  unsized: 0,
  uncovered: [],
  botsOnly: [],
  unwatched: [],
};

const COVERED = { address: 'group/g', cover: COVER } as const;

test('Hours without a chat are told with how many there were, and with what may come anyway', () => {
  const range = lastRange('28d', 'UTC', NOW);
  if (range === null) throw new Error('no range');
  const all = Array.from({ length: 28 * 24 }, (_, index) => range.from + index * HOUR);
  const chats = all
    // Tuesdays at three were not looked at, and on Wednesdays at noon there is a chat.
    .filter((at) => !(new Date(at).getUTCDay() === 2 && new Date(at).getUTCHours() === 3))
    .map((at) => {
      const isNoon = new Date(at).getUTCDay() === 3 && new Date(at).getUTCHours() === 12;
      return { at, chats: isNoon ? 1 : 0, seconds: 0, agent_seconds: 0 };
    });
  const groups = [{ address: 'group/g', chats, synchronous: chats, queue: null }] as const;
  const [group] = demandReport([COVERED], { range, groups, missing: null }, WEEK).groups;
  expect(group?.idle.map(({ text, looked_at: looked, at_most_per_hour: most }) => [text, looked, most])).toEqual([
    ['Tue 04:00-Wed 12:00', 32 * 4, 0.024],
    ['Wed 13:00-Tue 03:00', 134 * 4, 0.006],
  ]);
});

test('Those who waited and left are a share of the chats that need a slot', () => {
  const range = lastRange('28d', 'UTC', NOW);
  if (range === null) throw new Error('no range');
  const hour = (chats: number) => [{ at: range.from, chats, seconds: 60 * chats, agent_seconds: 0 }];
  const queue = queueFigures({ served: 6, served_seconds: 300, left: 4, left_seconds: 100 });
  const waitedOf = (synchronous: number, of: typeof queue | null) =>
    demandReport(
      [COVERED],
      {
        range,
        groups: [{ address: 'group/g', chats: hour(50), synchronous: hour(synchronous), queue: of }],
        missing: null,
      },
      WEEK,
    ).groups[0]?.waited;
  expect(waitedOf(40, queue)).toEqual({ share: 0.25, seconds: 10, leaves: 0.1 });
  expect([waitedOf(40, null), waitedOf(0, queue)]).toEqual([null, null]);
});
