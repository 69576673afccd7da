// Everything that is known about webhooks. They belong to a client, on all its licenses. today/configuration.md, "Webhooks".

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import { type Json, type LiveObject, VERSIONS, type Version } from '../base/model.ts';
import { parsedUrl } from '../base/url.ts';
import { type Fields, PLAIN, type SpecOf, type Unchecked } from './field.ts';
import { sortedSet } from './fields.ts';
import { type Call, defineKind, type KindReader, type Report } from './kind.ts';
import { checkAction, WEBHOOK_ACTIONS } from './webhook-actions.ts';
import { type ReplyRow, readFields, rowOf, rowsOf, seedFields } from './wire.ts';

const ids = { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', minLength: 1 } } as const;

const users = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: {
    values: { ...ids, description: 'Ids of these users.' },
    exclude_values: { ...ids, description: 'Ids of all users but these.' },
  },
} as const satisfies Schema;

const filters = {
  type: 'object',
  additionalProperties: false,
  properties: {
    author_type: {
      enum: ['customer', 'agent'],
      description: 'Who wrote the event. For `incoming_event` and `event_updated`.',
    },
    only_my_chats: { type: 'boolean', description: 'Only chats that were begun through the owner client.' },
    chat_presence: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      description: 'Who is in the chat.',
      properties: {
        user_ids: { ...users, description: 'Users of any type, by their ids.' },
        my_bots: { type: 'boolean', description: 'A bot of the owner client.' },
      },
    },
    source_type: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: ['my_client', 'other_clients', 'system'] },
      description: 'What caused it. Since 3.5.',
    },
    agent_ids: {
      type: ['array', 'object'],
      description:
        'Agents whom it is about. For `routing_status_set` and `agent_deleted`. No page gives its shape, so it is sent as written.',
    },
  },
} as const satisfies Schema;

/** Lists of names in one order: they are sets. */
function canonicalFilters(value: Json): Json {
  if (isList(value)) return sortedSet(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, canonicalFilters(member)]));
}

/** The type of webhooks about the chats of bots. */
export const ABOUT_BOTS = 'bot';

const fields = {
  owner_client_id: {
    ...PLAIN,
    about: 'The application (client) that owns it. It must belong to your organization.',
    schema: { type: 'string', minLength: 1, pattern: '^[^/]+$' },
    writable: 'create',
  },
  type: {
    ...PLAIN,
    about:
      'Of what it tells: `license` for everything on the license, `bot` for chats of bots of the owner client while one is not `offline`.',
    schema: { enum: ['license', ABOUT_BOTS] },
    writable: 'create',
  },
  action: {
    ...PLAIN,
    about: 'What it tells, such as `chat_deactivated`: a chat has ended.',
    schema: { type: 'string', minLength: 1, examples: WEBHOOK_ACTIONS },
    writable: 'create',
  },
  url: {
    ...PLAIN,
    about:
      'Where it is sent, in at most 500 characters since 3.5. Deliveries carry the secret, so it must be `https://`.',
    schema: { type: 'string', minLength: 1 },
    writable: 'create',
    limit: { create: 'webhook_url_length', update: 'webhook_url_length' },
  },
  secret_key: {
    about:
      'Where the secret is that each delivery carries: `{ env: NAME }`, a variable whose name contains `HOOK`. Left out, chatform makes one and keeps it in `secrets:`.',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['env'],
      properties: {
        env: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$', description: 'Name of the environment variable.' },
      },
    },
    shape: 'object',
    readable: 'never',
    writable: 'create',
    secret: true,
    phrases: (value) => (isObject(value) ? [{ key: '', about: '', says: `from ${String(value['env'])}` }] : []),
  },
  description: {
    ...PLAIN,
    about: 'What it is for.',
    schema: { type: 'string' },
    writable: 'create',
    absent: '',
  },
  additional_data: {
    about: 'What deliveries also have. No sample of a reply shows it.',
    schema: { type: 'array', uniqueItems: true, items: { enum: ['chat_properties', 'chat_presence_user_ids'] } },
    shape: 'set',
    readable: 'sometimes',
    writable: 'create',
  },
  filters: {
    about: 'What must hold for a delivery.',
    schema: filters,
    shape: 'object',
    readable: 'list',
    writable: 'create',
    absent: {},
    canonical: canonicalFilters,
  },
} as const satisfies Fields;

type Webhook = SpecOf<typeof fields>;

/** A name that only a private network resolves, or an address in one; literally, because nothing is looked up. */
function isPrivateHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  if (/^[\d.]+$/.test(name))
    return /^(0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(
      name,
    );
  if (name.includes(':')) return /^(::1?$|::ffff:|f[cd]|fe[89ab])/.test(name);
  return !name.includes('.') || /\.(localhost|local|internal|lan|home\.arpa|test|invalid)$/.test(name);
}

