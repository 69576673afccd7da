// The mutants that behave as their original, so that no test can fail: equal.yaml lists them by what they replace, with the reason.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Mutant } from './mutants.ts';

interface Equal {
  readonly reason: string;
  /** File -> `original -> replacement`, with one space for each white space. */
  readonly mutants: { readonly [file: string]: readonly string[] };
}

const LIST: readonly Equal[] = parse(readFileSync(join(import.meta.dirname, 'equal.yaml'), 'utf8'));

/** How people and the list name a mutant. */
export function nameOf({ original, replacement }: Mutant): string {
  return `${original} -> ${replacement}`.replaceAll(/\s+/g, ' ');
}

export function isEqual(mutant: Mutant): boolean {
  return LIST.some(({ mutants }) => mutants[mutant.file]?.includes(nameOf(mutant)) === true);
}
