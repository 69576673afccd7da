// Customers and chats of a seed, and the checks of a state that has them. customer-and-reports-notes.md, sections 3 and 4.

import { sha256Hex } from '../../base/digest.ts';
import { agentTable } from '../configuration/agents.ts';
import { botTable } from '../configuration/bots.ts';
import { groupKey, groupTable } from '../configuration/memberships.ts';
import { propertyValue } from '../configuration/properties.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import { seededId, uuid } from '../engine/random.ts';
import { refusal, refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { isOfSystem } from './event-shapes.ts';
import type { ChatMember, EventRecord, ThreadRecord } from './records.ts';
import {
  assignmentTable,
  chatTable,
  customerProfile,
  customerTable,
  customerTokenTable,
  eventType,
  formerStaffTable,
  memberKey,
  openThreadTable,
  placeMembers,
  presenceStatus,
  presenceTable,
  threadTable,
} from './records.ts';
import type { ChatSettings } from './settings.ts';

const seededCustomer = s.closed({
  id: s.optional(s.text),
  token: s.optional(s.text),
  client_id: s.optional(s.text),
  ...customerProfile,
  created_at: s.optional(s.dateTime),
  page: s.optional(s.text),
  referrer: s.optional(s.text),
  user_agent: s.optional(s.text),
  geolocation: s.optional(placeMembers),
  logged_in: s.optional(s.bool),
  banned_until: s.optional(s.dateTime),
});

const values = s.recordOf(s.recordOf(propertyValue));

/** `author` is the id of an agent or a bot; without it the customer is the author, or the service of a `system_message` or `system`. */
const seededEvent = s.closed({
  type: s.optional(eventType),
  author: s.optional(s.text),
  created_at: s.optional(s.dateTime),
  custom_id: s.optional(s.text),
  recipients: s.optional(s.oneOf(['all', 'agents'])),
  properties: s.optional(values),
  text: s.optional(s.string),
  content: s.optional(s.recordOf(s.anything)),
});

const seededThread = s.closed({
  id: s.optional(s.text),
  active: s.optional(s.bool),
  created_at: s.dateTime,
  closed_at: s.optional(s.dateTime),
  group_ids: s.optional(s.distinct(s.int(0))),
  agent: s.optional(s.text),
  started_by: s.optional(s.text),
  properties: s.optional(values),
  tags: s.optional(s.distinct(s.text)),
  sales: s.optional(s.distinct(s.int(0))),
  events: s.optional(s.list(seededEvent)),
});

const seededChat = s.closed({
  id: s.optional(s.text),
  customer: s.text,
  group_ids: s.optional(s.distinct(s.int(0))),
  properties: s.optional(values),
  anonymized: s.optional(s.bool),
  threads: s.optional(s.list(seededThread)),
});

export const seed = {
  customers: s.described(
    { description: 'Customers; each token belongs to one. Times are RFC 3339.' },
    s.optional(s.list(seededCustomer)),
  ),
  chats: s.described(
    {
      description:
        'Chats of these customers, each with its threads from the oldest to the newest; only the last may be active.',
    },
    s.optional(s.list(seededChat)),
  ),
  presence: s.described(
    { description: 'Presence of agents and bots by id, as the control API sets it.' },
    s.optional(s.recordOf(presenceStatus)),
  ),
};

type Seed = s.ObjectShape<typeof seed>;

/** The agent or the bot of this id. */
export function staffNamed(license: EmulatedLicense, id: string, path: string): ChatMember {
  if (agentTable.of(license).get(id) !== undefined) return { kind: 'agent', id };
  if (botTable.of(license).get(id) !== undefined) return { kind: 'bot', id };
  return refuse('validation', `${s.quoted(path)} names ${s.quoted(id)}, who is not in the license`);
}

const momentOf = (given: string | undefined, otherwise: number): number =>
  given === undefined ? otherwise : Date.parse(given);

function plantCustomers(license: EmulatedLicense, given: NonNullable<Seed['customers']>): void {
  const table = customerTable.of(license);
  const tokens = customerTokenTable.of(license);
  for (const [index, { token, client_id, id: named, created_at, banned_until, ...customer }] of given.entries()) {
    const id = named ?? uuid(seededId('customer', token === undefined ? index : sha256Hex(token)));
    if (table.get(id) !== undefined) refuse('validation', `two customers have the id ${id}`);
    const banned = banned_until === undefined ? {} : { banned_until: Date.parse(banned_until) };
    table.set({ logged_in: false, ...customer, ...banned, created_at: momentOf(created_at, 0), id });
    if (token === undefined) continue;
    const kept = sha256Hex(token);
    if (tokens.get(kept) !== undefined)
      refuse('validation', `${s.quoted(`customers[${index}].token`)} is that of another customer`);
    tokens.set({ digest: kept, customer_id: id, ...(client_id === undefined ? {} : { client_id }) });
  }
}

function plantThread(
  license: EmulatedLicense,
  thread: s.ObjectShape<{ thread: typeof seededThread }>['thread'],
  place: { readonly chat_id: string; readonly customer_id: string; readonly number: number; readonly path: string },
): ThreadRecord {
  const { path, ...of } = place;
  const { agent, events = [], group_ids = [0], active = false } = thread;
  const created_at = Date.parse(thread.created_at);
  for (const group of group_ids)
    if (groupTable.of(license).get(groupKey(group)) === undefined)
      refuse('validation', `${s.quoted(`${path}.group_ids`)} names group ${group}, which does not exist`);
  const customer: ChatMember = { kind: 'customer', id: of.customer_id };
  const members = new Map([[memberKey(customer), customer]]);
  const join = (member: ChatMember): ChatMember => {
    members.set(memberKey(member), member);
    return member;
  };
  const assignee = agent === undefined ? undefined : join(staffNamed(license, agent, `${path}.agent`));
  const { started_by: starter, sales } = thread;
  const started_by = starter === undefined ? undefined : join(staffNamed(license, starter, `${path}.started_by`));
  const records = events.map((event, index): EventRecord => {
    const { type = 'message', author, text, content = {}, created_at: at, ...rest } = event;
    const named =
      author === undefined ? undefined : join(staffNamed(license, author, `${path}.events[${index}].author`));
    return {
      ...rest,
      number: index + 1,
      type,
      created_at: momentOf(at, created_at),
      ...(isOfSystem(type) ? {} : { author: named ?? customer }),
      content: text === undefined ? content : { ...content, text },
    };
  });
  const id = thread.id ?? seededId('thread', of.chat_id, of.number).slice(0, 10).toUpperCase();
  const closed_at = active ? undefined : momentOf(thread.closed_at, records.at(-1)?.created_at ?? created_at);
  const ended = closed_at === undefined ? {} : { closed_at };
  const until = closed_at === undefined ? {} : { until: closed_at };
  const record: ThreadRecord = {
    ...of,
    id,
    active,
    created_at,
    ...ended,
    ...(started_by === undefined ? {} : { started_by }),
    group_ids,
    members: Array.from(members.values()),
    ...(assignee === undefined ? {} : { held: [{ ...assignee, from: created_at, ...until }] }),
    events: records,
    next_event: records.length + 1,
    properties: thread.properties ?? {},
    tags: thread.tags ?? [],
    ...(sales === undefined ? {} : { sales }),
  };
  if (threadTable.of(license).get(id) !== undefined) refuse('validation', `two threads have the id ${id}`);
  threadTable.of(license).set(record);
  if (active)
    openThreadTable.of(license).set({
      thread_id: id,
      ...(assignee === undefined ? {} : { assignee }),
      last_event_at: records.at(-1)?.created_at ?? created_at,
      is_idle: false,
    });
  return record;
}

const unknownCustomer = (path: string, id: string): Error =>
  refusal({ type: 'validation' }, `${s.quoted(`${path}.customer`)} names ${s.quoted(id)}, who is not in the seed`);

function plantChats(license: EmulatedLicense, given: NonNullable<Seed['chats']>, { limits }: ChatSettings): void {
  const table = chatTable.of(license);
  for (const [index, { customer: customer_id, threads = [], ...chat }] of given.entries()) {
    const path = `chats[${index}]`;
    const customer = customerTable.of(license).get(customer_id);
    if (customer === undefined) throw unknownCustomer(path, customer_id);
    const most = limits.chatsPerCustomer;
    if (most !== -1 && table.where('customer', customer_id).length >= most)
      refuse(
        'validation',
        `${s.quoted(path)} is one more chat of its customer than \`limits.chatsPerCustomer\` allows`,
      );
    const id = chat.id ?? seededId('chat', index).slice(0, 10).toUpperCase();
    if (table.get(id) !== undefined) refuse('validation', `two chats have the id ${id}`);
    const records = threads.map((thread, at) => {
      if (thread.active === true && at < threads.length - 1)
        refuse('validation', `${s.quoted(`${path}.threads[${at}].active`)}: only the last thread may be active`);
      return plantThread(license, thread, { chat_id: id, customer_id, number: at + 1, path: `${path}.threads[${at}]` });
    });
    for (const [at, record] of records.entries()) {
      const [previous, next] = [records[at - 1], records[at + 1]];
      threadTable.of(license).set({
        ...record,
        ...(previous === undefined ? {} : { previous_thread_id: previous.id }),
        ...(next === undefined ? {} : { next_thread_id: next.id }),
      });
    }
    const last = records.at(-1);
    table.set({
      id,
      customer_id,
      created_at: records[0]?.created_at ?? 0,
      group_ids: chat.group_ids ?? last?.group_ids ?? [0],
      properties: chat.properties ?? {},
      ...(last === undefined ? {} : { last_thread_id: last.id, last_thread_at: last.created_at }),
      threads: records.length,
      active: last?.active ?? false,
      seen: {},
      ...(chat.anonymized === true ? { anonymized: true } : {}),
    });
    const in_chat = customer.in_chat === true || last?.active === true;
    customerTable.of(license).set({ ...customer, chat_id: id, in_chat });
  }
}

export function plant(
  license: EmulatedLicense,
  { customers = [], chats = [], presence = {} }: Seed,
  settings: ChatSettings,
): void {
  plantCustomers(license, customers);
  plantChats(license, chats, settings);
  for (const [id, status] of Object.entries(presence)) {
    const { kind } = staffNamed(license, id, `presence.${id}`);
    if (kind !== 'customer') presenceTable.of(license).set({ kind, id, status, since: 0 });
  }
}

/** Refuses a state whose chats, threads and customers do not belong together. */
export function check(license: EmulatedLicense): void {
  const wrong = (what: string): never => refuse('validation', what);
  for (const { id, customer_id, last_thread_id } of chatTable.of(license).all()) {
    const named = customerTable.of(license).get(customer_id)?.chat_id;
    if (named === undefined || chatTable.of(license).get(named)?.customer_id !== customer_id)
      wrong(`chat ${id} has no customer`);
    if (last_thread_id !== undefined && threadTable.of(license).get(last_thread_id)?.chat_id !== id)
      wrong(`chat ${id} has no thread ${last_thread_id}`);
  }
  for (const { id, chat_id } of threadTable.of(license).all())
    if (chatTable.of(license).get(chat_id) === undefined) wrong(`thread ${id} has no chat`);
  for (const { thread_id } of openThreadTable.of(license).all())
    if (threadTable.of(license).get(thread_id)?.active !== true) wrong(`thread ${thread_id} is not active`);
}

export const tables = [
  customerTable,
  customerTokenTable,
  chatTable,
  threadTable,
  openThreadTable,
  presenceTable,
  assignmentTable,
  formerStaffTable,
];
