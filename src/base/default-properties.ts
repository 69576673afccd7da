// The properties that every license has: names, types, and who may read and write them where. Only their values ever change.
// A published fact of the service, so the client and the emulator share it (docs/decisions.md).

export type PropertyType = 'int' | 'bool' | 'string' | 'tokenized_string';

/** A location or a kind of user that is missing has no access. */
export type PropertyAccess = {
  readonly [location in 'chat' | 'thread' | 'event' | 'license' | 'group']?: {
    readonly [user in 'agent' | 'customer']?: readonly ('read' | 'write')[];
  };
};

export interface DefaultProperty {
  readonly namespace: string;
  /** May contain dots. */
  readonly name: string;
  readonly type: PropertyType;
  readonly access: PropertyAccess;
  /** The only values that have a meaning; absent where each value of the type has. */
  readonly domain?: readonly (number | string)[];
  /** A noun phrase, or a sentence without a full stop. */
  readonly about: string;
}

type Row = readonly [
  name: string,
  type: PropertyType,
  access: PropertyAccess,
  about: string,
  domain?: readonly (number | string)[],
];

const READ = ['read'] as const;
const BOTH = ['read', 'write'] as const;
/** Only the service writes. */
const AGENTS_READ = { agent: READ };
const ALL_READ = { agent: READ, customer: READ };
const AGENTS = { agent: BOTH };
const ALL = { agent: BOTH, customer: BOTH };
/** Agents write, customers see. */
const SHOWN = { agent: BOTH, customer: READ };
/** Customers write, agents see. */
const GIVEN = { agent: READ, customer: BOTH };

const EVERYWHERE = { license: ALL, group: ALL, chat: ALL, thread: ALL, event: ALL };
/** A switch of the license that a group may override. */
const OVERRIDE = [-1, 0, 1] as const;

/** What a license has at most, and how people call it. */
const LIMITED: { readonly [resource: string]: string } = {
  access_rules: 'routing rules',
  agents: 'agents',
  archives_retention: 'months of archives',
  banned: 'banned customers',
  concurrent_chats: 'chats at once, which the service does not use',
  customers_retention: 'months of stored customers',
  groups: 'groups',
  groups_per_agent: 'groups of one agent',
  group_chooser_groups: 'groups to choose from in a form',
  monitored_customers: 'watched customers',
  queue: 'queued chats',
  queue_continuous: 'queued continuous chats',
  tags: 'tags',
};

const LIMITS: readonly Row[] = Object.entries(LIMITED).flatMap(([resource, noun]): readonly Row[] => [
  [`${resource}.additional`, 'int', { license: AGENTS_READ }, `Limit: ${noun}, in addition to the base`],
  [`${resource}.base`, 'int', { license: AGENTS_READ }, `Limit: ${noun}, the base`],
  [`${resource}.hard`, 'int', { license: AGENTS_READ }, `Limit: ${noun}, at most with the additional ones`],
]);

