// All entries in; references to what none of them declares out, each with the nearest name that one does.

import type { Address, KindName } from '../base/model.ts';
import { nearest } from '../base/nearest.ts';
import { KINDS } from '../kinds/index.ts';
import type { Emit } from '../yaml/collector.ts';
import { at } from '../yaml/wording.ts';
import { pointersOf } from './references.ts';
import { addressOf, type Declared } from './sections.ts';

/** Names that are compared at most: comparing every name with every other one would take minutes when a section is lost. */
const COMPARED = 300_000;

export function checkReferences(entries: readonly Declared[], emit: Emit): void {
  const declared = new Set<Address>(entries.map(({ address }) => address));
  const suggest = suggestions(entries);
  for (const entry of entries) {
    for (const { kind, path, part, to } of pointersOf(entry)) {
      if (typeof to !== 'string' || declared.has(addressOf(kind, to))) continue;
      const noun = KINDS[kind].noun.one;
      const meant = suggest(kind, to);
      const declare = `declare it, as \`{ external: ... }\` if the ${noun} is not managed here`;
      const remedy = meant === null ? declare : `did you mean \`${meant}\`? Otherwise ${declare}`;
      emit(at(path, part, 'dangling-reference', `no ${noun} \`${to}\` is declared`, remedy));
    }
  }
}

/** The declared key that is nearest to one that is not. */
export function suggestions(entries: readonly Declared[]): (kind: KindName, key: string) => string | null {
  const known = new Map<Address, string | null>();
  let compared = 0;
  return (kind, key) => {
    const address = addressOf(kind, key);
    const before = known.get(address);
    if (before !== undefined || compared >= COMPARED) return before ?? null;
    const keys = entries.flatMap((entry) => (entry.kind.name === kind ? [entry.key] : []));
    compared += entries.length;
    const meant = nearest(key, keys);
    known.set(address, meant);
    return meant;
  };
}
