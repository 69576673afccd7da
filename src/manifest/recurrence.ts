// The occurrences of events in some years: rules, added and excluded dates, and occurrences that another event takes the place of.

import type { Diagnostic } from '../base/model.ts';
import { dayOf } from '../base/week.ts';
import { DAY, HOUR, type Interval, instantOf, MINUTE, offsetAt } from '../base/zone.ts';
import type { CalendarProperty } from '../yaml/calendar.ts';
import { diagnose, MOST_FINDINGS } from '../yaml/diagnostics.ts';
import type { CalendarEvent, Moment, Occurrence } from './events.ts';

/** With rules: each may take some milliseconds to count. */
const MOST_RULES = 1000;

/** Periods of a rule that are counted: 5 years of days, 38 of weeks. Without a COUNT, they begin with the days that are asked. */
const MOST_PERIODS = 2000;

/** Before it, no rule with a COUNT begins. */
const FIRST_COUNTED = Date.UTC(1900, 0, 1);

/** Numbers that a part of a rule takes, without their sign. */
const NUMBERS: { readonly [part: string]: number } = {
  BYMONTHDAY: 31,
  BYYEARDAY: 366,
  BYWEEKNO: 53,
  BYSETPOS: 366,
};

/** Characters of the values of one part. */
const LONGEST_PART = 1000;

const WEEKDAY = '(?:MO|TU|WE|TH|FR|SA|SU)';

/** The form of each part of a rule that says days. */
const FORMS: { readonly [part: string]: RegExp } = {
  FREQ: /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^0*[1-9]\d{0,4}$/,
  COUNT: /^\d{1,6}$/,
  UNTIL: /^\d{8}(?:T\d{6}Z?)?$/,
  WKST: new RegExp(`^${WEEKDAY}$`),
  BYDAY: new RegExp(`^(?:[+-]?\\d{1,2})?${WEEKDAY}(?:,(?:[+-]?\\d{1,2})?${WEEKDAY})*$`),
  BYMONTH: /^(?:0?[1-9]|1[0-2])(?:,(?:0?[1-9]|1[0-2]))*$/,
  ...Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, /^[+-]?\d{1,3}(?:,[+-]?\d{1,3})*$/])),
};

/** An event, and when it takes place in a time. */
export interface Repeated {
  readonly event: CalendarEvent;
  readonly occurrences: readonly Occurrence[];
}

/** Occurrences that take place in `within`, of local clocks; more may be among them. Cancelled ones are not. */
export async function occurrencesOf(
  events: readonly CalendarEvent[],
  within: Interval,
  found: Diagnostic[],
): Promise<readonly Repeated[]> {
  const replaced = new Map<string, Moment[]>();
  for (const { uid, replaces } of events)
    if (uid !== null && replaces !== null) replaced.set(uid, [...(replaced.get(uid) ?? []), replaces]);
  const counting = events.filter(({ isCancelled }) => !isCancelled);
  const ruled = counting.filter(({ rule }) => rule !== null);
  const extra = ruled[MOST_RULES];
  if (extra !== undefined) {
    const message = `the calendar has more than ${MOST_RULES.toLocaleString('en')} events that repeat`;
    found.push(diagnose(extra.mark(), { code: 'too-many', message, remedy: 'split it into several files' }));
    return [];
  }
  // Made of 180 kB, which few calendars need.
  const startsOf = ruled.length === 0 ? null : await ruleReader();
  return counting.map((event) => {
    const { start, length, rule, dates, replaces, excluded, uid } = event;
    const repeats = rule === null || startsOf === null || replaces !== null ? [] : startsOf(event, rule, within, found);
    const others = replaces === null && uid !== null ? (replaced.get(uid) ?? []) : [];
    const isGone = matcher([...excluded, ...others]);
    const whole = [{ start, length }, ...repeats.map((local) => ({ start: { ...start, local }, length })), ...dates];
    return { event, occurrences: whole.filter((each) => !isGone(each.start)) };
  });
}

/** Whether a moment is one of some others. A date stands for each time of its day. */
function matcher(others: readonly Moment[]): (moment: Moment) => boolean {
  if (others.length === 0) return () => false;
  const dayIn = ({ local }: Moment): number => Math.floor(local / DAY);
  const instantIn = ({ local, zone }: Moment): number => (zone === null ? Number.NaN : instantOf(zone, local));
  const allDays = new Set(others.map(dayIn));
  const days = new Set(others.filter(({ isDay }) => isDay).map(dayIn));
  const timed = others.filter(({ isDay }) => !isDay);
  const instants = new Set(timed.filter(({ zone }) => zone !== null).map(instantIn));
  const locals = new Set(timed.filter(({ zone }) => zone === null).map(({ local }) => local));
  const allLocals = new Set(timed.map(({ local }) => local));
  return (moment) => {
    if (moment.isDay) return allDays.has(dayIn(moment));
    if (days.has(dayIn(moment)) || locals.has(moment.local)) return true;
    return moment.zone === null ? allLocals.has(moment.local) : instants.has(instantIn(moment));
  };
}

