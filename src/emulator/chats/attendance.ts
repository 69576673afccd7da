// Attendance: who accepts chats, and who did. Keeps only what has ended; what holds now is read from the staff itself.
// customer-and-reports-notes.md, section 4, rule 1.

import { agentTable } from '../configuration/agents.ts';
import { botTable } from '../configuration/bots.ts';
import { type Scheduler, schedulerRecord } from '../configuration/scheduler.ts';
import { defineTable, type EmulatedLicense } from '../engine/license.ts';
import { object, oneOf, optional, text } from '../engine/shape.ts';
import { type ChatMember, memberKey, moment, type PresenceStatus, presenceStatus, presenceTable } from './records.ts';
import { isAtWork, type StaffMember, type StaffView, staffMember, staffOf, workSpans } from './staff.ts';

/** What says where a member of the staff is: a status, or working hours. */
type Attendance = { readonly status: PresenceStatus } | { readonly hours: Scheduler };
const STATUS: { readonly [status in PresenceStatus]: Attendance } = {
  accepting_chats: { status: 'accepting_chats' },
  not_accepting_chats: { status: 'not_accepting_chats' },
  offline: { status: 'offline' },
};

/** Until `until`, and from the end of the entry before: the status, or the working hours that decided. */
const attendanceRecord = object({
  kind: oneOf(['agent', 'bot']),
  id: text,
  until: moment,
  status: optional(presenceStatus),
  hours: optional(schedulerRecord),
});
type AttendanceRecord = ReturnType<typeof attendanceRecord>;
export const attendanceTable = defineTable(
  'attendance',
  attendanceRecord,
  ({ kind, id, until }) => `${memberKey({ kind, id })} ${until}`,
  { member: memberKey },
);

/** Rule 1. What decides the presence of an agent or a bot: what the control API says, otherwise what the setting `presence` names. */
function attendanceOf({ license, settings }: StaffView, staff: StaffMember): Attendance {
  if (!staff.isActive) return STATUS.offline;
  const said = presenceTable.of(license).get(memberKey(staff.member))?.status;
  if (said !== undefined) return STATUS[said];
  // configuration-api.txt, "Bots": a new bot receives chats only after its routing status is set.
  if (staff.member.kind === 'bot' && settings.botsWithoutStatus === 'offline') return STATUS.offline;
  const { login_status, work_scheduler } = staff;
  switch (settings.presence) {
    case 'manual':
      return STATUS.offline;
    case 'login_status':
      if (login_status === undefined) return STATUS.offline;
      return login_status === 'accepting chats' ? STATUS.accepting_chats : STATUS.not_accepting_chats;
    case 'always':
    case 'schedule':
      if (settings.presence === 'always' && staff.member.kind === 'agent') return STATUS.accepting_chats;
      return work_scheduler === undefined ? STATUS.offline : { hours: work_scheduler };
  }
}

/** Presence of an agent or a bot at the moment of the view. */
export function presenceOf(view: StaffView, staff: StaffMember): PresenceStatus {
  const attendance = attendanceOf(view, staff);
  if ('status' in attendance) return attendance.status;
  return isAtWork(attendance.hours, view.settings, view.now) ? 'accepting_chats' : 'offline';
}

const isSame = (one: Attendance, other: Attendance): boolean =>
  'status' in one
    ? 'status' in other && one.status === other.status
    : 'hours' in other && (one.hours === other.hours || JSON.stringify(one.hours) === JSON.stringify(other.hours));

interface Attending {
  readonly member: ChatMember;
  readonly attendance: Attendance;
}

/** Everyone's attendance when the staff was last looked at, and how often its tables were written by then. */
interface KnownAttendance {
  readonly settings: StaffView['settings'];
  readonly writes: readonly number[];
  readonly present: Map<string, Attending>;
}
/** A license that is read again learns it again. */
const known = new WeakMap<EmulatedLicense, KnownAttendance>();

const SOURCES = [agentTable, botTable, presenceTable];

