// Webhooks that applications register, and whether a license sends those of its kind. What is sent is in webhooks.ts.
// today/configuration.md, "Webhooks".

import { STABLE_VERSION } from '../../base/api-versions.ts';
import { sha256Hex } from '../../base/digest.ts';
import { defineTable, type EmulatedLicense } from '../engine/license.ts';
import { seededId } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import type { ConfigurationContext, ConfigurationKind } from './action.ts';
import { byVersion, changeAction, readAction, writeAction } from './action.ts';
import { requireOwnClient } from './caller.ts';
import { type ConfigurationVersion, FEATURES, has, isFull, VERSIONS } from './settings.ts';

const FILTERS = ['author_type', 'only_my_chats', 'chat_presence', 'source_type', 'agent_ids'] as const;
type Filter = (typeof FILTERS)[number];
const DATA = ['chat_properties', 'chat_presence_user_ids'] as const;

/** What a webhook of an action may have; `versions` where not all have the action. */
interface Trigger {
  readonly filters: readonly Filter[];
  readonly data: boolean;
  readonly versions?: readonly ConfigurationVersion[];
}

const OF_CHAT: Trigger = { filters: ['chat_presence', 'only_my_chats', 'source_type'], data: true };
const OF_EVENT: Trigger = { ...OF_CHAT, filters: ['author_type', ...OF_CHAT.filters] };
const OF_OBJECT: Trigger = { filters: ['source_type'], data: false, versions: FEATURES.objectWebhooks };
const each = (names: string, trigger: Trigger): { readonly [action: string]: Trigger } =>
  Object.fromEntries(names.split(' ').map((name) => [name, trigger]));

const TRIGGERS: { readonly [action: string]: Trigger } = {
  ...each('incoming_chat chat_deactivated chat_transferred user_added_to_chat user_removed_from_chat', OF_CHAT),
  ...each('chat_access_updated', { ...OF_CHAT, versions: FEATURES.objectWebhooks }),
  ...each('chat_access_granted chat_access_revoked', { ...OF_CHAT, versions: FEATURES.accessWebhooks }),
  ...each('incoming_event event_updated', OF_EVENT),
  ...each('event_deleted thread_summary_set', { ...OF_CHAT, versions: FEATURES.summaryWebhooks }),
  ...each('incoming_rich_message_postback chat_properties_updated chat_properties_deleted', OF_CHAT),
  ...each('thread_properties_updated thread_properties_deleted event_properties_updated', OF_CHAT),
  ...each('event_properties_deleted thread_tagged thread_untagged events_marked_as_seen', OF_CHAT),
  ...each('routing_status_set', { filters: ['agent_ids', 'source_type'], data: false }),
  ...each('customer_session_fields_updated', { filters: ['chat_presence', 'source_type'], data: true }),
  ...each('incoming_customer', { filters: [], data: false, versions: FEATURES.customerWebhooks }),
  ...each('agent_created agent_updated agent_approved agent_suspended agent_unsuspended', OF_OBJECT),
  ...each('agent_deleted', { filters: ['agent_ids', 'source_type'], data: false }),
  ...each('bot_created bot_updated bot_deleted group_created group_updated group_deleted', OF_OBJECT),
  ...each('tag_created tag_updated tag_deleted auto_accesses_updated', OF_OBJECT),
};

/** Every webhook of any version. */
export const WEBHOOK_NAMES: readonly string[] = Object.keys(TRIGGERS);

/** What a version knows of an action; undefined for one that it does not have. */
export function triggerIn(action: string, version: ConfigurationVersion): Trigger | undefined {
  const trigger = Object.hasOwn(TRIGGERS, action) ? TRIGGERS[action] : undefined;
  if (trigger === undefined || trigger.versions?.includes(version) === false) return undefined;
  const filters = trigger.filters.filter((name) => name !== 'source_type' || has('sourceFilter', version));
  return { ...trigger, filters };
}

const users = s.checked(
  s.object({ values: s.optional(s.distinct(s.text)), exclude_values: s.optional(s.distinct(s.text)) }),
  ({ values, exclude_values: others }, path) => {
    if (values !== undefined && others !== undefined)
      refuse('validation', `${s.quoted(`${path}.exclude_values`)} cannot be combined with \`values\``);
  },
);

