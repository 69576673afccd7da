// Settings of a target combined with those of `defaults`. Each setting keeps the place where it is written.

import { isList, isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import { type Composed, itemsOf, memberOrigin, originAt, withItems } from '../manifest/origin.ts';

/** Settings that have the members of both (mappings), or the items of both, the target's first (lists). Others replace the one of `defaults`. */
const COMBINED = ['drift', 'drift.severity', 'drift.ignore', 'routing', 'routing.lint', 'limits'];

/** `prefix`: of the names in `COMBINED`, for members of a setting. */
export function withDefaults(own: Composed, defaults: Composed, prefix = ''): Composed {
  const value: Record<string, Json> = { ...own.value };
  const members = new Map(own.origin.members);
  for (const [name, preset] of Object.entries(defaults.value)) {
    const below = { value: preset, origin: memberOrigin(defaults.origin, name) };
    const given = value[name];
    const setting =
      given === undefined
        ? below
        : combined({ value: given, origin: memberOrigin(own.origin, name) }, below, prefix + name);
    value[name] = setting.value;
    members.set(name, setting.origin);
  }
  return { value, origin: originAt(own.origin.source, own.origin.path, members) };
}

function combined(own: Composed<Json>, preset: Composed<Json>, name: string): Composed<Json> {
  if (!COMBINED.includes(name)) return own;
  if (isList(own.value) && isList(preset.value)) return withItems(own.origin, [...itemsOf(own), ...itemsOf(preset)]);
  if (!isObject(own.value) || !isObject(preset.value)) return own;
  return withDefaults({ ...own, value: own.value }, { ...preset, value: preset.value }, `${name}.`);
}
