// The reader of demand, on a service that counts a list of chats: hours of every zone, and how many requests they take.

import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryCache, type ReportCache, reportCache } from '../../src/demand/cache.ts';
import { byHourOfWeek, totalOf } from '../../src/demand/hourly.ts';
import { lastRange, type ReportRange } from '../../src/demand/range.ts';
import { type DemandOptions, demandReader } from '../../src/demand/read.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { targetSettings } from '../../src/project/settings.ts';
import type { Exchange } from '../../src/service/exchange.ts';
import { createInProcessExchange } from '../../src/service/in-process.ts';
import { REPORTS } from '../../src/service/reports.ts';
import { systemContext } from '../../src/target/context.ts';
import { folder } from '../cli/chatform.ts';
import { tries } from '../tries.ts';
import { seededRandom, virtualClock } from '../world.ts';
import { type CountedChat, type ReportServiceOptions, reportService } from './report-service.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A Monday, 12:00 in Warsaw. */
const NOW = Date.parse('2026-11-02T11:00:00Z');

interface Setting extends Partial<ReportServiceOptions> {
  /** `reports_lag` */
  readonly lag?: string;
  readonly now?: number;
  readonly cache?: ReportCache;
  readonly options?: DemandOptions;
  /** What answers in the place of the service that counts. */
  readonly exchange?: Exchange;
}

function readerOf({ now = NOW, cache = memoryCache(), options = {}, lag, ...service }: Setting) {
  const { exchange: counting, asked } = reportService({ chats: [], ...service });
  const exchange = service.exchange ?? counting;
  const delay = lag === undefined ? {} : { reports_lag: lag };
  const written = { base_url: 'https://api.example.test', ledger: 'l.ndjson', ...delay };
  const settings = targetSettings('test', written, 'chatform.yaml');
  const clock = virtualClock(now);
  const context = { ...systemContext(), clock, random: seededRandom(3), env: {} };
  const access = {
    api: REPORTS,
    version: '3.4',
    credential: { kind: 'bearer', token: 'dal:token' },
    account: null,
  } as const;
  const line = { exchange, signal: new AbortController().signal };
  return { reader: demandReader({ line, access, cache }, settings, context, options), asked, clock };
}

function chat(at: string | number, more: Partial<CountedChat> = {}): CountedChat {
  const instant = typeof at === 'number' ? at : Date.parse(at);
  return { at: instant, group: 1, agent: 'ann@example.com', duration: 60, answered: 10, rating: null, ...more };
}

function range(from: string, to: string, zone = 'Europe/Warsaw'): ReportRange {
  return { zone, from: Date.parse(from), to: Date.parse(to) };
}

/** The 28 whole days before today. */
function fourWeeks(zone = 'Europe/Warsaw', now = NOW): ReportRange {
  const found = lastRange('28d', zone, now);
  if (found === null) throw new Error('28d is a range');
  return found;
}

