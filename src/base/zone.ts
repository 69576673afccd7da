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

/** The offset of a step, or its two offsets and the first instant of the second. */
type StepOffset = number | { readonly before: number; readonly after: number; readonly change: number };

/** Answers so far, by zone and step since the epoch. */
const steps = new Map<string, Map<number, StepOffset>>();

/** Steps that are remembered of a zone: 34 years. */
const REMEMBERED = 50_000;

/** Milliseconds by which the local clock is ahead of UTC. */
export function offsetAt(zone: string, instant: number): number {
  if (zone === 'UTC') return 0;
  let ofZone = steps.get(zone);
  if (ofZone === undefined) {
    ofZone = new Map();
    steps.set(zone, ofZone);
  }
  const step = Math.floor(instant / STEP);
  let offset = ofZone.get(step);
  if (offset === undefined) {
    offset = stepOffset(zone, step);
    if (ofZone.size >= REMEMBERED) ofZone.clear();
    ofZone.set(step, offset);
  }
  if (typeof offset === 'number') return offset;
  return instant < offset.change ? offset.before : offset.after;
}

function stepOffset(zone: string, step: number): StepOffset {
  const [from, to] = [step * STEP, (step + 1) * STEP];
  const [before, after] = [shownOffset(zone, from), shownOffset(zone, to)];
  return before === after ? before : { before, after, change: changeBetween(from, to, (at) => shownOffset(zone, at)) };
}

function shownOffset(zone: string, instant: number): number {
  const second = Math.floor(instant / 1000) * 1000;
  const shown: { [part: string]: number } = {};
  for (const { type, value } of clockOf(zone).formatToParts(second)) shown[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second: seconds = 0 } = shown;
  // Unlike `Date.UTC`, this takes a year below 100 as it is.
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  return midnight + hour * HOUR + minute * MINUTE + seconds * 1000 - second;
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
      const change = changeBetween(last, next, (at) => offsetAt(zone, at));
      found.push({ from: begun, to: change, offset });
      begun = change;
      offset = then;
    }
    last = next;
  }
  return begun < to ? [...found, { from: begun, to, offset }] : found;
}

/** The first instant, to the millisecond, at which the offset differs from that of `from`; it does at `to`. */
function changeBetween(from: number, to: number, offset: (at: number) => number): number {
  const first = offset(from);
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offset(middle) === first) before = middle;
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
  const text = new Date(day * DAY).toISOString();
  return text.slice(0, text.indexOf('T'));
}

/** Of a day that is counted from the epoch, which began on a Thursday; 0 is Monday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Answers so far, by name. Thousands of agents share a few zones. */
const zones = new Map<string, string | null>();

/** The zone that Intl knows by a name; null for none. */
export function zoneCalled(name: string): string | null {
  // Listing the zones takes a tenth of the time of making the first formatter; but the list lacks their other names.
  if (zones.size === 0) for (const listed of Intl.supportedValuesOf('timeZone')) zones.set(listed, listed);
  const known = zones.get(name);
  const found = known === undefined ? askForZone(name) : known;
  zones.set(name, found);
  return found;
}

function askForZone(name: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return /^[+-]/.test(name) ? null : timeZone;
  } catch {
    return null;
  }
}

/** Whether `name` is an IANA time zone in its own letters. Intl ignores capitals, and the service does not. */
export function isTimezone(name: string): boolean {
  const zone = zoneCalled(name);
  if (zone === null || zone === name) return zone !== null;
  return zone.toLowerCase() !== name.toLowerCase() && !/(?:^|\/)[a-z]/.test(name);
}
