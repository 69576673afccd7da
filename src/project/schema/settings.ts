// The JSON Schema of the settings of a target, which `defaults:` has as well. Defaults of plain settings are stated here only.

import { STABLE_VERSION } from '../../base/api-versions.ts';
import type { Schema } from '../../base/documents.ts';
import { DURATION, DURATION_RANGE, MOST } from '../../base/duration.ts';
import { CUSTOMER_VERSIONS, REPORTS_VERSIONS, VERSIONS } from '../../base/model.ts';
import { KIND_NAMES, KINDS } from '../../kinds/index.ts';
import { LIMIT_NAMES, LIMITS, type LimitName, limitText } from '../../kinds/limits.ts';
import { VARIABLE_KEY } from '../../manifest/variables.ts';
import { VARIABLE_NAME } from '../secrets-in-text.ts';
import { DRIFT, NOTIFY } from './drift.ts';
import { ANY_KIND, addresses, text, texts, wholeNumber } from './member.ts';
import { ROUTING } from './routing.ts';

/** `base_url` has no user name, which would come with a password. */
export const BASE_URL = '^(emulator:.+|https?://[^/@\\s]+(/\\S*)?)$';

export const ACCOUNTS_URL = '^https?://[^/@\\s]+(/\\S*)?$';

/** Every license has this property, and everyone may write it. Specification: "Property". */
export const CHAT_MARK = { property: 'test/string_property', value: 'chatform test --on customer' } as const;

const PRUNE =
  'Delete objects that are owned and no longer declared (owned), delete nothing (none), or delete every object that is not declared (all).';

function limit(name: LimitName): Schema {
  const most = limitText({ create: name, update: name });
  return {
    type: 'integer',
    minimum: 1,
    maximum: MOST,
    description: `${LIMITS[name].about} By default ${most ?? 'not limited'}.`,
  };
}

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
  page_url: text(
    'Address of the page of the license, such as `https://desk.example.com/${target.name}.html` in `defaults`: notifications lead to it. It has no user name.',
    { pattern: ACCOUNTS_URL },
  ),
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
  notify: NOTIFY,
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
  lock_timeout: text('How long to wait while another run has the target locked, such as `5m`.', {
    pattern: DURATION,
    default: '0s',
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
