// The rows of the greetings. today/configuration.md, "Greetings". Does not know how a request is sent.

import { since } from '../caller.ts';
import type { Body, Refused, Row } from './row.ts';
import { NO_BOOL, NO_INT, NO_LIST, NO_OBJECT, NO_TEXT, optional, required } from './row.ts';

const NO_DATE = [...NO_TEXT, '2026-13-01T00:00:00Z', '2026-01-01'];
const RULES = [
  { condition: 'and', type: 'url_current', operator: 'contains', value: '/cart' },
  { condition: 'and', type: 'visit_time_page', operator: 'greater_or_equal', value: '900' },
  { condition: 'or', type: 'custom_variable', session_field: { tier: 'gold' } },
  { condition: 'or', type: 'url_funnel', urls: [{ url: '/a', operator: 'contains' }] },
  {
    condition: 'and',
    type: 'url_match_page_view_number',
    operator: 'equals',
    value: '3',
    urls: [{ url: '/b', operator: 'equals' }],
  },
  { condition: 'and', type: 'ads_traffic', session_field: { google: 'shoes' } },
];
const BUTTON = { text: 'Yes', type: 'message', value: 'yes', postback_id: 'yes', button_id: 'kept', role: 'primary' };
const IMAGE = { url: 'https://a/i.png', name: 'i', content_type: 'image/png', size: 1, width: 2, height: 3 };
const ELEMENT = { title: 'T', subtitle: 'S', image: { ...IMAGE, alternative_text: 'I' }, buttons: [BUTTON] };
const CONTENT = {
  type: 'announcement',
  active: false,
  active_from: '2026-01-01T00:00:00Z',
  active_until: '2026-12-31T23:00:00+01:00',
  name: 'Cart help',
  rules: RULES,
  properties: { 'greeting-message_text': 'Hi', is_exit_intent: 'false' },
  rich_message: { template_id: 'cards', elements: [ELEMENT] },
};
const LEAST = { type: 'normal', active: true, name: 'Least', group: 0, rules: [] };

const NESTED = [
  required('rules[0].condition', [...NO_TEXT, 'AND']),
  required('rules[0].type', [...NO_TEXT, 'url']),
  required('rules[0].operator', [...NO_TEXT, 'is']),
  required('rules[0].value', NO_TEXT),
  required('rules[1].value', [...NO_TEXT, '901', '1.5', '-1', 'x']),
  required('rules[2].session_field', [...NO_OBJECT, {}, { a: '1', b: '2' }, { a: 'x'.repeat(256) }]),
  required('rules[3].urls', [...NO_LIST, [], Array(11).fill({ url: '/', operator: 'equals' })]),
  required('rules[3].urls[0].url', NO_TEXT),
  required('rules[3].urls[0].operator', [...NO_TEXT, 'is']),
  required('rules[4].urls', NO_LIST),
  required('rules[4].value', [...NO_TEXT, '1.5']),
  required('rules[5].session_field', [...NO_OBJECT, { bing: 'x' }]),
  required('rich_message.template_id', [...NO_TEXT, 'text']),
  optional('rich_message.elements', [...NO_LIST, Array(11).fill(ELEMENT)]),
  required('rich_message.elements[0].title', NO_TEXT),
  required('rich_message.elements[0].subtitle', NO_TEXT),
  required('rich_message.elements[0].image', NO_OBJECT),
  required('rich_message.elements[0].image.url', NO_TEXT),
  optional('rich_message.elements[0].image.size', NO_INT),
  optional('rich_message.elements[0].buttons', [...NO_LIST, Array(14).fill(BUTTON)]),
  required('rich_message.elements[0].buttons[0].text', NO_TEXT),
  required('rich_message.elements[0].buttons[0].type', [...NO_TEXT, 'link']),
  required('rich_message.elements[0].buttons[0].value', NO_TEXT),
  required('rich_message.elements[0].buttons[0].postback_id', NO_TEXT),
  optional('rich_message.elements[0].buttons[0].button_id', NO_TEXT),
  optional('rich_message.elements[0].buttons[0].role', [...NO_TEXT, 'main']),
  optional('active_from', NO_DATE),
  optional('active_until', NO_DATE),
  optional('properties', NO_OBJECT),
  optional('rich_message', NO_OBJECT),
];
const NO_RULES = [...NO_LIST, Array(11).fill(RULES[0])];
const NO_TYPE = [...NO_TEXT, 'Normal'];
const NOT_ONE: Refused = { type: 'not_found', body: { id: 9 } };
const HELLO: Body = {
  id: 1,
  type: 'normal',
  active: true,
  name: 'Hello',
  group: 1,
  rules: [],
  active_until: '2026-12-31T23:00:00Z',
};

export const GREETINGS: readonly Row[] = [
  {
    action: 'create_greeting',
    request: { ...CONTENT, group: 1 },
    reply: { id: 2 },
    members: [
      required('type', NO_TYPE),
      required('active', NO_BOOL),
      required('name', NO_TEXT),
      required('group', NO_INT),
      required('rules', NO_RULES),
      ...NESTED,
    ],
    accepts: [LEAST],
    refused: [{ type: 'group_not_found', body: { ...LEAST, group: 9 }, names: 'group' }],
  },
  {
    action: 'update_greeting',
    request: { ...CONTENT, id: 1 },
    reply: {},
    members: [
      required('id', NO_INT),
      optional('type', NO_TYPE),
      optional('active', NO_BOOL),
      optional('name', NO_TEXT),
      optional('rules', NO_RULES),
      ...NESTED,
    ],
    ignores: { '3.6': ['group'], '3.7': ['group'] },
    accepts: [{ id: 1 }, { id: 1, active_until: null }],
    refused: [NOT_ONE],
  },
  { action: 'get_greeting', request: { id: 1 }, reply: HELLO, members: [required('id', NO_INT)], refused: [NOT_ONE] },
  { action: 'delete_greeting', request: { id: 1 }, reply: {}, members: [required('id', NO_INT)], refused: [NOT_ONE] },
  {
    action: 'list_greetings',
    request: { groups: [1], limit: 100 },
    reply: { greetings: [HELLO], found_greetings: 1 },
    members: [optional('groups', NO_LIST), optional('limit', [...NO_INT, 0, 101])],
    accepts: [{}, { groups: [] }],
    refused: [
      { type: 'validation', body: { page_id: 'x' }, names: 'page_id' },
      { type: 'validation', body: { page_id: 'x', limit: 5 }, names: 'limit' },
      { type: 'validation', body: { page_id: 7 }, names: 'page_id' },
    ],
  },
].map((row): Row => ({ ...row, versions: since('3.6') }));
