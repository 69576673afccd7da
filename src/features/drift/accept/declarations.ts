// What a manifest declares now, entry by entry: values as they are written, and with their variables inserted.

import { isList, isObject } from '../../../base/json.ts';
import type { Json, JsonObject, KindName, Live, ObjectId, Version } from '../../../base/model.ts';
import { manifestSchema } from '../../../manifest/schema.ts';
import { type DeclaredEntry, declaredEntries } from '../../../manifest/sections.ts';
import { substitute, type Variables, variablesIn } from '../../../manifest/substitute.ts';
import { collector } from '../../../yaml/diagnostics.ts';
import type { Path } from '../../../yaml/places.ts';
import type { Layers } from './layers.ts';

export interface Declarations {
  readonly layers: Layers;
  /** The composed value with its variables inserted. */
  readonly inserted: JsonObject;
  /** Of `inserted`, by address. */
  readonly entries: ReadonlyMap<string, DeclaredEntry>;
  readonly version: Version;
  readonly live: Live;
  /** The key of an object that got an entry in this run; null for any other. */
  readonly newKey: (kind: KindName, id: ObjectId) => string | null;
}

export function declarationsOf(
  layers: Layers,
  variables: Variables,
  { version, live, newKey }: Pick<Declarations, 'version' | 'live' | 'newKey'>,
): Declarations {
  const inserted = substitute({ ...layers.composed, templated: true }, manifestSchema, variables, collector().emit);
  const entries = new Map(declaredEntries(inserted).map((entry) => [entry.address, entry]));
  return { layers, inserted, entries, version, live, newKey };
}

/** Where a change from `before` to `now` would remove a variable; null when every variable stays. */
export function variableLost(before: Json | undefined, now: Json | undefined, path: Path): Path | null {
  if (typeof before === 'string') return before !== now && hasVariable(before) ? path : null;
  if (isList(before)) {
    const kept = new Set((isList(now) ? now : []).map((item) => JSON.stringify(item)));
    const index = before.findIndex((item) => containsVariable(item) && !kept.has(JSON.stringify(item)));
    if (index < 0) return null;
    return variableLost(before[index], isList(now) ? now[index] : undefined, [...path, index]);
  }
  for (const [name, member] of Object.entries(isObject(before) ? before : {})) {
    const lost = variableLost(member, isObject(now) ? now[name] : undefined, [...path, name]);
    if (lost !== null) return lost;
  }
  return null;
}

function containsVariable(value: Json): boolean {
  if (typeof value === 'string') return hasVariable(value);
  return Object.values(value ?? {}).some(containsVariable);
}

function hasVariable(text: string): boolean {
  return variablesIn(text).length > 0;
}
