// Mutants of source files: found and put behind switches by Stryker's instrumenter, all of them or some drawn by lines.

import { readFileSync } from 'node:fs';
import { Instrumenter } from '@stryker-mutator/instrumenter';

export interface Mutant {
  /** The number that its switch asks for. */
  readonly id: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** What it replaces. */
  readonly original: string;
  readonly replacement: string;
}

export interface Mutated {
  readonly mutants: readonly Mutant[];
  /** File -> its code with all mutants. */
  readonly code: ReadonlyMap<string, string>;
}

const quiet = () => undefined;
const LOGGER = { isDebugEnabled: () => false, debug: quiet, info: quiet, warn: quiet };

function textBetween(lines: readonly string[], { start, end }: { start: Place; end: Place }): string {
  const within = lines.slice(start.line, end.line + 1);
  const last = (within.at(-1) ?? '').slice(0, end.column);
  return [...within.slice(0, -1), last].join('\n').slice(start.column);
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** All mutants of source files, each once. */
export async function mutantsOf(names: readonly string[]): Promise<Mutated> {
  const files = names.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true }));
  const made = await new Instrumenter(LOGGER as never).instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  const known = new Set<string>();
  const lines = new Map(files.map(({ name, content }) => [name, content.split('\n')]));
  return {
    code: new Map(made.files.map(({ name, content }) => [name, content])),
    mutants: made.mutants
      .map(({ id, fileName, location, replacement }) => ({
        id,
        file: fileName,
        line: location.start.line + 1,
        column: location.start.column + 1,
        original: textBetween(lines.get(fileName) ?? [], location),
        replacement,
      }))
      .filter((mutant) => known.size < known.add(JSON.stringify({ ...mutant, id: '' })).size),
  };
}
