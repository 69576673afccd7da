// The phrases of the widget by language, and the version that changes with them.
// Specification: "Configuration and localization"; customer-and-reports-notes.md, section 2.

import { createHash } from 'node:crypto';
import { byText } from '../../base/json.ts';
import { control } from '../chats/controls.ts';
import { defineTable, type EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import {
  closed,
  described,
  int,
  type ObjectShape,
  object,
  optional,
  quoted,
  recordOf,
  string,
  text,
} from '../engine/shape.ts';
import { type CustomerContext, type CustomerKind, readAction } from './action.ts';
import { requireGroup } from './group-view.ts';

const phrases = recordOf(string);
const phraseRecord = object({ language: text, phrases });
const phraseTable = defineTable('phrases', phraseRecord, ({ language }) => language, {});

const seed = {
  phrases: described(
    {
      description:
        'Phrases of the widget: language -> key -> phrase. The others, and other languages, have English ones that name the language.',
    },
    optional(recordOf(phrases)),
  ),
};

function plant(license: EmulatedLicense, { phrases = {} }: ObjectShape<typeof seed>): void {
  for (const [language, own] of Object.entries(phrases)) phraseTable.of(license).set({ language, phrases: own });
}

type Reading = Pick<CustomerContext, 'license' | 'at'>;

/** Key -> phrase, in a language. */
function phrasesIn({ license, at }: Reading, language: string): { readonly [key: string]: string } {
  return { ...standardPhrases(language), ...phraseTable.of(license).get(language, at)?.phrases };
}

/** A text of JSON that is the same for equal values, whatever the order of their members. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => byText(one, other)));
  });
}

const md5 = (given: string): string => createHash('md5').update(given).digest('hex');

/** Rule 16. Two digests, of the language and of its phrases. */
export const localizationVersion = (context: Reading, language: string): string =>
  `${md5(language)}_${md5(canonical(phrasesIn(context, language)))}`;

/** Refuses a version that is not one of these, where the settings say so. */
export function requireVersion({ settings }: CustomerContext, given: string, present: readonly string[]): void {
  if (settings.staleConfigurationVersion === 'validation' && !present.includes(given))
    refuse('validation', `${quoted('version')} is not the present one, which \`get_dynamic_configuration\` answers`);
}

const actions = [
  readAction('get_localization', object({ group_id: int(0), language: text, version: text }), {
    token: 'configuration',
    inQuery: true,
    // Also for a language that is not that of the group.
    run: ({ group_id, language, version }, context) => {
      const { language_code } = requireGroup(context, group_id);
      requireVersion(
        context,
        version,
        [language_code, language].map((one) => localizationVersion(context, one)),
      );
      return phrasesIn(context, language);
    },
  }),
];

const controls = [
  control('phrases/set', closed({ language: text, phrases }), ({ language, phrases }, { license }) => {
    phraseTable.of(license).set({ language, phrases });
    return undefined;
  }),
];

export const localizationKind = { tables: [phraseTable], seed, plant, controls, actions } satisfies CustomerKind;

const ENGLISH = {
  chat_now: 'Chat now',
  leave_a_message: 'Leave a message',
  welcome: 'Hello. How may we help you?',
  start_chat: 'Start the chat',
  start_chat_again: 'Chat again',
  end_chat: 'End this chat',
  end_chat_confirmation: 'Do you really want to end the chat?',
  cancel: 'Cancel',
  write_a_message: 'Write a message...',
  send: 'Send',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  not_sent: 'The message was not sent. Try again.',
  today: 'Today',
  yesterday: 'Yesterday',
  is_typing: '%agent% is typing...',
  agent_joined: '%agent% joined the chat',
  agent_left: '%agent% left the chat',
  agents_not_available: 'Our agents are not available at the moment.',
  connecting: 'Connecting...',
  reconnecting: 'Connection lost. Reconnecting...',
  queue_position: 'You are number %position% in the queue.',
  queue_wait: 'Your waiting time will be about %minutes% min.',
  chat_archived: 'This chat has ended.',
  chat_idle: 'The chat ended because there was no message for a while.',
  name: 'Name',
  email: 'E-mail',
  subject: 'Subject',
  message: 'Message',
  choose_group: 'Choose a department',
  choose_answer: 'Choose an answer',
  required_field: 'Please fill in this field.',
  invalid_email: 'Please enter a valid e-mail address.',
  prechat_welcome: 'Please fill in the form below before starting the chat.',
  postchat_thanks: 'Thank you for your answers.',
  ticket_sent: 'Thank you. We will answer by e-mail as soon as possible.',
  rate_chat: 'Rate this chat',
  rate_good: 'Good',
  rate_bad: 'Bad',
  rate_comment: 'Leave a comment',
  send_transcript: 'Send the transcript by e-mail',
  attach_file: 'Attach a file',
  file_too_large: 'The file is too large.',
  sound_on: 'Turn sound on',
  sound_off: 'Turn sound off',
  minimize: 'Minimize the window',
  maximize: 'Maximize the window',
} as const;

/** Key -> phrase. In another language than English each phrase is marked with it, so that a translation can be told from its absence. */
export function standardPhrases(language: string): { readonly [key: string]: string } {
  if (language === 'en') return ENGLISH;
  return Object.fromEntries(Object.entries(ENGLISH).map(([key, phrase]) => [key, `${phrase} [${language}]`]));
}
