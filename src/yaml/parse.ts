// The text of one YAML file in; its value as plain JSON, a source of places and every error of the notation out.
// The door to two parsers of which only this file knows that there are two: they never say different things.

import type { Diagnostic, Json } from '../base/model.ts';
import type { Source } from './mark.ts';
import { readOrdinary } from './ordinary.ts';
import { ordinarySource } from './ordinary-places.ts';

/** One file as a value. */
export interface Parsed {
  readonly source: Source;
  /** Objects are shared where the file uses aliases: never change one in place. */
  readonly value: Json;
  /** Whether a text in it may have a `${`: most files have none, and need not be searched for one. */
  readonly templated: boolean;
  /** Whether the value is all of what the file says: false after an error of syntax. */
  readonly whole: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** YAML 1.2, core schema, and the merge key `<<`. */
export async function parseYaml(file: string, text: string): Promise<Parsed> {
  const ordinary = readOrdinary(text);
  // Loaded only for files that need it: it takes longer to load than most files take to read.
  if (ordinary === null) return (await import('./parse-tree.ts')).parseTree(file, text);
  return {
    source: ordinarySource(file, text, ordinary.nodes),
    value: ordinary.value,
    templated: ordinary.templated,
    whole: true,
    diagnostics: [],
  };
}
