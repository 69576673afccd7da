// Chats: the actions that list, begin, resume and end them. Specification: "Chats", "States and transitions".

import { byText } from '../../base/json.ts';
import { customerEvent, eventOf, type GivenEvent } from '../chats/event-shapes.ts';
import { openThread } from '../chats/open-threads.ts';
import { givenValues, writableValues } from '../chats/properties.ts';
import type {
  ChatRecord,
  CustomerRecord,
  EventRecord,
  NewEvent,
  PropertyValues,
  ThreadRecord,
} from '../chats/records.ts';
import { chatTable, customerMember, customerTable, eventId, shownTime, threadTable } from '../chats/records.ts';
import { destinationOf, groupsOf, wantedBy } from '../chats/routing.ts';
import { nameOf } from '../chats/system-messages.ts';
import { addFirstEvent, addThread, closeThread, markSeen, mergedValues, place, viewAt } from '../chats/threads.ts';
import { notifyAccess, notifyChat } from '../chats/webhooks.ts';
import { groupKey, groupTable } from '../configuration/memberships.ts';
import { isFull } from '../configuration/settings.ts';
import { refuse } from '../engine/refusal.ts';
import { bool, checked, distinct, int, list, object, optional, quoted, text } from '../engine/shape.ts';
import { extended } from '../engine/table.ts';
import { byVersion, type CustomerContext, type CustomerKind, changeAction, readAction, writeAction } from './action.ts';
import { callingCustomer } from './caller.ts';
import { askedPage, pageId, pageOf, sortOrder } from './pages.ts';
import { announce } from './properties.ts';
import { type EmulatedCustomerVersion, has } from './settings.ts';
import {
  chatPropertiesReply,
  eventReply,
  lastThread,
  refuseNewer,
  requireChat,
  requireThread,
  threadReply,
  usersReply,
  visibleEvents,
} from './shown.ts';

const access = object({ group_ids: distinct(int(0)) });
const contentOf = (version: EmulatedCustomerVersion) =>
  object({
    events: optional(list(customerEvent(has('buttonValues', version)))),
    properties: optional(givenValues),
  });
const mode = { active: optional(bool), continuous: optional(bool) };

const begunChat = (version: EmulatedCustomerVersion) => ({
  properties: optional(givenValues),
  access: optional(access),
  thread: optional(contentOf(version)),
});
const startRequest = byVersion((version) => object({ ...mode, chat: optional(object(begunChat(version))) }));
const resumeRequest = byVersion((version) => object({ ...mode, chat: object({ id: text, ...begunChat(version) }) }));

const listRequest = object({ limit: optional(int(1, 25)), sort_order: sortOrder, page_id: pageId });
const threadsMembers = object({
  chat_id: text,
  sort_order: sortOrder,
  limit: optional(int(1, 100)),
  page_id: pageId,
  min_events_count: optional(int(1, 100)),
});
const threadsRequest = checked(threadsMembers, ({ limit, min_events_count }) => {
  if (limit !== undefined && min_events_count !== undefined)
    refuse('validation', `${quoted('limit')} must not be sent with ${quoted('min_events_count')}`);
});

/** A thread that a request begins, once everything in it was found right. */
interface Beginning {
  readonly customer: CustomerRecord;
  /** A new one has no id before nothing refuses it. */
  readonly chat: Omit<ChatRecord, 'id' | 'group_ids'> & { readonly id?: string };
  readonly active: boolean;
  readonly continuous: boolean;
  readonly access: readonly number[] | undefined;
  /** Groups in which a resumed chat stood. */
  readonly formerAccess?: readonly number[];
  readonly threadProperties: PropertyValues;
  readonly events: readonly NewEvent[];
}

function requireAccess({ license, effectiveAt }: CustomerContext, ids: readonly number[] | undefined): void {
  const groups = groupTable.of(license);
  for (const id of ids ?? [])
    if (groups.get(groupKey(id)) === undefined || groups.get(groupKey(id), effectiveAt) === undefined)
      refuse('group_not_found', `${quoted('chat.access.group_ids')} names group ${id}`);
}

const eventsOf = (context: CustomerContext, customer: CustomerRecord, given: readonly GivenEvent[] | undefined) =>
  (given ?? []).map((event, index) =>
    eventOf(context, customerMember(customer.id), event, `chat.thread.events[${index}]`),
  );

/** The page of the customer: what the real-time interface said of one who was logged in, else where the request comes from. */
export function pageOfCustomer(
  { caller, settings }: CustomerContext,
  { page, logged_in }: CustomerRecord,
): string | undefined {
  if (logged_in || settings.customerPage === 'control') return page;
  return caller.referer ?? page;
}

