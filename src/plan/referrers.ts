// The license as it was read in; who refers to what there, in the plan's terms, out: who is left behind when something goes.

import { byText } from '../base/json.ts';
import type { Live, LiveObject, Reference } from '../base/model.ts';
import { referencesOf } from '../kinds/fields.ts';
import { KIND_NAMES, KINDS } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Bindings } from './binding/bind.ts';
import { liveSpec } from './diff.ts';
import type { Referrer } from './plan.ts';

/** Looks at the license only when somebody asks: most plans have no danger. */
export function referrersIn(live: Live, bindings: Bindings): (address: Reference) => readonly Referrer[] {
  let known: ReadonlyMap<Reference, readonly Referrer[]> | null = null;
  return (address) => {
    known ??= allReferrers(live, bindings);
    return known.get(address) ?? [];
  };
}

function allReferrers(live: Live, bindings: Bindings): ReadonlyMap<Reference, readonly Referrer[]> {
  const found = new Map<Reference, Referrer[]>();
  for (const name of KIND_NAMES) {
    const kind = KINDS[name];
    const objects = (live.objects[name] ?? []).map((object) => ({
      object,
      reference: bindings.referenceTo(name, object.id),
    }));
    // The order of a live list must not show.
    for (const { object, reference } of objects.toSorted((one, other) => byText(one.reference, other.reference))) {
      const referrer: Referrer = { type: name, reference, name: object.name };
      for (const to of new Set(pointsAt(kind, object, referrer.reference, bindings))) {
        const others = found.get(to);
        if (others === undefined) found.set(to, [referrer]);
        else others.push(referrer);
      }
    }
  }
  return found;
}

function pointsAt(kind: Kind, object: LiveObject, reference: Reference, bindings: Bindings): readonly Reference[] {
  const fields = referencesOf(kind, liveSpec(kind, object, bindings));
  const key = reference.startsWith(`${kind.name}/`) ? reference.slice(kind.name.length + 1) : null;
  return key === null ? fields : [...fields, ...(kind.parents?.(key) ?? [])];
}
