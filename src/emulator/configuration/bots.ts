// Bots: their records, and every action on them. Specification: "Bot", "Bots".

import { sha256Hex } from '../../base/digest.ts';
import { defineTable, type EmulatedLicense, release } from '../engine/license.ts';
import { seededId } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import type { ConfigurationContext, ConfigurationKind } from './action.ts';
import { byVersion, changeAction, findForWrite, readAction, requireChatsWithin, writeAction } from './action.ts';
import { botMemberships, groupItems, groupItemsOfNewBot, priority, requireGroupsOf } from './memberships.ts';
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
import { type ConfigurationSettings, type ConfigurationVersion, FEATURES, has, isFull } from './settings.ts';

/** What bots and bot templates have in common. */
export const botProfile = {
  avatar: s.optional(s.string),
  max_chats_count: s.optional(s.int(0)),
  default_group_priority: s.optional(priority),
  job_title: s.optional(s.string),
};

/** `created_with` decides who lists it. */
const botRecord = s.object({
  id: s.text,
  name: s.string,
  ...botProfile,
  max_chats_count: s.int(0),
  type: s.optional(s.text),
  work_scheduler: s.optional(schedulerRecord),
  owner_client_id: s.text,
  created_with: s.oneOf(['application', 'personal']),
  secret_digest: s.optional(s.text),
});
export type BotRecord = ReturnType<typeof botRecord>;
export const botTable = defineTable('bots', botRecord, ({ id }) => id, {});

/** Without one, no bot token can be issued until the secret is reset. */
export const seededSecret = {
  secret: s.described({ description: 'Its secret; only a digest is kept.' }, s.optional(s.text)),
};
/** A secret as a record keeps it. */
export const keepSecret = (secret: string | undefined) =>
  secret === undefined ? {} : { secret_digest: sha256Hex(secret) };

const seededBot = s.closed({
  id: s.optional(s.text),
  name: s.text,
  ...botProfile,
  owner_client_id: s.optional(s.text),
  type: s.described({ description: 'A free text; `chatbot` without one.' }, s.optional(s.text)),
  groups: s.optional(groupItems),
  work_scheduler: s.optional(weekly),
  ...seededSecret,
});
const seed = {
  bots: s.described({ description: 'Bots, each with an id or a made one.' }, s.optional(s.list(seededBot))),
};

/** The application of its owner client made a seeded bot. */
function plant(
  license: EmulatedLicense,
  { bots = [] }: s.ObjectShape<typeof seed>,
  { clientId }: ConfigurationSettings,
): void {
  const table = botTable.of(license);
  for (const [index, { groups = [], work_scheduler, secret, ...bot }] of bots.entries()) {
    const id = bot.id ?? seededId('bot', index);
    if (table.get(id) !== undefined) refuse('validation', `two bots have the id ${id}`);
    const hours = work_scheduler === undefined ? {} : { work_scheduler: keepWeekly(work_scheduler) };
    const owner = { owner_client_id: clientId, created_with: 'application' } as const;
    table.set({ max_chats_count: 6, ...owner, ...bot, ...hours, ...keepSecret(secret), id });
    for (const { id: group, priority } of groups) botMemberships.plant(license, { group, member: id, priority });
  }
}

const writable = (version: ConfigurationVersion) => ({
  avatar: s.optional(s.string),
  max_chats_count: s.optional(s.int(0)),
  default_group_priority: s.optional(priority),
  work_scheduler: s.optional(scheduler(version)),
  timezone: has('dailyHours', version) ? s.optional(timezoneOrEmpty) : s.ignored,
  type: has('botType', version) ? s.optional(s.text) : s.ignored,
});
const createRequest = byVersion((version) =>
  s.object({
    ...writable(version),
    name: s.text,
    job_title: s.optional(s.string),
    groups: s.optional(groupItemsOfNewBot),
    owner_client_id: s.optional(s.text),
  }),
);
const updateRequest = byVersion((version) =>
  s.object({
    ...writable(version),
    id: s.text,
    name: s.optional(s.text),
    groups: s.optional(groupItems),
    job_title: has('botJobTitle', version) ? s.unread : s.ignored,
  }),
);
/** A member of update_bot that the settings may ignore, whatever it is. */
const titleUpdate = s.object({ job_title: s.optional(s.string) });

