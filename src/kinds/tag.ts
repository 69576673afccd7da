// Everything that is known about tags. today/configuration.md, "Tags (3.5 and later)".

import { since } from '../base/api-versions.ts';
import { isList } from '../base/json.ts';
import type { JsonObject, LiveObject } from '../base/model.ts';
import { type Fields, PLAIN, type SpecOf } from './field.ts';
import { type CallContext, defineKind, type KindReader } from './kind.ts';
import { rowsOf } from './wire.ts';

const fields = {
  groups: {
    ...PLAIN,
    about:
      'The groups whose chats can get the tag: keys of groups, or `{ external: { id | name } }` for a group that is not managed here. An empty list retires the tag: chats that have it keep it, and no other chat gets it.',
    schema: { type: 'array', uniqueItems: true, items: { $ref: '#/$defs/group_reference' } },
    shape: 'set',
    references: { kind: 'group', at: 'items' },
    phrases: (groups, named) =>
      (isList(groups) ? groups.map(String) : []).map((group) => ({ key: group, about: 'in', says: named(group) })),
  },
} as const satisfies Fields;

type Tag = SpecOf<typeof fields>;

async function read(reader: KindReader): Promise<readonly LiveObject[]> {
  return rowsOf('list_tags', await reader.ask('list_tags', {})).map((row): LiveObject => {
    const [name, groups] = [row.text('name'), row.raw('group_ids')];
    return {
      kind: 'tag',
      id: name,
      name,
      spec: { groups: isList(groups) ? groups.map(String) : [] },
      facts: row.raw('author_id') === '' ? { preset: true } : {},
    };
  });
}

/** The whole list each time: whether a shorter one would replace the groups is not stated otherwise. */
function body(name: string, { groups = [] }: Tag, { resolve }: Pick<CallContext, 'resolve'>): JsonObject {
  return { name, group_ids: groups.map((group) => Number(resolve(group))) };
}

export const tag = defineKind(fields, {
  name: 'tag',
  versions: since('3.5'),
  noun: { one: 'tag', many: 'tags' },
  about:
    'Tags that agents give to chats. The key is the name as chats show it, in exactly these capitals; no tag is ever renamed. Since 3.5.',
  at: ['tags', '*'],
  allowance: 'tags',
  entry: 'fields',
  columns: ['groups'],
  summary: (_spec, said) => [said('groups')],
  computed: {
    author_id: { about: 'Who made the tag; empty for one that came with the license.', versions: since('3.5') },
    created_at: { about: 'When it was made.', versions: since('3.5') },
  },
  instead: { name: 'remove it: the key is the name, as chats show it' },
  required: ['groups'],
  slashes: true,
  capacity: { limit: 'tags', per: 'license' },
  prune: 'owned',
  inPart: true,
  retired: { groups: [] },
  forfeits: 'no chat can get it any more, and reports by tag may lose it; `groups: []` retires it instead',
  soleSpelling: {
    loses:
      'chats keep the old word and none of them gets the new one, so reports by tag count the two apart, `chatform report --tag` as well',
  },
  unlisted:
    'the license has a tag of this name, perhaps in other capitals, and the list does not show it: with the scope tags--groups it has only the tags of the groups of the agent whose token it is; use a token with tags--all:rw, or another name',
  hidden: 'unless the token has the scope tags--groups alone, which lists only the tags of the groups of its agent',
  naturalKeys: [{ about: 'the name, which is the key', ofDesired: ({ key }) => key, ofLive: ({ id }) => String(id) }],
  read,
  create: (given, context) => ({ action: 'create_tag', body: body(context.key, given, context) }),
  update: (id, given, context) => ({ action: 'update_tag', body: body(String(id), given, context) }),
  remove: (id) => ({ action: 'delete_tag', body: { name: id } }),
  createdId: (_reply, { key }) => key,
  seed: {
    sections: (tags) => ({
      tags: tags.map(({ id, spec, facts }) => ({
        name: String(id),
        group_ids: (spec.groups ?? []).map(Number),
        ...(facts.preset === true ? { author_id: '' } : {}),
      })),
    }),
  },
});
