// Everything that is known about groups. Specification: "Group", "Groups".

import { inEachVersion } from '../base/api-versions.ts';
import { isObject } from '../base/json.ts';
import { type JsonObject, type LiveObject, VERSIONS } from '../base/model.ts';
import { clear } from '../base/text.ts';
import { type Fields, PLAIN, type SpecOf, type Unchecked } from './field.ts';
import {
  type CallContext,
  defineKind,
  type KindReader,
  type Maker,
  type Refusal,
  type Report,
  type SeedContext,
} from './kind.ts';
import { keepsOthers, membersIn, membersNamed, membersSchema, NOT_IN, OTHERS, prioritySchema } from './priority.ts';
import { entriesOf, type ReplyRow, rowOf, rowsOf, seedFields } from './wire.ts';

const fields = {
  name: {
    ...PLAIN,
    about:
      'Name of the group. Names need not be unique on the service; if declared groups share one, all but one must state their `id`.',
    schema: { type: 'string', minLength: 1 },
    limit: { create: 'group_name_length', update: 'group_name_length' },
  },
  language_code: {
    ...PLAIN,
    about: 'Language of the group, such as `en`.',
    schema: { type: 'string', minLength: 1 },
    default: 'en',
    absent: 'en',
  },
  agent_priorities: {
    ...PLAIN,
    about:
      'The agents of the group, with their priority. Declared, it is complete: other members are removed, unless it says `others: keep`.',
    schema: { type: 'object', additionalProperties: prioritySchema },
    written: membersSchema,
    shape: 'map',
    absent: {},
    references: { kind: 'agent', at: 'keys', besides: OTHERS },
    align: membersNamed,
    phrases: (value, named) =>
      Object.entries(isObject(value) ? membersIn(value) : {}).map(([key, member]) => ({
        key,
        about: named(key),
        says: `(${clear(member)})`,
      })),
  },
} as const satisfies Fields;

type Group = SpecOf<typeof fields>;

function body({ agent_priorities: members, ...rest }: Group, { resolve }: CallContext): JsonObject {
  if (members === undefined) return rest;
  const priorities = Object.entries(members).map(([agent, priority]) => [String(resolve(agent)), priority]);
  return { ...rest, agent_priorities: Object.fromEntries(priorities) };
}

function liveGroup(row: ReplyRow): LiveObject {
  const id = row.integer('id');
  const name = row.text('name');
  const members = entriesOf('list_groups', row.raw('agent_priorities') ?? {}, 'agent_priorities').map(
    ([agent, priority]) => [agent, rowOf('list_groups', { priority }).text('priority')],
  );
  return {
    kind: 'group',
    id,
    name,
    spec: { name, language_code: row.raw('language_code') ?? 'en', agent_priorities: Object.fromEntries(members) },
    facts: id === 0 ? { builtin: true } : {},
  };
}

async function read(reader: KindReader): Promise<readonly LiveObject[]> {
  const reply = await reader.ask('list_groups', { fields: ['agent_priorities'] });
  return rowsOf('list_groups', reply).map(liveGroup);
}

/** The priority that at least one agent of a group must have. Specification: "Groups", create_group (3.3). */
export const NEEDED_PRIORITY = inEachVersion<string | null>({ '3.3': 'normal', '3.6': null });

function creatable({ agent_priorities: members }: Unchecked<Group>, { version }: Maker): Refusal | null {
  const needed = NEEDED_PRIORITY[version];
  if (needed === null || (isObject(members) && Object.values(members).includes(needed))) return null;
  return {
    severity: 'error',
    code: 'missing-field',
    message: `version ${version} of the service creates a group only with an agent whose priority is \`${needed}\``,
    remedy: `give one of its agents the priority \`${needed}\``,
  };
}

function checkMembers(members: Unchecked<Group>['agent_priorities'], report: Report): void {
  if (!isObject(members) || keepsOthers(members)) return;
  for (const [agent, priority] of Object.entries(members)) {
    if (priority !== NOT_IN) continue;
    const message = `\`${NOT_IN}\` says nothing in a complete list of members: who is not named is not in the group`;
    report(['agent_priorities', agent], 'not-allowed', message, `remove the line, or add \`${OTHERS}: keep\``);
  }
}

