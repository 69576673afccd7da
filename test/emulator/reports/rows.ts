// The conformance table of the Reports API: a license, and what each report says of it; and which chats each filter lets through.

import type { Seed } from '../../../src/emulator/index.ts';
import { NO_BOOL, NO_LIST, NO_OBJECT, NO_STRING, NO_TEXT } from '../conformance/row.ts';

const PRICES = 'https://shop.example/pricing';
const DAY = '2026-01-0';

/** The chat of c. */
const LEFT_CHAT = 'C000000000';

const filled = (form_id: string, form_type: string, answer: object) => ({
  type: 'filled_form' as const,
  content: { form_id, form_type, fields: [{ id: '0', type: 'name', label: 'Name', answer: 'X' }, answer] },
});

/**
 * The chats a to f are in the first days of January 2026, and g is older. A chat has its letter as a tag, so that the report of tags says which
 * ones a filter lets through. It is noon of January 5.
 */
export const SEED: Seed = {
  agents: [
    { id: 'ann', name: 'Ann', groups: [{ id: 1, priority: 'first' }] },
    { id: 'bob', name: 'Bob', groups: [{ id: 2, priority: 'normal' }] },
  ],
  groups: [
    { id: 1, name: 'Sales' },
    { id: 2, name: 'Night' },
  ],
  presence: { bob: 'not_accepting_chats' },
  bots: [{ id: 'robin', name: 'Robin', groups: [{ id: 1, priority: 'last' }] }],
  greetings: [
    { id: 7, name: 'Hello', group: 1 },
    { id: 8, name: 'Bye' },
  ],
  goals: [{ id: 1, name: 'Bought', url: { value: '/thanks' } }],
  customers: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => ({ id, token: `dal:${id}` })),
  shown_greetings: [
    {
      unique_id: 'g-d',
      greeting_id: 7,
      customer: 'd',
      shown_at: `${DAY}3T23:10:00Z`,
      accepted_at: `${DAY}3T23:20:00Z`,
    },
    {
      unique_id: 'g-a',
      greeting_id: 7,
      customer: 'a',
      shown_at: `${DAY}3T09:00:00Z`,
      cancelled_at: `${DAY}4T09:00:00Z`,
    },
    { unique_id: 'g-b', greeting_id: 8, customer: 'b', shown_at: `${DAY}4T09:00:00Z` },
  ],
  page_views: [
    { visitor: 'a', url: PRICES, at: `${DAY}2T09:59:00Z` },
    { visitor: 'a', url: 'https://shop.example/', at: `${DAY}2T09:58:00Z` },
    { visitor: 'b', url: 'https://www.shop.example/', at: `${DAY}2T10:59:00Z` },
    { visitor: 'g', url: PRICES, at: '2025-12-01T09:59:00Z' },
  ],
  abandoned_carts: [
    { at: `${DAY}3T12:00:00Z`, cents: 59_138 },
    { at: `${DAY}3T13:00:00Z`, cents: 10 },
    { at: '2025-12-01T09:59:00Z', cents: 1 },
  ],
  chats: [
    {
      customer: 'a',
      threads: [
        {
          created_at: `${DAY}2T10:00:00Z`,
          closed_at: `${DAY}2T10:20:00Z`,
          group_ids: [1],
          agent: 'ann',
          tags: ['a', 'vip'],
          sales: [5],
          properties: { rating: { score: 1 }, routing: { continuous: true, start_url: PRICES } },
          events: [
            { text: 'Hi' },
            { author: 'ann', text: 'Hello', created_at: `${DAY}2T10:00:30Z` },
            { text: 'And?', created_at: `${DAY}2T10:10:00Z` },
            { author: 'ann', text: 'A note', recipients: 'agents', created_at: `${DAY}2T10:10:30Z` },
            { author: 'ann', text: 'Yes', created_at: `${DAY}2T10:11:30Z` },
          ],
        },
      ],
    },
    {
      customer: 'b',
      threads: [
        {
          created_at: `${DAY}2T11:00:00Z`,
          closed_at: `${DAY}2T11:10:00Z`,
          group_ids: [2],
          agent: 'bob',
          tags: ['b', 'vip', 'slow'],
          properties: { rating: { score: 0 } },
          events: [
            { text: 'Hi' },
            { author: 'bob', text: 'Hello', created_at: `${DAY}2T11:02:00Z` },
            {
              ...filled('after', 'postchat', {
                id: 'mood',
                type: 'radio',
                label: 'Mood',
                answer: { id: '1', label: 'Bad' },
              }),
              created_at: `${DAY}2T11:09:00Z`,
            },
          ],
        },
      ],
    },
    {
      customer: 'c',
      id: LEFT_CHAT,
      threads: [
        {
          created_at: `${DAY}3T09:00:00Z`,
          closed_at: `${DAY}3T09:30:00Z`,
          tags: ['c'],
          events: [{ text: 'Nobody?' }],
        },
      ],
    },
    {
      customer: 'd',
      threads: [
        {
          created_at: `${DAY}3T23:30:00Z`,
          closed_at: `${DAY}3T23:45:00Z`,
          group_ids: [1],
          agent: 'robin',
          tags: ['d'],
          properties: { lc2: { greeting_id: 7, greeting_unique_id: 'g-d' } },
          events: [{ text: 'Hi' }, { author: 'robin', text: 'I am a bot', created_at: `${DAY}3T23:30:10Z` }],
        },
      ],
    },
    {
      customer: 'e',
      threads: [
        {
          created_at: `${DAY}4T08:00:00Z`,
          closed_at: `${DAY}4T08:30:00Z`,
          group_ids: [1, 2],
          agent: 'ann',
          started_by: 'ann',
          tags: ['e'],
          events: [
            { author: 'ann', text: 'May I help?' },
            {
              ...filled('before', 'prechat', {
                id: 'topics',
                type: 'checkbox',
                label: 'Topics',
                answers: [
                  { id: '0', label: 'Prices' },
                  { id: '2', label: 'Jobs' },
                ],
              }),
              created_at: `${DAY}4T08:04:00Z`,
            },
            { type: 'file', content: { name: 'x' }, created_at: `${DAY}4T08:05:00Z` },
            { author: 'ann', text: 'Sure', created_at: `${DAY}4T08:05:00Z` },
          ],
        },
      ],
    },
    {
      customer: 'f',
      threads: [
        {
          created_at: `${DAY}5T11:50:00Z`,
          group_ids: [2],
          agent: 'bob',
          active: true,
          tags: ['f'],
          events: [{ text: 'Hi' }],
        },
      ],
    },
    {
      customer: 'g',
      threads: [
        { created_at: '2025-12-01T10:00:00Z', group_ids: [1], agent: 'ann', tags: ['g'], events: [{ text: 'Hi' }] },
      ],
    },
  ],
};