/** The bot of this id, or a `not_found` refusal. */
function requireBot(license: EmulatedLicense, id: string, at = Infinity): BotRecord {
  return botTable.of(license).get(id, at) ?? refuse('not_found', `bot ${s.quoted(id)} does not exist`);
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

/** The scheduler to keep: daily hours have their zone next to them, and need it there; others have it inside. */
function zoned(
  { version }: ConfigurationContext,
  given: Scheduler | undefined,
  zone: string | undefined,
  kept: Scheduler | undefined,
) {
  if (has('dailyHours', version) && given !== undefined && zone === undefined)
    refuse('validation', `${s.quoted('timezone')} is required`);
  const base = given ?? (zone === undefined ? undefined : (kept ?? NO_SHIFTS));
  if (base === undefined) return {};
  return { work_scheduler: zone === undefined ? base : { ...base, timezone: zone } };
}

/** The owner client: as the request names it, or the client of the token. */
function ownerClient({ version, caller }: ConfigurationContext, asked: string | undefined): string {
  if (has('ownBotsOnly', version) && caller.kind === 'application' && asked !== undefined)
    refuse('validation', `${s.quoted('owner_client_id')} must not be sent with a bearer token`);
  return asked ?? caller.clientId ?? refuse('validation', `${s.quoted('owner_client_id')} is required`);
}

/** Fields that a reply has on request only. */
const FIELDS: { readonly [name: string]: (bot: BotRecord, context: ConfigurationContext) => unknown } = {
  groups: (bot, { license, at }) => botMemberships.groupsOf(license, bot.id, at),
  work_scheduler: (bot, { version, settings }) => schedulerReply(bot.work_scheduler, version, settings),
  job_title: (bot, { settings }) => bot.job_title ?? (settings.unsetOnRead === 'defaults' ? '' : undefined),
  max_chats_count: (bot) => bot.max_chats_count,
  timezone: (bot, { settings }) => timezoneReply(bot.work_scheduler, settings),
};
const fields = s.optional(s.list(s.oneOf(Object.keys(FIELDS))));

function reply(bot: BotRecord, asked: readonly string[], context: ConfigurationContext): object {
  const { settings, version } = context;
  return {
    id: bot.id,
    name: bot.name,
    avatar_path: bot.avatar ?? settings.defaultAvatar,
    ...(has('botType', version) && settings.botTypeOnRead === 'shown' ? { type: bot.type ?? 'chatbot' } : {}),
    ...Object.fromEntries(asked.map((name) => [name, FIELDS[name]?.(bot, context)])),
  };
}

/** Takes a bot out of the license with its memberships. */
export function removeBot({ license, settings }: ConfigurationContext, id: string): void {
  botMemberships.leaveAll(license, id, settings.deletedBotInGroups);
  release(license, settings, botTable, id);
  botTable.of(license).delete(id);
}

const actions = [
  writeAction('create_bot', createRequest, {
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
        secret_digest: sha256Hex(secret),
      });
      botMemberships.setGroups(license, id, groups);
      return has('botSecrets', version) ? { id, secret } : { id };
    },
  }),
  changeAction('update_bot', updateRequest, {
    batch: true,
    scopes: botScope('rw'),
    run: ({ groups, timezone: zone, work_scheduler, job_title, ...given }, context) => {
      const { license, settings } = context;
      const bot = findForWrite(context, (at) => requireBot(license, given.id, at));
      const hours = zoned(context, work_scheduler, zone, bot.work_scheduler);
      requireChatsWithin(settings.limits.botChats, given.max_chats_count);
      requireGroupsOf(context, groups);
      const title = settings.botJobTitleOnUpdate === 'accepted' ? titleUpdate({ job_title }, '') : {};
      botTable.of(license).set({ ...bot, ...given, ...hours, ...title });
      if (groups !== undefined) botMemberships.setGroups(license, bot.id, groups);
    },
  }),
  changeAction('delete_bot', s.object({ id: s.text }), {
    batch: true,
    scopes: botScope('rw'),
    run: ({ id }, context) => {
      removeBot(context, requireBot(context.license, id).id);
    },
  }),
  writeAction('reset_bot_secret', s.object({ id: s.text, owner_client_id: s.optional(s.text) }), {
    versions: FEATURES.botSecrets,
    scopes: botScope('rw'),
    run: ({ id, owner_client_id: asked }, { license, caller, ids }) => {
      const bot = requireBot(license, id);
      // "owner_client_id (only with personal access tokens)".
      if (caller.kind === 'personal' && asked === undefined)
        refuse('validation', `${s.quoted('owner_client_id')} is required`);
      if (asked !== undefined && asked !== bot.owner_client_id)
        refuse('authorization', `bot ${s.quoted(id)} does not belong to ${s.quoted('owner_client_id')}`);
      const secret = ids.secret();
      botTable.of(license).set({ ...bot, secret_digest: sha256Hex(secret) });
      return { secret };
    },
  }),
  readAction('get_bot', s.object({ id: s.text, fields }), {
    scopes: botScope('ro'),
    run: ({ id, fields: asked = [] }, context) => {
      const bot = requireBot(context.license, id, context.at);
      return {
        ...reply(bot, ['max_chats_count', 'groups', ...asked], context),
        default_group_priority: bot.default_group_priority ?? context.settings.defaultGroupPriority,
        owner_client_id: bot.owner_client_id,
      };
    },
  }),
  /** Without `all`: the bots of the caller's application, or those made with personal access tokens. */
  readAction('list_bots', s.object({ all: s.optional(s.bool), fields }), {
    scopes: ({ all = false }) => [`agents-bot--${all ? 'all' : 'my'}:ro`],
    run: ({ all = false, fields: asked = [] }, context) => {
      const bots = botTable.of(context.license).all(context.at);
      return bots.filter((bot) => all || isOwn(context, bot)).map((bot) => reply(bot, asked, context));
    },
  }),
];

export const botKind = {
  tables: [botTable, botMemberships],
  seed,
  plant,
  check: (license: EmulatedLicense) => botMemberships.check(license, botTable),
  actions,
} satisfies ConfigurationKind;
