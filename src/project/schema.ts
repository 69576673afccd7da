// The JSON Schema (2020-12) of chatform.yaml, for the validator here and for everybody's editor.

import type { Schema } from '../base/documents.ts';
import { SEVERITIES, VERSIONS } from '../base/model.ts';
import { KIND_NAMES, KINDS } from '../kinds/index.ts';
import { LIMIT_NAMES, LIMITS, type LimitName, limitText } from '../kinds/limits.ts';
import { DRIFT_KINDS, STATUSES } from './drift-settings.ts';
import { DURATION, DURATION_RANGE } from './duration.ts';
import { NOTIFY } from './notify.ts';
import { ROUTING } from './routing-settings.ts';
import { VARIABLE_NAME } from './secrets-in-text.ts';

export const PROJECT_VERSION = 1;

/** `base_url`: without a user name, which would come with a password. */
export const BASE_URL = '^(emulator:.+|https?://[^/@\\s]+(/\\S*)?)$';

const texts = (description: string): Schema => ({
  type: 'array',
  description,
  items: { type: 'string', minLength: 1 },
});

const text = (description: string, rest: Schema = {}): Schema => ({
  type: 'string',
  minLength: 1,
  description,
  ...rest,
});

const wholeNumber = (description: string, minimum: number, preset: number, rest: Schema = {}): Schema => ({
  type: 'integer',
  minimum,
  default: preset,
  description,
  ...rest,
});

const ANY_KIND = KIND_NAMES.join('|');

const PRUNE =
  'Delete what is owned and no longer declared (owned), leave it (none), or delete whatever is not declared, whoever made it (all).';

const addresses = (description: string, pattern: string): Schema => ({
  type: 'array',
  description,
  items: { type: 'string', pattern, description: `${description} An address is \`<kind>/<key>\`.` },
});

function limit(name: LimitName): Schema {
  const most = limitText({ create: name, update: name });
  return { type: 'integer', minimum: 1, description: `${LIMITS[name].about} By default ${most ?? 'not limited'}.` };
}

