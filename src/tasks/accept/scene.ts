// Layers of texts and the variables of the target in; what they declare, entry by entry, with the values as they are written and as they are meant, out.

import { isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject, KindName, Live, ObjectId, Version } from '../../base/model.ts';
import { manifestSchema } from '../../manifest/schema.ts';
import { type Declared, declaredEntries } from '../../manifest/sections.ts';
import { collector } from '../../yaml/collector.ts';
import type { Path } from '../../yaml/mark.ts';
import { substitute, type Variables, variablesIn } from '../../yaml/substitute.ts';
import type { Layers } from './layers.ts';

export interface Scene {
  readonly layers: Layers;
  /** The composed value with its variables inserted. */
  readonly inserted: JsonObject;
  /** Of `inserted`. */
  readonly entries: ReadonlyMap<string, Declared>;
  readonly version: Version;
  readonly live: Live;
  /** The key of an object that became declared just now; null for any other. */
  readonly newKey: (kind: KindName, id: ObjectId) => string | null;
}

export function sceneOf(
  layers: Layers,
  variables: Variables,
  { version, live, newKey }: Pick<Scene, 'version' | 'live' | 'newKey'>,
): Scene {
  const inserted = substitute({ ...layers.composed, templated: true }, manifestSchema, variables, collector().emit);
  const entries = new Map(declaredEntries(inserted).map((entry) => [entry.address, entry]));
  return { layers, inserted, entries, version, live, newKey };
}

/** Where a variable is inserted into what is written and would not be any more; null when every variable stays. */
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
