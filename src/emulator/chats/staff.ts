// Agents and bots as routing sees them, and their working hours. Does not know who accepts chats.

import { WEEKDAYS } from '../../base/week.ts';
import { DAY, type Interval, MINUTE, offsetAt, wallOf } from '../../base/zone.ts';
import { agentTable } from '../configuration/agents.ts';
import { botTable } from '../configuration/bots.ts';
import type { GroupPriority } from '../configuration/memberships.ts';
import type { Scheduler } from '../configuration/scheduler.ts';
import type { ConfigurationSettings } from '../configuration/settings.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import { type ChatMember, formerStaffTable, memberKey, threadTable } from './records.ts';

/** A license, and the moment at which its staff is looked at. */
export interface StaffView {
  readonly license: EmulatedLicense;
  readonly settings: ConfigurationSettings;
  /** The moment whose configuration has taken effect, in ms; Infinity is now. */
  readonly effectiveAt: number;
  /** The moment of the clock, in ms. */
  readonly now: number;
}

/** An agent or a bot as routing sees it. */
export interface StaffMember {
  readonly member: ChatMember;
  /** What names the member in tables. */
  readonly key: string;
  /** Most chats at once. */
  readonly slots: number;
  /** Whether it may get chats at all: an agent who is suspended, or waits for approval, may not. */
  readonly isActive: boolean;
  /** Priority in groups that do not say one; undefined for an agent, who has none in groups of others. */
  readonly defaultPriority: GroupPriority | undefined;
  readonly work_scheduler: Scheduler | undefined;
  readonly login_status: string | undefined;
}

/** An agent or a bot of the configuration that has taken effect; undefined for one who is not in the license. */
export function staffMember(
  { license, settings, effectiveAt }: StaffView,
  member: ChatMember,
): StaffMember | undefined {
  const key = memberKey(member);
  if (member.kind === 'agent') {
    const agent = agentTable.of(license).get(member.id, effectiveAt);
    if (agent === undefined) return undefined;
    const { max_chats_count: slots, suspended, awaiting_approval, work_scheduler, login_status } = agent;
    const isActive = !suspended && !awaiting_approval;
    return { member, key, slots, isActive, defaultPriority: undefined, work_scheduler, login_status };
  }
  const bot = member.kind === 'bot' ? botTable.of(license).get(member.id, effectiveAt) : undefined;
  if (bot === undefined) return undefined;
  const { max_chats_count: slots, work_scheduler } = bot;
  const defaultPriority = bot.default_group_priority ?? settings.defaultGroupPriority;
  return { member, key, slots, isActive: true, defaultPriority, work_scheduler, login_status: undefined };
}

/** What customers see of an agent or a bot at a moment, also after its account was deleted; undefined where nothing is known. */
export function profileOf(license: EmulatedLicense, { kind, id }: ChatMember, at = Infinity) {
  const table = kind === 'agent' ? agentTable : botTable;
  return table.of(license).get(id, at) ?? formerStaffTable.of(license).get(memberKey({ kind, id }));
}

/** Keeps what threads show of an agent or a bot that is deleted; undefined where no thread names it. */
export function keepFormer(license: EmulatedLicense, kind: 'agent' | 'bot', id: string): (() => void) | undefined {
  const profile = profileOf(license, { kind, id });
  const isNamed = threadTable
    .of(license)
    .all()
    .some(({ members }) => members.some((member) => member.kind === kind && member.id === id));
  if (profile === undefined || !isNamed) return undefined;
  const { name, avatar, job_title } = profile;
  return () =>
    formerStaffTable.of(license).set({
      kind,
      id,
      name,
      ...(avatar === undefined ? {} : { avatar }),
      ...(job_title === undefined ? {} : { job_title }),
    });
}

