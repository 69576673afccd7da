// The events that customers, agents and bots may send: their shapes, and the records that are made of them.
// Specification: "Events"; today/customer.md, "Events".

import { isObject } from '../../base/json.ts';
import { parsedUrl } from '../../base/url.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { extended } from '../engine/table.ts';
import { fileAt, filePath } from './files.ts';
import { type GivenProperties, givenValues, writableValues } from './properties.ts';
import type { ChatMember, EventRecord, EventType, NewEvent } from './records.ts';
import type { ChatContext } from './threads.ts';

const common = {
  custom_id: s.optional(s.text),
  recipients: s.optional(s.oneOf(['all', 'agents'])),
  properties: s.optional(givenValues),
};

/** `type` and `value` come together, or not at all. */
function paired<T extends { readonly type?: string; readonly value?: string }>(read: s.JsonReader<T>): s.JsonReader<T> {
  return s.checked(read, ({ type, value }, path) => {
    if ((type === undefined) === (value === undefined)) return;
    const [missing, there] = type === undefined ? ['type', 'value'] : ['value', 'type'];
    refuse('validation', `${s.quoted(`${path}.${missing}`)} is required with ${s.quoted(there)}`);
  });
}

/** What a customer chose in a shop. */
export const ecommerceChoice = s.object({
  product_id: s.text,
  option_id: s.optional(s.string),
  quantity: s.optional(s.number(0, Number.MAX_SAFE_INTEGER)),
});

const postbackOf = (hasEcommerce: boolean) =>
  paired(
    s.object({
      id: s.text,
      thread_id: s.text,
      event_id: s.text,
      type: s.optional(s.text),
      value: s.optional(s.string),
      ecommerce: hasEcommerce ? s.optional(ecommerceChoice) : s.ignored,
    }),
  );

const button = paired(
  s.object({
    text: s.text,
    type: s.optional(s.oneOf(['webview', 'message', 'url', 'phone'])),
    value: s.optional(s.string),
    postback_id: s.text,
    user_ids: s.optional(s.list(s.string)),
    target: s.optional(s.oneOf(['new', 'current'])),
    webview_height: s.optional(s.oneOf(['compact', 'tall', 'full'])),
  }),
);

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

/** An element of the template `ecommerce`, which customers never send. */
const shopElement = s.object({
  ecommerce: s.object({
    view_type: s.oneOf(['tags', 'swatch', 'images', 'select']),
    product_id: s.text,
    label: s.string,
    options: s.list(
      s.object({
        option_id: s.text,
        label: s.string,
        price: s.optional(s.number(0, Number.MAX_SAFE_INTEGER)),
        regular_price: s.optional(s.number(0, Number.MAX_SAFE_INTEGER)),
        currency: s.optional(s.string),
        color: s.optional(s.string),
        image_url: s.optional(s.string),
        image_thumbnail_url: s.optional(s.string),
        available: s.optional(s.bool),
        selected: s.optional(s.bool),
      }),
    ),
    addons: s.optional(
      s.list(
        s.object({
          addon_type: s.text,
          range_from: s.optional(s.number(0, Number.MAX_SAFE_INTEGER)),
          range_to: s.optional(s.number(0, Number.MAX_SAFE_INTEGER)),
          currency: s.optional(s.string),
        }),
      ),
    ),
  }),
});

/** What an option of a field has in addition to its id. No page says that a label has at least one character. */
export const optionMembers = { label: s.string, group_id: s.optional(s.int(0)) };
const choice = s.object({ id: s.text, ...optionMembers });
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

/** What a field of a form has in addition to its id. */
export const fieldMembers = { type: fieldType, label: s.string, required: s.optional(s.bool) };

/** One answered field of a form. */
const filledField = s.object({
  id: s.text,
  ...fieldMembers,
  answer: s.optional(answer),
  answers: s.optional(s.list(choice)),
});

const cards = s.object({
  template_id: s.oneOf(['cards', 'sticker', 'quick_replies']),
  elements: s.optional(atMost(10, s.list(element, 1))),
});
const shop = s.object({ template_id: s.oneOf(['ecommerce']), elements: atMost(10, s.list(shopElement, 1)) });

/** What each type of event has in addition to what all have. */
const CONTENTS = {
  message: s.object({ text: s.text, postback: s.optional(postbackOf(true)) }),
  file: s.object({ url: s.text, alternative_text: s.optional(s.string) }),
  rich_message: cards,
  filled_form: s.object({ form_id: s.text, form_type: s.optional(s.string), fields: s.list(filledField, 1) }),
  custom: s.object({ content: s.optional(s.recordOf(s.unread)) }),
  system_message: s.object({
    system_message_type: s.text,
    text: s.optional(s.string),
    text_vars: s.optional(s.recordOf(s.string)),
  }),
} as const;

