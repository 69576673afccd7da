// Diagnostics: what is wrong in a file. A check reports a path; the collector keeps one finding for each mistake and finds its place.

import { isDeepStrictEqual } from 'node:util';
import { byText } from '../base/json.ts';
import type { Diagnostic, DiagnosticCode, FindingCounts, Place } from '../base/model.ts';
import { counted } from '../base/text.ts';
import type { Part, Path, PlaceMark } from './places.ts';

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
export type Emit = (found: PathDiagnostic | Iterable<PathDiagnostic>) => void;

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
  mark: PlaceMark,
  { code, severity = 'error', message, remedy = null }: UnplacedDiagnostic,
  related: readonly { readonly mark: PlaceMark; readonly message: string }[] = [],
): Diagnostic {
  const { place, excerpt, used } = mark;
  if (mark.isHidden === true) return hidden({ code, severity, place });
  const others = related.map((other) => ({ place: other.mark.place, message: other.message }));
  return {
    code,
    severity,
    place,
    message: shortened(message),
    remedy: remedy === null ? null : shortened(remedy),
    excerpt,
    related: used === undefined ? others : [used, ...others],
  };
}

/** A finding that repeats nothing of its file. Names and values in messages are also what stands there. */
export function hidden({ code, severity, place }: Pick<Diagnostic, 'code' | 'severity' | 'place'>): Diagnostic {
  return {
    code,
    severity,
    place,
    message: 'the file is wrong here; it is not shown, because it is outside of the project',
    remedy: 'copy the file into the folder of chatform.yaml, or into its repository, to see what is wrong',
    excerpt: null,
    related: [],
  };
}

/** Characters: a text of some megabytes can be in a thousand findings. */
const LONGEST_TEXT = 2000;

