// The rows of the property definitions. Specification: "Property", "Properties". Does not know how a request is sent.

import { expect } from 'vitest';
import type { Member, Refused, Row } from './row.ts';
import { NO_LIST, NO_OBJECT, NO_STRING, NO_TEXT, NO_VALUE, optional, required } from './row.ts';

const OF_APP = { owner_client_id: 'app' };
const NEW = { ...OF_APP, name: 'new' };
const EVERYTHING = { agent: ['read', 'write'], customer: ['read', 'write'] };
const EVERYWHERE = {
  chat: EVERYTHING,
  thread: EVERYTHING,
  event: EVERYTHING,
  license: EVERYTHING,
  group: EVERYTHING,
};
const INT32 = 2 ** 31;
const NO_INT32 = ['1', 1.5, true, [], {}, INT32, -INT32 - 1];

const FULL = {
  ...NEW,
  type: 'int',
  access: EVERYWHERE,
  description: 'How many',
  range: { from: -INT32, to: INT32 - 1 },
  default_value: 7,
};
const MEMBERS: readonly Member[] = [
  required('name', NO_TEXT),
  required('owner_client_id', NO_TEXT),
  required('type', [...NO_TEXT, 'float', 'integer']),
  required('access', [...NO_OBJECT, {}]),
  ...Object.keys(EVERYWHERE).flatMap((location) => [
    optional(`access.${location}`, [...NO_OBJECT, {}]),
    optional(`access.${location}.customer`, NO_LIST),
    optional(`access.${location}.agent[1]`, [...NO_TEXT, 'own']),
    optional(`access.${location}.bot`, [['read']]),
  ]),
  optional('access.ticket', [EVERYTHING]),
  optional('description', NO_STRING),
  optional('domain', [...NO_LIST, []]),
  optional('domain', [[1]]),
  optional('range', NO_OBJECT),
  required('range.from', NO_INT32),
  required('range.to', NO_INT32),
  optional('default_value', [...NO_VALUE, 'x', true, 1.5, INT32]),
];

const license = { license: { agent: ['read'] } };
const contradiction = (names: string, change: object): Refused => ({
  type: 'validation',
  body: { ...NEW, access: license, type: 'int', ...change },
  names,
});
const of = (owner_client_id: string): Refused => ({
  type: 'authorization',
  body: { ...NEW, owner_client_id, type: 'int', access: license, access_type: ['read'] },
  names: owner_client_id === 'other' ? 'owner_client_id' : owner_client_id,
});
const NOT_OURS = ['other', 'test', 'limits', 'core', 'chats', 'monitoring'].map(of);
const UNKNOWN: Refused = { type: 'not_found', body: { ...NEW, access_type: ['read'] }, names: 'new' };
const P = { ...OF_APP, name: 'p' };

export const PROPERTIES: readonly Row[] = [
  {
    action: 'register_property',
    request: FULL,
    reply: {},
    members: MEMBERS,
    accepts: [
      { ...NEW, type: 'string', domain: ['a', 'b'], access: { group: { agent: [] } }, default_value: 'b' },
      { ...NEW, type: 'bool', access: { chat: { customer: ['read'] } } },
      { ...NEW, type: 'tokenized_string', access: license, default_value: '' },
    ],
    refused: [
      ...NOT_OURS,
      { type: 'already_exists', body: { ...FULL, name: 'p' }, names: 'p' },
      contradiction('domain', { domain: [1], range: { from: 1, to: 1 } }),
      contradiction('domain[1]', { domain: [1, 'a'] }),
      contradiction('range', { type: 'string', range: { from: 1, to: 2 } }),
      contradiction('range.from', { range: { from: 2, to: 1 } }),
      contradiction('default_value', { range: { from: 1, to: 2 }, default_value: 3 }),
      contradiction('default_value', { domain: [1, 2], default_value: 3 }),
      contradiction('default_value', { access: { chat: { agent: ['read'] } }, default_value: 3 }),
      contradiction('default_value', { type: 'bool', default_value: 'true' }),
    ],
  },
  {
    action: 'unregister_property',
    request: P,
    reply: {},
    members: [required('name', NO_TEXT), required('owner_client_id', NO_TEXT)],
    refused: [
      UNKNOWN,
      ...NOT_OURS,
      { type: 'validation', body: P, names: 'p', after: [['publish_property', { ...P, access_type: ['read'] }]] },
    ],
  },
  {
    action: 'publish_property',
    request: { ...P, access_type: ['read', 'write'] },
    reply: {},
    members: [
      required('name', NO_TEXT),
      required('owner_client_id', NO_TEXT),
      required('access_type', [...NO_LIST, []]),
      optional('access_type[1]', [...NO_TEXT, 'own']),
    ],
    accepts: [{ ...P, access_type: ['write'] }],
    refused: [
      UNKNOWN,
      ...NOT_OURS,
      {
        type: 'validation',
        body: { ...P, access_type: ['read', 'write'] },
        names: 'access_type',
        after: [['publish_property', { ...P, access_type: ['read'] }]],
      },
    ],
  },
  {
    action: 'list_properties',
    after: [['publish_property', { ...P, access_type: ['read'] }]],
    request: OF_APP,
    reply: expect.objectContaining({
      p: {
        type: 'int',
        description: '',
        access: { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } },
        public_access: ['read'],
      },
    }),
    members: [required('owner_client_id', NO_TEXT)],
  },
];
