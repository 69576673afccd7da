// The tests of a follow-up next to reference values: exact sums in whole numbers, published quantiles, worked examples.

import { describe, expect, test } from 'vitest';
import {
  holm,
  logGamma,
  probabilityOfCount,
  probabilityOfMean,
  studentTail3,
  tails,
} from '../../../../src/features/report/since/tests.ts';
import { variations } from '../../../../src/features/report/since/variation.ts';

const CHANCE = [{ deviation: 0, weight: 1 }];

/** `from (from + 1) ... (from + count - 1)`. */
function rising(from: bigint, count: number): bigint {
  let product = 1n;
  for (let each = 0n; each < BigInt(count); each += 1n) product *= from + each;
  return product;
}

function choose(total: number, count: number): bigint {
  return rising(BigInt(total - count + 1), count) / rising(1n, count);
}

/** A quotient of whole numbers, to 15 digits. */
function quotient(above: bigint, below: bigint): number {
  return Number((above * 10n ** 20n) / below) / 1e20;
}

/** Exact masses of the beta-binomial distribution with whole parameters. */
function betaBinomial(total: number, own: number, rest: number): readonly number[] {
  const below = rising(BigInt(own + rest), total);
  return Array.from({ length: total + 1 }, (_, at) =>
    quotient(choose(total, at) * rising(BigInt(own), at) * rising(BigInt(rest), total - at), below),
  );
}

/** Exact masses of the binomial distribution with the share 1/5. */
function fifths(total: number): readonly number[] {
  return Array.from({ length: total + 1 }, (_, at) =>
    quotient(choose(total, at) * 4n ** BigInt(total - at), 5n ** BigInt(total)),
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

describe('tails', () => {
  test.each([10, 37, 170])('of the binomial distribution are exact sums: %i events', (total) => {
    const masses = fifths(total);
    for (let at = 0; at <= total; at += 3) {
      const found = tails(at, { total, share: 0.2, concentration: Number.POSITIVE_INFINITY });
      expect(found.atMost).toBeCloseTo(sum(masses.slice(0, at + 1)), 12);
      expect(found.atLeast).toBeCloseTo(sum(masses.slice(at)), 12);
    }
  });

  test.each([
    [12, 1, 4],
    [60, 20, 80],
    [150, 3, 12],
  ])('of the beta-binomial distribution are exact sums: %i events, %i and %i', (total, own, rest) => {
    const masses = betaBinomial(total, own, rest);
    for (let at = 0; at <= total; at += 2) {
      const found = tails(at, { total, share: own / (own + rest), concentration: own + rest });
      expect(found.atMost).toBeCloseTo(sum(masses.slice(0, at + 1)), 11);
      expect(found.atLeast).toBeCloseTo(sum(masses.slice(at)), 11);
    }
  });

  test('the logarithm of the gamma function is that of factorials, and of a half', () => {
    for (const n of [1, 2, 5, 9, 10, 11, 20, 170])
      expect(logGamma(n) / Math.max(1, Math.log(Number(rising(1n, n - 1))))).toBeCloseTo(
        Math.log(Number(rising(1n, n - 1))) / Math.max(1, Math.log(Number(rising(1n, n - 1)))),
        13,
      );
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 13);
  });
});

describe('probabilityOfCount', () => {
  const before = [38, 41, 35, 44].map((events) => ({ events, exposure: 4 }));

  test('is twice the smaller tail of the binomial test against a fifth of all', () => {
    const masses = fifths(170);
    expect(probabilityOfCount({ events: 12, exposure: 4 }, before, CHANCE)).toBeCloseTo(
      2 * sum(masses.slice(0, 13)),
      12,
    );
    expect(probabilityOfCount({ events: 12, exposure: 4 }, before, CHANCE)).toBeLessThan(0.00001);
  });

  test('goes with the hours: half as many events in half as many hours are no change', () => {
    expect(probabilityOfCount({ events: 20, exposure: 2 }, before, CHANCE)).toBeGreaterThan(0.9);
    expect(probabilityOfCount({ events: 20, exposure: 4 }, before, CHANCE)).toBeLessThan(0.01);
  });

  test('grows with the variation of the weeks', () => {
    const likely = [0, 0.05, 0.1, 0.2, 0.4].map((deviation) =>
      probabilityOfCount({ events: 20, exposure: 4 }, before, [{ deviation, weight: 1 }]),
    );
    expect(likely).toEqual(likely.toSorted((one, other) => one - other));
  });

  test('learns from alike weeks that they are alike, and from others that they are not', () => {
    const alike = [100, 104, 96, 101].map((events) => ({ events, exposure: 4 }));
    const varied = [60, 140, 90, 111].map((events) => ({ events, exposure: 4 }));
    const now = { events: 150, exposure: 4 };
    expect(probabilityOfCount(now, alike, variations(Array(7).fill(alike), 1))).toBeLessThan(0.01);
    expect(probabilityOfCount(now, varied, variations(Array(7).fill(varied), 1))).toBeGreaterThan(0.05);
  });
});

describe('probabilityOfMean', () => {
  test.each([
    [0.764892, 0.25],
    [2.353363, 0.05],
    [3.182446, 0.025],
    [5.840909, 0.005],
    [12.923979, 0.0005],
  ])('has the published quantiles of Student with three degrees of freedom: %f', (t, tail) => {
    expect(studentTail3(t)).toBeCloseTo(tail, 6);
  });

  test('goes over to its tail without a step', () => {
    const [below, above] = [1e3, 1e3 + 1e-6].map((x) => studentTail3(x * Math.sqrt(3)));
    expect((above ?? 0) / (below ?? 1)).toBeCloseTo(1, 4);
  });

  test('is that of a t computed by hand', () => {
    const before = [Math.E, Math.E ** 1.2, Math.E ** 0.8, Math.E].map((mean) => ({ mean, count: 100 }));
    // Logarithms 1, 1.2, 0.8, 1: mean 1, sum of squares 0.08, so s = sqrt(0.08 / 3); t = 0.5 / (s sqrt(5 / 4)).
    const t = 0.5 / Math.sqrt((0.08 / 3) * 1.25);
    expect(probabilityOfMean({ mean: Math.E ** 1.5, count: 100 }, before)).toBeCloseTo(2 * studentTail3(t), 12);
  });

  test('takes no four weeks for exact', () => {
    const before = [40, 40, 40, 40].map((mean) => ({ mean, count: 500 }));
    expect(probabilityOfMean({ mean: 41, count: 500 }, before)).toBeGreaterThan(0.3);
  });
});

describe('holm', () => {
  const equal = (probabilities: readonly number[]) =>
    holm(probabilities.map((probability) => ({ probability, weight: 1 })));

  test('multiplies by how many tests are left, and never falls', () => {
    expect(equal([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
    expect(equal([0.5, 0.9]).map((each) => Number(each.toFixed(12)))).toEqual([1, 1]);
    expect(equal([])).toEqual([]);
  });

  test('gives a test the share of the level that it weighs', () => {
    const tests = [
      { probability: 0.02, weight: 1 },
      { probability: 0.02, weight: 0.25 },
    ];
    expect(holm(tests).map((each) => Number(each.toFixed(12)))).toEqual([0.025, 0.025]);
  });
});
