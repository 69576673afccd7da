// How much a test tries: a sample in `npm test` and for each mutant, everything in `npm run test:all`.

/** Also what takes long, and what only another machine would break. */
export const IS_FULL = process.env['TRIES'] === 'all';

/** How many random examples, sizes or crash points a test tries: `all` in `npm run test:all`, otherwise `sample`. */
export function tries(all: number, sample: number = Math.min(all, 8)): number {
  return IS_FULL ? all : sample;
}
