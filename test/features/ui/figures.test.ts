// Figures of chats next to the page: what usually comes in a time, and the same time a week before.

import { expect, test } from 'vitest';
import { lastRange } from '../../../src/demand/range.ts';
import type { GroupChats } from '../../../src/features/coverage/demand.ts';
import { figuresOf, type RunOfChats, usualByHour } from '../../../src/features/ui/figures.ts';
import { usualChats } from '../../../src/features/ui/next-hours.ts';

const ZONE = 'Europe/Warsaw';
const HOUR = 3_600_000;
/** A Monday, 10:00 in Warsaw. */
const NOW = Date.parse('2026-11-30T09:00:00Z');

/** A chat every hour, and one more in the hours of the last week. */
function chatsOf(address: string, days: string): { readonly group: GroupChats; readonly range: Range } {
  const range = lastRange(days, ZONE, NOW);
  if (range === null) throw new Error('no range');
  const chats = Array.from({ length: (range.to - range.from) / HOUR }, (_, index) => {
    const at = range.from + index * HOUR;
    return { at, chats: at >= range.to - 7 * 24 * HOUR ? 2 : 1, seconds: 0, agent_seconds: 0 };
  });
  return { group: { address: `group/${address}`, chats, synchronous: chats, queue: null } as GroupChats, range };
}

type Range = NonNullable<ReturnType<typeof lastRange>>;

const MEMBERS = {
  view: 'live',
  groups: ['sales', 'night'].map((key) => ({ address: `group/${key}`, name: key, complete: true })),
  people: [
    {
      address: 'agent/ann@example.com',
      type: 'agent',
      name: 'Ann',
      bot: false,
      ownership: 'declared',
      barred: null,
      complete: true,
      groups: [{ group: 'group/night', before: null, priority: 'normal' }],
    },
  ],
} as const;

type Objects = NonNullable<RunOfChats['objects']>;

const run = (ended: string, objects: Objects): RunOfChats => ({
  id: 'r1',
  at: ended,
  ended_at: ended,
  command: 'apply',
  changes: { changed: 1 },
  objects,
});

test('A gap has the chats that usually come in its hours, parts of hours by their share', () => {
  const { group } = chatsOf('sales', '28d');
  const from = Date.parse('2026-11-30T17:30:00Z');
  expect(usualChats(usualByHour(group, ZONE), ZONE, { from, to: from + 2 * HOUR })).toBe(2.5);
});

test('Nothing is said of hours that the reports do not have', () => {
  const { group, range } = chatsOf('sales', '28d');
  const tuesdays = group.chats.filter(({ at }) => new Date(at).getUTCDay() === 2);
  const from = range.to;
  expect(usualChats(usualByHour({ chats: tuesdays }, ZONE), ZONE, { from, to: from + HOUR })).toBeNull();
});

test('The last seven days stand next to those before, which a shorter range does not have', () => {
  const figures = (days: string) => {
    const { group, range } = chatsOf('sales', days);
    return figuresOf({ range, groups: [group], missing: null }, [], MEMBERS).week;
  };
  expect(figures('14d')).toEqual({
    first: '2026-11-23',
    last: '2026-11-29',
    groups: [{ group: 'group/sales', chats: 336, before: 168 }],
  });
  expect(figures('7d').groups).toEqual([{ group: 'group/sales', chats: 336, before: null }]);
});

test('A change has the chats of its groups since: those that it names, and those of its people', () => {
  const { group: sales, range } = chatsOf('sales', '28d');
  const { group: night } = chatsOf('night', '28d');
  const changesBy = (ended: string, address: string) => {
    const objects = [{ address, type: 'group', action: 'changed', from: null, fields: [] }] as const;
    return figuresOf({ range, groups: [sales, night], missing: null }, [run(ended, objects)], MEMBERS).changes;
  };
  const ofGroup = changesBy('2026-11-29T12:20:00Z', 'group/sales');
  expect(ofGroup.map(({ from, groups }) => [from, groups])).toEqual([
    ['2026-11-29T14:00:00+01:00', [{ group: 'group/sales', chats: 20, before: 10 }]],
  ]);
  const ofPerson = changesBy('2026-11-29T12:20:00Z', 'agent/ann@example.com');
  expect(ofPerson.flatMap(({ groups }) => groups.map(({ group }) => group))).toEqual(['group/night']);
  expect(changesBy('2026-11-29T22:30:00Z', 'group/sales')).toEqual([]);
  expect(changesBy('2026-11-29T12:20:00Z', 'tag/vip')).toEqual([]);
});