/** The first five days of January. */
export const FIVE_DAYS = { from: '2026-01-01T00:00:00Z', to: '2026-01-06T00:00:00+00:00' };

/** Records of these days in their order. */
const days = (...records: readonly object[]) =>
  Object.fromEntries(records.map((record, index) => [`${DAY}${index + 1}`, record]));

const NONE_PERFORMED = {
  chats_rated_good: 0,
  chats_rated_bad: 0,
  accepting_chats_time: 0,
  not_accepting_chats_time: 0,
  logged_in_time: 0,
};
const NO_CART = { abandoned_cart_count: 0, total_abandoned_value_usd: 0 };

/** The reports of 3.4, and the whole of the answer about these days, apart from its name; Ann accepted chats from 08:00 on January 5. */
export const REPORTS: readonly (readonly [report: string, reply: object])[] = [
  [
    'chats/duration',
    {
      total: 6,
      records: days(
        {},
        { count: 2, agents_chatting_duration: 900, duration: 900 },
        { count: 2, agents_chatting_duration: 450, duration: 1350 },
        { count: 1, agents_chatting_duration: 1800, duration: 1800 },
        { count: 1, agents_chatting_duration: 600, duration: 600 },
      ),
    },
  ],
  ['chats/tags', { total: 6, records: days({}, { a: 1, b: 1, vip: 2, slow: 1 }, { c: 1, d: 1 }, { e: 1 }, { f: 1 }) }],
  [
    'chats/total_chats',
    { total: 6, records: days({}, { total: 2, continuous: 1 }, { total: 2 }, { total: 1 }, { total: 1 }) },
  ],
  [
    'chats/ratings',
    { total: 6, records: days({}, { chats: 2, good: 1, bad: 1 }, { chats: 2 }, { chats: 1 }, { chats: 1 }) },
  ],
  [
    'chats/ranking',
    {
      records: {
        ann: { total: 1, good: 1, bad: 0, score: 0.12141668993819896 },
        bob: { total: 1, good: 0, bad: 1, score: 0 },
      },
    },
  ],
  [
    'chats/engagement',
    {
      total: 6,
      records: days(
        {},
        { started_by_customer_without_greeting: 2 },
        { started_by_customer_from_greeting: 1, started_by_customer_without_greeting: 1 },
        { started_by_agent: 1 },
        { started_by_customer_without_greeting: 1 },
      ),
    },
  ],
  [
    'chats/greetings_conversion',
    {
      total: 1,
      records: days(
        {},
        {},
        { 7: { displayed: 2, accepted: 1, canceled: 1, goals: 1 } },
        { 8: { displayed: 1, accepted: 0, canceled: 0, goals: 0 } },
        {},
      ),
    },
  ],
  [
    'chats/surveys',
    {
      records: {
        1: { before: { count: 1, topics: { 0: 1, 2: 1 } } },
        2: { before: { count: 1, topics: { 0: 1, 2: 1 } }, after: { count: 1, mood: { 1: 1 } } },
      },
    },
  ],
  [
    'chats/response_time',
    {
      total: 6,
      records: days(
        {},
        { count: 2, response_time: 90 },
        { count: 1, response_time: 10 },
        { count: 1, response_time: 60 },
        {},
      ),
    },
  ],
  [
    'chats/first_response_time',
    {
      total: 6,
      records: days(
        {},
        { count: 2, first_response_time: 75 },
        { count: 1, first_response_time: 10 },
        { count: 1, first_response_time: 60 },
        {},
      ),
    },
  ],
  [
    'agents/availability',
    { total: 4, records: days({ hours: 0 }, { hours: 0 }, { hours: 0 }, { hours: 0 }, { hours: 4 }) },
  ],
  [
    'agents/performance',
    {
      summary: {
        chats_count: 5,
        chats_rated_good: 1,
        chats_rated_bad: 1,
        first_response_chats_count: 4,
        first_response_time: 55,
      },
      records: {
        ann: {
          ...NONE_PERFORMED,
          chats_count: 2,
          chats_rated_good: 1,
          first_response_chats_count: 2,
          first_response_time: 45,
          accepting_chats_time: 14_400,
          chatting_time: 3000,
          logged_in_time: 14_400,
        },
        bob: {
          ...NONE_PERFORMED,
          chats_count: 2,
          chats_rated_bad: 1,
          first_response_chats_count: 1,
          first_response_time: 120,
          chatting_time: 1200,
          logged_in_time: 388_800,
          not_accepting_chats_time: 388_800,
        },
        robin: {
          ...NONE_PERFORMED,
          chats_count: 1,
          first_response_chats_count: 1,
          first_response_time: 10,
          chatting_time: 900,
        },
      },
    },
  ],
];

