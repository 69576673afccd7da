// The rows of the auto access rules. Specification: "Auto access rule", "Auto access". Does not know how a request is sent.

import { expect } from 'vitest';
import type { Member, Refused, Row } from './row.ts';
import { NO_BOOL, NO_INT, NO_LIST, NO_OBJECT, NO_STRING, NO_TEXT, optional, required } from './row.ts';

const PLACE = { country: 'Poland', country_code: 'PL', region: 'Lower Silesia', city: 'Wroclaw' };
const RULE = {
  access: { groups: [1, 2] },
  conditions: {
    url: { values: [{ value: '/pricing' }, { value: 'https://a/b', exact_match: true }] },
    domain: { exclude_values: [{ value: 'example.com', exact_match: false }] },
    geolocation: { values: [{ city: 'Gdansk' }, PLACE] },
  },
  description: 'Prices',
  next_id: 'rule',
};
const MEMBERS: readonly Member[] = [
  required('access.groups', [...NO_LIST, []]),
  optional('access.groups[1]', NO_INT),
  optional('conditions.url', [...NO_OBJECT, {}]),
  optional('conditions.url.values', [...NO_LIST, []]),
  required('conditions.url.values[1].value', NO_TEXT),
  optional('conditions.url.values[1].exact_match', NO_BOOL),
  optional('conditions.domain', [...NO_OBJECT, {}]),
  optional('conditions.domain.exclude_values', [...NO_LIST, []]),
  required('conditions.domain.exclude_values[0].value', NO_TEXT),
  optional('conditions.domain.exclude_values[0].exact_match', NO_BOOL),
  optional('conditions.geolocation', NO_OBJECT),
  required('conditions.geolocation.values', [...NO_LIST, []]),
  optional('conditions.geolocation.values[1]', [...NO_OBJECT, {}]),
  ...Object.keys(PLACE).map((name) => optional(`conditions.geolocation.values[1].${name}`, NO_STRING)),
  optional('description', NO_STRING),
  optional('next_id', [...NO_STRING, 'unknown']),
];

const both = { values: [{ value: 'a' }], exclude_values: [{ value: 'b' }] };
const REFUSED: readonly Refused[] = [
  { type: 'validation', body: { conditions: { url: both } }, names: 'conditions.url.values' },
  { type: 'validation', body: { conditions: { domain: both } }, names: 'conditions.domain.values' },
  { type: 'group_not_found', body: { access: { groups: [1, 9] } }, names: 'access.groups' },
];
const withBody = (body: object, { body: change, ...rest }: Refused): Refused => ({
  ...rest,
  body: { ...body, ...change },
});

const WHERE = { url: { values: [{ value: 'x', exact_match: false }] } };

export const AUTO_ACCESS: readonly Row[] = [
  {
    action: 'add_auto_access',
    request: RULE,
    reply: { id: expect.stringMatching(/^[0-9a-f]{32}$/) },
    members: [required('access', NO_OBJECT), required('conditions', [...NO_OBJECT, {}]), ...MEMBERS],
    accepts: [
      { ...RULE, next_id: '' },
      { access: RULE.access, conditions: { url: RULE.conditions.url } },
    ],
    refused: REFUSED.map((refused) => withBody(RULE, refused)),
  },
  {
    action: 'list_auto_accesses',
    request: {},
    reply: [
      { id: 'rule', description: '', access: { groups: [1] }, conditions: WHERE, next_id: 'second' },
      { id: 'second', description: 'Second', access: { groups: [0] }, conditions: WHERE, next_id: '' },
    ],
    members: [],
  },
  {
    action: 'update_auto_access',
    request: { ...RULE, id: 'second' },
    reply: {},
    members: [
      required('id', NO_TEXT),
      optional('access', NO_OBJECT),
      optional('conditions', [...NO_OBJECT, {}]),
      ...MEMBERS,
    ],
    accepts: [{ id: 'rule' }, { id: 'rule', next_id: '' }],
    refused: [
      { type: 'not_found', body: { id: 'unknown' } },
      { type: 'validation', body: { id: 'rule', next_id: 'rule' }, names: 'next_id' },
      ...REFUSED.map((refused) => withBody({ id: 'rule' }, refused)),
    ],
  },
  {
    action: 'delete_auto_access',
    request: { id: 'rule' },
    reply: {},
    members: [required('id', NO_TEXT)],
    refused: [{ type: 'not_found', body: { id: 'unknown' } }],
  },
];