function checkUrl(written: Json | undefined, report: Report): void {
  if (typeof written !== 'string') return;
  const url = parsedUrl(written);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    report(['url'], 'bad-format', 'it is no address on the web', 'write an address that begins with `https://`');
    return;
  }
  if (url.username !== '' || url.password !== '') {
    report(
      ['url'],
      'not-allowed',
      'the address has a name or a password in it',
      'remove them: `secret_key` is the proof of a delivery',
    );
    return;
  }
  const isPrivate = isPrivateHost(url.hostname);
  if (url.protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(url.hostname))
    report(['url'], 'not-allowed', 'the secret of each delivery would travel in the clear', 'write `https://`');
  else if (isPrivate)
    report(
      ['url'],
      'not-allowed',
      `the service cannot reach \`${url.hostname}\`, which is private to a network`,
      'write an address that is reachable from outside',
      'warning',
    );
}

function check(written: Unchecked<Webhook>, report: Report, version: Version): void {
  const { action, url, filters: given = null, additional_data: data = null, secret_key: secret } = written;
  checkUrl(url, report);
  if (typeof action === 'string') checkAction(action, given, data, version, report);
  const name = isObject(secret) ? secret['env'] : null;
  if (typeof name === 'string' && !/HOOK/i.test(name))
    report(
      ['secret_key', 'env'],
      'not-allowed',
      `\`${name}\` could be a secret of something else, and the service sends it to the URL`,
      'use a variable whose name contains `HOOK`, such as WAREHOUSE_HOOK_SECRET',
    );
}

function liveWebhook(row: ReplyRow, owner_client_id: string): LiveObject {
  const [id, action, url] = [row.text('id'), row.text('action'), row.text('url')];
  const read: { readonly [field: string]: Json | undefined } = {
    owner_client_id,
    type: row.text('type'),
    action,
    url,
    description: row.raw('description') ?? '',
    additional_data: row.raw('additional_data'),
    filters: row.raw('filters') ?? {},
  };
  const { spec, unread } = readFields(Object.keys(read), (name) => read[name]);
  const name = `${action} ${parsedUrl(url)?.hostname ?? url}`;
  return { kind: 'webhook', id, name, spec, facts: unread.length > 0 ? { unread } : {} };
}

function listed(owner_client_id: string): Call {
  return { action: 'list_webhooks', body: { owner_client_id } };
}

async function read(reader: KindReader): Promise<readonly LiveObject[]> {
  const lists = await Promise.all(
    reader.clients.map(async (owner_client_id) => {
      const { action, body } = listed(owner_client_id);
      const reply = await reader.ask(action, body);
      return rowsOf('list_webhooks', reply).map((row) => liveWebhook(row, owner_client_id));
    }),
  );
  return lists.flat();
}

function placeOf({ owner_client_id: owner, type, action, url }: Webhook): string {
  return JSON.stringify([owner ?? null, type ?? null, action ?? null, url ?? null]);
}

export const webhook = defineKind(fields, {
  name: 'webhook',
  versions: VERSIONS,
  noun: { one: 'webhook', many: 'webhooks' },
  about:
    'What applications (clients) are told, and where. A webhook belongs to its client, on all its licenses: one target of the project owns those of a client.',
  at: ['webhooks', '*'],
  entry: 'fields',
  columns: ['action', 'url'],
  summary: (_spec, said) => [said('action'), said('url'), said('owner_client_id'), said('filters')],
  required: ['owner_client_id', 'type', 'action', 'url'],
  identifying: ['owner_client_id'],
  id: 'string',
  unique: ['url', 'owner_client_id', 'type', 'action'],
  capacity: { limit: 'webhooks_per_action', per: 'namespace', among: ['action'] },
  prune: 'owned',
  inPart: true,
  replacing: {
    loses: null,
    remade: (live, desired) => ({ ...live, ...desired }),
    overlaps: 'deliveries stop between the two requests',
  },
  shared: { reaches: 'every license that has the application of its client', listed },
  follows: 'bot',
  namespace: ({ spec: { owner_client_id: owner } }) => (typeof owner === 'string' ? owner : null),
  check,
  identity: ['owner_client_id', 'type', 'action', 'url'],
  naturalKeys: [
    {
      about: 'owner client, type, action and URL',
      ofDesired: ({ spec }) => placeOf(spec),
      ofLive: ({ spec }) => placeOf(spec),
    },
  ],
  read,
  create: ({ secret_key: _, ...given }, { secret }) => ({
    action: 'register_webhook',
    body: { ...given, ...(secret === null ? {} : { secret_key: secret }) },
  }),
  remove: (id, { owner_client_id }) => ({
    action: 'unregister_webhook',
    body: { id, ...(owner_client_id === undefined ? {} : { owner_client_id }) },
  }),
  createdId: (reply) => rowOf('register_webhook', reply).text('id'),
  seed: {
    sections: (webhooks) => ({
      webhooks: webhooks.map(({ id, spec }) => ({ ...seedFields(spec), id: String(id) })),
    }),
  },
});
