// Places in files: paths into a value, marks in a text, and the sources that lead from the one to the other.

import type { Diagnostic, Json, Place } from '../base/model.ts';

/** From the root of a value to one of its members. */
export type Path = readonly (string | number)[];

/** The name of a member, or its value. */
export type Part = 'key' | 'value';

/** A place, with the text of its line: null when the file has none. */
export interface PlaceMark {
  readonly place: Place;
  readonly excerpt: string | null;
  /** The file does not belong to the project: no finding says what stands there. */
  readonly isHidden?: true;
  /** Where the value is used that is written here; left out where that is the same place. */
  readonly used?: { readonly place: Place; readonly message: string };
}

/** Where the members of one file's value are written. */
export interface Source {
  readonly file: string;
  /** Follows aliases and merge keys. A path that does not exist gets the mark of its nearest ancestor. */
  readonly mark: (path: Path, part: Part) => PlaceMark;
}

/** One file as a value, with its places and everything that is wrong with its notation. */
export interface Parsed {
  readonly source: Source;
  /** Objects are shared where the file uses aliases: never change one in place. */
  readonly value: Json;
  /** Whether a text in it may have a `${`: most files have none, and need not be searched for one. */
  readonly templated: boolean;
  /** As `isPlainText` says. */
  readonly plain: boolean;
  /** Whether the value is all that the file says: false after an error of syntax, and where aliases stand for too much. */
  readonly whole: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** A source without text, such as a file that could not be read. Every mark is its first character. */
export function blankSource(file: string): Source {
  const mark: PlaceMark = { place: { file, line: 1, column: 1, length: 1 }, excerpt: null };
  return { file, mark: () => mark };
}

/** Makes marks for ranges of offsets in a text. A range ends with its line. Lines are counted when the first mark is asked for. */
export function marker(file: string, text: string): (start: number, end: number) => PlaceMark {
  let starts: readonly number[] | null = null;
  return (start, end) => {
    starts ??= lineStarts(text);
    const line = lineOf(starts, Math.min(start, text.length));
    const from = starts[line] ?? 0;
    const next = starts[line + 1];
    const last = next === undefined ? text.length : next - 1;
    const excerpt = text.slice(from, last > from && text[last - 1] === '\r' ? last - 1 : last);
    const column = Math.min(start - from, excerpt.length);
    const length = Math.max(1, Math.min(end - start, excerpt.trimEnd().length - column));
    return { place: { file, line: line + 1, column: column + 1, length }, excerpt };
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The last line that starts at or before the offset. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Paths, of which none may be inside of another. */
export interface PathIndex {
  /** Whether the path is not one of them, not inside of one, and not around one. */
  readonly isApart: (path: Path) => boolean;
  readonly add: (path: Path) => void;
}

export function pathIndex(): PathIndex {
  const whole = new Set<string>();
  const around = new Set<string>();
  const beginnings = (path: Path): readonly string[] => path.map((_, depth) => pathText(path.slice(0, depth)));
  return {
    isApart: (path) =>
      !around.has(pathText(path)) && ![...beginnings(path), pathText(path)].some((each) => whole.has(each)),
    add: (path) => {
      whole.add(pathText(path));
      for (const each of beginnings(path)) around.add(each);
    },
  };
}

/** An index and a name that read alike have different texts. */
export function pathText(path: Path): string {
  return JSON.stringify(path);
}
