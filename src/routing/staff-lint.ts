// Lints of staff: groups without members that get chats, idle agents, lost cover.

import { groupedBy } from '../base/grouped.ts';
import type { DesiredResource, Reference } from '../base/model.ts';
import { counted, few } from '../base/text.ts';
import { foldedTimes, spanText, WEEKDAYS, type Week } from '../base/week.ts';
import type { Interval } from '../base/zone.ts';
import type { LintFinding, PlaceOf } from './finding.ts';
import type { RoutingRule } from './rules.ts';
import { type Coverage, coverChanges } from './staff/coverage.ts';
import { isWorked, merged } from './staff/shifts.ts';
import { type GroupStaff, type Member, memberOf, type Shift, type Staff } from './staff/staff.ts';

/** Groups or people that a message names at most; it counts the rest. */
const MOST_NAMES = 5;

/** Times that a message names at most; it counts the rest. */
const MOST_TIMES = 3;

/** Rules that send chats to a group where no member can ever get one. */
export function nobodyThere(
  rules: readonly RoutingRule[],
  { groups }: Staff,
  placeOf: PlaceOf,
): readonly LintFinding[] {
  const reached = new Set(rules.flatMap((rule) => rule.groups));
  const empty = new Map(
    groups.flatMap((group) => {
      if (!reached.has(group.reference)) return [];
      const reason = group.isWhole ? emptiness(group) : null;
      return reason === null ? [] : [[group.reference, reason] as const];
    }),
  );
  return rules.flatMap(({ name, groups: to }) =>
    to.flatMap((group): readonly LintFinding[] => {
      const reason = empty.get(group);
      if (reason === undefined) return [];
      return [
        {
          id: 'nobody-there',
          about: [name, group],
          place: placeOf(name),
          message: `${name} sends chats to ${group}, where no member can get one: ${reason}`,
          remedy: 'add a member who can get chats, or send the chats elsewhere',
        },
      ];
    }),
  );
}

/**
 * Rules that send chats to a group of which no file names a member, while files name those of other groups: where the group is new, no member can get
 * them. A plan knows who is in the group.
 */
export function unstaffedGroups(
  rules: readonly RoutingRule[],
  { groups }: Staff,
  mayBeNew: (group: GroupStaff) => boolean,
  placeOf: PlaceOf,
): readonly LintFinding[] {
  if (groups.every(({ members }) => members.length === 0)) return [];
  const empty = new Set(
    groups
      .filter((group) => group.isDeclared && !group.isWhole && group.members.length === 0 && mayBeNew(group))
      .map(({ reference }) => reference),
  );
  return rules.flatMap(({ name, groups: to }) =>
    to
      .filter((group) => empty.has(group))
      .map((group) => ({
        id: 'nobody-there',
        about: [name, group],
        place: placeOf(name),
        message: `${name} sends chats to ${group}, of which the files name no member: if the group is new, it has none`,
        remedy: 'add its `agent_priorities`',
      })),
  );
}

/** Why no member of a group can ever get a chat; null when one can. What a person has yet to do for a new member does not count: a plan reports it itself. */
function emptiness({ members }: GroupStaff): string | null {
  const reasons = members.map(whyNever);
  if (reasons.some((reason) => reason === null)) return null;
  if (reasons.length === 0) return 'it has no members';
  const [only] = new Set(reasons);
  if (new Set(reasons).size === 1)
    return reasons.length === 1 ? `its only member ${only}` : `each of its ${reasons.length} members ${only}`;
  return members.map(({ reference }, index) => `${reference} ${reasons[index]}`).join(', ');
}

function whyNever(member: Member): string | null {
  switch (member.barred) {
    case 'supervisor':
      return 'is a supervisor';
    case 'suspended':
      return 'is suspended';
    case 'no slots':
      return 'takes no chats (max_chats_count is 0)';
    case 'offline':
      return 'is offline';
    case 'not accepting chats':
      return 'accepts no chats (`routing_status`)';
    case 'waiting for approval':
    case null:
      return member.hours.status === 'shifts' && !member.hours.shifts.some(isWorked) ? 'works no hours' : null;
  }
}

/** Agents who could get chats and are in no group. */
export function idleAgents({ people }: Staff, placeOf: PlaceOf): readonly LintFinding[] {
  return people
    .filter(({ tireless, isDeclared, isWhole, bar, groups }) => {
      const isWanted = !tireless && isDeclared && bar === null;
      return isWanted && isWhole && groups.length === 0;
    })
    .map(({ reference }) => ({
      id: 'idle-agent',
      about: [reference],
      place: placeOf(reference),
      message: `${reference} is in no group, so no rule sends them a chat`,
      remedy: 'add them to a group, or suspend the account',
    }));
}

