// Customers, chats and threads: their records. Times are in ms since the epoch; members of chats are named by their own ids.
// Specification: "Resources and their fields" of the Customer Chat Web API; customer-and-reports-notes.md, section 2.

import { sha256Hex } from '../../base/digest.ts';
import { ROUTING_STATUSES } from '../../base/routing-status.ts';
import { defineTable } from '../engine/license.ts';
import type { JsonReader } from '../engine/shape.ts';
import { anything, bool, int, list, object, oneOf, optional, recordOf, string, text } from '../engine/shape.ts';

export const moment = int(0);

/** namespace -> name -> value. */
export const storedValues = recordOf(recordOf(anything));
export type PropertyValues = ReturnType<typeof storedValues>;

/** Any JSON value that a request put there; it was checked on the way in. */
const anyObject: JsonReader<{ readonly [name: string]: unknown }> = recordOf(anything);

export const placeMembers = object({
  country: optional(string),
  country_code: optional(string),
  region: optional(string),
  city: optional(string),
});
export type VisitorPlace = ReturnType<typeof placeMembers>;

/** Members that only some customers have; each is kept as it was set. */
export const customerProfile = {
  name: optional(string),
  email: optional(string),
  email_verified: optional(bool),
  avatar: optional(string),
  phone_number: optional(string),
  session_fields: optional(list(recordOf(string))),
  omnichannel: optional(anyObject),
  address: optional(recordOf(string)),
};

const customerRecord = object({
  id: text,
  created_at: moment,
  ...customerProfile,
  /** Of the page that the customer is on. */
  page: optional(string),
  referrer: optional(string),
  user_agent: optional(string),
  geolocation: optional(placeMembers),
  /** Whether the customer is logged in on the real-time interface. */
  logged_in: bool,
  /** Groups that the rules gave at the last login or page on the real-time interface. */
  group_ids: optional(list(int(0))),
  /** Logins and pages there. */
  visits: optional(int(0)),
  page_views: optional(int(0)),
  banned_until: optional(moment),
  /** The agent or bot who had the last chat. */
  last_agent: optional(text),
  /** The chat that began last. */
  chat_id: optional(text),
  /** Whether one of the customer's chats is active. */
  in_chat: optional(bool),
});
export type CustomerRecord = ReturnType<typeof customerRecord>;
export const customerTable = defineTable('customers', customerRecord, ({ id }) => id, {});

/** What a token says of its customer. Without `expires` it lasts. */
const customerTokenRecord = object({
  digest: text,
  customer_id: text,
  client_id: optional(text),
  expires: optional(moment),
});
export const customerTokenTable = defineTable('customerTokens', customerTokenRecord, ({ digest }) => digest, {
  customer: ({ customer_id }) => customer_id,
});

/** An agent, a bot or a customer, as records name one. */
export const memberRecord = object({ kind: oneOf(['agent', 'bot', 'customer']), id: text });
export type ChatMember = ReturnType<typeof memberRecord>;
export const sameMember = (one: ChatMember, other: ChatMember): boolean =>
  one.kind === other.kind && one.id === other.id;
export const customerMember = (id: string): ChatMember => ({ kind: 'customer', id });
export const memberKey = ({ kind, id }: ChatMember): string => `${kind} ${id}`;

export const eventType = oneOf([
  'message',
  'file',
  'rich_message',
  'form',
  'filled_form',
  'custom',
  'system_message',
  'system',
]);
export type EventType = ReturnType<typeof eventType>;

/** One event of a thread. `number` counts all events of the thread, also system messages and deleted ones, from 1. */
const eventRecord = object({
  number: int(1),
  type: eventType,
  created_at: moment,
  custom_id: optional(string),
  /** Absent for messages and events of the system. */
  author: optional(memberRecord),
  recipients: optional(oneOf(['all', 'agents'])),
  properties: optional(storedValues),
  /** What the type of the event has in addition. */
  content: anyObject,
  deleted: optional(bool),
});
export type EventRecord = ReturnType<typeof eventRecord>;
/** An event that is not numbered yet. */
export type NewEvent = Omit<EventRecord, 'number' | 'created_at'>;

