// The control API of chats: what agents do, and what a customer's browser would tell the real-time interface.
// customer-and-reports-notes.md, section 4: "The control API plays the rest".

import { DAY } from '../../base/zone.ts';
import { agentTable } from '../configuration/agents.ts';
import { groupKey, groupTable } from '../configuration/memberships.ts';
import type { ControlAction, LicenseContext } from '../engine/license.ts';
import { refusal, refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { eventOf, staffEvent } from './event-shapes.ts';
import { dropFiles } from './files.ts';
import { openThread } from './open-threads.ts';
import type { ChatMember, ChatRecord, CustomerRecord, ThreadRecord } from './records.ts';
import {
  chatTable,
  customerTable,
  eventId,
  eventType,
  openThreadTable,
  placeMembers,
  presenceStatus,
  presenceTable,
  shownTime,
  threadTable,
} from './records.ts';
import { departureOf, destinationOf, queueOf, wantedBy } from './routing.ts';
import { staffNamed } from './seed.ts';
import { nameOf } from './system-messages.ts';
import {
  activeThreads,
  addEvent,
  type ChatContext,
  closeThread,
  markSeen,
  move,
  say,
  setRouting,
  viewAt,
} from './threads.ts';
import { notifyAccess, notifyCustomer, notifyPresence, notifyTags } from './webhooks.ts';

/** Declares what a control does; its body may have no other members. */
export function control<R, C extends ChatContext = ChatContext>(
  name: string,
  read: s.JsonReader<R>,
  run: (given: R, context: C) => object | undefined,
  effect: ControlAction['effect'] = 'write',
): ControlAction {
  // The settings of a license are those of all its APIs.
  return { name, effect, run: (body, context) => run(read(body, ''), context as LicenseContext & C) };
}

function requireChat({ license }: ChatContext, id: string): ChatRecord {
  return chatTable.of(license).get(id) ?? refuse('validation', `there is no chat ${s.quoted(id)}`);
}

/** The active thread of a chat. */
function requireActive(context: ChatContext, id: string): ThreadRecord {
  const { last_thread_id: last } = requireChat(context, id);
  const thread = last === undefined ? undefined : threadTable.of(context.license).get(last);
  return thread?.active === true ? thread : refuse('validation', `chat ${s.quoted(id)} has no active thread`);
}

/** The last thread of a chat, active or not. */
function requireLast(context: ChatContext, id: string): ThreadRecord {
  const { last_thread_id: last = '' } = requireChat(context, id);
  const thread = threadTable.of(context.license).get(last);
  return thread ?? refuse('validation', `chat ${s.quoted(id)} has no thread`);
}

export function requireCustomer({ license }: ChatContext, id: string): CustomerRecord {
  return customerTable.of(license).get(id) ?? refuse('validation', `there is no customer ${s.quoted(id)}`);
}

const chatId = s.text;
const nowOf = ({ license }: ChatContext): number => license.history.now;

/** An active chat as the control API shows it. */
function chatSummary({ license }: ChatContext, thread: ThreadRecord): object {
  const { assignee, queued_at, sneak_peek = null } = openThread(license, thread.id) ?? {};
  return {
    chat_id: thread.chat_id,
    thread_id: thread.id,
    customer_id: thread.customer_id,
    group_ids: thread.group_ids,
    agent: assignee?.id ?? null,
    queued_at: queued_at === undefined ? null : shownTime(queued_at),
    created_at: shownTime(thread.created_at),
    events: thread.events.length,
    sneak_peek,
    tags: thread.tags,
  };
}

/** Who does something to a thread: the agent or bot who is named, else the one who has the chat, else the owner. */
function actorOf({ license }: ChatContext, thread: ThreadRecord, named: string | undefined): ChatMember {
  if (named !== undefined) return staffNamed(license, named, 'author');
  const holder = openThread(license, thread.id)?.assignee;
  const owner = agentTable
    .of(license)
    .all()
    .find(({ role }) => role === 'owner');
  return holder ?? { kind: 'agent', id: owner?.id ?? '' };
}

/** Gives an active thread to a member, or to where the routing sends it among other groups. */
function transfer(
  context: ChatContext,
  thread: ThreadRecord,
  by: ChatMember,
  to: { readonly member: ChatMember } | { readonly group_ids: readonly number[] },
): void {
  const { license } = context;
  const now = nowOf(context);
  const holder = openThread(license, thread.id)?.assignee;
  const initiator = nameOf(license, by);
  const moved = (destination: Parameters<typeof move>[2], targets: string): void => {
    move(context, thread.id, destination, now, by);
    setRouting(context, thread.id, { last_transfer_timestamp: now });
    say(context, thread.id, { type: 'chat_transferred', vars: { initiator, targets } }, now);
  };
  if ('member' in to) {
    moved({ to: 'member', member: to.member }, nameOf(license, to.member));
    return;
  }
  const { group_ids } = to;
  const chat = requireChat(context, thread.chat_id);
  const recent = customerTable.of(license).get(thread.customer_id)?.last_agent;
  const wanted = wantedBy(group_ids, thread.properties, chat.properties, recent);
  const destination = destinationOf(
    viewAt(context, now),
    holder === undefined ? wanted : { ...wanted, leaving: holder },
  );
  if (destination.to === 'nowhere') throw refusal({ type: destination.type }, `groups ${group_ids.join(', ')}`);
  const { former_group_ids = [], transfers = [], group_ids: from } = thread;
  const left = Array.from(new Set([...former_group_ids, ...from]));
  const moves = [...transfers, { at: now, from }];
  threadTable.of(license).set({ ...thread, group_ids, former_group_ids: left, transfers: moves });
  chatTable.of(license).set({ ...chat, group_ids });
  notifyAccess(context, { ...chat, group_ids }, chat.group_ids, now);
  const names = group_ids.map((group) => groupTable.of(license).get(groupKey(group))?.name ?? '');
  moved(destination, names.join(', '));
}

const author = s.optional(s.text);

const tagsRequest = s.closed({
  chat_id: chatId,
  add: s.optional(s.distinct(s.text)),
  remove: s.optional(s.distinct(s.text)),
});
const transferRequest = s.closed({
  chat_id: chatId,
  author,
  to: s.optional(s.text),
  group_ids: s.optional(s.distinct(s.int(0), 1)),
});
const banRequest = s.closed({ customer_id: s.text, days: s.int(0), author });
const saleRequest = s.closed({ chat_id: chatId, sale_id: s.int(0) });
const pageMembers = { page: s.optional(s.text), referrer: s.optional(s.text), geolocation: s.optional(placeMembers) };

export const controls: readonly ControlAction[] = [
  control('presence', s.closed({ id: s.text, status: presenceStatus }), ({ id, status }, context) => {
    const { kind } = staffNamed(context.license, id, 'id');
    if (kind === 'customer') return undefined;
    presenceTable.of(context.license).set({ kind, id, status, since: nowOf(context) });
    notifyPresence(context, id, status);
    return undefined;
  }),
  control(
    'chats',
    s.closed({}),
    (_, context) => {
      const active = openThreadTable
        .of(context.license)
        .all()
        .flatMap(({ thread_id }) => threadTable.of(context.license).get(thread_id) ?? []);
      const queue = queueOf(viewAt(context, nowOf(context))).map(({ chat_id }) => chat_id);
      return { active: active.map((thread) => chatSummary(context, thread)), queue };
    },
    'read',
  ),
  control(
    'chats/reply',
    s.closed({
      chat_id: chatId,
      author,
      text: s.optional(s.string),
      type: s.optional(eventType),
      content: s.optional(s.recordOf(s.anything)),
      recipients: s.optional(s.oneOf(['all', 'agents'])),
      custom_id: s.optional(s.text),
    }),
    ({ chat_id, author, text, type = 'message', content = {}, recipients, custom_id }, context) => {
      const thread = requireActive(context, chat_id);
      const holder = openThread(context.license, thread.id)?.assignee;
      const named = author === undefined ? holder : staffNamed(context.license, author, 'author');
      if (named === undefined)
        return refuse('validation', `chat ${s.quoted(chat_id)} has no agent: ${s.quoted('author')} says who replies`);
      const members = text === undefined ? content : { ...content, text };
      const given = staffEvent({ ...members, type, recipients, custom_id }, 'content');
      const event = addEvent(context, thread.id, eventOf(context, named, given, 'content'), nowOf(context));
      markSeen(context, chat_id, named, nowOf(context));
      return { event_id: eventId(thread, event) };
    },
  ),
  control('chats/transfer', transferRequest, ({ chat_id, author, to, group_ids }, context) => {
    const thread = requireActive(context, chat_id);
    if ((to === undefined) === (group_ids === undefined))
      return refuse('validation', `one of ${s.quoted('to')} and ${s.quoted('group_ids')} is required`);
    const missing = group_ids?.find((group) => groupTable.of(context.license).get(groupKey(group)) === undefined);
    if (missing !== undefined) refuse('group_not_found', `${s.quoted('group_ids')} names group ${missing}`);
    const by = actorOf(context, thread, author);
    if (group_ids !== undefined) transfer(context, thread, by, { group_ids });
    if (to !== undefined) {
      const member = staffNamed(context.license, to, 'to');
      if (departureOf(viewAt(context, nowOf(context)), member) !== undefined)
        refuse('validation', `${s.quoted('to')} names ${s.quoted(to)}, who is not there`);
      transfer(context, thread, by, { member });
    }
    return undefined;
  }),
  control('chats/close', s.closed({ chat_id: chatId, author }), ({ chat_id, author }, context) => {
    const thread = requireActive(context, chat_id);
    const by = actorOf(context, thread, author);
    const vars = { agent: nameOf(context.license, by) };
    closeThread(context, thread.id, { type: 'manual_archived_agent', vars }, nowOf(context), by);
    return undefined;
  }),
  control('chats/tag', tagsRequest, ({ chat_id, add = [], remove = [] }, context) => {
    const thread = requireLast(context, chat_id);
    const tags = Array.from(new Set([...thread.tags, ...add])).filter((tag) => !remove.includes(tag));
    threadTable.of(context.license).set({ ...thread, tags });
    notifyTags(context, { ...thread, tags }, thread.tags);
    return undefined;
  }),
  control('chats/sale', saleRequest, ({ chat_id, sale_id }, context) => {
    const thread = requireLast(context, chat_id);
    const sales = Array.from(new Set([...(thread.sales ?? []), sale_id]));
    threadTable.of(context.license).set({ ...thread, sales });
    return undefined;
  }),
  control('chats/anonymize', s.closed({ chat_id: chatId }), ({ chat_id }, context) => {
    const chat = requireChat(context, chat_id);
    const threads = threadTable.of(context.license);
    const all = threads.where('chat', chat_id);
    if (all.some(({ active }) => active)) return refuse('validation', `chat ${s.quoted(chat_id)} is active`);
    for (const event of all.flatMap(({ events }) => events)) dropFiles(context.license, event);
    for (const thread of all)
      threads.set({ ...thread, events: thread.events.map((event) => ({ ...event, content: {} })), properties: {} });
    chatTable.of(context.license).set({ ...chat, anonymized: true, properties: {} });
    const { id, created_at, logged_in, in_chat = false } = requireCustomer(context, chat.customer_id);
    customerTable.of(context.license).set({ id, created_at, logged_in, chat_id, in_chat });
    return undefined;
  }),
  control(
    'customers/login',
    s.closed({ customer_id: s.text, ...pageMembers }),
    ({ customer_id: id, ...visit }, context) => {
      const known = customerTable.of(context.license).get(id);
      const customer = known ?? { id, created_at: nowOf(context) };
      customerTable.of(context.license).set({ ...customer, ...visit, logged_in: true });
      if (known === undefined) notifyCustomer(context, id);
      return undefined;
    },
  ),
  control('customers/page', s.closed({ customer_id: s.text, ...pageMembers }), ({ customer_id, ...visit }, context) => {
    customerTable.of(context.license).set({ ...requireCustomer(context, customer_id), ...visit });
    return undefined;
  }),
  control('customers/logout', s.closed({ customer_id: s.text }), ({ customer_id }, context) => {
    customerTable.of(context.license).set({ ...requireCustomer(context, customer_id), logged_in: false });
    return undefined;
  }),
  control('customers/ban', banRequest, ({ customer_id, days, author }, context) => {
    const { license } = context;
    const now = nowOf(context);
    const customer = requireCustomer(context, customer_id);
    if (author !== undefined) staffNamed(license, author, 'author');
    customerTable.of(license).set({ ...customer, banned_until: now + days * DAY });
    for (const thread of activeThreads(license, customer_id)) {
      const by = actorOf(context, thread, author);
      const vars = { agent: nameOf(license, by), duration: String(days) };
      closeThread(context, thread.id, { type: 'customer_banned', vars }, now, by);
    }
    return undefined;
  }),
];
