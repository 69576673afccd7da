// Chats, threads, events and users as customers see them. customer-and-reports-notes.md, section 2.

import { openThread } from '../chats/open-threads.ts';
import { readableValues } from '../chats/properties.ts';
import type { ChatMember, ChatRecord, CustomerRecord, EventRecord, ThreadRecord } from '../chats/records.ts';
import {
  chatTable,
  customerTable,
  eventId,
  sameMember,
  seenBy,
  shownId,
  shownTime,
  threadTable,
} from '../chats/records.ts';
import { placeInQueue } from '../chats/routing.ts';
import { viewAt } from '../chats/threads.ts';
import { agentTable } from '../configuration/agents.ts';
import { botTable } from '../configuration/bots.ts';
import { refuse } from '../engine/refusal.ts';
import { quoted } from '../engine/shape.ts';
import type { CustomerContext } from './action.ts';
import { has } from './settings.ts';

/** An error that 3.3 does not have: it says `validation` instead. */
export function refuseNewer(
  { version }: CustomerContext,
  type: 'chat_anonymized' | 'chat_inactive' | 'limit_reached',
  detail: string,
): never {
  return refuse(has('chatErrors', version) ? type : 'validation', detail);
}

/** The calling customer's chat of this id. Refuses one that was anonymized. */
export function requireChat(context: CustomerContext, id: string): ChatRecord {
  const { license, settings, caller } = context;
  const chat = chatTable.of(license).get(id);
  if (chat === undefined || chat.customer_id !== caller.customerId)
    return refuse(settings.missingChat, `there is no chat ${quoted(id)} of this customer`);
  if (chat.anonymized === true) refuseNewer(context, 'chat_anonymized', `chat ${quoted(id)}`);
  return chat;
}

export function requireThread({ license, settings }: CustomerContext, chat: ChatRecord, id: string): ThreadRecord {
  const thread = threadTable.of(license).get(id);
  if (thread?.chat_id === chat.id) return thread;
  return refuse(settings.missingChat, `chat ${quoted(chat.id)} has no thread ${quoted(id)}`);
}

/** The event of this id which the customer can see. */
export function requireEvent({ settings }: CustomerContext, thread: ThreadRecord, id: string): EventRecord {
  const found = visibleEvents(thread).find((event) => eventId(thread, event) === id);
  return found ?? refuse(settings.missingChat, `thread ${quoted(thread.id)} has no event ${quoted(id)}`);
}

/** The last thread of a chat. */
export const lastThread = (
  { license }: CustomerContext,
  { last_thread_id: id }: ChatRecord,
): ThreadRecord | undefined => (id === undefined ? undefined : threadTable.of(license).get(id));

/** Rule 18: a deleted event keeps its number and is not shown. */
export function visibleEvents({ events }: ThreadRecord): readonly EventRecord[] {
  return events.filter(({ deleted, recipients }) => deleted !== true && recipients !== 'agents');
}

export function eventReply(context: CustomerContext, thread: ThreadRecord, event: EventRecord): object {
  const { type, created_at, custom_id, author, recipients, properties, content } = event;
  return {
    id: eventId(thread, event),
    custom_id,
    type,
    author_id: author && shownId(author),
    created_at: shownTime(created_at),
    recipients: type === 'system_message' ? (recipients ?? 'all') : recipients,
    properties: properties && readableValues(context, 'event', properties),
    ...shownContent(context, type, content),
  };
}

const URLS = ['url', 'thumbnail_url', 'thumbnail2x_url'];

/** The content of a file, with URLs for the paths of the emulator. */
function fileReply(content: EventRecord['content'], origin: string): object {
  const isPath = (name: string, value: unknown): boolean =>
    URLS.includes(name) && typeof value === 'string' && value.startsWith('/');
  const members = Object.entries(content);
  return Object.fromEntries(members.map(([name, value]) => [name, isPath(name, value) ? `${origin}${value}` : value]));
}

/** Files are at the address to which the request was sent. */
function shownContent(
  { version, caller }: CustomerContext,
  type: EventRecord['type'],
  content: EventRecord['content'],
): object {
  if (type === 'file') return fileReply(content, caller.origin);
  if (has('systemEvents', version)) return content;
  const { source, subtype, version: of, details, ...older } = content;
  return content['system_message_type'] === undefined ? content : older;
}

export function threadReply(context: CustomerContext, thread: ThreadRecord): object {
  const place = placeInQueue(viewAt(context, context.license.history.now), thread);
  return {
    id: thread.id,
    active: thread.active,
    user_ids: thread.members.map(shownId),
    events: visibleEvents(thread).map((event) => eventReply(context, thread, event)),
    properties: readableValues(context, 'thread', thread.properties),
    access: { group_ids: thread.group_ids },
    created_at: shownTime(thread.created_at),
    previous_thread_id: thread.previous_thread_id,
    next_thread_id: thread.next_thread_id,
    queue: place && { ...place, queued_at: shownTime(place.queued_at) },
  };
}

/** What a customer has set, without what was never set. */
export function profileReply({ version }: CustomerContext, customer: CustomerRecord): object {
  const { name, email, email_verified, avatar, phone_number, session_fields, omnichannel, address } = customer;
  const newer = has('channels', version) ? { phone_number, omnichannel: omnichannel ?? {}, address } : {};
  return { name, email, email_verified, avatar, session_fields, ...newer };
}

/** An agent or a bot, at a moment; customers are told of both as agents. */
export function staffReply({ license, settings }: CustomerContext, member: ChatMember, at = Infinity): object {
  const table = member.kind === 'agent' ? agentTable : botTable;
  const staff = table.of(license).get(member.id, at);
  return {
    id: shownId(member),
    type: 'agent',
    name: staff?.name ?? '',
    avatar: staff?.avatar ?? settings.defaultAvatar,
    job_title: staff?.job_title,
  };
}

function memberReply(context: CustomerContext, chat: ChatRecord, thread: ThreadRecord | undefined, member: ChatMember) {
  const { license } = context;
  const seen = seenBy(chat, member);
  const events_seen_up_to = seen === undefined ? undefined : shownTime(seen);
  if (member.kind === 'customer') {
    const customer = customerTable.of(license).get(member.id);
    const profile = customer === undefined ? {} : profileReply(context, customer);
    return { id: member.id, type: 'customer', ...profile, present: true, events_seen_up_to };
  }
  const holder = thread === undefined ? undefined : openThread(license, thread.id)?.assignee;
  return {
    ...staffReply(context, member),
    present: holder !== undefined && sameMember(holder, member),
    events_seen_up_to,
  };
}

/** The users of a chat: its customer, and everyone who was in its last thread. */
export function usersReply(context: CustomerContext, chat: ChatRecord): readonly object[] {
  const thread = lastThread(context, chat);
  const members = thread?.members ?? [{ kind: 'customer' as const, id: chat.customer_id }];
  return members.map((member) => memberReply(context, chat, thread, member));
}

export const chatPropertiesReply = (context: CustomerContext, { properties }: ChatRecord): object =>
  readableValues(context, 'chat', properties);
