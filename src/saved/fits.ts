// A schema of ours and a value in; where the value is not what the schema says, out. Only the words that our schemas of documents are made of
// (plan/schema-parts.ts), and one thing otherwise: a member that is not known is none of its business.

import { equalJson } from '../canonical.ts';
import type { Schema } from '../kinds/kind.ts';
import { isList, isObject } from '../kinds/wire.ts';
import type { Json } from '../model.ts';

/** Path of the first member that does not fit, `.` for the value itself; null when all do. */
export function misfit(schema: Schema, value: Json, path = ''): string | null {
  const here = path === '' ? '.' : path;
  const { type, enum: values, const: only, anyOf, pattern, minimum, required, properties, items } = schema;
  if (isList(anyOf)) {
    const misfits = anyOf.map((each) => misfit(each as Schema, value, path));
    if (misfits.includes(null)) return null;
    // What gets further is what was meant.
    return misfits.reduce((a, b) => ((b ?? '').length > (a ?? '').length ? b : a), here);
  }
  if (type !== undefined && ![type].flat().some((name) => isOf(String(name), value))) return here;
  if (isList(values) && !values.some((each) => equalJson(each, value))) return here;
  if (only !== undefined && !equalJson(only, value)) return here;
  if (typeof pattern === 'string' && typeof value === 'string' && !new RegExp(pattern, 'u').test(value)) return here;
  if (typeof minimum === 'number' && typeof value === 'number' && value < minimum) return here;
  const within = (name: string): string => (path === '' ? name : `${path}.${name}`);
  if (isList(value)) {
    if (!isObject(items)) return null;
    return firstOf(value.map((item, index) => () => misfit(items, item, within(String(index)))));
  }
  if (!isObject(value)) return null;
  const missing = isList(required) ? required.find((name) => !Object.hasOwn(value, String(name))) : undefined;
  if (missing !== undefined) return within(String(missing));
  const known = isObject(properties) ? properties : {};
  const others = schema['additionalProperties'];
  return firstOf(
    Object.entries(value).map(([name, member]) => () => {
      const own = Object.hasOwn(known, name) ? known[name] : others;
      return isObject(own) ? misfit(own, member, within(name)) : null;
    }),
  );
}

function firstOf(looks: readonly (() => string | null)[]): string | null {
  for (const look of looks) {
    const found = look();
    if (found !== null) return found;
  }
  return null;
}

function isOf(type: string, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return isList(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