/** Begins a thread, and puts it where the routing says. Refuses before anything has changed. */
function begin(context: CustomerContext, given: Beginning) {
  const { license, caller, ids } = context;
  const { now } = license.history;
  const { customer, active, continuous } = given;
  const view = viewAt(context, now);
  const page = pageOfCustomer(context, customer);
  const group_ids = groupsOf(view, given.access, { page, place: customer.geolocation ?? {} });
  const routing = {
    continuous,
    idle: false,
    unreplied: false,
    ...(page === undefined ? {} : { start_url: page }),
  };
  const source = caller.clientId === undefined ? {} : { source: { customer_client_id: caller.clientId } };
  const properties = mergedValues(given.threadProperties, { routing, ...source });
  // Rules 4 to 8 decide before the thread exists, so that a refusal leaves nothing behind.
  const wanted = wantedBy(group_ids, properties, given.chat.properties, customer.last_agent);
  const destination = destinationOf(view, wanted);
  if (active && destination.to === 'nowhere') refuse(destination.type, `groups ${group_ids.join(', ')}`);
  const chat: ChatRecord = extended(given.chat, { id: given.chat.id ?? ids.short(), group_ids });
  const visit = page === undefined ? {} : { page };
  customerTable
    .of(license)
    .set(extended(customer, { chat_id: chat.id, in_chat: active || customer.in_chat === true, ...visit }));
  const { thread } = addThread(context, chat, { active, group_ids, properties }, now);
  const sent = given.events.map((event) => addFirstEvent(context, thread.id, event, now));
  if (active && destination.to !== 'nowhere') place(context, thread.id, destination, now);
  markSeen(context, chat.id, customerMember(customer.id), now);
  notifyChat(context, view, thread.id);
  if (given.formerAccess !== undefined && String(given.formerAccess) !== String(group_ids))
    notifyAccess(context, chat, given.formerAccess, now);
  announce(context, thread, given.threadProperties);
  return { chat_id: chat.id, thread_id: thread.id, ...idsOf(thread, sent) };
}

/** Ids of the customer's own events; absent when none was sent. */
const idsOf = (thread: ThreadRecord, sent: readonly EventRecord[]) =>
  sent.length === 0 ? {} : { event_ids: sent.map((event) => eventId(thread, event)) };

function lastEventPerType(context: CustomerContext, chat: ChatRecord): object {
  const { license, version } = context;
  const found: { [type: string]: object } = {};
  const threads = threadTable
    .of(license)
    .where('chat', chat.id)
    .toSorted((one, other) => one.number - other.number);
  for (const thread of threads)
    for (const event of visibleEvents(context, thread)) {
      const shown = eventReply(context, thread, event);
      const place = { thread_id: thread.id, thread_created_at: shownTime(thread.created_at) };
      found[event.type] = has('chatsInfo', version) ? { event: shown } : { ...place, event: shown };
    }
  return found;
}

/** A chat in a list. */
function summary(context: CustomerContext, chat: ChatRecord): object {
  const thread = lastThread(context, chat);
  const created = thread && shownTime(thread.created_at);
  const last_event_per_type = lastEventPerType(context, chat);
  const last = has('chatsInfo', context.version)
    ? { last_thread_info: thread && { id: thread.id, created_at: created, last_event_per_type } }
    : { last_thread_id: thread?.id, last_thread_created_at: created, last_event_per_type };
  return {
    id: chat.id,
    ...last,
    users: usersReply(context, chat),
    access: { group_ids: chat.group_ids },
    properties: chatPropertiesReply(context, chat),
    active: thread?.active ?? false,
  };
}

const padded = (at: number): string => String(at).padStart(16, '0');

