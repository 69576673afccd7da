// Rules by which events repeat (RFC 5545), and the days that they name, counted one by one. A day is counted from the epoch.

import { DAY, weekdayOf } from '../base/zone.ts';

const DAYS_OF = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 } as const;
type Frequency = keyof typeof DAYS_OF;

const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The numbers that parts of a rule take. Those below 0 are counted from the end; none is 0. */
const NUMBERS = {
  INTERVAL: { from: 1, to: 99_999 },
  COUNT: { from: 1, to: 999_999 },
  BYMONTH: { from: 1, to: 12 },
  BYMONTHDAY: { from: -31, to: 31 },
  BYYEARDAY: { from: -366, to: 366 },
  BYWEEKNO: { from: -53, to: 53 },
  BYSETPOS: { from: -366, to: 366 },
} as const;
type Part = keyof typeof NUMBERS;
const PARTS = Object.keys(NUMBERS) as readonly Part[];

export interface RecurrenceRule {
  readonly frequency: Frequency;
  /** As it is written. */
  readonly until: string | null;
  /** 0 is Monday. */
  readonly weekBegin: number;
  /** `nth` is 0 for each such weekday. */
  readonly weekdays: readonly { readonly nth: number; readonly weekday: number }[];
  /** Empty for a part that is not there. */
  readonly numbers: { readonly [part in Part]: readonly number[] };
}

/** What is wrong, and what to write. */
type Mistake = readonly [message: string, remedy: string];

/** Characters of a rule: each of its numbers is compared with each day. */
const LONGEST = 1000;

const DAYS_ONLY = 'a rule says days: use FREQ, INTERVAL, COUNT, UNTIL, WKST, BYDAY, BYMONTH and the like';

