// The webhooks of chats: their payloads, as an application of an agent gets them. Does not decide when one is sent.
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
import type { QueuePlace } from './routing.ts';
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
  const holder = openThread(license, chat?.last_thread_id ?? '')?.assignee;
  const present = holder !== undefined && sameMember(holder, member);
  const more = job_title === undefined ? {} : { job_title };
  return { id: member.id, type: 'agent', name, avatar, ...more, present, ...last };
}

function chatPayload(license: EmulatedLicense, chat: ChatRecord, thread: ThreadRecord): object {
  const { id, active, members, events, properties, group_ids, created_at, previous_thread_id } = thread;
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
      created_at: shownTime(created_at),
      ...(previous_thread_id === undefined ? {} : { previous_thread_id }),
    },
    access: { group_ids: chat.group_ids },
    properties: chat.properties,
  };
}

type Notifying = Pick<LicenseContext, 'license' | 'notify'>;

/** Where something happened: a chat, one of its threads, an event of that. */
const placeOf = ({ chat_id, id }: ThreadRecord) => ({ chat_id, thread_id: id });

/** `incoming_chat`: a thread began, and has its first events. */
export function notifyChat({ license, notify }: Notifying, thread_id: string, at: number): void {
  notify('incoming_chat', at, () => {
    const thread = threadTable.of(license).get(thread_id);
    const chat = chatTable.of(license).get(thread?.chat_id ?? '');
    return thread === undefined || chat === undefined ? {} : { chat: chatPayload(license, chat, thread) };
  });
}

export function notifyEvent({ notify }: Notifying, thread: ThreadRecord, event: EventRecord, at: number): void {
  notify('incoming_event', at, () => ({ ...placeOf(thread), event: eventPayload(thread, event) }));
}

/** `chat_deactivated`. Without `by`, the routing closed it. */
export function notifyClosed(
  { notify }: Notifying,
  thread: ThreadRecord,
  by: ChatMember | undefined,
  at: number,
): void {
  notify('chat_deactivated', at, () => ({ ...placeOf(thread), ...(by === undefined ? {} : { user_id: by.id }) }));
}

/** How the holder of a thread changed. */
export interface Handover {
  readonly from: ChatMember | undefined;
  readonly to: ChatMember | undefined;
  /** Who asked for it; without one, the routing did. */
  readonly by: ChatMember | undefined;
  readonly queue: QueuePlace | undefined;
}

/** `user_removed_from_chat`, `user_added_to_chat` and `chat_transferred`. */
export function notifyHandover({ license, notify }: Notifying, thread: ThreadRecord, how: Handover, at: number): void {
  const { from, to, by, queue } = how;
  const reason = by !== undefined ? 'manual' : to === undefined ? 'unassigned' : 'assigned';
  const why = { ...(by === undefined ? {} : { requester_id: by.id }), reason };
  if (from !== undefined)
    notify('user_removed_from_chat', at, () => ({ ...placeOf(thread), user_id: from.id, ...why }));
  if (to !== undefined)
    notify('user_added_to_chat', at, () => {
      const user = userPayload(license, to, chatTable.of(license).get(thread.chat_id));
      return { ...placeOf(thread), user, ...why };
    });
  notify('chat_transferred', at, () => ({
    ...placeOf(thread),
    ...why,
    transferred_to: { group_ids: thread.group_ids, agent_ids: to === undefined ? [] : [to.id] },
    ...(queue === undefined ? {} : { queue: { ...queue, queued_at: shownTime(queue.queued_at) } }),
  }));
}

export const notifyAccess = ({ notify }: Notifying, { id, group_ids }: ChatRecord, at: number): void =>
  notify('chat_access_updated', at, () => ({ id, access: { group_ids } }));

/** What has properties, as webhooks name it. */
export type PropertyHolder =
  | { readonly of: 'chat'; readonly chat_id: string }
  | { readonly of: 'thread'; readonly chat_id: string; readonly thread_id: string }
  | { readonly of: 'event'; readonly chat_id: string; readonly thread_id: string; readonly event_id: string };

/** `chat_properties_updated` and its siblings, with only what changed; deleted ones by their names. */
export function notifyProperties(
  { license, notify }: Notifying,
  { of, ...holder }: PropertyHolder,
  change:
    | { readonly updated: PropertyValues }
    | { readonly deleted: { readonly [namespace: string]: readonly string[] } },
): void {
  const isUpdate = 'updated' in change;
  const properties = isUpdate ? change.updated : change.deleted;
  notify(`${of}_properties_${isUpdate ? 'updated' : 'deleted'}`, license.history.now, () => ({
    ...holder,
    properties,
  }));
}

export function notifyTags({ license, notify }: Notifying, thread: ThreadRecord, before: readonly string[]): void {
  const { now } = license.history;
  const { tags } = thread;
  for (const tag of tags.filter((one) => !before.includes(one)))
    notify('thread_tagged', now, () => ({ ...placeOf(thread), tag }));
  for (const tag of before.filter((one) => !tags.includes(one)))
    notify('thread_untagged', now, () => ({ ...placeOf(thread), tag }));
}

/** Webhooks write the status with spaces. */
export function notifyPresence({ license, notify }: Notifying, agent_id: string, status: PresenceStatus): void {
  notify('routing_status_set', license.history.now, () => ({ agent_id, status: status.replaceAll('_', ' ') }));
}
