// Bots: their records, and every action on them. Specification: "Bot", "Bots".

import type { EmulatedLicense } from '../engine/license.ts';
import { badSeed, defineTable } from '../engine/license.ts';
import { digest, seededId } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import type { ObjectShape } from '../engine/shape.ts';
import { bool, ignored, int, list, object, oneOf, optional, quoted, string, text, unread } from '../engine/shape.ts';
import type { ConfigurationContext, ConfigurationKind } from './action.ts';
import { byVersion, changeAction, findForWrite, readAction, requireChatsWithin, writeAction } from './action.ts';
import {
  botMembershipTable,
  groupItems,
  groupItemsOfNewBot,
  groupsOf,
  leaveAll,
  plantEdge,
  priority,
  requireBothEnds,
  requireGroupsOf,
  setGroups,
} from './memberships.ts';
import type { Scheduler } from './scheduler.ts';
import {
  keepWeekly,
  scheduler,
  schedulerRecord,
  schedulerReply,
  timezoneOrEmpty,
  timezoneReply,
  weekly,
} from './scheduler.ts';
import type { ConfigurationSettings } from './settings.ts';
import { isFull } from './settings.ts';
import type { ConfigurationVersion } from './version.ts';
import { ONLY_36 } from './version.ts';

/** `created_with` decides who lists it; a seeded bot has no secret. */
const botRecord = object({
  id: text,
  name: string,
  avatar: optional(string),
  max_chats_count: int(0),
  default_group_priority: optional(priority),
  job_title: optional(string),
  work_scheduler: optional(schedulerRecord),
  owner_client_id: text,
  created_with: oneOf(['application', 'personal']),
  secret_digest: optional(text),
});
type BotRecord = ReturnType<typeof botRecord>;
export const botTable = defineTable('bots', botRecord, ({ id }) => id, {});

/** Members that a seed gives bots and bot templates alike. */
export const seededBot = {
  id: optional(text),
  name: text,
  avatar: optional(string),
  max_chats_count: optional(int(0)),
  default_group_priority: optional(priority),
  job_title: optional(string),
};
const seed = {
  bots: optional(
    list(
      object(
        {
          ...seededBot,
          owner_client_id: optional(text),
          groups: optional(groupItems),
          work_scheduler: optional(weekly),
        },
        true,
      ),
    ),
  ),
};

/** The application of its owner client made a seeded bot. */
function plant(
  license: EmulatedLicense,
  { bots = [] }: ObjectShape<typeof seed>,
  { clientId }: ConfigurationSettings,
): void {
  const table = botTable.of(license);
  for (const [index, { groups = [], work_scheduler, ...bot }] of bots.entries()) {
    const id = bot.id ?? seededId('bot', index);
    if (table.get(id) !== undefined) badSeed(`two bots have the id ${id}`);
    const hours = work_scheduler === undefined ? {} : { work_scheduler: keepWeekly(work_scheduler) };
    const owner = { owner_client_id: clientId, created_with: 'application' } as const;
    table.set({ max_chats_count: 6, ...owner, ...bot, ...hours, id });
    for (const { id: group, priority } of groups)
      plantEdge(license, botMembershipTable.of(license), { group, member: id, priority });
  }
}

const writable = (version: ConfigurationVersion) => ({
  avatar: optional(string),
  max_chats_count: optional(int(0)),
  default_group_priority: optional(priority),
  work_scheduler: optional(scheduler(version)),
  timezone: version === '3.3' ? optional(timezoneOrEmpty) : ignored,
});
/** A member of update_bot in the released 3.6. */
const releasedUpdate = object({ job_title: optional(string) });

/** The bot of this id, or a `not_found` refusal. */
function requireBot(license: EmulatedLicense, id: string, at = Infinity): BotRecord {
  return botTable.of(license).get(id, at) ?? refuse('not_found', `bot ${quoted(id)} does not exist`);
}