/** Not among the settings: a target's policies are asked after those of all, and never instead of them. */
const policies: Schema = {
  type: 'array',
  description: 'Rules about plans, in CEL: a plan that one of them does not allow is withheld, or remarked on.',
  items: {
    type: 'object',
    description: 'One policy: `{ name, rule, level, message }`.',
    additionalProperties: false,
    required: ['name', 'rule'],
    properties: {
      name: text('What it is called where it is broken.', { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' }),
      rule: text(
        'A CEL expression that is true of every allowed plan; `plan` is what `chatform plan --json` prints. Anything but true is a no.',
      ),
      level: {
        enum: ['deny', 'warn'],
        default: 'deny',
        description: 'Withhold the plan (deny), or say so and go on (warn).',
      },
      message: text('What whoever breaks it should know.'),
    },
  },
};

const address = text('Addresses it is about, or a bare kind; `*` stands for anything: `agent/*`.', {
  pattern: `^(\\*|(\\*|${ANY_KIND})/.+|${ANY_KIND})$`,
});

/** Of a target and of all: the rules of both hold, the target's first. */
const drift: Schema = {
  type: 'object',
  description: 'What `chatform drift` makes of differences.',
  additionalProperties: false,
  properties: {
    fail_on: {
      enum: SEVERITIES,
      default: 'warning',
      description: 'From this severity on, a difference counts: the exit code is 2.',
    },
    severity: {
      type: 'array',
      description: 'How much differences matter; the first rule that covers one decides.',
      items: {
        type: 'object',
        description: 'What it leaves out, it holds for.',
        additionalProperties: false,
        required: ['severity'],
        properties: {
          address,
          kind: { enum: DRIFT_KINDS, description: 'What is different.' },
          status: { enum: STATUSES, description: 'Which side moved.' },
          severity: { enum: SEVERITIES, description: 'How much it matters.' },
        },
      },
    },
    ignore: {
      type: 'array',
      description: 'Differences that are known and not to be told. An apply still ends them.',
      items: {
        type: 'object',
        description: 'One rule: `{ address, path, reason, until }`.',
        additionalProperties: false,
        required: ['address', 'reason'],
        properties: {
          address,
          path: text('The field, or a member such as `agent_priorities.ann@example.com`; `*` stands for anything.'),
          reason: text('Why, for whoever meets it.'),
          until: text('The last day on which it holds, such as `2027-01-31`; then it is told again.', {
            pattern: '^\\d{4}-\\d{2}-\\d{2}$',
          }),
        },
      },
    },
    ...NOTIFY,
  },
};

/** Settings of one target; those under `defaults` are the same. */
const SETTINGS: Schema = {
  base_url: text(
    'Where the service is: an `https://` URL, or `emulator:FILE` for the embedded emulator with its state in FILE.',
    { pattern: BASE_URL },
  ),
  api_version: {
    enum: [...VERSIONS, ...VERSIONS.map(Number)],
    default: '3.6',
    description: 'Version of the Configuration API.',
  },
  token_env: text(
    'Name of the environment variable that holds the access token. The token itself is never written here.',
    {
      pattern: VARIABLE_NAME.source,
      default: 'CHATFORM_TOKEN',
    },
  ),
  account_id: text(
    'Id of the account that a personal access token belongs to; with it, requests use Basic authentication.',
  ),
  own_agent: text(
    'Id of the agent whose token it is, who is then never deleted, and neither suspended nor demoted unacknowledged.',
  ),
  overlays: texts('Files that are laid over the manifest for this target, in this order.'),
  vars: {
    type: 'object',
    description: 'Values of `${var.name}` in the manifest. Texts: put numbers in quotes.',
    propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_-]*$', description: 'Letters, digits, `_` and `-`.' },
    additionalProperties: { type: 'string', description: 'Inserted as it stands.' },
  },
  ledger: text('File that remembers what is owned. Default: .chatform/<target>.ledger.ndjson'),
  secrets: {
    type: 'object',
    description: 'Where the secrets of bots and templates go: one of these. Without it, none can be created.',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    properties: {
      file: text('A JSON file that only you can read; keep it out of version control.'),
      env_file: text('A file of KEY=value lines that only you can read; keep it out of version control.'),
      command: {
        ...texts(
          'A program and its arguments, which is given the secrets as JSON on its standard input. No shell reads it.',
        ),
        minItems: 1,
      },
    },
  },
  protect: addresses(
    'Addresses of what is never deleted; `*` stands for anything: `group/vip-*`.',
    `^(\\*|(\\*|${ANY_KIND})/.+)$`,
  ),
  prune: {
    type: 'object',
    description: 'What happens to what is not declared, by kind.',
    additionalProperties: false,
    properties: Object.fromEntries(
      KIND_NAMES.map((name) => [
        name,
        {
          enum: ['owned', 'none', 'all'],
          description:
            KINDS[name].incomplete === undefined ? PRUNE : `${PRUNE} Not \`all\`: ${KINDS[name].incomplete}.`,
        },
      ]),
    ),
  },
  max_deletes: wholeNumber('More deletes than this in one run are withheld.', 0, 5),
  max_delete_percent: wholeNumber('Deletes of more than this share of what is owned are withheld.', 0, 20, {
    maximum: 100,
  }),
  acknowledge: addresses(
    'Addresses whose irreversible or far-reaching changes are acknowledged.',
    `^(${ANY_KIND})/.+$`,
  ),
  drift,
  routing: ROUTING,
  limits: {
    type: 'object',
    description: 'What the service takes, where this license differs from what is documented; each limit by itself.',
    additionalProperties: false,
    properties: Object.fromEntries(LIMIT_NAMES.map((name) => [name, limit(name)])),
  },
  propagation_timeout: text('How long to wait until changes can be read back, such as `150s` or `2m`.', {
    pattern: DURATION,
    default: '150s',
  }),
  request_timeout: text('How long one request may take, such as `30s`.', { pattern: DURATION, default: '30s' }),
  run_timeout: text('How long a whole run may take, such as `10m`; then nothing more is sent.', {
    pattern: DURATION,
    default: '1h',
  }),
  concurrency: wholeNumber('How many requests run at the same time at first.', 1, 10, { maximum: 64 }),
  batch_size: wholeNumber('How many agents or bots travel in one batch request.', 1, 100, { maximum: 1000 }),
  propagation_delay: text(
    'Only for `emulator:`: after which time its readings show a change, such as `5s` or `0s..120s`.',
    {
      pattern: DURATION_RANGE,
      default: '0s',
    },
  ),
  plain_http: {
    type: 'boolean',
    default: false,
    description:
      'Whether the token may travel to another machine by `http://`, where everybody on the way can read it.',
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
    required: ['version', 'manifest', 'targets'],
    patternProperties: { '^x-': { description: 'A shelf for YAML anchors: not looked at.' } },
    properties: {
      version: { const: PROJECT_VERSION, description: `Version of the notation: ${PROJECT_VERSION}.` },
      manifest: {
        ...texts('Files of the manifest, or directories of `*.yaml` files, relative to this file.'),
        minItems: 1,
      },
      clients: texts(
        'Owner clients whose properties and templates are looked at, besides those that the manifest names.',
      ),
      default_target: text('The target that commands act on when none is named.'),
      policies,
      defaults: { ...settings, description: 'Settings of every target that does not set them itself.' },
      targets: {
        type: 'object',
        description: 'The licenses, by a name of your choice.',
        minProperties: 1,
        propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$', description: 'Letters, digits, `.`, `_` and `-`.' },
        additionalProperties: { ...target, description: 'One license.' },
      },
    },
  };
}
