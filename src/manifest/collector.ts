// Findings in, in the order of the stages; those worth telling out. A value that was found wrong once is not found wrong again.

import type { Path } from './mark.ts';
import type { Located } from './wording.ts';

export type Emit = (located: Located) => void;

export interface Collector {
  readonly emit: Emit;
  readonly found: readonly Located[];
}

export function collector(): Collector {
  const found: Located[] = [];
  const spoiled = new Set<string>();
  const misspelt = new Set<string>();
  const emit = (located: Located): void => {
    const { path, part, finding } = located;
    if (spoiled.size > 0 && prefixes(isAboutName(located) ? path.slice(0, -1) : path).some((at) => spoiled.has(at)))
      return;
    if (finding.code === 'missing-field' && misspelt.has(JSON.stringify(path))) return;
    found.push(located);
    if (finding.severity === 'warning') return;
    if (part === 'value') spoiled.add(JSON.stringify(path));
    if (finding.code === 'unknown-field') misspelt.add(JSON.stringify(path.slice(0, -1)));
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