const TABLE: { readonly [namespace: string]: readonly Row[] } = {
  chats: [
    ['queue.routing_priority', 'int', { group: AGENTS }, 'Priority of the group when chats wait in the queue'],
    [
      'agent_timeout_inactivity_form_min',
      'int',
      { group: AGENTS },
      'Minutes without a word of the agent before a form is shown; -1 for never',
    ],
    [
      'manual_routing.override',
      'int',
      { group: AGENTS },
      'Manual routing of the group: 1 for on, 0 for off, -1 for that of the license',
      OVERRIDE,
    ],
    [
      'queue.reopen_threshold.override',
      'int',
      { group: AGENTS },
      'Queued chats at which the queue opens again; -1 for that of the license',
    ],
    [
      'queue.enabled.override',
      'int',
      { group: AGENTS },
      'Queue of the group: 1 for on, 0 for off, -1 for that of the license',
      OVERRIDE,
    ],
    ['chat_inactive_after_min', 'int', { license: AGENTS }, 'Minutes after which a chat is idle'],
    ['archive_chat_after_min', 'int', { license: AGENTS }, 'Minutes since the last message after which a chat ends'],
    ['archive_offline_chat_after_min', 'int', { license: AGENTS }, 'The same for a continuous chat'],
    ['customer_timeout_after_min', 'int', { license: AGENTS }, 'Minutes after which a customer is inactive'],
    [
      'transfer_chat_after_min',
      'int',
      { license: AGENTS },
      'Minutes without a word of the agent after which another one gets the chat; 0 for never',
    ],
    ['manual_routing', 'bool', { license: AGENTS }, 'Whether agents pick chats; a group may override it'],
    ['max_agent_active_chats', 'int', { license: AGENTS }, 'Chats that one agent has at once'],
    ['queue.enabled', 'bool', { license: AGENTS }, 'Whether chats wait in a queue; a group may override it'],
    [
      'queue.reopen_threshold',
      'int',
      { license: AGENTS },
      'Queued chats at which the queue opens again, at most `queue.limit`; a group may override it',
    ],
    ['prefer_recent_agent', 'bool', { license: AGENTS }, 'Whether a chat goes to the last agent of the customer'],
    ['queue.limit', 'int', { license: AGENTS_READ }, 'Most queued chats'],
    ['formatting', 'string', { event: ALL }, 'Format of the text of a message', ['commonmark']],
    ['resolved', 'bool', { thread: AGENTS_READ }, 'An AI agent resolved the thread'],
    ['auto_summary_enabled', 'bool', { license: AGENTS }, 'Whether a chat that ends gets a summary'],
    [
      'welcome_message_source',
      'string',
      { event: ALL_READ },
      'Origin of the welcome message',
      ['ai_agent', 'welcome_phrase'],
    ],
  ],
  core: [['transcript_emails', 'string', { license: AGENTS }, 'Addresses that get transcripts, with commas']],
  ecommerce: [
    ['has_sale', 'bool', { thread: AGENTS_READ }, 'The chat led to a sale'],
    ['has_indirect_sale', 'bool', { thread: AGENTS_READ }, 'A sale came within 30 days'],
  ],
  lc2: [
    ['file_safety_confirmation', 'bool', { event: AGENTS }, 'A user confirmed that the file is safe'],
    // The page lists two values, and its text names the third one.
    ['form_type', 'string', { event: GIVEN }, 'Kind of the form', ['prechat', 'postchat', 'ticket']],
    ['greeting_id', 'int', { thread: GIVEN, event: ALL_READ }, 'The greeting'],
    ['greeting_unique_id', 'string', { thread: GIVEN, event: ALL_READ }, 'One sending of the greeting'],
    ['welcome_message', 'bool', { event: ALL_READ }, 'The event is a welcome message'],
  ],
  limits: LIMITS,
  monitoring: [
    ['ip_mask', 'string', { license: AGENTS }, 'Address that is shown in the place of the real one'],
    ['whitelist_enabled', 'bool', { license: AGENTS_READ }, 'Only allowed domains show the widget'],
  ],
  rating: [
    ['comment', 'string', { chat: GIVEN, thread: GIVEN, event: GIVEN }, 'Comment on the rating'],
    ['score', 'int', { chat: GIVEN, thread: GIVEN, event: GIVEN }, 'Rating: 1 for good, 0 for bad', [0, 1]],
  ],
  routing: [
    ['continuous', 'bool', { chat: ALL_READ, thread: ALL_READ }, 'The chat is continuous'],
    ['email_follow_up', 'bool', { chat: GIVEN }, 'The customer wants an answer by e-mail'],
    ['idle', 'bool', { thread: AGENTS_READ }, 'The chat is idle'],
    ['last_transfer_timestamp', 'int', { thread: AGENTS_READ }, 'Time of the last transfer'],
    ['offline_message', 'bool', { thread: GIVEN }, 'The thread began as a message while offline'],
    ['pinned', 'bool', { chat: AGENTS, thread: AGENTS_READ }, 'The chat is pinned: true while active and unassigned'],
    ['was_pinned', 'bool', { chat: AGENTS_READ }, 'The chat was pinned before'],
    ['ignore_agents_routing', 'bool', { chat: ALL }, 'The chat is routed to no agent'],
    ['ignore_bots', 'bool', { thread: { customer: ['write'] } }, 'The thread is routed to no bot'],
    ['unassigned', 'bool', { chat: AGENTS_READ, thread: AGENTS_READ }, 'The chat has no agent'],
    ['unreplied', 'bool', { thread: AGENTS_READ }, 'The chat has no answer'],
    ['referrer', 'string', { thread: AGENTS_READ }, 'Page before the chat'],
    ['start_url', 'string', { thread: ALL_READ }, 'Page on which the chat was started'],
    ['transcript_email', 'string', { thread: GIVEN }, 'Address to which the customer wants the transcript'],
  ],
  smart_actions: [
    ['greeting.hide_when_offline', 'bool', { group: SHOWN }, 'Whether greetings are hidden while the group is offline'],
    ['greeting.enabled', 'bool', { license: AGENTS }, 'Whether greetings are shown'],
    ['greeting.max_invites', 'int', { license: AGENTS_READ }, 'Most greetings for one customer'],
  ],
  source: [
    ['client_id', 'string', { chat: ALL_READ, thread: ALL_READ, event: ALL_READ }, 'Application of the author'],
    ['customer_client_id', 'string', { chat: ALL_READ, thread: ALL_READ }, 'Application of the customer'],
  ],
  statistics: [
    ['first_chat_date', 'string', { license: AGENTS_READ }, 'Time of the first chat'],
    ['website_last_activity', 'string', { license: AGENTS_READ }, 'Time of the last activity of the widget'],
  ],
  status: [['delivered', 'bool', { event: ALL }, 'The event was brought to or from an integration']],
  test: [
    ['bool_property', 'bool', EVERYWHERE, 'For tests'],
    ['int_property', 'int', EVERYWHERE, 'For tests'],
    ['string_property', 'string', EVERYWHERE, 'For tests'],
    ['tokenized_string_property', 'tokenized_string', EVERYWHERE, 'For tests'],
  ],
  translation: [
    ['source_lang_code', 'string', { event: SHOWN }, 'Language of the text'],
    ['target_lang_code', 'string', { event: SHOWN }, 'Language of the translation'],
    ['target_message', 'tokenized_string', { event: SHOWN }, 'The translation'],
  ],
  url_details: [
    ['description', 'string', { event: ALL }, 'Description of the page'],
    ['image_height', 'int', { event: ALL }, 'Height of its picture in pixels'],
    ['image_width', 'int', { event: ALL }, 'Width of its picture in pixels'],
    ['image_url', 'string', { event: ALL }, 'Address of its picture'],
    ['title', 'string', { event: ALL }, 'Title of the page'],
    ['url', 'string', { event: ALL }, 'Address of the page'],
  ],
};

export const DEFAULT_PROPERTIES: readonly DefaultProperty[] = Object.entries(TABLE).flatMap(([namespace, rows]) =>
  rows.map(([name, type, access, about, domain]) => ({
    namespace,
    name,
    type,
    access,
    about,
    ...(domain === undefined ? {} : { domain }),
  })),
);

const BY_NAME = new Map(DEFAULT_PROPERTIES.map((property) => [keyOf(property.namespace, property.name), property]));

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

export function defaultProperty(namespace: string, name: string): DefaultProperty | undefined {
  return BY_NAME.get(keyOf(namespace, name));
}

/** Namespaces of the service, in which no property can be defined. */
export const SERVICE_NAMESPACES: readonly string[] = Object.keys(TABLE);

/** The resources of the namespace `limits`, each with `.base`, `.additional` and `.hard`. */
export const LIMITED_RESOURCES: readonly string[] = Object.keys(LIMITED);

export function isServiceNamespace(namespace: string): boolean {
  return Object.hasOwn(TABLE, namespace);
}
