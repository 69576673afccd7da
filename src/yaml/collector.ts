// Findings in, in the order of the stages; those worth telling out. A value that was found wrong once is not found wrong again.

import type { Diagnostic, Place } from '../base/model.ts';
import { diagnose, type Mark, type Part, type Path } from './mark.ts';
import type { Located } from './wording.ts';

/** Takes one finding, or several of which none hides another. */
export type Emit = (found: Located | readonly Located[]) => void;

export interface Collector {
  readonly emit: Emit;
  readonly found: readonly Located[];
}

export function collector(): Collector {
  const found: Located[] = [];
  const spoiled = new Set<string>();
  const misspelt = new Set<string>();
  const isNew = (located: Located): boolean => {
    const path = isAboutName(located) ? located.path.slice(0, -1) : located.path;
    if (spoiled.size > 0 && prefixes(path).some((prefix) => spoiled.has(prefix))) return false;
    return located.finding.code !== 'missing-field' || !misspelt.has(JSON.stringify(located.path));
  };
  const emit: Emit = (given) => {
    for (const located of ('finding' in given ? [given] : given).filter(isNew)) {
      const { path, part, finding } = located;
      found.push(located);
      if (finding.severity === 'warning') continue;
      if (part === 'value') spoiled.add(JSON.stringify(path));
      if (finding.code === 'unknown-field') misspelt.add(JSON.stringify(path.slice(0, -1)));
    }
  };
  return { emit, found };
}

/** A name can be wrong beside a wrong value; what a mapping lacks says nothing new once the mapping is wrong. */
function isAboutName({ part, finding }: Located): boolean {
  return part === 'key' && finding.code !== 'missing-field';
}

function prefixes(path: Path): readonly string[] {
  return [...path, ''].map((_, length) => JSON.stringify(path.slice(0, length)));
}

/**
 * The findings at their places. What the notation of a file refused reads as null: that this is no text, or no number, says nothing new,
 * so a finding at the place of one of `before` is left out.
 */
export function diagnosticsOf(
  { found }: Collector,
  markAt: (path: Path, part: Part) => Mark,
  before: readonly Diagnostic[],
): readonly Diagnostic[] {
  const told = new Set(before.map(({ place }) => position(place)));
  const diagnostics = found.map(({ path, part, within, finding, related = [] }) =>
    diagnose(narrowed(markAt(path, part), within), {
      ...finding,
      related: related.map((other) => ({ mark: markAt(other.path, other.part), message: other.message })),
    }),
  );
  return diagnostics.filter(({ place }) => !told.has(position(place)));
}

function position({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** The part of a scalar that is meant; the whole when it is not written in the first line as it reads. */
function narrowed(mark: Mark, within: Located['within']): Mark {
  if (within === undefined || mark.excerpt === null) return mark;
  let at = mark.place.column - 2;
  for (let nth = 0; nth <= within.nth; nth += 1) {
    at = mark.excerpt.indexOf(within.text, at + 1);
    if (at < 0) return mark;
  }
  return { ...mark, place: { ...mark.place, column: at + 1, length: within.text.length } };
}
