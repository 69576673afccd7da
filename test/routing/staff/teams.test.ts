// Teams of a week: each slot of a person is in one team of a piece, and the teams of a group have its cover.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf, weekOf } from '../../../src/base/week.ts';
import { coverageOf } from '../../../src/routing/staff/coverage.ts';
import { type Placed, type Staff, staffOf } from '../../../src/routing/staff/staff.ts';
import { type TeamPiece, teamPieces } from '../../../src/routing/staff/teams.ts';
import { tries } from '../../tries.ts';

const WEEK = weekOf('Europe/Warsaw', dayOf('2026-10-25') ?? 0);
const GROUPS = ['0', 'desk', 'sales'];

interface Worker {
  readonly groups: { readonly [group: string]: 'first' | 'normal' | 'supervisor' };
  readonly slots: number;
  /** By the clock, each day; null without hours. */
  readonly hours: readonly [start: string, end: string] | null;
  readonly isBot?: boolean;
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function staffWith(workers: readonly Worker[]): Staff {
  const people = workers.map(({ groups, slots, hours, isBot }, index): Placed => {
    const schedule = hours === null ? [] : DAYS.map((day) => ({ day, enabled: true, start: hours[0], end: hours[1] }));
    const work_scheduler = { timezone: 'Europe/Warsaw', schedule };
    const spec = { groups, max_chats_count: slots, work_scheduler };
    return { reference: `p${index}`, kind: isBot === true ? 'bot' : 'agent', name: `p${index}`, spec, decides: [] };
  });
  const groups = GROUPS.map(
    (reference): Placed => ({
      reference,
      kind: 'group',
      name: reference,
      spec: {},
      decides: [],
      ...(reference === '0' ? { builtin: true } : {}),
    }),
  );
  return staffOf([...people, ...groups], { zone: 'UTC', isRead: true, version: '3.6' });
}

function piecesOf(staff: Staff): readonly TeamPiece[] {
  const named = new Map(staff.groups.map((group) => [group.reference, group]));
  return teamPieces(named, staff.people, coverageOf({ ...staff, groups: [] }, WEEK));
}

const worker: fc.Arbitrary<Worker> = fc.record({
  groups: fc.dictionary(fc.constantFrom(...GROUPS), fc.constantFrom('first', 'normal', 'supervisor')),
  slots: fc.nat(8),
  hours: fc.option(
    fc
      .tuple(fc.nat(22), fc.nat(22))
      .map(([one, other]) => [Math.min(one, other), Math.max(one, other) + 1].map(clock) as [string, string]),
  ),
  isBot: fc.boolean(),
});

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

test('The pieces are the week without a gap, and the members of a group in them have the slots of its cover', () => {
  fc.assert(
    fc.property(fc.array(worker, { maxLength: 6 }), (workers) => {
      const staff = staffWith(workers);
      const pieces = piecesOf(staff);
      expect(pieces[0]?.from).toBe(WEEK.from);
      expect(pieces.at(-1)?.to).toBe(WEEK.to);
      for (const [index, { from }] of pieces.entries()) if (index > 0) expect(pieces[index - 1]?.to).toBe(from);
      for (const { group, pieces: cover, anytime } of coverageOf(staff, WEEK).groups)
        for (const { from, to, teams } of pieces) {
          const members = teams.filter(({ groups }) => groups.includes(group.reference));
          const slots = members.reduce((sum, team) => sum + team.slots, 0);
          const during = cover.filter((piece) => piece.from < to && piece.to > from);
          expect(new Set(during.map((piece) => piece.slots + anytime.slots))).toEqual(new Set([slots]));
        }
    }),
    { numRuns: tries(100) },
  );
});

test('No two teams of a piece serve the same groups, and none serves nothing', () => {
  fc.assert(
    fc.property(fc.array(worker, { maxLength: 6 }), (workers) => {
      for (const { teams } of piecesOf(staffWith(workers))) {
        const names = teams.map(({ groups, lent }) => JSON.stringify([groups, lent]));
        expect(new Set(names).size).toBe(names.length);
        expect(teams.every(({ groups, lent, slots }) => slots > 0 && groups.length + lent.length > 0)).toBe(true);
      }
    }),
    { numRuns: tries(100) },
  );
});

test('A person with hours helps in the default group without being a member; one without hours, or its supervisor, does not', () => {
  const day = ['09:00', '17:00'] as const;
  const teamsAt = (worker: Worker) => piecesOf(staffWith([worker])).find(({ teams }) => teams.length > 0)?.teams ?? [];
  expect(teamsAt({ groups: { sales: 'first' }, slots: 3, hours: day })).toEqual([
    { groups: ['sales'], lent: ['0'], slots: 3 },
  ]);
  expect(teamsAt({ groups: { sales: 'first' }, slots: 3, hours: null })).toEqual([
    { groups: ['sales'], lent: [], slots: 3 },
  ]);
  expect(teamsAt({ groups: { '0': 'supervisor', sales: 'first' }, slots: 3, hours: day })).toEqual([
    { groups: ['sales'], lent: [], slots: 3 },
  ]);
  expect(teamsAt({ groups: {}, slots: 3, hours: null })).toEqual([]);
});
