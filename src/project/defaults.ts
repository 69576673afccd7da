// Settings of a target combined with those of `defaults`. Each setting keeps the place where it is written.

import { isList, isObject } from '../base/json.ts';
import { type Json, LINT_IDS } from '../base/model.ts';
import { type Composed, itemsOf, membersOf, withItems, withMembers } from '../manifest/origin.ts';

/** Settings that have the members of both (mappings), or the items of both, the target's first (lists). Others replace the one of `defaults`. */
export const COMBINED = [
  'labels',
  'drift',
  'drift.severity',
  'drift.ignore',
  'routing',
  'routing.lint',
  ...LINT_IDS.flatMap((id) => [`routing.lint.${id}`, `routing.lint.${id}.except`]),
  'limits',
];

/** `prefix`: of the names in `COMBINED`, for members of a setting. */
export function withDefaults(own: Composed, defaults: Composed, prefix = ''): Composed {
  const members = new Map(membersOf(defaults));
  for (const [name, setting] of membersOf(own)) {
    const preset = members.get(name);
    members.set(name, preset === undefined ? setting : combined(setting, preset, prefix + name));
  }
  return withMembers(own.origin, [...members]);
}

function combined(own: Composed<Json>, preset: Composed<Json>, name: string): Composed<Json> {
  if (!COMBINED.includes(name)) return own;
  if (isList(own.value) && isList(preset.value)) return withItems(own.origin, [...itemsOf(own), ...itemsOf(preset)]);
  if (!isObject(own.value) || !isObject(preset.value)) return own;
  return withDefaults({ ...own, value: own.value }, { ...preset, value: preset.value }, `${name}.`);
}
