// Descriptions of traffic: what the strict reader of the emulator takes and refuses, and the drawing of what they say.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/emulator/engine/random.ts';
import { mistakesIn, parseTraffic, TRAFFIC_SCHEMA } from '../../../src/emulator/index.ts';
import { lengthOf, pageOf, poisson, spanOf, weighted } from '../../../src/emulator/traffic/draws.ts';
import { momentIn, periodOf } from '../../../src/emulator/traffic/period.ts';
import { DAY, START } from './played.ts';

const PAGE = 'https://shop.example/';
const STREAM = { page: PAGE, per_day: 10 };
const fits = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true }).compile(TRAFFIC_SCHEMA);
const stream = (more: object) => ({ visitors: { all: { ...STREAM, ...more } } });

test('Everything that the pages say is taken, by the schema also', () => {
  const whole = {
    $schema: 'emulator-traffic.schema.json',
    seed: 0,
    timezone: 'Europe/Warsaw',
    from: '2026-01-01',
    to: '2026-01-29T12:00:00+01:00',
    presence: 'always',
    offline: 'leave',
    length: '4m..12m',
    patience: '90s',
    answer: '0.5m',
    rated: 1,
    good: 0,
    returning: 0.5,
    visitors: {
      all: STREAM,
      some: {
        page: { 'https://shop.example/{boots,tents}/{1..40}': 3, [PAGE]: 1 },
        place: [
          { country: 'Germany', weight: 3 },
          { country_code: 'CA', region: 'Quebec', city: 'Montreal' },
        ],
        by_hour: { weekdays: { '8-18': 12, '18-24': 0.5 }, weekend: { '10-16': 2 }, monday: {} },
        tags: { price: 0.5 },
        greeting: { id: 1, share: 0.2 },
        length: '1h',
      },
    },
  };
  expect([fits(whole), fits.errors]).toEqual([true, null]);
  expect(mistakesIn(whole)).toEqual([]);
  expect(parseTraffic(whole)).toEqual(whole);
});

test.each<[string, object, string]>([
  ['no visitors', {}, '`visitors` is required'],
  ['no stream', { visitors: {} }, '`visitors` must not be empty'],
  ['a member that is not known', stream({ pages: PAGE }), '`visitors.all.pages` is not a known member'],
  ['a share above 1', stream({ good: 1.5 }), '`visitors.all.good` must be a number between 0 and 1'],
  ['a length without a unit', stream({ length: '8' }), '`visitors.all.length` must be a duration'],
  ['a weight of 0', stream({ page: { [PAGE]: 0 } }), '`visitors.all.page.https://shop.example/` must be between 1 and'],
  ['a place without a name', stream({ place: { town: 'X' } }), '`visitors.all.place.town` is not a known member'],
  ['a day that is not known', stream({ by_hour: { mondays: {} } }), '`visitors.all.by_hour.mondays` is not a known'],
])('Refused by its shape, and by the schema: %s', (_, given, message) => {
  expect(fits(given)).toBe(false);
  expect(() => parseTraffic(given)).toThrow(`not valid traffic: ${message}`);
});

test.each<[string, object, readonly (readonly [string, string])[]]>([
  ['a stream that says no number', { visitors: { all: { page: PAGE } } }, [['visitors.all', 'missing-field']]],
  ['two numbers', stream({ by_hour: { monday: {} } }), [['visitors.all.per_day', 'exclusive-fields']]],
  ['a page that is no URL', stream({ page: '/pricing' }), [['visitors.all.page', 'bad-format']]],
  [
    'two pages that are no URLs',
    stream({ page: { shop: 1, [PAGE]: 1, 'mailto:a@b.c': 1 } }),
    [
      ['visitors.all.page.shop', 'bad-format'],
      ['visitors.all.page.mailto:a@b.c', 'bad-format'],
    ],
  ],
  ['a range that goes down', stream({ page: `${PAGE}{9..1}` }), [['visitors.all.page', 'bad-range']]],
  [
    'hours that cross midnight, and hours twice',
    { visitors: { all: { page: PAGE, by_hour: { monday: { '22-6': 1 }, friday: { '8-12': 1, '11-14': 2 } } } } },
    [
      ['visitors.all.by_hour.monday.22-6', 'bad-range'],
      ['visitors.all.by_hour.friday.11-14', 'bad-range'],
    ],
  ],
  [
    'durations that go down',
    { ...stream({ length: '9m..8m' }), patience: '2m..90s' },
    [
      ['patience', 'bad-range'],
      ['visitors.all.length', 'bad-range'],
    ],
  ],
  ['a zone that is none', { ...stream({}), timezone: 'Europe/Krakow' }, [['timezone', 'bad-timezone']]],
  ['a date that no calendar has', { ...stream({}), from: '2026-02-30' }, [['from', 'bad-time']]],
  ['an end before the beginning', { ...stream({}), from: '2026-02-02', to: '2026-02-01' }, [['to', 'bad-range']]],
  ['two years', { ...stream({}), from: '2024-01-01', to: '2026-01-01' }, [['to', 'bad-range']]],
  ['three of three', { ...stream({}), days: 3, from: '2026-02-01', to: '2026-02-02' }, [['days', 'exclusive-fields']]],
])('Refused although its shape is right: %s', (_, given, expected) => {
  expect(fits(given)).toBe(true);
  expect(mistakesIn(given).map(({ path, code }) => [path.join('.'), code])).toEqual(expected);
  expect(() => parseTraffic(given)).toThrow(`not valid traffic: \`${expected[0]?.[0]}\`: `);
});

