// The webhooks of the configuration: what each action records. today/configuration.md, "Webhooks".

import { STABLE_VERSION } from '../../base/api-versions.ts';
import { isObject, type ParsedObject } from '../../base/json.ts';
import { isRefusal } from '../engine/refusal.ts';
import type { ConfigurationAction, ConfigurationContext } from './action.ts';
import type { Caller } from './caller.ts';

/** What reads an object, with its fields that a reply has on request only. */
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
  },
  bot: { action: 'get_bot', fields: ['groups', 'work_scheduler', 'job_title', 'max_chats_count', 'timezone'] },
  group: { action: 'get_group', fields: ['agent_priorities'] },
} as const;
type WebhookKind = keyof typeof READS | 'tag';

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
  role: undefined,
  inactive: false,
  scopes: 'every',
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Members of an object that have another value than before; null for one that is gone. */
function changes(before: ParsedObject, after: ParsedObject): ParsedObject {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const other = Array.from(names).filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(other.map((name) => [name, after[name] ?? null]));
}

/** Each rule that changed: added ones whole, others with what changed. */
function ruleChanges(before: readonly ParsedObject[], after: readonly ParsedObject[]): readonly object[] {
  const known = new Map(before.map((rule) => [rule['id'], rule]));
  const present = new Set(after.map(({ id }) => id));
  const changed = after.flatMap((rule) => {
    const former = known.get(rule['id']);
    if (former === undefined) return [{ status: 'added', ...rule }];
    return isSame(former, rule) ? [] : [{ status: 'updated', id: rule['id'], ...changes(former, rule) }];
  });
  const gone = before.filter(({ id }) => !present.has(id));
  return [...changed, ...gone.map(({ id }) => ({ status: 'deleted', id }))];
}

const itemsOf = (reply: unknown): readonly ParsedObject[] => (Array.isArray(reply) ? reply.filter(isObject) : []);

/** The same actions, each of which also records its webhooks. A batch records one for each item. */
export function withWebhooks(actions: readonly ConfigurationAction[]): readonly ConfigurationAction[] {
  const named = new Map(actions.map((action) => [action.name, action]));

  /** What an action answers to the service, as the stable version shows it; undefined where there is no such object. */
  function read(name: string, body: object, context: ConfigurationContext): unknown {
    try {
      return named.get(name)?.run(body, { ...context, version: STABLE_VERSION, at: Infinity, caller: SERVICE });
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }

  const rulesOf = (context: ConfigurationContext): readonly ParsedObject[] =>
    itemsOf(read('list_auto_accesses', {}, context));

  function withRuleWebhook(action: ConfigurationAction): ConfigurationAction['run'] {
    return (body, context) => {
      const before = rulesOf(context);
      const reply = action.run(body, context);
      const payload = ruleChanges(before, rulesOf(context));
      if (payload.length > 0) context.notify('auto_accesses_updated', context.license.history.now, () => payload);
      return reply;
    };
  }

  function withWebhook(action: ConfigurationAction, [kind, event, extent]: (typeof SINGLE)[string]) {
    // A tag has no id, and no action that gets it.
    const known = kind === 'tag' ? 'name' : 'id';
    return (body: unknown, context: ConfigurationContext): object => {
      const objectOf = (id: unknown): ParsedObject | undefined => {
        const found =
          kind === 'tag'
            ? itemsOf(
                read('list_tags', {}, { ...context, settings: { ...context.settings, tagsWithoutGroups: 'listed' } }),
              ).find(({ name }) => name === id)
            : read(READS[kind].action, { id, fields: READS[kind].fields }, context);
        return isObject(found) ? found : undefined;
      };
      const before = extent === 'whole' || !isObject(body) ? undefined : objectOf(body[known]);
      const reply = action.run(body, context);
      const isTold = extent === 'whole' && isObject(reply) && known in reply;
      const id = isTold ? reply[known] : isObject(body) ? body[known] : undefined;
      const after = objectOf(id);
      if (isSame(before, after)) return reply;
      context.notify(event, context.license.history.now, () => {
        if (extent === 'id' || after === undefined) return { [known]: id };
        return extent === 'whole' || before === undefined ? after : { [known]: id, ...changes(before, after) };
      });
      return reply;
    };
  }

  return actions.map((action) => {
    if (OF_RULES.includes(action.name)) return { ...action, run: withRuleWebhook(action) };
    const webhook = SINGLE[action.name];
    return webhook === undefined ? action : { ...action, run: withWebhook(action, webhook) };
  });
}
