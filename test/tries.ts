// How much a test tries: a sample in `npm test` and for each mutant, everything in `npm run test:all`.

import { VERSIONS, type Version } from '../src/base/model.ts';

/** Also what takes long, and what only another machine would break. */
export const IS_FULL = process.env['TRIES'] === 'all';

/** Milliseconds. */
export const TEST_TIMEOUT = IS_FULL ? 3_600_000 : 240_000;

/** Versions that a law tries: 3.3 has the fewest kinds and a shape of its own, and 3.7 has every kind. */
export const TRIED_VERSIONS: readonly Version[] = IS_FULL ? VERSIONS : ['3.3', '3.7'];

/** How many random examples, sizes or crash points a test tries: `all` in `npm run test:all`, otherwise `sample`. */
export function tries(all: number, sample: number = Math.min(all, 8)): number {
  return IS_FULL ? all : sample;
}