/** Agents and bots of which a group expects chats, and who take none. */
export function withoutSlots({ people, groups }: Staff, placeOf: PlaceOf): readonly LintFinding[] {
  return people
    .filter(({ isDeclared, slots }) => isDeclared && slots === 0)
    .flatMap(({ reference }): readonly LintFinding[] => {
      const barring = groups.filter(({ members }) =>
        members.some((member) => member.reference === reference && member.barred === 'no slots'),
      );
      if (barring.length === 0) return [];
      const names = few(
        barring.map((group) => group.reference),
        MOST_NAMES,
      );
      return [
        {
          id: 'idle-agent',
          about: [reference],
          place: placeOf(reference),
          message: `${reference} gets no chats of ${names}: max_chats_count is 0`,
          remedy: 'write how many chats at a time, or the priority `supervisor` in the group',
        },
      ];
    });
}

/** Groups that no rule names, where there are rules; the group that came with the license gets the chats that no rule takes. */
export function unroutedGroups(
  rules: readonly RoutingRule[],
  { groups }: Staff,
  placeOf: PlaceOf,
): readonly LintFinding[] {
  if (rules.length === 0) return [];
  const reached = new Set(rules.flatMap((rule) => rule.groups));
  return groups
    .filter(({ reference, builtin, isDeclared }) => isDeclared && !builtin && !reached.has(reference))
    .map(({ reference }) => ({
      id: 'unrouted-group',
      about: [reference],
      place: placeOf(reference),
      message: `no rule sends chats to ${reference}`,
      remedy: 'add a rule that does, unless chats come to them by transfer or by `chat.access`',
    }));
}

/** One finding for all unrouted groups, because chats may come to groups in other ways on purpose. */
export function unroutedJoined(found: readonly LintFinding[]): readonly LintFinding[] {
  const [first, ...others] = found.filter(({ id }) => id === 'unrouted-group');
  if (first === undefined || others.length === 0) return found;
  const about = [first, ...others].flatMap((each) => each.about);
  const message = `no rule sends chats to ${few(about, MOST_NAMES)}`;
  return found.flatMap((each) =>
    each === first ? [{ ...first, about, message }] : others.includes(each) ? [] : [each],
  );
}

/** Shifts that do not end after they begin: one finding for each person. */
export function overnightShifts({ people }: Staff, placeOf: PlaceOf): readonly LintFinding[] {
  return people.flatMap(({ reference, hours, isDeclared }): readonly LintFinding[] => {
    const shifts = isDeclared && hours.status === 'shifts' ? hours.shifts.filter((shift) => !isWorked(shift)) : [];
    const [first] = shifts;
    if (first === undefined) return [];
    const times = shifts.map(({ day, start, end }) => `${day} ${start}-${end}`);
    const forms = [...groupedBy(shifts, overnightForm).values()].map(([shift]) => rewritten(shift));
    const also = forms.length === shifts.length ? '' : '; the others in the same way';
    return [
      {
        id: 'overnight-shift',
        about: [reference],
        place: placeOf(reference, first),
        message: `${reference} works ${few(times, MOST_TIMES)}: a shift that does not end after it begins counts as nothing`,
        remedy: `${forms.join('; ')}${also}`,
      },
    ];
  });
}

/** One finding for everyone with the same hours, which are mostly those of one named schedule. */
export function overnightJoined(found: readonly LintFinding[]): readonly LintFinding[] {
  const hoursOf = ({ about, message }: LintFinding): string => message.slice(about[0]?.length);
  const alike = groupedBy(
    found.filter(({ id }) => id === 'overnight-shift'),
    hoursOf,
  );
  return found.flatMap((each) => {
    if (each.id !== 'overnight-shift') return [each];
    const [first, ...others] = alike.get(hoursOf(each)) ?? [each];
    if (others.length === 0 || each !== first) return each === first ? [each] : [];
    const about = [first, ...others].flatMap((one) => one.about);
    const hours = hoursOf(first).replace(/^ works/, ' work');
    return [{ ...first, about, message: `${few(about, MOST_NAMES)}${hours}` }];
  });
}

function overnightForm({ start, end }: Shift): 'to midnight' | 'whole day' | 'into the next day' {
  if (end === '00:00') return 'to midnight';
  return start === end ? 'whole day' : 'into the next day';
}

function rewritten(shift: Shift): string {
  const { day, start, end } = shift;
  const form = overnightForm(shift);
  if (form === 'to midnight') return `a day ends at 23:59: write ${day} ${start}-23:59`;
  if (form === 'whole day') return `for the whole day write ${day} 00:00-23:59`;
  const next = WEEKDAYS[(WEEKDAYS.findIndex((each) => each === day) + 1) % WEEKDAYS.length];
  return `if it ends the next day, write it as two: ${day} ${start}-23:59 and ${next} 00:00-${end}; otherwise correct its times`;
}

