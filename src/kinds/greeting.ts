// Everything that is known about greetings. today/configuration.md, "Greetings".

import { since } from '../base/api-versions.ts';
import { FORMATS } from '../base/formats.ts';
import type { JsonObject, LiveObject, ObjectId } from '../base/model.ts';
import { type Fields, PLAIN, type SpecOf, type Unchecked } from './field.ts';
import {
  canonicalProperties,
  checkMessage,
  knownProperties,
  messageSchema,
  PROPERTY_KEYS,
  withButtonIds,
  withoutButtonIds,
  withUnknownProperties,
} from './greeting-message.ts';
import { canonicalRules, checkRules, rulePhrases, rulesSchema, writtenRulesSchema } from './greeting-rules.ts';
import { type CallContext, defineKind, type KindReader, type Report } from './kind.ts';
import { isGone, pagedRows, type ReplyRow, rowOf, seedFields } from './wire.ts';

/** RFC 3339, on a day that exists: `Date.parse` takes February 30 for a day of March. */
function isDateTime(text: string): boolean {
  const day = text.slice(0, 10);
  return text !== '' && FORMATS.timestamp(text) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** Times are compared as instants; an empty text is no time. */
function date(about: string) {
  return {
    ...PLAIN,
    about: `${about}, such as \`2026-12-31T23:00:00Z\`; an empty text clears it.`,
    schema: { type: 'string' },
    absent: '',
    canonical: (value: unknown) =>
      typeof value === 'string' && isDateTime(value)
        ? new Date(value).toISOString().replace(/\.000Z$/, 'Z')
        : ((value ?? '') as string),
  } as const;
}

const fields = {
  name: {
    ...PLAIN,
    about:
      'Name of the greeting, which visitors do not see. Names need not be unique on the service; if declared greetings of a group share one, all but one must state their `id`.',
    schema: { type: 'string', minLength: 1 },
  },
  group: {
    ...PLAIN,
    about: 'The group whose visitors see it. It cannot change: another group means another greeting.',
    schema: { $ref: '#/$defs/group_reference' },
    writable: 'create',
    references: { kind: 'group', at: 'value' },
  },
  type: {
    ...PLAIN,
    about: 'A `normal` greeting, or an `announcement`.',
    schema: { enum: ['normal', 'announcement'] },
    default: 'normal',
  },
  active: { ...PLAIN, about: 'Whether it shows at all.', schema: { type: 'boolean' }, default: true },
  active_from: date('When it begins to show'),
  active_until: date('When it stops to show'),
  rules: {
    ...PLAIN,
    about:
      'When a visitor sees it: at most 10 rules, which combine in their order by `condition`. Without a rule it shows at once.',
    schema: rulesSchema,
    written: writtenRulesSchema,
    shape: 'list',
    canonical: canonicalRules,
    phrases: rulePhrases,
  },
  properties: {
    ...PLAIN,
    about: 'Text and options of the greeting. Keys that neither the pages nor the manifest name stay as they are.',
    schema: {
      type: 'object',
      additionalProperties: { type: 'string', description: 'Another property.' },
      properties: Object.fromEntries(
        Object.entries(PROPERTY_KEYS).map(([name, description]) => [name, { type: 'string', description }]),
      ),
    },
    written: {
      type: 'object',
      additionalProperties: { type: ['string', 'boolean', 'number'], description: 'Another property.' },
      properties: Object.fromEntries(
        Object.entries(PROPERTY_KEYS).map(([name, description]) => [
          name,
          { type: ['string', 'boolean', 'number'], description },
        ]),
      ),
    },
    shape: 'map',
    absent: {},
    canonical: canonicalProperties,
    align: knownProperties,
    carried: withUnknownProperties,
  },
  rich_message: {
    ...PLAIN,
    about: 'Cards, a sticker or quick replies, in place of a text or next to it.',
    schema: messageSchema,
    shape: 'object',
    canonical: withoutButtonIds,
    carried: withButtonIds,
  },
} as const satisfies Fields;

type Greeting = SpecOf<typeof fields>;

/** A date that was cleared is null: that an update clears it so is not stated. */
function body(
  { group, active_from: from, active_until: until, ...rest }: Greeting,
  { resolve }: CallContext,
): JsonObject {
  return {
    ...rest,
    ...(group === undefined ? {} : { group: Number(resolve(group)) }),
    ...(from === undefined ? {} : { active_from: from || null }),
    ...(until === undefined ? {} : { active_until: until || null }),
  };
}

function liveGreeting(row: ReplyRow): LiveObject {
  const id = row.integer('id');
  const name = row.text('name');
  const message = row.raw('rich_message');
  const read = ['type', 'active', 'rules', 'properties'].flatMap((field) => {
    const value = row.raw(field);
    return value === undefined ? [] : [[field, value] as const];
  });
  return {
    kind: 'greeting',
    id,
    name,
    spec: {
      ...Object.fromEntries(read),
      name,
      group: String(row.integer('group')),
      active_from: row.raw('active_from') ?? '',
      active_until: row.raw('active_until') ?? '',
      ...(message === undefined ? {} : { rich_message: message }),
    },
    facts: message === undefined ? {} : { generated: { rich_message: message } },
  };
}

const MOST_OF_PAGE = 100;

/**
 * Every page of the list, and each wanted greeting that it lacks: it shows the greetings of accessible groups only, so that what is not in it may
 * still exist.
 */
async function read(reader: KindReader): Promise<readonly LiveObject[]> {
  const rows = await pagedRows(reader, 'list_greetings', 'greetings', { limit: MOST_OF_PAGE });
  const listed = new Map(rows.map((row) => [row.integer('id'), row]));
  // A person may have asked for a name, which no greeting has as its id.
  const ids = reader.wanted === 'all' ? [] : [...reader.wanted.ids];
  const wanted = ids.filter((id) => typeof id === 'number' && !listed.has(id));
  const others = await Promise.all(wanted.map((id) => one(reader, id)));
  return [...listed.values(), ...others.flatMap((row) => row ?? [])].map(liveGreeting);
}

async function one({ ask }: KindReader, id: ObjectId): Promise<ReplyRow | null> {
  try {
    return rowOf('get_greeting', await ask('get_greeting', { id }));
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function check(written: Unchecked<Greeting>, report: Report, version: Parameters<typeof checkRules>[2]): void {
  const { rules, rich_message: message, properties, active_from: from, active_until: until } = written;
  checkRules(rules, report, version);
  checkMessage(message, properties, report);
  const dates = Object.entries({ active_from: from, active_until: until });
  for (const [name, value] of dates)
    if (typeof value === 'string' && value !== '' && !isDateTime(value))
      report(
        [name],
        'bad-date',
        `\`${value}\` is no time`,
        /^\d?\d:\d\d/.test(value) ? OF_HOURS : 'write it with its zone, such as `2026-12-31T23:00:00Z`',
      );
  if (
    dates.every(([, value]) => typeof value === 'string' && isDateTime(value)) &&
    Date.parse(String(from)) >= Date.parse(String(until))
  )
    report(['active_until'], 'bad-range', 'it ends before it begins', 'write a later `active_until`');
}

/** What keeps a greeting from showing at night. */
const OF_HOURS =
  'a greeting has no hours of the day: write `properties: { smart_actions: { greeting.hide_when_offline: true } }` into its group, whose members need a `work_scheduler`';
const OF_TEXT = 'write `properties: { greeting-message_text: ... }`';

function groupAndName(group: string, { name }: Greeting): string {
  return JSON.stringify([group, name ?? null]);
}

export const greeting = defineKind(fields, {
  name: 'greeting',
  versions: since('3.6'),
  noun: { one: 'greeting', many: 'greetings' },
  about:
    'Greetings that visitors of a group are shown when their rules match. The key is a name of your choice. Since 3.6.',
  at: ['greetings', '*'],
  entry: 'fields',
  columns: ['group', 'active', 'rules'],
  summary: ({ active }, said) => [
    said('name'),
    said('group'),
    active === false ? 'not active' : undefined,
    said('rules'),
  ],
  instead: {
    hours: OF_HOURS,
    schedule: OF_HOURS,
    work_scheduler: OF_HOURS,
    text: OF_TEXT,
    message: OF_TEXT,
  },
  required: ['name', 'group', 'rules'],
  id: 'integer',
  unique: ['name', 'group'],
  prune: 'owned',
  inPart: true,
  replacing: {
    loses:
      'statistics of conversions are lost, because reports know a greeting by its id; to keep them, declare another greeting for the new group, and set `active: false` here',
    remade: (live, desired) => ({ ...live, ...desired }),
  },
  goesWith: 'group',
  forfeits: 'its conversions stand in reports without a name; `active: false` also ends it, and keeps them',
  check,
  identity: ['group', 'name'],
  naturalKeys: [
    {
      about: 'group and name',
      ofDesired: ({ spec }, resolve) => {
        const group = spec.group === undefined ? null : resolve(spec.group);
        return group === null ? null : groupAndName(String(group), spec);
      },
      ofLive: ({ spec }) => groupAndName(String(spec.group), spec),
    },
  ],
  read,
  create: (given, context) => ({
    action: 'create_greeting',
    body: withoutNothing({ type: 'normal', active: true, rules: [], ...body(given, context) }),
  }),
  update: (id, given, context) => ({ action: 'update_greeting', body: { id, ...body(given, context) } }),
  remove: (id) => ({ action: 'delete_greeting', body: { id } }),
  createdId: (reply) => rowOf('create_greeting', reply).integer('id'),
  seed: {
    sections: (greetings, { has }) => ({
      greetings: greetings.flatMap(({ id, spec, facts }) =>
        has('group', String(spec.group)) || spec.group === '0'
          ? [{ ...seedFields(spec), ...facts.generated, id: Number(id), group: Number(spec.group) }]
          : [],
      ),
    }),
  },
});

/** A create has no date to clear. */
function withoutNothing(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}
