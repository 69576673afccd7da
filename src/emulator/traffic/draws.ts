// What is drawn from a generator: numbers of visitors, lengths of time, choices, pages. Knows no visitor.

import { sha256Hex } from '../../base/digest.ts';
import { milliseconds } from '../../base/duration.ts';
import { seededRandom } from '../engine/random.ts';

/** Uniform in [0, 1). */
export type Random = () => number;

/** A generator of its own for each list of names. */
export const randomOf = (...names: readonly (string | number)[]): Random =>
  seededRandom(Number.parseInt(sha256Hex(JSON.stringify(names)).slice(0, 8), 16));

/** The product of numbers that `poisson` draws must not become 0. */
const LARGEST_MEAN = 30;

/** A number of events where so many are expected. */
export function poisson(mean: number, random: Random): number {
  let count = 0;
  for (let left = mean; left > 0; left -= LARGEST_MEAN) {
    const end = Math.exp(-Math.min(left, LARGEST_MEAN));
    for (let product = random(); product > end; product *= random()) count += 1;
  }
  return count;
}

/** A length of time in ms: drawn around a mean (exponential), or between two ends (uniform). */
export type DrawnTime = { readonly mean: number } | { readonly from: number; readonly to: number };

/** `8m`, or `4m..12m`. */
export function spanOf(text: string): DrawnTime {
  const ends = text.split('..').map((part) => milliseconds(part) ?? 0);
  const [from = 0, to] = ends;
  return to === undefined ? { mean: from } : { from, to };
}

/** In whole ms. */
export function lengthOf(span: DrawnTime, random: Random): number {
  const drawn = random();
  return Math.round('mean' in span ? -span.mean * Math.log(1 - drawn) : span.from + drawn * (span.to - span.from));
}

/** One of some items, each as often as its weight says. */
export function weighted<T>(items: readonly (readonly [item: T, weight: number])[], random: Random): T | undefined {
  const whole = items.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random() * whole;
  for (const [item, weight] of items) {
    left -= weight;
    if (left < 0) return item;
  }
  return items.at(-1)?.[0];
}

/** One of some items, each equally often. */
export const oneOf = <T>(items: readonly T[], random: Random): T | undefined =>
  items[Math.floor(random() * items.length)];

/** A URL whose braces are replaced: `{1..40}` by a number, `{boots,tents}` by a word. */
export function pageOf(pattern: string, random: Random): string {
  return pattern.replace(/\{([^{}]*)\}/g, (_, inner: string) => {
    const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(inner) ?? [];
    if (from === undefined || to === undefined) return oneOf(inner.split(','), random) ?? '';
    return String(Number(from) + Math.floor(random() * (Number(to) - Number(from) + 1)));
  });
}
