// What a run left of a resource, and what is there now, in; the fields that somebody changed since, out.

import { equalJson, isObject } from '../../base/json.ts';
import type { Address, Json, LedgerState, Live, LiveObject, ObjectId, Reference, Spec } from '../../base/model.ts';
import { normalise } from '../../kinds/fields.ts';
import { KINDS } from '../../kinds/index.ts';
import { type Field, type Kind, perVersion } from '../../kinds/kind.ts';
import type { Bindings } from '../../plan/binding/bind.ts';
import { desiredSpec, liveSpec } from '../../plan/diff.ts';

/** The license that an undo is planned for. */
export interface Scene {
  readonly bindings: Bindings;
  readonly live: Live;
  readonly ledger: LedgerState;
}

/**
 * Of `names`, those of which the live value is neither what was left nor `wanted`. What was left unsaid, or cannot be read, is not compared:
 * only what is certain counts.
 */
export function changedSince(
  object: LiveObject,
  left: Spec,
  wanted: Spec,
  names: readonly string[],
  scene: Scene,
): readonly string[] {
  const kind = KINDS[object.kind];
  const [now, then, before] = [liveSpec(kind, object, scene.bindings), inTerms(kind, left, scene), wanted];
  return names.filter((name) => {
    const field = kind.fields[name];
    if (field === undefined || field.option === true || object.facts.unread?.includes(name) === true) return false;
    if (perVersion(field.readable, scene.live.version) === 'never' || then[name] === undefined) return false;
    const value = now[name] ?? field.absent;
    if (value === undefined) return false;
    return ![then[name], before[name]].some((known) => isSame(field, value, known, scene));
  });
}

/** A spec of the ledger in the terms of the license as it is now. */
export function inTerms(kind: Kind, spec: Spec, { bindings }: Scene): Spec {
  return desiredSpec(kind, normalise(kind, spec), bindings);
}

function isSame(field: Field, now: Json, known: Json | undefined, scene: Scene): boolean {
  if (known === undefined) return false;
  const aligned = field.align?.(now, known, scene.live.version) ?? now;
  return equalJson(existing(field, aligned, scene), existing(field, known, scene));
}

/** Of a map, the entries of objects that exist: with an object its entries go, whoever deletes it. */
function existing(field: Field, value: Json, scene: Scene): Json {
  if (field.references?.at !== 'keys' || !isObject(value)) return value;
  const target = field.references.kind;
  return Object.fromEntries(Object.entries(value).filter(([reference]) => exists(target, reference, scene)));
}

/** Whether a reference means a live object, ours or nobody's; of a kind that was not read, nobody knows better. */
export function exists(target: LiveObject['kind'], reference: Reference, scene: Scene): boolean {
  const id = ownIdOf(reference, scene);
  const objects = scene.live.objects[target];
  return id !== null && (objects === undefined || objects.some((object) => String(object.id) === String(id)));
}

function ownIdOf(reference: Reference, { bindings, ledger }: Scene): ObjectId | null {
  const own = ledger.bindings.get(reference as Address);
  if (own !== undefined) return own.id;
  // A bare id is its own; an address that the ledger does not know is none.
  return bindings.idOf(reference) === reference ? reference : null;
}
