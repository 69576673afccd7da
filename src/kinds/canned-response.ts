// Everything that is known about canned responses. today/configuration.md, "Only in 3.7 (developer preview)".

import { since } from '../base/api-versions.ts';
import { isList } from '../base/json.ts';
import type { JsonObject, LiveObject } from '../base/model.ts';
import { type Fields, PLAIN, type SpecOf } from './field.ts';
import { type CallContext, defineKind, type KindReader } from './kind.ts';
import { pagedRows, type ReplyRow, rowOf } from './wire.ts';

const VERSIONS = since('3.7');

const fields = {
  text: {
    ...PLAIN,
    about:
      'What agents send. The service may remove or escape HTML in it: the ledger keeps the form that was read, and the end of an apply says it.',
    schema: { type: 'string', minLength: 1, pattern: '\\S' },
  },
  tags: {
    ...PLAIN,
    about:
      'Shortcuts, by which agents find the text. The first one, with the group, is how chatform recognises it. Any words: they are no `tags:` of chats.',
    schema: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', minLength: 1 } },
    shape: 'list',
    phrases: (tags) => [{ key: '', about: '', says: shortcuts(tags).join(' ') }],
  },
  group: {
    ...PLAIN,
    about: 'The group whose agents have it. Group 0 is the one that every license has.',
    schema: { $ref: '#/$defs/group_reference' },
    references: { kind: 'group', at: 'value' },
  },
  is_private: {
    ...PLAIN,
    about:
      'Whether only its owner can use it: the agent who changed it last, which after an apply is the one of the token.',
    schema: { type: 'boolean' },
    default: false,
    absent: false,
  },
} as const satisfies Fields;

type CannedResponse = SpecOf<typeof fields>;

function shortcuts(tags: unknown): readonly string[] {
  return Array.isArray(tags) ? tags.map((tag) => `#${tag}`) : [];
}

function body({ group, ...rest }: CannedResponse, { resolve }: Pick<CallContext, 'resolve'>): JsonObject {
  return { ...rest, ...(group === undefined ? {} : { group_id: Number(resolve(group)) }) };
}

const ACTION = 'list_canned_responses';
/** The service takes 1 to 100,000: most licenses are one page, and no reply is huge. */
const MOST_OF_PAGE = 10_000;

/** Texts of all groups, also the private ones of others: the default list has neither. */
async function read(reader: KindReader): Promise<readonly LiveObject[]> {
  const group_ids = await reader.groupIds();
  const rows = await pagedRows(reader, ACTION, 'canned_responses', {
    group_ids,
    include_all_private: true,
    limit: MOST_OF_PAGE,
  });
  return rows.map(liveResponse);
}

function liveResponse(row: ReplyRow): LiveObject {
  const [text, given] = [row.text('text'), row.raw('tags')];
  const tags = isList(given) ? given : [];
  const is_private = row.raw('is_private') === true;
  const author = row.raw('author_id') ?? null;
  return {
    kind: 'canned_response',
    id: row.integer('id'),
    name: shortcuts(tags)[0] ?? text,
    spec: { text, tags, group: String(row.integer('group_id')), is_private },
    facts: {
      computed: {
        author_id: author,
        created_at: row.raw('created_at') ?? null,
        updated_at: row.raw('updated_at') ?? null,
      },
      ...(is_private ? { spared: 'it is a private text' } : {}),
    },
  };
}

/** A text without a tag has no key: only its id tells it from others. */
function groupAndShortcut(group: string, { tags = [], is_private = false }: CannedResponse): string | null {
  return tags[0] === undefined ? null : JSON.stringify([group, tags[0], is_private]);
}

export const cannedResponse = defineKind(fields, {
  name: 'canned_response',
  versions: VERSIONS,
  noun: { one: 'canned response', many: 'canned responses' },
  about: 'Texts that the agents of a group send by a shortcut. The key is a name of your choice. Since 3.7.',
  at: ['canned_responses', '*'],
  entry: 'fields',
  columns: ['group', 'tags', 'text'],
  summary: (_spec, said) => [said('tags'), said('group'), said('text')],
  computed: {
    author_id: {
      about: 'Who changed it last: an apply makes it the agent of the token.',
      versions: VERSIONS,
      listed: true,
      isChanger: true,
    },
    created_at: { about: 'When it was made.', versions: VERSIONS },
    updated_at: {
      about: 'When it was changed last. Nothing says when, or whether, it was used.',
      versions: VERSIONS,
      listed: true,
    },
  },
  required: ['text', 'tags', 'group'],
  id: 'integer',
  unique: ['tags', 'group', 'is_private'],
  prune: 'owned',
  inPart: true,
  goesWith: 'group',
  check: ({ is_private }, report) => {
    if (is_private === true)
      report(
        ['is_private'],
        'not-allowed',
        'an apply makes it the text of the agent of the token, and nobody else can use it',
        'leave it out for a text of the team, and the text itself out for one of a person',
        'warning',
      );
  },
  identity: ['tags', 'group', 'is_private'],
  naturalKeys: [
    {
      about: 'group and first tag',
      ofDesired: ({ spec }, resolve) => {
        const group = spec.group === undefined ? null : resolve(spec.group);
        return group === null ? null : groupAndShortcut(String(group), spec);
      },
      ofLive: ({ spec }) => groupAndShortcut(String(spec.group), spec),
    },
  ],
  read,
  create: (given, context) => ({ action: 'create_canned_response', body: body(given, context) }),
  update: (id, given, context) => ({ action: 'update_canned_response', body: { id, ...body(given, context) } }),
  remove: (id) => ({ action: 'delete_canned_response', body: { id } }),
  createdId: (reply) => rowOf('create_canned_response', reply).integer('id'),
  seed: {
    sections: (responses, { has }) => ({
      canned_responses: responses.flatMap(({ id, spec: { group, ...spec }, facts }) =>
        has('group', String(group)) || group === '0'
          ? [{ ...spec, ...present(facts.computed ?? {}), id: Number(id), group_id: Number(group) }]
          : [],
      ),
    }),
  },
});

function present(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