/** Whether a bot is of the caller's application; with a personal access token, whether it was made with one. */
function isOwn({ caller }: ConfigurationContext, bot: BotRecord): boolean {
  if (caller.kind === 'personal') return bot.created_with === 'personal';
  return bot.created_with === 'application' && bot.owner_client_id === caller.clientId;
}

/** Scope of acting on the bot of this id: `my` for one's own, `all` for others and for one that does not exist. */
function botScope(access: 'ro' | 'rw') {
  return ({ id }: { readonly id: string }, context: ConfigurationContext): readonly string[] => {
    const bot = botTable.of(context.license).get(id, context.at);
    return [`agents-bot--${bot !== undefined && isOwn(context, bot) ? 'my' : 'all'}:${access}`];
  };
}

const NO_SHIFTS: Scheduler = { writtenBy: '3.3', timezone: '', schedule: [] };

/** The scheduler to keep: 3.3 has its zone next to it, and needs it there; 3.6 has it inside. */
function zoned(
  { version }: ConfigurationContext,
  given: Scheduler | undefined,
  zone: string | undefined,
  kept: Scheduler | undefined,
) {
  if (version === '3.3' && given !== undefined && zone === undefined)
    refuse('validation', `${quoted('timezone')} is required`);
  const base = given ?? (zone === undefined ? undefined : (kept ?? NO_SHIFTS));
  if (base === undefined) return {};
  return { work_scheduler: zone === undefined ? base : { ...base, timezone: zone } };
}

/** The owner client: as the request names it, or the client of the token. */
function ownerClient({ version, caller }: ConfigurationContext, asked: string | undefined): string {
  if (version === '3.3' && caller.kind === 'application' && asked !== undefined)
    refuse('validation', `${quoted('owner_client_id')} must not be sent with a bearer token`);
  return asked ?? caller.clientId ?? refuse('validation', `${quoted('owner_client_id')} is required`);
}

const createBot = writeAction(
  'create_bot',
  byVersion((version) =>
    object({
      ...writable(version),
      name: text,
      job_title: optional(string),
      groups: optional(groupItemsOfNewBot),
      owner_client_id: optional(text),
    }),
  ),
  {
    batch: true,
    scopes: ['agents-bot--my:rw'],
    run: ({ groups = [], owner_client_id, timezone: zone, work_scheduler, ...given }, context) => {
      const { license, settings, version, ids, caller } = context;
      const bots = botTable.of(license);
      const owner = ownerClient(context, owner_client_id);
      const hours = zoned(context, work_scheduler, zone, undefined);
      requireChatsWithin(settings.limits.botChats, given.max_chats_count);
      requireGroupsOf(context, groups);
      if (isFull(settings.limits.bots, bots.size())) refuse('limit_reached', 'the license has no bot left');
      const [id, secret] = [ids.object(), ids.secret()];
      bots.set({
        max_chats_count: 6,
        ...given,
        ...hours,
        id,
        owner_client_id: owner,
        created_with: caller.kind,
        secret_digest: digest(secret),
      });
      setGroups(botMembershipTable.of(license), id, groups);
      return version === '3.3' ? { id } : { id, secret };
    },
  },
);

const updateBot = changeAction(
  'update_bot',
  byVersion((version) =>
    object({
      ...writable(version),
      id: text,
      name: optional(text),
      groups: optional(groupItems),
      job_title: unread,
    }),
  ),
  {
    batch: true,
    scopes: botScope('rw'),
    run: ({ groups, timezone: zone, work_scheduler, job_title, ...given }, context) => {
      const { license, settings, version } = context;
      const bot = findForWrite(context, (at) => requireBot(license, given.id, at));
      const hours = zoned(context, work_scheduler, zone, bot.work_scheduler);
      requireChatsWithin(settings.limits.botChats, given.max_chats_count);
      requireGroupsOf(context, groups);
      const takesTitle = version === '3.6' && settings.botJobTitleOnUpdate === 'accepted';
      const released = takesTitle ? releasedUpdate({ job_title }, '') : {};
      botTable.of(license).set({ ...bot, ...given, ...hours, ...released });
      if (groups !== undefined) setGroups(botMembershipTable.of(license), bot.id, groups);
    },
  },
);

