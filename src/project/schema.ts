// The JSON Schema (2020-12) of chatform.yaml, for the validator and for editors. Defaults of plain settings are stated here only.

import { STABLE_VERSION } from '../base/api-versions.ts';
import { DRIFT_KINDS, STATUSES } from '../base/difference.ts';
import { record, type Schema, type SchemaOf, typed } from '../base/documents.ts';
import { DURATION, DURATION_RANGE, MOST } from '../base/duration.ts';
import { CUSTOMER_VERSIONS, LINT_IDS, type LintId, REPORTS_VERSIONS, SEVERITIES, VERSIONS } from '../base/model.ts';
import { KIND_NAMES, KINDS } from '../kinds/index.ts';
import { LIMIT_NAMES, LIMITS, type LimitName, limitText } from '../kinds/limits.ts';
import { ANCHOR_MEMBERS, versionSchema } from '../manifest/schema.ts';
import { VARIABLE_KEY } from '../manifest/variables.ts';
import { LINT_LEVELS, LINTS, REORDERS, ROUTING_DEFAULTS } from '../routing/settings.ts';
import { fleetSchema } from './fleet-schema.ts';
import { CASES, CHAINS, CONDITIONS, DECIDES } from './routing-settings.ts';
import { VARIABLE_NAME } from './secrets-in-text.ts';
import { TARGET_NAME, targetsFromSchema } from './targets-schema.ts';

export const PROJECT_VERSION = 1;

/** `base_url` has no user name, which would come with a password. */
export const BASE_URL = '^(emulator:.+|https?://[^/@\\s]+(/\\S*)?)$';

export const ACCOUNTS_URL = '^https?://[^/@\\s]+(/\\S*)?$';

/** Every license has this property, and everyone may write it. Specification: "Property". */
export const CHAT_MARK = { property: 'test/string_property', value: 'chatform test --on customer' } as const;

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
  maximum: MOST,
  default: preset,
  description,
  ...rest,
});

const ANY_KIND = KIND_NAMES.join('|');

const PRUNE =
  'Delete objects that are owned and no longer declared (owned), delete nothing (none), or delete every object that is not declared (all).';

const ADDRESSES = ['group/sales', 'agent/*'];

const addresses = (description: string, pattern: string): Schema => ({
  type: 'array',
  description,
  items: {
    type: 'string',
    pattern,
    description: `${description} An address is \`<kind>/<key>\`.`,
    examples: ADDRESSES,
  },
});

function limit(name: LimitName): Schema {
  const most = limitText({ create: name, update: name });
  return {
    type: 'integer',
    minimum: 1,
    maximum: MOST,
    description: `${LIMITS[name].about} By default ${most ?? 'not limited'}.`,
  };
}

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

const ADDRESS = text('The addresses that it is about, or a kind; `*` stands for any text: `agent/*`.', {
  pattern: `^(\\*|(\\*|${ANY_KIND})/.+|${ANY_KIND})$`,
  examples: ADDRESSES,
});

const variable = (value: string): SchemaOf<string> =>
  typed({
    type: 'string',
    minLength: 1,
    pattern: VARIABLE_NAME.source,
    description: `Name of the environment variable that holds ${value}`,
  });

const URL_ENV = variable('its URL. The URL itself is never written here.');

