// The rich message of a greeting, and its properties: schemas, the one spelling, and what a write carries over from the live one.
// today/configuration.md, "Greetings".

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { nearest } from '../base/nearest.ts';
import type { Report } from './kind.ts';

const textOf = (description: string) => ({ type: 'string', minLength: 1, description }) as const satisfies Schema;

export const messageSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['template_id'],
  properties: {
    template_id: { enum: ['cards', 'sticker', 'quick_replies'], description: 'Form of the message.' },
    elements: {
      type: 'array',
      maxItems: 10,
      description: 'Its cards, or its one element.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['title'],
        description: 'One card.',
        properties: {
          title: textOf('Title of the card.'),
          subtitle: textOf('Text under the title.'),
          image: {
            type: 'object',
            additionalProperties: false,
            required: ['url'],
            description: 'Picture of the card.',
            properties: {
              url: textOf('URL of the picture.'),
              name: { type: 'string', description: 'Name of the file.' },
              content_type: { type: 'string', description: 'Such as `image/png`.' },
              size: { type: 'integer', minimum: 0, description: 'Size of the picture in bytes.' },
              width: { type: 'integer', minimum: 0, description: 'Width in pixels.' },
              height: { type: 'integer', minimum: 0, description: 'Height in pixels.' },
              alternative_text: { type: 'string', description: 'Text in the place of the picture.' },
            },
          },
          buttons: {
            type: 'array',
            maxItems: 13,
            description: 'Buttons; the service gives each an id, which chatform keeps.',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['text', 'type', 'value', 'postback_id'],
              description: 'One button.',
              properties: {
                text: textOf('What the button says.'),
                type: { enum: ['webview', 'message', 'url', 'phone'], description: 'What it does.' },
                value: textOf('The URL, the message or the number.'),
                postback_id: textOf('What webhooks and chats call the button.'),
                role: { enum: ['default', 'primary', 'danger'], description: 'How it looks.' },
              },
            },
          },
        },
      },
    },
  },
} as const satisfies Schema;

/** The keys that the pages name; the service returns others also. */
export const PROPERTY_KEYS = {
  'greeting-message_text': 'The text of the greeting.',
  'greeting-message_json_key': 'Key of the message in JSON.',
  'greeting-message_phrase_key': 'Key of a phrase in place of a text.',
  is_exit_intent: 'Whether it shows when the visitor is about to leave: `"true"` or `"false"`.',
  addon: 'The addon that the greeting belongs to.',
} as const;

const KEYS = Object.keys(PROPERTY_KEYS);

type Members = { readonly [name: string]: Json };

/** The same value with each button changed; a value of another form stays. */
function mapButtons(message: Json, change: (button: Members, element: number, place: number) => Members): Json {
  if (!isObject(message) || !isList(message['elements'])) return message;
  const elements = message['elements'].map((element, row) => {
    if (!isObject(element) || !isList(element['buttons'])) return element;
    return {
      ...element,
      buttons: element['buttons'].map((button, place) => (isObject(button) ? change(button, row, place) : button)),
    };
  });
  return { ...message, elements };
}

/** Without the ids that the service made. */
export function withoutButtonIds(message: Json): Json {
  return mapButtons(message, ({ button_id: _, ...button }) => button);
}

/** A message with the ids of the live buttons that have its places and their `postback_id`: reports and webhooks go on to know them. */
export function withButtonIds(message: Json, live: Json): Json {
  return mapButtons(message, (button, row, place) => {
    const element = isObject(live) && isList(live['elements']) ? live['elements'][row] : undefined;
    const found = isObject(element) && isList(element['buttons']) ? element['buttons'][place] : undefined;
    const same = isObject(found) && found['postback_id'] === button['postback_id'] ? found['button_id'] : undefined;
    return same === undefined ? button : { ...button, button_id: same };
  });
}

/** Values as texts, as the samples have them. */
export function canonicalProperties(value: Json): Json {
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => [name, isObject(member) || isList(member) ? member : String(member)]),
  );
}

/** The live properties without those that neither a page nor the manifest names. */
export function knownProperties(live: Json, desired: Json): Json {
  if (!isObject(live) || !isObject(desired)) return live;
  return Object.fromEntries(
    Object.entries(live).filter(([name]) => KEYS.includes(name) || Object.hasOwn(desired, name)),
  );
}

/** Properties with those of the live object that no page names: a write replaces all of them. */
export function withUnknownProperties(value: Json, live: Json): Json {
  if (!isObject(value) || !isObject(live)) return value;
  const unknown: JsonObject = Object.fromEntries(Object.entries(live).filter(([name]) => !KEYS.includes(name)));
  return { ...unknown, ...value };
}

/** Reports what a published table asks for and its own samples leave out, and keys that are probably slips. */
export function checkMessage(message: Json | undefined, properties: Json | undefined, report: Report): void {
  const elements = isObject(message) && isList(message['elements']) ? message['elements'] : [];
  for (const [index, element] of elements.entries())
    for (const name of ['subtitle', 'image'])
      if (isObject(element) && element[name] === undefined)
        report(
          ['rich_message', 'elements', index],
          'missing-field',
          `the service may refuse an element without \`${name}\`: its page says that it is needed, and its samples leave it out`,
          `add \`${name}\``,
          'warning',
        );
  for (const name of Object.keys(isObject(properties) ? properties : {})) {
    const meant = KEYS.includes(name) ? undefined : nearest(name, KEYS);
    if (meant !== undefined && meant !== null)
      report(
        ['properties', name],
        'unknown-field',
        `no page names the property \`${name}\``,
        `did you mean \`${meant}\`?`,
        'warning',
      );
  }
}
