// The nouns of looking things up in a file: a path in its value, a mark where that stands, a source that makes marks.
// Also the one way to make a Diagnostic from a mark. Knows neither YAML nor any kind.

import { byText } from '../base/json.ts';
import type { Diagnostic, DiagnosticCode, Place } from '../base/model.ts';

/** From the root of a value to one of its members. */
export type Path = readonly (string | number)[];

/** The name of a member, or what stands there. */
export type Part = 'key' | 'value';

/** A position, with the line it points into: null when the file has none. */
export interface Mark {
  readonly place: Place;
  readonly excerpt: string | null;
}

/** Where the members of one file's value stand. */
export interface Source {
  readonly file: string;
  /** Looks through aliases and merge keys. For a path that does not exist: its nearest ancestor that does. */
  readonly mark: (path: Path, part: Part) => Mark;
}

/** A source without text: of a file that could not be read, for instance. Every mark is its first character. */
export function blankSource(file: string): Source {
  const mark: Mark = { place: { file, line: 1, column: 1, length: 1 }, excerpt: null };
  return { file, mark: () => mark };
}

/** What is found wrong, before it has a place. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly severity?: Diagnostic['severity'];
  readonly message: string;
  readonly remedy?: string | null;
  readonly related?: readonly { readonly mark: Mark; readonly message: string }[];
}

export function diagnose(mark: Mark, finding: Finding): Diagnostic {
  return {
    code: finding.code,
    severity: finding.severity ?? 'error',
    place: mark.place,
    message: finding.message,
    remedy: finding.remedy ?? null,
    excerpt: mark.excerpt,
    related: (finding.related ?? []).map(({ mark: { place }, message }) => ({ place, message })),
  };
}

/** By file, line and column; then by code, so that equal places have one order, too. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    byText(a.place.file, b.place.file) ||
    a.place.line - b.place.line ||
    a.place.column - b.place.column ||
    byText(a.code, b.code) ||
    byText(a.message, b.message)
  );
}
