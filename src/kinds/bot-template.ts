// Everything that is known about bot templates. Specification: "Bot template (3.6)", "Bot templates and bot tokens (3.6)".

import type { LiveObject, Spec } from '../base/model.ts';
import { botFields } from './bot.ts';
import type { Field, Fields, Kind, Reader } from './kind.ts';
import { rowOf, rowsOf, secretOf } from './wire.ts';

function unreadable(field: Field | undefined): Field {
  if (field === undefined) throw new TypeError('a template has no field that a bot has not');
  const { absent: _, ...rest } = field;
  return { ...rest, readable: 'never', writable: 'always' };
}

const fields: Fields = {
  name: { ...unreadable(botFields['name']), readable: 'list' },
  avatar: { ...unreadable(botFields['avatar']), readable: 'list', absent: '' },
  max_chats_count: unreadable(botFields['max_chats_count']),
  default_group_priority: unreadable(botFields['default_group_priority']),
  job_title: unreadable(botFields['job_title']),
  owner_client_id: {
    about: 'The application (client) that owns the template; it must belong to your organization.',
    schema: { type: 'string', minLength: 1, pattern: '^[^/]+$' },
    shape: 'scalar',
    readable: 'list',
    writable: 'create',
  },
  affect_existing_installations: {
    about:
      'Whether creating, updating or deleting the template also creates, updates or deletes bots on every license that has the application installed. It reaches other licenses, so each such change must be acknowledged.',
    schema: { type: 'boolean' },
    shape: 'scalar',
    readable: 'never',
    writable: 'always',
    default: false,
    option: true,
  },
};

function ownerOf(spec: Spec): string | null {
  const owner = spec['owner_client_id'];
  return typeof owner === 'string' ? owner : null;
}

async function read(reader: Reader): Promise<readonly LiveObject[]> {
  const lists = await Promise.all(
    reader.namespaces.map(async (owner_client_id) => {
      const reply = await reader.ask('list_bot_templates', { owner_client_id });
      return rowsOf('list_bot_templates', reply).map(
        (row): LiveObject => ({
          kind: 'bot_template',
          id: row.text('id'),
          name: row.text('name'),
          spec: { name: row.text('name'), avatar: row.raw('avatar_path') ?? '', owner_client_id },
          facts: {},
        }),
      );
    }),
  );
  return lists.flat();
}

/** What every write of a template must carry beside its own fields. */
function owner(fields: Spec): Spec {
  const { owner_client_id, affect_existing_installations } = fields;
  return {
    ...(owner_client_id === undefined ? {} : { owner_client_id }),
    ...(affect_existing_installations === undefined ? {} : { affect_existing_installations }),
  };
}

export const botTemplate: Kind = {
  name: 'bot_template',
  versions: ['3.6'],
  noun: { one: 'bot template', many: 'bot templates' },
  about: 'Templates from which a bot is created wherever the owning application is installed. Only in 3.6.',
  at: ['bot_templates', '*'],
  entry: 'fields',
  fields,
  columns: ['owner_client_id'],
  computed: { secret: { about: 'Told once, when the template is made, and kept in `secrets:`.', versions: ['3.6'] } },
  required: ['name', 'owner_client_id'],
  id: 'string',
  unique: ['name', 'owner_client_id'],
  capacity: { limit: 'templates_per_client', per: 'namespace' },
  prune: 'owned',
  lasting: 'bots that a write of it with `affect_existing_installations` made or changed stay as they are',
  namespace: ({ spec }) => ownerOf(spec),
  check: () => {},
  identity: ['name', 'owner_client_id'],
  naturalKeys: [
    {
      about: 'name and owner client',
      ofDesired: ({ spec }) => JSON.stringify([spec['name'] ?? null, ownerOf(spec)]),
      ofLive: ({ spec }) => JSON.stringify([spec['name'] ?? null, ownerOf(spec)]),
    },
  ],
  read,
  create: (given) => ({ action: 'create_bot_template', body: given }),
  update: (id, given) => ({ action: 'update_bot_template', body: { id, ...given } }),
  remove: (id, given) => ({ action: 'delete_bot_template', body: { id, ...owner(given) } }),
  createdId: (reply) => rowOf('create_bot_template', reply).text('id'),
  secret: {
    versions: ['3.6'],
    of: (reply) => secretOf('create_bot_template', reply),
    reset: {
      call: (id, { owner: client, installations }) => ({
        action: 'reset_bot_template_secret',
        body: {
          id,
          ...(client === null ? {} : { owner_client_id: client }),
          ...(installations ? { affect_existing_installations: true } : {}),
        },
      }),
      of: (reply) => secretOf('reset_bot_template_secret', reply),
      owner: { field: 'owner_client_id', isNeeded: () => true },
      installations: true,
    },
  },
  identifying: ['owner_client_id'],
};
