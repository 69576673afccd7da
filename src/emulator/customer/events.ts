// Events: the actions that send, delete and answer them, and what says how far a customer has read and typed.
// Specification: "Events", "States and transitions", "Status and other".

import { isObject, type ParsedObject } from '../../base/json.ts';
import { customerEvent, ecommerceChoice, eventOf } from '../chats/event-shapes.ts';
import { openThread, setOpenThread } from '../chats/open-threads.ts';
import type { ChatRecord, EventRecord, ThreadRecord } from '../chats/records.ts';
import { customerMember, eventId, sameMember, shownTime } from '../chats/records.ts';
import { addEvent, markSeen, setEvent } from '../chats/threads.ts';
import { notifyOfChat } from '../chats/webhooks.ts';
import { refuse } from '../engine/refusal.ts';
import { bool, dateTime, ignored, object, optional, quoted, string, text } from '../engine/shape.ts';
import { byVersion, type CustomerContext, type CustomerKind, changeAction, writeAction } from './action.ts';
import { FEATURES, has } from './settings.ts';
import { lastThread, refuseNewer, requireChat, requireEvent, requireThread } from './shown.ts';

const sendRequest = byVersion((version) =>
  object({
    chat_id: text,
    event: customerEvent(has('buttonValues', version)),
    attach_to_last_thread: optional(bool),
  }),
);
const namedEvent = { chat_id: text, thread_id: text, event_id: text };

const postbackRequest = byVersion((version) => {
  const newer = { button_type: optional(string), button_value: optional(string), ecommerce: optional(ecommerceChoice) };
  const older = { button_type: ignored, button_value: ignored, ecommerce: ignored };
  const postback = object({ id: text, toggled: bool, ...(has('buttonValues', version) ? newer : older) });
  return object({ ...namedEvent, postback });
});

/** The thread to which an event of the customer goes: the last one, if it is active or the request says so. */
function requireOpen(context: CustomerContext, chat: ChatRecord, evenInactive: boolean): ThreadRecord {
  const thread = lastThread(context, chat);
  if (thread === undefined || !(thread.active || evenInactive))
    return refuseNewer(context, 'chat_inactive', `chat ${quoted(chat.id)}`);
  return thread;
}

/** The event that a request names, and its thread. */
function requireNamed(context: CustomerContext, named: Readonly<Record<'chat_id' | 'thread_id' | 'event_id', string>>) {
  const thread = requireThread(context, requireChat(context, named.chat_id), named.thread_id);
  return { thread, event: requireEvent(context, thread, named.event_id) };
}

const objectsIn = (list: unknown): readonly ParsedObject[] => (Array.isArray(list) ? list.filter(isObject) : []);

/** The buttons of an event that send a postback of this id; those of a card, or of a bar of quick replies. */
const buttonsOf = ({ content }: EventRecord, id: string): readonly ParsedObject[] =>
  objectsIn(content['elements'])
    .flatMap(({ buttons }) => objectsIn(buttons))
    .filter(({ postback_id }) => postback_id === id);

/** A button that lists a user among those who have toggled it, or does not. */
function toggledButton(button: ParsedObject, user: string, toggled: boolean): ParsedObject {
  const { user_ids } = button;
  const others = Array.isArray(user_ids) ? user_ids.filter((id: unknown) => id !== user) : [];
  return { ...button, user_ids: toggled ? [...others, user] : others };
}

/** The event with the buttons that a postback of its user has changed. */
function withToggled(event: EventRecord, id: string, user: string, toggled: boolean): EventRecord {
  const chosen = buttonsOf(event, id);
  const elements = objectsIn(event.content['elements']).map((element) => {
    if (!Array.isArray(element['buttons'])) return element;
    const buttons = element['buttons'].map((button) =>
      chosen.includes(button) ? toggledButton(button, user, toggled) : button,
    );
    return { ...element, buttons };
  });
  return { ...event, content: { ...event.content, elements } };
}

const actions = [
  writeAction('send_event', sendRequest, {
    run: ({ chat_id, event: given, attach_to_last_thread = false }, context) => {
      const { now } = context.license.history;
      const chat = requireChat(context, chat_id);
      const thread = requireOpen(context, chat, attach_to_last_thread);
      const author = customerMember(chat.customer_id);
      const event = addEvent(context, thread.id, eventOf(context, author, given, 'event'), now);
      markSeen(context, chat.id, author, now);
      return { event_id: eventId(thread, event) };
    },
  }),
  changeAction('delete_event', object(namedEvent), {
    versions: FEATURES.deletedEvents,
    run: (named, context) => {
      const { thread, event } = requireNamed(context, named);
      if (event.author === undefined || !sameMember(event.author, customerMember(thread.customer_id)))
        refuse('authorization', `event ${quoted(named.event_id)} is not one of this customer`);
      setEvent(context, thread.id, { ...event, deleted: true });
      notifyOfChat(context, 'event_deleted', thread.chat_id, context.license.history.now, () => named);
      return undefined;
    },
  }),
  changeAction('send_rich_message_postback', postbackRequest, {
    run: ({ postback, ...named }, context) => {
      const { id, toggled } = postback;
      const { thread, event } = requireNamed(context, named);
      if (event.type !== 'rich_message')
        refuse('validation', `${quoted('event_id')} names an event that is no rich message`);
      if (buttonsOf(event, id).length === 0)
        refuse('validation', `${quoted('postback.id')} names no button of event ${quoted(named.event_id)}`);
      setEvent(context, thread.id, withToggled(event, id, thread.customer_id, toggled));
      if (thread.active)
        notifyOfChat(context, 'incoming_rich_message_postback', thread.chat_id, context.license.history.now, () => ({
          user_id: thread.customer_id,
          ...named,
          postback,
        }));
      return undefined;
    },
  }),
  // An empty text is what a customer leaves who deletes it all: it ends the sneak peek.
  changeAction('send_sneak_peek', object({ chat_id: text, sneak_peek_text: string }), {
    run: ({ chat_id, sneak_peek_text: typed }, context) => {
      const { license } = context;
      const open = openThread(license, requireOpen(context, requireChat(context, chat_id), false).id);
      if (open === undefined) return undefined;
      const { sneak_peek: _, ...rest } = open;
      setOpenThread(license, typed === '' ? rest : { ...rest, sneak_peek: typed });
      return undefined;
    },
  }),
  changeAction('mark_events_as_seen', object({ chat_id: text, seen_up_to: dateTime }), {
    run: ({ chat_id, seen_up_to }, context) => {
      const chat = requireChat(context, chat_id);
      const until = Date.parse(seen_up_to);
      if (!markSeen(context, chat.id, customerMember(chat.customer_id), until)) return undefined;
      const payload = { user_id: chat.customer_id, chat_id: chat.id, seen_up_to: shownTime(until) };
      notifyOfChat(context, 'events_marked_as_seen', chat.id, context.license.history.now, () => payload);
      return undefined;
    },
  }),
];

export const eventActionKind = { tables: [], actions } satisfies CustomerKind;