/** What else agents, bots and the service itself may say. */
const STAFF_CONTENTS = {
  ...CONTENTS,
  rich_message: (value: unknown, path: string) =>
    isObject(value) && value['template_id'] === 'ecommerce' ? shop(value, path) : cards(value, path),
  form: s.object({
    form_id: s.text,
    form_type: s.optional(s.string),
    fields: s.list(s.object({ id: s.text, ...fieldMembers, options: s.optional(s.list(choice)) })),
  }),
  /** `details` is JSON as a text. */
  system: s.object({ source: s.text, subtype: s.text, version: s.int(0), details: s.string }),
} as const satisfies { readonly [type in EventType]: s.JsonReader<object> };

/** Whether an event of this type has no author. */
export const isOfSystem = (type: EventType): boolean => type === 'system_message' || type === 'system';

/** An event of a request, before the license is asked about it. */
export interface GivenEvent {
  readonly type: EventType;
  readonly custom_id?: string;
  readonly recipients?: 'all' | 'agents';
  readonly properties?: GivenProperties;
  readonly content: EventRecord['content'];
}

/** Reads an event of one of these types. */
function eventReader(
  types: readonly EventType[],
  contents: { readonly [type in EventType]?: (value: unknown, path: string) => object },
): s.JsonReader<GivenEvent> {
  const shared = s.object({ type: s.oneOf(types), ...common });
  return (value, path) => {
    const event = shared(value, path);
    return extended(event, { content: { ...contents[event.type]?.(value, path) } });
  };
}

/** The types that customers can send; `form` is missing. */
const TYPES = ['message', 'file', 'rich_message', 'filled_form', 'custom', 'system_message'] as const;

const older = { ...CONTENTS, message: s.object({ text: s.text, postback: s.optional(postbackOf(false)) }) };
const readers = { newer: eventReader(TYPES, CONTENTS), older: eventReader(TYPES, older) };

/** An event of a customer, in a version whose postbacks name a product or not. */
export const customerEvent = (hasEcommerce: boolean): s.JsonReader<GivenEvent> =>
  hasEcommerce ? readers.newer : readers.older;

/** An event of an agent or a bot. */
export const staffEvent = eventReader([...TYPES, 'form', 'system'], STAFF_CONTENTS);

/** What an event shows of the file that it names. A thumbnail is the image itself: the emulator scales none. */
function fileContent(
  { license }: ChatContext,
  author: ChatMember,
  { url, ...given }: GivenEvent['content'],
  path: string,
): EventRecord['content'] {
  const file = fileAt(license, String(url));
  if (file === undefined && author.kind !== 'customer') {
    const name = parsedUrl(String(url))?.pathname.split('/').at(-1) || 'file';
    return { name, url, content_type: 'application/octet-stream', ...given };
  }
  if (file === undefined)
    return refuse('validation', `${s.quoted(`${path}.url`)} is not one that upload_file gave, or it has expired`);
  const { name, content_type, size, width, height } = file;
  const address = filePath(file);
  const image = width === undefined ? {} : { width, height, thumbnail_url: address, thumbnail2x_url: address };
  return { name, url: address, content_type, size, ...image, ...given };
}

/** The record of an event. Refuses what the license does not allow; writes nothing. */
export function eventOf(context: ChatContext, author: ChatMember, given: GivenEvent, path: string): NewEvent {
  const { limits, systemMessagesOfCustomers } = context.settings;
  const { eventText } = limits;
  const { type, custom_id, recipients } = given;
  const isCustomer = author.kind === 'customer';
  if (type === 'system_message' && isCustomer && systemMessagesOfCustomers === 'refused')
    refuse('validation', `${s.quoted(`${path}.type`)} must not be system_message`);
  const { text } = given.content;
  if (typeof text === 'string' && eventText !== -1 && Buffer.byteLength(text) > eventText)
    refuse('validation', `${s.quoted(`${path}.text`)} must have at most ${eventText} bytes`);
  const properties = writableValues(context, 'event', given.properties, `${path}.properties`);
  return {
    type,
    ...(isOfSystem(type) ? {} : { author }),
    ...(custom_id === undefined ? {} : { custom_id }),
    ...(recipients === undefined ? {} : { recipients }),
    ...(given.properties === undefined ? {} : { properties }),
    content: type === 'file' ? fileContent(context, author, given.content, path) : given.content,
  };
}
