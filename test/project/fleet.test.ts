// `fleet:` in chatform.yaml: right values, and each mistake at its place.

import { describe, expect, test } from 'vitest';
import { loadProject } from '../../src/project/project.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';

const HEAD = 'version: 1\nmanifest: [base.yaml]\ntargets: { a: { base_url: https://api.example.com } }\n';

const load = (fleet: string) => loadProject('chatform.yaml', {}, memoryDisk({ 'chatform.yaml': HEAD + fleet }));

async function wrong(fleet: string) {
  const { project, diagnostics } = await load(`fleet:\n${fleet}`);
  expect(project).toBeNull();
  return diagnostics.map(({ place: { line, column }, message }) => `${line}:${column} ${message}`);
}

test('Without `fleet`, a run has one wave, eight at a time, and stops at the first failure', async () => {
  const { project } = await load('');
  expect(project?.fleet).toEqual({
    waves: [],
    parallel: { count: 8 },
    maxFailures: { count: 0 },
    maxUnreachable: null,
    caps: {},
    freeze: [],
    drift: [],
    rate: null,
  });
});

test('Waves, budgets, windows and the rate are read', async () => {
  const { project, diagnostics } = await load(`fleet:
  waves:
    - { name: canary, select: ring=canary, hold: 10m, gate: [customers, tests, no_drift] }
    - { name: eu, select: [region=eu, region=uk, tier=gold], max_failures: 2%, max_unreachable: 1, parallel: 50% }
    - { name: tenth, percent: 10 }
    - { name: three, count: 3, approve: true }
    - { name: rest, parallel: 50 }
  parallel: 4
  max_failures: 2%
  max_unreachable: 5%
  max_deletes: 40
  rate: 90/m
  drift: [{ select: tier=gold, every: 1h }, { every: 6h }]
  freeze: [{ cron: "0 16 * * 5", duration: 64h, zone: Europe/Berlin, reason: weekend }]
`);
  expect(diagnostics).toEqual([]);
  const condition = (label: string, ...values: readonly string[]) => ({ label, values: new Set(values) });
  const plain = {
    ...{ parallel: null, hold: 0, gates: [], gatePlaces: {}, maxFailures: null, maxUnreachable: null },
    approve: false,
  };
  const at = (column: number, length: number) => ({ file: 'chatform.yaml', line: 6, column, length });
  expect(project?.fleet).toEqual({
    waves: [
      {
        ...plain,
        name: 'canary',
        takes: { by: 'labels', conditions: [condition('ring', 'canary')] },
        hold: 600_000,
        gates: ['customers', 'tests', 'no_drift'],
        gatePlaces: { customers: at(62, 9), tests: at(73, 5), no_drift: at(80, 8) },
      },
      {
        ...plain,
        name: 'eu',
        takes: { by: 'labels', conditions: [condition('region', 'eu', 'uk'), condition('tier', 'gold')] },
        parallel: { percent: 50 },
        maxFailures: { percent: 2 },
        maxUnreachable: { count: 1 },
      },
      { ...plain, name: 'tenth', takes: { by: 'amount', amount: { percent: 10 } } },
      { ...plain, approve: true, name: 'three', takes: { by: 'amount', amount: { count: 3 } } },
      { ...plain, name: 'rest', takes: { by: 'rest' }, parallel: { count: 50 } },
    ],
    parallel: { count: 4 },
    maxFailures: { percent: 2 },
    maxUnreachable: { percent: 5 },
    caps: { max_deletes: 40 },
    drift: [
      { conditions: [condition('tier', 'gold')], every: '1h' },
      { conditions: [], every: '6h' },
    ],
    rate: 1.5,
    freeze: [{ cron: '0 16 * * 5', duration: 64 * 3_600_000, zone: 'Europe/Berlin', reason: 'weekend' }],
  });
});

describe('a mistake in `fleet`', () => {
  test.each([
    ['an unknown gate', '  waves: [{ name: a, gate: [veryfied] }]', '5:29 '],
    ['a percentage over 100', '  waves: [{ name: a, percent: 101 }]', '5:31 '],
    ['a budget over 100 %', '  max_failures: 101%', '5:17 '],
    ['a budget below 0', '  max_failures: -1', '5:17 '],
    ['checks that are too frequent', '  drift: [{ every: 10s }]', '5:20 '],
    ['no parallel work', '  parallel: 0', '5:13 '],
    ['a condition without a value', '  waves: [{ name: a, select: canary }]', '5:30 '],
    ['a hold without a unit', '  waves: [{ name: a, hold: "10" }]', '5:28 '],
    ['a rate without a unit', '  rate: "10"', '5:9 '],
    ['two waves of one name', '  waves: [{ name: a, count: 1 }, { name: a }]', '5:42 two waves are called `a`'],
    [
      'two shares',
      '  waves: [{ name: a, count: 1, percent: 2 }]',
      '5:32 a wave takes its licenses by `count` or by `percent`',
    ],
    [
      'a wave after one that takes all',
      '  waves: [{ name: a }, { name: b }]',
      '5:11 this wave takes all licenses that are left, so no later wave has any',
    ],
    [
      'the name of the last wave for another',
      '  waves: [{ name: rest, count: 1 }]',
      '5:19 `rest` is the wave of the licenses that no other wave takes',
    ],
    [
      'a cron expression of six fields',
      '  freeze: [{ cron: "0 0 16 * * 5", duration: 1h, zone: UTC }]',
      '5:20 `0 0 16 * * 5` is no cron expression',
    ],
    [
      'a day that never comes',
      '  freeze: [{ cron: "0 16 30 2 *", duration: 1h, zone: UTC }]',
      '5:20 there is no time `0 16 30 2 *`',
    ],
    [
      'an unknown zone',
      '  freeze: [{ cron: "0 16 * * 5", duration: 1h, zone: Europe/Berln }]',
      '5:54 `Europe/Berln` is not an IANA time zone',
    ],
    [
      'a window that is too long',
      '  freeze: [{ cron: "0 16 * * 5", duration: 10000h, zone: UTC }]',
      '5:44 `10000h` is too long',
    ],
    [
      'a wave that holds for too long',
      '  waves: [{ name: a, count: 1, hold: 99999999999999h }]',
      '5:38 `99999999999999h` is too long',
    ],
    ['checks that are too rare', '  drift: [{ every: 745h }]', '5:20 `745h` is too long'],
    [
      'a window without a length',
      '  freeze: [{ cron: "0 16 * * 5", duration: 0s, zone: UTC }]',
      '5:44 `0s` is no time',
    ],
  ])('is told at its place: %s', async (_, fleet, start) => {
    const found = await wrong(fleet);
    expect(found).toHaveLength(1);
    expect(found[0]?.slice(0, start.length)).toBe(start);
  });
});
