// Local time in IANA zones, and back. Instants are milliseconds since the epoch.

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** From `from` on and before `to`. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** A time in which the local clock does not change: it shows the instant plus `offset`, as UTC would. */
export interface Stretch extends Interval {
  readonly offset: number;
}

/** No zone changes its clock twice in this time. */
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

/** Answers so far, by zone and step since the epoch: the offset of a step in which the clock does not change, null for one in which it does. */
const steps = new Map<string, Map<number, number | null>>();

/** Milliseconds by which the local clock is ahead of UTC. */
export function offsetAt(zone: string, instant: number): number {
  const ofZone = steps.get(zone) ?? new Map<number, number | null>();
  steps.set(zone, ofZone);
  const step = Math.floor(instant / STEP);
  let offset = ofZone.get(step);
  if (offset === undefined) {
    const first = shownOffset(zone, step * STEP);
    offset = first === shownOffset(zone, (step + 1) * STEP) ? first : null;
    ofZone.set(step, offset);
  }
  return offset ?? shownOffset(zone, instant);
}

function shownOffset(zone: string, instant: number): number {
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

/** A time in pieces, cut where the zone changes its clock. */
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

/** The first instant at which the offset differs from that of `from`. */
function changeBetween(zone: string, from: number, to: number, offset: number): number {
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(zone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** The first instant at which the local clock shows `local`, or a later time where it jumps over `local`. */
export function instantOf(zone: string, local: number): number {
  const around = stretchesOf(zone, { from: local - DAY, to: local + DAY });
  const shown = around.find(({ to, offset }) => local < to + offset);
  return shown === undefined ? local : Math.max(shown.from, local - shown.offset);
}

/** A local time, in parts. */
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

/** Answers so far: a week is asked a thousand times about seven days. */
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
