// What the processes of a run append to its log, and what the process of a test file is told.

import { appendFileSync, openSync, readSync } from 'node:fs';

export type Line =
  /** A test passed without a mutant, and how often it reached which mutants. */
  | { readonly is: 'reached'; readonly test: string; readonly file: string; readonly ms: number; readonly hits: Hits }
  /** Reached while the file was imported or in its hooks, where no test can be repeated. */
  | { readonly is: 'outside'; readonly mutants: readonly string[]; readonly file: string }
  /** The test fails without a mutant. */
  | { readonly is: 'broken'; readonly file: string; readonly name: string }
  /** The test passed. `hit` is false where it reaches the mutant only without it, for example because the original filled a cache. */
  | {
      readonly is: 'passed';
      readonly mutant: string;
      readonly test: string;
      readonly file: string;
      readonly hit: boolean;
    }
  | { readonly is: 'killed'; readonly mutant: string; readonly by: string }
  /** The test failed, and fails without the mutant since then. */
  | { readonly is: 'spoilt'; readonly mutant: string; readonly file: string };

/** Mutant -> how often a test reached it. */
export interface Hits {
  readonly [mutant: string]: number;
}

/** What a run of a test file is for: to see what its tests reach, to repeat tests with mutants, or to run it with one mutant from its beginning. */
export type Work =
  | { readonly is: 'reach'; readonly log: string }
  | { readonly is: 'repeat'; readonly log: string; readonly tests: { readonly [test: string]: Repeats } }
  | { readonly is: 'whole'; readonly log: string; readonly mutant: string };

export interface Repeats {
  /** Mutants and how often the test reaches them. */
  readonly mutants: Hits;
  /** Milliseconds of processor time that the test takes without a mutant. */
  readonly ms: number;
}

export function append(log: string, line: Line): void {
  appendFileSync(log, `${JSON.stringify(line)}\n`);
}

/** Returns how to read what was appended since the last time. */
export function follow(log: string): () => readonly Line[] {
  const file = openSync(log, 'r');
  let rest = Buffer.alloc(0);
  const buffer = Buffer.alloc(1 << 20);
  return () => {
    const parts = [rest];
    for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer))
      parts.push(Buffer.from(buffer.subarray(0, count)));
    const text = Buffer.concat(parts);
    const end = text.lastIndexOf('\n') + 1;
    rest = text.subarray(end);
    if (end === 0) return [];
    return text
      .toString('utf8', 0, end - 1)
      .split('\n')
      .map((line): Line => JSON.parse(line));
  };
}
