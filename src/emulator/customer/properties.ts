// Properties of chats, threads and events: the actions that write and delete them, as their definitions let customers do.
// Specification: "Properties"; customer-and-reports-notes.md, section 4, rule 15.

import { givenNames, givenValues, withoutValues, writableValues } from '../chats/properties.ts';
import { chatTable, customerMember, type PropertyValues, type ThreadRecord, threadTable } from '../chats/records.ts';
import { nameOf, type SystemMessage } from '../chats/system-messages.ts';
import { mergedValues, say, setEvent } from '../chats/threads.ts';
import { notifyProperties } from '../chats/webhooks.ts';
import { object, text } from '../engine/shape.ts';
import { type CustomerContext, type CustomerKind, changeAction } from './action.ts';
import { lastThread, requireChat, requireEvent, requireThread } from './shown.ts';

const ofChat = { id: text };
const ofThread = { chat_id: text, thread_id: text };
const ofEvent = { ...ofThread, event_id: text };

/** Says in a thread what its customer has set: a rating, and where the transcript goes. */
export function announce(context: CustomerContext, thread: ThreadRecord, given: PropertyValues): void {
  const { license } = context;
  const { now } = license.history;
  const customer = nameOf(license, customerMember(thread.customer_id));
  const { score, comment } = given['rating'] ?? {};
  const email = given['routing']?.['transcript_email'];
  const tell = (message: SystemMessage): void => say(context, thread.id, message, now);
  if (typeof score === 'number')
    tell({ type: 'rating.chat_rated', vars: { customer, score: score === 1 ? 'good' : 'bad' } });
  if (typeof comment === 'string' && comment !== '')
    tell({ type: 'rating.chat_commented', vars: { customer, comment } });
  if (typeof email === 'string' && email !== '') tell({ type: 'transcript_requested', vars: { customer, email } });
}

/** Says in a thread that its customer has taken the rating back, where there was one. */
function announceDeleted(context: CustomerContext, thread: ThreadRecord, before: PropertyValues, now: PropertyValues) {
  if (before['rating']?.['score'] === undefined || now['rating']?.['score'] !== undefined) return;
  const { license } = context;
  const vars = { customer: nameOf(license, customerMember(thread.customer_id)) };
  say(context, thread.id, { type: 'rating.chat_rating_canceled', vars }, license.history.now);
}

const actions = [
  changeAction('update_chat_properties', object({ ...ofChat, properties: givenValues }), {
    run: ({ id, properties: given }, context) => {
      const chat = requireChat(context, id);
      const values = writableValues(context, 'chat', given, 'properties');
      chatTable.of(context.license).set({ ...chat, properties: mergedValues(chat.properties, values) });
      notifyProperties(context, { of: 'chat', chat_id: id }, { updated: values });
      const thread = lastThread(context, chat);
      if (thread !== undefined) announce(context, thread, values);
      return undefined;
    },
  }),
  changeAction('delete_chat_properties', object({ ...ofChat, properties: givenNames }), {
    run: ({ id, properties: given }, context) => {
      const chat = requireChat(context, id);
      const properties = withoutValues(context, 'chat', chat.properties, given);
      chatTable.of(context.license).set({ ...chat, properties });
      notifyProperties(context, { of: 'chat', chat_id: id }, { deleted: Object.fromEntries(given) });
      const thread = lastThread(context, chat);
      if (thread !== undefined) announceDeleted(context, thread, chat.properties, properties);
      return undefined;
    },
  }),
  changeAction('update_thread_properties', object({ ...ofThread, properties: givenValues }), {
    run: ({ chat_id, thread_id, properties: given }, context) => {
      const thread = requireThread(context, requireChat(context, chat_id), thread_id);
      const values = writableValues(context, 'thread', given, 'properties');
      threadTable.of(context.license).set({ ...thread, properties: mergedValues(thread.properties, values) });
      notifyProperties(context, { of: 'thread', chat_id, thread_id }, { updated: values });
      announce(context, thread, values);
      return undefined;
    },
  }),
  changeAction('delete_thread_properties', object({ ...ofThread, properties: givenNames }), {
    run: ({ chat_id, thread_id, properties: given }, context) => {
      const thread = requireThread(context, requireChat(context, chat_id), thread_id);
      const properties = withoutValues(context, 'thread', thread.properties, given);
      threadTable.of(context.license).set({ ...thread, properties });
      notifyProperties(context, { of: 'thread', chat_id, thread_id }, { deleted: Object.fromEntries(given) });
      announceDeleted(context, thread, thread.properties, properties);
      return undefined;
    },
  }),
  changeAction('update_event_properties', object({ ...ofEvent, properties: givenValues }), {
    run: ({ chat_id, thread_id, event_id, properties: given }, context) => {
      const thread = requireThread(context, requireChat(context, chat_id), thread_id);
      const event = requireEvent(context, thread, event_id);
      const values = writableValues(context, 'event', given, 'properties');
      setEvent(context, thread.id, { ...event, properties: mergedValues(event.properties ?? {}, values) });
      notifyProperties(context, { of: 'event', chat_id, thread_id, event_id }, { updated: values });
      return undefined;
    },
  }),
  changeAction('delete_event_properties', object({ ...ofEvent, properties: givenNames }), {
    run: ({ chat_id, thread_id, event_id, properties: given }, context) => {
      const thread = requireThread(context, requireChat(context, chat_id), thread_id);
      const event = requireEvent(context, thread, event_id);
      const properties = withoutValues(context, 'event', event.properties ?? {}, given);
      setEvent(context, thread.id, { ...event, properties });
      const deleted = Object.fromEntries(given);
      notifyProperties(context, { of: 'event', chat_id, thread_id, event_id }, { deleted });
      return undefined;
    },
  }),
];

export const propertyActionKind = { tables: [], actions } satisfies CustomerKind;