/** No page gives the shape of `agent_ids`: a list, or the members of `user_ids`. */
const agentIds: s.JsonReader<readonly string[] | ReturnType<typeof users>> = Object.assign(
  (value: unknown, path: string) => (Array.isArray(value) ? s.distinct(s.text)(value, path) : users(value, path)),
  { schema: { type: ['array', 'object'] } },
);

const filtersIn = (version: ConfigurationVersion) =>
  s.object({
    author_type: s.optional(s.oneOf(['customer', 'agent'])),
    only_my_chats: s.optional(s.bool),
    chat_presence: s.optional(s.object({ user_ids: s.optional(users), my_bots: s.optional(s.bool) })),
    source_type: has('sourceFilter', version)
      ? s.optional(s.distinct(s.oneOf(['my_client', 'other_clients', 'system'])))
      : s.ignored,
    agent_ids: s.optional(agentIds),
  });

const described = {
  action: s.text,
  url: s.webAddress,
  owner_client_id: s.text,
  type: s.oneOf(['license', 'bot']),
  description: s.optional(s.string),
  filters: s.optional(filtersIn(STABLE_VERSION)),
  additional_data: s.optional(s.distinct(s.oneOf(DATA))),
};
const webhookRecord = s.object({ id: s.text, ...described, secret_digest: s.optional(s.text) });
type WebhookRecord = ReturnType<typeof webhookRecord>;
const webhookTable = defineTable('webhooks', webhookRecord, ({ id }) => id, {
  owner_client_id: ({ owner_client_id }) => owner_client_id,
});

/** Clients whose license webhooks were enabled or disabled here; of the others, the setting `licenseWebhooks` says it. */
const stateTable = defineTable(
  'webhook_states',
  s.object({ client_id: s.text, enabled: s.bool }),
  ({ client_id }) => client_id,
  {},
);

const seed = {
  webhooks: s.described(
    { description: 'Webhooks that clients registered. `secret`: what their deliveries carry.' },
    s.optional(s.list(s.closed({ id: s.optional(s.text), ...described, secret: s.optional(s.text) }))),
  ),
  license_webhooks: s.described(
    { description: 'Client: whether its license webhooks are on.' },
    s.optional(s.recordOf(s.bool)),
  ),
};

function plant(license: EmulatedLicense, given: s.ObjectShape<typeof seed>): void {
  const webhooks = webhookTable.of(license);
  for (const [index, { secret, ...webhook }] of (given.webhooks ?? []).entries()) {
    const id = webhook.id ?? seededId('webhook', index);
    if (webhooks.get(id) !== undefined) refuse('validation', `two webhooks have the id ${id}`);
    if (!Object.hasOwn(TRIGGERS, webhook.action))
      refuse('validation', `${s.quoted(`webhooks[${index}].action`)} is no webhook of any version`);
    webhooks.set({ ...webhook, ...(secret === undefined ? {} : { secret_digest: sha256Hex(secret) }), id });
  }
  for (const [client_id, enabled] of Object.entries(given.license_webhooks ?? {}))
    stateTable.of(license).set({ client_id, enabled });
}

const SCOPES = ['webhooks.configuration:rw'];

type Registered = Omit<WebhookRecord, 'id' | 'secret_digest'>;

function requireFitting({ action, filters = {}, additional_data: data }: Registered, version: ConfigurationVersion) {
  const trigger = triggerIn(action, version);
  if (trigger === undefined)
    return refuse('validation', `${s.quoted('action')}: ${version} has no ${s.quoted(action)}`);
  for (const name of FILTERS)
    if (filters[name] !== undefined && !trigger.filters.includes(name))
      refuse('validation', `${s.quoted(`filters.${name}`)} is not for ${s.quoted(action)}`);
  if (data !== undefined && data.length > 0 && !trigger.data)
    refuse('validation', `${s.quoted('additional_data')} is not for ${s.quoted(action)}`);
}

function requireRoom({ owner_client_id, action, type }: Registered, { license, settings }: ConfigurationContext): void {
  const ofClient = webhookTable.of(license).where('owner_client_id', owner_client_id);
  const alike = ofClient.filter(
    (other) => other.action === action && (settings.webhooksCounted === 'together' || other.type === type),
  );
  if (isFull(settings.limits.webhooksPerAction, alike.length))
    refuse('limit_reached', `the client has no webhook of ${s.quoted(action)} left`);
}

