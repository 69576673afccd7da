// Load of groups whose agents serve other groups as well: a chat goes to an agent with few chats, so that the loads of agents become even.

import type { Team } from '../routing/staff/teams.ts';

/** Chats at once on average, on the slots of the members of a group. */
export interface SharedLoad {
  /** Of the group itself, and of others whose chats its members take. */
  readonly load: number;
  readonly slots: number;
}

/** What the members of a group have to serve, at most. `loads` has the chats at once of each group. */
export function sharedLoad(group: string, teams: readonly Team[], loads: ReadonlyMap<string, number>): SharedLoad {
  const isOwn = ({ groups }: Team): boolean => groups.includes(group);
  const own = teams.filter(isOwn);
  const slots = sum(own.map((team) => team.slots));
  const isShared = teams.some(({ lent }) => lent.length > 0) || own.some(({ groups }) => groups.length > 1);
  if (!isShared || slots === 0) return { load: loads.get(group) ?? 0, slots };
  // Agents who are not members may take chats of the group, and it is not known whether they do.
  const asked = teams.map((team) => ({ ...team, lent: team.lent.filter((each) => each !== group) }));
  const even = evenLoads(asked, loads);
  return { load: sum(asked.filter(isOwn).map((team) => even.get(team) ?? 0)), slots };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** After so many rounds, or when so few slots move in one, the loads count as even. */
const MOST_ROUNDS = 30;
const LEAST_MOVE = 0.001;

/**
 * The load on each team. Round by round, each group spreads its chats over the teams that serve it, so that the loads of a slot there are as even as they
 * can be. The load of a group without a team is on none.
 */
function evenLoads(teams: readonly Team[], loads: ReadonlyMap<string, number>): ReadonlyMap<Team, number> {
  const taken = new Map(teams.map((team) => [team, 0]));
  const spread = [...loads].flatMap(([group, load]) => {
    const serving = teams.filter(({ groups, lent }) => groups.includes(group) || lent.includes(group));
    return load > 0 && serving.length > 0 ? [{ load, parts: new Map(serving.map((team) => [team, 0])) }] : [];
  });
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let moved = 0;
    for (const { load, parts } of spread) {
      const others = new Map([...parts].map(([team, part]) => [team, (taken.get(team) ?? 0) - part]));
      const level = levelOf(load, others);
      for (const [team, other] of others) {
        const part = Math.max(0, level * team.slots - other);
        moved += Math.abs(part - (parts.get(team) ?? 0));
        parts.set(team, part);
        taken.set(team, other + part);
      }
    }
    if (moved < LEAST_MOVE) break;
  }
  return taken;
}

/** The load of a slot up to which teams are filled, so that all of the load is on them. `taken` is what they have already. */
function levelOf(load: number, taken: ReadonlyMap<Team, number>): number {
  const emptiest = [...taken]
    .map(([{ slots }, other]) => ({ slots, other, level: other / slots }))
    .sort((one, other) => one.level - other.level);
  let [slots, all, level] = [0, load, 0];
  for (const [index, team] of emptiest.entries()) {
    slots += team.slots;
    all += team.other;
    level = all / slots;
    if (level <= (emptiest[index + 1]?.level ?? Number.POSITIVE_INFINITY)) break;
  }
  return level;
}
