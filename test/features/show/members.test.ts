// Who is in which group, against the edges that were put there; and what is said of those who are in none.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { membersOf } from '../../../src/features/show/member-lists.ts';
import { PRIORITIES } from '../../../src/kinds/priority.ts';
import { type Placed, staffOf } from '../../../src/routing/staff/staff.ts';
import { GROUP_MEMBERS } from './example.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

const edges = fc.uniqueArray(
  fc.record({
    person: fc.constantFrom(...NAMES),
    group: fc.constantFrom(...NAMES),
    priority: fc.constantFrom(...PRIORITIES),
  }),
  { selector: ({ person, group }) => `${person} ${group}`, maxLength: 12 },
);

type Edge = { readonly person: string; readonly group: string; readonly priority: (typeof PRIORITIES)[number] };

/** A license in which each membership stands on the side that `side` says. */
function placed(all: readonly Edge[], onGroup: (edge: Edge) => boolean): readonly Placed[] {
  const own = (isMeant: (edge: Edge) => boolean, key: (edge: Edge) => string) =>
    Object.fromEntries(all.filter(isMeant).map((edge) => [key(edge), edge.priority]));
  return NAMES.flatMap((name): readonly Placed[] => [
    {
      reference: `group/${name}`,
      kind: 'group',
      name,
      spec: {
        agent_priorities: own(
          (edge) => onGroup(edge) && edge.group === name,
          ({ person }) => `agent/${person}`,
        ),
      },
      decides: [],
    },
    {
      reference: `agent/${name}`,
      kind: 'agent',
      name,
      spec: {
        groups: own(
          (edge) => !onGroup(edge) && edge.person === name,
          ({ group }) => `group/${group}`,
        ),
      },
      decides: [],
    },
  ]);
}

const told = ({ people }: ReturnType<typeof membersOf>) =>
  people.flatMap(({ address, groups }) => groups.map((each) => ({ address, ...each })));

test('Each membership is told once, whichever side has it, and every person is there', () => {
  fc.assert(
    fc.property(edges, edges, fc.boolean(), (before, after, onGroup) => {
      const staff = (all: readonly Edge[]) =>
        staffOf(
          placed(all, ({ person }) => person < 'c' === onGroup),
          { zone: 'UTC', isRead: true, version: '3.6' },
        );
      const ownershipOf = () => 'declared' as const;
      const live = membersOf({ view: 'live', before: null, staff: staff(after), ownershipOf });
      const sorted = (all: readonly Edge[]): readonly string[] =>
        all.map(({ person, group, priority }) => `agent/${person} group/${group} ${priority}`).sort();
      expect(told(live).map(({ address, group, priority }) => `${address} ${group} ${priority}`)).toEqual(
        sorted(after),
      );
      expect(live.people.map(({ name }) => name)).toEqual(NAMES);
      const both = told(membersOf({ view: 'both', before: staff(before), staff: staff(after), ownershipOf }));
      const was = both.filter((each) => each.before !== null);
      const is = both.filter((each) => each.priority !== null);
      expect(was.map((each) => `${each.address} ${each.group} ${each.before}`)).toEqual(sorted(before));
      expect(is.map((each) => `${each.address} ${each.group} ${each.priority}`)).toEqual(sorted(after));
    }),
    { numRuns: 50 },
  );
});

test('A bot, a suspended person, and a person who waits or gets no chats are told', () => {
  const about = GROUP_MEMBERS.live.people.map(({ name, bot, barred, groups }) => [name, bot, barred, groups.length]);
  expect(about).toEqual([
    ['Ann', false, null, 2],
    ['=Bob "B", <b>', false, 'suspended', 1],
    ['Carl', false, null, 2],
    ['dora@example.com', false, 'waiting for approval', 0],
    ['Eve', false, 'no slots', 1],
    ['Triage', true, null, 1],
  ]);
});

test('Of files that do not say who is in a group, neither the group nor a person is complete', () => {
  const { groups, people } = GROUP_MEMBERS.files;
  expect(groups.map(({ address, complete }) => [address, complete])).toEqual([
    ['group/sales', true],
    ['group/support', false],
  ]);
  expect(people.map(({ name, complete }) => [name, complete])).toEqual([
    ['Ann', true],
    ['Dora', false],
    ['Eve', true],
  ]);
});
