// Readers of parsed JSON: each returns a typed value, or throws a `validation` refusal that names the member, and knows its JSON Schema.
// `null` is absent and unknown members are ignored, as service-notes.md says under "Wire".

import { isObject, type ParsedObject } from '../../base/json.ts';
import { parsedUrl } from '../../base/url.ts';
import { isTimezone } from '../../base/zone.ts';
import { refuse } from './refusal.ts';

/** Members of a JSON Schema. */
export type ReaderSchema = { readonly [keyword: string]: unknown };

/** Reads one value that stands at `path` (`groups[0].id`; empty for the whole body); refuses what does not fit. */
export interface JsonReader<T> {
  (value: unknown, path: string): T;
  /** What it takes, as far as JSON Schema can say; documents that people write need it. */
  readonly schema?: ReaderSchema;
  /** Takes undefined. */
  readonly isOptional?: boolean;
}

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

/** A name as messages quote it; cut, because callers may send names of any length. */
export function quoted(name: string): string {
  return '`' + (name.length > 120 ? name.slice(0, 117) + '...' : name) + '`';
}

/** A reader with its schema. */
function stating<T>(schema: ReaderSchema, read: (value: unknown, path: string) => T): JsonReader<T> {
  return Object.assign((value: unknown, path: string) => read(value, path), { schema });
}

/** A reader whose schema says more: what the value is, or what the reader itself checks. */
export function described<T>(more: ReaderSchema, read: JsonReader<T>): JsonReader<T> {
  return Object.assign((value: unknown, path: string) => read(value, path), read, {
    schema: { ...read.schema, ...more },
  });
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function present<T>(schema: ReaderSchema, check: (value: unknown, path: string) => T): JsonReader<T> {
  return stating(schema, (value, path) =>
    isAbsent(value) ? refuse('validation', `${quoted(path)} is required`) : check(value, path),
  );
}

/** The same reader with a further check, which refuses. */
export function checked<T>(read: JsonReader<T>, check: (given: T, path: string) => void): JsonReader<T> {
  return Object.assign((value: unknown, path: string) => {
    const given = read(value, path);
    check(given, path);
    return given;
  }, read);
}

export function optional<T>(read: JsonReader<T>): JsonReader<T | undefined> {
  const reader = (value: unknown, path: string) => (isAbsent(value) ? undefined : read(value, path));
  return Object.assign(reader, read, { isOptional: true });
}

/** A member that is read later, by itself. */
export const unread: JsonReader<unknown> = (value) => value;

/** Any value, as it stands. */
export const anything: JsonReader<unknown> = stating(
  { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] },
  (value) => value,
);

/** A member that this version does not have: never read. */
export const ignored: JsonReader<undefined> = () => undefined;

export const string = present<string>({ type: 'string' }, (value, path) =>
  typeof value === 'string' ? value : refuse('validation', `${quoted(path)} must be a string`),
);

/** A string that is not empty: every required string of the specification. */
export const text = checked(described({ minLength: 1 }, string), (given, path) => {
  if (given === '') refuse('validation', `${quoted(path)} must not be empty`);
});

export const bool = present<boolean>({ type: 'boolean' }, (value, path) =>
  typeof value === 'boolean' ? value : refuse('validation', `${quoted(path)} must be a boolean`),
);

export function int(least: number, most = Number.MAX_SAFE_INTEGER): JsonReader<number> {
  const maximum = most === Number.MAX_SAFE_INTEGER ? {} : { maximum: most };
  return present({ type: 'integer', minimum: least, ...maximum }, (value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value))
      return refuse('validation', `${quoted(path)} must be an integer`);
    if (value < least || value > most)
      return refuse('validation', `${quoted(path)} must be between ${least} and ${most}`);
    return value;
  });
}

export function number(least: number, most: number): JsonReader<number> {
  return present({ type: 'number', minimum: least, maximum: most }, (value, path) =>
    typeof value === 'number' && value >= least && value <= most
      ? value
      : refuse('validation', `${quoted(path)} must be a number between ${least} and ${most}`),
  );
}

/** The name of an IANA zone. */
export const timezone = checked(text, (given, path) => {
  if (!isTimezone(given)) refuse('validation', `${quoted(path)} must be an IANA timezone`);
});

const DATE_TIME = '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:[Zz]|[+-]\\d\\d:\\d\\d)$';

/** Whether a calendar and a clock have what a date-time says. `Date.parse` takes February 30 and 24:00 for the day that follows. */
function isDateTime(text: string): boolean {
  const local = text.slice(0, 19).toUpperCase();
  const at = Date.parse(`${local}Z`);
  return !Number.isNaN(Date.parse(text)) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(local);
}

/** An RFC 3339 date-time, which `Date.parse` takes. */
export const dateTime = checked(described({ pattern: DATE_TIME }, string), (given, path) => {
  if (!new RegExp(DATE_TIME).test(given) || !isDateTime(given))
    refuse('validation', `${quoted(path)} must be an RFC 3339 date-time`);
});

