// A play: visitors come for a while, on the clock of the license. All that is drawn comes from the seed, and all that happens from the license.

import { MINUTE, offsetAt, wallOf } from '../../base/zone.ts';
import { forgetAttendance } from '../chats/attendance.ts';
import { openThread } from '../chats/open-threads.ts';
import { shownTime, threadTable } from '../chats/records.ts';
import { agentTable } from '../configuration/agents.ts';
import type { CustomerSettings } from '../customer/settings.ts';
import type { EmulatedLicense, LicenseContext } from '../engine/license.ts';
import { createIds, seededId, seededRandom, uuid } from '../engine/random.ts';
import type { PlayContext } from './acts.ts';
import type { Traffic } from './description.ts';
import { poisson, type Random, randomOf } from './draws.ts';
import { periodOf } from './period.ts';
import { type StreamHabits, streamsOf } from './streams.ts';
import { isFree, type PlayedLicense, type PlayedVisit, type VisitTally, visit } from './visit.ts';

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

/** The last moment at which something happened in a chat, in ms. */
function lastActivity(license: EmulatedLicense): number {
  const moments = threadTable
    .of(license)
    .all()
    .map(({ created_at, closed_at, events }) => closed_at ?? events.at(-1)?.created_at ?? created_at);
  return moments.reduce((latest, one) => Math.max(latest, one), 0);
}

/** Lets agents in who wait for it, as an administrator does: an apply cannot, and they would get no chat. */
function approveAgents(license: EmulatedLicense): void {
  const table = agentTable.of(license);
  for (const agent of table.all()) if (agent.awaiting_approval) table.set({ ...agent, awaiting_approval: false });
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
function customersOf(seed: number, present: () => PlayContext, counts: Map<string, number>) {
  const idOf = (stream: string, number: number): string => uuid(seededId('visitor', seed, stream, number));
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
  const { seed = 1 } = traffic;
  const period = periodOf(traffic, traffic.timezone ?? 'UTC', license.history.now);
  const { to } = period;
  const from =
    period.from >= license.history.now ? period.from : Math.max(period.from, before.until, lastActivity(license));
  const tally: VisitTally = { visitors: 0, chats: 0, taken: 0 };
  if (from >= to) return { ...before, from: to, until: Math.max(before.until, to), tally };
  const settings: CustomerSettings = { ...start.settings, presence: presenceOf(traffic, license) };
  const random = randomOf('play', seed, from);
  const ids = createIds(random, () => (license.serial += 1));
  let present: PlayContext;
  const moveTo = (at: number): void => {
    present = { ...start.moveTo(at, settings), settings, random, ids };
  };
  const counts = new Map(Object.entries(before.customers));
  const world: PlayedLicense = {
    present: () => present,
    offline: traffic.offline ?? 'message',
    customerOf: customersOf(seed, () => present, counts),
    tally,
  };
  const agenda = createAgenda();
  const waits = (thread: string): boolean => {
    const open = openThread(license, thread);
    return open !== undefined && open.assignee === undefined;
  };
  const playUntil = (end: number): void => {
    const next = (): number => Math.max(license.history.now, agenda.next(license.history.now));
    for (let at = next(); at <= end; at = next()) {
      moveTo(at);
      for (let visits = agenda.take(at, waits); visits.length > 0; visits = agenda.take(at, waits)) {
        for (const one of visits) agenda.resume(one);
        moveTo(at);
      }
    }
  };
  approveAgents(license);
  if (from < license.history.now) forgetAttendance(license, from);
  moveTo(from);
  const streams = streamsOf(traffic);
  for (let quarter = Math.floor(from / QUARTER) * QUARTER; quarter < to; quarter += QUARTER) {
    for (const stream of streams)
      for (const { at, random } of arrivalsOf(stream, seed, quarter))
        if (from <= at && at < to) agenda.add({ at, visit: visit(world, stream, random) });
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

/** In ms. No zone changes its offset within a quarter of an hour, so each lies in one hour of a day. */
export const QUARTER = 900_000;
const QUARTERS_OF_AN_HOUR = 4;

interface Arrival {
  /** In ms. */
  readonly at: number;
  /** For everything that the visitor draws. */
  readonly random: Random;
}

/** The visitors of the quarter that begins at a moment. They are the same whatever else is played. */
export function arrivalsOf(
  { name, rate, zone }: Pick<StreamHabits, 'name' | 'rate' | 'zone'>,
  seed: number,
  quarter: number,
): readonly Arrival[] {
  const { weekday, minute } = wallOf(quarter + offsetAt(zone, quarter));
  const expected = rate(weekday, Math.floor(minute / 60)) / QUARTERS_OF_AN_HOUR;
  if (expected === 0) return [];
  const random = randomOf('arrivals', seed, name, quarter);
  return Array.from({ length: poisson(expected, random) }, () => ({
    at: quarter + Math.floor(random() * QUARTER),
    random: seededRandom(Math.floor(random() * 2 ** 32)),
  }));
}

interface AgendaEntry {
  readonly at: number;
  readonly visit: PlayedVisit;
}

/** The visits that have not ended. */
interface Agenda {
  /** A visit that begins at a moment. */
  readonly add: (entry: AgendaEntry) => void;
  /** The earliest moment at which a visit may go on after `now`; Infinity when there is none. */
  readonly next: (now: number) => number;
  /** Takes the visits out that go on by `at`, the earliest first; before them those whose thread no longer `waits`. */
  readonly take: (at: number, waits: (thread: string) => boolean) => readonly PlayedVisit[];
  /** Lets a visit go on, and puts it where it does so next. */
  readonly resume: (visit: PlayedVisit) => void;
  /** All of them, the earliest first. */
  readonly visits: () => readonly PlayedVisit[];
}

function createAgenda(): Agenda {
  /** The latest first, so that the earliest is taken from the end. */
  const entries: AgendaEntry[] = [];
  /** Visits in a thread that waits for an agent. */
  const waiting = new Map<PlayedVisit, string>();

  function add(entry: AgendaEntry): void {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      // Of one moment, the one that was added first goes on first.
      if ((entries[middle]?.at ?? 0) > entry.at) low = middle + 1;
      else high = middle;
    }
    entries.splice(low, 0, entry);
  }

  function take(at: number, waits: (thread: string) => boolean): readonly PlayedVisit[] {
    const found = Array.from(waiting).flatMap(([visit, thread]) => (waits(thread) ? [] : [visit]));
    for (const visit of found)
      entries.splice(
        entries.findIndex((entry) => entry.visit === visit),
        1,
      );
    for (let last = entries.at(-1); last !== undefined && last.at <= at; last = entries.at(-1)) {
      found.push(last.visit);
      entries.pop();
    }
    for (const visit of found) waiting.delete(visit);
    return found;
  }

  return {
    add,
    next: (now) => {
      // Shifts begin with a minute, and then those who wait may be served.
      const shift = waiting.size === 0 ? Infinity : (Math.floor(now / MINUTE) + 1) * MINUTE;
      return Math.min(entries.at(-1)?.at ?? Infinity, shift);
    },
    take,
    resume: (visit) => {
      const { value, done } = visit.next();
      if (done === true) return;
      add({ at: value.until, visit });
      if (value.waiting !== undefined) waiting.set(visit, value.waiting);
    },
    visits: () => entries.map(({ visit }) => visit).reverse(),
  };
}
