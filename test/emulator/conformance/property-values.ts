// The rows of the property values. Specification: "Properties"; service notes, "Properties". Does not know how a request is sent.

import { since } from '../caller.ts';
import type { Refused, Row } from './row.ts';
import { NO_INT, NO_LIST, NO_OBJECT, NO_STRING, NO_TEXT, NO_VALUE, optional, required } from './row.ts';

const VALUES = { properties: { app: { p: 2 }, other: { q: 3 }, test: { tokenized_string_property: 'a b' } } };
const NAMES = { properties: { app: ['p'], other: ['q'], test: ['bool_property', 'int_property'] } };
const FILTER = { namespace: 'app', name_prefix: 'p' };
const FILTERED = { app: { p: 1 } };

const VALUE_MEMBERS = [
  required('properties', NO_OBJECT),
  optional('properties.app', NO_OBJECT),
  optional('properties.app.p', [...NO_VALUE, 'x', true, 1.5, 2 ** 31]),
  optional('properties.test.bool_property', [...NO_VALUE, 'x', 1]),
  optional('properties.test.string_property', [...NO_VALUE, true, 1]),
];
const NAME_MEMBERS = [
  required('properties', NO_OBJECT),
  optional('properties.app', NO_LIST),
  optional('properties.test[1]', NO_TEXT),
];
const FILTER_MEMBERS = [optional('namespace', NO_STRING), optional('name_prefix', NO_STRING)];

/** One property of a namespace, to be set or unset. */
type One = (namespace: string, name: string) => object;
const setting: One = (namespace, name) => ({ properties: { [namespace]: { [name]: 1 } } });
const unsetting: One = (namespace, name) => ({ properties: { [namespace]: [name] } });

const unwritable = (others: object, one: One, elsewhere: string): readonly Refused[] =>
  [
    ['not_found', 'app', 'nothing'],
    ['not_found', 'core', 'nothing'],
    ['validation', 'app', elsewhere],
    ['authorization', 'app', 'frozen'],
    ['authorization', 'other', 'readable'],
    ['authorization', 'other', 'private'],
    ['authorization', 'limits', 'agents.base'],
  ].flatMap(([type = '', namespace = '', name = '']): readonly Refused[] =>
    namespace === 'limits' && elsewhere === 'only_license'
      ? []
      : [{ type, body: { ...others, ...one(namespace, name) }, names: `properties.${namespace}.${name}` }],
  );

export const PROPERTY_VALUES: readonly Row[] = [
  {
    action: 'update_license_properties',
    request: VALUES,
    reply: {},
    members: VALUE_MEMBERS,
    accepts: [{ properties: {} }],
    refused: unwritable({}, setting, 'only_group'),
  },
  {
    action: 'list_license_properties',
    request: FILTER,
    reply: FILTERED,
    members: FILTER_MEMBERS,
    accepts: [{}, { namespace: 'limits' }],
  },
  {
    action: 'delete_license_properties',
    request: NAMES,
    reply: {},
    members: NAME_MEMBERS,
    accepts: [{ properties: {} }],
    refused: unwritable({}, unsetting, 'only_group'),
  },
  {
    action: 'update_group_properties',
    request: { group_id: 1, ...VALUES },
    reply: {},
    members: [required('group_id', NO_INT), ...VALUE_MEMBERS],
    accepts: [{ group_id: 0, properties: {} }],
    refused: [
      { type: 'group_not_found', body: { group_id: 9, ...VALUES } },
      ...unwritable({ group_id: 1 }, setting, 'only_license'),
    ],
  },
  {
    action: 'list_group_properties',
    versions: ['3.3'],
    request: { id: 1, ...FILTER },
    reply: FILTERED,
    members: [required('id', NO_INT), ...FILTER_MEMBERS],
    accepts: [{ id: 0 }],
    refused: [{ type: 'group_not_found', body: { id: 9 } }],
  },
  {
    action: 'list_groups_properties',
    versions: since('3.5'),
    request: { group_ids: [2, 1], ...FILTER },
    reply: [
      { id: 2, properties: FILTERED },
      { id: 1, properties: FILTERED },
    ],
    members: [required('group_ids', NO_LIST), optional('group_ids[1]', NO_INT), ...FILTER_MEMBERS],
    accepts: [{ group_ids: [] }],
    refused: [{ type: 'group_not_found', body: { group_ids: [1, 9] } }],
  },
  {
    action: 'delete_group_properties',
    request: { id: 1, ...NAMES },
    reply: {},
    members: [required('id', NO_INT), ...NAME_MEMBERS],
    accepts: [{ id: 0, properties: {} }],
    refused: [
      { type: 'group_not_found', body: { id: 9, ...NAMES } },
      ...unwritable({ id: 1 }, unsetting, 'only_license'),
    ],
  },
];