describe('hours', () => {
  test('every hour of a day is there in order, with what began in it', async () => {
    const { reader } = readerOf({
      chats: [chat('2026-10-05T08:10:00Z', { duration: 60 }), chat('2026-10-05T08:50:00Z', { duration: 120 })],
    });
    const day = range('2026-10-04T22:00:00Z', '2026-10-05T22:00:00Z');
    const hours = await reader.chats('chats', { groups: [1] }, day);
    expect(hours).toHaveLength(24);
    expect(hours.map(({ at }) => at)).toEqual(Array.from({ length: 24 }, (_, hour) => day.from + hour * HOUR));
    expect(hours[10]).toEqual({ at: Date.parse('2026-10-05T08:00:00Z'), chats: 2, seconds: 180, agent_seconds: 90 });
    expect(totalOf(hours)).toEqual({ chats: 2, seconds: 180, agent_seconds: 90 });
    expect(byHourOfWeek(hours, day.zone).find(({ sum }) => sum.chats > 0)).toMatchObject({
      weekday: 0,
      hour: 10,
      times: 1,
    });
  });

  test('each measure asks its report, and reads its members', async () => {
    const day = range('2026-10-04T22:00:00Z', '2026-10-05T22:00:00Z');
    const { reader, asked } = readerOf({
      chats: [
        chat('2026-10-05T08:00:00Z', { rating: 'good', answered: 4 }),
        chat('2026-10-05T09:00:00Z', { rating: 'bad', answered: 6 }),
        chat('2026-10-05T09:30:00Z', { agent: null, answered: null }),
        chat('2026-10-05T09:40:00Z', { answered: null, group: 2 }),
      ],
    });
    const of = { groups: [1] };
    expect(totalOf(await reader.chats('not_taken', of, day))).toEqual({ chats: 1 });
    expect(totalOf(await reader.chats('not_answered', of, day))).toEqual({ chats: 1 });
    expect(totalOf(await reader.chats('first_response', of, day))).toEqual({ chats: 2, seconds: 10 });
    expect(totalOf(await reader.chats('ratings', of, day))).toEqual({ good: 1, bad: 1 });
    const [ann] = await reader.performance(of, day);
    expect(ann).toMatchObject({
      agent: 'ann@example.com',
      chats: 2,
      good: 1,
      accepting: 3600,
      logged_in: 7200,
      bad: 0,
    });
    expect(asked.map(({ report }) => report)).toEqual([
      'chats/total_chats',
      'chats/total_chats',
      'chats/first_response_time',
      'chats/ratings',
      'agents/performance',
    ]);
    expect(asked[0]?.filters).toEqual({
      groups: { values: [1] },
      agents: { exists: false },
      from: '2026-10-04T22:00:00.000000Z',
      to: '2026-10-05T21:59:59.999999Z',
    });
  });

  test('presence is minutes of each hour, of groups or of agents', async () => {
    const day = range('2026-10-04T22:00:00Z', '2026-10-05T22:00:00Z');
    const { reader, asked } = readerOf({ chats: [chat('2026-10-05T08:00:00Z'), chat('2026-10-05T08:20:00Z')] });
    const hours = await reader.presence({ groups: [1], agents: ['ann@example.com'] }, day);
    expect(hours.filter(({ minutes }) => minutes > 0)).toEqual([
      { at: Date.parse('2026-10-05T08:00:00Z'), minutes: 20 },
    ]);
    expect(asked[0]).toMatchObject({
      report: 'agents/availability',
      distribution: 'hour',
      filters: { groups: { values: [1] }, agents: { values: ['ann@example.com'] } },
    });
  });

  test('continuous and rehearsed chats are left out by their properties', async () => {
    const { reader, asked } = readerOf({});
    await reader.chats('chats', { groups: [], synchronous: true, unrehearsed: true, tags: ['vip'] }, fourWeeks());
    expect(asked[0]?.filters).toMatchObject({
      tags: { values: ['vip'] },
      properties: {
        routing: { continuous: { exclude_values: [true] } },
        test: { string_property: { exclude_values: ['chatform test --on customer'] } },
      },
    });
    expect(asked[0]?.filters).not.toHaveProperty('groups');
  });
});

/** Zones whose clocks change by an hour or by half of one, or never, and whose hours are not those of UTC. */
const ZONES = ['Europe/Warsaw', 'America/New_York', 'Asia/Kolkata', 'Australia/Adelaide', 'Australia/Lord_Howe', 'UTC'];

test('in every zone, with 23 and 25 hours, with and without dates, each hour has exactly the chats that began in it', async () => {
  const minute = fc.integer({ min: 0, max: 9 * 24 * 60 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      // Autumn and spring of both halves of the world.
      fc.constantFrom('2026-10-22T00:00:00Z', '2026-03-27T00:00:00Z', '2026-04-02T00:00:00Z', '2026-09-30T00:00:00Z'),
      fc.constantFrom('dated', 'undated'),
      fc.tuple(minute, minute),
      fc.array(minute, { maxLength: 40 }),
      async (zone, base, keys, [one, other], minutes) => {
        const start = Date.parse(base);
        const [from, to] = [Math.min(one, other), Math.max(one, other) + 60].map((each) => start + each * 60_000);
        if (from === undefined || to === undefined) return;
        const chats = minutes.map((each) => chat(start + each * 60_000));
        const { reader } = readerOf({ chats, keys, now: start + 40 * DAY });
        const whole = { zone, from, to };
        const hours = await reader.chats('chats', { groups: [] }, whole);
        const ends = [...hours.slice(1).map(({ at }) => at), to];
        const counted = hours.map((_, index) => {
          const begin = index === 0 ? from : (hours[index]?.at ?? from);
          return chats.filter(({ at }) => at >= begin && at < (ends[index] ?? to)).length;
        });
        expect(hours.map((hour) => hour.chats)).toEqual(counted);
        const there = chats.filter(({ at }) => at >= from && at < to).length;
        expect(hours.reduce((sum, hour) => sum + hour.chats, 0)).toBe(there);
        // Hours begin where the clock of the zone shows a whole hour, or changes.
        const shown = new Intl.DateTimeFormat('en', { timeZone: zone, minute: 'numeric' });
        const uneven = hours.slice(1).filter(({ at }) => Number(shown.format(at)) % 30 !== 0);
        expect(uneven).toEqual([]);
      },
    ),
    { numRuns: tries(600, 40) },
  );
});

