// Readers of parsed JSON: each returns a typed value, or throws a `validation` refusal that names the member.
// `null` is absent and unknown members are ignored, as service-notes.md says under "Wire".

import { refuse } from './refusal.ts';

/** Reads one value that stands at `path` (`groups[0].id`; empty for the whole body); refuses what does not fit. */
export type JsonReader<T> = (value: unknown, path: string) => T;

export type FieldReaders = { readonly [name: string]: JsonReader<unknown> };
type OptionalNames<F extends FieldReaders> = {
  [N in keyof F]: undefined extends ReturnType<F[N]> ? N : never;
}[keyof F];

/** The value of an object with these fields; a member whose reader may return undefined is left out when it does. */
export type ObjectShape<F extends FieldReaders> = {
  readonly [N in Exclude<keyof F, OptionalNames<F>>]: ReturnType<F[N]>;
} & { readonly [N in OptionalNames<F>]?: Exclude<ReturnType<F[N]>, undefined> };

/** All members of a union at once. */
export type Intersection<U> = (U extends unknown ? (part: U) => void : never) extends (whole: infer I) => void
  ? I
  : never;

export type ParsedObject = { readonly [name: string]: unknown };

/** A name as messages quote it; cut, because callers may send names of any length. */
export function quoted(name: string): string {
  return '`' + (name.length > 120 ? name.slice(0, 117) + '...' : name) + '`';
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

export function isObject(value: unknown): value is ParsedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function present<T>(check: JsonReader<T>): JsonReader<T> {
  return (value, path) => (isAbsent(value) ? refuse('validation', `${quoted(path)} is required`) : check(value, path));
}

/** The same reader with a further check, which refuses. */
export function checked<T>(read: JsonReader<T>, check: (given: T, path: string) => void): JsonReader<T> {
  return (value, path) => {
    const given = read(value, path);
    check(given, path);
    return given;
  };
}

export function optional<T>(read: JsonReader<T>): JsonReader<T | undefined> {
  return (value, path) => (isAbsent(value) ? undefined : read(value, path));
}

/** A member that is read later, by itself. */
export const unread: JsonReader<unknown> = (value) => value;

/** A member that this version does not have: never read. */
export const ignored: JsonReader<undefined> = () => undefined;

export const string = present<string>((value, path) =>
  typeof value === 'string' ? value : refuse('validation', `${quoted(path)} must be a string`),
);

/** A string that is not empty: every required string of the specification. */
export const text = checked(string, (given, path) => {
  if (given === '') refuse('validation', `${quoted(path)} must not be empty`);
});

export const bool = present<boolean>((value, path) =>
  typeof value === 'boolean' ? value : refuse('validation', `${quoted(path)} must be a boolean`),
);

export function int(least: number, most = Number.MAX_SAFE_INTEGER): JsonReader<number> {
  return present((value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value))
      return refuse('validation', `${quoted(path)} must be an integer`);
    if (value < least || value > most)
      return refuse('validation', `${quoted(path)} must be between ${least} and ${most}`);
    return value;
  });
}

export function number(least: number, most: number): JsonReader<number> {
  return present((value, path) =>
    typeof value === 'number' && value >= least && value <= most
      ? value
      : refuse('validation', `${quoted(path)} must be a number between ${least} and ${most}`),
  );
}

const knownZones = new Set<string>();

/** Intl ignores case where zone names do not: a zone that resolves to itself must be spelt like itself. */
function isTimezone(name: string): boolean {
  if (knownZones.has(name)) return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    if (timeZone !== name && timeZone.toLowerCase() === name.toLowerCase()) return false;
    knownZones.add(name);
    return true;
  } catch {
    return false;
  }
}

/** The name of an IANA zone. */
export const timezone = checked(text, (given, path) => {
  if (!isTimezone(given)) refuse('validation', `${quoted(path)} must be an IANA timezone`);
});

export function oneOf<const T extends string>(allowed: readonly T[]): JsonReader<T> {
  return (value, path) => {
    const given = string(value, path);
    const found = allowed.find((candidate) => candidate === given);
    return found ?? refuse('validation', `${quoted(path)} must be one of: ${allowed.join(', ')}`);
  };
}

export function list<T>(read: JsonReader<T>, least = 0): JsonReader<readonly T[]> {
  return present((value, path) => {
    if (!Array.isArray(value)) return refuse('validation', `${quoted(path)} must be an array`);
    if (value.length < least) return refuse('validation', `${quoted(path)} must have at least ${least} item`);
    return value.map((item: unknown, index) => read(item, `${path}[${index}]`));
  });
}

/** A list whose items must differ, such as one of names. */
export function distinct<T extends string | number>(read: JsonReader<T>, least = 0): JsonReader<readonly T[]> {
  return checked(list(read, least), (items, path) => {
    if (new Set(items).size < items.length) refuse('validation', `${quoted(path)} names an item twice`);
  });
}

const members = present<ParsedObject>((value, path) =>
  isObject(value) ? value : refuse('validation', `${quoted(path)} must be an object`),
);

const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** A map with free keys; members that are `null` are absent. */
export function mapOf<T>(read: JsonReader<T>): JsonReader<ReadonlyMap<string, T>> {
  return (value, path) => {
    const found = new Map<string, T>();
    for (const [name, member] of Object.entries(members(value, path)))
      if (!isAbsent(member)) found.set(name, read(member, within(path, name)));
    return found;
  };
}

/** The same as a plain object, where the value stays JSON. */
export function recordOf<T>(read: JsonReader<T>): JsonReader<{ readonly [name: string]: T }> {
  const readMap = mapOf(read);
  return (value, path) => Object.fromEntries(readMap(value, path));
}

/** An object with named members; others are ignored. */
export function object<F extends FieldReaders>(fields: F): JsonReader<ObjectShape<F>> {
  const readers = Object.entries(fields);
  return (value, path) => {
    const given = members(value, path);
    const found: { [name: string]: unknown } = {};
    for (const [name, read] of readers) {
      const member = read(Object.hasOwn(given, name) ? given[name] : undefined, within(path, name));
      if (member !== undefined) found[name] = member;
    }
    // TypeScript cannot follow that the loop makes exactly the members that `ObjectShape` derives from the same fields.
    return found as ObjectShape<F>;
  };
}

/** An object that refuses other members: for files that people write. */
export function closed<F extends FieldReaders>(fields: F): JsonReader<ObjectShape<F>> {
  const read = object(fields);
  return (value, path) => {
    for (const name of Object.keys(members(value, path)))
      if (!Object.hasOwn(fields, name)) refuse('validation', `${quoted(within(path, name))} is not a known member`);
    return read(value, path);
  };
}

/** Reads an object as if its `null` members were not there: for one that is closed and comes in a request. */
export function withoutNull<T>(read: JsonReader<T>): JsonReader<T> {
  return (value, path) =>
    read(
      isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => !isAbsent(member))) : value,
      path,
    );
}
