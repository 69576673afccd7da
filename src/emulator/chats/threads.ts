// Threads and what happens in them: beginning, events, assignment, end. Does not decide where a chat goes.
// customer-and-reports-notes.md, section 4, rules 11 to 14.

import type { EmulatedLicense, LicenseContext } from '../engine/license.ts';
import { extended } from '../engine/table.ts';
import { keepFiles } from './files.ts';
import { dropOpenThread, lookAt, openThread, setOpenThread } from './open-threads.ts';
import {
  assignmentTable,
  type ChatMember,
  type ChatRecord,
  chatTable,
  customerMember,
  customerTable,
  type EventRecord,
  memberKey,
  type NewEvent,
  type OpenThreadRecord,
  type PropertyValues,
  sameMember,
  seenBy,
  type ThreadRecord,
  threadTable,
} from './records.ts';
import { type ChatDestination, placeInQueue, type RoutingView } from './routing.ts';
import type { ChatSettings } from './settings.ts';
import { nameOf, type SystemMessage, systemEvent } from './system-messages.ts';
import { notifyClosed, notifyEvent, notifyHandover } from './webhooks.ts';

export interface ChatContext extends LicenseContext {
  readonly settings: ChatSettings;
}

/** The license as routing sees it at a moment. */
export function viewAt({ license, settings, propagation }: ChatContext, now: number): RoutingView {
  return { license, settings, now, effectiveAt: propagation === 0 ? Infinity : now - propagation };
}

/** Values of `given` in addition to, and instead of, those of `kept`. */
export function mergedValues(kept: PropertyValues, given: PropertyValues): PropertyValues {
  const found: { [namespace: string]: { readonly [name: string]: unknown } } = { ...kept };
  for (const [namespace, values] of Object.entries(given)) found[namespace] = { ...found[namespace], ...values };
  return found;
}

function withRouting(thread: ThreadRecord, values: { readonly [name: string]: unknown }): ThreadRecord {
  const { routing = {} } = thread.properties;
  // Most events change nothing of it.
  if (Object.keys(values).every((name) => routing[name] === values[name])) return thread;
  return { ...thread, properties: { ...thread.properties, routing: extended(routing, values) } };
}

export interface NewThread {
  readonly active: boolean;
  readonly group_ids: readonly number[];
  readonly properties: PropertyValues;
  /** The agent who starts it; without one, the customer does. */
  readonly started_by?: ChatMember;
}

/** Adds a thread to a chat, which has no active one. Returns the chat and the thread as they are then. */
export function addThread(
  { license, ids }: ChatContext,
  chat: ChatRecord,
  { active, group_ids, properties, started_by }: NewThread,
  at: number,
): { readonly chat: ChatRecord; readonly thread: ThreadRecord } {
  const threads = threadTable.of(license);
  const previous = chat.last_thread_id === undefined ? undefined : threads.get(chat.last_thread_id);
  const thread: ThreadRecord = {
    id: ids.short(),
    chat_id: chat.id,
    customer_id: chat.customer_id,
    number: chat.threads + 1,
    active,
    created_at: at,
    ...(active ? {} : { closed_at: at }),
    ...(started_by === undefined ? {} : { started_by }),
    group_ids,
    members: [{ kind: 'customer', id: chat.customer_id }],
    events: [],
    next_event: 1,
    properties,
    tags: [],
    ...(previous === undefined ? {} : { previous_thread_id: previous.id }),
  };
  threads.set(thread);
  if (previous !== undefined) threads.set({ ...previous, next_thread_id: thread.id });
  const last = { last_thread_id: thread.id, last_thread_at: at, threads: chat.threads + 1, active };
  const known = extended(chat, last);
  chatTable.of(license).set(known);
  if (active) {
    setOpenThread(license, { thread_id: thread.id, last_event_at: at, is_idle: false });
    lookAt(license, thread.id, at);
  }
  return { chat: known, thread };
}

/** Adds an event to a thread, and tells of it. */
export function addEvent(context: ChatContext, id: string, event: NewEvent, at: number): EventRecord {
  const numbered = addFirstEvent(context, id, event, at);
  notifyEvent(context, requireThread(context, id), numbered, at);
  return numbered;
}

/**
 * Adds an event with which a thread begins: `incoming_chat` tells of it. What a person does ends the silence of a thread; a message of the
 * system does not.
 */
export function addFirstEvent(context: ChatContext, id: string, event: NewEvent, at: number): EventRecord {
  const { license } = context;
  const thread = requireThread(context, id);
  const numbered: EventRecord = extended(event, { number: thread.next_event, created_at: at });
  let next: ThreadRecord = {
    ...thread,
    events: [...thread.events, numbered],
    next_event: thread.next_event + 1,
  };
  const { author } = event;
  if (author !== undefined) {
    if (!next.members.some((member) => sameMember(member, author)))
      next = { ...next, members: [...next.members, author] };
    next = withRouting(next, { unreplied: author.kind === 'customer', idle: false });
  }
  threadTable.of(license).set(next);
  keepFiles(license, event);
  const open = openThread(license, id);
  if (open !== undefined && author !== undefined) {
    const spoken = { ...open, last_event_at: at, is_idle: false };
    const isSent = author.kind === 'customer' && open.sneak_peek !== undefined;
    setOpenThread(license, isSent ? withoutPeek(spoken) : spoken);
    lookAt(license, id, at);
  }
  return numbered;
}

const withoutPeek = ({ sneak_peek: _, ...rest }: OpenThreadRecord): OpenThreadRecord => rest;

/** Writes an event again, under its number. */
export function setEvent(context: ChatContext, id: string, event: EventRecord): void {
  const thread = requireThread(context, id);
  const events = thread.events.map((one) => (one.number === event.number ? event : one));
  threadTable.of(context.license).set({ ...thread, events });
}

