// Everything that is known about agents. Specification: "Agent", "Agents".

import { inVersion, type Since, since } from '../base/api-versions.ts';
import { type Facts, type Json, type JsonObject, type LiveObject, VERSIONS, type Version } from '../base/model.ts';
import { miswritten, personOf, plainly } from '../base/person.ts';
import { counted } from '../base/text.ts';
import { type Fields, PLAIN, type SpecOf } from './field.ts';
import {
  type AccountRights,
  type Bar,
  type CallContext,
  defineKind,
  type KindReader,
  type Refusal,
  type SeedContext,
} from './kind.ts';
import { groupsBody, membershipSchema, prioritySchema } from './priority.ts';
import { agentScheduler, checkScheduler } from './scheduler.ts';
import { listWithSchedulers, schedulerAfter, schedulerBody, seedScheduler } from './scheduler-wire.ts';
import { groupPriorities, type ReplyRow, readFields, seedFields } from './wire.ts';

const NOTIFICATIONS = [
  'new_visitor',
  'incoming_chat',
  'returning_visitor',
  'queued_visitor',
  'visitor_is_typing',
  'new_goal',
  'unassigned_chats',
  'unassigned_chat_messages',
  'ticket',
  'inactive_notifications',
  'mute_all_sounds',
  'repeat_sound_notifications',
  'ticket_notifications',
  'incoming_message_for_focused_chat',
] as const;

const fields = {
  name: {
    ...PLAIN,
    about: 'Name of the agent. Since 3.6 it can be set when the agent is created and never changed here afterwards.',
    schema: { type: 'string', minLength: 1 },
    writable: { '3.3': 'always', '3.6': 'create' },
  },
  role: {
    ...PLAIN,
    about: 'What the agent may do. The role `owner` exists but can be neither given nor taken here.',
    schema: { enum: ['viceowner', 'administrator', 'normal'] },
    default: 'normal',
    structural: true,
    frozen: ({ facts }) => (facts.owner === true ? 'the owner of the license keeps that role' : null),
  },
  avatar_path: {
    ...PLAIN,
    about: 'URL of the avatar. Only 3.3 and 3.5 can set it.',
    schema: { type: 'string' },
    writable: { '3.3': 'always', '3.6': 'never' },
    absent: '',
    chosen: true,
  },
  login_status: {
    ...PLAIN,
    about: 'Status right after the agent logs in.',
    schema: { enum: ['accepting chats', 'not accepting chats'] },
    default: 'not accepting chats',
    absent: 'not accepting chats',
  },
  job_title: {
    ...PLAIN,
    about: 'Job title, shown to customers.',
    schema: { type: 'string' },
    absent: '',
  },
  mobile: {
    ...PLAIN,
    about: 'Mobile phone number.',
    schema: { type: 'string' },
    absent: '',
  },
  max_chats_count: {
    ...PLAIN,
    about: 'How many chats the agent can have at the same time.',
    schema: { type: 'integer', minimum: 0 },
    default: 6,
    limit: { create: 'agent_chats_on_create', update: 'agent_chats_on_update' },
  },
  awaiting_approval: {
    ...PLAIN,
    about:
      'Whether the agent waits for approval. Only a token with the private scope subscription.lc:rw can create or make an approved agent.',
    schema: { type: 'boolean' },
    writable: 'transition',
    onCreate: true,
    default: true,
    absent: false,
    chosen: true,
    structural: true,
  },
  suspended: {
    ...PLAIN,
    about:
      'Whether the agent is suspended, so that the account stays but cannot be used. Changing it needs private scopes.',
    schema: { type: 'boolean' },
    writable: 'transition',
    default: false,
    absent: false,
    structural: true,
    frozen: ({ facts }) => (facts.owner === true ? 'the owner of the license cannot be suspended' : null),
  },
  groups: {
    ...PLAIN,
    about:
      'The groups the agent belongs to, with the priority in each. Declared, it is complete: other memberships are removed.',
    schema: { type: 'object', additionalProperties: prioritySchema },
    written: membershipSchema,
    shape: 'map',
    absent: {},
    references: { kind: 'group', at: 'keys' },
  },
  notifications: {
    ...PLAIN,
    about: 'Notifications that are switched on.',
    schema: { type: 'array', uniqueItems: true, items: { enum: NOTIFICATIONS } },
    shape: 'set',
    absent: [],
    chosen: true,
  },
  email_subscriptions: {
    ...PLAIN,
    about: 'Summaries that are sent by e-mail.',
    schema: { type: 'array', uniqueItems: true, items: { enum: ['daily_summary', 'weekly_summary'] } },
    shape: 'set',
    absent: [],
    chosen: true,
  },
  work_scheduler: agentScheduler,
} as const satisfies Fields;

