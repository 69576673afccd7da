// Validators of JSON Schema, each made of its schema when it first meets a value. They know the keywords that our schemas have, as ajv does: a function
// that is written out for each schema is half a megabyte to load, and runs once.

import type { Schema, SchemaError, SchemaOf, Validator } from './documents.ts';
import { FORMATS } from './formats.ts';
import { equalJson, isList, isObject } from './json.ts';
import type { Json } from './model.ts';

type Found = { -readonly [member in keyof SchemaError]: SchemaError[member] }[];

/** Whether a value conforms. Without `found` it stops at the first mistake and makes no object. */
type Check = (value: unknown, found: Found | null) => boolean;

interface Reading {
  readonly root: Schema;
  /** Finds all mistakes. */
  readonly all: boolean;
  /** Accepts members that a newer version adds. */
  readonly open: boolean;
  readonly made: Map<Schema, Check>;
}

type Source = Schema | (() => Schema);

/** For a file that a person wrote: finds all mistakes. */
export function compile<T = unknown>(schema: SchemaOf<T> | Source): Validator<T> {
  return onFirstUse(schema, { all: true, open: false });
}

/** For a document that chatform wrote: finds the first mistake, accepts members that a newer version adds. */
export function compileReader<T>(schema: SchemaOf<T>): Validator<T> {
  return onFirstUse(schema, { all: false, open: true });
}

function onFirstUse<T>(source: Source, how: Pick<Reading, 'all' | 'open'>): Validator<T> {
  let made: Check | null = null;
  const validate = (value: unknown): value is T => {
    if (made === null) {
      const root = typeof source === 'function' ? source() : source;
      made = checkOf(root, { root, ...how, made: new Map() });
    }
    const isValid = made(value, null);
    const found: Found = [];
    if (!isValid) made(value, found);
    validate.errors = isValid ? null : found;
    return isValid;
  };
  validate.errors = null as readonly SchemaError[] | null;
  return validate;
}

/** Keywords that explain to people, and decide nothing; and definitions, which references name. */
const ABOUT = ['$defs', '$schema', 'computed', 'default', 'description', 'examples', 'title'];

/** Adds a mistake. @returns false */
function wrong(found: Found | null, keyword: string, params: SchemaError['params'] = {}): false {
  found?.push({ keyword, instancePath: '', params });
  return false;
}

