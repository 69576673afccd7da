// Everything that is known about auto-access rules: the ordered list that decides which groups a chat reaches.
// Specification: "Auto access rule", "Auto access".

import { ApiError, unstatedFailure } from '../base/errors.ts';
import { canonicalJson, isList, isObject } from '../base/json.ts';
import { type JsonObject, type LiveObject, type ObjectId, VERSIONS } from '../base/model.ts';
import {
  canonicalConditions,
  checkConditions,
  checkTwice,
  conditionPhrases,
  conditionsSchema,
  conditionWords,
} from './conditions.ts';
import { type Fields, PLAIN, type SpecOf } from './field.ts';
import { type CallContext, defineKind } from './kind.ts';
import { type ReplyRow, rowOf, rowsOf, seedFields } from './wire.ts';

const fields = {
  description: {
    ...PLAIN,
    about: 'What the rule is for.',
    schema: { type: 'string' },
    absent: '',
  },
  access: {
    ...PLAIN,
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
    references: { kind: 'group', at: 'items', under: 'groups' },
    phrases: (access, named) => {
      const { groups } = isObject(access) ? access : {};
      return (isList(groups) ? groups.map(String) : []).map((group) => ({
        key: group,
        about: 'to',
        says: named(group),
      }));
    },
  },
  conditions: {
    ...PLAIN,
    about:
      'Which customers the rule is for: at least one of `url`, `domain` and `geolocation`. All that are given must match.',
    schema: conditionsSchema,
    shape: 'object',
    canonical: canonicalConditions,
    phrases: conditionPhrases,
  },
} as const satisfies Fields;

type AutoAccess = SpecOf<typeof fields>;

function groupIds(row: ReplyRow): readonly string[] {
  const groups = rowOf('list_auto_accesses', row.raw('access') ?? {}, 'access').raw('groups');
  return isList(groups) ? groups.map(String) : [];
}

function liveRule(row: ReplyRow): LiveObject {
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

function brokenChain(message: string): ApiError {
  return new ApiError(
    unstatedFailure({
      action: 'list_auto_accesses',
      type: 'broken_chain',
      message: `the list of rules is broken: ${message}. Planning stops, because the order of the rules is not known`,
      status: 200,
    }),
  );
}

/** Rows in the order of the linked list. `""`, `null` and absent all mean last; the order of the array means nothing. */
export function inOrder(rows: readonly ReplyRow[]): readonly ReplyRow[] {
  if (rows.length === 0) return [];
  const byId = new Map(rows.map((row) => [row.text('id'), row]));
  const next = (row: ReplyRow): string => (row.has('next_id') ? row.text('next_id') : '');
  const pointedAt = new Map<string, string>();
  for (const row of rows) {
    const target = next(row);
    if (target === '') continue;
    if (!byId.has(target)) throw brokenChain(`rule ${row.text('id')} points at ${target}, which does not exist`);
    const other = pointedAt.get(target);
    if (other !== undefined) throw brokenChain(`rules ${other} and ${row.text('id')} both point at ${target}`);
    pointedAt.set(target, row.text('id'));
  }
  const heads = rows.filter((row) => !pointedAt.has(row.text('id')));
  if (heads.length !== 1) throw brokenChain(heads.length === 0 ? 'it is a cycle' : `${heads.length} rules come first`);
  const ordered: ReplyRow[] = [];
  for (let row = heads[0]; row !== undefined; row = byId.get(next(row))) ordered.push(row);
  if (ordered.length !== rows.length) throw brokenChain('some rules form a cycle');
  return ordered;
}

/** `last` is what `next_id` says of the end of the list. Specification: "States and transitions", auto access list. */
function body(
  { access, ...given }: AutoAccess,
  { position, resolve }: CallContext,
  last: { readonly next_id?: '' },
): JsonObject {
  const next = position === null ? {} : 'last' in position ? last : { next_id: String(resolve(position.before)) };
  return access === undefined
    ? { ...given, ...next }
    : { ...given, ...next, access: { groups: groupsOf({ access }).map((group) => Number(resolve(group))) } };
}

function groupsOf({ access }: AutoAccess): readonly string[] {
  return access?.groups ?? [];
}

function accessAndConditions(groups: readonly ObjectId[], { conditions }: AutoAccess): string {
  return canonicalJson([groups.map(String).sort(), conditions ?? null]);
}

/** A rule that leads nowhere any more can be read, and cannot be made: group 0 stands in. */
function seedRule({ id, spec }: LiveObject<AutoAccess>): JsonObject {
  const groups = groupsOf(spec).map(Number);
  return {
    ...seedFields(spec),
    id: String(id),
    access: { groups: groups.length === 0 ? [0] : groups },
    conditions: spec.conditions ?? {},
  };
}

export const autoAccess = defineKind(fields, {
  name: 'auto_access',
  versions: VERSIONS,
  noun: { one: 'rule', many: 'rules' },
  about: 'Rules that assign groups to chats by page and place. Ordered: the first rule that matches decides.',
  at: ['auto_access', '#'],
  allowance: 'access_rules',
  entry: 'fields',
  columns: ['access', 'conditions'],
  summary: (_spec, said) => [said('description'), said('conditions'), said('access')],
  computed: {
    next_id: { about: 'The rule after it: written from the order of the list.', versions: VERSIONS },
  },
  required: ['access', 'conditions'],
  id: 'string',
  capacity: { limit: 'access_rules', per: 'license' },
  prune: 'owned',
  outside: 'absent',
  check: ({ access, conditions }, report) => {
    checkTwice(isObject(access) ? access['groups'] : undefined, ['access', 'groups'], report);
    checkConditions(conditions, report);
  },
  describe: ({ spec }, nameOf) => {
    if (spec.description !== undefined && spec.description !== '') return spec.description;
    const groups = groupsOf(spec).map((id) => nameOf('group', Number(id)));
    return [conditionWords(spec.conditions), ...(groups.length === 0 ? [] : ['to', ...groups])].join(' ');
  },
  identity: ['access', 'conditions', 'description'],
  naturalKeys: [
    {
      about: 'equal access and conditions',
      ofDesired: ({ spec }, resolve) => {
        const groups = groupsOf(spec).flatMap((group) => resolve(group) ?? []);
        const isKnown = groups.length > 0 && groups.length === groupsOf(spec).length;
        return isKnown ? accessAndConditions(groups, spec) : null;
      },
      ofLive: ({ spec }) => accessAndConditions(groupsOf(spec), spec),
    },
    {
      about: 'the description',
      ofDesired: ({ spec }) => spec.description || null,
      ofLive: ({ spec }) => spec.description || null,
    },
  ],
  read: async (reader) =>
    inOrder(rowsOf('list_auto_accesses', await reader.ask('list_auto_accesses', {}))).map(liveRule),
  // A new rule goes to the end by itself; an existing one moves there with an empty `next_id`.
  create: (given, context) => ({ action: 'add_auto_access', body: body(given, context, {}) }),
  update: (id, given, context) => ({
    action: 'update_auto_access',
    body: { id, ...body(given, context, { next_id: '' }) },
  }),
  remove: (id) => ({ action: 'delete_auto_access', body: { id } }),
  createdId: (reply) => rowOf('add_auto_access', reply).text('id'),
  seed: { sections: (rules) => ({ auto_access: rules.map(seedRule) }) },
});