const requestIn = (version: ConfigurationVersion) =>
  s.object({ ...described, filters: s.optional(filtersIn(version)), secret_key: s.text });

/** The client whose license webhooks are meant: of a token, its own or the one that it names; a personal access token has none. */
function stateClient({ version, caller, license }: ConfigurationContext, asked: string | undefined): string {
  if (has('ownStateOnly', version) && caller.kind === 'application' && asked !== undefined)
    refuse('validation', `${s.quoted('owner_client_id')} must not be sent with a bearer token`);
  const client = asked ?? caller.clientId ?? refuse('validation', `${s.quoted('owner_client_id')} is required`);
  if (asked !== undefined) requireOwnClient(license, asked);
  return client;
}

const ofClient = s.object({ owner_client_id: s.optional(s.text) });

const turning = (name: string, enabled: boolean) =>
  changeAction(name, ofClient, {
    scopes: ['webhooks.state:rw'],
    run: ({ owner_client_id: asked }, context) => {
      stateTable.of(context.license).set({ client_id: stateClient(context, asked), enabled });
    },
  });

const actions = [
  writeAction('register_webhook', byVersion(requestIn), {
    scopes: SCOPES,
    run: ({ secret_key, ...given }, context) => {
      const { license, settings, version, ids } = context;
      requireOwnClient(license, given.owner_client_id);
      if (has('urlLength', version) && isFull(settings.limits.webhookUrlLength, [...given.url].length - 1))
        refuse('validation', `${s.quoted('url')} must have at most ${settings.limits.webhookUrlLength} characters`);
      requireFitting(given, version);
      requireRoom(given, context);
      const id = ids.object();
      webhookTable.of(license).set({ ...given, id, secret_digest: sha256Hex(secret_key) });
      return { id };
    },
  }),
  readAction('list_webhooks', s.object({ owner_client_id: s.text }), {
    scopes: SCOPES,
    run: ({ owner_client_id }, { license, settings, at }) => {
      requireOwnClient(license, owner_client_id);
      const webhooks = webhookTable.of(license).where('owner_client_id', owner_client_id, at);
      return webhooks.map(
        ({ secret_digest: _, additional_data: data, description = '', filters = {}, ...webhook }) => ({
          ...webhook,
          description,
          filters,
          ...(settings.webhookDataOnRead === 'shown' ? { additional_data: data ?? [] } : {}),
        }),
      );
    },
  }),
  changeAction('unregister_webhook', s.object({ id: s.text, owner_client_id: s.text }), {
    scopes: SCOPES,
    run: ({ id, owner_client_id }, { license }) => {
      requireOwnClient(license, owner_client_id);
      if (webhookTable.of(license).get(id)?.owner_client_id !== owner_client_id)
        refuse('not_found', `webhook ${s.quoted(id)} of this \`owner_client_id\` does not exist`);
      webhookTable.of(license).delete(id);
    },
  }),
  readAction('list_webhook_names', s.object({ version: s.optional(s.oneOf(VERSIONS)) }), {
    anonymous: true,
    run: ({ version = STABLE_VERSION }) =>
      Object.keys(TRIGGERS).flatMap((action) => {
        const trigger = triggerIn(action, version);
        if (trigger === undefined) return [];
        const { filters, data } = trigger;
        return [{ action, ...(filters.length === 0 ? {} : { filters }), ...(data ? { additional_data: DATA } : {}) }];
      }),
  }),
  turning('enable_license_webhooks', true),
  turning('disable_license_webhooks', false),
  readAction('get_license_webhooks_state', ofClient, {
    scopes: ['webhooks.state:ro'],
    run: ({ owner_client_id: asked }, context) => {
      const { license, settings, at } = context;
      const state = stateTable.of(license).get(stateClient(context, asked), at);
      return { license_webhooks_enabled: state?.enabled ?? settings.licenseWebhooks === 'on' };
    },
  }),
];

export const registeredWebhookKind = {
  tables: [webhookTable, stateTable],
  seed,
  plant,
  actions,
} satisfies ConfigurationKind;
