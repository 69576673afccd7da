// JSON values in, one text per value out: equal values give equal texts, whatever the order of their members.

import type { Json } from './model.ts';

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

export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}

/** Code-unit order: the same on every machine, unlike `localeCompare`. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
