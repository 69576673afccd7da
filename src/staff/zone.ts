// An IANA zone and instants in, the clock on its walls out, and back. Instants are milliseconds since the epoch. Knows nobody's hours.

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** From `from` on and before `to`. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** A time in which the clock on the wall is not changed: it shows the instant plus `offset`, as UTC would. */
export interface Stretch extends Interval {
  readonly offset: number;
}

/** No zone changes its clock twice in so short a time. */
const STEP = 6 * HOUR;

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const part = '2-digit';
  const clock = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: part,
    day: part,
    hour: part,
    minute: part,
    second: part,
  });
  clocks.set(zone, clock);
  return clock;
}

export function offsetAt(zone: string, instant: number): number {
  const second = Math.floor(instant / 1000) * 1000;
  const shown = new Map(
    clockOf(zone)
      .formatToParts(second)
      .map(({ type, value }) => [type, value]),
  );
  const [year, month, day] = [shown.get('year')?.padStart(4, '0'), shown.get('month'), shown.get('day')];
  return (
    Date.parse(`${year}-${month}-${day}T${shown.get('hour')}:${shown.get('minute')}:${shown.get('second')}Z`) - second
  );
}

/** All of a time, in order, cut where the zone changes its clock. */
export function stretchesOf(zone: string, { from, to }: Interval): readonly Stretch[] {
  const found: Stretch[] = [];
  let begun = from;
  let offset = offsetAt(zone, from);
  for (let last = from; last < to; ) {
    const next = Math.min(last + STEP, to);
    const then = offsetAt(zone, next);
    if (then !== offset) {
      const change = changeBetween(zone, last, next, offset);
      found.push({ from: begun, to: change, offset });
      begun = change;
      offset = then;
    }
    last = next;
  }
  return begun < to ? [...found, { from: begun, to, offset }] : found;
}

/** The first instant at which the offset is not that of `from` any more. */
function changeBetween(zone: string, from: number, to: number, offset: number): number {
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(zone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** The first instant at which the wall shows `local`, or later where the clock jumps over it. */
export function instantOf(zone: string, local: number): number {
  const around = stretchesOf(zone, { from: local - DAY, to: local + DAY });
  const shown = around.find(({ to, offset }) => local < to + offset);
  return shown === undefined ? local : Math.max(shown.from, local - shown.offset);
}

/** What a wall shows when it shows `local`. */
export interface Wall {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** 0 is Monday. */
  readonly weekday: number;
  /** Of the day. */
  readonly minute: number;
}

export function wallOf(local: number): Wall {
  const day = Math.floor(local / DAY);
  const date = dates.get(day) ?? dateOf(day);
  dates.set(day, date);
  return { date, weekday: weekdayOf(day), minute: Math.floor((local - day * DAY) / MINUTE) };
}

/** Whoever asks about a week asks a thousand times about seven days. */
const dates = new Map<number, string>();

function dateOf(day: number): string {
  const shown = new Map(
    clockOf('UTC')
      .formatToParts(day * DAY)
      .map(({ type, value }) => [type, value]),
  );
  return `${shown.get('year')?.padStart(4, '0')}-${shown.get('month')}-${shown.get('day')}`;
}

/** Of a day that is counted from the epoch, which began on a Thursday; 0 is Monday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}