describe('requests', () => {
  const chats = [chat('2026-10-20T10:00:00Z'), chat('2026-10-25T00:30:00Z'), chat('2026-10-25T01:30:00Z')];

  test('28 days of hours are one request, and nothing is asked only to learn the keys', async () => {
    const { reader, asked } = readerOf({ chats });
    expect(totalOf(await reader.chats('chats', { groups: [1] }, fourWeeks()))?.chats).toBe(3);
    expect(asked).toMatchObject([{ distribution: 'hour', timezone: 'UTC' }]);
    expect(reader.requests()).toEqual({ 'chats/duration': 1 });
  });

  test('a zone whose hours are not those of UTC is asked itself, and once more where its clock goes back', async () => {
    const zone = 'Australia/Adelaide';
    const spring = readerOf({});
    await spring.reader.chats('chats', { groups: [1] }, fourWeeks(zone));
    expect(spring.asked.map(({ timezone }) => timezone)).toEqual([zone]);
    const now = Date.parse('2026-04-20T00:00:00Z');
    const autumn = readerOf({ now });
    await autumn.reader.chats('chats', { groups: [1] }, fourWeeks(zone, now));
    expect(autumn.asked).toHaveLength(2);
  });

  test('keys without a date are learnt from the first answer: then each day is a request, and 25 hours are two', async () => {
    const { reader, asked } = readerOf({ chats, keys: 'undated' });
    expect(totalOf(await reader.chats('chats', { groups: [1] }, fourWeeks()))?.chats).toBe(3);
    expect(asked).toHaveLength(1 + 28 + 1);
    await reader.chats('not_taken', { groups: [1] }, range('2026-10-19T22:00:00Z', '2026-10-20T22:00:00Z'));
    expect(asked).toHaveLength(31);
  });

  test('one day without dates needs no other request', async () => {
    const { reader, asked } = readerOf({ chats, keys: 'undated' });
    const day = range('2026-10-19T22:00:00Z', '2026-10-20T22:00:00Z');
    expect(totalOf(await reader.chats('chats', { groups: [1] }, day))?.chats).toBe(1);
    expect(asked).toHaveLength(1);
  });

  test('days without dates are asked as far as four questions of a month go, and the error says what to do', async () => {
    const { reader, asked } = readerOf({ chats, keys: 'undated' });
    const groups = [1, 2, 3, 4, 5];
    for (const group of groups) await reader.chats('chats', { groups: [group] }, fourWeeks());
    await expect(reader.chats('chats', { groups: [6] }, fourWeeks())).rejects.toThrow(
      'the service names hours without a date, so each day is a request of its own, and more than 150 would be sent: choose a shorter range, or fewer groups',
    );
    // The one of 25 hours is two, and the keys are learned from one more.
    expect(asked).toHaveLength(1 + groups.length * 29);
  });

  test('a day of 25 hours that is asked for from the middle of an hour on loses none', async () => {
    const from = '2026-10-24T22:30:00Z';
    const times = Array.from({ length: 49 }, (_, half) => Date.parse(from) + half * 30 * 60_000);
    const { reader } = readerOf({ chats: times.map((at) => chat(at)), keys: 'undated' });
    const hours = await reader.chats('chats', { groups: [1] }, range(from, '2026-10-25T23:00:00Z'));
    expect(hours.map((hour) => hour.chats)).toEqual([1, ...Array.from({ length: 24 }, () => 2)]);
  });

  test.each([
    ['without a time to wait', {}, 3],
    ['that asks for a minute', { 'retry-after': '60' }, 1],
  ] as const)(
    'a refusal for the rate %s holds a reader with little patience for seconds',
    async (_name, headers, most) => {
      const body = JSON.stringify({ error: { type: 'too_many_requests', message: 'slow down' } });
      let sent = 0;
      const exchange: Exchange = async () => {
        sent += 1;
        return { status: 429, headers, body };
      };
      const { reader, clock } = readerOf({ exchange, options: { patience: 2_000 } });
      await expect(reader.chats('chats', { groups: [1] }, fourWeeks())).rejects.toThrow('too_many_requests: slow down');
      expect(clock.now() - NOW).toBeLessThan(2_000);
      expect(sent).toBeGreaterThanOrEqual(most);
      const long = readerOf({ exchange });
      await expect(long.reader.chats('chats', { groups: [1] }, fourWeeks())).rejects.toThrow('too_many_requests');
      expect(long.clock.now() - NOW).toBeGreaterThan(2_000);
    },
  );

  test('the same question twice at a time is one request', async () => {
    const { reader, asked } = readerOf({ chats });
    const both = ['chats', 'chats'] as const;
    await Promise.all(both.map((measure) => reader.chats(measure, { groups: [1] }, fourWeeks())));
    await Promise.all([1, 2].map(() => reader.performance({ groups: [1] }, fourWeeks())));
    expect(asked.map(({ report }) => report)).toEqual(['chats/duration', 'agents/performance']);
  });

  test('a bucket that is no hour of the range is an error, and so is a reply that is no report', async () => {
    const day = range('2026-10-19T22:00:00Z', '2026-10-20T22:00:00Z');
    const answering = (body: unknown) => {
      const settings = targetSettings('test', { base_url: 'https://api.example.test' }, 'chatform.yaml');
      const context = { ...systemContext(), clock: virtualClock(NOW), env: {} };
      const exchange = async () => ({ status: 200, headers: {}, body: JSON.stringify(body) });
      const access = { api: REPORTS, version: '3.4', credential: null, account: null } as const;
      const given = { ...access, credential: { kind: 'bearer', token: 'token' } as const };
      const line = { exchange, signal: new AbortController().signal };
      const reader = demandReader({ line, access: given, cache: memoryCache() }, settings, context, {});
      return reader.chats('chats', { groups: [1] }, day);
    };
    await expect(answering({ records: { '2026-10-21 05:00': { count: 1 } } })).rejects.toThrow(
      'the bucket 2026-10-21 05:00 is no hour that was asked for',
    );
    await expect(answering({ records: { soon: { count: 1 } } })).rejects.toThrow('the bucket soon is no hour');
    await expect(answering([])).rejects.toThrow('the reply is no object');
    const both = { '2026-10-20 05:00': { count: 1 }, '2026-10-20T05:00:00Z': { count: 2 } };
    await expect(answering({ records: both })).rejects.toThrow(
      'the buckets 2026-10-20 05:00 and 2026-10-20T05:00:00Z are the same hour',
    );
    expect(totalOf(await answering({ records: {} }))?.chats).toBe(0);
    const told = { records: { '2026-10-20T05:00:00Z': { count: 2, duration: 5, extra: {} } }, more: 1 };
    expect(totalOf(await answering(told))).toEqual({ chats: 2, seconds: 10, agent_seconds: 0 });
  });
});