const DRIFT: Schema = {
  type: 'object',
  description: 'How `chatform drift` treats differences. The rules of a target come before those of `defaults`.',
  additionalProperties: false,
  properties: {
    fail_on: {
      enum: SEVERITIES,
      default: 'warning',
      description: 'The least severity that counts: with such a difference, the exit code is 2.',
    },
    severity: {
      type: 'array',
      description: 'How severe differences are; the first rule that matches decides.',
      items: {
        type: 'object',
        description: 'One rule. A member that is left out matches every difference.',
        additionalProperties: false,
        required: ['severity'],
        properties: {
          address: ADDRESS,
          kind: { enum: DRIFT_KINDS, description: 'What is different.' },
          status: { enum: STATUSES, description: 'Which side changed.' },
          severity: { enum: SEVERITIES, description: 'How severe it is.' },
        },
      },
    },
    ignore: {
      type: 'array',
      description: 'Intended differences, which are not reported. An apply still removes them.',
      items: {
        type: 'object',
        description: 'One rule: `{ address, path, reason, until }`.',
        additionalProperties: false,
        required: ['address', 'reason'],
        properties: {
          address: ADDRESS,
          path: text('The field, or a member such as `agent_priorities.ann@example.com`; `*` stands for any text.'),
          reason: text('Why the difference is intended.'),
          until: text(
            'The last day on which the rule holds, such as `2027-01-31`. Later, the difference is reported again.',
            { pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2027-01-31'] },
          ),
        },
      },
    },
    notify: {
      type: 'array',
      description: 'The channels that are notified when a difference appears, gets worse or is resolved.',
      items: {
        type: 'object',
        description: 'One channel: `{ webhook: { url_env, secret_env } }` or `{ slack: { url_env } }`.',
        additionalProperties: false,
        minProperties: 1,
        maxProperties: 1,
        properties: {
          webhook: record('Gets JSON, signed with HMAC-SHA256.', {
            url_env: URL_ENV,
            secret_env: variable('the secret that signs, of at least 16 characters.'),
          }),
          slack: record('An incoming webhook of Slack, or of a compatible chat.', { url_env: URL_ENV }),
        },
      },
    },
    heartbeat: record('A URL that is requested after every successful check, so that a missing request is an alarm.', {
      url_env: URL_ENV,
    }),
  },
};

const choice = (values: readonly string[], preset: string, description: string): Schema => ({
  enum: values,
  default: preset,
  description,
});

/** A level, or a level with exceptions. */
function lintSchema(id: LintId): Schema {
  return {
    type: ['string', 'object'],
    default: ROUTING_DEFAULTS.lint[id],
    description: `${LINTS[id]} One of ${LINT_LEVELS.join(', ')}, or \`{ level, except }\`.`,
    if: { type: 'object' },
    else: { enum: LINT_LEVELS },
    additionalProperties: false,
    properties: {
      level: choice(LINT_LEVELS, ROUTING_DEFAULTS.lint[id], 'How much it matters.'),
      except: {
        type: 'array',
        description: 'Objects that the lint says nothing about, each with a reason.',
        items: {
          type: 'object',
          description: 'One exception: `{ address, reason }`.',
          additionalProperties: false,
          required: ['address', 'reason'],
          properties: { address: ADDRESS, reason: text('Why the finding is meant to be.') },
        },
      },
    },
  };
}

const ROUTING: Schema = {
  type: 'object',
  description:
    'How auto-access rules are read, moved and linted. A target keeps the members of `defaults` that it does not set.',
  additionalProperties: false,
  properties: {
    decides: choice(DECIDES, ROUTING_DEFAULTS.assumptions.decides, 'Which of several matching rules decides.'),
    conditions: choice(
      CONDITIONS,
      ROUTING_DEFAULTS.assumptions.conditions,
      'Whether all conditions of a rule must hold, or any one is enough.',
    ),
    case: choice(CASES, ROUTING_DEFAULTS.assumptions.case, 'Whether capital and small letters in URLs differ.'),
    greetings: choice(
      CHAINS,
      ROUTING_DEFAULTS.assumptions.greetings,
      'How `and` and `or` of the rules of a greeting combine: each rule with all before it (in-order), or `and` before `or` (and-first).',
    ),
    reorder: choice(
      REORDERS,
      ROUTING_DEFAULTS.reorder,
      'How rules are moved: with the fewest requests (minimal), or so that no visitor is routed elsewhere in between (safe).',
    ),
    lint: {
      type: 'object',
      description: 'How much each lint matters, and the objects that it says nothing about; `off` silences it.',
      additionalProperties: false,
      properties: Object.fromEntries(LINT_IDS.map((id) => [id, lintSchema(id)])),
    },
    domain: text(
      'Domain of the pages that `explain --url /pricing` and examples are about, such as `shop.example.com`. Default: the one that routing tests and rules name most.',
      { pattern: '^[^\\s/:?#@]+$' },
    ),
    timezone: {
      type: 'string',
      minLength: 1,
      default: ROUTING_DEFAULTS.timezone,
      description: 'Time zone of weeks, and of times without an offset, such as `Europe/Warsaw`.',
    },
  },
};

/** Settings of a target. `defaults` has the same. */
export const SETTINGS: { readonly [name: string]: Schema } = {
  base_url: text(
    'Address of the service: an `https://` URL, or `emulator:FILE` for the embedded emulator with its state in FILE.',
    { pattern: BASE_URL },
  ),
  api_version: {
    enum: [...VERSIONS, ...VERSIONS.map(Number)],
    default: STABLE_VERSION,
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
    'Id of the account that a personal access token belongs to. With it, requests use Basic authentication.',
  ),
  own_agent: text(
    'Id of the agent whose token it is. This agent is never deleted, and only suspended or demoted when that is acknowledged.',
  ),
  may_approve: {
    type: 'boolean',
    default: false,
    description:
      'Whether the token has the private scope subscription.lc:rw, so that it can approve agents. Otherwise a declared approval is pending until a person gives it.',
  },
  customer_api_version: {
    enum: [...CUSTOMER_VERSIONS, ...CUSTOMER_VERSIONS.map(Number)],
    default: STABLE_VERSION,
    description: 'Version of the Customer Chat Web API, by default the stable one, whatever api_version is.',
  },
  customer_token_env: text(
    "Name of the environment variable that holds a customer's access token, for actions of the Customer Chat Web API that need one.",
    { pattern: VARIABLE_NAME.source, default: 'CHATFORM_CUSTOMER_TOKEN' },
  ),
  customer: {
    type: 'object',
    description:
      'Who looks at the license as a customer when there is no token of a customer: one customer of this client, made once and kept in the ledger. Needs `accounts_url`, and the token of an administrator with the scope customers:own.',
    additionalProperties: false,
    required: ['client_id'],
    properties: { client_id: text('Client of your organization, to which the customer belongs.') },
  },
  accounts_url: text(
    "Address of the accounts service, which gives tokens to customers. Default for an emulator: the emulator's own.",
    { pattern: ACCOUNTS_URL },
  ),
  reports_api_version: {
    enum: [...REPORTS_VERSIONS, ...REPORTS_VERSIONS.map(Number)],
    default: STABLE_VERSION,
    description: 'Version of the Reports API. Waiting is measured since 3.6.',
  },
  reports_token_env: text(
    'Name of the environment variable that holds a token for the Reports API, where it has one of its own. Default: that of token_env, which then needs the scope reports_read.',
    { pattern: VARIABLE_NAME.source },
  ),
  reports_lag: text(
    'How late a chat may show in the reports, such as `3h`. A day that ended less than this ago is asked again each time.',
    { pattern: DURATION, default: '3h' },
  ),
  chat_mark: {
    type: 'object',
    description:
      'By which thread property `test --on customer --chat` marks a rehearsed chat. Customers must be able to write it.',
    additionalProperties: false,
    properties: {
      property: text('`<namespace>/<name>` of a property of type string.', {
        pattern: '^[^/]+/.+$',
        default: CHAT_MARK.property,
      }),
      value: text('What it says.', { default: CHAT_MARK.value }),
    },
  },
  license_id: {
    type: ['integer', 'string'],
    minimum: 1,
    pattern: '^[1-9]\\d*$',
    description: 'Number of the license, which version 3.3 of the Customer Chat Web API needs.',
  },
  organization_id: text(
    'Id of the organization, which tokens of bots and version 3.7 of the Customer Chat Web API need.',
    {
      pattern: '^\\S+$',
    },
  ),
  overlays: texts('Overlay files for this target, in the order in which they apply.'),
  vars: {
    type: 'object',
    description: 'Values of `${var.name}` in the manifest.',
    propertyNames: VARIABLE_KEY,
    additionalProperties: {
      description: 'A text, or a value of the type that `variables:` of the manifest declares.',
    },
  },
  labels: {
    type: 'object',
    description:
      'Labels, by which a command chooses targets: `-l ring=canary`. A target keeps those of `defaults` that it does not set.',
    propertyNames: { pattern: '^[A-Za-z0-9._/-]+$', description: 'Letters, digits, `.`, `_`, `-` and `/`.' },
    additionalProperties: {
      type: 'string',
      pattern: '^[A-Za-z0-9._/-]*$',
      description: 'Letters, digits, `.`, `_`, `-` and `/`; it can be empty.',
    },
  },
  ledger: text('File that records what is owned. Default: .chatform/<target>.ledger.ndjson'),
  secrets: {
    type: 'object',
    description:
      'Where the secrets of bots and templates are stored: one of these. Without it, no bot or template can be created.',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    properties: {
      file: text('A JSON file that only you can read; keep it out of version control.'),
      env_file: text('A file of KEY=value lines that only you can read; keep it out of version control.'),
      command: {
        ...texts(
          'A program and its arguments. It gets the secrets as JSON on standard input, and runs without a shell.',
        ),
        minItems: 1,
      },
    },
  },
  protect: addresses(
    'Addresses of objects that are never deleted; `*` stands for any text: `group/vip-*`.',
    `^(\\*|(\\*|${ANY_KIND})/.+)$`,
  ),
  prune: {
    type: 'object',
    description: 'What happens to objects that are not declared, by kind.',
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
  prune_installed_bots: {
    type: 'boolean',
    default: false,
    description:
      'Whether deleting a bot template also deletes the bots that it made, on every license that has the application installed. Each such template must be acknowledged.',
  },
  max_deletes: wholeNumber('A run with more deletes than this is withheld.', 0, 5),
  max_delete_percent: wholeNumber(
    'A run that deletes more than this percentage of the owned objects is withheld.',
    0,
    20,
    {
      maximum: 100,
    },
  ),
  acknowledge: addresses(
    'Addresses whose irreversible or far-reaching changes are acknowledged.',
    `^(${ANY_KIND})/.+$`,
  ),
  drift: DRIFT,
  routing: ROUTING,
  limits: {
    type: 'object',
    description: 'Limits of this license that differ from the documented ones.',
    additionalProperties: false,
    properties: Object.fromEntries(LIMIT_NAMES.map((name) => [name, limit(name)])),
  },
  propagation_timeout: text('How long to wait until changes can be read back, such as `150s` or `2m`.', {
    pattern: DURATION,
    default: '150s',
  }),
  request_timeout: text('How long one request may take, such as `30s`.', { pattern: DURATION, default: '30s' }),
  run_timeout: text('How long a whole run may take, such as `10m`. After that, no request is sent.', {
    pattern: DURATION,
    default: '1h',
  }),
  concurrency: wholeNumber('How many requests run at the same time at the start.', 1, 10, { maximum: 64 }),
  batch_size: wholeNumber('How many agents or bots one batch request has at most.', 1, 100, { maximum: 1000 }),
  propagation_delay: text(
    'Only for `emulator:`: how long readings take to show a change, such as `5s` or `0s..120s`.',
    {
      pattern: DURATION_RANGE,
      default: '0s',
    },
  ),
  plain_http: {
    type: 'boolean',
    default: false,
    description:
      'Whether the token may be sent to another machine over `http://`, where every machine in between can read it.',
  },
};

/** Name of a project in a database where only one is. */
export const DEFAULT_PROJECT = 'chatform';

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
