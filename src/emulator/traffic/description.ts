// The description of traffic: which visitors come, when, and how they behave. Its shape and its JSON Schema; mistakes.ts has the further checks.

import { refuse } from '../engine/refusal.ts';
import { schemaAddress } from '../engine/settings.ts';
import * as s from '../engine/shape.ts';
import { mistakesIn } from './mistakes.ts';
import { DAY_NAMES, HOURS_PATTERN, type TrafficDay } from './week.ts';

/** A reader of either of two types, which JSON tells apart. */
function either<A, B>(first: s.JsonReader<A>, second: s.JsonReader<B>, isFirst: (value: unknown) => boolean) {
  const type = [first.schema?.['type'], second.schema?.['type']];
  const read = (value: unknown, path: string): A | B => (isFirst(value) ? first : second)(value, path);
  return Object.assign(read, { schema: { ...second.schema, ...first.schema, type } });
}

/** An optional member with what it says, and with its default where it has one. */
const member = <T>(
  description: string,
  read: s.JsonReader<T>,
  standard?: string | number,
): s.JsonReader<T | undefined> =>
  s.optional(s.described({ description, ...(standard === undefined ? {} : { default: standard }) }, read));

/** A text of this form. */
function formed(pattern: string, wanted: string): s.JsonReader<string> {
  return s.checked(s.described({ pattern }, s.text), (given, path) => {
    if (!new RegExp(pattern).test(given)) refuse('validation', `${s.quoted(path)} must be ${wanted}`);
  });
}

function map<T>(read: s.JsonReader<T>): s.JsonReader<{ readonly [name: string]: T }> {
  return s.checked(s.described({ minProperties: 1 }, s.recordOf(read)), (given, path) => {
    if (Object.keys(given).length === 0) refuse('validation', `${s.quoted(path)} must not be empty`);
  });
}

const ONE = String.raw`\d+(\.\d+)?(s|m|h)`;
const duration = (description: string, standard: string) =>
  member(
    `${description} One duration such as 8m is the mean, and most are shorter; a range such as 4m..12m has every length equally often.`,
    formed(String.raw`^${ONE}(\.\.${ONE})?$`, 'a duration such as 90s, 8m or 4m..12m'),
    standard,
  );

const share = (description: string, standard?: number) => member(description, s.number(0, 1), standard);

/** What a stream of visitors says, or all of them together. */
const habits = {
  length: duration('How long a chat lasts after the first answer.', '8m'),
  patience: duration('How long a visitor waits for an agent before leaving.', '2m'),
  answer: duration('How long an agent takes for an answer.', '30s'),
  rated: share('Share of chats with an answer that are rated.', 0.3),
  good: share('Share of ratings that are good.', 0.85),
  returning: share('Share of visitors who have been there before.', 0.2),
};

const weight = s.described({ description: 'How often it is drawn, compared with the others.' }, s.int(1));
const place = s.closed({
  country: s.optional(s.text),
  country_code: s.optional(s.text),
  region: s.optional(s.text),
  city: s.optional(s.text),
  weight: s.optional(weight),
});

const HOURS = { pattern: HOURS_PATTERN, description: 'Hours of the day such as `08-18`: from 8:00 to 18:00.' };
const ofDay = s.optional(
  s.described(
    { description: 'Visitors an hour, by hours of the day: `{ 08-18: 12, 18-22: 4 }`.', propertyNames: HOURS },
    s.recordOf(s.number(0, 100_000)),
  ),
);

const stream = s.closed({
  page: s.described(
    {
      description:
        'URL of the page that they chat from, or URLs with their weights. `{1..40}` in it stands for a number, `{boots,tents}` for one of these words.',
    },
    either(s.text, map(weight), (value) => typeof value === 'string'),
  ),
  place: member(
    'Where they are: `{ country: Poland }`, or a list of places, each with a `weight`.',
    either(s.list(place, 1), place, Array.isArray),
  ),
  per_day: member(
    'Visitors a day on average, most of them in the middle of the day, and fewer at weekends. Excludes `by_hour`.',
    s.number(0, 1_000_000),
  ),
  by_hour: member(
    'Visitors an hour, by days and hours. A day by its name comes before `weekdays` and `weekend`, and these before `every_day`.',
    s.closed(
      Object.fromEntries(DAY_NAMES.map((name) => [name, ofDay])) as { readonly [day in TrafficDay]: typeof ofDay },
    ),
  ),
  timezone: member('IANA time zone of its hours, where it is another than that of all.', s.text),
  ...habits,
  tags: member('Tags, each with the share of chats that get it.', s.recordOf(s.number(0, 1))),
  greeting: member(
    'A greeting of the license. Every visitor of the stream is shown it; `share` of them accept it, and the others cancel it.',
    s.closed({
      id: s.described({ description: 'Id of the greeting.' }, s.int(0)),
      share: s.described({ description: 'Share of the visitors who accept it.' }, s.number(0, 1)),
    }),
  ),
});

const DATE = String.raw`^\d{4}-\d\d-\d\d([Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d))?$`;
const date = formed(DATE, 'a date such as 2026-01-31, or an RFC 3339 date-time');

/** Which time is played. */
const period = {
  days: member('Days to play, each of 24 hours.', s.int(1, 366), 28),
  from: member('First moment: a date, which is midnight in `timezone`, or an RFC 3339 date-time.', date),
  to: member('Moment at which the play ends, in the same forms.', date),
};

const members = s.closed({
  ...schemaAddress,
  seed: member('Fixes everything that is drawn.', s.int(0, 2 ** 32 - 1), 1),
  timezone: member('IANA time zone of hours, days and dates.', s.text, 'UTC'),
  ...period,
  presence: member(
    'When agents accept chats: in their working hours (schedule), or always. Without it, in working hours if an agent has some.',
    s.oneOf(['schedule', 'always']),
  ),
  offline: member(
    'What visitors do whom no agent can serve: leave a message in a chat that waits (message), or go away without a chat (leave).',
    s.oneOf(['message', 'leave']),
    'message',
  ),
  ...habits,
  visitors: s.described({ description: 'Streams of visitors by name.' }, map(stream)),
});

function refuseMistakes(given: unknown, path: string): void {
  const [first] = mistakesIn(given);
  if (first === undefined) return;
  const at = [...(path === '' ? [] : [path]), ...first.path].join('.');
  refuse('validation', `${at === '' ? '' : `${s.quoted(at)}: `}${first.message}: ${first.remedy}`);
}

export const traffic = s.checked(members, refuseMistakes);
export type Traffic = ReturnType<typeof traffic>;
export type VisitorStream = Traffic['visitors'][string];

/** Another period of the traffic that was played last. */
export const sameTraffic = s.checked(s.closed(period), refuseMistakes);
export type TrafficPeriod = ReturnType<typeof sameTraffic>;
