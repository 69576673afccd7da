// The queue as reports measure it, on a service that counts a list of chats: whether it tells groups apart is asked once.

import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReportsVersion } from '../../src/base/model.ts';
import { memoryCache, type ReportCache, reportCache } from '../../src/demand/cache.ts';
import { measuredQueues, measuredWaiting, queueFigures } from '../../src/demand/queues.ts';
import { demandReader } from '../../src/demand/read.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { targetSettings } from '../../src/project/settings.ts';
import type { Exchange } from '../../src/service/exchange.ts';
import { createInProcessExchange } from '../../src/service/in-process.ts';
import { REPORTS } from '../../src/service/reports.ts';
import { systemContext } from '../../src/target/context.ts';
import { folder } from '../cli/chatform.ts';
import { seededRandom, virtualClock } from '../world.ts';
import { type CountedChat, type ReportServiceOptions, reportService } from './report-service.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-02T11:00:00Z');
const TODAY = Math.floor(NOW / DAY) * DAY;
const WEEK = { zone: 'UTC', from: TODAY - 9 * DAY, to: TODAY - 2 * DAY };

function readerOf(service: ReportServiceOptions, cache: ReportCache = memoryCache(), version: ReportsVersion = '3.6') {
  const { exchange, asked } = reportService(service);
  const reader = readerOver(exchange, cache, version);
  return { reader, asked: () => asked.map(({ report, filters }) => [report, filters.groups ?? null]) };
}

function readerOver(exchange: Exchange, cache: ReportCache, version: ReportsVersion) {
  const settings = targetSettings(
    'test',
    { base_url: 'https://api.example.test', ledger: 'l.ndjson' },
    'chatform.yaml',
  );
  const context = { ...systemContext(), clock: virtualClock(NOW), random: seededRandom(3), env: {} };
  const credential = { kind: 'bearer', token: 'dal:token' } as const;
  const line = { exchange, signal: new AbortController().signal };
  const access = { api: REPORTS, version, credential, account: null };
  return demandReader({ line, access, cache }, settings, context, {});
}

const chat = (hour: number, more: Partial<CountedChat>): CountedChat => ({
  at: WEEK.from + hour * 3_600_000,
  group: 1,
  agent: 'ann@example.com',
  duration: 60,
  answered: 10,
  rating: null,
  ...more,
});
const left = (hour: number, queued: number, group = 1) => chat(hour, { agent: null, answered: null, queued, group });

const CHATS = [
  chat(9, {}),
  chat(9, { queued: 30 }),
  chat(33, { queued: 90 }),
  left(33, 120),
  left(34, 60),
  chat(50, { group: 2, queued: 10 }),
  chat(51, { group: 3 }),
];

const QUEUE = 'chats/queued_visitors';

test('Each group has those who were served and those who left, with their waits and their patience', async () => {
  const { reader, asked } = readerOf({ chats: CHATS });
  const measured = await measuredQueues(reader, [1, 2, 3], WEEK);
  expect(measured).toEqual({
    by: 'group',
    groups: new Map([
      [1, { waited: 4, served: 2, served_wait: 60, left: 2, left_wait: 90, seconds: 300, patience: 150 }],
      [2, { waited: 1, served: 1, served_wait: 10, left: 0, left_wait: null, seconds: 10, patience: null }],
      [3, { waited: 0, served: 0, served_wait: null, left: 0, left_wait: null, seconds: 0, patience: null }],
    ]),
  });
  expect(asked()).toEqual([
    [QUEUE, null],
    [QUEUE, { values: [1] }],
    [QUEUE, { exclude_values: [1] }],
    ...[1, 2, 3].map((group) => [QUEUE, { values: [group] }]),
  ]);
});

test.each(['ignores', 'refuses'] as const)(
  'A service that %s groups has figures of the whole license',
  async (queueGroups) => {
    const { reader } = readerOf({ chats: CHATS, queueGroups });
    expect(await measuredQueues(reader, [1, 2], WEEK)).toMatchObject({
      by: 'license',
      license: { waited: 5, left: 2 },
    });
  },
);

test('What the license does is asked once, and remembered next to the ledger', async () => {
  const cwd = await folder({ '.chatform/shop.ledger.ndjson': '' });
  const cache = () => reportCache(join(cwd, '.chatform/shop.ledger.ndjson'));
  for (const [queueGroups, by] of [
    ['filters', 'group'],
    ['ignores', 'group'],
  ] as const) {
    const { reader } = readerOf({ chats: CHATS, queueGroups }, await cache());
    expect([queueGroups, (await measuredQueues(reader, [1], WEEK)).by]).toEqual([queueGroups, by]);
  }
  const again = readerOf({ chats: CHATS }, await cache());
  await measuredQueues(again.reader, [1], WEEK);
  expect(again.asked()).toEqual([]);
  // Another version is another question.
  const other = readerOf({ chats: CHATS, queueGroups: 'ignores' }, await cache(), '3.7');
  expect((await measuredQueues(other.reader, [1], WEEK)).by).toBe('license');
});

