// Everything that is known about bots. Specification: "Bot", "Bots".

import { since } from '../base/api-versions.ts';
import { byText, isList, isObject } from '../base/json.ts';
import { type Json, type JsonObject, type LiveObject, type ObjectId, VERSIONS, type Version } from '../base/model.ts';
import { ROUTING_STATUSES } from '../base/routing-status.ts';
import { counted } from '../base/text.ts';
import { hasAction } from './actions.ts';
import { hasFeature } from './features.ts';
import { type Field, type Fields, PLAIN, type SpecOf, type Unchecked } from './field.ts';
import { type Bar, type CallContext, defineKind, type KindReader, type Maker, type Refusal } from './kind.ts';
import { groupsBody, membershipSchema, prioritySchema } from './priority.ts';
import { checkScheduler, workScheduler } from './scheduler.ts';
import { listWithSchedulers, schedulerAfter, schedulerBody, seedScheduler } from './scheduler-wire.ts';
import {
  groupPriorities,
  isForbidden,
  isGone,
  isWanted,
  type ReplyRow,
  readFields,
  rowOf,
  rowsOf,
  secretOf,
  seedFields,
} from './wire.ts';

/** Fields that a bot and the template it is made from have in common. */
export const botFields = {
  name: {
    ...PLAIN,
    about:
      'Display name. Names need not be unique on the service; if declared ones share a name and an owner client, all but one must state their `id`.',
    schema: { type: 'string', minLength: 1 },
  },
  avatar: {
    ...PLAIN,
    about: 'URL of the avatar.',
    schema: { type: 'string' },
    absent: '',
    chosen: true,
  },
  max_chats_count: {
    ...PLAIN,
    about: 'How many chats the bot can have at the same time.',
    schema: { type: 'integer', minimum: 0 },
    default: 6,
    limit: { create: 'bot_chats', update: 'bot_chats' },
  },
  default_group_priority: {
    ...PLAIN,
    about: 'Priority in groups for which none is set.',
    schema: prioritySchema,
    readable: 'get',
  },
  job_title: {
    ...PLAIN,
    about: 'Job title, shown to customers.',
    schema: { type: 'string' },
    absent: '',
  },
  owner_client_id: {
    about: 'The application (client) that owns it. Needed with a personal access token.',
    schema: { type: 'string', minLength: 1, pattern: '^[^/]+$' },
    shape: 'scalar',
    readable: 'get',
    writable: 'create',
  },
} as const satisfies Fields;

const fields = {
  ...botFields,
  job_title: {
    ...PLAIN,
    about: 'Job title, shown to customers. In 3.3 it can be set when the bot is created and never changed afterwards.',
    schema: { type: 'string' },
    writable: { '3.3': 'create', '3.5': 'always' },
    absent: '',
  },
  type: {
    ...PLAIN,
    about: 'What the bot is, such as `chatbot` or `ai_agent`. No page says that the service returns it.',
    schema: { type: 'string', minLength: 1 },
    default: 'chatbot',
    readable: { '3.3': 'never', '3.6': 'sometimes' },
    writable: { '3.3': 'never', '3.6': 'always' },
  },
  routing_status: {
    ...PLAIN,
    about:
      'Whether the bot accepts chats. A new bot is `offline`, so it gets no chats and its webhooks are not called, until this is set. The Agent Chat API sets and lists it.',
    schema: { enum: ROUTING_STATUSES },
    writable: 'transition',
    default: 'offline',
    absent: 'offline',
    hiddenBy: 'work_scheduler',
  },
  groups: {
    ...PLAIN,
    about: 'The groups the bot works in, with its priority in each. Declared, it is complete.',
    schema: { type: 'object', additionalProperties: prioritySchema },
    written: membershipSchema,
    shape: 'map',
    absent: {},
    references: { kind: 'group', at: 'keys' },
  },
  work_scheduler: workScheduler,
} as const satisfies Fields;

type Bot = SpecOf<typeof fields>;

const LISTED_ON_REQUEST = ['groups', 'work_scheduler', 'job_title', 'max_chats_count'] as const;