describe('the period', () => {
  test('Days alone begin now; with one end they reach to the other', () => {
    const now = START;
    expect(periodOf({}, 'UTC', now)).toEqual({ from: now, to: now + 28 * DAY });
    expect(periodOf({ days: 2, to: '2026-01-10' }, 'UTC', now)).toEqual({
      from: Date.UTC(2026, 0, 8),
      to: Date.UTC(2026, 0, 10),
    });
    expect(periodOf({ days: 2, from: '2026-01-10' }, 'UTC', now).to).toBe(Date.UTC(2026, 0, 12));
    expect(periodOf({ from: '2026-01-10', to: '2026-01-11' }, 'UTC', now).to).toBe(Date.UTC(2026, 0, 11));
  });

  test('A date is midnight in the zone, before and after a change of clocks', () => {
    expect(momentIn('2026-03-29', 'Europe/Warsaw')).toBe(Date.UTC(2026, 2, 28, 23));
    expect(momentIn('2026-03-30', 'Europe/Warsaw')).toBe(Date.UTC(2026, 2, 29, 22));
    expect(momentIn('2026-10-25', 'Europe/Warsaw')).toBe(Date.UTC(2026, 9, 24, 22));
    expect(momentIn('2026-11-01', 'America/New_York')).toBe(Date.UTC(2026, 10, 1, 4));
    expect(momentIn('2026-03-29T01:30:00+02:00', 'UTC')).toBe(Date.UTC(2026, 2, 28, 23, 30));
  });
});

describe('draws', () => {
  const random = seededRandom(4);
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  const many = <T>(draw: () => T): readonly T[] => Array.from({ length: 5000 }, draw);

  test('A duration is a mean, or a range', () => {
    expect([spanOf('90s'), spanOf('0.5m..1h')]).toEqual([{ mean: 90_000 }, { from: 30_000, to: 3_600_000 }]);
    expect(Math.abs(mean(many(() => lengthOf({ mean: 1000 }, random))) - 1000)).toBeLessThan(60);
    const within = many(() => lengthOf({ from: 200, to: 300 }, random));
    expect([Math.min(...within) >= 200, Math.max(...within) <= 300]).toEqual([true, true]);
    expect(Math.abs(mean(within) - 250)).toBeLessThan(3);
  });

  test('Poisson numbers have their mean and variance, also where it is large', () => {
    for (const expected of [0.2, 7, 250]) {
      const counts = many(() => poisson(expected, random));
      const found = mean(counts);
      expect(Math.abs(found - expected)).toBeLessThan(5 * Math.sqrt(expected / 5000));
      const variance = mean(counts.map((one) => (one - found) ** 2));
      expect(Math.abs(variance / expected - 1)).toBeLessThan(0.2);
    }
    expect(poisson(0, random)).toBe(0);
  });

  test('Weights decide how often, and braces become numbers and words', () => {
    const drawn = many(() => weighted([['a', 3] as const, ['b', 1] as const], random));
    expect(Math.abs(drawn.filter((one) => one === 'a').length / 5000 - 0.75)).toBeLessThan(0.03);
    const pages = new Set(many(() => pageOf(`${PAGE}{x,y}/{9..11}`, random)));
    const expected = ['x', 'y'].flatMap((word) => [9, 10, 11].map((number) => `${PAGE}${word}/${number}`));
    expect([...pages].sort()).toEqual(expected.sort());
  });
});