describe('the cache', () => {
  const chats = [chat('2026-10-20T10:00:00Z'), chat('2026-11-01T20:00:00Z', { agent: 'bob@example.com' })];
  const of = { groups: [1] };

  async function onDisk() {
    const cwd = await folder({ '.chatform/shop.ledger.ndjson': '' });
    const cache = await reportCache(join(cwd, '.chatform/shop.ledger.ndjson'));
    const files = async () =>
      (await readdir(join(cwd, '.chatform/shop.reports'))).filter((file) => file.endsWith('.json'));
    const file = async () => join(cwd, '.chatform/shop.reports', (await files())[0] ?? '');
    return { cache, files, file, cwd };
  }

  test('a second run asks for no whole past day again, and says the same', async () => {
    const { cache, files, cwd } = await onDisk();
    const first = readerOf({ chats, cache });
    const before = await first.reader.chats('chats', of, fourWeeks());
    const second = readerOf({ chats: [], cache });
    expect(await second.reader.chats('chats', of, fourWeeks())).toEqual(before);
    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
    expect(await files()).toHaveLength(1);
    expect(await readFile(join(cwd, '.chatform/shop.reports/.gitignore'), 'utf8')).toBe('*\n');
  });

  test('what is no file costs a request, and is not replaced: a pipe may never end', async () => {
    const { cache, file } = await onDisk();
    const before = await readerOf({ chats, cache }).reader.chats('chats', of, fourWeeks());
    const kept = await file();
    await rm(kept);
    execFileSync('mkfifo', [kept]);
    const again = readerOf({ chats, cache });
    expect(await again.reader.chats('chats', of, fourWeeks())).toEqual(before);
    expect(again.asked).toHaveLength(1);
    expect((await stat(kept)).isFIFO()).toBe(true);
  });

  test('only the days that are missing are asked for, and today always', async () => {
    const { cache } = await onDisk();
    await readerOf({ chats, cache }).reader.chats('chats', of, fourWeeks());
    const later = readerOf({ chats, cache, now: NOW + 2 * DAY });
    await later.reader.chats('chats', of, fourWeeks('Europe/Warsaw', NOW + 2 * DAY));
    expect(later.asked).toMatchObject([{ filters: { from: '2026-11-01T23:00:00.000000Z' } }]);
    const today = readerOf({ chats, cache });
    const now = { zone: 'Europe/Warsaw', from: Date.parse('2026-11-01T23:00:00Z'), to: NOW };
    for (const _ of [1, 2]) await today.reader.chats('chats', of, now);
    expect(today.asked).toHaveLength(2);
  });

  test('a day that ended less than reports_lag ago is asked for again', async () => {
    const { cache } = await onDisk();
    const night = Date.parse('2026-11-01T23:00:00Z') + 2 * HOUR;
    const yesterday = range('2026-10-31T23:00:00Z', '2026-11-01T23:00:00Z');
    await readerOf({ chats: [], cache, now: night }).reader.chats('chats', of, yesterday);
    const morning = readerOf({ chats, cache, now: night + HOUR });
    expect(totalOf(await morning.reader.chats('chats', of, yesterday))?.chats).toBe(1);
    const noon = readerOf({ chats: [], cache });
    expect(totalOf(await noon.reader.chats('chats', of, yesterday))?.chats).toBe(1);
    expect(noon.asked).toEqual([]);
  });

  test.each([
    ['a count that is none', { records: { '2026-10-20 05:00': { count: '5' } } }],
    ['no records', { name: 'duration-report', total: 5 }],
    ['another name', { records: { '2026-10-20 05:00': { chats: 5 } } }],
    ['a total of nothing', { total: 5, records: {} }],
  ])('a strange reply is kept as no answer: %s', async (_name, body) => {
    const { cache, cwd } = await onDisk();
    const exchange: Exchange = async () => ({ status: 200, headers: {}, body: JSON.stringify(body) });
    const strange = readerOf({ cache, exchange });
    await expect(strange.reader.chats('chats', of, fourWeeks())).rejects.toMatchObject({
      failure: { type: 'protocol', action: 'chats/duration', message: expect.stringContaining('takes no figure') },
    });
    expect(await readdir(join(cwd, '.chatform'))).toEqual(['shop.ledger.ndjson']);
    const performance = readerOf({ cache, exchange: async () => ({ status: 200, headers: {}, body: '{}' }) });
    await expect(performance.reader.performance(of, fourWeeks())).rejects.toThrow('records is missing');
    const right = readerOf({ chats, cache });
    expect(totalOf(await right.reader.chats('chats', of, fourWeeks()))?.chats).toBe(2);
  });

  test('a raised reports_lag asks again for the days that were read too early for it', async () => {
    const { cache } = await onDisk();
    await readerOf({ chats: [], cache }).reader.chats('chats', of, fourWeeks());
    const later = readerOf({ chats, cache, now: NOW + 2 * DAY, lag: '48h' });
    expect(totalOf(await later.reader.chats('chats', of, fourWeeks()))?.chats).toBe(1);
    expect(later.asked).toMatchObject([{ filters: { from: '2026-10-30T23:00:00.000000Z' } }]);
  });

  test.each(['not_taken', 'not_answered', 'first_response', 'ratings'] as const)(
    '%s of a day can change for another one, so it is asked for again until then',
    async (measure) => {
      const { cache } = await onDisk();
      const yesterday = range('2026-10-31T23:00:00Z', '2026-11-01T23:00:00Z');
      const [first, second, third] = [NOW, NOW + DAY / 2, NOW + DAY].map((now) => readerOf({ chats, cache, now }));
      for (const each of [first, second, third]) await each?.reader.chats(measure, of, yesterday);
      const fourth = readerOf({ chats, cache, now: NOW + 2 * DAY });
      await fourth.reader.chats(measure, of, yesterday);
      expect([first, second, third, fourth].map((each) => each?.asked.length)).toEqual([1, 1, 1, 0]);
    },
  );

  test('a day that is over by the clock of this machine only is asked for again', async () => {
    const { cache } = await onDisk();
    const date = new Date(NOW - DAY).toUTCString();
    await readerOf({ chats, cache, headers: { date } }).reader.chats('chats', of, fourWeeks());
    const later = readerOf({ chats, cache });
    await later.reader.chats('chats', of, fourWeeks());
    expect(later.asked).toMatchObject([{ filters: { from: '2026-10-31T23:00:00.000000Z' } }]);
  });

  test('runs at the same time read the same, and what they keep is whole', async () => {
    const { cwd, files } = await onDisk();
    const runs = Array.from({ length: 6 }, async () => {
      const cache = await reportCache(join(cwd, '.chatform/shop.ledger.ndjson'));
      return readerOf({ chats, cache }).reader.chats('chats', of, fourWeeks());
    });
    const [first, ...others] = await Promise.all(runs);
    for (const other of others) expect(other).toEqual(first);
    expect(await files()).toHaveLength(1);
    expect((await readdir(join(cwd, '.chatform/shop.reports'))).filter((file) => file.endsWith('.tmp'))).toEqual([]);
    const later = readerOf({ chats: [], cache: await reportCache(join(cwd, '.chatform/shop.ledger.ndjson')) });
    expect([await later.reader.chats('chats', of, fourWeeks()), later.asked]).toEqual([first, []]);
  });

  test('each license, group and zone has an answer of its own', async () => {
    const { cache, files } = await onDisk();
    const { reader, asked } = readerOf({ chats, cache });
    await reader.chats('chats', { groups: [1] }, fourWeeks());
    await reader.chats('chats', { groups: [2] }, fourWeeks());
    await reader.chats('chats', { groups: [1] }, fourWeeks('UTC'));
    await reader.chats('not_taken', { groups: [1] }, fourWeeks());
    expect([asked.length, (await files()).length]).toEqual([4, 4]);
  });

  test('figures of persons are kept nowhere', async () => {
    const { cache, cwd } = await onDisk();
    const { reader } = readerOf({ chats, cache });
    await reader.chats('chats', { groups: [1], agents: ['bob@example.com'] }, fourWeeks());
    await reader.presence({ groups: [], agents: ['bob@example.com'] }, fourWeeks());
    await reader.performance({ groups: [1] }, fourWeeks());
    expect(await readdir(join(cwd, '.chatform'))).toEqual(['shop.ledger.ndjson']);
  });

  test.each([
    ['no JSON', () => '{"format":2,'],
    ['an earlier format', (text: string) => text.replace('"format":2', '"format":1')],
    ['another question', (text: string) => text.replace('Europe/Warsaw', 'Europe/Berlin')],
    ['a negative number', (text: string) => text.replaceAll('"chats":1', '"chats":-1')],
    [
      'an hour too few',
      (text: string) => text.replaceAll('"hours":[{"chats":0,"seconds":0,"agent_seconds":0},', '"hours":['),
    ],
    ['a member too few', (text: string) => text.replaceAll('"agent_seconds":0', '"x":0')],
  ])('a damaged file counts as none, and is written again: %s', async (_name, damaged) => {
    const { cache, file } = await onDisk();
    const before = await readerOf({ chats, cache }).reader.chats('chats', of, fourWeeks());
    const path = await file();
    const good = await readFile(path, 'utf8');
    expect(damaged(good)).not.toBe(good);
    await writeFile(path, damaged(good));
    const again = readerOf({ chats, cache });
    expect(await again.reader.chats('chats', of, fourWeeks())).toEqual(before);
    expect(again.asked).toHaveLength(1);
    expect(await readFile(path, 'utf8')).toBe(good);
  });

  test('a folder that cannot be written costs requests, and a ledger without a folder keeps answers for the run', async () => {
    const cwd = await folder({ '.chatform/shop.ledger.ndjson': '', '.chatform/shop.reports': 'a file' });
    const cache = await reportCache(join(cwd, '.chatform/shop.ledger.ndjson'));
    const { reader, asked } = readerOf({ chats, cache });
    for (const _ of [1, 2]) await reader.chats('chats', of, fourWeeks());
    expect(asked).toHaveLength(2);
    const none = readerOf({ chats, cache: await reportCache(join(cwd, 'nowhere/shop.ledger.ndjson')) });
    for (const _ of [1, 2]) await none.reader.chats('chats', of, fourWeeks());
    expect(none.asked).toHaveLength(1);
  });

  test('what one emulator said is not used for another, or before it says which one it is', async () => {
    const { cache } = await onDisk();
    const from = (license: string) => ({ cache, headers: { 'x-emulator-license': license } });
    const one = readerOf({ chats, ...from('license-one') });
    await one.reader.chats('chats', of, fourWeeks());
    const same = readerOf({ chats, ...from('license-one'), options: { identity: 'license-one' } });
    await same.reader.chats('chats', of, fourWeeks());
    const other = readerOf({ chats: [], ...from('license-two'), options: { identity: 'license-two' } });
    expect(totalOf(await other.reader.chats('chats', of, fourWeeks()))?.chats).toBe(0);
    const unsaid = readerOf({ chats, ...from('license-one') });
    expect(totalOf(await unsaid.reader.chats('chats', of, fourWeeks()))?.chats).toBe(2);
    expect([same.asked.length, other.asked.length, unsaid.asked.length]).toEqual([0, 1, 1]);
  });
});