/** Members whose records were written since the staff was last looked at; undefined where that is everyone. */
function writtenMembers({ license, settings }: StaffView): readonly ChatMember[] | undefined {
  const last = known.get(license);
  if (last?.settings !== settings) return undefined;
  const [agents, bots, presences] = SOURCES.map((table, index) =>
    table.of(license).writtenSince(last.writes[index] ?? 0),
  );
  if (agents === undefined || bots === undefined || presences === undefined) return undefined;
  const said = presences.flatMap((key) => presenceTable.of(license).get(key) ?? []);
  return [
    ...agents.map((id): ChatMember => ({ kind: 'agent', id })),
    ...bots.map((id): ChatMember => ({ kind: 'bot', id })),
    ...said.map(({ kind, id }): ChatMember => ({ kind, id })),
  ];
}

/** Keeps what has changed since the last call: the staff, or what the control API says of it. */
export function noteAttendance(view: StaffView): void {
  const { license, settings, now } = view;
  const latest = { ...view, effectiveAt: Infinity };
  const before = known.get(license)?.present;
  const present = before ?? new Map<string, Attending>();
  const everyone = (): readonly ChatMember[] => [
    ...Array.from(present.values(), ({ member }) => member),
    ...staffOf(latest).map(({ member }) => member),
  ];
  for (const member of writtenMembers(view) ?? everyone()) {
    const key = memberKey(member);
    const staff = staffMember(latest, member);
    const attendance = staff === undefined ? STATUS.offline : attendanceOf(view, staff);
    const ended = present.get(key)?.attendance ?? STATUS.offline;
    if (before !== undefined && !isSame(ended, attendance)) keep(license, member, ended, now);
    if (staff === undefined) present.delete(key);
    else present.set(key, { member, attendance });
  }
  known.set(license, { settings, writes: SOURCES.map((table) => table.of(license).writes()), present });
}

/** Of two changes at one moment, the first one ended what had lasted. */
function keep(license: EmulatedLicense, { kind, id }: ChatMember, ended: Attendance, until: number): void {
  if (kind === 'customer') return;
  add(license, { kind, id, until, ...ended });
}

function add(license: EmulatedLicense, record: AttendanceRecord): void {
  const table = attendanceTable.of(license);
  if (table.get(attendanceTable.keyOf(record)) === undefined) table.set(record);
}

/** Forgets who was there from a moment on, as that time is played again. What lasted at that moment ends with it. */
export function forgetAttendance(license: EmulatedLicense, from: number): void {
  const table = attendanceTable.of(license);
  const later = table
    .all()
    .filter(({ until }) => until > from)
    .toSorted((one, other) => one.until - other.until);
  for (const record of later) {
    table.delete(attendanceTable.keyOf(record));
    add(license, { ...record, until: from });
  }
}

/** A stretch of time with one status; `to` is its end, at which it does not hold any more. In ms. */
export interface StatusSpan {
  readonly from: number;
  readonly to: number;
  readonly status: PresenceStatus;
}

/** Everyone who was ever there. */
export function attendants(license: EmulatedLicense, view: StaffView): readonly ChatMember[] {
  const present = staffOf({ ...view, effectiveAt: Infinity }).map(({ member }) => member);
  const former = attendanceTable
    .of(license)
    .all()
    .map(({ kind, id }): ChatMember => ({ kind, id }));
  return Array.from(new Map([...former, ...present].map((member) => [memberKey(member), member])).values());
}

/** Where a member was from `from` to `to`, in order; offline times are left out. */
export function attendanceSpans(view: StaffView, member: ChatMember, from: number, to: number): readonly StatusSpan[] {
  const { license, settings } = view;
  const staff = staffMember({ ...view, effectiveAt: Infinity }, member);
  const ended = attendanceTable
    .of(license)
    .where('member', memberKey(member))
    .toSorted((one, other) => one.until - other.until);
  const present = staff === undefined ? STATUS.offline : attendanceOf(view, staff);
  const last: Pick<AttendanceRecord, 'until' | 'status' | 'hours'> = { until: Infinity, ...present };
  const found: StatusSpan[] = [];
  let begins = -Infinity;
  for (const { until, status, hours } of [...ended, last]) {
    const [start, end] = [Math.max(begins, from), Math.min(until, to)];
    begins = until;
    if (start >= end) continue;
    if (status !== undefined) found.push({ from: start, to: end, status });
    else if (hours !== undefined)
      for (const span of workSpans(hours, settings, { from: start, to: end }))
        found.push({ ...span, status: 'accepting_chats' });
  }
  return found.filter(({ status }) => status !== 'offline');
}
