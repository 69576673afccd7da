// Validators of schemas, compiled with ajv on first use. Only for running from source: the build compiles them
// beforehand (scripts/precompile.ts).

import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import type { Schema, SchemaOf } from './documents.ts';
import { FORMATS } from './formats.ts';
import { isList, isObject } from './json.ts';
import type { Json } from './model.ts';

/** A validator, and what it is compiled from. */
type Compiled<T> = ((value: unknown) => value is T) & {
  readonly errors: readonly ErrorObject[] | null;
  readonly schema: Schema;
  readonly options: Options;
};

const OPTIONS: Options = {
  strict: true,
  // Alternatives repeat `required` without the properties.
  strictRequired: false,
  allowUnionTypes: true,
  inlineRefs: false,
  formats: FORMATS,
  // Our own texts are in yaml/conform.ts.
  messages: false,
};

/** For a file that a person wrote: finds all mistakes. */
export function compile<T = unknown>(schema: SchemaOf<T> | Schema): Compiled<T> {
  return onFirstUse(inParts(schema), { ...OPTIONS, allErrors: true });
}

/** For a document that chatform wrote: finds the first mistake, accepts members that a newer version adds. */
export function compileReader<T>(schema: SchemaOf<T>): Compiled<T> {
  return onFirstUse(inParts(lenient(schema)), OPTIONS);
}

/** As `compileReader`, for small documents of which there are thousands: makes no object while it validates. Any number is one. */
export function compileLineReader<T>(schema: SchemaOf<T>): Compiled<T> {
  return onFirstUse(lenient(schema), { ...OPTIONS, strictNumbers: false });
}

function onFirstUse<T>(schema: Schema, options: Options): Compiled<T> {
  let made: ValidateFunction<T> | null = null;
  const validate = (value: unknown): value is T => {
    made ??= new Ajv2020(options).compile<T>(schema);
    const isValid = made(value);
    validate.errors = made.errors ?? null;
    return isValid;
  };
  validate.errors = null as Compiled<T>['errors'];
  return Object.assign(validate, { schema, options });
}

/** Keywords that explain to people, and decide nothing. */
const ABOUT = ['description', 'title', 'default', 'computed'];

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = ['additionalProperties', 'propertyNames', 'items', 'if', 'then', 'else', 'not'];
const LISTED = ['anyOf', 'oneOf', 'allOf'];
const NAMED = ['properties', 'patternProperties', '$defs'];

/** `schema` with each schema directly in it changed, and without its texts. */
function changed(schema: Schema, change: (inner: Json, keyword: string) => Json): Schema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !ABOUT.includes(keyword))
      .map(([keyword, value]): [string, Json] => {
        if (ONE.includes(keyword)) return [keyword, change(value, keyword)];
        if (LISTED.includes(keyword) && isList(value)) return [keyword, value.map((inner) => change(inner, keyword))];
        if (!NAMED.includes(keyword) || !isObject(value)) return [keyword, value];
        const named = Object.entries(value).map(([name, inner]) => [name, change(inner, keyword)] as const);
        return [keyword, Object.fromEntries(named)];
      }),
  );
}

/** The same without the refusal of unknown members. */
function lenient(schema: Schema): Schema {
  const { additionalProperties: others, ...rest } = schema;
  const open = others === false || others === undefined ? rest : schema;
  return changed(open, (inner) => (isObject(inner) ? lenient(inner) : inner));
}

/**
 * A schema that decides the same, in small parts. ajv makes one function of a schema and of each definition: the engine compiles those that are
 * called, and equal parts only once. In one piece a function of 300 KB is compiled for a manifest of one line.
 */
function inParts(schema: Schema): Schema {
  const parts = new Map<string, { readonly name: string; readonly schema: Schema }>();
  const part = (value: Json, keyword: string): Json => {
    if (!isObject(value)) return value;
    const inner = changed(value, part);
    // Items are checked where their list is: lists have thousands of them, and each would be a call.
    const isSmall = !['properties', 'items', 'additionalProperties'].some((each) => isObject(inner[each]));
    if (keyword === 'items' || isSmall) return inner;
    const text = JSON.stringify(inner);
    const known = parts.get(text) ?? { name: `part-${parts.size + 1}`, schema: inner };
    parts.set(text, known);
    return { $ref: `#/$defs/${known.name}` };
  };
  const whole = changed(schema, part);
  const own = isObject(whole['$defs']) ? whole['$defs'] : {};
  const made = Object.fromEntries([...parts.values()].map(({ name, schema: inner }) => [name, inner]));
  return { ...whole, $defs: { ...own, ...made } };
}