function shortened(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 3)}...`;
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

/** The finding about a file that another file names: at the place that names it, where the file itself has none. */
export function namedHere(diagnostic: Diagnostic, mark: PlaceMark): Diagnostic {
  const { code, place, message, remedy, related } = diagnostic;
  if (code === 'file-unreadable') return diagnose(mark, { code, message: `${place.file}: ${message}`, remedy });
  return { ...diagnostic, related: [...related, { place: mark.place, message: 'named here' }] };
}

/** Diagnostics in the order of their places, each once: what an anchor or a merge key repeats is wrong at one place. */
export function sorted(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const inOrder = found.toSorted(byPlace);
  return inOrder.filter((each, index) => {
    const before = inOrder[index - 1];
    return before === undefined || byPlace(before, each) !== 0 || !isDeepStrictEqual(before.related, each.related);
  });
}

/** How many findings a run tells. Merge keys make a million of a file that has only some kilobytes. */
export const MOST_FINDINGS = 1000;

/** The findings that a run tells: errors first if there are too many, in their order, and last how many more there are. */
export function limitFindings(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const own = found.filter(({ more }) => more === undefined);
  const cut = found.flatMap(({ more }) => more ?? []);
  if (own.length <= MOST_FINDINGS && cut.length === 0) return found;
  const [errors, warnings] = [own.filter(isError), own.filter((each) => !isError(each))];
  const kept = new Set([...errors, ...warnings].slice(0, MOST_FINDINGS));
  const shown = own.filter((each) => kept.has(each));
  const left = (all: readonly Diagnostic[], which: keyof FindingCounts): number =>
    all.filter((each) => !kept.has(each)).length + cut.reduce((sum, counts) => sum + counts[which], 0);
  return [...shown, ...moreFindings(shown, { errors: left(errors, 'errors'), warnings: left(warnings, 'warnings') })];
}

/** The finding that stands for those that are left out, at the place of the last one that is told. */
export function moreFindings(shown: readonly Diagnostic[], more: FindingCounts): readonly Diagnostic[] {
  const last = shown.at(-1);
  if (last === undefined || more.errors + more.warnings === 0) return [];
  const parts = [
    ...(more.errors > 0 ? [counted(more.errors, 'more error')] : []),
    ...(more.warnings > 0 ? [counted(more.warnings, 'more warning')] : []),
  ];
  const one: UnplacedDiagnostic = {
    code: 'more-findings',
    severity: more.errors > 0 ? 'error' : 'warning',
    message: `there are ${parts.join(' and ')}, which are not shown`,
    remedy: 'correct these first, then run the command again',
  };
  return [{ ...diagnose({ place: last.place, excerpt: null }, one), more }];
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

export interface Collector {
  readonly emit: Emit;
  readonly found: readonly PathDiagnostic[];
  /** The value at this path is wrong for a reason that is reported elsewhere. */
  readonly spoil: (path: Path) => void;
  /** How many were not kept. */
  readonly left: () => FindingCounts;
}

/**
 * Drops what follows from an earlier error: findings inside of a wrong value, and a missing field that is misspelt. Keeps `most` errors and as
 * many warnings, and counts the others.
 */
export function collector(most = Number.POSITIVE_INFINITY): Collector {
  const found: PathDiagnostic[] = [];
  const kept = { errors: 0, warnings: 0 };
  const left = { errors: 0, warnings: 0 };
  const spoiled = new Set<string>();
  const misspelt = new Set<string>();
  const isNew = (finding: PathDiagnostic): boolean => {
    const path = isAboutName(finding) ? finding.path.slice(0, -1) : finding.path;
    if (spoiled.size > 0 && isSpoiled(path)) return false;
    return finding.code !== 'missing-field' || !misspelt.has(JSON.stringify(finding.path));
  };
  const isSpoiled = (path: Path): boolean => {
    let prefix = '';
    if (spoiled.has(prefix)) return true;
    for (const step of path) {
      prefix += JSON.stringify(step);
      if (spoiled.has(prefix)) return true;
    }
    return false;
  };
  const spoil = (path: Path): void => {
    spoiled.add(path.map((step) => JSON.stringify(step)).join(''));
  };
  const emit: Emit = (given) => {
    const errors: PathDiagnostic[] = [];
    for (const finding of 'code' in given ? [given] : given) {
      if (!isNew(finding)) continue;
      const counts = finding.severity === 'warning' ? 'warnings' : 'errors';
      if (kept[counts] < most) {
        kept[counts] += 1;
        found.push(finding);
      } else left[counts] += 1;
      if (counts === 'errors') errors.push(finding);
    }
    for (const { path, part, code } of errors) {
      if (part === 'value') spoil(path);
      if (code === 'unknown-field') misspelt.add(JSON.stringify(path.slice(0, -1)));
    }
  };
  return { emit, found, spoil, left: () => left };
}

/** A name can be wrong in addition to its value. What a mapping lacks says nothing new once the mapping is wrong. */
function isAboutName({ part, code }: PathDiagnostic): boolean {
  return part === 'key' && code !== 'missing-field';
}

/**
 * The findings at their places. A value that the parser refused reads as null, and the checks then find the null wrong: a finding at the
 * place of one of `parsing` is left out.
 */
export function diagnosticsOf(
  { found, left }: Collector,
  markAt: (path: Path, part: Part) => PlaceMark,
  parsing: readonly Diagnostic[],
): readonly Diagnostic[] {
  const refused = new Set(parsing.map(({ place }) => position(place)));
  const diagnostics = found.map(({ path, part, within, related = [], ...finding }) => {
    const others = related.map((other) => ({ mark: markAt(other.path, other.part), message: other.message }));
    const mark = narrowed(markAt(path, part), within);
    return { ...diagnose(mark, finding, others), used: mark.used };
  });
  const own = oncePerValue(diagnostics).filter(({ place }) => !refused.has(position(place)));
  return [...own, ...moreFindings(own, left())];
}

/** One finding for a value that is used in several places: it has the first of them, and the number of the others. */
function oncePerValue(found: readonly (Diagnostic & { readonly used: PlaceMark['used'] })[]): readonly Diagnostic[] {
  const uses = new Map<string, number>();
  const keyOf = ({ place, code, message }: Diagnostic): string => `${position(place)} ${code} ${message}`;
  for (const each of found) if (each.used !== undefined) uses.set(keyOf(each), (uses.get(keyOf(each)) ?? 0) + 1);
  return found.flatMap(({ used, ...each }) => {
    const count = used === undefined ? 1 : (uses.get(keyOf(each)) ?? 0);
    // The first one stands for all.
    if (used !== undefined) uses.delete(keyOf(each));
    if (used === undefined || count === 1) return [each];
    if (count === 0) return [];
    const first = { ...used, message: `${used.message} here and in ${counted(count - 1, 'other place')}` };
    return [{ ...each, related: [first, ...each.related.slice(1)] }];
  });
}

/** `overlays/production.yaml:4:3`. */
export function position({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** The part of a scalar that is meant; all of it when the part is not on its first line as it reads. */
function narrowed(mark: PlaceMark, within: PathDiagnostic['within']): PlaceMark {
  if (within === undefined || mark.excerpt === null) return mark;
  let at = mark.place.column - 2;
  for (let nth = 0; nth <= within.nth; nth += 1) {
    at = mark.excerpt.indexOf(within.text, at + 1);
    if (at < 0) return mark;
  }
  return { ...mark, place: { ...mark.place, column: at + 1, length: within.text.length } };
}
