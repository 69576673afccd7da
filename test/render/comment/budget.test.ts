// Comments of plans that are too long for one: within the budget, with every danger, the title, the next step and the digest.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commentMarkdown } from '../../../src/render/comment/comment.ts';
import { big, dangerous, named, planned, subjectOf } from './plans.ts';

/** GitHub counts characters, and takes 65,536; GitLab 1,000,000. */
function expectToFit(text: string): void {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
  expect(text.length).toBeLessThanOrEqual(65_536);
}

function expectWhole(text: string): void {
  expect(text).toMatch(/^## Plan of /);
  expect(text).toContain('**Next:**');
  expect(text).toMatch(/\nDigest `d{64}`\n$/);
}

test('A plan of 10,000 changes fits, and names every one of its 300 dangers', () => {
  const plan = big(10_000, 300);
  const text = commentMarkdown(subjectOf(plan));
  expectToFit(text);
  expectWhole(text);
  const gone = plan.resource_changes.filter(({ danger }) => danger.length > 0);
  expect(gone.length).toBeGreaterThan(290);
  const block = text.slice(text.indexOf('> [!CAUTION]'), text.indexOf('\n\n| |'));
  expect(gone.filter(({ address }) => !block.includes(`\`${address}\``))).toEqual([]);
  expect(text).toMatch(/And \d+ more resources/);
});

test('2,000 destroys are all named, without who refers to them', () => {
  const plan = big(10_000, 2000);
  const text = commentMarkdown(subjectOf(plan));
  expectToFit(text);
  expectWhole(text);
  expect(plan.resource_changes.filter(({ danger, address }) => danger.length > 0 && !text.includes(address))).toEqual(
    [],
  );
});

test('What cannot even be named in the budget is counted, and said to be left out', () => {
  const text = commentMarkdown(subjectOf(big(10_000, 10_000)));
  expectToFit(text);
  expectWhole(text);
  expect(text).toContain('**10000** destroyed');
  const [, count, hidden] = /: (\d+) `group`: .*and (\d+) more, listed in the plan/s.exec(text) ?? [];
  const shown = text.match(/`group\/gone-\d{5}`/g)?.length ?? 0;
  expect(Number(count)).toBe(10_000);
  expect(shown).toBeGreaterThanOrEqual(10_000 - Number(hidden));
});

test('What matters least is cut first', () => {
  const plan = {
    ...dangerous(),
    unmanaged: Array.from(
      { length: 9 },
      (_, id) => ({ type: 'group', id, name: `g${id}`, released: null, reason: null }) as const,
    ),
  };
  const parts = {
    dangers: '> [!CAUTION]',
    vetoes: '**Withheld',
    table: '| **destroy** |',
    diffs: '```diff',
    notes: '4 notes',
    drift: 'Unmanaged',
  };
  const seen = (budget: number): readonly string[] => {
    const text = commentMarkdown(subjectOf(plan), budget);
    expectWhole(text);
    expect(text).toContain('**2** destroyed');
    return Object.entries(parts).flatMap(([name, part]) => (text.includes(part) ? [name] : []));
  };
  expect(seen(60_000)).toEqual(Object.keys(parts));
  const shrinking = [60_000, 20_000, 12_000, 9000, 7000, 6000, 5000, 4500, 4000].map(seen);
  for (const [index, those] of shrinking.entries())
    expect(shrinking[index - 1] ?? those).toEqual(expect.arrayContaining([...those]));
  expect(shrinking.at(-1)).toContain('dangers');
  expect(shrinking.at(-1)).not.toContain('drift');
});

describe('Whatever names there are', () => {
  const unit = fc.constantFrom('`', '👩‍👩‍👧‍👦', '<', '|', 'a', '\u202e', '\n', '\\', '@', '🚀');
  test('the comment fits', () => {
    const names = fc.string({ unit, minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(names, fc.integer({ min: 0, max: 150 }), (name, count) => {
        const base = named(dangerous(), name);
        const resource_changes = Array.from({ length: count }, () => base.resource_changes).flat();
        const text = commentMarkdown({ ...subjectOf(base), of: planned({ ...base, resource_changes }) });
        expectToFit(text);
        expectWhole(text);
      }),
      { numRuns: 15 },
    );
  });
});
