// Weeks of chats, drawn from a seed: rates by hour of the week, and how much whole weeks and single days differ from them.

import { DAY, HOUR, offsetAt } from '../../../../src/base/zone.ts';
import { hoursOf } from '../../../../src/demand/range.ts';
import type { GroupHours } from '../../../../src/features/report/since/measures.ts';
import { type FollowWindow, rangeOf, windowSince } from '../../../../src/features/report/since/window.ts';

/** Uniform in [0, 1). */
export type Random = () => number;

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Mean 1, with this standard deviation: Marsaglia and Tsang. */
function gammaFactor(deviation: number, random: Random): number {
  if (deviation === 0) return 1;
  const d = 1 / deviation ** 2 - 1 / 3;
  for (;;) {
    const x = normal(random);
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v * deviation ** 2;
  }
}

/** Knuth's method: rates of an hour are small. */
function poisson(rate: number, random: Random): number {
  const limit = Math.exp(-rate);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}

function ofThem(count: number, share: number, random: Random): number {
  let found = 0;
  for (let each = 0; each < count; each += 1) if (random() < share) found += 1;
  return found;
}

export interface Weeks {
  /** Chats that the window expects. */
  readonly expected: number;
  /** Standard deviations, as shares of the mean. */
  readonly weeks?: number;
  readonly days?: number;
  /** Factors of the window. */
  readonly arrivals?: number;
  readonly unanswered?: number;
  readonly wait?: number;
}

/** Busy by day, quiet at night and at the end of the week. */
function busyness(local: number): number {
  const [weekday, hour] = [(Math.floor(local / DAY) + 3) % 7, Math.floor(local / HOUR) % 24];
  return (weekday > 4 ? 0.4 : 1) * (hour >= 8 && hour < 20 ? 1 : 0.15);
}

/** Of a hundred chats, so many. */
const USUAL = { notTaken: 0.06, unanswered: 0.12, rated: 0.4, good: 0.8, wait: 40 };

interface LocalHour {
  readonly at: number;
  /** The instant, as the clock of the zone shows it. */
  readonly local: number;
}

const local = new WeakMap<FollowWindow, readonly LocalHour[]>();

/** Asking a zone takes longer than drawing a week. */
function localHours(window: FollowWindow): readonly LocalHour[] {
  const range = rangeOf(window);
  const known = local.get(window) ?? hoursOf(range).map((at) => ({ at, local: at + offsetAt(range.zone, at) }));
  local.set(window, known);
  return known;
}

export function drawnHours(window: FollowWindow, weeks: Weeks, random: Random): GroupHours {
  const factors = new Map<string, number>();
  const factorOf = (key: string, deviation: number): number => {
    const known = factors.get(key) ?? gammaFactor(deviation, random);
    factors.set(key, known);
    return known;
  };
  const locals = localHours(window);
  const isNow = (at: number): boolean => at >= window.from;
  const whole = locals.filter(({ at }) => isNow(at)).reduce((sum, { local }) => sum + busyness(local), 0);
  const hours = locals.map(({ at, local }) => {
    const week = Math.floor((at - window.from) / (7 * DAY));
    const rate =
      ((weeks.expected * busyness(local)) / whole) *
      factorOf(`week ${week}`, weeks.weeks ?? 0) *
      factorOf(`day ${Math.floor(local / DAY)}`, weeks.days ?? 0);
    const chats = poisson(rate * (isNow(at) ? (weeks.arrivals ?? 1) : 1), random);
    const unanswered = ofThem(chats, USUAL.unanswered * (isNow(at) ? (weeks.unanswered ?? 1) : 1), random);
    const notTaken = ofThem(unanswered, USUAL.notTaken / USUAL.unanswered, random);
    const wait = USUAL.wait * (isNow(at) ? (weeks.wait ?? 1) : 1);
    let seconds = 0;
    for (let each = 0; each < chats - unanswered; each += 1) seconds -= wait * Math.log(1 - random());
    const rated = ofThem(chats, USUAL.rated, random);
    const good = ofThem(rated, USUAL.good, random);
    return { at, chats, notTaken, answered: chats - unanswered, seconds, good, bad: rated - good };
  });
  return {
    chats: hours.map(({ at, chats }) => ({ at, chats, seconds: 600 * chats, agent_seconds: 500 * chats })),
    not_taken: hours.map(({ at, notTaken }) => ({ at, chats: notTaken })),
    first_response: hours.map(({ at, answered, seconds }) => ({ at, chats: answered, seconds })),
    ratings: hours.map(({ at, good, bad }) => ({ at, good, bad })),
  };
}

/** A Monday morning, and so many hours of it. */
export function windowOf(hours: number, since = '2026-06-15T08:40:00Z', zone = 'Europe/Warsaw'): FollowWindow {
  const at = Date.parse(since);
  return windowSince({ since: at, now: at + 10 * 7 * DAY, lag: 0, zone, wanted: hours });
}
