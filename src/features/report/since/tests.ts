// Tests of a change: how likely numbers like those of the window are, or ones further away, when nothing changed.

import { type Count, eventsOf, exposureOf, sumOf, type Variation, type Weeks } from './variation.ts';

/** How often, at most, all tests of a run together find a change where there is none. */
export const LEVEL = 0.05;

/** Possible variations that are less likely change no digit that counts. */
const NEGLIGIBLE = 1e-9;

/**
 * Two-sided probability of the events of a window, given all events of the window and of the weeks before: twice the smaller tail of the conditional
 * binomial test, where the rate of each week varies as `possible` says.
 */
export function probabilityOfCount(now: Count, before: Weeks, possible: readonly Variation[]): number {
  const total = now.events + eventsOf(before);
  const share = now.exposure / (now.exposure + exposureOf(before));
  let [atMost, atLeast] = [0, 0];
  for (const { deviation, weight } of possible) {
    if (weight < NEGLIGIBLE) continue;
    // Rates of equally long weeks are gamma variables of one shape; the shape of several weeks together is their sum.
    const concentration = deviation === 0 ? Number.POSITIVE_INFINITY : (before.length + 1) / deviation ** 2;
    const both = tails(now.events, { total, share, concentration });
    atMost += weight * both.atMost;
    atLeast += weight * both.atLeast;
  }
  return Math.min(1, 2 * Math.min(atMost, atLeast));
}

/** A mean, and of how many it is. */
export interface Mean {
  readonly mean: number;
  readonly count: number;
}

/** Means of weeks differ by at least this share, however alike four of them look. */
const LEAST_DEVIATION = 0.05;

/**
 * Two-sided probability of the mean of a window: Student's t of the logarithms of the means, whose variation is known from four weeks only. The service
 * tells no spread within a week. All means are above zero.
 */
export function probabilityOfMean(now: Mean, before: readonly Mean[]): number {
  const all = sumOf(before.map(({ count }) => count));
  const freedom = before.length - 1;
  const usual = sumOf(before.map(({ mean, count }) => count * Math.log(mean))) / all;
  const spread = sumOf(before.map(({ mean, count }) => count * (Math.log(mean) - usual) ** 2)) / freedom;
  const typical = all / before.length;
  // More chats make the mean of the window no surer than that of a week: days differ by more than chance.
  const count = Math.min(now.count, typical);
  const perChat = Math.max(spread, LEAST_DEVIATION ** 2 * typical);
  const t = Math.abs(Math.log(now.mean) - usual) / Math.sqrt(perChat * (1 / count + 1 / all));
  return 2 * studentTail3(t);
}

/** Upper tail of Student's distribution with three degrees of freedom, those of four weeks; `t` is not negative. */
export function studentTail3(t: number): number {
  const x = t / Math.sqrt(3);
  // For a large t, the difference of two numbers near a half has no digits left.
  if (x > 1e3) return 2 / (3 * Math.PI * x ** 3);
  return Math.max(0, (Math.atan2(1, x) - x / (1 + x * x)) / Math.PI);
}

/** One test of several, with its share of the level. */
export interface WeightedTest {
  readonly probability: number;
  readonly weight: number;
}

/** Holm's step-down adjustment with weights: each probability, in the order given, so that it can be compared with the level of all tests together. */
export function holm(tests: readonly WeightedTest[]): readonly number[] {
  const order = tests
    .map(({ probability, weight }, index) => ({ index, weight, ratio: probability / weight }))
    .sort((one, other) => one.ratio - other.ratio);
  const adjusted = tests.map(() => 1);
  let [left, least] = [sumOf(tests.map(({ weight }) => weight)), 0];
  for (const { index, weight, ratio } of order) {
    least = Math.max(least, Math.min(1, ratio * left));
    adjusted[index] = least;
    left -= weight;
  }
  return adjusted;
}

/** How a total is expected to divide. */
interface Division {
  readonly total: number;
  /** Of the part that is asked about, from 0 to 1. */
  readonly share: number;
  /** Sum of both parameters of the distribution; infinite for the binomial distribution. */
  readonly concentration: number;
}

/** Both include the number itself. */
interface Tails {
  readonly atMost: number;
  readonly atLeast: number;
}

/** Terms that are smaller than this share of the first one change no digit that counts. */
const NEGLIGIBLE_TERM = 1e-17;

export function tails(events: number, division: Division): Tails {
  const { total, share } = division;
  const own = Math.exp(logMass(events, division));
  const side = (step: 1 | -1): number => {
    let [sum, mass] = [own, own];
    for (let at = events; at + step >= 0 && at + step <= total && mass > NEGLIGIBLE_TERM * own; at += step) {
      mass *= step === 1 ? ratio(at, division) : 1 / ratio(at - 1, division);
      sum += mass;
    }
    return Math.min(1, sum);
  };
  // The short tail is the precise one.
  if (events <= total * share) {
    const atMost = side(-1);
    return { atMost, atLeast: Math.min(1, 1 - atMost + own) };
  }
  const atLeast = side(1);
  return { atMost: Math.min(1, 1 - atLeast + own), atLeast };
}

/** Mass of `at + 1` divided by that of `at`. */
function ratio(at: number, { total, share, concentration }: Division): number {
  const counts = (total - at) / (at + 1);
  if (!Number.isFinite(concentration)) return (counts * share) / (1 - share);
  return (counts * (at + share * concentration)) / (total - at - 1 + (1 - share) * concentration);
}

function logMass(events: number, { total, share, concentration }: Division): number {
  const others = total - events;
  const ways = logGamma(total + 1) - logGamma(events + 1) - logGamma(others + 1);
  if (!Number.isFinite(concentration)) return ways + events * Math.log(share) + others * Math.log1p(-share);
  const [own, rest] = [share * concentration, (1 - share) * concentration];
  return ways + logBeta(events + own, others + rest) - logBeta(own, rest);
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** From here on, Stirling's series has all digits. */
const LARGE = 10;

/** Natural logarithm of the gamma function of a positive number: Stirling's series. */
export function logGamma(x: number): number {
  let [at, product] = [x, 1];
  for (; at < LARGE; at += 1) product *= at;
  const square = 1 / (at * at);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / at;
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - Math.log(product);
}
