// Groups that share agents and bots: which groups serve visitors together with those that a plan touches, and their teams hour by hour.

import { byText } from '../../base/json.ts';
import type { Address, Reference } from '../../base/model.ts';
import type { Week } from '../../base/week.ts';
import { byHour, type HourOf } from '../../demand/week.ts';
import { coverageOf } from '../../routing/staff/coverage.ts';
import type { GroupStaff, Staff } from '../../routing/staff/staff.ts';
import { type TeamPiece, teamPieces } from '../../routing/staff/teams.ts';
import type { Touched } from './touched.ts';

/** A group that no change touches. */
export interface SharingGroup {
  readonly address: Address;
  readonly id: number;
}

/** The staff before a plan and after it. */
export interface StaffSides {
  readonly before: Staff;
  readonly after: Staff;
}

type GroupOf = (reference: Reference) => Address;

/** Whether chats of a touched group may wait longer after the plan. */
export const mayWaitLonger = ({ groups, made }: Touched): boolean =>
  made.length > 0 || groups.some(({ changed, gains }) => changed.length + gains.length > 0);

/**
 * The groups whose chats take slots of the touched ones: those that share a member with them, those that share one with these, and so on; and the default
 * group, whose chats any agent may take. Sorted.
 */
export function sharingGroups(touched: Touched, { before, after }: StaffSides): readonly SharingGroup[] {
  const { groupOf, idOf } = touched;
  const teams = [before, after].flatMap(({ people }) => people.map(({ groups }) => groups.map(groupOf)));
  const start = [...touched.groups, ...touched.made].map(({ address }) => address);
  const found = new Set(start);
  for (let more = teams.filter((team) => team.length > 1); ; ) {
    const next = more.filter((team) => team.some((group) => found.has(group)));
    if (next.length === 0) break;
    more = more.filter((team) => !next.includes(team));
    for (const group of next.flat()) found.add(group);
  }
  for (const { builtin, reference } of before.groups) if (builtin) found.add(groupOf(reference));
  for (const own of start) found.delete(own);
  return [...found].sort(byText).flatMap((address) => {
    const id = idOf(address);
    return typeof id === 'number' ? [{ address, id }] : [];
  });
}

/** One entry for each hour of the week: the teams in each part of it. */
export type HourTeams = readonly HourOf<TeamPiece>[];

/** The teams of these groups. */
export function teamsByHour(staff: Staff, groups: ReadonlySet<Address>, groupOf: GroupOf, week: Week): HourTeams {
  const named = new Map<string, GroupStaff>(
    staff.groups.flatMap((group) => {
      const address = groupOf(group.reference);
      return groups.has(address) ? [[address, group] as const] : [];
    }),
  );
  return byHour(teamPieces(named, staff.people, coverageOf({ ...staff, groups: [] }, week)), week);
}