/** All agents and bots of the configuration that has taken effect. */
export function staffOf(view: StaffView): readonly StaffMember[] {
  const { license, effectiveAt } = view;
  const agents = agentTable
    .of(license)
    .all(effectiveAt)
    .map(({ id }): ChatMember => ({ kind: 'agent', id }));
  const bots = botTable
    .of(license)
    .all(effectiveAt)
    .map(({ id }): ChatMember => ({ kind: 'bot', id }));
  return [...agents, ...bots].flatMap((member) => staffMember(view, member) ?? []);
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const zoneOf = ({ timezone }: Scheduler, { agentTimezone }: ConfigurationSettings): string =>
  timezone === '' ? agentTimezone : timezone;

/** Minutes of the day at which a shift may begin or end; midnight ends one that lasts until 23:59. */
const minutesOf = ({ schedule }: Scheduler): readonly number[] => [
  ...new Set(schedule.flatMap(({ start, end }) => [minuteOf(start), minuteOf(end), 0])),
];

export function isAtWork(hours: Scheduler, settings: ConfigurationSettings, at: number): boolean {
  const { weekday, minute } = wallOf(at + offsetAt(zoneOf(hours, settings), at));
  return hours.schedule.some(
    ({ day, enabled, start, end }) =>
      enabled && day === WEEKDAYS[weekday] && minuteOf(start) <= minute && minute < minuteOf(end),
  );
}

/** When working hours begin or end next, in ms; null where the setting `presence` does not look at them, or they never change. */
export function nextPresenceChange(view: StaffView): number | null {
  const { settings, now } = view;
  if (settings.presence !== 'schedule' && settings.presence !== 'always') return null;
  const changes = staffOf(view).flatMap(({ work_scheduler: hours }) => {
    if (hours === undefined || hours.schedule.length === 0) return [];
    return nextShift(hours, settings, now) ?? [];
  });
  return changes.length === 0 ? null : Math.min(...changes);
}

/** The last answer about a schedule: it holds from the moment that was asked about until the change. */
const shifts = new WeakMap<Scheduler, { readonly from: number; readonly next: number | null }>();

function nextShift(hours: Scheduler, settings: ConfigurationSettings, now: number): number | null {
  const known = shifts.get(hours);
  if (known !== undefined && known.next !== null && known.from <= now && now < known.next) return known.next;
  const next = changeAfter(hours, settings, now);
  shifts.set(hours, { from: now, next });
  return next;
}

/** Days in which a change is looked for: every day of a week is among them. */
const DAYS_AHEAD = 7;

/** Null when nothing changes for a week. */
function changeAfter(hours: Scheduler, settings: ConfigurationSettings, now: number): number | null {
  const isNow = isAtWork(hours, settings, now);
  const moments = momentsShowing(zoneOf(hours, settings), { from: now, to: now + DAYS_AHEAD * DAY }, minutesOf(hours));
  return moments.find((at) => at > now && isAtWork(hours, settings, at) !== isNow) ?? null;
}

/** Instants at which a clock of the zone may show one of `minutes` of the day, with a day to spare at both ends, in order. */
function momentsShowing(zone: string, { from, to }: Interval, minutes: readonly number[]): readonly number[] {
  const dayOf = (at: number): number => Math.floor((at + offsetAt(zone, at)) / DAY);
  const [first, last] = [dayOf(from) - 1, dayOf(to) + 1];
  const days = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * DAY);
  const shown = days.flatMap((day) => minutes.map((minute) => day + minute * MINUTE));
  // Where the offset changes, a clock shows a time twice, or jumps over it.
  const moments = shown.flatMap((local) =>
    [local - DAY, local, local + DAY].map((near) => local - offsetAt(zone, near)),
  );
  return Array.from(new Set(moments)).sort((one, other) => one - other);
}

/** Working hours from `from` to `to`, in order. */
export function workSpans(
  hours: Scheduler,
  settings: ConfigurationSettings,
  { from, to }: Interval,
): readonly Interval[] {
  const changes = momentsShowing(zoneOf(hours, settings), { from, to }, minutesOf(hours));
  const moments = [from, ...changes.filter((at) => from < at && at < to), to];
  return moments.slice(0, -1).flatMap((at, index) => {
    const end = moments[index + 1] ?? to;
    return at < end && isAtWork(hours, settings, at) ? [{ from: at, to: end }] : [];
  });
}