/** A check of a member: its mistakes are below its name. */
function inside(check: Check, value: unknown, name: string | number, found: Found): boolean {
  const first = found.length;
  if (check(value, found)) return true;
  const begins = `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  for (const error of found.slice(first)) error.instancePath = `${begins}${error.instancePath}`;
  return false;
}

/** Checks that all must pass, in the order of ajv. */
function every(checks: readonly Check[], { all }: Reading): Check {
  const [only, ...more] = checks;
  if (only === undefined) return () => true;
  if (more.length === 0) return only;
  return (value, found) => {
    let isValid = true;
    for (const check of checks) {
      if (check(value, found)) continue;
      isValid = false;
      if (found === null || !all) return false;
    }
    return isValid;
  };
}

type Keywords = { readonly [keyword: string]: (schema: Json, reading: Reading, around: Schema) => Check };

const NUMBER: Keywords = {
  maximum: (limit) => (value, found) => Number(value) <= Number(limit) || wrong(found, 'maximum', { limit }),
  minimum: (limit) => (value, found) => Number(value) >= Number(limit) || wrong(found, 'minimum', { limit }),
};

/** In characters, of which some are two units. */
const lengthOf = (text: string): number => [...text].length;

const STRING: Keywords = {
  maxLength: (limit) => (value, found) => {
    const text = String(value);
    return text.length <= Number(limit) || lengthOf(text) <= Number(limit) || wrong(found, 'maxLength', { limit });
  },
  minLength: (limit) => (value, found) =>
    lengthOf(String(value)) >= Number(limit) || wrong(found, 'minLength', { limit }),
  pattern: (pattern) => {
    const form = new RegExp(String(pattern), 'u');
    return (value, found) => form.test(String(value)) || wrong(found, 'pattern', { pattern });
  },
  format: (format) => {
    const fits = FORMATS[String(format) as keyof typeof FORMATS];
    return (value, found) => fits(String(value)) || wrong(found, 'format', { format });
  },
};

/** Of values of every type. */
const ANY: Keywords = {
  $ref: (reference, reading) => {
    const definitions = reading.root['$defs'] as Schema;
    return later(definitions[String(reference).replace('#/$defs/', '')] as Schema, reading);
  },
  const: (allowedValue) => (value, found) => value === allowedValue || wrong(found, 'const', { allowedValue }),
  enum: (allowedValues) => {
    const allowed = allowedValues as readonly Json[];
    const texts = new Set<unknown>(allowed);
    const others = allowed.filter((each) => typeof each === 'object');
    return (value, found) =>
      texts.has(value) ||
      others.some((each) => equalJson(each, value as Json)) ||
      wrong(found, 'enum', { allowedValues });
  },
  not: (schema, reading) => {
    const check = checkOf(schema as Schema, reading);
    return (value, found) => !check(value, null) || wrong(found, 'not');
  },
  anyOf: (schemas, reading) => {
    const checks = (schemas as readonly Schema[]).map((schema) => checkOf(schema, reading));
    return (value, found) => {
      const first = found?.length ?? 0;
      if (!checks.some((check) => check(value, found))) return wrong(found, 'anyOf');
      if (found !== null) found.length = first;
      return true;
    };
  },
  if: (schema, reading, { then = {}, else: otherwise = {} }) => {
    const [condition, yes, no] = [schema, then, otherwise].map((each) => checkOf(each as Schema, reading));
    return (value, found) => (condition?.(value, null) ? yes : no)?.(value, found) !== false;
  },
};

const ARRAY: Keywords = {
  maxItems: (limit) => (value, found) =>
    (value as readonly unknown[]).length <= Number(limit) || wrong(found, 'maxItems', { limit }),
  minItems: (limit) => (value, found) =>
    (value as readonly unknown[]).length >= Number(limit) || wrong(found, 'minItems', { limit }),
  items: (schema, reading) => {
    const check = checkOf(schema as Schema, reading);
    return (value, found) => {
      const items = value as readonly unknown[];
      if (found === null) {
        for (const item of items) if (!check(item, null)) return false;
        return true;
      }
      let isValid = true;
      for (const [index, item] of items.entries()) {
        if (inside(check, item, index, found)) continue;
        isValid = false;
        if (!reading.all) break;
      }
      return isValid;
    };
  },
  uniqueItems: () => (value, found) => {
    const places = new Map<unknown, number>();
    let repeated: SchemaError['params'] | null = null;
    for (const [i, item] of (value as readonly unknown[]).entries()) {
      const j = places.get(item);
      if (j !== undefined) repeated = { i, j };
      places.set(item, i);
    }
    return repeated === null || wrong(found, 'uniqueItems', repeated);
  },
};

type Members = { readonly [name: string]: unknown };

function sizeOf(value: unknown): number {
  return Object.keys(value as Members).length;
}

const OBJECT: Keywords = {
  maxProperties: (limit) => (value, found) =>
    sizeOf(value) <= Number(limit) || wrong(found, 'maxProperties', { limit }),
  minProperties: (limit) => (value, found) =>
    sizeOf(value) >= Number(limit) || wrong(found, 'minProperties', { limit }),
  required: (names, { all }) => {
    const needed = names as readonly string[];
    return (value, found) => {
      let isValid = true;
      for (const missingProperty of needed) {
        if ((value as Members)[missingProperty] !== undefined) continue;
        isValid = wrong(found, 'required', { missingProperty });
        if (found === null || !all) return false;
      }
      return isValid;
    };
  },
  propertyNames: (schema, reading) => {
    const check = checkOf(schema as Schema, reading);
    return (value, found) => {
      let isValid = true;
      for (const propertyName in value as Members) {
        if (check(propertyName, null)) continue;
        isValid = wrong(found, 'propertyNames', { propertyName });
        if (found === null || !reading.all) return false;
      }
      return isValid;
    };
  },
};

/** A check that is made when it is first needed. */
function later(schema: Schema, reading: Reading): Check {
  let made: Check | null = null;
  return (value, found) => {
    made ??= checkOf(schema, reading);
    return made(value, found);
  };
}

const MEMBERS = ['properties', 'patternProperties', 'additionalProperties'];

/** The check of these. */
function members({ properties, patternProperties, additionalProperties: others }: Schema, reading: Reading): Check {
  const named = new Map(
    Object.entries((properties ?? {}) as Schema).map(([name, schema]) => [name, later(schema as Schema, reading)]),
  );
  const patterns = Object.entries((patternProperties ?? {}) as Schema).map(
    ([pattern, schema]) => [new RegExp(pattern, 'u'), later(schema as Schema, reading)] as const,
  );
  const isClosed = others === false && !reading.open;
  const other = isObject(others) ? later(others, reading) : null;
  const isOther = (name: string): boolean => !named.has(name) && !patterns.some(([pattern]) => pattern.test(name));

  /** Whether each of them is valid, in the order of ajv. */
  function* judged(value: Members, found: Found): Iterable<boolean> {
    for (const name of Object.keys(value).filter(isOther)) {
      if (isClosed) yield wrong(found, 'additionalProperties', { additionalProperty: name });
      else if (other !== null) yield inside(other, value[name], name, found);
    }
    for (const [name, check] of named) if (value[name] !== undefined) yield inside(check, value[name], name, found);
    for (const [pattern, check] of patterns)
      for (const name in value) if (pattern.test(name)) yield inside(check, value[name], name, found);
  }

  const areValid = (value: Members): boolean => {
    for (const name in value) {
      const item = value[name];
      const check = named.get(name);
      if (check !== undefined && item !== undefined && !check(item, null)) return false;
      for (const [pattern, inner] of patterns) if (pattern.test(name) && !inner(item, null)) return false;
      if (check === undefined && (isClosed || other !== null) && isOther(name))
        if (other === null || !other(item, null)) return false;
    }
    return true;
  };
  return (value, found) => {
    if (found === null) return areValid(value as Members);
    let isValid = true;
    for (const each of judged(value as Members, found)) {
      isValid &&= each;
      if (!isValid && !reading.all) break;
    }
    return isValid;
  };
}

/** By type, what says whether a value is of it. */
const IS: { readonly [type: string]: (value: unknown) => boolean } = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: Number.isFinite,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  string: (value) => typeof value === 'string',
};

/** The keywords of values of one type, in the order of ajv; null for those of every type. */
const GROUPS: readonly (readonly [type: string | null, Keywords])[] = [
  ['number', NUMBER],
  ['string', STRING],
  [null, ANY],
  ['array', ARRAY],
  ['object', OBJECT],
];

/** By keyword, its place in that order. */
const PLACES = new Map(
  GROUPS.flatMap(([type, keywords]) =>
    Object.entries(keywords).map(([keyword, checkFor]) => ({ keyword, type, checkFor })),
  ).map((place, order) => [place.keyword, { ...place, order }] as const),
);

/** Keywords that decide nothing on their own. */
const SILENT: ReadonlySet<string> = new Set(['then', 'else', 'type', ...ABOUT, ...MEMBERS]);

/** Schemas share parts, and each is made once. */
function checkOf(schema: Schema, reading: Reading): Check {
  const check = reading.made.get(schema) ?? madeOf(schema, reading);
  reading.made.set(schema, check);
  return check;
}

function madeOf(schema: Schema, reading: Reading): Check {
  const places = Object.keys(schema).flatMap((keyword) => {
    const place = PLACES.get(keyword);
    if (place === undefined && !SILENT.has(keyword))
      throw new Error(`base/compile.ts does not know the keyword ${keyword}`);
    return place ?? [];
  });
  const groups = new Map<string | null, Check[]>();
  const add = (group: string | null, check: Check): void =>
    void groups.set(group, [...(groups.get(group) ?? []), check]);
  for (const { keyword, type, checkFor } of places.sort((one, other) => one.order - other.order))
    add(type, checkFor(schema[keyword] ?? null, reading, schema));
  if (MEMBERS.some((keyword) => schema[keyword] !== undefined)) add('object', members(schema, reading));
  const { type } = schema;
  const types = type === undefined ? [] : (isList(type) ? type : [type]).map(String);
  const ofType = (value: unknown, found: Found | null): boolean =>
    types.some((each) => IS[each]?.(value)) || wrong(found, 'type', { type: type ?? null });
  const [only] = types.length === 1 ? types : [];
  const checks = Array.from(groups, ([group, each]): Check => {
    const check = every(each, reading);
    const is = IS[group ?? ''];
    if (is === undefined) return check;
    if (group === only) return (value, found) => (is(value) ? check(value, found) : ofType(value, found));
    return (value, found) => !is(value) || check(value, found);
  });
  return every(types.length === 0 || groups.has(only ?? '') ? checks : [ofType, ...checks], reading);
}
