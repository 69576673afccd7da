// Members who serve the same groups, at every instant of a week: what groups that share members have together.

import { canonicalJson } from '../../base/json.ts';
import type { Interval } from '../../base/zone.ts';
import type { Coverage } from './coverage.ts';
import type { GroupStaff, StaffPerson } from './staff.ts';

/** Agents and bots at work who serve the same groups. */
export interface Team {
  /** The groups that they are members of, by name. */
  readonly groups: readonly string[];
  /** Groups whose chats they may take without being a member: the default group. */
  readonly lent: readonly string[];
  /** Chats at the same time. */
  readonly slots: number;
}

/** A time in which the same agents and bots are at work. */
export interface TeamPiece extends Interval {
  readonly teams: readonly Team[];
}

interface Server {
  readonly person: StaffPerson;
  readonly groups: readonly string[];
  readonly lent: readonly string[];
}

/** The whole week, in order. Each person is in one team of a piece; those who may be there at any time are in every piece. */
export function teamPieces(
  groups: ReadonlyMap<string, GroupStaff>,
  people: readonly StaffPerson[],
  { week, presence }: Coverage,
): readonly TeamPiece[] {
  const edges = serversOf(groups, people, (person) => presence(person) !== null).flatMap(
    ({ person, groups: own, lent }) => {
      const team: Team = { groups: own, lent, slots: person.slots ?? 0 };
      const name = canonicalJson([own, lent]);
      return (presence(person) ?? [week]).flatMap(({ from, to }) => [
        { at: from, name, team },
        { at: to, name, team: { ...team, slots: -team.slots } },
      ]);
    },
  );
  const teams = new Map<string, Team>();
  const pieces: TeamPiece[] = [];
  let begun = week.from;
  const close = (to: number): void => {
    if (to <= begun) return;
    pieces.push({ from: begun, to, teams: [...teams.values()].filter(({ slots }) => slots > 0) });
    begun = to;
  };
  for (const { at, name, team } of edges.sort((one, other) => one.at - other.at)) {
    close(Math.min(at, week.to));
    teams.set(name, { ...team, slots: (teams.get(name)?.slots ?? 0) + team.slots });
  }
  close(week.to);
  return pieces;
}

/** Who can get chats, and of which groups. Nothing says of those without known hours that they help where they are no member. */
function serversOf(
  groups: ReadonlyMap<string, GroupStaff>,
  people: readonly StaffPerson[],
  hasHours: (person: StaffPerson) => boolean,
): readonly Server[] {
  const nameOf = ({ kind, reference }: StaffPerson): string => `${kind} ${reference}`;
  const members = [...groups].map(([name, group]) => ({
    name,
    isOpen: group.builtin,
    barred: new Map(group.members.map((member) => [nameOf(member), member.barred])),
  }));
  return people
    .filter(({ bar, slots }) => bar === null && (slots ?? 0) > 0)
    .map((person) => {
      const who = nameOf(person);
      return {
        person,
        groups: members.flatMap(({ name, barred }) => (barred.get(who) === null ? [name] : [])),
        lent: hasHours(person)
          ? members.flatMap(({ name, isOpen, barred }) => (isOpen && !barred.has(who) ? [name] : []))
          : [],
      };
    })
    .filter((server) => server.groups.length + server.lent.length > 0);
}