export function oneOf<const T extends string>(allowed: readonly T[]): JsonReader<T> {
  return stating({ enum: allowed }, (value, path) => {
    const given = string(value, path);
    const found = allowed.find((candidate) => candidate === given);
    return found ?? refuse('validation', `${quoted(path)} must be one of: ${allowed.join(', ')}`);
  });
}

export function list<T>(read: JsonReader<T>, least = 0): JsonReader<readonly T[]> {
  const schema = { type: 'array', items: read.schema ?? {}, ...(least === 0 ? {} : { minItems: least }) };
  return present(schema, (value, path) => {
    if (!Array.isArray(value)) return refuse('validation', `${quoted(path)} must be an array`);
    if (value.length < least) return refuse('validation', `${quoted(path)} must have at least ${least} item`);
    return value.map((item: unknown, index) => read(item, `${path}[${index}]`));
  });
}

/** A list whose items must differ, such as one of names. */
export function distinct<T extends string | number>(read: JsonReader<T>, least = 0): JsonReader<readonly T[]> {
  return checked(described({ uniqueItems: true }, list(read, least)), (items, path) => {
    if (new Set(items).size < items.length) refuse('validation', `${quoted(path)} names an item twice`);
  });
}

const members = present<ParsedObject>({ type: 'object' }, (value, path) =>
  isObject(value) ? value : refuse('validation', `${quoted(path)} must be an object`),
);

const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** A map with free keys; members that are `null` are absent. */
export function mapOf<T>(read: JsonReader<T>): JsonReader<ReadonlyMap<string, T>> {
  return stating({ type: 'object', additionalProperties: read.schema ?? {} }, (value, path) => {
    const found = new Map<string, T>();
    for (const [name, member] of Object.entries(members(value, path)))
      if (!isAbsent(member)) found.set(name, read(member, within(path, name)));
    return found;
  });
}

/** The same as a plain object, where the value stays JSON. */
export function recordOf<T>(read: JsonReader<T>): JsonReader<{ readonly [name: string]: T }> {
  const readMap = mapOf(read);
  return stating(readMap.schema ?? {}, (value, path) => Object.fromEntries(readMap(value, path)));
}

/** The schema of an object with only these members. */
function schemaOf(fields: FieldReaders): ReaderSchema {
  const stated = Object.entries(fields).filter(([, read]) => read !== ignored);
  const required = stated.flatMap(([name, { isOptional = false }]) => (isOptional ? [] : [name]));
  return {
    type: 'object',
    properties: Object.fromEntries(stated.map(([name, { schema = {} }]) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** An object with named members; others are ignored. */
export function object<F extends FieldReaders>(fields: F): JsonReader<ObjectShape<F>> {
  const readers = Object.entries(fields);
  return stating(schemaOf(fields), (value, path) => {
    const given = members(value, path);
    const found: { [name: string]: unknown } = {};
    for (const [name, read] of readers) {
      const member = read(Object.hasOwn(given, name) ? given[name] : undefined, within(path, name));
      if (member !== undefined) found[name] = member;
    }
    // TypeScript cannot follow that the loop makes exactly the members that `ObjectShape` derives from the same fields.
    return found as ObjectShape<F>;
  });
}

/** An object that refuses other members: for files that people write. */
export function closed<F extends FieldReaders>(fields: F): JsonReader<ObjectShape<F>> {
  const read = object(fields);
  return stating(read.schema ?? {}, (value, path) => {
    for (const name of Object.keys(members(value, path)))
      if (!Object.hasOwn(fields, name)) refuse('validation', `${quoted(within(path, name))} is not a known member`);
    return read(value, path);
  });
}

/** The same reader, for a document that a person writes: refuses members that its schema does not name, at any depth. */
export function exact<T>(read: JsonReader<T>): JsonReader<T> {
  return stating(read.schema ?? {}, (value, path) => {
    requireKnown(read.schema, value, path);
    return read(value, path);
  });
}

function requireKnown(schema: unknown, value: unknown, path: string): void {
  if (!isObject(schema)) return;
  const { properties, additionalProperties: others, items } = schema;
  if (Array.isArray(value)) for (const [index, item] of value.entries()) requireKnown(items, item, `${path}[${index}]`);
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      const known = isObject(properties) && Object.hasOwn(properties, name);
      if (!known && others === false) refuse('validation', `${quoted(within(path, name))} is not a known member`);
      requireKnown(known ? properties[name] : others, member, within(path, name));
    }
}

/** Reads an object as if its `null` members were not there: for one that is closed and comes in a request. */
export function withoutNull<T>(read: JsonReader<T>): JsonReader<T> {
  return stating(read.schema ?? {}, (value, path) =>
    read(
      isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => !isAbsent(member))) : value,
      path,
    ),
  );
}

/** An address on the web, without a name and a password in it. */
export const webAddress = checked(text, (given, path) => {
  const url = parsedUrl(given);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    refuse('validation', `${quoted(path)} must be an http or https URL`);
});
