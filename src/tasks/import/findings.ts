// Entries in; what is wrong with each of them by itself, as the repairs that make a valid manifest of them, out.

import type { Address } from '../../base/model.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Maker } from '../../kinds/kind.ts';
import type { Limits } from '../../kinds/limits.ts';
import { checkDefinitions } from '../../manifest/resolve.ts';
import { type Declared, declaredEntries } from '../../manifest/sections.ts';
import { validate } from '../../manifest/validate.ts';
import { collector } from '../../yaml/collector.ts';
import type { Path } from '../../yaml/mark.ts';
import type { Entry } from './entry.ts';
import { manifestOf } from './manifest-value.ts';

export interface Findings {
  readonly whole: ReadonlyMap<Address, string>;
  readonly fields: ReadonlyMap<Address, ReadonlyMap<string, string>>;
}

/** Only errors: what is a warning can be declared. */
export function findingsIn(entries: readonly Entry[], maker: Maker, limits: Limits): Findings {
  const manifest = manifestOf(entries);
  const all = declaredEntries(manifest);
  const collected = collector();
  validate(manifest, all, maker, limits, collected.emit);
  checkDefinitions(all, collected.emit);
  const own = new Set(entries.map(({ address }) => address));
  const whole = new Map<Address, string>();
  const fields = new Map<Address, Map<string, string>>();
  for (const { path, finding } of collected.found) {
    if (finding.severity === 'warning') continue;
    const entry = ownerOf(path, all);
    if (entry === null || !own.has(entry.address)) continue;
    const field = path[entry.path.length];
    if (typeof field !== 'string' || KINDS[entry.kind.name].fields[field] === undefined) {
      whole.set(entry.address, finding.message);
    } else {
      const found = fields.get(entry.address) ?? new Map<string, string>();
      fields.set(entry.address, found.set(field, found.get(field) ?? finding.message));
    }
  }
  return { whole, fields };
}

/** The innermost entry that a path leads into; a value may stand in an entry of another kind. */
function ownerOf(path: Path, entries: readonly Declared[]): Declared | null {
  const holding = entries.filter((entry) => entry.path.every((step, depth) => step === path[depth]));
  return holding.reduce<Declared | null>(
    (found, entry) => (found === null || entry.path.length > found.path.length ? entry : found),
    null,
  );
}