const threadRecord = object({
  id: text,
  chat_id: text,
  customer_id: text,
  /** Its place among the threads of the chat; the first is 1. */
  number: int(1),
  active: bool,
  created_at: moment,
  closed_at: optional(moment),
  /** The agent who started it; absent where the customer did. */
  started_by: optional(memberRecord),
  /** The groups of the thread; only a transfer changes them. */
  group_ids: list(int(0)),
  /** Groups from which it was transferred. */
  former_group_ids: optional(list(int(0))),
  /** Its transfers to other groups in their order: when, and the groups that it had until then. */
  transfers: optional(list(object({ at: moment, from: list(int(0)) }))),
  /** Everyone who was in it, in the order in which they came. */
  members: list(memberRecord),
  /** Who had it, and when; only the last has no `until`. Threads of older states lack it. */
  held: optional(
    list(object({ kind: oneOf(['agent', 'bot', 'customer']), id: text, from: moment, until: optional(moment) })),
  ),
  events: list(eventRecord),
  /** Number of the next event. */
  next_event: int(1),
  properties: storedValues,
  tags: list(text),
  /** Ids of the sales trackers that counted a sale in it. */
  sales: optional(list(int(0))),
  previous_thread_id: optional(text),
  next_thread_id: optional(text),
});
export type ThreadRecord = ReturnType<typeof threadRecord>;

export const threadTable = defineTable('threads', threadRecord, ({ id }) => id, { chat: ({ chat_id }) => chat_id });

const chatRecord = object({
  id: text,
  customer_id: text,
  created_at: moment,
  /** Those of the last thread. */
  group_ids: list(int(0)),
  properties: storedValues,
  last_thread_id: optional(text),
  /** When the last thread was created. */
  last_thread_at: optional(moment),
  threads: int(0),
  /** Whether the last thread is active. */
  active: bool,
  /** Until when the customer has seen the events; in older states `seen` says it. */
  customer_seen: optional(moment),
  /** By member, until when that agent or bot has seen them. */
  seen: recordOf(moment),
  anonymized: optional(bool),
});
export type ChatRecord = ReturnType<typeof chatRecord>;
export const chatTable = defineTable('chats', chatRecord, ({ id }) => id, {
  customer: ({ customer_id }) => customer_id,
});

/** Until when a member has seen the events of a chat; undefined for never. */
export const seenBy = ({ seen, customer_seen }: ChatRecord, member: ChatMember): number | undefined =>
  (member.kind === 'customer' ? customer_seen : undefined) ?? seen[memberKey(member)];

/** Where an active thread stands in the routing; it is gone once the thread is closed. */
const openThreadRecord = object({
  thread_id: text,
  /** Who has the chat; absent while it waits, and while it belongs to no agent. */
  assignee: optional(memberRecord),
  /** Since when it waits in the queue. */
  queued_at: optional(moment),
  last_event_at: moment,
  is_idle: bool,
  /** What the customer types, until it is sent. */
  sneak_peek: optional(string),
});
export type OpenThreadRecord = ReturnType<typeof openThreadRecord>;
export const openThreadTable = defineTable('openThreads', openThreadRecord, ({ thread_id }) => thread_id, {});

/** What the control API says of an agent or a bot. */
export const presenceStatus = oneOf(ROUTING_STATUSES);
export type PresenceStatus = ReturnType<typeof presenceStatus>;
const presenceRecord = object({ kind: oneOf(['agent', 'bot']), id: text, status: presenceStatus, since: moment });
export const presenceTable = defineTable('presences', presenceRecord, memberKey, {});

/** An agent or a bot who was deleted after a chat: threads still name it. */
const formerStaffRecord = object({
  kind: oneOf(['agent', 'bot']),
  id: text,
  name: string,
  avatar: optional(string),
  job_title: optional(string),
});
export const formerStaffTable = defineTable('formerStaff', formerStaffRecord, memberKey, {});

/** An agent as customers see the id: opaque, not the e-mail. customer-and-reports-notes.md, section 2. */
export function shownId({ kind, id }: ChatMember): string {
  return kind === 'agent' ? sha256Hex(`agent ${id}`).slice(0, 32) : id;
}

/** RFC 3339 with six decimals. */
export const shownTime = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');
export const eventId = ({ id }: Pick<ThreadRecord, 'id'>, { number }: Pick<EventRecord, 'number'>): string =>
  `${id}_${number}`;

/** When a member last got a chat: the one who waits longest for the next comes first. */
const assignmentRecord = object({ kind: oneOf(['agent', 'bot', 'customer']), id: text, at: moment });
export const assignmentTable = defineTable('assignments', assignmentRecord, memberKey, {});
