// Keys and bodies of things that live in namespaces: `<namespace>/<name>`. A namespace has no slash; a name may have anything, dots included.

import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';

/** The first part and the rest. */
export function splitName(key: string): readonly [first: string, rest: string] {
  const slash = key.indexOf('/');
  return slash < 0 ? [key, ''] : [key.slice(0, slash), key.slice(slash + 1)];
}

/** Values of several calls as one `properties` member; no two calls of a run carry the same name. Specification: "Property", value format. */
export function joinValues(bodies: readonly JsonObject[]): JsonObject {
  const namespaces: Record<string, Record<string, Json>> = {};
  for (const body of bodies) {
    for (const [namespace, values] of Object.entries(isObject(body['properties']) ? body['properties'] : {})) {
      if (isObject(values)) namespaces[namespace] = { ...namespaces[namespace], ...values };
    }
  }
  return { ...bodies[0], properties: namespaces };
}

/** Names of several deletes as one `properties` member. */
export function joinNames(bodies: readonly JsonObject[]): JsonObject {
  const namespaces: Record<string, Json[]> = {};
  for (const body of bodies) {
    for (const [namespace, names] of Object.entries(isObject(body['properties']) ? body['properties'] : {})) {
      namespaces[namespace] = [...(namespaces[namespace] ?? []), ...(Array.isArray(names) ? names : [])];
    }
  }
  return { ...bodies[0], properties: namespaces };
}

/** Deletes carry lists of names, updates carry values. */
export function joinProperties(bodies: readonly JsonObject[]): JsonObject {
  const names = bodies.some(
    (body) => isObject(body['properties']) && Object.values(body['properties']).some(Array.isArray),
  );
  return names ? joinNames(bodies) : joinValues(bodies);
}