function body(
  { groups, work_scheduler: hours, routing_status: _late, ...rest }: Bot,
  context: CallContext,
): JsonObject {
  return { ...rest, ...schedulerBody(hours, context.version, 'bot'), ...groupsBody(groups, context) };
}

/** The replies of `get_bot`, where fields that only it returns are of interest. A bot that vanished between the calls is left out. */
async function details(reader: KindReader, rows: readonly ReplyRow[]): Promise<ReadonlyMap<ObjectId, ReplyRow>> {
  const needed = Object.entries<Field>(fields).some(
    ([name, field]) => field.readable === 'get' && reader.fields.has(name),
  );
  const { adopted, complete } = reader;
  const wanted = rows.filter(
    (row) => complete || adopted.has(row.text('id')) || (needed && isWanted(reader.wanted, row)),
  );
  const found = await Promise.all(
    wanted.map(async (row): Promise<readonly [ObjectId, ReplyRow] | null> => {
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

/** Status by bot; null where it is not of interest, or this token may not list it. A bot that is not listed is offline. */
type Statuses = ReadonlyMap<string, string> | null;

async function routingStatuses(reader: KindReader): Promise<Statuses> {
  if (!reader.fields.has('routing_status')) return null;
  try {
    const rows = rowsOf('list_routing_statuses', await reader.ask('list_routing_statuses', {}));
    return new Map(rows.map((row) => [row.text('agent_id'), row.text('status').replaceAll(' ', '_')]));
  } catch (error) {
    if (isForbidden(error)) return null;
    throw error;
  }
}

function hasHours(scheduler: Json | undefined): boolean {
  return isObject(scheduler) && isList(scheduler['schedule']) && scheduler['schedule'].length > 0;
}

/** Outside of its hours a bot may be listed as offline, so that says nothing of what was set. */
function statusOf(id: string, statuses: Statuses, scheduler: Json | undefined): string | undefined {
  const status = statuses === null ? undefined : (statuses.get(id) ?? 'offline');
  return status === 'offline' && hasHours(scheduler) ? undefined : status;
}

interface BotReading {
  readonly row: ReplyRow;
  readonly scheduler: Json | undefined;
  readonly statuses: Statuses;
  readonly detail: ReplyRow | undefined;
  readonly derived: boolean;
  readonly spared: string | null;
}

function liveBot({ row, scheduler, statuses, detail, derived, spared }: BotReading): LiveObject {
  const read: { readonly [field: string]: Json | undefined } = {
    name: row.text('name'),
    avatar: row.raw('avatar_path') ?? '',
    max_chats_count: row.raw('max_chats_count'),
    job_title: row.raw('job_title') ?? '',
    groups: groupPriorities('list_bots', row),
    work_scheduler: scheduler,
    type: row.raw('type') ?? detail?.raw('type'),
    routing_status: statusOf(row.text('id'), statuses, scheduler),
    default_group_priority: detail?.raw('default_group_priority'),
    owner_client_id: detail?.raw('owner_client_id'),
  };
  const { spec, unread } = readFields(Object.keys(read), (name) => read[name]);
  const facts = {
    ...(derived ? { derived: true as const } : {}),
    ...(spared === null ? {} : { spared }),
    ...(unread.length > 0 ? { unread } : {}),
  };
  return { kind: 'bot', id: row.text('id'), name: row.text('name'), spec, facts };
}

/** Templates by owner client. A template makes a bot with its own id wherever the application is. Service notes, "Bots and templates". */
type Templates = ReadonlyMap<string, ReadonlySet<string>>;

async function templateIds(reader: KindReader, owner_client_id: string): Promise<ReadonlySet<string>> {
  const rows = rowsOf('list_bot_templates', await reader.ask('list_bot_templates', { owner_client_id }));
  return new Set(rows.map((row) => row.text('id')));
}

async function listedTemplates(reader: KindReader): Promise<Templates> {
  if (!hasAction('list_bot_templates', reader.version)) return new Map();
  return new Map(
    await Promise.all(reader.clients.map(async (owner) => [owner, await templateIds(reader, owner)] as const)),
  );
}

/** Templates of the other clients whose bots are to be told apart, as far as the token may list them. */
async function otherTemplates(reader: KindReader, detailed: ReadonlyMap<ObjectId, ReplyRow>): Promise<Templates> {
  if (!hasAction('list_bot_templates', reader.version)) return new Map();
  const doubtful = Array.from(detailed.values()).filter((row) => reader.makers || reader.adopted.has(row.text('id')));
  const owners = new Set(doubtful.flatMap((row) => ownerIn(row) ?? []));
  const found = await Promise.all(
    [...owners]
      .filter((owner) => !reader.clients.includes(owner))
      .sort(byText)
      .map(async (owner): Promise<readonly (readonly [string, ReadonlySet<string>])[]> => {
        try {
          return [[owner, await templateIds(reader, owner)]];
        } catch (error) {
          if (isForbidden(error)) return [];
          throw error;
        }
      }),
  );
  return new Map(found.flat());
}

function ownerIn(detail: ReplyRow | undefined): string | null {
  const owner = detail?.raw('owner_client_id');
  return typeof owner === 'string' ? owner : null;
}

/** Why a bot is neither imported nor deleted: a template may have made it. Null where that is known, or does not matter. */
function sparedIn(
  { version, clients, complete, adopted, makers }: KindReader,
  id: string,
  owner: string | null,
  templates: Templates,
): string | null {
  const tells = hasAction('list_bot_templates', version);
  const isAsked = adopted.has(id) || (makers && tells);
  if (!isAsked && !complete) return null;
  if (!tells) return `version ${version} does not tell whether a template made it`;
  if (owner !== null && (isAsked ? templates.has(owner) : clients.includes(owner))) return null;
  const client = owner ?? 'a client that is not known';
  return isAsked
    ? `a template may have made it: it belongs to ${client}, whose templates this token may not list`
    : `it belongs to ${client}, whose templates are not looked at; \`clients:\` in chatform.yaml says which are`;
}

async function read(reader: KindReader): Promise<readonly LiveObject[]> {
  // Without weekly hours, the zone of a bot stands next to them.
  const asked = hasFeature('weeklyHours', reader.version) ? LISTED_ON_REQUEST : [...LISTED_ON_REQUEST, 'timezone'];
  const [{ rows, scheduler }, templates, statuses] = await Promise.all([
    listWithSchedulers(reader, { list: 'list_bots', get: 'get_bot', fields: asked, body: { all: true } }),
    listedTemplates(reader),
    routingStatuses(reader),
  ]);
  const detailed = await details(reader, rows);
  const known: Templates = new Map([...templates, ...(await otherTemplates(reader, detailed))]);
  return rows.map((row) => {
    const id = row.text('id');
    const detail = detailed.get(id);
    const derived = Array.from(known.values()).some((ids) => ids.has(id));
    const spared = sparedIn(reader, id, ownerIn(detail), known);
    return liveBot({ row, scheduler: scheduler(row), statuses, detail, derived, spared });
  });
}

/** Specification: "Bots", Rules. */
function creatable({ owner_client_id: owner }: Unchecked<Bot>, { version, credential }: Maker): Refusal | null {
  if (credential === 'basic' && owner === undefined)
    return {
      severity: 'error',
      code: 'missing-field',
      message: 'a personal access token creates a bot only for an owner client',
      remedy: 'add `owner_client_id`',
    };
  if (credential === 'bearer' && !hasFeature('ownersOfBots', version) && owner !== undefined)
    return {
      severity: 'error',
      code: 'unsupported-by-version',
      message: `version ${version} of the service creates a bot for the client of the bearer token, and refuses another`,
      remedy: 'remove `owner_client_id` with an overlay of this target, or use a personal access token (`account_id`)',
    };
  return null;
}

function seedBot({ id, name, spec }: LiveObject<Bot>, version: Version): JsonObject {
  const { groups = {}, work_scheduler: _hours, routing_status: _status, ...rest } = spec;
  return {
    ...seedFields(rest),
    id: String(id),
    name,
    ...groupsBody(groups, { resolve: (group) => group }),
    ...seedScheduler(spec, version),
  };
}

function bar({ routing_status: status }: Bot): Bar | null {
  if (status === 'offline') return 'offline';
  return status === 'not_accepting_chats' ? 'not accepting chats' : null;
}

function nameAndOwner({ name, owner_client_id: owner }: Bot): string {
  return JSON.stringify([name ?? null, owner ?? null]);
}

/** Milliseconds. Specification: "Bot templates and bot tokens (3.6)", valid 24 hours. */
const TOKEN_VALIDITY = 24 * 60 * 60 * 1000;

export const bot = defineKind(fields, {
  name: 'bot',
  madeBy: 'bot_template',
  versions: VERSIONS,
  noun: { one: 'bot', many: 'bots' },
  about: 'Automated members of groups. The key is a name of your choice.',
  at: ['bots', '*'],
  entry: 'fields',
  columns: ['max_chats_count', 'groups'],
  summary: ({ max_chats_count: chats, routing_status: status }, said) => [
    said('name'),
    chats === undefined ? undefined : counted(chats, 'chat'),
    status === 'accepting_chats' ? 'accepts chats' : undefined,
    said('groups'),
    said('work_scheduler'),
  ],
  computed: {
    secret: { about: 'Returned once, when the bot is created, and kept in `secrets:`.', versions: since('3.5') },
  },
  required: ['name'],
  id: 'string',
  external: true,
  unique: ['name', 'owner_client_id'],
  prune: 'owned',
  inPart: true,
  check: ({ work_scheduler: hours }, report, version) => checkScheduler(hours, 'bot', version, report),
  creatable,
  identity: ['name', 'owner_client_id'],
  naturalKeys: [
    {
      about: 'name and owner client, where the owner is declared',
      ofDesired: ({ spec }) =>
        spec.name === undefined || spec.owner_client_id === undefined ? null : nameAndOwner(spec),
      ofLive: ({ spec }) => nameAndOwner(spec),
    },
    {
      about: 'the name',
      ofDesired: ({ spec }) => (spec.owner_client_id === undefined ? (spec.name ?? null) : null),
      ofLive: ({ spec }) => spec.name ?? null,
    },
  ],
  read,
  create: (given, context) => ({ action: 'create_bot', body: body(given, context) }),
  update: (id, given, context) => ({ action: 'update_bot', body: { id, ...body(given, context) } }),
  remove: (id) => ({ action: 'delete_bot', body: { id } }),
  createdId: (reply) => rowOf('create_bot', reply).text('id'),
  secret: {
    versions: since('3.5'),
    of: (reply) => secretOf('create_bot', reply),
    reset: {
      call: (id, { owner }) => ({
        action: 'reset_bot_secret',
        body: { id, ...(owner === null ? {} : { owner_client_id: owner }) },
      }),
      of: (reply) => secretOf('reset_bot_secret', reply),
      owner: { field: 'owner_client_id', isNeeded: (credential) => credential === 'basic' },
    },
    token: {
      call: (id, { client, secret, organization }) => ({
        action: 'issue_bot_token',
        body: { bot_id: String(id), client_id: client, bot_secret: secret, organization_id: organization },
      }),
      of: (reply) => secretOf('issue_bot_token', reply, 'token'),
      lasts: TOKEN_VALIDITY,
    },
  },
  seed: {
    sections: (bots, { version }) => ({
      bots: bots.map((each) => seedBot(each, version)),
      presence: Object.fromEntries(
        bots.flatMap(({ id, spec: { routing_status: status } }) => (status === undefined ? [] : [[id, status]])),
      ),
    }),
    after: (bot, version) => schedulerAfter(bot, version, 'bot'),
  },
  handsOver: 'hands_over_to',
  serving: {
    groups: 'groups',
    slots: 'max_chats_count',
    hours: 'work_scheduler',
    zoned: VERSIONS,
    tireless: true,
    bar,
    doubt: ({ routing_status: status }) => (status === undefined ? 'offline' : null),
  },
  transitions: {
    routing_status: (status, id) => ({ action: 'set_routing_status', body: { agent_id: id, status } }),
  },
  manualStep: {
    text: 'set its routing status, or declare `routing_status: accepting_chats`: until then a new bot gets no chats',
    unless: 'routing_status',
  },
});
