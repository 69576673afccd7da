// Everything that is known about bot templates. Specification: "Bot template (3.6)", "Bot templates and bot tokens (3.6)".

import { since } from '../base/api-versions.ts';
import type { LiveObject } from '../base/model.ts';
import { botFields } from './bot.ts';
import { type Field, type Fields, PLAIN, type SpecOf } from './field.ts';
import { defineKind, type KindReader } from './kind.ts';
import { rowOf, rowsOf, secretOf, seedFields } from './wire.ts';

/** The field of a bot, which a template never shows. */
function unreadable<F extends Field>({ absent: _, ...field }: F) {
  return { ...field, readable: 'never', writable: 'always' } as const;
}

const fields = {
  name: botFields.name,
  avatar: botFields.avatar,
  max_chats_count: unreadable(botFields.max_chats_count),
  default_group_priority: unreadable(botFields.default_group_priority),
  job_title: unreadable(botFields.job_title),
  owner_client_id: {
    ...PLAIN,
    about: 'The application (client) that owns the template; it must belong to your organization.',
    schema: { type: 'string', minLength: 1, pattern: '^[^/]+$' },
    writable: 'create',
  },
  affect_existing_installations: {
    ...PLAIN,
    about:
      'Whether creating, updating or deleting the template also creates, updates or deletes bots on every license that has the application installed. It reaches other licenses, so each such change must be acknowledged.',
    schema: { type: 'boolean' },
    readable: 'never',
    default: false,
    option: true,
  },
} as const satisfies Fields;

type Template = SpecOf<typeof fields>;

async function read(reader: KindReader): Promise<readonly LiveObject[]> {
  const lists = await Promise.all(
    reader.clients.map(async (owner_client_id) => {
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

/** What a delete of a template carries in addition to its id. */
function owner({ owner_client_id, affect_existing_installations }: Template): Template {
  return {
    ...(owner_client_id === undefined ? {} : { owner_client_id }),
    ...(affect_existing_installations === undefined ? {} : { affect_existing_installations }),
  };
}

function nameAndOwner({ name, owner_client_id: owner }: Template): string {
  return JSON.stringify([name ?? null, owner ?? null]);
}

export const botTemplate = defineKind(fields, {
  name: 'bot_template',
  versions: since('3.5'),
  noun: { one: 'bot template', many: 'bot templates' },
  about: 'Templates from which a bot is created wherever the owning application is installed. Since 3.5.',
  at: ['bot_templates', '*'],
  entry: 'fields',
  columns: ['owner_client_id'],
  summary: (_spec, said) => [said('name'), said('owner_client_id')],
  computed: {
    secret: { about: 'Returned once, when the template is created, and kept in `secrets:`.', versions: since('3.5') },
  },
  required: ['name', 'owner_client_id'],
  id: 'string',
  unique: ['name', 'owner_client_id'],
  capacity: { limit: 'templates_per_client', per: 'namespace' },
  prune: 'owned',
  lasting: 'bots that a write of it with `affect_existing_installations` made or changed stay as they are',
  namespace: ({ spec: { owner_client_id: owner } }) => (typeof owner === 'string' ? owner : null),
  identity: ['name', 'owner_client_id'],
  naturalKeys: [
    {
      about: 'name and owner client',
      ofDesired: ({ spec }) => nameAndOwner(spec),
      ofLive: ({ spec }) => nameAndOwner(spec),
    },
  ],
  read,
  create: (given) => ({ action: 'create_bot_template', body: given }),
  update: (id, given) => ({ action: 'update_bot_template', body: { id, ...given } }),
  remove: (id, given) => ({ action: 'delete_bot_template', body: { id, ...owner(given) } }),
  createdId: (reply) => rowOf('create_bot_template', reply).text('id'),
  secret: {
    versions: since('3.5'),
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
  seed: {
    sections: (templates) => ({
      bot_templates: templates.map(({ id, name, spec }) => ({ ...seedFields(spec), id: String(id), name })),
    }),
  },
});
