// The webhooks of the configuration: what each action records, of what it wrote. today/configuration.md, "Webhooks".

import { STABLE_VERSION } from '../../base/api-versions.ts';
import { isObject, type ParsedObject } from '../../base/json.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import type { HistoryTable } from '../engine/table.ts';
import type { ConfigurationAction, ConfigurationContext } from './action.ts';
import { agentTable, ownerOf } from './agents.ts';
import { ruleReply, ruleTable } from './auto-access.ts';
import { botTable } from './bots.ts';
import type { Caller } from './caller.ts';
import { agentMemberships, botMemberships, groupKey, groupTable } from './memberships.ts';
import { tagTable } from './tags.ts';

/** What reads an object, with its fields that a reply has on request only, and the member that shows its memberships. */
const READS = {
  agent: {
    action: 'get_agent',
    fields: [
      'work_scheduler',
      'groups',
      'email_subscriptions',
      'notifications',
      'job_title',
      'mobile',
      'max_chats_count',
      'suspended',
      'awaiting_approval',
    ],
    membership: 'groups',
  },
  bot: {
    action: 'get_bot',
    fields: ['groups', 'work_scheduler', 'job_title', 'max_chats_count', 'timezone'],
    membership: 'groups',
  },
  group: { action: 'get_group', fields: ['agent_priorities'], membership: 'agent_priorities' },
} as const;
/** A tag has no action that gets it: its record is what a list shows. */
type WebhookKind = keyof typeof READS | 'tag';

const TABLES = { agent: agentTable, bot: botTable, group: groupTable, tag: tagTable } as const;
const RELATIONS = {
  agent: [agentMemberships],
  bot: [botMemberships],
  group: [agentMemberships, botMemberships],
  tag: [],
} as const;

/** Members that a reply shows under another name than the record. */
const SHOWN: { readonly [kind in WebhookKind]?: { readonly [member: string]: string } } = {
  bot: { avatar: 'avatar_path' },
};

/** What a webhook has of an object: all of it, what changed, or its id alone. */
type Extent = 'whole' | 'changed' | 'id';

const SINGLE: { readonly [action: string]: readonly [WebhookKind, string, Extent] } = {
  create_agent: ['agent', 'agent_created', 'whole'],
  update_agent: ['agent', 'agent_updated', 'changed'],
  delete_agent: ['agent', 'agent_deleted', 'id'],
  approve_agent: ['agent', 'agent_approved', 'id'],
  suspend_agent: ['agent', 'agent_suspended', 'id'],
  unsuspend_agent: ['agent', 'agent_unsuspended', 'id'],
  create_bot: ['bot', 'bot_created', 'whole'],
  update_bot: ['bot', 'bot_updated', 'changed'],
  delete_bot: ['bot', 'bot_deleted', 'id'],
  create_group: ['group', 'group_created', 'whole'],
  update_group: ['group', 'group_updated', 'changed'],
  delete_group: ['group', 'group_deleted', 'id'],
  create_tag: ['tag', 'tag_created', 'whole'],
  update_tag: ['tag', 'tag_updated', 'changed'],
  delete_tag: ['tag', 'tag_deleted', 'id'],
};
const OF_RULES: readonly string[] = ['add_auto_access', 'update_auto_access', 'delete_auto_access'];

/** The service itself, which reads everything. */
const SERVICE: Caller = {
  kind: 'application',
  clientId: undefined,
  agentId: undefined,
  botId: undefined,
  role: undefined,
  inactive: false,
  scopes: 'every',
};

