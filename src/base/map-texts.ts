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
export function mapTexts(value: Json, { text, key = (name) => name }: TextChanges): Json {
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

  function inList(value: readonly Json[]): Json {
    const items = value.map(inMember);
    return items.every((item, index) => item === value[index]) ? value : items;
  }

  function inMapping(value: JsonObject): Json {
    let isSame = true;
    const members = Object.keys(value).map((name) => {
      const member = value[name] ?? null;
      const [inner, own] = [inMember(member, name), key(name, here, value)];
      if (inner !== member || own !== name) isSame = false;
      return [own, inner] as const;
    });
    return isSame ? value : Object.fromEntries(members);
  }
}