test('Where nobody waited, nothing is remembered and no group is asked for', async () => {
  const { reader, asked } = readerOf({ chats: [chat(9, {})] });
  for (const _ of [1, 2])
    expect(await measuredQueues(reader, [1], WEEK)).toMatchObject({
      by: 'group',
      groups: new Map([[1, { waited: 0 }]]),
    });
  expect(asked()).toEqual([
    [QUEUE, null],
    [QUEUE, null],
  ]);
});

test.each(['3.4', '3.5'] as const)('Version %s has no such report and is asked nothing', async (version) => {
  const { reader, asked } = readerOf({ chats: CHATS }, memoryCache(), version);
  expect([await measuredQueues(reader, [1], WEEK), asked()]).toEqual([{ by: 'nothing' }, []]);
  await expect(reader.chats('queue', { groups: [1] }, WEEK)).rejects.toThrow(
    `version ${version} of the Reports API has no chats/queued_visitors: set reports_api_version in chatform.yaml to`,
  );
});

test('Patience is found from visitors who give up at random, although those who are served hide theirs', () => {
  const random = seededRandom(11);
  const drawn = (mean: number): number => -mean * Math.log(1 - random());
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 600 }), fc.integer({ min: 20, max: 600 }), (patience, service) => {
      const visits = Array.from({ length: 20_000 }, () => ({ gives: drawn(patience), served: drawn(service) }));
      const gone = visits.filter(({ gives, served }) => gives < served);
      const seconds = visits.reduce((sum, { gives, served }) => sum + Math.min(gives, served), 0);
      const figures = queueFigures({
        served: visits.length - gone.length,
        served_seconds: seconds - gone.reduce((sum, { gives }) => sum + gives, 0),
        left: gone.length,
        left_seconds: gone.reduce((sum, { gives }) => sum + gives, 0),
      });
      expect(Math.abs((figures.patience ?? 0) / patience - 1)).toBeLessThan(0.1);
    }),
    { numRuns: 10 },
  );
});

test('No share of what was measured is more than all, and no wait longer than an hour', () => {
  const counts = fc.record({
    served: fc.nat(500),
    served_seconds: fc.nat(1e6),
    left: fc.nat(500),
    left_seconds: fc.nat(1e6),
  });
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 500 }), (figures, chats) => {
      const { share = Number.NaN, seconds, leaves } = measuredWaiting(queueFigures(figures), chats) ?? {};
      const waited = figures.served + figures.left;
      expect(share).toBe(waited > chats ? 1 : waited / chats);
      expect(leaves).toBe(figures.left > chats ? 1 : figures.left / chats);
      expect(seconds).toBeLessThanOrEqual(3600);
      expect(seconds).toBeLessThanOrEqual((figures.served_seconds + figures.left_seconds) / chats);
    }),
  );
});

test('On days that the emulator plays, groups have the patience with which their visitors were played', async () => {
  const seed = {
    agents: [1, 2].map((group) => ({
      id: `a${group}`,
      name: 'A',
      max_chats_count: 1,
      groups: [{ id: group, priority: 'first' as const }],
    })),
    groups: [
      { id: 1, name: 'Sales' },
      { id: 2, name: 'Desk' },
    ],
    auto_access: ['sales', 'desk'].map((page, index) => ({
      description: page,
      access: { groups: [index + 1] },
      conditions: { url: { values: [{ value: page }] } },
    })),
  };
  const emulator = createEmulator({ now: () => NOW - 10 * DAY, random: seededRandom(5), seed });
  const visitors = (page: string, patience: string) => ({
    page: `https://shop.example/${page}`,
    by_hour: { every_day: { '08-20': 10 } },
    length: '8m',
    patience,
    returning: 0,
  });
  await emulator.play({
    days: 5,
    presence: 'always',
    visitors: { sales: visitors('sales', '3m'), desk: visitors('desk', '10m') },
  });
  const reader = readerOver(createInProcessExchange(emulator.fetch), memoryCache(), '3.6');
  const measured = await measuredQueues(reader, [1, 2], WEEK);
  if (measured.by !== 'group') throw new Error(`by ${measured.by}`);
  const [sales, desk] = [measured.groups.get(1), measured.groups.get(2)];
  expect(Math.min(sales?.left ?? 0, desk?.left ?? 0)).toBeGreaterThan(50);
  expect(Math.abs((sales?.patience ?? 0) / 180 - 1)).toBeLessThan(0.25);
  expect(Math.abs((desk?.patience ?? 0) / 600 - 1)).toBeLessThan(0.25);
});