type Agent = SpecOf<typeof fields>;

const CONTRACT: Fields = fields;
const FIELD_NAMES = Object.keys(fields);

/** An address in another form would be another account; to one that is doubted no mail arrives, and the invitation would be lost. */
function refusedAddress(key: string): Refusal | null {
  const wrong = miswritten(key);
  if (wrong !== null) {
    const message = `\`${key}\` is no plain e-mail address: ${wrong.why}`;
    return { severity: 'error', code: 'bad-format', message, remedy: plainly(wrong) };
  }
  const [, domain] = /^[^@]+@([^@]*)$/.exec(key) ?? [];
  if (domain !== undefined && /^[^.].*\.[^.]+$/.test(domain)) return null;
  const doubted = { severity: 'warning', code: 'bad-format' } as const;
  if (domain === undefined) {
    const message = `\`${key}\` is no e-mail address, as the id of an agent is`;
    return { ...doubted, message, remedy: 'write the e-mail address as the key, or as `id`' };
  }
  const message =
    domain === '' ? `\`${key}\` has no domain` : `the domain of \`${key}\` has no ending such as \`.com\``;
  return { ...doubted, message, remedy: 'write the whole e-mail address' };
}

/** Members that every list reply carries; the others come only when asked for. */
const ALWAYS_LISTED = new Set(['name', 'role', 'avatar_path', 'login_status']);

/** What a request calls the avatar. */
const AVATAR: Since<'avatar_path' | 'avatar'> = { '3.3': 'avatar_path', '3.5': 'avatar' };

function body(
  { groups, work_scheduler: hours, avatar_path: avatar, ...rest }: Agent,
  context: CallContext,
): JsonObject {
  const given = avatar === undefined ? {} : { [inVersion(AVATAR, context.version)]: avatar };
  return { ...rest, ...given, ...schedulerBody(hours, context.version, 'agent'), ...groupsBody(groups, context) };
}

function liveAgent(row: ReplyRow, scheduler: Json | undefined, asked: ReadonlySet<string>): LiveObject {
  const { spec, unread } = readFields(FIELD_NAMES, (name) => {
    if (name === 'groups') return groupPriorities('list_agents', row);
    if (name === 'work_scheduler') return scheduler;
    const value = name === 'email_subscriptions' ? (row.raw(name) ?? row.raw('summaries')) : row.raw(name);
    return value ?? (asked.has(name) || ALWAYS_LISTED.has(name) ? CONTRACT[name]?.absent : undefined);
  });
  const facts: { -readonly [fact in keyof Facts]: Facts[fact] } = {};
  if (row.text('role') === 'owner') facts.owner = true;
  if (row.has('account_id')) facts.account = row.text('account_id');
  if (row.raw('awaiting_approval') === true) facts.pendingApproval = true;
  if (unread.length > 0) facts.unread = unread;
  return { kind: 'agent', id: row.text('id'), name: row.text('name'), spec, facts };
}

async function read(reader: KindReader): Promise<readonly LiveObject[]> {
  const asked = new Set(
    ['groups', 'suspended', 'awaiting_approval', ...reader.fields].filter(
      (name) => name in fields && !ALWAYS_LISTED.has(name),
    ),
  );
  const listing = { list: 'list_agents', get: 'get_agent', fields: [...asked].sort() } as const;
  const { rows, scheduler } = await listWithSchedulers(reader, listing);
  return rows.map((row) => liveAgent(row, scheduler(row), asked));
}

/** Every license has an owner; where none was read, this one stands in. */
const UNREAD_OWNER = { id: 'owner@license.invalid', name: 'Owner' };

/** Memberships are said by the groups as well, where both sides were read. */
function seedAgent({ id, name, spec, facts }: LiveObject<Agent>, version: Version): JsonObject {
  const { groups = {}, work_scheduler: _hours, awaiting_approval: _pending, ...rest } = spec;
  return {
    ...seedFields(rest),
    id: String(id),
    name,
    ...(facts.pendingApproval === true ? { awaiting_approval: true } : {}),
    ...groupsBody(groups, { resolve: (group) => group }),
    ...seedScheduler(spec, version),
  };
}

