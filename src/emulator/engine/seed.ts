// A license as people describe it comes in, checked member by member. Must not know how a license keeps it.

import { access } from '../configuration/auto-access.ts';
import { conditions } from '../configuration/conditions.ts';
import { definitionFields, requireDefinition } from '../configuration/definition.ts';
import { groupItems } from '../configuration/memberships.ts';
import {
  ALL_ROLES,
  LOGIN_STATUSES,
  NOTIFICATIONS,
  priority,
  RIGHTS,
  ROLES,
  SUBSCRIPTIONS,
  value,
} from '../configuration/records.ts';
import { weekly } from '../configuration/scheduler.ts';
import { isRefusal } from './refusal.ts';
import type { JsonReader } from './shape.ts';
import { bool, distinct, int, list, object, oneOf, optional, recordOf, string, text } from './shape.ts';

/** Members are closed throughout: a misspelt one is an error, because a person wrote it. */
const agent = object(
  {
    id: text,
    name: text,
    role: optional(oneOf(ROLES)),
    avatar_path: optional(string),
    login_status: optional(oneOf(LOGIN_STATUSES)),
    job_title: optional(string),
    mobile: optional(string),
    max_chats_count: optional(int(0)),
    awaiting_approval: optional(bool),
    suspended: optional(bool),
    groups: optional(groupItems),
    notifications: optional(distinct(oneOf(NOTIFICATIONS))),
    email_subscriptions: optional(distinct(oneOf(SUBSCRIPTIONS))),
    work_scheduler: optional(weekly),
    last_logout: optional(text),
  },
  true,
);

const group = object(
  {
    id: optional(int(0)),
    name: text,
    language_code: optional(text),
    agent_priorities: optional(recordOf(priority)),
  },
  true,
);

const botFields = {
  id: optional(text),
  name: text,
  avatar: optional(string),
  max_chats_count: optional(int(0)),
  default_group_priority: optional(priority),
  job_title: optional(string),
};
const bot = object(
  { ...botFields, owner_client_id: optional(text), groups: optional(groupItems), work_scheduler: optional(weekly) },
  true,
);
const template = object({ ...botFields, owner_client_id: text }, true);

const rule = object({ id: optional(text), description: optional(string), access, conditions }, true);

const property: JsonReader<ReturnType<typeof propertyMembers>> = (given, path) => {
  const found = propertyMembers(given, path);
  requireDefinition(found, path);
  return found;
};
const propertyMembers = object({ ...definitionFields, public_access: optional(distinct(oneOf(RIGHTS), 1)) }, true);

const values = recordOf(recordOf(value));

const token = object(
  {
    token: text,
    kind: optional(oneOf(['bearer', 'personal'])),
    scopes: distinct(text),
    role: optional(oneOf(ALL_ROLES)),
    account_id: optional(text),
    agent_id: optional(text),
    client_id: optional(text),
  },
  true,
);

const seedReader = object(
  {
    owner: optional(object({ id: text, name: text }, true)),
    agents: optional(list(agent)),
    groups: optional(list(group)),
    bots: optional(list(bot)),
    bot_templates: optional(list(template)),
    auto_access: optional(list(rule)),
    properties: optional(recordOf(recordOf(property))),
    license_properties: optional(values),
    group_properties: optional(recordOf(values)),
    clients: optional(distinct(text)),
    installed_clients: optional(distinct(text)),
    tokens: optional(list(token)),
  },
  true,
);

/**
 * A license described for people, in the specification's own field names; everything is optional.
 * - `owner`: `{id, name}`.
 * - `agents`, `groups`, `bots`, `bot_templates`: lists. Groups, bots and templates may choose their `id`; group 0 may be described.
 *   `work_scheduler` has the 3.6 shape. An edge may be told by `agents[].groups`, by `groups[].agent_priorities`, or by both alike.
 * - `auto_access`: the rules in their order, without `next_id`.
 * - `properties`: namespace -> name -> definition, and `public_access` for one that is published.
 * - `license_properties`: namespace -> name -> value. `group_properties`: the same under each group id.
 * - `clients`: owner clients of the caller's organization; when absent any client is taken for one.
 * - `installed_clients`: clients whose application is installed, so that their templates have bots here.
 * - `tokens`: the only tokens that are accepted, each with its scopes; `kind` is `bearer` unless `personal` (Basic) is given, and `role` is
 *   that of the agent `agent_id`. When absent, any credential is accepted for everything.
 */
export type Seed = ReturnType<typeof seedReader>;

/** Throws the Error that a bad seed is answered with. */
export function badSeed(message: string): never {
  throw new Error(`not a valid seed: ${message}`);
}

/** Checks parsed JSON; throws an Error that names the member which is wrong. */
export function parseSeed(json: unknown): Seed {
  try {
    return seedReader(json, '');
  } catch (error) {
    if (isRefusal(error)) badSeed(error.message);
    throw error;
  }
}
