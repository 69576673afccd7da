// Everything that is known about bots. Specification: "Bot", "Bots".

import { ApiError } from '../errors.ts';
import type { Json, JsonObject, LiveObject, ObjectId, Spec } from '../model.ts';
import type { Fields, Kind, Reader, Target } from './kind.ts';
import { groupItems, prioritySchema } from './priority.ts';
import { checkScheduler, workScheduler } from './scheduler.ts';
import { groupPriorities, isObject, type Row, rowOf, rowsOf } from './wire.ts';

/** Fields that a bot and the template it is made from have in common. */
export const botFields: Fields = {
  name: {
    about: 'Display name. Names need not be unique on the service; declared ones must be, per owner client.',
    schema: { type: 'string', minLength: 1 },
    shape: 'scalar',
    readable: 'list',
    writable: 'always',
  },
  avatar: {
    about: 'URL of the avatar.',
    schema: { type: 'string' },
    shape: 'scalar',
    readable: 'list',
    writable: 'always',
    absent: '',
  },
  max_chats_count: {
    about: 'How many chats the bot can have at the same time, up to 500.',
    schema: { type: 'integer', minimum: 0 },
    shape: 'scalar',
    readable: 'list',
    writable: 'always',
    default: 6,
    maximum: { create: 500, update: 500 },
  },
  default_group_priority: {
    about: 'Priority in groups for which none is set.',
    schema: prioritySchema,
    shape: 'scalar',
    readable: 'get',
    writable: 'always',
  },
  job_title: {
    about: 'Job title, shown to customers.',
    schema: { type: 'string' },
    shape: 'scalar',
    readable: 'list',
    writable: 'always',
    absent: '',
  },
  owner_client_id: {
    about: 'The application (client) that owns it. Needed with a personal access token.',
    schema: { type: 'string', minLength: 1, pattern: '^[^/]+$' },
    shape: 'scalar',
    readable: 'get',
    writable: 'create',
  },
};

const fields: Fields = {
  ...botFields,
  job_title: {
    about: 'Job title, shown to customers. It can be set when the bot is created and never changed afterwards.',
    schema: { type: 'string' },
    shape: 'scalar',
    readable: 'list',
    writable: 'create',
    absent: '',
  },
  groups: {
    about: 'The groups the bot works in, with its priority in each. Declared, it is complete.',
    schema: { type: 'object', additionalProperties: prioritySchema },
    shape: 'map',
    readable: 'list',
    writable: 'always',
    absent: {},
    references: { kind: 'group', at: 'keys' },
  },
  work_scheduler: workScheduler,
};

const LISTED_ON_REQUEST = ['groups', 'work_scheduler', 'job_title', 'max_chats_count'] as const;

function body(given: Spec, target: Target): JsonObject {
  const { groups, ...rest } = given;
  return { ...rest, ...(groups === undefined ? {} : { groups: groupItems(groups, target) }) };
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.failure.type === 'not_found';
}

/** `get_bot` for the bots whose `get` fields somebody wants; one that vanished between the calls is as absent as if it had never been listed. */
async function details(reader: Reader, rows: readonly Row[]): Promise<ReadonlyMap<ObjectId, Row>> {
  const needed = Object.entries(fields).some(([name, field]) => field.readable === 'get' && reader.fields.has(name));
  if (!needed) return new Map();
  const wanted = rows.filter(
    (row) => reader.wanted.ids.has(row.text('id')) || reader.wanted.names.has(row.text('name')),
  );
  const found = await Promise.all(
    wanted.map(async (row): Promise<readonly [ObjectId, Row] | null> => {
      const id = row.text('id');
      try {
        return [id, rowOf('get_bot', await reader.ask('get_bot', { id, fields: LISTED_ON_REQUEST }))];
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    }),
  );
  return new Map(found.filter((entry) => entry !== null));
}

function liveBot(row: Row, detail: Row | undefined, derived: boolean): LiveObject {
  const spec: Record<string, Json> = { name: row.text('name'), avatar: row.raw('avatar_path') ?? '' };
  const unread: string[] = [];
  for (const name of LISTED_ON_REQUEST) {
    const value = name === 'groups' ? groupPriorities('list_bots', row) : (row.raw(name) ?? fields[name]?.absent);
    if (value === undefined) unread.push(name);
    else spec[name] = value;
  }
  for (const name of ['default_group_priority', 'owner_client_id']) {
    const value = detail?.raw(name);
    if (value === undefined) unread.push(name);
    else spec[name] = value;
  }
  const facts = { ...(derived ? { derived: true as const } : {}), ...(unread.length > 0 ? { unread } : {}) };
  return { kind: 'bot', id: row.text('id'), name: row.text('name'), spec, facts };
}

/** A template makes a bot with the template's own id on each license that has the application. Service notes, "Bots and templates". */
async function templateIds(reader: Reader): Promise<ReadonlySet<string>> {
  if (reader.version === '3.3') return new Set();
  const replies = await Promise.all(
    reader.namespaces.map((owner_client_id) => reader.ask('list_bot_templates', { owner_client_id })),
  );
  return new Set(replies.flatMap((reply) => rowsOf('list_bot_templates', reply).map((row) => row.text('id'))));
}

async function read(reader: Reader): Promise<readonly LiveObject[]> {
  const [reply, templates] = await Promise.all([
    reader.ask('list_bots', { all: true, fields: LISTED_ON_REQUEST }),
    templateIds(reader),
  ]);
  const rows = rowsOf('list_bots', reply);
  const detailed = await details(reader, rows);
  return rows.map((row) => liveBot(row, detailed.get(row.text('id')), templates.has(row.text('id'))));
}

function text(spec: Spec, field: string): string | null {
  const value = spec[field];
  return typeof value === 'string' ? value : null;
}

export const bot: Kind = {
  name: 'bot',
  versions: ['3.3', '3.6'],
  noun: { one: 'bot', many: 'bots' },
  about: 'Automated members of groups. The key is a name of your choice.',
  at: ['bots', '*'],
  entry: 'fields',
  fields,
  required: ['name'],
  id: 'string',
  external: true,
  unique: ['name', 'owner_client_id'],
  prune: 'owned',
  check: (entry, report) => {
    if (isObject(entry.value)) checkScheduler(entry.value['work_scheduler'], report);
  },
  naturalKeys: [
    {
      ofDesired: ({ spec }) =>
        text(spec, 'name') !== null && text(spec, 'owner_client_id') !== null
          ? JSON.stringify([text(spec, 'name'), text(spec, 'owner_client_id')])
          : null,
      ofLive: ({ spec }) => JSON.stringify([text(spec, 'name'), text(spec, 'owner_client_id')]),
    },
    {
      ofDesired: ({ spec }) => (text(spec, 'owner_client_id') === null ? text(spec, 'name') : null),
      ofLive: ({ spec }) => text(spec, 'name'),
    },
  ],
  read,
  create: (given, target) => ({ action: 'create_bot', body: body(given, target) }),
  update: (id, given, target) => ({ action: 'update_bot', body: { id, ...body(given, target) } }),
  remove: (id) => ({ action: 'delete_bot', body: { id } }),
  createdId: (reply) => rowOf('create_bot', reply).text('id'),
  secret: (reply) => {
    const secret = rowOf('create_bot', reply).raw('secret');
    return typeof secret === 'string' ? secret : null;
  },
  manualStep: 'set its routing status: until then a new bot gets no chats, and this API has no action for it',
};
