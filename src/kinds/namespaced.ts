// Keys and bodies of properties and their values: `<namespace>/<name>`. A namespace has no slash; a name may have any character.

import { grouped } from '../base/grouped.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';

/** The first part and the rest. */
export function splitName(key: string): readonly [first: string, rest: string] {
  const slash = key.indexOf('/');
  return slash < 0 ? [key, ''] : [key.slice(0, slash), key.slice(slash + 1)];
}

/** Several calls as one: updates carry the values of names, deletes lists of names. No two calls of a run carry the same name. */
export function joinProperties(bodies: readonly JsonObject[]): JsonObject {
  const joined: Record<string, Json> = {};
  for (const { properties } of bodies) {
    for (const [namespace, added] of Object.entries(isObject(properties) ? properties : {})) {
      const known = joined[namespace];
      if (isList(added)) joined[namespace] = [...(isList(known) ? known : []), ...added];
      else if (isObject(added)) joined[namespace] = { ...(isObject(known) ? known : {}), ...added };
    }
  }
  return { ...bodies[0], properties: joined };
}

/** Keys of `depth` namespaces and a name, as objects in each other: `{ <namespace>: { <name>: value } }` for depth 1. */
export function nested(entries: readonly (readonly [key: string, value: Json])[], depth: number): JsonObject {
  if (depth === 0) return Object.fromEntries(entries);
  const inner = entries.map(([key, value]) => {
    const [first, rest] = splitName(key);
    return [first, [rest, value] as const] as const;
  });
  return Object.fromEntries([...grouped(inner)].map(([first, rest]) => [first, nested(rest, depth - 1)]));
}
