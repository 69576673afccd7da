// Everything that is known about auto-access rules: the ordered list that decides which groups a chat reaches.
// Specification: "Auto access rule", "Auto access".

import { byText, canonicalJson } from '../canonical.ts';
import { ApiError } from '../errors.ts';
import type { Json, JsonObject, LiveObject, Spec } from '../model.ts';
import type { Fields, Kind, Report, Schema, Target } from './kind.ts';
import { isList, isObject, type Row, rowOf, rowsOf } from './wire.ts';

const matches: Schema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['value'],
    properties: {
      value: { type: 'string', minLength: 1, description: 'The text to look for.' },
      exact_match: {
        type: 'boolean',
        description: 'Whether the whole must be equal to the text; otherwise containing it is enough.',
      },
    },
  },
};

function matcher(subject: string): Schema {
  return {
    type: 'object',
    additionalProperties: false,
    description: `Looks at the ${subject}. Either \`values\` or \`exclude_values\`.`,
    properties: {
      values: { ...matches, description: `Matches when the ${subject} matches at least one.` },
      exclude_values: { ...matches, description: `Matches when the ${subject} matches none.` },
    },
  };
}

const GEOGRAPHY = ['country', 'country_code', 'region', 'city'] as const;

const conditionsSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: matcher('URL of the page the customer is on'),
    domain: matcher('domain of that URL'),
    geolocation: {
      type: 'object',
      additionalProperties: false,
      required: ['values'],
      description: 'Looks at where the customer is.',
      properties: {
        values: {
          type: 'array',
          minItems: 1,
          description: 'Matches when at least one item matches; an item matches when all its members do.',
          items: {
            type: 'object',
            additionalProperties: false,
            properties: Object.fromEntries(
              GEOGRAPHY.map((name) => [
                name,
                { type: 'string', minLength: 1, description: `The ${name.replace('_', ' ')} of the customer.` },
              ]),
            ),
          },
        },
      },
    },
  },
};

/** Items in a fixed order, and `exact_match: false` left out: both are ways of saying the same. Service notes, "Auto access". */
function canonicalItems(items: Json | undefined): Json | undefined {
  if (!isList(items)) return items;
  const cleaned = items.map((item) => {
    if (!isObject(item)) return item;
    return Object.fromEntries(
      Object.entries(item).filter(
        ([name, value]) => value !== null && value !== '' && !(name === 'exact_match' && value === false),
      ),
    );
  });
  const distinct = new Map(cleaned.map((item) => [canonicalJson(item), item]));
  return [...distinct].sort(([a], [b]) => byText(a, b)).map(([, item]) => item);
}

function canonicalConditions(value: Json): Json {
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [subject, condition] of Object.entries(value)) {
    if (!isObject(condition)) continue;
    const members = Object.entries(condition)
      .map(([name, items]) => [name, canonicalItems(items)] as const)
      .filter((member): member is readonly [string, Json] => isList(member[1]) && member[1].length > 0);
    if (members.length > 0) kept[subject] = Object.fromEntries(members);
  }
  return kept;
}

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

function check(value: Json, report: Report): void {
  if (!isObject(value)) return;
  const conditions = value['conditions'];
  if (!isObject(conditions)) return;
  if (Object.keys(conditions).length === 0) {
    report(
      ['conditions'],
      'missing-field',
      'a rule needs at least one condition',
      'add `url`, `domain` or `geolocation`',
    );
  }
  for (const subject of ['url', 'domain']) {
    const condition = conditions[subject];
    if (!isObject(condition)) continue;
    if ('values' in condition && 'exclude_values' in condition) {
      report(
        ['conditions', subject, 'exclude_values'],
        'exclusive-fields',
        '`values` and `exclude_values` cannot be combined',
        'keep one of them, or make two rules',
      );
    } else if (!('values' in condition) && !('exclude_values' in condition)) {
      report(
        ['conditions', subject],
        'missing-field',
        `\`${subject}\` needs \`values\` or \`exclude_values\``,
        'add the texts to look for',
      );
    }
  }
  const geolocation = conditions['geolocation'];
  const places = isObject(geolocation) && isList(geolocation['values']) ? geolocation['values'] : [];
  places.forEach((place, index) => {
    if (isObject(place) && Object.keys(place).length === 0) {
      report(
        ['conditions', 'geolocation', 'values', index],
        'missing-field',
        'a geolocation item needs at least one member',
        `add ${GEOGRAPHY.map((name) => `\`${name}\``).join(', ')}`,
      );
    }
  });
}

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

function brokenChain(message: string): ApiError {
  return new ApiError({
    action: 'list_auto_accesses',
    type: 'broken_chain',
    message: `the list of rules is broken: ${message}. Planning stops, because the order of the rules is not known`,
    status: 200,
    ambiguous: false,
    debugId: null,
    retryAfter: null,
    data: null,
  });
}

/** Rows in the order of the linked list. `""`, `null` and absent all mean last; the order of the array means nothing. */
function inOrder(rows: readonly Row[]): readonly Row[] {
  if (rows.length === 0) return [];
  const byId = new Map(rows.map((row) => [row.text('id'), row]));
  const next = (row: Row): string => (row.has('next_id') ? row.text('next_id') : '');
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
  const ordered: Row[] = [];
  for (let row = heads[0]; row !== undefined; row = byId.get(next(row))) ordered.push(row);
  if (ordered.length !== rows.length) throw brokenChain('some rules form a cycle');
  return ordered;
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
  entry: 'fields',
  fields,
  required: ['access', 'conditions'],
  id: 'string',
  prune: 'owned',
  ordered: true,
  check: (entry, report) => check(entry.value, report),
  naturalKeys: [
    {
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
