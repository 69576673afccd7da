// The bench, as small as it can be, so that it cannot rot: chatform and the floor script plan the same license, and what is printed is whole.

import { expect, test } from 'vitest';
import { claimsOf, holds } from '../../bench/claims.ts';
import { measure } from '../../bench/main.ts';
import { optionsOf } from '../../bench/options.ts';
import { pageWith, reportText } from '../../bench/report.ts';
import { measureSizes } from '../../bench/sizes/main.ts';
import { growthOf, missesOf, tableText } from '../../bench/sizes/table.ts';

test('chatform plans with the requests of the floor script, and the report says so', async () => {
  const options = optionsOf('--only B --latency 0 --rounds 1 --agents 20 --contenders chatform'.split(' '));
  const results = await measure(options, () => {});
  const [table] = results.tables;
  expect(table?.entries.map(({ name, samples }) => [name, samples.length])).toEqual([
    ['floor', 1],
    ['chatform', 1],
  ]);
  for (const { samples } of table?.entries ?? [])
    expect(samples[0]?.requests).toMatchObject({ reads: 2, writes: 0, verification: 0 });
  const claims = claimsOf(results);
  expect(claims.find(({ text }) => text.startsWith('B: requests'))).toSatisfy(holds);
  const report = reportText(results, claims);
  for (const lines of report.match(/(?:^\|.*\n)+/gm) ?? [])
    expect(
      new Set(
        lines
          .trim()
          .split('\n')
          .map((line) => line.split(' | ').length),
      ).size,
    ).toBe(1);
  expect(report).not.toMatch(/NaN|undefined|null/);
});

test('The floor script makes all of the example that chatform makes', async () => {
  const options = optionsOf('--only E --latency 0 --rounds 1 --contenders floor'.split(' '));
  const { tables } = await measure(options, () => {});
  expect(tables.map(({ entries }) => entries.map(({ name, samples }) => [name, samples.length]))).toEqual([
    [['floor', 1]],
  ]);
});

test('A report goes between its two marks, and replaces the last one', () => {
  const page = 'A\n<!-- npm run bench: from here -->\nold\n<!-- npm run bench: to here -->\nZ\n';
  const first = pageWith(page, 'new\n');
  expect(first).toMatch(/^A\n[\s\S]*\nnew\n[\s\S]*\nZ\n$/);
  expect(first).not.toContain('old');
  expect(pageWith(first, 'new\n')).toBe(first);
  expect(() => pageWith('A\n', 'new\n')).toThrow(/from here/);
});

test.each([
  [['--only', 'F'], /there is start, A/],
  [['--rounds', 'many'], /whole number/],
])('Flags that say nothing are an error: %j', (args, message) => {
  expect(() => optionsOf(args)).toThrow(message);
});

test('The bench of sizes measures what is asked for, on a license that every command can be run on', async () => {
  const uses = await measureSizes(
    [20],
    (name) => name === 'import',
    () => {},
  );
  expect([...(uses.get(20)?.keys() ?? [])]).toEqual(['apply, everything is new', 'import', 'apply, a tenth changed']);
  expect(tableText('here', uses)).toMatch(/^\| import \| [\d.–]+ \| [\d.–]+ \| – \|$/m);
});

test('Growth is the worst of processor and memory over all sizes, and what grows too fast is a miss', () => {
  const use = (cpu: number, memory: number) => ({ cpu, memory, wall: cpu, bytes: 0 });
  const uses = new Map([
    [
      1_000,
      new Map([
        ['plan', use(1_000, 100)],
        ['import', use(1_000, 100)],
      ]),
    ],
    [
      20_000,
      new Map([
        ['plan', use(30_000, 200)],
        ['import', use(16_000, 200)],
      ]),
    ],
  ]);
  expect(growthOf(uses, 'plan')).toBe(1.5);
  expect(growthOf(uses, 'import')).toBe(0.8);
  expect(missesOf(uses)).toEqual([
    'plan grows 1.50 times faster than the license',
    'import of 20000 agents takes 16.0 s, and 15 are wanted',
  ]);
});