export function say(context: ChatContext, id: string, message: SystemMessage, at: number): void {
  addEvent(context, id, systemEvent(message), at);
}

function requireThread({ license }: ChatContext, id: string): ThreadRecord {
  const thread = threadTable.of(license).get(id);
  if (thread === undefined) throw new Error(`thread ${id} does not exist`);
  return thread;
}

/** Writes values of the service into a thread. */
export function setRouting(context: ChatContext, id: string, values: { readonly [name: string]: unknown }): void {
  threadTable.of(context.license).set(withRouting(requireThread(context, id), values));
}

/** A thread that `member` has from now on; without one, no member has it. */
function heldBy(thread: ThreadRecord, member: ChatMember | undefined, at: number): ThreadRecord {
  const { held = [] } = thread;
  const last = held.at(-1);
  const holder = last?.until === undefined ? last : undefined;
  if (holder === undefined && member === undefined) return thread;
  if (holder !== undefined && member !== undefined && sameMember(holder, member)) return thread;
  const ended = holder === undefined ? held : [...held.slice(0, -1), extended(holder, { until: at })];
  return extended(thread, { held: member === undefined ? ended : [...ended, extended(member, { from: at })] });
}

type ThreadPlace = Exclude<ChatDestination, { readonly to: 'nowhere' }>;

/** Moves an active thread to where the routing sends it, or `by` did, and tells of it. */
export function move(context: ChatContext, id: string, destination: ThreadPlace, at: number, by?: ChatMember): void {
  const from = openThread(context.license, id)?.assignee;
  place(context, id, destination, at);
  const to = destination.to === 'member' ? destination.member : undefined;
  const thread = requireThread(context, id);
  const isSame = from !== undefined && to !== undefined && sameMember(from, to);
  const queue = placeInQueue(viewAt(context, at), thread);
  notifyHandover(context, thread, { from: isSame ? undefined : from, to: isSame ? undefined : to, by, queue }, at);
}

/** Puts a thread that begins where the routing sends it; the caller has refused what goes nowhere. */
export function place(context: ChatContext, id: string, destination: ThreadPlace, at: number): void {
  const { license } = context;
  const open = openThread(license, id);
  if (open === undefined) return;
  const { assignee: _, queued_at, ...rest } = open;
  switch (destination.to) {
    case 'member': {
      const { member } = destination;
      setOpenThread(license, extended(rest, { assignee: member }));
      assignmentTable.of(license).set(extended(member, { at }));
      const thread = heldBy(requireThread(context, id), member, at);
      const isNew = !thread.members.some((one) => sameMember(one, member));
      threadTable
        .of(license)
        .set(
          withRouting(
            { ...thread, members: isNew ? [...thread.members, member] : thread.members },
            { unassigned: false, pinned: false },
          ),
        );
      const customer = customerTable.of(license).get(thread.customer_id);
      if (customer !== undefined && customer.last_agent !== member.id)
        customerTable.of(license).set(extended(customer, { last_agent: member.id }));
      return;
    }
    case 'queue':
      setOpenThread(license, { ...rest, queued_at: queued_at ?? at });
      leave(context, id, at);
      return;
    case 'unassigned':
      setOpenThread(license, rest);
      leave(context, id, at);
      setRouting(context, id, { unassigned: true, pinned: true });
  }
}

/** Ends the time of the member who has a thread, if any. */
function leave(context: ChatContext, id: string, at: number): void {
  const thread = requireThread(context, id);
  const left = heldBy(thread, undefined, at);
  if (left !== thread) threadTable.of(context.license).set(left);
}

/** The active threads of a customer, one for each active chat. */
export function activeThreads(license: EmulatedLicense, customer: string): readonly ThreadRecord[] {
  const chats = chatTable.of(license).where('customer', customer);
  return chats.flatMap(({ last_thread_id: last = '' }) => {
    const thread = threadTable.of(license).get(last);
    return thread?.active === true ? [thread] : [];
  });
}

/** Ends an active thread with a last word of the system. Without `by`, the routing ends it. */
export function closeThread(
  context: ChatContext,
  id: string,
  message: SystemMessage,
  at: number,
  by?: ChatMember,
): void {
  say(context, id, message, at);
  const { license } = context;
  dropOpenThread(license, id);
  const email = requireThread(context, id).properties['routing']?.['transcript_email'];
  if (typeof email === 'string' && email !== '') {
    const customer = nameOf(license, customerMember(requireThread(context, id).customer_id));
    say(context, id, { type: 'transcript_sent', vars: { customer, email } }, at);
  }
  const thread = requireThread(context, id);
  threadTable.of(license).set(extended(heldBy(thread, undefined, at), { active: false, closed_at: at }));
  const chat = chatTable.of(license).get(thread.chat_id);
  if (chat !== undefined) chatTable.of(license).set({ ...chat, active: false });
  const customer = customerTable.of(license).get(thread.customer_id);
  if (customer !== undefined) {
    const in_chat = activeThreads(license, customer.id).length > 0;
    customerTable.of(license).set({ ...customer, in_chat });
  }
  notifyClosed(context, thread, by, at);
}

/** Moves the moment until which a member has seen the events of a chat; never back. Returns whether it moved. */
export function markSeen({ license }: ChatContext, chatId: string, member: ChatMember, until: number): boolean {
  const chat = chatTable.of(license).get(chatId);
  if (chat === undefined || (seenBy(chat, member) ?? 0) >= until) return false;
  const isCustomer = member.kind === 'customer';
  const seen = isCustomer ? { customer_seen: until } : { seen: extended(chat.seen, { [memberKey(member)]: until }) };
  chatTable.of(license).set(extended(chat, seen));
  return true;
}
