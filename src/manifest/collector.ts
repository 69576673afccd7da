// Findings in, in the order of the stages; those worth telling out. A value that was found wrong once is not found wrong again.

import type { Diagnostic } from '../model.ts';
import { diagnose, type Mark, type Part, type Path } from './mark.ts';
import type { Located } from './wording.ts';

/** Takes findings of one stage about one thing: none of them hides another. */
export type Emit = (...located: readonly Located[]) => void;

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
  const emit = (...given: readonly Located[]): void => {
    for (const located of given.filter(isNew)) {
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

/** The findings at their places. */
export function diagnosticsOf({ found }: Collector, markAt: (path: Path, part: Part) => Mark): readonly Diagnostic[] {
  return found.map(({ path, part, finding, related = [] }) =>
    diagnose(markAt(path, part), {
      ...finding,
      related: related.map((other) => ({ mark: markAt(other.path, other.part), message: other.message })),
    }),
  );
}
