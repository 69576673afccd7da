// Lints of staff: groups without members that get chats, idle agents, lost cover.

import { counted } from '../base/text.ts';
import { spanText, WEEKDAYS } from '../base/week.ts';
import type { LintFinding, PlaceOf } from './finding.ts';
import type { RoutingRule } from './rules.ts';
import { type Coverage, coverChanges } from './staff/coverage.ts';
import { isWorked } from './staff/shifts.ts';
import type { GroupStaff, Member, Shift, Staff } from './staff/staff.ts';

/** Groups that a message names at most; it counts the rest. */
const MOST_GROUPS = 5;

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
    case 'awaiting approval':
    case 'no routing status':
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
  const more = about.length - MOST_GROUPS;
  const message = `no rule sends chats to ${about.slice(0, MOST_GROUPS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return found.flatMap((each) =>
    each === first ? [{ ...first, about, message }] : others.includes(each) ? [] : [each],
  );
}

/** Shifts that do not end after they begin. */
export function overnightShifts({ people }: Staff, placeOf: PlaceOf): readonly LintFinding[] {
  const found: LintFinding[] = [];
  for (const { reference, hours, isDeclared } of people) {
    if (!isDeclared || hours.status !== 'shifts') continue;
    for (const shift of hours.shifts) {
      if (isWorked(shift)) continue;
      found.push({
        id: 'overnight-shift',
        about: [reference],
        place: placeOf(reference),
        message: `${reference} works ${shift.day} ${shift.start}-${shift.end}: a shift that does not end after it begins counts as nothing`,
        remedy: rewritten(shift),
      });
    }
  }
  return found;
}

function rewritten({ day, start, end }: Shift): string {
  if (end === '00:00') return `a day ends at 23:59: write ${day} ${start}-23:59`;
  if (start === end) return `for the whole day write ${day} 00:00-23:59`;
  const next = WEEKDAYS[(WEEKDAYS.findIndex((each) => each === day) + 1) % WEEKDAYS.length];
  return `if it ends the next day, write it as two: ${day} ${start}-23:59 and ${next} 00:00-${end}; otherwise correct its times`;
}

/** Groups that had a member at work, and will have none. */
export function lostCover(before: Coverage, after: Coverage, placeOf: PlaceOf): readonly LintFinding[] {
  const waitingIn = new Map(
    after.groups.map(({ group: { reference, members } }) => [
      reference,
      members.filter(({ barred }) => barred === 'awaiting approval').length,
    ]),
  );
  return coverChanges(before, after).flatMap(({ group, lost }): readonly LintFinding[] => {
    if (lost.length === 0) return [];
    const waiting = waitingIn.get(group) ?? 0;
    const why = waiting === 0 ? '' : `: ${counted(waiting, 'member')} ${waiting === 1 ? 'waits' : 'wait'} for approval`;
    const named = lost.slice(0, MOST_TIMES).map((time) => spanText(after.week, time));
    const more = lost.length - named.length;
    const rest = more === 0 ? '' : ` and ${more} more ${more === 1 ? 'time' : 'times'}`;
    return [
      {
        id: 'lost-cover',
        about: [group],
        place: placeOf(group),
        message: `${group} loses all cover ${named.join(', ')} ${after.week.zone}${rest}${why}`,
        remedy:
          waiting === 0
            ? 'give a member of the group working hours then'
            : 'approve them in the application of the service, or keep a member who works then',
      },
    ];
  });
}