const actions = [
  readAction('list_chats', listRequest, {
    run: (given, context) => {
      const { license, caller, version } = context;
      const { now } = license.history;
      const list = `list_chats ${caller.customerId}`;
      const query = { list, sort_order: given.sort_order ?? 'desc', limit: given.limit ?? 10 };
      const asked = askedPage(given, query, ['limit', 'sort_order'], now);
      const keyOf = ({ last_thread_at = 0, id }: ChatRecord): string => `${padded(last_thread_at)} ${id}`;
      const chats = chatTable
        .of(license)
        .where('customer', caller.customerId ?? '')
        .toSorted((one, other) => byText(keyOf(one), keyOf(other)));
      const { items, ...links } = pageOf(chats, keyOf, asked, (page) => page.length >= (asked.query.limit ?? 10), now);
      const shown = items.map((chat) => summary(context, chat));
      return {
        ...(has('chatsInfo', version) ? { chats_info: shown } : { chats_summary: shown }),
        total_chats: chats.length,
        ...links,
      };
    },
  }),
  readAction('list_threads', threadsRequest, {
    run: (given, context) => {
      const { license } = context;
      const { now } = license.history;
      const chat = requireChat(context, given.chat_id);
      const { min_events_count: events } = given;
      const size = events === undefined ? { limit: given.limit ?? 3 } : { min_events_count: events };
      const query = { list: `list_threads ${chat.id}`, sort_order: given.sort_order ?? 'desc', ...size };
      const asked = askedPage(given, query, ['limit', 'sort_order', 'min_events_count'], now);
      const keyOf = ({ number }: ThreadRecord): string => padded(number);
      const threads = threadTable
        .of(license)
        .where('chat', chat.id)
        .toSorted((one, other) => byText(keyOf(one), keyOf(other)));
      const { limit = Infinity, min_events_count: wanted = Infinity } = asked.query;
      const isFull = (page: readonly ThreadRecord[]): boolean =>
        page.length >= limit || page.reduce((sum, thread) => sum + visibleEvents(context, thread).length, 0) >= wanted;
      const { items, ...links } = pageOf(threads, keyOf, asked, isFull, now);
      return { threads: items.map((thread) => threadReply(context, thread)), found_threads: threads.length, ...links };
    },
  }),
  readAction('get_chat', object({ chat_id: text, thread_id: optional(text) }), {
    run: ({ chat_id, thread_id }, context) => {
      const chat = requireChat(context, chat_id);
      const thread = thread_id === undefined ? lastThread(context, chat) : requireThread(context, chat, thread_id);
      return {
        id: chat.id,
        thread: thread && threadReply(context, thread),
        users: usersReply(context, chat, thread),
        access: { group_ids: chat.group_ids },
        properties: chatPropertiesReply(context, chat),
      };
    },
  }),
  writeAction('start_chat', startRequest, {
    run: ({ chat: given = {}, active = true, continuous = false }, context) => {
      const customer = callingCustomer(context);
      const chats = chatTable.of(context.license).where('customer', customer.id);
      if (isFull(context.settings.limits.chatsPerCustomer, chats.length))
        refuseNewer(context, 'limit_reached', `the customer has chat ${quoted(chats.at(-1)?.id ?? '')}: resume it`);
      requireAccess(context, given.access?.group_ids);
      const properties = writableValues(context, 'chat', given.properties, 'chat.properties');
      const threadProperties = writableValues(context, 'thread', given.thread?.properties, 'chat.thread.properties');
      const events = eventsOf(context, customer, given.thread?.events);
      const chat = {
        customer_id: customer.id,
        created_at: context.license.history.now,
        properties,
        threads: 0,
        active: false,
        seen: {},
      };
      const access = given.access?.group_ids;
      return begin(context, { customer, chat, active, continuous, access, threadProperties, events });
    },
  }),
  writeAction('resume_chat', resumeRequest, {
    run: ({ chat: given, active = true, continuous }, context) => {
      const customer = callingCustomer(context);
      const known = requireChat(context, given.id);
      const last = lastThread(context, known);
      if (last?.active === true) refuse('validation', `chat ${quoted(given.id)} is active`);
      requireAccess(context, given.access?.group_ids);
      const properties = writableValues(context, 'chat', given.properties, 'chat.properties');
      const threadProperties = writableValues(context, 'thread', given.thread?.properties, 'chat.thread.properties');
      const events = eventsOf(context, customer, given.thread?.events);
      const access = given.access?.group_ids;
      const chat: ChatRecord = {
        ...known,
        properties: mergedValues(known.properties, properties),
      };
      const was = last?.properties['routing']?.['continuous'] === true;
      const mode = { active, continuous: continuous ?? was };
      const { chat_id: _, ...reply } = begin(context, {
        ...mode,
        customer,
        chat,
        access,
        formerAccess: known.group_ids,
        threadProperties,
        events,
      });
      return reply;
    },
  }),
  changeAction('deactivate_chat', object({ id: text }), {
    run: ({ id }, context) => {
      const chat = requireChat(context, id);
      const thread = lastThread(context, chat);
      if (thread === undefined || openThread(context.license, thread.id) === undefined)
        return refuseNewer(context, 'chat_inactive', `chat ${quoted(id)}`);
      const { license } = context;
      const by = customerMember(chat.customer_id);
      const vars = { customer: nameOf(license, by) };
      closeThread(context, thread.id, { type: 'manual_archived_customer', vars }, license.history.now, by);
      return undefined;
    },
  }),
];

export const chatActionKind = { tables: [], actions } satisfies CustomerKind;
