// The records of a license and its tables. Does not say how a request or a reply spells them.

import { badState, defineFact, defineTable, type EmulatedLicense, type Kind } from '../engine/license.ts';
import type { JsonReader } from '../engine/shape.ts';
import { bool, int, list, object, oneOf, optional, string, text, withoutNull } from '../engine/shape.ts';
import { conditions } from './conditions.ts';
import { schedulerRecord } from './scheduler.ts';

const PRIORITIES = ['first', 'normal', 'last', 'supervisor'] as const;
export const ROLES = ['viceowner', 'administrator', 'normal'] as const;
/** From the highest to the lowest; the owner's is never given. */
export const ALL_ROLES = ['owner', ...ROLES] as const;
export type Role = (typeof ALL_ROLES)[number];
export const LOGIN_STATUSES = ['accepting chats', 'not accepting chats'] as const;
export const SUBSCRIPTIONS = ['daily_summary', 'weekly_summary'] as const;
export const NOTIFICATIONS = [
  'new_visitor',
  'incoming_chat',
  'returning_visitor',
  'queued_visitor',
  'visitor_is_typing',
  'new_goal',
  'unassigned_chats',
  'unassigned_chat_messages',
  'ticket',
  'inactive_notifications',
  'mute_all_sounds',
  'repeat_sound_notifications',
  'ticket_notifications',
  'incoming_message_for_focused_chat',
] as const;
export const PROPERTY_TYPES = ['int', 'bool', 'string', 'tokenized_string'] as const;
export const RIGHTS = ['read', 'write'] as const;

export const priority = oneOf(PRIORITIES);
export type Priority = (typeof PRIORITIES)[number];

/** The value of a property, before its definition is asked. */
export type Value = boolean | number | string;

export const value: JsonReader<Value> = (given, path) => {
  if (typeof given === 'boolean' || typeof given === 'number') return given;
  return string(given, path);
};

/** Specification: "Agent". `role` is `owner` for the one who owns the license. */
export const agentRecord = object({
  id: text,
  account_id: text,
  name: string,
  role: oneOf(ALL_ROLES),
  avatar: optional(string),
  login_status: oneOf(LOGIN_STATUSES),
  job_title: optional(string),
  mobile: optional(string),
  max_chats_count: int(0),
  awaiting_approval: bool,
  suspended: bool,
  notifications: optional(list(oneOf(NOTIFICATIONS))),
  email_subscriptions: optional(list(oneOf(SUBSCRIPTIONS))),
  work_scheduler: optional(schedulerRecord),
  last_logout: optional(string),
});
export type Agent = ReturnType<typeof agentRecord>;

/** Specification: "Group". */
export const groupRecord = object({ id: int(0), name: string, language_code: string });
export type Group = ReturnType<typeof groupRecord>;

/** One edge of the membership relation, seen from both its ends; `member` is an agent's or a bot's id. */
export const membershipRecord = object({ group: int(0), member: text, priority });
export type Membership = ReturnType<typeof membershipRecord>;

/** Specification: "Bot". `created_with` decides who lists it; a seeded bot has a secret that nobody knows. */
export const botRecord = object({
  id: text,
  name: string,
  avatar: optional(string),
  max_chats_count: int(0),
  default_group_priority: optional(priority),
  job_title: optional(string),
  work_scheduler: optional(schedulerRecord),
  owner_client_id: text,
  created_with: oneOf(['application', 'personal']),
  secret_digest: optional(text),
});
export type Bot = ReturnType<typeof botRecord>;

/** Specification: "Bot template (3.6)". */
export const templateRecord = object({
  id: text,
  name: string,
  avatar: optional(string),
  max_chats_count: int(0),
  default_group_priority: optional(priority),
  job_title: optional(string),
  owner_client_id: text,
  secret_digest: optional(text),
});
export type Template = ReturnType<typeof templateRecord>;

/**
 * A token that the license knows. Specification: "Authentication". `agent_id` is whose token it is, `client_id` the application's;
 * `account_id` must be sent with a personal one that has it; `role` is that of the agent unless it is given.
 */
export const tokenRecord = object({
  digest: text,
  kind: oneOf(['bearer', 'personal']),
  scopes: list(text),
  role: optional(oneOf(ALL_ROLES)),
  account_id: optional(text),
  agent_id: optional(text),
  client_id: optional(text),
});
export type Token = ReturnType<typeof tokenRecord>;

/** Specification: "Bot template (3.6)", Issue Bot Token. `expires` is in ms since the epoch. */
export const botTokenRecord = object({
  digest: text,
  bot_id: text,
  client_id: text,
  organization_id: text,
  expires: int(0),
});

/** A node of the doubly linked list: `next` and `previous` are ids, empty at the ends. */
export const ruleRecord = object({
  id: text,
  description: optional(string),
  groups: list(int(0)),
  conditions,
  next: string,
  previous: string,
});
export type Rule = ReturnType<typeof ruleRecord>;

/** The ends of the list of rules; both empty when there is none. */
export const endsRecord = object({ first: string, last: string });
export type Ends = ReturnType<typeof endsRecord>;

