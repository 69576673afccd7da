// Diagnostics: what is wrong in a file. A check reports a path; the collector keeps one finding for each mistake and finds its place.

import { byText } from '../base/json.ts';
import type { Diagnostic, DiagnosticCode, Place } from '../base/model.ts';
import type { Mark, Part, Path } from './places.ts';

/** A diagnostic that has no place yet. */
export interface UnplacedDiagnostic {
  readonly code: DiagnosticCode;
  readonly severity?: Diagnostic['severity'];
  /** What is wrong: one sentence without a full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string | null;
}

/** A diagnostic of a member of a value. */
export interface PathDiagnostic extends UnplacedDiagnostic {
  readonly path: Path;
  readonly part: Part;
  /** The part of a scalar that is meant: the text, and which of its occurrences, counted from 0. */
  readonly within?: { readonly text: string; readonly nth: number };
  /** Other members that take part. */
  readonly related?: readonly { readonly path: Path; readonly part: Part; readonly message: string }[];
}

/** Reports one finding, or several of which none hides another. */
export type Emit = (found: PathDiagnostic | readonly PathDiagnostic[]) => void;

export function at(
  path: Path,
  part: Part,
  code: DiagnosticCode,
  message: string,
  remedy: string | null = null,
): PathDiagnostic {
  return { path, part, code, message, remedy };
}

export function diagnose(
  mark: Mark,
  { code, severity = 'error', message, remedy = null }: UnplacedDiagnostic,
  related: readonly { readonly mark: Mark; readonly message: string }[] = [],
): Diagnostic {
  const { place, excerpt } = mark;
  const others = related.map((other) => ({ place: other.mark.place, message: other.message }));
  return { code, severity, place, message, remedy, excerpt, related: others };
}

/** By file, line and column; then by code and message, so that diagnostics of one place have one order. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    byText(a.place.file, b.place.file) ||
    a.place.line - b.place.line ||
    a.place.column - b.place.column ||
    byText(a.code, b.code) ||
    byText(a.message, b.message)
  );
}

/** Each item whose key an earlier item has, with the first one that has it. A null key is like no other. */
export function repeated<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | null,
): readonly { readonly item: Item; readonly first: Item }[] {
  const firsts = new Map<string, Item>();
  return items.flatMap((item) => {
    const key = keyOf(item);
    const first = key === null ? undefined : firsts.get(key);
    if (key !== null && first === undefined) firsts.set(key, item);
    return first === undefined ? [] : [{ item, first }];
  });
}

export interface Collector {
  readonly emit: Emit;
  readonly found: readonly PathDiagnostic[];
}

/** Drops what follows from an earlier error: findings inside of a wrong value, and a missing field that is misspelt. */
export function collector(): Collector {
  const found: PathDiagnostic[] = [];
  const spoiled = new Set<string>();
  const misspelt = new Set<string>();
  const isNew = (finding: PathDiagnostic): boolean => {
    const path = isAboutName(finding) ? finding.path.slice(0, -1) : finding.path;
    if (spoiled.size > 0 && prefixes(path).some((prefix) => spoiled.has(prefix))) return false;
    return finding.code !== 'missing-field' || !misspelt.has(JSON.stringify(finding.path));
  };
  const emit: Emit = (given) => {
    for (const finding of ('code' in given ? [given] : given).filter(isNew)) {
      const { path, part, code, severity } = finding;
      found.push(finding);
      if (severity === 'warning') continue;
      if (part === 'value') spoiled.add(JSON.stringify(path));
      if (code === 'unknown-field') misspelt.add(JSON.stringify(path.slice(0, -1)));
    }
  };
  return { emit, found };
}

/** A name can be wrong in addition to its value. What a mapping lacks says nothing new once the mapping is wrong. */
function isAboutName({ part, code }: PathDiagnostic): boolean {
  return part === 'key' && code !== 'missing-field';
}

function prefixes(path: Path): readonly string[] {
  return [...path, ''].map((_, length) => JSON.stringify(path.slice(0, length)));
}

/**
 * The findings at their places. A value that the parser refused reads as null, and the checks then find the null wrong: a finding at the
 * place of one of `parsing` is left out.
 */
export function diagnosticsOf(
  { found }: Collector,
  markAt: (path: Path, part: Part) => Mark,
  parsing: readonly Diagnostic[],
): readonly Diagnostic[] {
  const refused = new Set(parsing.map(({ place }) => position(place)));
  const diagnostics = found.map(({ path, part, within, related = [], ...finding }) => {
    const others = related.map((other) => ({ mark: markAt(other.path, other.part), message: other.message }));
    return diagnose(narrowed(markAt(path, part), within), finding, others);
  });
  return diagnostics.filter(({ place }) => !refused.has(position(place)));
}

function position({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** The part of a scalar that is meant; all of it when the part is not on its first line as it reads. */
function narrowed(mark: Mark, within: PathDiagnostic['within']): Mark {
  if (within === undefined || mark.excerpt === null) return mark;
  let at = mark.place.column - 2;
  for (let nth = 0; nth <= within.nth; nth += 1) {
    at = mark.excerpt.indexOf(within.text, at + 1);
    if (at < 0) return mark;
  }
  return { ...mark, place: { ...mark.place, column: at + 1, length: within.text.length } };
}
