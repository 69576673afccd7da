// Everything that is known about bots. Specification: "Bot", "Bots".

import { isObject } from '../base/json.ts';
import type { Json, JsonObject, LiveObject, ObjectId, Spec } from '../base/model.ts';
import type { Fields, Kind, Maker, Reader, Refusal, Target } from './kind.ts';
import { groupItems, prioritySchema } from './priority.ts';
import { checkScheduler, workScheduler } from './scheduler.ts';
import { listWithSchedulers, schedulerBody } from './scheduler-wire.ts';
import { groupPriorities, isGone, isWanted, type Row, rowOf, rowsOf, secretOf } from './wire.ts';

/** Fields that a bot and the template it is made from have in common. */
export const botFields: Fields = {
  name: {
    about:
      'Display name. Names need not be unique on the service; of declared ones that share one and an owner client, all but one say their `id`.',
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
    about: 'How many chats the bot can have at the same time.',
    schema: { type: 'integer', minimum: 0 },
    shape: 'scalar',
    readable: 'list',
    writable: 'always',
    default: 6,
    limit: { create: 'bot_chats', update: 'bot_chats' },
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
  const { groups, work_scheduler: hours, ...rest } = given;
  return {
    ...rest,
    ...schedulerBody(hours, target.version, 'bot'),
    ...(groups === undefined ? {} : { groups: groupItems(groups, target) }),
  };
}

/** `get_bot` for the bots whose `get` fields somebody wants; one that vanished between the calls is as absent as if it had never been listed. */
async function details(reader: Reader, rows: readonly Row[]): Promise<ReadonlyMap<ObjectId, Row>> {
  const needed = Object.entries(fields).some(([name, field]) => field.readable === 'get' && reader.fields.has(name));
  if (!needed && !reader.complete) return new Map();
  const wanted = rows.filter((row) => reader.complete || isWanted(reader.wanted, row));
  const found = await Promise.all(
    wanted.map(async (row): Promise<readonly [ObjectId, Row] | null> => {
      const id = row.text('id');
      try {
        return [id, rowOf('get_bot', await reader.ask('get_bot', { id }))];
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    }),
  );
  return new Map(found.filter((entry) => entry !== null));
}

interface Seen {
  readonly row: Row;
  readonly scheduler: Json | undefined;
  readonly detail: Row | undefined;
  readonly derived: boolean;
  readonly spared: string | null;
}

function liveBot({ row, scheduler, detail, derived, spared }: Seen): LiveObject {
  const read: { readonly [field: string]: Json | undefined } = {
    name: row.text('name'),
    avatar: row.raw('avatar_path') ?? '',
    max_chats_count: row.raw('max_chats_count'),
    job_title: row.raw('job_title') ?? '',
    groups: groupPriorities('list_bots', row),
    work_scheduler: scheduler,
    default_group_priority: detail?.raw('default_group_priority'),
    owner_client_id: detail?.raw('owner_client_id'),
  };
  const spec: Record<string, Json> = {};
  const unread: string[] = [];
  for (const [name, value] of Object.entries(read)) {
    if (value === undefined) unread.push(name);
    else spec[name] = value;
  }
  const facts = {
    ...(derived ? { derived: true as const } : {}),
    ...(spared === null ? {} : { spared }),
    ...(unread.length > 0 ? { unread } : {}),
  };
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

/** Where everything undeclared goes: a bot that a template of somebody else may have made is not for us to delete. */
function sparedIn({ version, namespaces, complete }: Reader, detail: Row | undefined): string | null {
  if (!complete) return null;
  if (version === '3.3') return 'version 3.3 does not tell whether a template made it';
  const owner = detail?.raw('owner_client_id');
  if (typeof owner === 'string' && namespaces.includes(owner)) return null;
  const client = typeof owner === 'string' ? owner : 'a client that is not known';
  return `it belongs to ${client}, whose templates are not looked at; \`clients:\` in chatform.yaml says which are`;
}

async function read(reader: Reader): Promise<readonly LiveObject[]> {
  // 3.3 has the zone of a bot beside its hours.
  const asked = reader.version === '3.3' ? [...LISTED_ON_REQUEST, 'timezone'] : LISTED_ON_REQUEST;
  const [{ rows, scheduler }, templates] = await Promise.all([
    listWithSchedulers(reader, { list: 'list_bots', get: 'get_bot', fields: asked, body: { all: true } }),
    templateIds(reader),
  ]);
  const detailed = await details(reader, rows);
  return rows.map((row) => {
    const id = row.text('id');
    const detail = detailed.get(id);
    const derived = templates.has(id);
    return liveBot({ row, scheduler: scheduler(row), detail, derived, spared: sparedIn(reader, detail) });
  });
}

function text(spec: Spec, field: string): string | null {
  const value = spec[field];
  return typeof value === 'string' ? value : null;
}

/** Specification: "Bots", Rules. */
function creatable({ owner_client_id: owner }: Spec, { version, credential }: Maker): Refusal | null {
  if (credential === 'basic' && owner === undefined)
    return {
      severity: 'error',
      code: 'missing-field',
      message: 'a personal access token creates a bot only for an owner client',
      remedy: 'add `owner_client_id`',
    };
  if (credential === 'bearer' && version === '3.3' && owner !== undefined)
    return {
      severity: 'error',
      code: 'unsupported-by-version',
      message:
        'version 3.3 of the service creates a bot for the client of the bearer token, and refuses to be told one',
      remedy: 'remove `owner_client_id` with an overlay of this target, or use a personal access token (`account_id`)',
    };
  return null;
}

export const bot: Kind = {
  name: 'bot',
  versions: ['3.3', '3.6'],
  noun: { one: 'bot', many: 'bots' },
  about: 'Automated members of groups. The key is a name of your choice.',
  at: ['bots', '*'],
  allowance: 'bots',
  entry: 'fields',
  fields,
  columns: ['max_chats_count', 'groups'],
  computed: { secret: { about: 'Told once, when the bot is made, and kept in `secrets:`.', versions: ['3.6'] } },
  required: ['name'],
  id: 'string',
  external: true,
  unique: ['name', 'owner_client_id'],
  prune: 'owned',
  check: (entry, report, version) => {
    if (isObject(entry.value)) checkScheduler(entry.value['work_scheduler'], 'bot', version, report);
  },
  creatable,
  identity: ['name', 'owner_client_id'],
  naturalKeys: [
    {
      about: 'name and owner client, where the owner is declared',
      ofDesired: ({ spec }) =>
        text(spec, 'name') !== null && text(spec, 'owner_client_id') !== null
          ? JSON.stringify([text(spec, 'name'), text(spec, 'owner_client_id')])
          : null,
      ofLive: ({ spec }) => JSON.stringify([text(spec, 'name'), text(spec, 'owner_client_id')]),
    },
    {
      about: 'the name',
      ofDesired: ({ spec }) => (text(spec, 'owner_client_id') === null ? text(spec, 'name') : null),
      ofLive: ({ spec }) => text(spec, 'name'),
    },
  ],
  read,
  create: (given, target) => ({ action: 'create_bot', body: body(given, target) }),
  update: (id, given, target) => ({ action: 'update_bot', body: { id, ...body(given, target) } }),
  remove: (id) => ({ action: 'delete_bot', body: { id } }),
  createdId: (reply) => rowOf('create_bot', reply).text('id'),
  secret: {
    versions: ['3.6'],
    of: (reply) => secretOf('create_bot', reply),
    reset: {
      call: (id, { owner }) => ({
        action: 'reset_bot_secret',
        body: { id, ...(owner === null ? {} : { owner_client_id: owner }) },
      }),
      of: (reply) => secretOf('reset_bot_secret', reply),
      owner: { field: 'owner_client_id', isNeeded: (credential) => credential === 'basic' },
    },
  },
  serving: {
    groups: 'groups',
    slots: 'max_chats_count',
    hours: 'work_scheduler',
    zoned: ['3.3', '3.6'],
    tireless: true,
    bar: () => null,
  },
  manualStep: 'set its routing status: until then a new bot gets no chats, and this API has no action for it',
};