const rights = optional(list(oneOf(RIGHTS)));
const location = optional(withoutNull(object({ agent: rights, customer: rights }, true)));
/** Closed, because its keys are values that somebody chose, not members of a request. */
export const access = withoutNull(
  object({ chat: location, thread: location, event: location, license: location, group: location }, true),
);

/** Specification: "Property". `published` is absent until publish_property. */
export const propertyRecord = object({
  namespace: text,
  name: text,
  type: oneOf(PROPERTY_TYPES),
  description: optional(string),
  access,
  domain: optional(list(value)),
  range: optional(object({ from: int(Number.MIN_SAFE_INTEGER), to: int(Number.MIN_SAFE_INTEGER) })),
  default_value: optional(value),
  published: optional(list(oneOf(RIGHTS))),
});
export type Property = ReturnType<typeof propertyRecord>;

/** A value that was set; `holder` is `license`, or `group/<id>`. */
export const valueRecord = object({ holder: text, namespace: text, name: text, value });
export type PropertyValue = ReturnType<typeof valueRecord>;

export const groupKey = (id: number): string => String(id);
export const membershipKey = (group: number, member: string): string => `${group} ${member}`;
export const propertyKey = (namespace: string, name: string): string => JSON.stringify([namespace, name]);
export const valueKey = (holder: string, namespace: string, name: string): string =>
  JSON.stringify([holder, namespace, name]);
export const ENDS = 'ends';

export const agentTable = defineTable('agents', agentRecord, ({ id }) => id, {});
export const groupTable = defineTable('groups', groupRecord, ({ id }) => groupKey(id), {});
export const botTable = defineTable('bots', botRecord, ({ id }) => id, {});
const relation = <const N extends string>(name: N) =>
  defineTable(name, membershipRecord, ({ group, member }) => membershipKey(group, member), {
    group: ({ group }) => groupKey(group),
    member: ({ member }) => member,
  });
/** Agents and bots have a relation each, because an agent may be called like a bot's id. */
export const agentMembershipTable = relation('agentMemberships');
export const botMembershipTable = relation('botMemberships');
export const templateTable = defineTable('templates', templateRecord, ({ id }) => id, {
  owner_client_id: ({ owner_client_id }) => owner_client_id,
});
export const botTokenTable = defineTable('botTokens', botTokenRecord, ({ digest }) => digest, {});
export const ruleTable = defineTable('rules', ruleRecord, ({ id }) => id, {});
export const ruleEndsTable = defineTable('ruleEnds', endsRecord, () => ENDS, {});
export const propertyTable = defineTable(
  'properties',
  propertyRecord,
  ({ namespace, name }) => propertyKey(namespace, name),
  {
    namespace: ({ namespace }) => namespace,
  },
);
export const valueTable = defineTable(
  'values',
  valueRecord,
  ({ holder, namespace, name }) => valueKey(holder, namespace, name),
  {
    holder: ({ holder }) => holder,
    property: ({ namespace, name }) => propertyKey(namespace, name),
  },
);

/** The id of the next group that is created. */
export const nextGroupId = defineFact('next_group_id', int(1), 1);
/** Owner clients of the caller's organization; undefined when any client id is accepted as one. */
export const ownClients = defineFact('clients', optional(list(text)), undefined);
/** Clients whose application is installed on this license: their templates have bots here. */
export const installedClients = defineFact('installed_clients', list(text), []);
/** The only tokens that are accepted, in addition to those issued to bots; undefined when any credential is. */
export const tokens = defineFact('tokens', optional(list(tokenRecord)), undefined);

export const recordsKind = {
  tables: [
    agentTable,
    groupTable,
    agentMembershipTable,
    botTable,
    botMembershipTable,
    templateTable,
    botTokenTable,
    ruleTable,
    ruleEndsTable,
    propertyTable,
    valueTable,
  ],
  facts: [nextGroupId, ownClients, installedClients, tokens],
  check: (license: EmulatedLicense): void => {
    for (const { group, member } of agentMembershipTable.of(license).all())
      if (agentTable.of(license).get(member) === undefined || groupTable.of(license).get(groupKey(group)) === undefined)
        badState(`membership of ${member} in group ${group} has only one end`);
    for (const { group, member } of botMembershipTable.of(license).all())
      if (botTable.of(license).get(member) === undefined || groupTable.of(license).get(groupKey(group)) === undefined)
        badState(`membership of bot ${member} in group ${group} has only one end`);
    if (!isChain(license)) badState('the auto access rules are not one list');
  },
} satisfies Kind;

/** Whether the pointers of the rules lead through all of them, and back. */
function isChain(license: EmulatedLicense): boolean {
  const rules = ruleTable.of(license);
  const ends = ruleEndsTable.of(license).get(ENDS);
  let previous = '';
  let rule = rules.get(ends?.first ?? '');
  let seen = 0;
  for (; rule !== undefined && seen < rules.size(); seen += 1) {
    if (rule.previous !== previous) return false;
    previous = rule.id;
    rule = rules.get(rule.next);
  }
  return seen === rules.size() && previous === (ends?.last ?? '');
}