/** Takes a bot out of the license with its memberships. */
export function removeBot({ license, settings }: ConfigurationContext, id: string): void {
  leaveAll(botMembershipTable.of(license), id, settings.deletedBotInGroups);
  botTable.of(license).delete(id);
}

const deleteBot = changeAction('delete_bot', object({ id: text }), {
  batch: true,
  scopes: botScope('rw'),
  run: ({ id }, context) => removeBot(context, requireBot(context.license, id).id),
});

const resetBotSecret = writeAction('reset_bot_secret', object({ id: text, owner_client_id: optional(text) }), {
  versions: ONLY_36,
  scopes: botScope('rw'),
  run: ({ id, owner_client_id: asked }, { license, caller, ids }) => {
    const bot = requireBot(license, id);
    // "owner_client_id (only with personal access tokens)".
    if (caller.kind === 'personal' && asked === undefined)
      refuse('validation', `${quoted('owner_client_id')} is required`);
    if (asked !== undefined && asked !== bot.owner_client_id)
      refuse('authorization', `bot ${quoted(id)} does not belong to ${quoted('owner_client_id')}`);
    const secret = ids.secret();
    botTable.of(license).set({ ...bot, secret_digest: digest(secret) });
    return { secret };
  },
});

const FIELDS = ['groups', 'work_scheduler', 'job_title', 'max_chats_count', 'timezone'] as const;
type Field = (typeof FIELDS)[number];
const fields = optional(list(oneOf(FIELDS)));

function field(name: Field, bot: BotRecord, { license, settings, version, at }: ConfigurationContext): object {
  switch (name) {
    case 'groups':
      return { groups: groupsOf(botMembershipTable.of(license), bot.id, at) };
    case 'work_scheduler':
      return { work_scheduler: schedulerReply(bot.work_scheduler, version, settings) };
    case 'job_title':
      return { job_title: bot.job_title ?? (settings.unsetOnRead === 'defaults' ? '' : undefined) };
    case 'max_chats_count':
      return { max_chats_count: bot.max_chats_count };
    case 'timezone':
      return { timezone: timezoneReply(bot.work_scheduler, settings) };
  }
}

function reply(bot: BotRecord, asked: readonly Field[], context: ConfigurationContext): object {
  const always = { id: bot.id, name: bot.name, avatar_path: bot.avatar ?? context.settings.defaultAvatar };
  return Object.assign(always, ...asked.map((name) => field(name, bot, context)));
}

const getBot = readAction('get_bot', object({ id: text, fields }), {
  scopes: botScope('ro'),
  run: ({ id, fields: asked = [] }, context) => {
    const bot = requireBot(context.license, id, context.at);
    return {
      ...reply(bot, ['max_chats_count', 'groups', ...asked], context),
      default_group_priority: bot.default_group_priority ?? context.settings.defaultGroupPriority,
      owner_client_id: bot.owner_client_id,
    };
  },
});

/** Without `all`: the bots of the caller's application, or those made with personal access tokens. */
const listBots = readAction('list_bots', object({ all: optional(bool), fields }), {
  scopes: ({ all = false }) => [`agents-bot--${all ? 'all' : 'my'}:ro`],
  run: ({ all = false, fields: asked = [] }, context) => {
    const bots = botTable.of(context.license).all(context.at);
    return bots.filter((bot) => all || isOwn(context, bot)).map((bot) => reply(bot, asked, context));
  },
});

export const botKind = {
  tables: [botTable, botMembershipTable],
  seed,
  plant,
  check: (license: EmulatedLicense): void =>
    requireBothEnds(license, botMembershipTable.of(license).all(), botTable, 'bot '),
  actions: [createBot, updateBot, deleteBot, resetBotSecret, getBot, listBots],
} satisfies ConfigurationKind;
