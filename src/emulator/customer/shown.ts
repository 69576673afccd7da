// Chats, threads, events and users as customers see them. customer-and-reports-notes.md, section 2.

import { isObject } from '../../base/json.ts';
import { openThread } from '../chats/open-threads.ts';
import { readableValues } from '../chats/properties.ts';
import type { ChatMember, ChatRecord, CustomerRecord, EventRecord, ThreadRecord } from '../chats/records.ts';
import {
  chatTable,
  customerMember,
  customerTable,
  eventId,
  memberKey,
  sameMember,
  seenBy,
  shownId,
  shownTime,
  threadTable,
} from '../chats/records.ts';
import { placeInQueue } from '../chats/routing.ts';
import { profileOf } from '../chats/staff.ts';
import { viewAt } from '../chats/threads.ts';
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
export function requireEvent(context: CustomerContext, thread: ThreadRecord, id: string): EventRecord {
  const { settings } = context;
  const found = visibleEvents(context, thread).find((event) => eventId(thread, event) === id);
  return found ?? refuse(settings.missingChat, `thread ${quoted(thread.id)} has no event ${quoted(id)}`);
}

/** The last thread of a chat. */
export const lastThread = (
  { license }: CustomerContext,
  { last_thread_id: id }: ChatRecord,
): ThreadRecord | undefined => (id === undefined ? undefined : threadTable.of(license).get(id));

/** Events that a version does not have. */
const isNewer = ({ type, content }: EventRecord, version: string): boolean =>
  (type === 'system' && !has('systemEvents', version)) ||
  (type === 'rich_message' && content['template_id'] === 'ecommerce' && !has('ecommerceMessages', version));

/** Rule 18: a deleted event keeps its number and is not shown. */
export function visibleEvents({ version }: CustomerContext, { events }: ThreadRecord): readonly EventRecord[] {
  return events.filter((event) => event.deleted !== true && event.recipients !== 'agents' && !isNewer(event, version));
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
    visibility: type === 'rich_message' && has('visibility', context.version) ? (recipients ?? 'all') : undefined,
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
  if (has('formTypes', version)) return content;
  const { form_type: _, ...older } = content;
  return type === 'form' || type === 'filled_form' ? older : content;
}

export function threadReply(context: CustomerContext, thread: ThreadRecord): object {
  const place = placeInQueue(viewAt(context, context.license.history.now), thread);
  return {
    id: thread.id,
    active: thread.active,
    user_ids: thread.members.map(shownId),
    events: visibleEvents(context, thread).map((event) => eventReply(context, thread, event)),
    properties: readableValues(context, 'thread', thread.properties),
    access: { group_ids: thread.group_ids },
    created_at: shownTime(thread.created_at),
    previous_thread_id: thread.previous_thread_id,
    next_thread_id: thread.next_thread_id,
    queue: place && { ...place, queued_at: shownTime(place.queued_at) },
  };
}

/** Members of a channel -> their names in the public sample of a customer. */
const LISTED: { readonly [member: string]: string } = {
  id: 'ID',
  name: 'Name',
  first_name: 'FirstName',
  last_name: 'LastName',
  profile_pic: 'ProfilePicURL',
  gender: 'Gender',
  locale: 'Locale',
  is_verified_user: 'IsVerifiedUser',
};

/** Channels as the public sample of a customer lists them. The channel `chatapp`, which no page shows, is left out. */
function listedChannels({ messenger, sms }: { readonly [channel: string]: unknown }): object {
  const renamed = (given: object) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [LISTED[name] ?? name, value]));
  const number = isObject(sms) ? String(sms['phone_number']) : '';
  return {
    ...(isObject(messenger) ? { fb_messenger: [renamed(messenger)] } : {}),
    ...(isObject(sms) ? { twilio: [{ [number]: { phone_number: number } }] } : {}),
  };
}

/** What a customer has set, without what was never set. */
export function profileReply({ version, settings }: CustomerContext, customer: CustomerRecord): object {
  const { name, email, email_verified, avatar, phone_number, session_fields, address } = customer;
  const { omnichannel: sent = {} } = customer;
  const omnichannel = settings.omnichannelReading === 'listed' ? listedChannels(sent) : sent;
  const newer = has('channels', version) ? { phone_number, omnichannel, address } : {};
  return { name, email, email_verified, avatar, session_fields, ...newer };
}

/** An agent or a bot, at a moment; customers are told of both as agents. */
export function staffReply({ license, settings }: CustomerContext, member: ChatMember, at = Infinity): object {
  const staff = profileOf(license, member, at);
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

/** The users of a chat: its customer, and everyone who was in its last thread or in the one that is shown. */
export function usersReply(context: CustomerContext, chat: ChatRecord, shown?: ThreadRecord): readonly object[] {
  const last = lastThread(context, chat);
  const all = [customerMember(chat.customer_id), ...(shown?.members ?? []), ...(last?.members ?? [])];
  const members = Array.from(new Map(all.map((member) => [memberKey(member), member])).values());
  return members.map((member) => memberReply(context, chat, last, member));
}

export const chatPropertiesReply = (context: CustomerContext, { properties }: ChatRecord): object =>
  readableValues(context, 'chat', properties);