/** Bots that hand chats over to groups, at times when they are at work and no agent of these groups is. `groupOf`: what the staff calls a group. */
export function handOvers(
  bots: readonly Pick<DesiredResource, 'address' | 'handsOver'>[],
  { people }: Staff,
  cover: Coverage,
  groupOf: (reference: Reference) => Reference,
  placeOf: PlaceOf,
): readonly LintFinding[] {
  const covers = new Map(cover.groups.map((each) => [each.group.reference, each]));
  return bots.flatMap(({ address, handsOver = [] }): readonly LintFinding[] => {
    const aims = handsOver.flatMap((reference) => covers.get(groupOf(reference)) ?? []);
    // Where the files name no member of a group, an agent may be there.
    if (aims.length === 0 || aims.length < handsOver.length || !aims.every(({ group }) => group.isWhole)) return [];
    const bot = people.find(({ reference }) => reference === address);
    const week: readonly Interval[] = [cover.week];
    const worked = bot === undefined ? week : (cover.presence(bot) ?? week);
    const gaps = aims.map(({ uncovered, botsOnly }) => merged([...uncovered, ...botsOnly])).reduce(common, worked);
    const names = few(handsOver, MOST_NAMES);
    const isNever = aims.every(({ group }) =>
      group.members.every(({ tireless, barred }) => tireless || barred !== null),
    );
    if (gaps.length === 0) return [];
    const when = isNever ? 'can get a chat' : `is at work ${timesText(gaps, cover.week)}`;
    return [
      {
        id: 'hand-over',
        about: [address, ...handsOver],
        place: placeOf(address),
        message: `${address} hands chats over to ${names}, where no agent ${when}`,
        remedy: isNever
          ? 'add an agent to the group, or name a group that has one'
          : 'give an agent working hours then, name another group, or give the bot the hours of the agents',
      },
    ];
  });
}

/** `Mon-Fri 17:00-18:00 Europe/Warsaw and 2 more times`. */
function timesText(times: readonly Interval[], week: Week): string {
  const texts = foldedTimes(times.map((time) => spanText(week, time)));
  const more = texts.length - MOST_TIMES;
  const rest = more <= 0 ? '' : ` and ${more} more ${more === 1 ? 'time' : 'times'}`;
  return `${texts.slice(0, MOST_TIMES).join(', ')} ${week.zone}${rest}`;
}

function common(one: readonly Interval[], other: readonly Interval[]): readonly Interval[] {
  return one.flatMap((a) =>
    other.flatMap((b): readonly Interval[] => {
      const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
      return from < to ? [{ from, to }] : [];
    }),
  );
}

/** Agents who are suspended, and join a group that then counts them as a member. */
export function suspendedMembers(before: Staff, after: Staff, placeOf: PlaceOf): readonly LintFinding[] {
  const had = new Map(before.people.map(({ reference, groups }) => [reference, groups]));
  return after.people.flatMap(({ reference, bar, groups, isDeclared }): readonly LintFinding[] => {
    const joined = groups.filter((group) => had.get(reference)?.includes(group) !== true);
    if (bar !== 'suspended' || !isDeclared || joined.length === 0) return [];
    return [
      {
        id: 'suspended-member',
        about: [reference, ...joined],
        place: placeOf(reference),
        message: `${reference} is suspended and joins ${few(joined, MOST_NAMES)}: no chat is assigned to them`,
        remedy: 'write `suspended: false` if they work again; otherwise remove them from the group',
      },
    ];
  });
}

/** Groups that had a member at work, and will have none. */
export function lostCover(before: Coverage, after: Coverage, placeOf: PlaceOf): readonly LintFinding[] {
  const groups = new Map(after.groups.map(({ group }) => [group.reference, group]));
  return coverChanges(before, after).flatMap(({ group, lost }): readonly LintFinding[] => {
    if (lost.length === 0) return [];
    const members = groups.get(group)?.members ?? [];
    const waiting = members.filter((member) => fillsOnceApproved(member, lost, after)).length;
    const why = waiting === 0 ? '' : `: ${counted(waiting, 'member')} ${waiting === 1 ? 'waits' : 'wait'} for approval`;
    return [
      {
        id: 'lost-cover',
        about: [group],
        place: placeOf(group),
        message: `${group} loses all cover ${timesText(lost, after.week)}${why}`,
        remedy:
          waiting === 0
            ? 'give a member of the group working hours then'
            : 'approve them in the application of the service, or keep a member who works then',
      },
    ];
  });
}

/** Whether approval is all that keeps a member from chats in the times, or in some of them. */
function fillsOnceApproved(member: Member, times: readonly Interval[], { presence }: Coverage): boolean {
  if (member.barred !== 'waiting for approval') return false;
  if (memberOf({ ...member, bar: null }, member.priority).barred !== null) return false;
  const there = presence(member);
  return there === null || common(there, times).length > 0;
}