describe('on the emulator', () => {
  /** Chats of three weeks of October 2025, of which one day has 25 hours. */
  const TIMES = Array.from({ length: 300 }, (_, index) => Date.parse('2025-10-13T22:05:00Z') + index * 99 * 60_000);

  async function onEmulator(keys: 'date' | 'time') {
    const emulator = createEmulator({
      now: () => Date.parse('2025-11-10T12:00:00Z'),
      random: seededRandom(7),
      settings: { reportKeys: { hour: keys } },
      seed: {
        agents: [{ id: 'ann@example.com', name: 'Ann' }],
        groups: [{ name: 'Sales', agent_priorities: { 'ann@example.com': 'normal' } }],
        customers: [{ id: 'c' }],
        chats: [
          {
            customer: 'c',
            threads: TIMES.map((at, index) => ({
              created_at: new Date(at).toISOString(),
              closed_at: new Date(at + 60_000 * (1 + (index % 7))).toISOString(),
              group_ids: [index % 3 === 0 ? 0 : 1],
              ...(index % 5 === 0 ? {} : { agent: 'ann@example.com' }),
            })),
          },
        ],
      },
    });
    const now = Date.parse('2025-11-10T12:00:00Z');
    const { reader } = readerOf({ now, exchange: createInProcessExchange(emulator.fetch) });
    return reader;
  }

  const three = range('2025-10-13T22:00:00Z', '2025-11-03T23:00:00Z');
  const counted = (at: number, holds: (index: number) => boolean) =>
    TIMES.filter((time, index) => time >= at && time < at + HOUR && holds(index)).length;

  test.each([
    ['date', { 'chats/duration': 1, 'chats/total_chats': 1 }],
    // 21 days, one of 25 hours, and the answer from which the keys are learned.
    ['time', { 'chats/duration': 23, 'chats/total_chats': 22 }],
  ] as const)('every hour has its chats, with keys that are a %s', async (keys, requests) => {
    const reader = await onEmulator(keys);
    const chats = await reader.chats('chats', { groups: [1], unrehearsed: true }, three);
    const notTaken = await reader.chats('not_taken', { groups: [1] }, three);
    expect(chats).toHaveLength(21 * 24 + 1);
    expect(chats.map((hour) => hour.chats)).toEqual(chats.map(({ at }) => counted(at, (index) => index % 3 > 0)));
    expect(notTaken.map((hour) => hour.chats)).toEqual(
      notTaken.map(({ at }) => counted(at, (index) => index % 3 > 0 && index % 5 === 0)),
    );
    const seconds = TIMES.reduce((sum, _, index) => sum + (index % 3 > 0 ? 60 * (1 + (index % 7)) : 0), 0);
    expect(totalOf(chats)?.seconds).toBeCloseTo(seconds, 6);
    expect(reader.requests()).toEqual(requests);
  });
});
