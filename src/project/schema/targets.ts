// Names of targets, and the JSON Schema of `targets_from:`.

import type { Schema } from '../../base/documents.ts';
import { formSchemas } from '../../yaml/table.ts';
import { VARIABLE_NAME } from '../secrets-in-text.ts';

/** Letters, digits, `.`, `_` and `-`. */
export const TARGET_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

const rowSchema: Schema = {
  type: 'object',
  description: 'One target: its `name`, and values of `${row.NAME}`.',
  required: ['name'],
  propertyNames: { pattern: VARIABLE_NAME.source, description: 'Letters, digits and `_`.' },
  properties: { name: { type: 'string', minLength: 1, description: 'Name of the target.' } },
  additionalProperties: { type: ['string', 'number', 'boolean'], description: 'Value of `${row.NAME}`.' },
};

export const targetsFromSchema: Schema = {
  type: 'object',
  description:
    'Targets in addition to those of `targets`, one a row: a list, a directory of files, or a table. `defaults` is their template: it may have `${target.name}`, `${target.env_name}` and `${row.NAME}`.',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    list: { type: 'array', minItems: 1, description: 'The rows, one for each target.', items: rowSchema },
    directory: {
      type: 'string',
      minLength: 1,
      pattern: '\\.ya?ml$',
      description:
        'Files with one row each, such as `tenants/*/tenant.yaml`; `*` stands for the name of a folder or file.',
      examples: ['tenants/*/tenant.yaml'],
    },
    csv: {
      type: 'string',
      minLength: 1,
      pattern: '\\.csv$',
      description: 'A table with the names of its columns in the first line, one of them `name`.',
      examples: ['licenses.csv'],
    },
    ...formSchemas,
  },
};
