// Properties of chats, threads and events: the actions that write and delete them, as their definitions let customers do.
// Specification: "Properties"; customer-and-reports-notes.md, section 4, rule 15.

import { givenNames, givenValues, withoutValues, writableValues } from '../chats/properties.ts';
import { chatTable, threadTable } from '../chats/records.ts';
import { mergedValues, setEvent } from '../chats/threads.ts';
import { object, text } from '../engine/shape.ts';
import { type CustomerKind, changeAction } from './action.ts';
import { requireChat, requireEvent, requireThread } from './shown.ts';

const ofChat = { id: text };
const ofThread = { chat_id: text, thread_id: text };
const ofEvent = { ...ofThread, event_id: text };

const actions = [
  changeAction('update_chat_properties', object({ ...ofChat, properties: givenValues }), {
    run: ({ id, properties: given }, context) => {
      const chat = requireChat(context, id);
      const values = writableValues(context, 'chat', given, 'properties');
      chatTable.of(context.license).set({ ...chat, properties: mergedValues(chat.properties, values) });
      return undefined;
    },
  }),
  changeAction('delete_chat_properties', object({ ...ofChat, properties: givenNames }), {
    run: ({ id, properties: given }, context) => {
      const chat = requireChat(context, id);
      const properties = withoutValues(context, 'chat', chat.properties, given);
      chatTable.of(context.license).set({ ...chat, properties });
      return undefined;
    },
  }),
  changeAction('update_thread_properties', object({ ...ofThread, properties: givenValues }), {
    run: ({ chat_id, thread_id, properties: given }, context) => {
      const thread = requireThread(context, requireChat(context, chat_id), thread_id);
      const values = writableValues(context, 'thread', given, 'properties');
      threadTable.of(context.license).set({ ...thread, properties: mergedValues(thread.properties, values) });
      return undefined;
    },
  }),
  changeAction('delete_thread_properties', object({ ...ofThread, properties: givenNames }), {
    run: ({ chat_id, thread_id, properties: given }, context) => {
      const thread = requireThread(context, requireChat(context, chat_id), thread_id);
      const properties = withoutValues(context, 'thread', thread.properties, given);
      threadTable.of(context.license).set({ ...thread, properties });
      return undefined;
    },
  }),
  changeAction('update_event_properties', object({ ...ofEvent, properties: givenValues }), {
    run: ({ chat_id, thread_id, event_id, properties: given }, context) => {
      const thread = requireThread(context, requireChat(context, chat_id), thread_id);
      const event = requireEvent(context, thread, event_id);
      const values = writableValues(context, 'event', given, 'properties');
      setEvent(context, thread.id, { ...event, properties: mergedValues(event.properties ?? {}, values) });
      return undefined;
    },
  }),
  changeAction('delete_event_properties', object({ ...ofEvent, properties: givenNames }), {
    run: ({ chat_id, thread_id, event_id, properties: given }, context) => {
      const thread = requireThread(context, requireChat(context, chat_id), thread_id);
      const event = requireEvent(context, thread, event_id);
      const properties = withoutValues(context, 'event', event.properties ?? {}, given);
      setEvent(context, thread.id, { ...event, properties });
      return undefined;
    },
  }),
];

export const propertyActionKind = { tables: [], actions } satisfies CustomerKind;