function seedSections(agents: readonly LiveObject<Agent>[], { version, has, missing }: SeedContext): JsonObject {
  const owner = agents.find(({ facts }) => facts.owner === true);
  return {
    owner: owner === undefined ? UNREAD_OWNER : { id: String(owner.id), name: owner.name },
    agents: [
      ...agents.filter((each) => each !== owner).map((each) => seedAgent(each, version)),
      // A group may list its bots next to its agents.
      ...missing.filter((id) => !has('bot', id)).map((id) => ({ id, name: id })),
    ],
  };
}

/** From the least to the most powerful. Specification: "Agent", `role`. */
const ROLES: readonly string[] = ['normal', 'administrator', 'viceowner', 'owner'];

function standing({ role, suspended, awaiting_approval: pending }: Agent, { owner }: Facts): AccountRights {
  const rank = owner === true ? ROLES.indexOf('owner') : ROLES.indexOf(String(role));
  return {
    rank,
    administers: rank >= ROLES.indexOf('administrator'),
    active: suspended !== true && pending !== true,
    by: 'role',
  };
}

function bar({ suspended, awaiting_approval: pending }: Agent): Bar | null {
  if (suspended === true) return 'suspended';
  return pending === true ? 'waiting for approval' : null;
}

export const agent = defineKind(fields, {
  name: 'agent',
  versions: VERSIONS,
  noun: { one: 'agent', many: 'agents' },
  about: 'People who talk to customers. The key is the agent id, which is an e-mail address.',
  at: ['agents', '*'],
  allowance: 'agents',
  entry: 'fields',
  columns: ['role', 'max_chats_count', 'suspended', 'groups'],
  summary: ({ role, max_chats_count: chats, suspended }, said) => [
    said('name'),
    role,
    chats === undefined ? undefined : counted(chats, 'chat'),
    suspended === true ? 'suspended' : undefined,
    said('groups'),
    said('work_scheduler'),
  ],
  computed: {
    account_id: { about: 'Id of the account of the person.', versions: since('3.5') },
    last_logout: { about: 'When the agent logged out last.', versions: since('3.5') },
    routing_status: {
      about:
        'Whether the agent accepts chats now. It lasts for a session only, so nothing could keep it as declared; `login_status` says what each session begins with.',
      versions: VERSIONS,
    },
  },
  required: ['name'],
  id: 'string',
  choosesId: true,
  refusedKey: refusedAddress,
  slashes: true,
  external: true,
  capacity: { limit: 'agents', per: 'license' },
  prune: 'none',
  inPart: true,
  retired: { suspended: true },
  outside: 'retired',
  forfeits: 'made again, it is a new account, which waits for approval',
  check: ({ work_scheduler: hours }, report, version) => checkScheduler(hours, 'agent', version, report),
  naturalKeys: [
    {
      about: 'the id, which is the key',
      ofDesired: ({ id, key }) => personOf(String(id ?? key)),
      ofLive: ({ id }) => personOf(String(id)),
    },
    // A license may have two accounts of one person.
    {
      about: 'the id in the same capitals',
      ofDesired: ({ id, key }) => String(id ?? key),
      ofLive: ({ id }) => String(id),
    },
  ],
  read,
  create: (given, context) => ({
    action: 'create_agent',
    body: { id: context.id ?? context.key, ...body(given, context) },
  }),
  update: (id, given, context) => ({ action: 'update_agent', body: { id, ...body(given, context) } }),
  remove: (id) => ({ action: 'delete_agent', body: { id } }),
  createdId: (_reply, { id, key }) => id ?? key,
  seed: {
    sections: seedSections,
    after: (agent, version) => schedulerAfter(agent, version, 'agent'),
  },
  standing,
  serving: {
    groups: 'groups',
    slots: 'max_chats_count',
    hours: 'work_scheduler',
    zoned: since('3.5'),
    tireless: false,
    bar,
    doubt: () => null,
  },
  transitions: {
    suspended: (value, id) => ({ action: value === true ? 'suspend_agent' : 'unsuspend_agent', body: { id } }),
    awaiting_approval: (value, id) => (value === false ? { action: 'approve_agent', body: { id } } : null),
  },
});
