// JSON values: what they are, their canonical text, and whether two are equal.

import type { Json, JsonObject } from './model.ts';

/** Of parsed JSON that is not checked yet. */
export type ParsedObject = { readonly [name: string]: unknown };

export function isObject(value: unknown): value is ParsedObject;
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value that a text is the JSON of; undefined for a text that is not JSON. */
export function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The member that a path leads to; undefined where it leads nowhere. */
export function valueAt(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let at: Json | undefined = value;
  for (const step of path) {
    if (isList(at) && typeof step === 'number') at = at[step];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}

/** The same for what another program wrote, of which any member can be missing: null then. */
export function memberOf(json: Json | undefined, ...path: readonly string[]): Json {
  return valueAt(json, path) ?? null;
}

/** A text that is not empty, or null. */
export function textAt(json: Json | undefined, ...path: readonly string[]): string | null {
  const found = memberOf(json, ...path);
  return typeof found === 'string' && found !== '' ? found : null;
}

/** A whole number, or null. */
export function numberAt(json: Json | undefined, ...path: readonly string[]): number | null {
  const found = memberOf(json, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
}

/** T where JSON says all of it: also an interface, which is no `Json` to the compiler because others could add members. */
export type Written<T> = T extends Json | undefined
  ? T
  : T extends (...given: never) => unknown
    ? never
    : T extends object
      ? { readonly [name in keyof T]: Written<T[name]> }
      : never;

/** Canonical JSON: members sorted by name, no white space. */
export function canonicalJson(value: Json | undefined): string;
export function canonicalJson<T>(value: T & Written<T>): string;
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
export function equalJson(a: Json | undefined, b: Json | undefined): boolean;
export function equalJson<T>(a: T & Written<T>, b: T & Written<T>): boolean;
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  const one = a ?? null;
  const other = b ?? null;
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (isList(one)) return isList(other) && equalLists(one, other);
  return !isList(other) && equalObjects(one, other);
}

function equalLists(one: readonly Json[], other: readonly Json[]): boolean {
  if (one.length !== other.length) return false;
  for (let place = 0; place < one.length; place += 1) {
    const item = one[place];
    if (item !== other[place] && !equalJson(item, other[place])) return false;
  }
  return true;
}

function equalObjects(one: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(one);
  const others = Object.keys(other);
  if (names.length !== others.length) return false;
  for (let place = 0; place < names.length; place += 1) {
    const name = names[place] ?? '';
    // Most of what is equal has its members in the same order.
    if (name !== others[place] && !Object.hasOwn(other, name)) return false;
    // Most members are equal scalars: comparing them here is faster than a call for each.
    const member = one[name];
    if (member !== other[name] && !equalJson(member, other[name])) return false;
  }
  return true;
}

/** `before` when `after` has the same members in the same order, so that equal values are kept once. */
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