export function ruleIn(
  text: string,
): { readonly rule: RecurrenceRule } | { readonly rule: null; readonly mistake: Mistake } {
  const wrong = (message: string, remedy: string) => ({ rule: null, mistake: [message, remedy] }) as const;
  if (text.length > LONGEST) return wrong('the rule is too long', 'make several events of it');
  const written = text.trim().toUpperCase().split(';');
  const parts = new Map<string, readonly string[]>();
  for (const part of written.filter((each) => each !== '')) {
    const [name = '', value = ''] = part.split('=');
    if (parts.has(name)) return wrong(`${name} is there twice`, 'keep one of the two');
    if (!(name in NUMBERS) && !['FREQ', 'UNTIL', 'WKST', 'BYDAY'].includes(name))
      return wrong(`${name} is not supported`, DAYS_ONLY);
    parts.set(name, value.split(','));
  }
  const [frequency = ''] = parts.get('FREQ') ?? [];
  if (frequency === '') return wrong('the rule has no FREQ', 'write FREQ=YEARLY, MONTHLY, WEEKLY or DAILY');
  if (!isFrequency(frequency)) return wrong(`FREQ=${frequency} is no number of days`, DAYS_ONLY);
  const weekdays = (parts.get('BYDAY') ?? []).map((each) => {
    const [, nth = 0, code = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(each) ?? [];
    return { nth: Number(nth), weekday: CODES.indexOf(code) };
  });
  const hasNth = weekdays.some(({ nth }) => nth !== 0);
  const weekBegin = CODES.indexOf(parts.get('WKST')?.join() ?? 'MO');
  const numbersIn = (name: Part): readonly number[] => (parts.get(name) ?? []).map(Number);
  const fits = (name: string): boolean => {
    switch (name) {
      case 'WKST':
        return weekBegin >= 0;
      case 'BYDAY':
        return weekdays.every(({ weekday }) => weekday >= 0) && !(hasNth && parts.has('BYWEEKNO'));
      case 'FREQ':
      case 'UNTIL':
        return true;
      default: {
        const own = name as Part;
        const { from, to } = NUMBERS[own];
        return (
          (own.startsWith('BY') || parts.get(own)?.length === 1) &&
          numbersIn(own).every((each) => Number.isInteger(each) && each !== 0 && each >= from && each <= to)
        );
      }
    }
  };
  const misfit = [...parts.keys()].find((name) => !fits(name));
  if (misfit !== undefined) return wrong(`${misfit}=${parts.get(misfit)?.join()} is no part of a rule`, 'correct it');
  const unfit =
    (hasNth && DAYS_OF[frequency] <= DAYS_OF.WEEKLY) ||
    (parts.has('BYMONTHDAY') && frequency === 'WEEKLY') ||
    ((parts.has('BYYEARDAY') || parts.has('BYWEEKNO')) && frequency !== 'YEARLY');
  if (unfit) return wrong(`a part of the rule says nothing with FREQ=${frequency}`, 'correct it');
  const numbers = Object.fromEntries(PARTS.map((name) => [name, numbersIn(name)])) as RecurrenceRule['numbers'];
  return { rule: { frequency, until: parts.get('UNTIL')?.join() ?? null, weekBegin, weekdays, numbers } };
}

function isFrequency(text: string): text is Frequency {
  return Object.hasOwn(DAYS_OF, text);
}

/** Days from one on, and before another. */
interface Days {
  readonly from: number;
  readonly to: number;
}

/** The days after `first`, on which the event begins, that are in `within`. Null when more days than `budget` has left must be looked at. */
export function daysByRule(
  written: RecurrenceRule,
  first: number,
  within: Days,
  budget: { left: number },
): readonly number[] | null {
  const rule = completed(written, first);
  const { frequency, numbers } = rule;
  const [interval = 1] = numbers.INTERVAL;
  const [count = Number.POSITIVE_INFINITY] = numbers.COUNT;
  const found: number[] = [];
  let counted = 1;
  // No period has more days than `DAYS_OF`, so this one is not behind `within`.
  const skipped = Math.floor((within.from - first) / DAYS_OF[frequency] / interval) - 1;
  for (let index = count === Number.POSITIVE_INFINITY ? Math.max(0, skipped) : 0; ; index += 1) {
    const period = periodOf(rule, first, index * interval);
    if (period.from >= within.to) return found;
    const chosen = chosenIn(period, rule, budget);
    if (budget.left < 0) return null;
    for (const day of chosen) {
      if (day <= first) continue;
      counted += 1;
      if (counted > count || day >= within.to) return found;
      if (day >= within.from) found.push(day);
    }
  }
}

/** What a rule does not say is that of its first day. */
function completed(rule: RecurrenceRule, first: number): RecurrenceRule {
  const { frequency, weekdays, numbers } = rule;
  const { BYMONTH: months, BYMONTHDAY, BYYEARDAY, BYWEEKNO: weeks } = numbers;
  if (frequency === 'DAILY' || weekdays.length + BYMONTHDAY.length + BYYEARDAY.length > 0) return rule;
  if (frequency === 'WEEKLY' || weeks.length > 0) return { ...rule, weekdays: [{ nth: 0, weekday: weekdayOf(first) }] };
  const date = new Date(first * DAY);
  const BYMONTH = frequency === 'YEARLY' && months.length === 0 ? [date.getUTCMonth() + 1] : months;
  return { ...rule, numbers: { ...numbers, BYMONTH, BYMONTHDAY: [date.getUTCDate()] } };
}

/** The period that is some periods after that of the first day. */
function periodOf({ frequency, weekBegin, numbers }: RecurrenceRule, first: number, after: number): Days {
  const date = new Date(first * DAY);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (frequency) {
    case 'DAILY':
      return { from: first + after, to: first + after + 1 };
    case 'WEEKLY': {
      const from = weekOf(first, weekBegin) + 7 * after;
      return { from, to: from + 7 };
    }
    case 'MONTHLY':
      return { from: dayOf(year, month + after), to: dayOf(year, month + after + 1) };
    case 'YEARLY': {
      // The first week has at least four days of the year.
      const beginOf = (of: number): number =>
        numbers.BYWEEKNO.length > 0 ? weekOf(dayOf(of, 0, 4), weekBegin) : dayOf(of, 0);
      return { from: beginOf(year + after), to: beginOf(year + after + 1) };
    }
  }
}

function dayOf(year: number, month: number, day = 1): number {
  return Date.UTC(year, month, day) / DAY;
}

/** The first day of the week of a day. */
function weekOf(day: number, weekBegin: number): number {
  return day - ((weekdayOf(day) - weekBegin + 7) % 7);
}

/** The days of a period that a rule names, in order. */
function chosenIn(period: Days, rule: RecurrenceRule, budget: { left: number }): readonly number[] {
  const days: number[] = [];
  for (const { from, to } of partsOf(period, rule)) {
    budget.left -= to - from;
    for (let day = from; day < to && budget.left >= 0; day += 1) if (isNamed(day, period, rule)) days.push(day);
  }
  const positions = rule.numbers.BYSETPOS;
  return positions.length === 0 ? days : days.filter((_, index) => isAt(positions, index, days.length));
}

/** The months of a year that a rule names; otherwise the whole period. */
function partsOf(
  period: Days,
  { frequency, numbers: { BYMONTH: months, BYWEEKNO: weeks } }: RecurrenceRule,
): readonly Days[] {
  if (frequency !== 'YEARLY' || months.length === 0 || weeks.length > 0) return [period];
  const year = new Date(period.from * DAY).getUTCFullYear();
  const inOrder = [...new Set(months)].sort((a, b) => a - b);
  return inOrder.map((month) => ({ from: dayOf(year, month - 1), to: dayOf(year, month) }));
}

/** What costs least is asked first. */
function isNamed(day: number, period: Days, { frequency, weekdays, numbers }: RecurrenceRule): boolean {
  const own = weekdays.filter(({ weekday }) => weekday === weekdayOf(day));
  if (own.length === 0 && weekdays.length > 0) return false;
  const { BYMONTH: months, BYMONTHDAY: monthDays, BYYEARDAY: yearDays, BYWEEKNO: weeks } = numbers;
  if (weeks.length > 0 && !isIn(weeks, day, period, 7)) return false;
  const isSimple = own.every(({ nth }) => nth === 0);
  if (isSimple && months.length + monthDays.length + yearDays.length === 0) return true;
  const date = new Date(day * DAY);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (months.length > 0 && !months.includes(month + 1)) return false;
  const ofMonth = { from: dayOf(year, month), to: dayOf(year, month + 1) };
  if (monthDays.length > 0 && !isIn(monthDays, day, ofMonth)) return false;
  const ofYear = { from: dayOf(year, 0), to: dayOf(year + 1, 0) };
  if (yearDays.length > 0 && !isIn(yearDays, day, ofYear)) return false;
  const { from, to } = frequency === 'MONTHLY' || months.length > 0 ? ofMonth : ofYear;
  const ordinals = [0, Math.floor((day - from) / 7) + 1, -Math.floor((to - 1 - day) / 7) - 1];
  return isSimple || own.some(({ nth }) => ordinals.includes(nth));
}

/** Whether a day is in one of the places of a period, each some days long. */
function isIn(places: readonly number[], day: number, { from, to }: Days, length = 1): boolean {
  return isAt(places, Math.floor((day - from) / length), Math.floor((to - from) / length));
}

/** Whether one of the places, from 1 on or from -1 back, is that of an item. */
function isAt(places: readonly number[], index: number, length: number): boolean {
  return places.includes(index + 1) || places.includes(index - length);
}
