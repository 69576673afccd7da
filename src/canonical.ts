// JSON values in, one text per value out: equal values give equal texts, whatever the order of their members. Or two values; whether they are equal.

import type { Json, JsonObject } from './model.ts';

/** Canonical JSON: members sorted by name, no white space. */
export function canonicalJson(value: Json | undefined): string {
  return JSON.stringify(sorted(value ?? null));
}

function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const names = Object.keys(value).sort();
  return Object.fromEntries(
    names.map((name) => [name, sorted((value as { readonly [name: string]: Json })[name] ?? null)]),
  );
}

/** Whether their canonical texts are equal. */
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  const one = a ?? null;
  const other = b ?? null;
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (isList(one) || isList(other)) {
    if (!isList(one) || !isList(other) || one.length !== other.length) return false;
    return one.every((item, place) => equalJson(item, other[place]));
  }
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && equalJson(one[name], other[name]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** `before` where `after` has the same members in the same order: what nothing changes need not be kept twice. */
export function unlessChanged<T extends JsonObject>(before: T, after: T): T {
  const names = Object.keys(before);
  const others = Object.keys(after);
  if (names.length !== others.length) return after;
  for (const [place, name] of names.entries()) if (name !== others[place] || before[name] !== after[name]) return after;
  return before;
}

/** Code-unit order: the same on every machine, unlike `localeCompare`. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