/** Loads rrule-temporal. */
async function ruleReader() {
  const { RRuleTemporal } = await import('rrule-temporal');
  /** Local times after the first one. */
  return (event: CalendarEvent, rule: CalendarProperty, within: Interval, found: Diagnostic[]): readonly number[] => {
    if (found.length >= MOST_FINDINGS) return [];
    const { start, length } = event;
    const wrong = (message: string, remedy: string): readonly number[] => {
      found.push(diagnose(rule.mark(), { code: 'bad-format', message, remedy }));
      return [];
    };
    const parts = rule.value
      .trim()
      .split(';')
      .filter((part) => part !== '')
      .map((part): readonly [string, string] => {
        const [name = '', ...value] = part.toUpperCase().split('=');
        return [name, value.join('=')];
      });
    const mistake = ruleMistake(parts);
    if (mistake !== null) return wrong(...mistake);
    const given = new Map(parts);
    if (given.has('COUNT') && start.local < FIRST_COUNTED) return wrong(TOO_LONG, WRITE_UNTIL);
    const until = given.get('UNTIL');
    const last = until === undefined ? null : lastStart(until, start);
    if (last !== null && Number.isNaN(last)) return wrong(`UNTIL=${until} is no date`, 'write it as 20261224');
    if (last !== null && (last < within.from - length || last < start.local)) return [];
    // The clock of the event, as if it were UTC: the zone comes later.
    const written = parts.map(([name, value]) => `${name}=${name === 'UNTIL' ? timeText(last ?? 0) : value}`);
    const rruleString = `DTSTART:${timeText(start.local)}\nRRULE:${written.join(';')}`;
    try {
      const terms = { rruleString, includeDtstart: true, strict: true, maxIterations: MOST_PERIODS };
      const starts = new RRuleTemporal(terms).between(new Date(within.from - length), new Date(within.to), true);
      return starts.map(({ epochMilliseconds }) => epochMilliseconds);
    } catch (error) {
      const text = error instanceof Error ? error.message : '';
      if (/exceeded/.test(text)) return wrong(TOO_LONG, WRITE_UNTIL);
      return wrong(`the rule cannot be counted: ${text}`, 'correct it');
    }
  };
}

const TOO_LONG = 'the rule has too many days before the ones that are asked';
const WRITE_UNTIL = 'write UNTIL with the last day in the place of COUNT, or begin later';

function ruleMistake(parts: readonly (readonly [string, string])[]): readonly [string, string] | null {
  const names = parts.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) return [`${twice} is there twice`, 'keep one of the two'];
  if (!names.includes('FREQ')) return ['the rule has no FREQ', 'write FREQ=YEARLY, MONTHLY, WEEKLY or DAILY'];
  for (const [name, value] of parts) {
    if (value.length > LONGEST_PART) return [`${name} has too many values`, 'write fewer'];
    const form = FORMS[name];
    if (form === undefined)
      return [
        `${name} is not supported`,
        'a rule says days: use FREQ, INTERVAL, COUNT, UNTIL, WKST, BYDAY, BYMONTH and the like',
      ];
    const most = NUMBERS[name];
    const isIn = (text: string): boolean => Number(text) !== 0 && Math.abs(Number(text)) <= (most ?? 0);
    if (!form.test(value) || (most !== undefined && !value.split(',').every(isIn)))
      return [
        `${name}=${value} is no part of a rule`,
        name === 'FREQ' ? 'rules of hours are not supported: write days' : 'correct it',
      ];
  }
  return null;
}

/** The last local time at which an occurrence may begin, NaN for a text that is no date. A date stands for its whole day. */
function lastStart(until: string, { local, zone, isDay }: Moment): number {
  const [date = '', time] = until.split('T');
  const day = dayOf([date.slice(0, 4), date.slice(4, 6), date.slice(6)].join('-')) ?? Number.NaN;
  if (isDay) return day;
  if (time === undefined) return day + (((local % DAY) + DAY) % DAY);
  const given =
    day + Number(time.slice(0, 2)) * HOUR + Number(time.slice(2, 4)) * MINUTE + Number(time.slice(4, 6)) * 1000;
  return time.endsWith('Z') && zone !== null && given < LAST ? given + offsetAt(zone, given) : given;
}

/** The end of the calendar, but for the offset of a zone. */
const LAST = Date.UTC(9999, 11, 30);

/** 20261224T090000Z */
function timeText(local: number): string {
  return `${new Date(local).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}
