// The door to the two YAML parsers: a quick one for ordinary files, and a thorough one for the others. They never disagree about a file.

import type { Parsed, Path } from './places.ts';
import { parseOrdinary } from './quick/parse.ts';
import { parsedOrdinary } from './quick/places.ts';

export interface ParsedText extends Parsed {
  /** A plain scalar as it is written, such as `00123` for the number 123. */
  readonly written: (path: Path) => string;
}

/** YAML 1.2, core schema, and the merge key `<<`. */
export async function parseYaml(file: string, text: string): Promise<ParsedText> {
  const parsed = await treeOf(file, text);
  const written = (path: Path): string => {
    const { place, excerpt } = parsed.source.mark(path, 'value');
    return (excerpt ?? '').slice(place.column - 1, place.column - 1 + place.length);
  };
  return { ...parsed, written };
}

async function treeOf(file: string, text: string): Promise<Parsed> {
  const ordinary = parseOrdinary(text);
  // Loaded only for files that need it: loading it takes longer than reading most files.
  if (ordinary === null) return (await import('./thorough/parse.ts')).parseTree(file, text);
  return parsedOrdinary(file, text, ordinary);
}
