// Everything that is known about auto-access rules: the ordered list that decides which groups a chat reaches.
// Specification: "Auto access rule", "Auto access".

import { canonicalJson, isList, isObject } from '../base/json.ts';
import type { JsonObject, LiveObject, Spec } from '../base/model.ts';
import { canonicalConditions, checkConditions, conditionsSchema, conditionWords } from './conditions.ts';
import type { Fields, Kind, Target } from './kind.ts';
import { inOrder } from './rule-chain.ts';
import { type Row, rowOf, rowsOf } from './wire.ts';

const fields: Fields = {
  description: {
    about: 'What the rule is for.',
    schema: { type: 'string' },
    shape: 'scalar',
    readable: 'list',
    writable: 'always',
    absent: '',
  },
  access: {
    about: 'Where matching chats go.',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['groups'],
      properties: {
        groups: {
          type: 'array',
          minItems: 1,
          description: 'Keys of groups, or `{ external: { id | name } }` for a group that is not managed here.',
          items: { $ref: '#/$defs/group_reference' },
        },
      },
    },
    shape: 'object',
    readable: 'list',
    writable: 'always',
    references: { kind: 'group', at: 'items', under: 'groups' },
  },
  conditions: {
    about:
      'Which customers the rule is for: at least one of `url`, `domain` and `geolocation`. All that are given must match.',
    schema: conditionsSchema,
    shape: 'object',
    readable: 'list',
    writable: 'always',
    canonical: canonicalConditions,
  },
};

function groupIds(row: Row): readonly string[] {
  const groups = rowOf('list_auto_accesses', row.raw('access') ?? {}, 'access').raw('groups');
  return isList(groups) ? groups.map(String) : [];
}

function liveRule(row: Row): LiveObject {
  const id = row.text('id');
  const description = row.has('description') ? row.text('description') : '';
  return {
    kind: 'auto_access',
    id,
    name: description === '' ? id : description,
    spec: { description, access: { groups: groupIds(row) }, conditions: row.raw('conditions') ?? {} },
    facts: {},
  };
}

/** `next_id` is sent only to move: an empty one moves the rule to the end. Specification: "States and transitions", auto access list. */
function body(given: Spec, target: Target): JsonObject {
  const { access, ...fields } = given;
  const rest = target.next === null ? fields : { ...fields, next_id: target.next };
  if (!isObject(access) || !isList(access['groups'])) return rest;
  return {
    ...rest,
    access: { groups: access['groups'].map((reference) => Number(target.resolve(String(reference)))) },
  };
}

export const autoAccess: Kind = {
  name: 'auto_access',
  versions: ['3.3', '3.6'],
  noun: { one: 'rule', many: 'rules' },
  about: 'Rules that assign groups to chats by page and place. Ordered: the first rule that matches decides.',
  at: ['auto_access', '#'],
  allowance: 'access_rules',
  entry: 'fields',
  fields,
  columns: ['access', 'conditions'],
  computed: {
    next_id: { about: 'The rule after it: written from the order of the list.', versions: ['3.3', '3.6'] },
  },
  required: ['access', 'conditions'],
  id: 'string',
  capacity: { limit: 'access_rules', per: 'license' },
  prune: 'owned',
  ordered: true,
  check: (entry, report) => checkConditions(entry.value, report),
  describe: ({ spec }, nameOf) => {
    const { description, access, conditions } = spec;
    if (typeof description === 'string' && description !== '') return description;
    const groups =
      isObject(access) && isList(access['groups']) ? access['groups'].map((id) => nameOf('group', Number(id))) : [];
    return [conditionWords(conditions), ...(groups.length === 0 ? [] : ['to', ...groups])].join(' ');
  },
  identity: ['access', 'conditions', 'description'],
  naturalKeys: [
    {
      about: 'equal access and conditions',
      ofDesired: ({ spec }, resolve) => {
        const access = spec['access'];
        const groups =
          isObject(access) && isList(access['groups'])
            ? access['groups'].map((reference) => resolve(String(reference)))
            : [];
        if (groups.length === 0 || groups.includes(null)) return null;
        return canonicalJson([groups.map(String).sort(), spec['conditions'] ?? null]);
      },
      ofLive: ({ spec }) => {
        const access = spec['access'];
        const groups = isObject(access) && isList(access['groups']) ? access['groups'] : [];
        return canonicalJson([groups.map(String).sort(), spec['conditions'] ?? null]);
      },
    },
    {
      about: 'the description',
      ofDesired: ({ spec }) =>
        spec['description'] === undefined || spec['description'] === '' ? null : String(spec['description']),
      ofLive: ({ spec }) => (spec['description'] === '' ? null : String(spec['description'])),
    },
  ],
  read: async (reader) =>
    inOrder(rowsOf('list_auto_accesses', await reader.ask('list_auto_accesses', {}))).map(liveRule),
  create: (given, target) => ({ action: 'add_auto_access', body: body(given, target) }),
  update: (id, given, target) => ({ action: 'update_auto_access', body: { id, ...body(given, target) } }),
  remove: (id) => ({ action: 'delete_auto_access', body: { id } }),
  createdId: (reply) => rowOf('add_auto_access', reply).text('id'),
};
