// Rules of calendars against rrule-temporal, an implementation that shares nothing with ours.

import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { expect, test } from 'vitest';
import { daysByRule, ruleIn } from '../../src/manifest/recurrence.ts';
import { tries } from '../tries.ts';

const DAY = 86_400_000;
const dayOf = (text: string): number => Date.parse(`${text}T00:00:00Z`) / DAY;
const textOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

const WITHIN = { from: dayOf('2025-01-01'), to: dayOf('2029-01-01') };

function daysOf(text: string, first: number): readonly string[] {
  const { rule } = ruleIn(text);
  if (rule === null) throw new Error(text);
  const days = daysByRule(rule, first, WITHIN, { left: 1_000_000 });
  return days?.map(textOf) ?? [];
}

/** None for a rule whose days it does not find. */
function otherDays(text: string, first: number, { from, to }: typeof WITHIN): readonly number[] {
  const rruleString = `DTSTART:${textOf(first).replaceAll('-', '')}T000000Z\nRRULE:${text}`;
  const terms = { rruleString, maxIterations: 5000 };
  try {
    const found = new RRuleTemporal(terms).between(new Date(from * DAY), new Date((to - 1) * DAY), true);
    return found.map(({ epochMilliseconds }) => epochMilliseconds / DAY);
  } catch {
    return [];
  }
}

const weekday = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
const list = (item: fc.Arbitrary<string | number>, maxLength = 3) =>
  fc.uniqueArray(item, { minLength: 1, maxLength }).map((all) => all.join(','));
const maybe = (name: string, value: fc.Arbitrary<string | number>) =>
  fc.option(value, { freq: 2, nil: null }).map((given) => (given === null ? '' : `;${name}=${given}`));
const signed = (most: number) => fc.integer({ min: -most, max: most }).filter((number) => number !== 0);
const nth = fc.tuple(fc.constantFrom('1', '2', '-1', '5'), weekday).map((parts) => parts.join(''));
/** rrule-temporal forgets a weekday without a number next to one with a number, and days of months next to such ones of a year. */
const weekdays = fc.oneof(list(weekday), list(nth));
const months = maybe('BYMONTH', list(fc.integer({ min: 1, max: 12 })));
const interval = fc.integer({ min: 1, max: 5 }).map((number) => `;INTERVAL=${number}`);
const begin = maybe('WKST', weekday);
const position = maybe('BYSETPOS', list(signed(4), 2));
const joined = (...parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''));
const monthDays = maybe('BYMONTHDAY', list(signed(31)));

const rule = fc.oneof(
  joined(fc.constant('FREQ=DAILY'), interval, months, maybe('BYDAY', list(weekday)), monthDays),
  joined(fc.constant('FREQ=WEEKLY'), interval, months, begin, maybe('BYDAY', list(weekday))),
  joined(fc.constant('FREQ=MONTHLY'), interval, months, maybe('BYDAY', weekdays), monthDays),
  joined(fc.constant('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR'), interval, position),
  joined(fc.constant('FREQ=YEARLY'), interval, months, maybe('BYDAY', weekdays)),
  joined(fc.constant('FREQ=YEARLY'), interval, months, maybe('BYDAY', list(weekday)), monthDays),
  joined(fc.constant('FREQ=YEARLY'), interval, maybe('BYYEARDAY', list(signed(366)))),
  joined(
    fc.constant('FREQ=YEARLY'),
    maybe('BYWEEKNO', list(signed(53))),
    list(weekday).map((all) => `;BYDAY=${all}`),
  ),
);

test('a rule names the days that another implementation names', () => {
  const first = fc.integer({ min: dayOf('2019-01-01'), max: dayOf('2027-12-31') });
  fc.assert(
    fc.property(rule, first, fc.option(fc.integer({ min: 1, max: 300 })), (text, day, count) => {
      // The first day is one that the rule names: RFC 5545 leaves open what another means.
      const own = otherDays(text, day, { from: day, to: WITHIN.to })[0];
      fc.pre(own !== undefined);
      const whole = count === null ? text : `${text};COUNT=${count}`;
      const days = otherDays(whole, own, WITHIN).filter((each) => each > own);
      expect(daysOf(whole, own), `${textOf(own)} ${whole}`).toEqual(days.map(textOf));
    }),
    { numRuns: tries(3000, 300) },
  );
});

test('rules that libraries count wrongly, by RFC 5545', () => {
  const between = (text: string, first: string, year: string) =>
    daysOf(text, dayOf(first)).filter((day) => day.startsWith(year));
  expect(between('FREQ=MONTHLY', '2026-01-31', '2027')).toEqual(
    ['01', '03', '05', '07', '08', '10', '12'].map((month) => `2027-${month}-31`),
  );
  expect(between('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2026-01-30', '2026').slice(0, 3)).toEqual([
    '2026-02-27',
    '2026-03-31',
    '2026-04-30',
  ]);
  expect(between('FREQ=YEARLY', '2024-02-29', '202')).toEqual(['2028-02-29']);
  expect(between('FREQ=YEARLY;BYDAY=20MO', '1997-05-19', '2026')).toEqual(['2026-05-18']);
  expect(between('FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '1997-05-12', '2026')).toEqual(['2026-05-11']);
  expect(between('FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO', '2020-12-28', '2025')).toEqual(['2025-12-29']);
  expect(between('FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU', '2025-01-05', '2025-01')).toEqual([
    '2025-01-07',
    '2025-01-19',
    '2025-01-21',
  ]);
});
