// Live objects that no file manages: those that a plan and drift name, and the kinds that are managed at all.

import type { KindName, LiveObject } from '../base/model.ts';
import { kindOf } from '../kinds/index.ts';
import type { Bindings } from './binding/bind.ts';
import type { Comparison } from './compare.ts';
import { readsAsUnset } from './diff.ts';
import type { Unmanaged } from './plan.ts';

/**
 * Returns live objects that are neither declared nor owned, of the kinds that are managed. An external object is included only where everything else
 * undeclared goes.
 */
export function unmanagedObjects({ bindings, desired, ledger }: Comparison): readonly LiveObject[] {
  if (bindings.unmanaged.length === 0) return [];
  const managed = managedKinds({ desired, ledger });
  const lookedUp = new Set(desired.externals.map(({ kind, address }) => `${kind} ${bindings.ids.get(address)}`));
  return bindings.unmanaged
    .filter(({ kind, facts }) => managed.has(kind) && facts.builtin !== true)
    .filter((object) => !lookedUp.has(`${object.kind} ${object.id}`) || bindings.keptBecause.has(object))
    .filter((object) => !readsAsUnset(String(object.id), object, desired));
}

export function unmanagedEntry(object: LiveObject, { keptBecause }: Bindings): Unmanaged {
  return {
    type: object.kind,
    id: object.id,
    name: object.name,
    released: null,
    reason: keptBecause.get(object) ?? (object.facts.derived === true ? 'made by a bot template' : null),
  };
}

/** Kinds that are only read because something refers to them are not managed. */
export function managedKinds({ desired, ledger }: Pick<Comparison, 'desired' | 'ledger'>): ReadonlySet<KindName> {
  const managed = new Set(desired.complete);
  for (const { kind } of desired.resources) managed.add(kind);
  for (const address of ledger.bindings.keys()) managed.add(kindOf(address));
  return managed;
}
