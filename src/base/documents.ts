// Documents: what every one of them has in common, and the parts of their schemas. JSON Schema, dialect 2020-12.

import { type Diagnostic, FORMAT_VERSION, type Json } from './model.ts';

/** JSON Schema, dialect 2020-12. */
export type Schema = { readonly [keyword: string]: Json };

export function record(description: string, properties: { readonly [name: string]: Schema }) {
  return { type: 'object', description, additionalProperties: false, required: Object.keys(properties), properties };
}

export function list(description: string, items: Schema): Schema {
  return { type: 'array', description, items };
}

export function map(description: string, values: Schema): Schema {
  return { type: 'object', description, additionalProperties: values };
}

export function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

export const sha256 = (description: string): Schema => ({ type: 'string', pattern: '^[0-9a-f]{64}$', description });

/** RFC 3339, in UTC. */
export const time: Schema = {
  type: 'string',
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`,
  description: 'When, RFC 3339.',
};

export const text = (description: string): Schema => ({ type: 'string', description });
export const flag = (description: string): Schema => ({ type: 'boolean', description });
export const whole = (description: string): Schema => ({ type: 'integer', minimum: 0, description });
export const oneOf = (description: string, values: readonly string[]): Schema => ({ enum: values, description });

/** Where the files say something; null where they do not. */
export const sourceOrNull = (description: string): Schema =>
  orNull(
    record(description, {
      file: text('File.'),
      line: whole('Line, first is 1.'),
      column: whole('Column, first is 1.'),
    }),
  );

/** `format_version`: a higher minor only adds members. */
export const formatVersion: Schema = {
  type: 'string',
  pattern: `^${FORMAT_VERSION.split('.')[0]}\\.\\d+$`,
  description: 'Version of this format.',
};

/** Characters of a source line that a document repeats at most: a generated manifest may be one line, with a thousand mistakes in it. */
const LONGEST_EXCERPT = 1000;

/** Content of a document, its findings last. A very long source line is left out whole, because `place` counts its columns. */
export function contentOf({
  diagnostics,
  ...content
}: {
  readonly diagnostics: readonly Diagnostic[];
  readonly [member: string]: unknown;
}): { readonly [member: string]: unknown } {
  const short = (excerpt: string | null): string | null =>
    excerpt !== null && excerpt.length > LONGEST_EXCERPT ? null : excerpt;
  return { ...content, diagnostics: diagnostics.map((each) => ({ ...each, excerpt: short(each.excerpt) })) };
}
