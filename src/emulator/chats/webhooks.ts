// The webhooks of chats: what is in them, as an application of an agent gets them. Does not decide when one is sent.
// today/configuration.md, "Webhooks".

import type { EmulatedLicense, LicenseContext } from '../engine/license.ts';
import { openThread } from './open-threads.ts';
import {
  type ChatMember,
  type ChatRecord,
  chatTable,
  customerTable,
  type EventRecord,
  eventId,
  type PresenceStatus,
  type PropertyValues,
  sameMember,
  seenBy,
  shownTime,
  type ThreadRecord,
  threadTable,
} from './records.ts';
import { placeInQueue, type QueuePlace, type RoutingView } from './routing.ts';
import { profileOf } from './staff.ts';

/** Unlike customers, applications see agents by their e-mail. */
function eventPayload(thread: ThreadRecord, event: EventRecord): object {
  const { type, created_at, custom_id, author, recipients = 'all', properties, content } = event;
  return {
    id: eventId(thread, event),
    ...(custom_id === undefined ? {} : { custom_id }),
    type,
    ...(author === undefined ? {} : { author_id: author.id }),
    created_at: shownTime(created_at),
    recipients,
    ...(properties === undefined ? {} : { properties }),
    ...content,
  };
}

/** Who has an active thread; undefined where no member does. */
const holderOf = (license: EmulatedLicense, chat: ChatRecord | undefined): ChatMember | undefined =>
  openThread(license, chat?.last_thread_id ?? '')?.assignee;

function userPayload(license: EmulatedLicense, member: ChatMember, chat: ChatRecord | undefined): object {
  const seen = chat === undefined ? undefined : seenBy(chat, member);
  const last = seen === undefined ? {} : { events_seen_up_to: shownTime(seen) };
  if (member.kind === 'customer') {
    const { name, email, email_verified, avatar, phone_number, session_fields, omnichannel, address } =
      customerTable.of(license).get(member.id) ?? {};
    const profile = { name, email, email_verified, avatar, phone_number, session_fields, omnichannel, address };
    const known = Object.entries(profile).filter(([, value]) => value !== undefined);
    return { id: member.id, type: 'customer', ...Object.fromEntries(known), present: true, ...last };
  }
  const { name = '', avatar = '', job_title } = profileOf(license, member) ?? {};
  const holder = holderOf(license, chat);
  const present = holder !== undefined && sameMember(holder, member);
  const more = job_title === undefined ? {} : { job_title };
  return { id: member.id, type: 'agent', name, avatar, ...more, present, ...last };
}

const queuePayload = (place: QueuePlace): object => ({ ...place, queued_at: shownTime(place.queued_at) });

function chatPayload(view: RoutingView, chat: ChatRecord, thread: ThreadRecord): object {
  const { license } = view;
  const { id, active, members, events, properties, group_ids, tags, created_at, previous_thread_id } = thread;
  const place = placeInQueue(view, thread);
  return {
    id: chat.id,
    users: members.map((member) => userPayload(license, member, chat)),
    thread: {
      id,
      active,
      user_ids: members.map((member) => member.id),
      events: events.map((event) => eventPayload(thread, event)),
      properties,
      access: { group_ids },
      tags,
      ...(place === undefined ? {} : { queue: queuePayload(place) }),
      created_at: shownTime(created_at),
      ...(previous_thread_id === undefined ? {} : { previous_thread_id }),
    },
    access: { group_ids: chat.group_ids },
    properties: chat.properties,
  };
}

type Notifying = Pick<LicenseContext, 'license' | 'notify'>;

/** Notes a webhook about a chat. An application can ask for the properties of the chat in addition, and for who is there. */
export function notifyOfChat(
  { license, notify }: Notifying,
  action: string,
  chat_id: string,
  at: number,
  payload: () => object,
): void {
  notify(action, at, () => {
    const chat = chatTable.of(license).get(chat_id);
    const last = threadTable
      .of(license)
      .get(chat?.last_thread_id ?? '')
      ?.held?.at(-1);
    // Who has it, or had it until this moment.
    const holder = last === undefined || (last.until ?? at) < at ? undefined : last;
    const present = [...(chat === undefined ? [] : [chat.customer_id]), ...(holder === undefined ? [] : [holder.id])];
    const additional_data = { chat_properties: chat?.properties ?? {}, chat_presence_user_ids: present };
    return { payload: payload(), additional_data };
  });
}

/** Where something happened: a chat, one of its threads, an event of that. */
const placeOf = ({ chat_id, id }: ThreadRecord) => ({ chat_id, thread_id: id });

/** `incoming_chat`: a thread began, and has its first events. */
export function notifyChat({ notify }: Notifying, view: RoutingView, thread_id: string): void {
  const { license, now } = view;
  const chat_id = threadTable.of(license).get(thread_id)?.chat_id ?? '';
  notifyOfChat({ license, notify }, 'incoming_chat', chat_id, now, () => {
    const thread = threadTable.of(license).get(thread_id);
    const chat = chatTable.of(license).get(chat_id);
    return thread === undefined || chat === undefined ? {} : { chat: chatPayload(view, chat, thread) };
  });
}

