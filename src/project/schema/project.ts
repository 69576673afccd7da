// The JSON Schema (2020-12) of chatform.yaml, for the validator and for editors.

import type { Schema } from '../../base/documents.ts';
import { ANCHOR_MEMBERS, versionSchema } from '../../manifest/schema.ts';
import { VARIABLE_NAME } from '../secrets-in-text.ts';
import { fleetSchema } from './fleet.ts';
import { text, texts } from './member.ts';
import { SETTINGS } from './settings.ts';
import { TARGET_NAME, targetsFromSchema } from './targets.ts';

export const PROJECT_VERSION = 1;

/** Name of a project in a database where only one is. */
export const DEFAULT_PROJECT = 'chatform';

/** Not among the settings of `defaults`: the policies of a target never replace those of all targets. */
const policies: Schema = {
  type: 'array',
  description: 'Rules about plans, in CEL. A plan that breaks a rule is withheld, or gets a warning.',
  items: {
    type: 'object',
    description: 'One policy: `{ name, rule, level, message }`.',
    additionalProperties: false,
    required: ['name', 'rule'],
    properties: {
      name: text('Name of the policy in messages.', { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' }),
      rule: text(
        'A CEL expression that is true for every allowed plan; `plan` is what `chatform plan --json` prints. Anything but true breaks the policy.',
      ),
      level: {
        enum: ['deny', 'warn'],
        default: 'deny',
        description: 'Withhold the plan (deny), or warn and go on (warn).',
      },
      message: text('What to tell the author of a plan that breaks the policy.'),
    },
  },
};

export function projectSchema(): Schema {
  const settings: Schema = { type: 'object', additionalProperties: false, properties: SETTINGS };
  const target: Schema = { ...settings, properties: { ...SETTINGS, policies } };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform project',
    description: 'Which manifest goes to which licenses, and how.',
    type: 'object',
    additionalProperties: false,
    required: ['version', 'manifest'],
    patternProperties: ANCHOR_MEMBERS,
    properties: {
      version: versionSchema(PROJECT_VERSION),
      manifest: {
        ...texts('Files of the manifest, or directories of `*.yaml` files, relative to this file.'),
        minItems: 1,
      },
      clients: {
        type: 'object',
        description:
          'Owner clients whose properties, templates and webhooks are read, in addition to those that the manifest names.',
        additionalProperties: {
          type: 'object',
          additionalProperties: false,
          description: 'What is said of the client; `{}` for nothing.',
          properties: {
            webhooks_of: text(
              'The one target that writes the webhooks of the client, which are on all its licenses. The others compare.',
            ),
          },
        },
      },
      default_target: text('The target of commands that name none.'),
      env: {
        type: 'array',
        description:
          'Names of environment variables that files may read as `${env.NAME}`, in addition to those that begin with `CHATFORM_VAR_`.',
        items: { type: 'string', pattern: VARIABLE_NAME.source, description: 'Name of an environment variable.' },
      },
      policies,
      defaults: { ...settings, description: 'Settings of every target that does not set them.' },
      targets: {
        type: 'object',
        description: 'The licenses, each with a name of your choice.',
        minProperties: 1,
        propertyNames: { pattern: TARGET_NAME.source, description: 'Letters, digits, `.`, `_` and `-`.' },
        additionalProperties: { ...target, description: 'One license.' },
      },
      targets_from: targetsFromSchema,
      ledger_store: {
        type: 'object',
        description:
          'The database that has the ledgers and leases of all targets that name no file for theirs, so that jobs on several machines see them.',
        additionalProperties: false,
        required: ['postgres_env'],
        properties: {
          postgres_env: text('Name of the environment variable that holds the address of a PostgreSQL database.', {
            pattern: VARIABLE_NAME.source,
          }),
          project: text('Name of this project in the database, where other projects have targets of the same names.', {
            pattern: TARGET_NAME.source,
            default: DEFAULT_PROJECT,
          }),
        },
      },
      fleet: fleetSchema,
    },
  };
}
