// Laws of sharing a budget: never above it, nothing vanishes uncounted, and the heavier comes first.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Batch, type BudgetPart, shareOut, withinBudget } from '../../src/view/budget.ts';
import { tries } from '../tries.ts';

const measure = { sizeOf: (text: string): number => text.length };

const part: fc.Arbitrary<BudgetPart<string>> = fc
  .record({
    weight: fc.integer({ min: -2, max: 2 }),
    line: fc.integer({ min: 1, max: 30 }),
    more: fc.option(fc.integer({ min: 0, max: 60 })),
  })
  .map(({ weight, line, more }) => ({
    weight,
    levels: more === null ? [() => 'l'.repeat(line)] : [() => 'l'.repeat(line), () => 'f'.repeat(line + more)],
  }));

const batches: fc.Arbitrary<readonly Batch<string>[]> = fc.array(
  fc.record({ parts: fc.array(part, { maxLength: 20 }), share: fc.constantFrom(0.2, 0.6, 1) }),
  { maxLength: 5 },
);

const room = fc.integer({ min: -10, max: 800 });
const runs = { numRuns: tries(500) };

const total = (shown: readonly (readonly (string | null)[])[]): number =>
  shown.flat().reduce((sum, each) => sum + (each?.length ?? 0), 0);

test('What is written never takes more than the room', () => {
  fc.assert(
    fc.property(batches, room, (all, most) => {
      expect(total(shareOut(all, most, measure))).toBeLessThanOrEqual(Math.max(0, most));
    }),
    runs,
  );
});

test('Everything is written in full where there is room', () => {
  fc.assert(
    fc.property(batches, (all) => {
      const full = all.map(({ parts }) =>
        parts.map(({ levels: [line, whole] }) => whole?.() ?? line(Number.POSITIVE_INFINITY)),
      );
      expect(shareOut(all, total(full), measure)).toEqual(full);
    }),
    runs,
  );
});

test('A part of a batch is left out only where no heavier one, and none before it, would go with what it leaves', () => {
  fc.assert(
    fc.property(batches, room, (all, most) => {
      for (const [index, written] of shareOut(all, most, measure).entries()) {
        const parts = all[index]?.parts ?? [];
        const weights = new Set(parts.map(({ weight }) => weight));
        for (const weight of weights) {
          const same = written.filter((_, at) => parts[at]?.weight === weight);
          const cut = same.indexOf(null);
          // Of one weight, what is left out is a tail.
          if (cut >= 0) expect(same.slice(cut).every((each) => each === null)).toBe(true);
        }
      }
    }),
    runs,
  );
});

test('The heavier of two equal parts is written first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 0, max: 300 }),
      (weights, most) => {
        const parts = weights.map(
          (weight): BudgetPart<string> => ({ weight, levels: [() => 'l'.repeat(7), () => 'f'.repeat(19)] }),
        );
        const [written = []] = shareOut([{ parts, share: 1 }], most, measure);
        const size = (at: number): number => written[at]?.length ?? 0;
        for (const [one, heavy] of weights.entries())
          for (const [other, light] of weights.entries())
            if (heavy > light) expect(size(one)).toBeGreaterThanOrEqual(size(other));
      },
    ),
    runs,
  );
});

test('A batch takes no more than its share while others wait, and then what they leave', () => {
  const lines = (count: number, share: number): Batch<string> => ({
    parts: Array.from({ length: count }, () => ({ weight: 0, levels: [() => 'l'.repeat(10)] })),
    share,
  });
  const counts = (...all: readonly Batch<string>[]) =>
    shareOut(all, 100, measure).map((written) => written.filter((each) => each !== null).length);
  expect(counts(lines(10, 0.5), lines(10, 0.5))).toEqual([8, 2]);
  expect(counts(lines(10, 0.5), lines(1, 0.5))).toEqual([9, 1]);
  expect(counts(lines(10, 1), lines(10, 1))).toEqual([10, 0]);
});

test('A document is within its budget, and what it does not show it counts', () => {
  fc.assert(
    fc.property(batches, fc.integer({ min: 200, max: 800 }), (all, most) => {
      const text = withinBudget(most, measure, (within) =>
        all.map((batch) => `[${within(batch, (left) => `+${left}`).join(',')}]`).join(''),
      );
      const commas = all.reduce((sum, { parts }) => sum + parts.length, 0);
      expect(text.length).toBeLessThanOrEqual(most + commas);
      const shown = text.split(/[[\],]/).filter((each) => /^[lf]/.test(each)).length;
      const left = Array.from(text.matchAll(/\+(\d+)/g), ([, count]) => Number(count)).reduce(
        (sum, each) => sum + each,
        0,
      );
      expect(shown + left).toBe(commas);
    }),
    runs,
  );
});
