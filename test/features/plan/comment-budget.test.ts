// Comments of plans that are too long for one: within the budget, with every danger, the title, the next step and the digest.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commentMarkdown } from '../../../src/features/plan/comment.ts';
import { tries } from '../../tries.ts';
import { big, dangerous, named, planned, subjectOf } from './dangerous.ts';

/** GitHub counts characters, and takes 65,536; GitLab 1,000,000. */
function expectToFit(text: string): void {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
  expect(text.length).toBeLessThanOrEqual(65_536);
}

function expectWhole(text: string): void {
  expect(text).toMatch(/^### Plan of /);
  expect(text).toContain('**Next:**');
  expect(text).toMatch(/\nDigest `d{64}`\n$/);
}

test('Every danger is named, up to 2,000 of them, however many changes there are', () => {
  const counts = fc.tuple(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 8000 }));
  fc.assert(
    fc.property(counts, ([dangers, others]) => {
      const plan = big(dangers + others, dangers);
      const text = commentMarkdown(subjectOf(plan));
      expectToFit(text);
      expectWhole(text);
      const gone = plan.resource_changes.filter(({ danger }) => danger.length > 0);
      const block = text.slice(text.indexOf('> [!CAUTION]'), text.indexOf('\n#### Changes'));
      expect(gone.filter(({ address }) => !block.includes(`\`${address}\``))).toEqual([]);
      // No row is cut.
      const rows = text.split('\n').filter((line) => line.startsWith('| '));
      expect(rows.filter((row) => !row.endsWith(' |'))).toEqual([]);
      const shown = rows.filter((row) => /^\|(?: changed| \*\*destroyed\*\*) \| `/.test(row)).length;
      const left = Number(/And (\d+) more, which the plan has/.exec(text)?.[1] ?? 0);
      expect(shown + left).toBe(plan.resource_changes.length);
    }),
    { numRuns: tries(5), examples: [[[2000, 8000]], [[2000, 0]], [[300, 9700]]] },
  );
});

test('What cannot even be named in the budget is counted, and said to be left out', () => {
  const text = commentMarkdown(subjectOf(big(10_000, 10_000)));
  expectToFit(text);
  expectWhole(text);
  const [, hidden] = /\*\*destroyed \(10000\)\*\*: .*and (\d+) more\n/.exec(text) ?? [];
  const block = text.slice(0, text.indexOf('\n#### Changes'));
  expect((block.match(/`group\/gone-\d{5}`/g)?.length ?? 0) + Number(hidden)).toBe(10_000);
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
    vetoes: '**irreversible**',
    table: '| **destroyed** |',
    values: '| `administrator` |',
    notes: '#### Good to know',
    details: '- name: &quot;Old&quot;',
    unmanaged: '- group &#34;g8&#34;',
  };
  const seen = (budget: number): readonly string[] => {
    const text = commentMarkdown(subjectOf(plan), budget);
    expectWhole(text);
    expect(text).toMatch(/\*\*destroyed(?: \(2\))?\*\*/);
    return Object.entries(parts).flatMap(([name, part]) => (text.includes(part) ? [name] : []));
  };
  expect(seen(60_000)).toEqual(Object.keys(parts));
  const shrinking = [60_000, 20_000, 12_000, 9000, 7000, 6000, 5000, 4500, 4000].map(seen);
  for (const [index, those] of shrinking.entries())
    expect(shrinking[index - 1] ?? those).toEqual(expect.arrayContaining([...those]));
  expect(shrinking.at(-1)).toContain('dangers');
  expect(shrinking.at(-1)).not.toContain('unmanaged');
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
