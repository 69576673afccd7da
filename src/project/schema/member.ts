// Members that several settings of chatform.yaml have: texts, addresses, numbers, names of variables.

import { type Schema, type SchemaOf, typed } from '../../base/documents.ts';
import { MOST } from '../../base/duration.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { VARIABLE_NAME } from '../secrets-in-text.ts';

export const texts = (description: string): Schema => ({
  type: 'array',
  description,
  items: { type: 'string', minLength: 1 },
});

export const text = (description: string, rest: Schema = {}): Schema => ({
  type: 'string',
  minLength: 1,
  description,
  ...rest,
});

export const wholeNumber = (description: string, minimum: number, preset: number, rest: Schema = {}): Schema => ({
  type: 'integer',
  minimum,
  maximum: MOST,
  default: preset,
  description,
  ...rest,
});

export const choice = (values: readonly string[], preset: string, description: string): Schema => ({
  enum: values,
  default: preset,
  description,
});

export const ANY_KIND = KIND_NAMES.join('|');

export const ADDRESSES = ['group/sales', 'agent/*'];

export const addresses = (description: string, pattern: string): Schema => ({
  type: 'array',
  description,
  items: {
    type: 'string',
    pattern,
    description: `${description} An address is \`<kind>/<key>\`.`,
    examples: ADDRESSES,
  },
});

export const ADDRESS = text('The addresses that it is about, or a kind; `*` stands for any text: `agent/*`.', {
  pattern: `^(\\*|(\\*|${ANY_KIND})/.+|${ANY_KIND})$`,
  examples: ADDRESSES,
});

export const variable = (value: string): SchemaOf<string> =>
  typed({
    type: 'string',
    minLength: 1,
    pattern: VARIABLE_NAME.source,
    description: `Name of the environment variable that holds ${value}`,
  });
