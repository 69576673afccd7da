// Builders of document schemas, each with the type of what it describes.
// Files that only need the types import those: a schema is made when it is loaded.

import { type Address, FORMAT_VERSION, type Json, type ObjectId } from './model.ts';

/** JSON Schema, dialect 2020-12. */
export type Schema = { readonly [keyword: string]: Json };

declare const VALUE: unique symbol;

/** A schema of values of type `T`; only the compiler knows the type. */
export type SchemaOf<T> = Schema & { readonly [VALUE]: T };

/** Type of the values that a schema describes. */
export type ValueOf<S> = S extends { readonly [VALUE]: infer T } ? T : never;

/** Type of a document without the members that every `--json` document has. */
export type ContentOf<S> = Omit<ValueOf<S>, 'format_version' | 'errored' | 'requests_sent' | 'diagnostics'>;

/** Why a value does not conform. */
export interface SchemaError {
  readonly keyword: string;
  /** A JSON Pointer. */
  readonly instancePath: string;
  readonly params: { readonly [name: string]: Json };
}

/** A check of a value read from outside; after a `false`, `errors` says why, of all alternatives that were tried. */
export type Validator<T> = ((value: unknown) => value is T) & { readonly errors: readonly SchemaError[] | null };

export type Members = { readonly [name: string]: SchemaOf<unknown> };
type RecordOf<R extends Members, O extends Members> = [keyof O] extends [never]
  ? { readonly [name in keyof R]: ValueOf<R[name]> }
  : { readonly [name in keyof R]: ValueOf<R[name]> } & { readonly [name in keyof O]?: ValueOf<O[name]> };

/** `schema` with the type that it cannot say itself, such as that of an address. */
export function typed<T>(schema: Schema): SchemaOf<T> {
  return schema as SchemaOf<T>;
}

/** An object that has all of `required`, perhaps some of `optional`, and nothing else. */
export function record<R extends Members, O extends Members = Record<never, never>>(
  description: string,
  required: R,
  optional?: O,
): SchemaOf<RecordOf<R, O>> {
  return typed({
    type: 'object',
    description,
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  });
}

export function list<T>(description: string, items: SchemaOf<T>): SchemaOf<readonly T[]> {
  return typed({ type: 'array', description, items });
}

export function map<T>(description: string, values: SchemaOf<T>): SchemaOf<{ readonly [name: string]: T }> {
  return typed({ type: 'object', description, additionalProperties: values });
}

export function orNull<T>(schema: SchemaOf<T>): SchemaOf<T | null> {
  return typed({ anyOf: [schema, { type: 'null' }] });
}

export function anyOf<S extends SchemaOf<unknown>>(description: string, schemas: readonly S[]): SchemaOf<ValueOf<S>> {
  return typed({ description, anyOf: schemas });
}

export function oneOf<const V extends string>(description: string, values: readonly V[]): SchemaOf<V> {
  return typed({ enum: values, description });
}

export function only<const V extends Json>(value: V, about: { readonly description?: string } = {}): SchemaOf<V> {
  return typed({ const: value, ...about });
}

/** Members that count things by name. */
export function counts<const N extends string>(description: string, names: readonly N[]) {
  const members = Object.fromEntries(names.map((name) => [name, whole(description)]));
  return members as { readonly [name in N]: SchemaOf<number> };
}

export const text = (description: string): SchemaOf<string> => typed({ type: 'string', description });
export const flag = (description: string): SchemaOf<boolean> => typed({ type: 'boolean', description });
export const whole = (description: string): SchemaOf<number> => typed({ type: 'integer', minimum: 0, description });
export const anything = (description: string): SchemaOf<Json> => typed({ description });
export const address = (description: string): SchemaOf<Address> =>
  typed({ type: 'string', pattern: '^[a-z_]+/.+$', description });
export const objectId = (description: string): SchemaOf<ObjectId> =>
  typed({ type: ['string', 'integer'], description });
export const hex = (digits: number, description: string): SchemaOf<string> =>
  typed({ type: 'string', pattern: `^[0-9a-f]{${digits}}$`, description });
export const sha256 = (description: string): SchemaOf<string> => hex(64, description);

/** RFC 3339, in UTC. */
export const time = (description: string): SchemaOf<string> =>
  typed({ type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`, description });

export const place = (description: string) =>
  record(description, {
    file: text('File.'),
    line: whole('Line, first is 1.'),
    column: whole('Column, first is 1.'),
  });

/** `format_version`: a higher minor version only adds members. */
export const formatVersion: SchemaOf<string> = typed({
  type: 'string',
  pattern: `^${FORMAT_VERSION.split('.')[0]}\\.\\d+$`,
  description: 'Version of this format.',
});

/** A schema as schemas/ has it. */
export function published<T>(title: string, schema: SchemaOf<T>): SchemaOf<T> {
  return typed({ $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema });
}
