// Local time in the zones of the IANA database. Knows no schedule and no report.

/** A moment as a wall clock shows it. */
export interface LocalTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** Since midnight, 0 to 1,439. */
  readonly minute: number;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** As requests name them, in the order of `LocalTime.weekday`. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** No zone changes its offset within a quarter of an hour. */
const QUARTER = 15 * MINUTE;
const REMEMBERED = 50_000;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, Map<number, number>>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...parts, second: 'numeric' });
    formats.set(zone, format);
  }
  return format;
}

function measured(zone: string, at: number): number {
  const shown: { [part: string]: number } = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) shown[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
}

/** Milliseconds by which a zone is ahead of UTC at a moment. */
export function offsetAt(zone: string, at: number): number {
  if (zone === 'UTC') return 0;
  const quarter = Math.floor(at / QUARTER);
  const known = offsets.get(zone) ?? new Map<number, number>();
  offsets.set(zone, known);
  const found = known.get(quarter) ?? measured(zone, quarter * QUARTER);
  if (known.size >= REMEMBERED) known.clear();
  known.set(quarter, found);
  return found;
}

export function localTime(zone: string, at: number): LocalTime {
  const shown = new Date(at + offsetAt(zone, at));
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    weekday: shown.getUTCDay(),
    minute: shown.getUTCHours() * 60 + shown.getUTCMinutes(),
  };
}

/** Moments at which a clock of the zone may show one of `minutes` of the day, with a day to spare at both ends, from first to last. */
export function momentsShowing(zone: string, from: number, to: number, minutes: readonly number[]): readonly number[] {
  const midnight = (at: number): number => Math.floor((at + offsetAt(zone, at)) / DAY);
  const [first, last] = [midnight(from) - 1, midnight(to) + 1];
  const days = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * DAY);
  const shown = days.flatMap((day) => minutes.map((minute) => day + minute * MINUTE));
  // Where the offset changes, a clock shows a time twice, or jumps over it.
  const moments = shown.flatMap((local) =>
    [local - DAY, local, local + DAY].map((near) => local - offsetAt(zone, near)),
  );
  return Array.from(new Set(moments)).sort((one, other) => one - other);
}

/** A stretch of time in which a zone keeps its offset, in ms; it ends before `to`. */
export interface OffsetStretch {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/** The stretches from `from` to `to`, in their order. No zone changes its offset twice within a day. */
export function offsetStretches(zone: string, from: number, to: number): readonly OffsetStretch[] {
  const found: OffsetStretch[] = [];
  let [start, offset] = [from, offsetAt(zone, from)];
  for (let at = from; at < to; ) {
    const next = Math.min(at + DAY, to);
    const change = offsetAt(zone, next) === offset ? next : changeWithin(zone, at, next, offset);
    if (change < to && offsetAt(zone, change) !== offset) {
      found.push({ from: start, to: change, offset });
      [start, offset] = [change, offsetAt(zone, change)];
    }
    at = change;
  }
  return [...found, { from: start, to, offset }];
}

/** The first moment of another offset, which is there by `to`. */
function changeWithin(zone: string, from: number, to: number, offset: number): number {
  let [before, after] = [Math.floor(from / QUARTER), Math.floor(to / QUARTER)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(zone, middle * QUARTER) === offset) before = middle;
    else after = middle;
  }
  return after * QUARTER;
}

/** Days in which `nextChange` looks. */
const DAYS_AHEAD = 8;

/**
 * The first moment after `at` at which `holds` differs from its value at `at`; null when it stays for eight days. `holds` may change only where a
 * clock of the zone shows one of `minutes` of the day.
 */
export function nextChange(
  zone: string,
  at: number,
  minutes: readonly number[],
  holds: (at: number) => boolean,
): number | null {
  const before = holds(at);
  const later = momentsShowing(zone, at, at + (DAYS_AHEAD - 1) * DAY, minutes).filter((moment) => moment > at);
  return later.find((moment) => holds(moment) !== before) ?? null;
}
