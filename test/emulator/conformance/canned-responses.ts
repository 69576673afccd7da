// The rows of canned responses and allowed domains. today/configuration.md, "Only in 3.7 (developer preview)". Does not know how a request is sent.

import { since } from '../caller.ts';
import { NO_BOOL, NO_INT, NO_LIST, NO_TEXT, optional, type Refused, type Row, required } from './row.ts';

const CONTENT = { text: 'We are on it.', tags: ['onit', 'wait'], group_id: 1, is_private: true };
const NOT_ONE: Refused = { type: 'not_found', body: { id: 9 } };
const UNKNOWN_GROUP: Refused = { type: 'group_not_found', body: { ...CONTENT, id: 1, group_id: 9 }, names: 'group_id' };
const EMPTY_TEXT: Refused = { type: 'validation', body: { ...CONTENT, id: 1, text: ' <b></b> ' }, names: 'text' };
const MEMBERS = [optional('tags[0]', NO_TEXT.slice(0, -1)), optional('is_private', NO_BOOL)];
const HELLO = {
  id: 1,
  text: 'Hello!',
  tags: ['hello'],
  group_id: 1,
  is_private: false,
  author_id: 'owner@example.com',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};
const LONG = `${'x'.repeat(251)}.shop`;

export const CANNED_RESPONSES: readonly Row[] = [
  {
    action: 'create_canned_response',
    request: CONTENT,
    reply: { id: 2 },
    members: [required('text', NO_TEXT), required('tags', NO_LIST), required('group_id', NO_INT), ...MEMBERS],
    accepts: [{ text: '<b>Hi</b>', tags: [], group_id: 0 }],
    refused: [UNKNOWN_GROUP, EMPTY_TEXT],
  },
  {
    action: 'update_canned_response',
    request: { ...CONTENT, id: 1 },
    reply: {},
    members: [
      required('id', [...NO_INT, 0]),
      optional('text', NO_TEXT),
      optional('tags', NO_LIST),
      optional('group_id', NO_INT),
      ...MEMBERS,
    ],
    accepts: [{ id: 1 }, { id: 1, group_id: 2 }],
    refused: [NOT_ONE, UNKNOWN_GROUP, EMPTY_TEXT],
  },
  {
    action: 'delete_canned_response',
    request: { id: 1 },
    reply: {},
    members: [required('id', [...NO_INT, 0])],
    refused: [NOT_ONE],
  },
  {
    action: 'list_canned_responses',
    request: { group_ids: [1], include_private: true, include_all_private: true, limit: 100_000 },
    reply: { canned_responses: [HELLO], found_canned_responses: 1 },
    members: [
      optional('group_ids', NO_LIST),
      optional('group_ids[0]', NO_INT),
      optional('include_private', NO_BOOL),
      optional('include_all_private', NO_BOOL),
      optional('limit', [...NO_INT, 0, 100_001]),
    ],
    accepts: [{}, { group_ids: [] }],
    refused: [
      { type: 'validation', body: { page_id: 'x' }, names: 'page_id' },
      { type: 'validation', body: { page_id: 'x', limit: 5 }, names: 'limit' },
    ],
  },
  {
    action: 'add_allowed_domain',
    request: { domain: 'blog.shop.example' },
    reply: {},
    members: [required('domain', [...NO_TEXT, LONG, 'https://shop.example', 'shop.example/de', '*.shop.example'])],
    accepts: [{ domain: 'localhost' }, { domain: 'b\u00fccher.example' }],
    refused: [{ type: 'already_exists', body: { domain: 'shop.example' }, names: 'shop.example' }],
  },
  {
    action: 'delete_allowed_domain',
    request: { domain: 'shop.example' },
    reply: {},
    members: [required('domain', NO_TEXT)],
    refused: [{ type: 'not_found', body: { domain: 'other.example' }, names: 'other.example' }],
  },
  {
    action: 'list_allowed_domains',
    request: {},
    reply: { domains: ['shop.example'] },
    members: [],
  },
].map((row): Row => ({ ...row, versions: since('3.7') }));
