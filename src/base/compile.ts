// A JSON Schema in, its validator out. Only for running from source: the build compiles beforehand (scripts/precompile.ts).

import type { ValidateFunction } from 'ajv';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import type { Schema } from './documents.ts';
import { inParts } from './in-parts.ts';

/** Alternatives beside `required` need `strictRequired` off. */
export const AJV_OPTIONS: Options = {
  allErrors: true,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  inlineRefs: false,
  // Ours are said in our own words (wording.ts).
  messages: false,
};

export function compile(schema: Schema): ValidateFunction {
  return new Ajv2020(AJV_OPTIONS).compile(inParts(schema));
}