function languageNames(inLanguage: string): Intl.DisplayNames {
  return new Intl.DisplayNames(inLanguage, { type: 'language', fallback: 'none' });
}

/** The languages of two letters that Intl knows. To ask Intl takes as long as to check a hundred groups. */
export const LANGUAGES: ReadonlySet<string> = new Set(
  (
    'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa' +
    ' ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl' +
    ' km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om' +
    ' or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts' +
    ' tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'
  ).split(' '),
);

function isLanguage(code: string): boolean {
  if (!/^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i.test(code)) return false;
  const [language = ''] = code.split(/[-_]/);
  return LANGUAGES.has(language.toLowerCase()) || languageNames('en').of(language) !== undefined;
}

/** The code of a language that is written by its name: in English, or as its speakers call it. Null for no name of a language. */
function languageNamed(name: string): string | null {
  const [english, wanted] = [languageNames('en'), name.trim().toLowerCase()];
  const isNamed = (code: string): boolean => {
    const known = english.of(code);
    return (
      known?.toLowerCase() === wanted || (known !== undefined && languageNames(code).of(code)?.toLowerCase() === wanted)
    );
  };
  return [...LANGUAGES].find(isNamed) ?? null;
}

function seedGroup({ id, name, spec, facts }: LiveObject<Group>, { has }: SeedContext): JsonObject {
  const { agent_priorities: members = {}, ...rest } = spec;
  // A group may list its bots next to its agents; the bots themselves say where they belong.
  const agents = Object.entries(facts.members ?? members).filter(([member]) => !has('bot', member));
  return { ...seedFields(rest), id: Number(id), name, agent_priorities: Object.fromEntries(agents) };
}

export const group = defineKind(fields, {
  name: 'group',
  versions: VERSIONS,
  noun: { one: 'group', many: 'groups' },
  about: 'Teams that chats are routed to. The key is a name of your choice that rules, agents and bots refer to.',
  at: ['groups', '*'],
  allowance: 'groups',
  entry: 'fields',
  columns: ['language_code', 'agent_priorities'],
  summary: (_spec, said) => [said('name'), said('language_code'), said('agent_priorities')],
  computed: {
    routing_status: { about: 'Whether a member of the group accepts chats.', versions: VERSIONS },
  },
  required: ['name'],
  id: 'integer',
  external: true,
  unique: ['name'],
  capacity: { limit: 'groups', per: 'license' },
  prune: 'owned',
  inPart: true,
  forfeits:
    'what was not managed here is lost: its property values, greetings and canned responses, and its place in bots and rules',
  check: ({ language_code: code, agent_priorities: members }, report) => {
    checkMembers(members, report);
    if (typeof code !== 'string' || code === '' || isLanguage(code)) return;
    const named = languageNamed(code);
    const remedy = named === null ? 'write a code such as `en` or `pt-br`' : `write \`${named}\``;
    report(['language_code'], 'not-allowed', `no language has the code \`${code}\``, remedy, 'warning');
  },
  creatable,
  identity: ['name'],
  naturalKeys: [
    {
      about: 'the name',
      ofDesired: ({ spec }) => spec.name ?? null,
      ofLive: ({ name }) => name,
    },
  ],
  read,
  create: (given, context) => ({ action: 'create_group', body: { agent_priorities: {}, ...body(given, context) } }),
  update: (id, given, context) => ({ action: 'update_group', body: { id, ...body(given, context) } }),
  remove: (id) => ({ action: 'delete_group', body: { id } }),
  createdId: (reply) => rowOf('create_group', reply).integer('id'),
  seed: {
    sections: (groups, context) => ({
      groups: [
        ...groups.map((each) => seedGroup(each, context)),
        // Group 0 comes with every license.
        ...context.missing.filter((id) => id !== '0').map((id) => ({ id: Number(id), name: id })),
      ],
    }),
  },
});