export const notifyEvent = (context: Notifying, thread: ThreadRecord, event: EventRecord, at: number): void =>
  notifyOfChat(context, 'incoming_event', thread.chat_id, at, () => ({
    ...placeOf(thread),
    event: eventPayload(thread, event),
  }));

/** `chat_deactivated`. Without `by`, the routing closed it. */
export const notifyClosed = (context: Notifying, thread: ThreadRecord, by: ChatMember | undefined, at: number): void =>
  notifyOfChat(context, 'chat_deactivated', thread.chat_id, at, () => ({
    ...placeOf(thread),
    ...(by === undefined ? {} : { user_id: by.id }),
  }));

/** How the holder of a thread changed. */
export interface Handover {
  readonly from: ChatMember | undefined;
  readonly to: ChatMember | undefined;
  /** Who asked for it; without one, the routing did. */
  readonly by: ChatMember | undefined;
  readonly queue: QueuePlace | undefined;
}

/** `user_removed_from_chat`, `user_added_to_chat` and `chat_transferred`. */
export function notifyHandover(context: Notifying, thread: ThreadRecord, how: Handover, at: number): void {
  const { from, to, by, queue } = how;
  const reason = by !== undefined ? 'manual' : to === undefined ? 'unassigned' : 'assigned';
  const why = { ...(by === undefined ? {} : { requester_id: by.id }), reason };
  const tell = (action: string, payload: () => object): void =>
    notifyOfChat(context, action, thread.chat_id, at, () => ({ ...placeOf(thread), ...why, ...payload() }));
  if (from !== undefined) tell('user_removed_from_chat', () => ({ user_id: from.id, user_type: 'agent' }));
  if (to !== undefined)
    tell('user_added_to_chat', () => {
      const { license } = context;
      return { user: userPayload(license, to, chatTable.of(license).get(thread.chat_id)), user_type: 'agent' };
    });
  tell('chat_transferred', () => ({
    transferred_to: { group_ids: thread.group_ids, agent_ids: to === undefined ? [] : [to.id] },
    ...(queue === undefined ? {} : { queue: queuePayload(queue) }),
  }));
}

/** `chat_access_updated`; in 3.3 one webhook for the groups that a chat was given, and another for those that it lost. */
export function notifyAccess(
  context: Notifying,
  { id, group_ids }: ChatRecord,
  former: readonly number[],
  at: number,
): void {
  const tell = (action: string, groups: readonly number[]): void =>
    notifyOfChat(context, action, id, at, () => ({ id, access: { group_ids: groups } }));
  tell('chat_access_updated', group_ids);
  const granted = group_ids.filter((group) => !former.includes(group));
  const revoked = former.filter((group) => !group_ids.includes(group));
  if (granted.length > 0) tell('chat_access_granted', granted);
  if (revoked.length > 0) tell('chat_access_revoked', revoked);
}

/** What has properties, as webhooks name it. */
export type PropertyHolder =
  | { readonly of: 'chat'; readonly chat_id: string }
  | { readonly of: 'thread'; readonly chat_id: string; readonly thread_id: string }
  | { readonly of: 'event'; readonly chat_id: string; readonly thread_id: string; readonly event_id: string };

/** `chat_properties_updated` and its siblings, with only what changed; deleted ones by their names. */
export function notifyProperties(
  context: Notifying,
  { of, ...holder }: PropertyHolder,
  change:
    | { readonly updated: PropertyValues }
    | { readonly deleted: { readonly [namespace: string]: readonly string[] } },
): void {
  const isUpdate = 'updated' in change;
  const properties = isUpdate ? change.updated : change.deleted;
  const action = `${of}_properties_${isUpdate ? 'updated' : 'deleted'}`;
  notifyOfChat(context, action, holder.chat_id, context.license.history.now, () => ({ ...holder, properties }));
}

export function notifyTags(context: Notifying, thread: ThreadRecord, before: readonly string[]): void {
  const tell = (action: string, tag: string): void =>
    notifyOfChat(context, action, thread.chat_id, context.license.history.now, () => ({ ...placeOf(thread), tag }));
  const { tags } = thread;
  for (const tag of tags.filter((one) => !before.includes(one))) tell('thread_tagged', tag);
  for (const tag of before.filter((one) => !tags.includes(one))) tell('thread_untagged', tag);
}

/** Webhooks write the status with spaces. */
export function notifyPresence({ license, notify }: Notifying, agent_id: string, status: PresenceStatus): void {
  const payload = { agent_id, status: status.replaceAll('_', ' ') };
  notify('routing_status_set', license.history.now, () => ({ payload, additional_data: {} }));
}

/** `incoming_customer`: the browser of a customer was seen for the first time. */
export function notifyCustomer({ license, notify }: Notifying, id: string): void {
  notify('incoming_customer', license.history.now, () => ({
    payload: { customer: userPayload(license, { kind: 'customer', id }, undefined) },
    additional_data: {},
  }));
}
