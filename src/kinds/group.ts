// Everything that is known about groups. Specification: "Group", "Groups".

import { isObject } from '../base/json.ts';
import type { JsonObject, LiveObject, Spec, Version } from '../base/model.ts';
import type { Fields, Kind, Maker, Reader, Refusal, Target } from './kind.ts';
import { prioritySchema } from './priority.ts';
import { entriesOf, type Row, rowOf, rowsOf } from './wire.ts';

const fields: Fields = {
  name: {
    about:
      'Name of the group. Names need not be unique on the service; of declared groups that share one, all but one say their `id`.',
    schema: { type: 'string', minLength: 1 },
    shape: 'scalar',
    readable: 'list',
    writable: 'always',
    limit: { create: 'group_name_length', update: 'group_name_length' },
  },
  language_code: {
    about: 'Language of the group, such as `en`.',
    schema: { type: 'string', minLength: 1 },
    shape: 'scalar',
    readable: 'list',
    writable: 'always',
    default: 'en',
    absent: 'en',
  },
  agent_priorities: {
    about: 'The agents of the group, with their priority. Declared, it is complete: other members are removed.',
    schema: { type: 'object', additionalProperties: prioritySchema },
    shape: 'map',
    readable: 'list',
    writable: 'always',
    absent: {},
    references: { kind: 'agent', at: 'keys' },
    membership: true,
  },
};

function body(given: Spec, target: Target): JsonObject {
  const { agent_priorities: members, ...rest } = given;
  if (!isObject(members)) return rest;
  const priorities = Object.fromEntries(
    Object.entries(members).map(([reference, priority]) => [String(target.resolve(reference)), priority]),
  );
  return { ...rest, agent_priorities: priorities };
}

function liveGroup(row: Row): LiveObject {
  const id = row.integer('id');
  const priorities = row.raw('agent_priorities') ?? {};
  const members = Object.fromEntries(
    entriesOf('list_groups', priorities, 'agent_priorities').map(([agent, priority]) => [
      agent,
      rowOf('list_groups', { priority }).text('priority'),
    ]),
  );
  const language = row.raw('language_code') ?? 'en';
  return {
    kind: 'group',
    id,
    name: row.text('name'),
    spec: { name: row.text('name'), language_code: language, agent_priorities: members },
    facts: id === 0 ? { builtin: true } : {},
  };
}

async function read(reader: Reader): Promise<readonly LiveObject[]> {
  const reply = await reader.ask('list_groups', { fields: ['agent_priorities'] });
  return rowsOf('list_groups', reply).map(liveGroup);
}

/** The priority that at least one agent of a group must have. Specification: "Groups", create_group (3.3). */
export const NEEDED_PRIORITY: { readonly [version in Version]: string | null } = { '3.3': 'normal', '3.6': null };

function creatable({ agent_priorities: members }: Spec, { version }: Maker): Refusal | null {
  const needed = NEEDED_PRIORITY[version];
  if (needed === null || (isObject(members) && Object.values(members).includes(needed))) return null;
  return {
    severity: 'error',
    code: 'missing-field',
    message: `version ${version} of the service creates a group only with an agent whose priority is \`${needed}\``,
    remedy: `give one of its agents the priority \`${needed}\``,
  };
}

export const group: Kind = {
  name: 'group',
  versions: ['3.3', '3.6'],
  noun: { one: 'group', many: 'groups' },
  about: 'Teams that chats are routed to. The key is a name of your choice that rules, agents and bots refer to.',
  at: ['groups', '*'],
  allowance: 'groups',
  entry: 'fields',
  fields,
  columns: ['language_code', 'agent_priorities'],
  computed: {
    routing_status: { about: 'Whether anybody in the group accepts chats.', versions: ['3.3', '3.6'] },
  },
  required: ['name'],
  id: 'integer',
  external: true,
  unique: ['name'],
  capacity: { limit: 'groups', per: 'license' },
  prune: 'owned',
  forfeits: 'what was not managed here is lost: property values of it, and its place in bots and rules',
  check: () => {},
  creatable,
  identity: ['name'],
  naturalKeys: [
    {
      about: 'the name',
      ofDesired: (resource) => (typeof resource.spec['name'] === 'string' ? resource.spec['name'] : null),
      ofLive: (object) => object.name,
    },
  ],
  read,
  create: (given, target) => ({ action: 'create_group', body: { agent_priorities: {}, ...body(given, target) } }),
  update: (id, given, target) => ({ action: 'update_group', body: { id, ...body(given, target) } }),
  remove: (id) => ({ action: 'delete_group', body: { id } }),
  createdId: (reply) => rowOf('create_group', reply).integer('id'),
};