const answer = (answer_id: number) => ({ answer_id, label: '', count: 1 });
const before = (group_id: number) => ({
  form_id: 'before',
  count: 1,
  group_id,
  fields: [{ field_id: 'topics', label: '', answers: [answer(0), answer(2)] }],
});
const NOBODY = { count: 0, min: 0, max: 0, avg: 0 };

/** The reports that came later: their versions, the name in the answer, and the whole of it. */
export const LATER_REPORTS: readonly (readonly [
  report: string,
  versions: readonly string[],
  name: string,
  reply: object,
])[] = [
  [
    'chats/forms',
    ['3.5', '3.6', '3.7'],
    'form-report',
    {
      records: [
        {
          form_id: 'after',
          count: 1,
          group_id: 2,
          fields: [{ field_id: 'mood', label: '', answers: [answer(1)] }],
        },
        before(2),
        before(1),
      ],
    },
  ],
  [
    'tags/chat_usage',
    ['3.5', '3.6', '3.7'],
    'tags-chat-usage-report',
    { records: { a: 1, b: 1, vip: 2, slow: 1, c: 1, d: 1, e: 1, f: 1 } },
  ],
  [
    'chats/groups',
    ['3.6', '3.7'],
    'groups-report',
    { total: 7, records: days({}, { 1: 1, 2: 1 }, { 0: 1, 1: 1 }, { 1: 1, 2: 1 }, { 2: 1 }) },
  ],
  [
    'chats/queued_visitors',
    ['3.6', '3.7'],
    'queued-visitors-report',
    {
      total: 0,
      records: days({}, {}, { left_queue: { count: 1, min: 1800, max: 1800, avg: 1800 }, queued: NOBODY }, {}, {}),
    },
  ],
  [
    'chats/queued_visitors_left',
    ['3.6', '3.7'],
    'queued-visitors-left-report',
    {
      total: 1,
      summary: { left_without_details: 1, total_pages: 1 },
      records: {
        [LEFT_CHAT]: {
          visitor: { id: 'c', ip: '127.0.0.1' },
          queue: { duration: 1800, group: 0, start_date: '2026-01-03T09:00:00Z' },
        },
      },
    },
  ],
  ['customers/unique_visitors', ['3.6', '3.7'], 'visitors-report', { summary: { unique_visitors: 2, page_views: 3 } }],
  [
    'sales/abandoned_carts',
    ['3.7'],
    'abandoned_carts',
    {
      records: days(NO_CART, NO_CART, { abandoned_cart_count: 2, total_abandoned_value_usd: 591.48 }, NO_CART, NO_CART),
      summary: { total_abandoned_cart_count: 2, total_abandoned_value_usd: 591.48 },
    },
  ],
  [
    'stats/visitor_domains',
    ['3.7'],
    'visitor-domains-report',
    { summary: { 'shop.example': 2, 'www.shop.example': 1 } },
  ],
];

