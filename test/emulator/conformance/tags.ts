// The rows of the tags. today/configuration.md, "Tags (3.5 and later)". Does not know how a request is sent.

import { since } from '../caller.ts';
import { NO_INT, NO_LIST, NO_OBJECT, NO_TEXT, optional, type Refused, type Row, required } from './row.ts';

const versions = since('3.5');
const GROUP_IDS = [optional('group_ids', [...NO_LIST, [1, 1]]), optional('group_ids[0]', NO_INT)];
const UNKNOWN_GROUP: Refused = { type: 'group_not_found', body: { name: 'vip', group_ids: [9] }, names: 'group_ids' };
/** Only a create ignores case. */
const UNKNOWN: readonly Refused[] = ['missing', 'VIP'].map((name) => ({ type: 'not_found', body: { name } }));
const VIP = { name: 'vip', group_ids: [1], author_id: 'owner@example.com', created_at: '2026-01-01T00:00:00.000000Z' };
const SPAM = { name: 'spam', group_ids: [0, 2], author_id: '', created_at: '2017-11-13T15:37:36.000000+01:00' };

export const TAGS: readonly Row[] = [
  {
    action: 'create_tag',
    versions,
    request: { name: 'returns', group_ids: [0, 1] },
    reply: {},
    members: [required('name', NO_TEXT), ...GROUP_IDS],
    accepts: [{ name: 'returns' }, { name: 'returns', group_ids: [] }],
    refused: [
      { ...UNKNOWN_GROUP, body: { name: 'returns', group_ids: [9] } },
      { type: 'already_exists', body: { name: 'vip' }, names: 'vip' },
      { type: 'already_exists', body: { name: 'VIP', group_ids: [2] }, names: 'vip' },
    ],
  },
  {
    action: 'update_tag',
    versions,
    request: { name: 'vip', group_ids: [2] },
    reply: {},
    members: [required('name', NO_TEXT), ...GROUP_IDS],
    accepts: [{ name: 'vip' }, { name: 'vip', group_ids: [] }, { name: 'spam', group_ids: [1] }],
    refused: [UNKNOWN_GROUP, ...UNKNOWN],
  },
  {
    action: 'delete_tag',
    versions,
    request: { name: 'vip' },
    reply: {},
    members: [required('name', NO_TEXT)],
    accepts: [{ name: 'spam' }],
    refused: UNKNOWN,
  },
  {
    action: 'list_tags',
    versions,
    request: { filters: { group_ids: [1, 0] } },
    reply: [VIP, SPAM],
    members: [
      optional('filters', NO_OBJECT),
      required('filters.group_ids', [...NO_LIST, [1, 1]]),
      optional('filters.group_ids[0]', NO_INT),
    ],
    accepts: [{}],
  },
];
