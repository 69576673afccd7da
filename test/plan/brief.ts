// How thorough a test is: as it says, or under BRIEF, when it runs once for each mutant (vitest.mutation.config.ts), just enough to notice one.

import fc from 'fast-check';

const isBrief = process.env['BRIEF'] !== undefined;

// A mutant is dead whatever its smallest counterexample.
if (isBrief) fc.configureGlobal({ endOnFailure: true });

/** How many random examples are drawn. */
export function draws(count: number): number {
  return isBrief ? Math.ceil(count / 10) : count;
}

/** How long a list is that has to be passed in no time. */
export function length(count: number): number {
  return isBrief ? Math.ceil(count / 50) : count;
}

/** Sizes of which every case is tried. */
export function sizes(largest: number, brief: number): readonly number[] {
  return Array.from({ length: (isBrief ? brief : largest) + 1 }, (_, size) => size);
}
