// JSON of somebody else in, what stands at a path in it out, or null: a host may leave out anything.

import { isObject } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';

export function memberOf(json: Json | undefined, ...path: readonly string[]): Json {
  let found = json;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return found ?? null;
}

export function textAt(json: Json | undefined, ...path: readonly string[]): string | null {
  const found = memberOf(json, ...path);
  return typeof found === 'string' && found !== '' ? found : null;
}

export function numberAt(json: Json | undefined, ...path: readonly string[]): number | null {
  const found = memberOf(json, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
}
