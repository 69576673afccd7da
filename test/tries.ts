// How much a test tries: a sample in `npm test` and for each mutant, everything in `npm run test:all`.

const everything = process.env['TRIES'] === 'all';

/** How many random examples, sizes or crash points a test tries: `all` in `npm run test:all`, otherwise `sample`. */
export function tries(all: number, sample: number = Math.min(all, 8)): number {
  return everything ? all : sample;
}