const POST_CHAT = { type: 'post_chat' };

/** A filter without its time range, and the chats that it lets through. */
export const FILTERS: readonly (readonly [filters: object, chats: string])[] = [
  [{}, 'abcdef'],
  [{ groups: { exists: true } }, 'abcdef'],
  [{ groups: { exists: false } }, ''],
  [{ groups: { values: [1] } }, 'ade'],
  [{ groups: { exclude_values: [1] } }, 'bcf'],
  [{ groups: { values: [1, 2, 9] } }, 'abdef'],
  [{ groups: { values: [2, 1], require_every_value: true } }, 'e'],
  [{ groups: { values: [1, 2], require_every_value: false } }, 'abdef'],
  [{ groups: { exclude_values: [1, 2], require_every_value: true } }, 'abcdf'],
  [{ agents: { exists: true } }, 'abdef'],
  [{ agents: { exists: false } }, 'c'],
  [{ agents: { values: ['ann'] } }, 'ae'],
  [{ agents: { values: ['robin', 'bob'] } }, 'bdf'],
  [{ agents: { exclude_values: ['ann'] } }, 'bcdf'],
  [{ agents: { values: ['ann', 'bob'], require_every_value: true } }, ''],
  [{ tags: { exists: true } }, 'abcdef'],
  [{ tags: { exists: false } }, ''],
  [{ tags: { values: ['vip'] } }, 'ab'],
  [{ tags: { exclude_values: ['vip'] } }, 'cdef'],
  [{ tags: { values: ['vip', 'slow'], require_every_value: true } }, 'b'],
  [{ sales: { exists: true } }, 'a'],
  [{ sales: { exists: false } }, 'bcdef'],
  [{ sales: { values: [5, 6] } }, 'a'],
  [{ sales: { exclude_values: [5] } }, 'bcdef'],
  [{ sales: { values: [5, 6], require_every_value: true } }, ''],
  [{ goals: { exists: true } }, 'd'],
  [{ goals: { exists: false } }, 'abcef'],
  [{ goals: { values: [1] } }, 'd'],
  [{ goals: { exclude_values: [1] } }, 'abcef'],
  [{ goals: { values: [1, 2], require_every_value: true } }, ''],
  [{ event_types: { values: ['file'] } }, 'e'],
  [{ event_types: { values: ['file', 'file', 'filled_form'] } }, 'be'],
  [{ event_types: { exclude_values: ['filled_form'] } }, 'acdf'],
  [{ event_types: { values: ['message', 'filled_form'], require_every_value: true } }, 'be'],
  [{ properties: { routing: { start_url: { values: [PRICES] } } } }, 'a'],
  [{ properties: { routing: { start_url: { values: [`${PRICES}/`] } } } }, ''],
  [{ properties: { routing: { start_url: { exclude_values: [PRICES] } } } }, 'bcdef'],
  [{ properties: { routing: { start_url: { exists: true } } } }, 'a'],
  [{ properties: { routing: { start_url: { exists: false } } } }, 'bcdef'],
  [{ properties: { routing: { continuous: { values: [true] } } } }, 'a'],
  [{ properties: { routing: { continuous: { exclude_values: [true] } } } }, 'bcdef'],
  [{ properties: { rating: { score: { values: [0] } } } }, 'b'],
  [{ properties: { rating: { score: { exists: true }, comment: { exists: false } } } }, 'ab'],
  [{ properties: { lc2: { greeting_unique_id: { values: ['g-d'] } }, rating: {} } }, 'd'],
  [{ greetings: { exists: true } }, 'd'],
  [{ greetings: { exists: false } }, 'abcef'],
  [{ greetings: { values: [7] } }, 'd'],
  [{ greetings: { values: [8, 'g-d'] } }, 'd'],
  [{ greetings: { exclude_values: [7] } }, 'abcef'],
  [{ greetings: { groups: { values: [1] } } }, 'd'],
  [{ greetings: { groups: { exclude_values: [1] } } }, 'abcef'],
  [{ greetings: { groups: { exists: true } } }, 'd'],
  [{ agent_response: { exists: true } }, 'abde'],
  [{ agent_response: { exists: false } }, 'cf'],
  [{ agent_response: { first: true } }, 'abcdef'],
  [{ agent_response: { first: true, exists: true } }, 'abde'],
  [{ agent_response: { first: true, agents: { values: ['ann'] } } }, 'ae'],
  [{ agent_response: { first: true, agents: { exclude_values: ['ann'] } } }, 'bcdf'],
  [{ agent_response: { first: true, agents: { exists: false } } }, 'cf'],
  [{ agent_response: { first: true, groups: { values: [2] } } }, 'be'],
  [{ agent_response: { first: true, groups: { values: [1, 2], require_every_value: true } } }, 'e'],
  [{ agent_response: { agents: { values: ['ann'] }, groups: { values: [2] } } }, 'abcdef'],
  [{ agent_response: { first: false, agents: { values: ['ann'] } } }, 'abcdef'],
  [{ surveys: [POST_CHAT] }, 'b'],
  [{ surveys: [{ type: 'pre_chat' }] }, 'e'],
  [{ surveys: [{ type: 'pre_chat' }, POST_CHAT] }, ''],
  [{ surveys: [{ exists: true }] }, 'be'],
  [{ surveys: [{ exists: false }] }, 'acdf'],
  [{ surveys: [{ ...POST_CHAT, exists: false }] }, 'acdef'],
  [{ surveys: [{ values: ['mood:1', 'topics:9'] }] }, 'b'],
  [{ surveys: [{ ...POST_CHAT, values: ['topics:0'] }] }, ''],
  [{ surveys: [{ exclude_values: ['mood:1'] }] }, 'acdef'],
  [{ surveys: [{ values: ['topics:2'], groups: { values: [2] } }] }, 'e'],
  [{ surveys: [{ values: ['topics:2'], groups: { exclude_values: [2] } }] }, ''],
  [{ groups: { values: [1] }, agents: { values: ['ann'] }, tags: { exclude_values: ['vip'] } }, 'e'],
];

