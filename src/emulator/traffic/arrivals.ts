// When the visitors of a stream come: a Poisson process whose rate is that of the hour of the week. Knows nothing of a license.

import { seededRandom } from '../engine/random.ts';
import { localTime } from '../engine/zone.ts';
import { poisson, type Random, randomOf } from './draws.ts';
import type { StreamHabits } from './streams.ts';

/** In ms. No zone changes its offset within a quarter of an hour, so each lies in one hour of a day. */
export const QUARTER = 900_000;
const QUARTERS_OF_AN_HOUR = 4;

interface Arrival {
  /** In ms. */
  readonly at: number;
  /** For everything that the visitor draws. */
  readonly random: Random;
}

/** The visitors of the quarter that begins at a moment. They are the same whatever else is played. */
export function arrivalsOf(
  { name, rate, zone }: Pick<StreamHabits, 'name' | 'rate' | 'zone'>,
  seed: number,
  quarter: number,
): readonly Arrival[] {
  const { weekday, minute } = localTime(zone, quarter);
  const expected = rate(weekday, Math.floor(minute / 60)) / QUARTERS_OF_AN_HOUR;
  if (expected === 0) return [];
  const random = randomOf('arrivals', seed, name, quarter);
  return Array.from({ length: poisson(expected, random) }, () => ({
    at: quarter + Math.floor(random() * QUARTER),
    random: seededRandom(Math.floor(random() * 2 ** 32)),
  }));
}
