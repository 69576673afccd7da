// The bench, as small as it can be, so that it cannot rot: chatform and the floor script plan the same license, and what is printed is whole.

import { expect, test } from 'vitest';
import { claimsOf, holds } from '../../bench/claims.ts';
import { measure } from '../../bench/main.ts';
import { optionsOf } from '../../bench/options.ts';
import { pageWith, reportText } from '../../bench/report.ts';

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