/** Filters with the time range in another place. */
export const TIMED_FILTERS: readonly (readonly [filters: object, chats: string])[] = [
  [{ from: '2026-01-02T10:00:00Z', to: '2026-01-02T11:00:00Z' }, 'a'],
  [{ from: '2026-01-02T10:00:00.000001Z', to: '2026-01-02T11:00:00.000001Z' }, 'b'],
  [{ from: '2026-01-02T12:00:00+02:00', to: '2026-01-02T13:00:00+02:00' }, 'a'],
  [{ greetings: FIVE_DAYS }, 'd'],
  [{ greetings: { from: '2026-01-03T23:10:01Z', to: '2026-01-04T00:00:00Z' } }, ''],
  [{ greetings: { ...FIVE_DAYS, values: [8] } }, ''],
  [{ surveys: [FIVE_DAYS] }, 'be'],
  [{ surveys: [{ ...FIVE_DAYS, type: 'pre_chat' }] }, 'e'],
  [{ surveys: [{ from: '2026-01-02T11:09:00Z', to: '2026-01-02T11:09:01Z' }, { type: 'post_chat' }] }, 'b'],
  [{ surveys: [{ from: '2026-01-02T11:00:00Z', to: '2026-01-02T11:09:00Z' }] }, ''],
  // Each has its own times, and a chat passes all.
  [{ surveys: [FIVE_DAYS, FIVE_DAYS] }, 'be'],
  [
    {
      surveys: [
        { ...FIVE_DAYS, type: 'pre_chat' },
        { from: '2026-01-04T00:00:00Z', to: '2026-01-05T00:00:00Z' },
      ],
    },
    'e',
  ],
  [{ surveys: [FIVE_DAYS, { from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z' }] }, 'b'],
];

const NO_TIME = [...NO_TEXT, '2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00', 'yesterday'];
const NO_TEXTS = [...NO_LIST, [], [7], [''], [[]]];
const NO_INTS = [...NO_LIST, [], ['x'], [1.5], [-1], [true]];
const NO_VALUES = [...NO_LIST, [], [{}], [[]]];

/** Members below a filter of strings or of numbers. */
const below = (
  path: string,
  lists: readonly unknown[],
  more: readonly string[] = ['exists', 'require_every_value'],
) => [
  [path, NO_OBJECT] as const,
  ...['values', 'exclude_values'].map((name) => [`${path}.${name}`, lists] as const),
  ...more.map((name) => [`${path}.${name}`, NO_BOOL] as const),
];

/** Members of the reports of chats, and values that each one refuses. */
export const CHAT_MEMBERS: readonly (readonly [path: string, values: readonly unknown[]])[] = [
  ['distribution', [...NO_TEXT, 'week', 'Hour']],
  ['timezone', [...NO_TEXT, 'Nowhere/City', 'europe/warsaw', '+02:00']],
  ['filters', NO_OBJECT],
  ['filters.from', NO_TIME],
  ['filters.to', NO_TIME],
  ...below('filters.agents', NO_TEXTS),
  ...below('filters.tags', NO_TEXTS),
  ...below('filters.sales', NO_INTS),
  ...below('filters.goals', NO_INTS),
  ...below('filters.groups', NO_INTS),
  ...below('filters.event_types', [...NO_TEXTS, ['shout']], ['require_every_value']),
  ['filters.properties', NO_OBJECT],
  ['filters.properties.routing', NO_OBJECT],
  ...below('filters.properties.routing.start_url', [...NO_VALUES, ['x', 'y']], ['exists']),
  ...below('filters.greetings', NO_VALUES, ['exists']),
  ...below('filters.greetings.groups', NO_INTS),
  ['filters.agent_response', NO_OBJECT],
  ['filters.agent_response.exists', NO_BOOL],
  ['filters.agent_response.first', NO_BOOL],
  ...below('filters.agent_response.agents', NO_TEXTS),
  ...below('filters.agent_response.groups', NO_INTS),
  ['filters.surveys', NO_LIST],
  ['filters.surveys[0]', NO_OBJECT],
  ['filters.surveys[0].type', [...NO_STRING, '', 'prechat']],
  ...below('filters.surveys[0]', NO_TEXTS, ['exists']).slice(1),
  ...below('filters.surveys[0].groups', NO_INTS),
];

/** The same of the reports of agents. */
export const AGENT_MEMBERS: readonly (readonly [path: string, values: readonly unknown[]])[] = [
  ['distribution', [...NO_TEXT, 'month', 'year', 'day-hours']],
  ['timezone', [...NO_TEXT, 'Nowhere/City']],
  ['filters', NO_OBJECT],
  ['filters.from', NO_TIME],
  ['filters.to', NO_TIME],
  ...below('filters.agents', NO_TEXTS, ['require_every_value']),
  ['filters.groups', NO_OBJECT],
  ['filters.groups.values', NO_INTS],
];

/** The same of the reports of tags. */
export const TAG_MEMBERS: typeof CHAT_MEMBERS = AGENT_MEMBERS.filter(
  ([path]) => !/^(distribution|filters.agents)/.test(path),
);

/** The same of the reports of visitors and carts. */
export const TIMED_MEMBERS: typeof CHAT_MEMBERS = CHAT_MEMBERS.slice(0, 5);

/** Every filter that may have only one of its members, with its path. */
export const EXCLUSIVE: readonly (readonly [path: string, item: unknown])[] = [
  ['filters.agents', 'ann'],
  ['filters.tags', 'vip'],
  ['filters.sales', 5],
  ['filters.goals', 1],
  ['filters.groups', 1],
  ['filters.event_types', 'file'],
  ['filters.properties.routing.start_url', PRICES],
  ['filters.greetings', 7],
  ['filters.greetings.groups', 1],
  ['filters.agent_response.agents', 'ann'],
  ['filters.agent_response.groups', 1],
  ['filters.surveys[0]', 'mood:1'],
  ['filters.surveys[0].groups', 1],
];