/** Who asks for a change. The license does not know whose token one is in open mode: it is taken as one of the owner. */
function requesterOf({ license, caller }: ConfigurationContext): object {
  const agents = agentTable.of(license);
  const user_id = caller.agentId ?? caller.botId ?? (caller.scopes === 'every' ? ownerOf(license) : undefined);
  const account_id = agents.get(user_id ?? '')?.account_id;
  const known = { user_id, account_id, client_id: caller.clientId };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

function tell(context: ConfigurationContext, event: string, payload: () => object): void {
  context.notify(event, context.license.history.now, () => ({
    payload: payload(),
    requester: requesterOf(context),
    additional_data: {},
  }));
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** Names of the members of an object that have another value than before. */
function changedMembers(before: object, after: object): readonly string[] {
  const [former, present]: readonly (readonly [string, unknown])[][] = [Object.entries(before), Object.entries(after)];
  const values = new Map(former);
  const changed = (present ?? []).filter(([name, value]) => !isSame(values.get(name), value)).map(([name]) => name);
  return [...changed, ...(former ?? []).map(([name]) => name).filter((name) => !Object.hasOwn(after, name))];
}

/** Members of an object by their names; null for one that it does not have. */
const membersOf = (object: ParsedObject, names: readonly string[]): ParsedObject =>
  Object.fromEntries(names.map((name) => [name, object[name] ?? null]));

const keyOf = (id: unknown): string => (typeof id === 'number' ? groupKey(id) : String(id));

/** Members of an object that a write changed; undefined where it changed nothing. */
type WrittenMembers = readonly string[] | undefined;

/** Does `work`, and says what it changed of the objects of a kind. */
function watched<T>(license: EmulatedLicense, kind: WebhookKind, work: () => T) {
  const table: HistoryTable<object> = TABLES[kind].of(license);
  let isMember = false;
  let inner = work;
  for (const relation of RELATIONS[kind]) {
    const edges = relation.of(license);
    const within = inner;
    inner = () => {
      const { result, before } = edges.watch(within);
      isMember ||= Array.from(before).some(([key, edge]) => !isSame(edge, edges.get(key)));
      return result;
    };
  }
  const { result, before } = table.watch(inner);
  const written = (id: unknown): WrittenMembers => {
    const key = keyOf(id);
    const own = before.has(key) ? changedMembers(before.get(key) ?? {}, table.get(key) ?? {}) : [];
    const names = own.map((name) => SHOWN[kind]?.[name] ?? name);
    const all = isMember && kind !== 'tag' ? [...names, READS[kind].membership] : names;
    return all.length === 0 ? undefined : all;
  };
  return { result, written };
}

/** Each rule that a write changed: those that were there with what changed, then new ones whole, and last those that are gone. */
function ruleChanges(
  { license, settings }: ConfigurationContext,
  before: ReadonlyMap<string, Parameters<typeof ruleReply>[0] | undefined>,
): readonly object[] {
  const pairs = Array.from(before, ([id, former]) => {
    const present = ruleTable.of(license).get(id);
    return { id, was: former && ruleReply(former, settings), is: present && ruleReply(present, settings) };
  });
  return [
    ...pairs.flatMap(({ id, was, is }) => {
      if (was === undefined || is === undefined || isSame(was, is)) return [];
      return [{ status: 'updated', id, ...membersOf({ ...is }, changedMembers(was, is)) }];
    }),
    ...pairs.flatMap(({ was, is }) => (was === undefined && is !== undefined ? [{ status: 'added', ...is }] : [])),
    ...pairs.flatMap(({ id, was, is }) => (was !== undefined && is === undefined ? [{ status: 'deleted', id }] : [])),
  ];
}

/** The same actions, each of which also records its webhooks. A batch records one for each item. */
export function withWebhooks(actions: readonly ConfigurationAction[]): readonly ConfigurationAction[] {
  const named = new Map(actions.map((action) => [action.name, action]));

  /** An object as the stable version shows it to the service. */
  function read(kind: WebhookKind, id: unknown, context: ConfigurationContext): ParsedObject {
    if (kind === 'tag') return { ...tagTable.of(context.license).get(keyOf(id)) };
    const { action, fields } = READS[kind];
    const reading: ConfigurationContext = { ...context, version: STABLE_VERSION, at: Infinity, caller: SERVICE };
    return { ...named.get(action)?.run({ id, fields }, reading) };
  }

  function withRuleWebhook(action: ConfigurationAction): ConfigurationAction['run'] {
    return (body, context) => {
      const { result, before } = ruleTable.of(context.license).watch(() => action.run(body, context));
      const payload = ruleChanges(context, before);
      if (payload.length > 0) tell(context, 'auto_accesses_updated', () => payload);
      return result;
    };
  }

  function withWebhook(action: ConfigurationAction, [kind, event, extent]: (typeof SINGLE)[string]) {
    const known = kind === 'tag' ? 'name' : 'id';
    return (body: unknown, context: ConfigurationContext): object => {
      const { result, written } = watched(context.license, kind, () => action.run(body, context));
      const given: ParsedObject = { ...(isObject(body) ? body : {}), ...(extent === 'whole' ? result : {}) };
      const id = given[known];
      const names = written(id);
      if (names === undefined) return result;
      tell(context, event, () => {
        if (extent === 'id') return { [known]: id };
        const whole = read(kind, id, context);
        return extent === 'whole' ? whole : { [known]: id, ...membersOf(whole, names) };
      });
      return result;
    };
  }

  return actions.map((action) => {
    if (OF_RULES.includes(action.name)) return { ...action, run: withRuleWebhook(action) };
    const webhook = SINGLE[action.name];
    return webhook === undefined ? action : { ...action, run: withWebhook(action, webhook) };
  });
}
