// A play: visitors come for a while, on the clock of the license. All that is drawn comes from the seed, and all that happens from the license.

import { attendanceTable } from '../chats/attendance.ts';
import { openThread } from '../chats/open-threads.ts';
import { shownTime, threadTable } from '../chats/records.ts';
import { agentTable } from '../configuration/agents.ts';
import type { CustomerSettings } from '../customer/settings.ts';
import type { EmulatedLicense, LicenseContext } from '../engine/license.ts';
import { createIds, seededId, seededRandom, uuid } from '../engine/random.ts';
import { localTime } from '../engine/zone.ts';
import type { PlayContext } from './acts.ts';
import { createAgenda } from './agenda.ts';
import type { Traffic } from './description.ts';
import { poisson, type Random, randomOf } from './draws.ts';
import { periodOf } from './period.ts';
import { type StreamHabits, streamsOf } from './streams.ts';
import { isFree, type PlayedLicense, type Visit, type VisitTally, visit } from './visit.ts';

export interface PlayStart extends LicenseContext {
  readonly settings: CustomerSettings;
}

/** What was played before, and how many customers each stream has. */
export interface PlayedBefore {
  readonly until: number;
  readonly customers: { readonly [stream: string]: number };
}

export interface PlayResult extends PlayedBefore {
  readonly from: number;
  readonly tally: Readonly<VisitTally>;
}

const MINUTE = 60_000;
/** No zone changes its offset within a quarter of an hour, so each lies in one hour of a day. */
const QUARTER = 15 * MINUTE;

/** Visitors of a stream in a quarter of an hour: when each comes, and a generator of its own. The same whatever else is played. */
function arrivalsOf(stream: StreamHabits, { seed = 1, timezone = 'UTC' }: Traffic, quarter: number) {
  const { weekday, minute } = localTime(timezone, quarter);
  const expected = (stream.rate(weekday, Math.floor(minute / 60)) * QUARTER) / (60 * MINUTE);
  if (expected === 0) return [];
  const random = randomOf('arrivals', seed, stream.name, quarter);
  return Array.from({ length: poisson(expected, random) }, () => ({
    at: quarter + Math.floor(random() * QUARTER),
    random: seededRandom(Math.floor(random() * 2 ** 32)),
  }));
}

/** The last moment at which something happened in a chat, in ms. */
function lastActivity(license: EmulatedLicense): number {
  const moments = threadTable
    .of(license)
    .all()
    .map(({ created_at, closed_at, events }) => closed_at ?? events.at(-1)?.created_at ?? created_at);
  return moments.reduce((latest, one) => Math.max(latest, one), 0);
}

/** Forgets who was there after a moment: that time is played again. */
function forgetAttendance(license: EmulatedLicense, from: number): void {
  const table = attendanceTable.of(license);
  for (const record of table.all()) if (record.until > from) table.delete(attendanceTable.keyOf(record));
}

/** Who accepts chats during the play. */
function presenceOf({ presence }: Traffic, license: EmulatedLicense): 'schedule' | 'always' {
  const hasHours = (): boolean =>
    agentTable
      .of(license)
      .all()
      .some(({ work_scheduler }) => work_scheduler?.schedule.some(({ enabled }) => enabled) === true);
  return presence ?? (hasHours() ? 'schedule' : 'always');
}

/** Says who the visitors of a stream are: those who have been there, and new ones. Changes the counts. */
function customersOf(traffic: Traffic, present: () => PlayContext, counts: Map<string, number>) {
  const idOf = (stream: string, number: number): string => uuid(seededId('visitor', traffic.seed ?? 1, stream, number));
  return ({ name, returning }: StreamHabits, random: Random): string => {
    let known = counts.get(name) ?? 0;
    if (random() < returning && known > 0) {
      const id = idOf(name, Math.floor(random() * known));
      if (isFree(present(), id)) return id;
    }
    for (;;) {
      const id = idOf(name, known);
      known += 1;
      if (!isFree(present(), id)) continue;
      counts.set(name, known);
      return id;
    }
  };
}

/** Plays visitors. What was played before, or has chats, is not played again: the play begins where that ends. */
export function play(traffic: Traffic, start: PlayStart, before: PlayedBefore): PlayResult {
  const { license } = start;
  const period = periodOf(traffic, traffic.timezone ?? 'UTC', license.history.now);
  const { to } = period;
  const from =
    period.from >= license.history.now ? period.from : Math.max(period.from, before.until, lastActivity(license));
  const tally: VisitTally = { visitors: 0, chats: 0, taken: 0 };
  if (from >= to) return { ...before, from: to, until: Math.max(before.until, to), tally };
  const settings: CustomerSettings = { ...start.settings, presence: presenceOf(traffic, license) };
  const random = randomOf('play', traffic.seed ?? 1, from);
  const ids = createIds(random, () => (license.serial += 1));
  let present: PlayContext;
  const moveTo = (at: number): void => {
    present = { ...start.moveTo(at, settings), settings, random, ids };
  };
  const counts = new Map(Object.entries(before.customers));
  const world: PlayedLicense = {
    present: () => present,
    offline: traffic.offline ?? 'message',
    customerOf: customersOf(traffic, () => present, counts),
    tally,
  };
  const agenda = createAgenda();
  /** Visits in a thread that waits for an agent. */
  const waiting = new Map<Visit, string>();

  function resume(one: Visit): void {
    waiting.delete(one);
    const { value, done } = one.next();
    if (done === true) return;
    agenda.add({ at: value.until, visit: one });
    if (value.waiting !== undefined) waiting.set(one, value.waiting);
  }

  /** The visits that go on now. */
  function ready(now: number): readonly Visit[] {
    const served = Array.from(waiting).flatMap(([one, thread]) => {
      const open = openThread(license, thread);
      return open === undefined || open.assignee !== undefined ? [one] : [];
    });
    for (const one of served) agenda.remove(one);
    return [...served, ...agenda.take(now)];
  }

  function playUntil(end: number): void {
    for (;;) {
      const { now } = license.history;
      // Shifts begin with a minute, and then those who wait may be served.
      const shift = waiting.size === 0 ? Infinity : (Math.floor(now / MINUTE) + 1) * MINUTE;
      const at = Math.max(now, Math.min(agenda.next(), shift));
      if (at > end) return;
      moveTo(at);
      for (let visits = ready(at); visits.length > 0; visits = ready(at)) {
        for (const one of visits) resume(one);
        moveTo(at);
      }
    }
  }

  if (from < license.history.now) forgetAttendance(license, from);
  moveTo(from);
  const streams = streamsOf(traffic);
  for (let quarter = Math.floor(from / QUARTER) * QUARTER; quarter < to; quarter += QUARTER) {
    for (const stream of streams)
      for (const arrival of arrivalsOf(stream, traffic, quarter))
        if (from <= arrival.at && arrival.at < to)
          agenda.add({ at: arrival.at, visit: visit(world, stream, arrival.random) });
    playUntil(Math.min(quarter + QUARTER, to));
  }
  moveTo(to);
  for (const one of agenda.visits()) one.return();
  return { from, until: to, customers: Object.fromEntries(counts), tally };
}

/** What the control API says of a play; times are RFC 3339. */
export interface TrafficReply extends Readonly<VisitTally> {
  readonly from: string;
  readonly to: string;
}

export const trafficReply = ({ from, until, tally }: PlayResult): TrafficReply => ({
  from: shownTime(from),
  to: shownTime(until),
  ...tally,
});
