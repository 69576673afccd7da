// The events that customers may send: their shapes, and the records that are made of them.
// Specification: "Events"; customer-and-reports-notes.md, section 2.

import { isObject } from '../../base/json.ts';
import { fileAt, filePath } from '../chats/files.ts';
import { type GivenProperties, givenValues, writableValues } from '../chats/properties.ts';
import type { ChatMember } from '../chats/records.ts';
import type { NewEvent } from '../chats/threads.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { extended } from '../engine/table.ts';
import type { CustomerContext } from './action.ts';

const common = {
  custom_id: s.optional(s.text),
  recipients: s.optional(s.oneOf(['all', 'agents'])),
  properties: s.optional(givenValues),
};

const postback = s.object({
  id: s.text,
  thread_id: s.text,
  event_id: s.text,
  type: s.optional(s.string),
  value: s.optional(s.string),
});

const button = s.object({
  text: s.text,
  type: s.optional(s.string),
  value: s.optional(s.string),
  postback_id: s.optional(s.string),
  user_ids: s.optional(s.list(s.string)),
  target: s.optional(s.string),
  webview_height: s.optional(s.string),
});

function atMost<T>(most: number, read: s.JsonReader<readonly T[]>): s.JsonReader<readonly T[]> {
  return s.checked(read, (items, path) => {
    if (items.length > most) refuse('validation', `${s.quoted(path)} must have at most ${most} items`);
  });
}

const element = s.object({
  title: s.optional(s.string),
  subtitle: s.optional(s.string),
  image: s.optional(
    s.object({
      url: s.text,
      name: s.optional(s.string),
      content_type: s.optional(s.string),
      size: s.optional(s.int(0)),
      width: s.optional(s.int(0)),
      height: s.optional(s.int(0)),
      alternative_text: s.optional(s.string),
    }),
  ),
  buttons: s.optional(atMost(13, s.list(button))),
});

const choice = s.object({ id: s.text, label: s.text, group_id: s.optional(s.int(0)) });
const answer: s.JsonReader<unknown> = (value, path) => (isObject(value) ? choice(value, path) : s.string(value, path));

/** Types of the fields of a form. */
export const fieldType = s.oneOf([
  'header',
  'name',
  'email',
  'subject',
  'question',
  'textarea',
  'radio',
  'select',
  'checkbox',
  'group_chooser',
]);

/** One answered field of a form. */
const filledField = s.object({
  id: s.text,
  type: fieldType,
  label: s.text,
  required: s.optional(s.bool),
  answer: s.optional(answer),
  answers: s.optional(s.list(choice)),
});

/** What each type of event has in addition to what all have. */
const CONTENTS = {
  message: s.object({ text: s.text, postback: s.optional(postback) }),
  file: s.object({ url: s.text, alternative_text: s.optional(s.string) }),
  rich_message: s.object({
    template_id: s.oneOf(['cards', 'sticker', 'quick_replies']),
    elements: s.optional(atMost(10, s.list(element, 1))),
  }),
  filled_form: s.object({ form_id: s.text, form_type: s.optional(s.string), fields: s.list(filledField, 1) }),
  custom: s.object({ content: s.optional(s.recordOf(s.unread)) }),
} as const;

/** `form` is missing: customers cannot send one. */
const TYPES = Object.keys(CONTENTS) as (keyof typeof CONTENTS)[];
const eventType = s.oneOf(TYPES);
const shared = s.object({ type: eventType, ...common });

/** An event of a request, before the license is asked about it. */
export interface GivenEvent {
  readonly type: keyof typeof CONTENTS;
  readonly custom_id?: string;
  readonly recipients?: 'all' | 'agents';
  readonly properties?: GivenProperties;
  readonly content: { readonly [name: string]: unknown };
}

export const givenEvent: s.JsonReader<GivenEvent> = (value, path) => {
  const event = shared(value, path);
  return extended(event, { content: CONTENTS[event.type](value, path) });
};

/** What an event shows of the file that it names. A thumbnail is the image itself: the emulator scales none. */
function fileContent({ license }: CustomerContext, { url, ...given }: GivenEvent['content'], path: string) {
  const unknown = `${s.quoted(`${path}.url`)} is not one that upload_file gave, or it has expired`;
  const file = fileAt(license, String(url)) ?? refuse('validation', unknown);
  const { name, content_type, size, width, height } = file;
  const address = filePath(file);
  const image = width === undefined ? {} : { width, height, thumbnail_url: address, thumbnail2x_url: address };
  return { name, url: address, content_type, size, ...image, ...given };
}

/** The record of an event that a customer sends. Refuses what the license does not allow; writes nothing. */
export function eventOf(context: CustomerContext, author: ChatMember, given: GivenEvent, path: string): NewEvent {
  const { eventText } = context.settings.limits;
  const { text } = given.content;
  if (typeof text === 'string' && eventText !== -1 && Buffer.byteLength(text) > eventText)
    refuse('validation', `${s.quoted(`${path}.text`)} must have at most ${eventText} bytes`);
  const { type, custom_id, recipients } = given;
  const properties = writableValues(context, 'event', given.properties, `${path}.properties`);
  return {
    type,
    author,
    ...(custom_id === undefined ? {} : { custom_id }),
    ...(recipients === undefined ? {} : { recipients }),
    ...(given.properties === undefined ? {} : { properties }),
    content: type === 'file' ? fileContent(context, given.content, path) : given.content,
  };
}
