// A JSON value with its texts changed: values, and keys of mappings.

import { isList, isObject } from './json.ts';
import type { Json, JsonObject } from './model.ts';

/** Each function gets the path of the value or the mapping. One path grows and shrinks, so copy it to keep it. */
export interface TextChanges {
  readonly text: (text: string, path: readonly (string | number)[]) => Json;
  /** Left out, keys stay. */
  readonly key?: (key: string, path: readonly (string | number)[], mapping: JsonObject) => string;
}

/** Returns the same value where nothing changes. */
export function mapTexts(value: Json, { text, key }: TextChanges): Json {
  const here: (string | number)[] = [];
  return inValue(value);

  function inValue(value: Json): Json {
    if (typeof value === 'string') return text(value, here);
    if (isList(value)) return inList(value);
    return isObject(value) ? inMapping(value) : value;
  }

  function inMember(value: Json, step: string | number): Json {
    here.push(step);
    const inner = inValue(value);
    here.pop();
    return inner;
  }

  // Nothing is made before something changes: every value of a manifest comes through here.
  function inList(value: readonly Json[]): Json {
    let changed: Json[] | undefined;
    for (let index = 0; index < value.length; index += 1) {
      const item = value[index] ?? null;
      const inner = inMember(item, index);
      if (inner === item) continue;
      changed ??= [...value];
      changed[index] = inner;
    }
    return changed ?? value;
  }

  function inMapping(value: JsonObject): Json {
    const names = Object.keys(value);
    let changed: [string, Json][] | undefined;
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] ?? '';
      const member = value[name] ?? null;
      const inner = inMember(member, name);
      const own = key === undefined ? name : key(name, here, value);
      if (inner === member && own === name) continue;
      changed ??= names.map((each) => [each, value[each] ?? null]);
      changed[index] = [own, inner];
    }
    return changed === undefined ? value : Object.fromEntries(changed);
  }
}
