// Rows of the properties of chats, threads and events. Specification: "Properties"; customer-and-reports-notes.md, section 4, rule 15.
// Does not know how a request is sent.

import type { Refused } from '../../conformance/row.ts';
import { NO_LIST, NO_OBJECT, NO_TEXT, NO_VALUE, optional, required } from '../../conformance/row.ts';
import { unknownIn } from './events.ts';
import type { CustomerRow, CustomerVersion } from './row.ts';

const CHAT = { id: 'CHATKIM001' };
const THREAD = { chat_id: 'CHATKIM001', thread_id: 'THREADKIM2' };
const EVENT = { ...THREAD, event_id: 'THREADKIM2_1' };

/** Each place with the members that name it, and a property there that customers may only read, or that only agents have. */
const PLACES = [
  ['chat', CHAT, ['shop', 'secret', 'authorization']],
  ['thread', THREAD, ['routing', 'idle', 'authorization']],
  ['event', EVENT, ['shop', 'secret', 'validation']],
] as const;

const VALUES = { properties: { shop: { tier: 'silver' }, test: { int_property: 2, bool_property: false } } };
const NAMES = { properties: { shop: ['tier'], test: ['int_property', 'bool_property'] } };

const namedMembers = (named: object) => Object.keys(named).map((name) => required<CustomerVersion>(name, NO_TEXT));

const unknown = (named: object, body: object): readonly Refused<CustomerVersion>[] =>
  'id' in named
    ? [{ type: 'authorization', body: { ...named, ...body, id: 'CHATNONE01' } }]
    : unknownIn({ ...named, ...body });

export const PROPERTIES: readonly CustomerRow[] = PLACES.flatMap(
  ([place, named, [namespace, name, type]]): readonly CustomerRow[] => [
    {
      action: `update_${place}_properties`,
      request: { ...named, ...VALUES },
      reply: {},
      members: [
        ...namedMembers(named),
        required('properties', NO_OBJECT),
        optional('properties.shop', NO_OBJECT),
        optional('properties.shop.tier', [...NO_VALUE, 7, true]),
        optional('properties.test.int_property', [...NO_VALUE, 'x', true, 1.5, 2 ** 31]),
        optional('properties.test.bool_property', [...NO_VALUE, 'x', 1]),
      ],
      accepts: [{ ...named, properties: {} }],
      refused: [
        ...unknown(named, VALUES),
        {
          type,
          body: { ...named, properties: { [namespace]: { [name]: 'x' } } },
          names: `properties.${namespace}.${name}`,
        },
        {
          type: 'validation',
          body: { ...named, properties: { shop: { nothing: 'x' } } },
          names: 'properties.shop.nothing',
        },
        {
          type: 'validation',
          body: { ...named, properties: { nobody: { tier: 'x' } } },
          names: 'properties.nobody.tier',
        },
      ],
    },
    {
      action: `delete_${place}_properties`,
      request: { ...named, ...NAMES },
      reply: {},
      members: [
        ...namedMembers(named),
        required('properties', NO_OBJECT),
        optional('properties.shop', NO_LIST),
        optional('properties.test[1]', NO_TEXT),
      ],
      accepts: [{ ...named, properties: {} }],
      refused: [
        ...unknown(named, NAMES),
        { type, body: { ...named, properties: { [namespace]: [name] } }, names: `properties.${namespace}.${name}` },
        { type: 'validation', body: { ...named, properties: { shop: ['nothing'] } }, names: 'properties.shop.nothing' },
      ],
    },
  ],
);
