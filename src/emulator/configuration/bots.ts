// Requests about bots come in, bots change and are answered. Must not know templates or tokens.
// Specification: "Bot", "Bots".

import type { EmulatedLicense } from '../engine/license.ts';
import { digest } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import { ignored, int, object, optional, quoted, string, text } from '../engine/shape.ts';
import type { Action, Context } from './action.ts';
import { changes, writes } from './action.ts';
import { requireChatsWithin } from './agents.ts';
import { permit } from './caller.ts';
import { groupItems, groupItemsOfNewBot, leaveAll, requireGroups, setGroups } from './memberships.ts';
import type { Bot } from './records.ts';
import { botMembershipTable, botTable, priority } from './records.ts';
import type { Scheduler } from './scheduler.ts';
import { scheduler, timezoneOrEmpty } from './scheduler.ts';
import { isFull } from './settings.ts';
import type { ConfigurationVersion } from './version.ts';
import { BOTH, byVersion, ONLY_36 } from './version.ts';

const writable = (version: ConfigurationVersion) => ({
  avatar: optional(string),
  max_chats_count: optional(int(0)),
  default_group_priority: optional(priority),
  work_scheduler: optional(scheduler(version)),
  timezone: version === '3.3' ? optional(timezoneOrEmpty) : ignored,
});

const createRequest = byVersion((version) =>
  object({
    ...writable(version),
    name: text,
    job_title: optional(string),
    groups: optional(groupItemsOfNewBot),
    owner_client_id: optional(text),
  }),
);
const updateRequest = byVersion((version) =>
  object({
    ...writable(version),
    id: text,
    name: optional(text),
    groups: optional(groupItems),
  }),
);
const releasedUpdate = object({ job_title: optional(string) });
const byId = object({ id: text });
const resetRequest = object({ id: text, owner_client_id: optional(text) });

/** The bot of this id, or a `not_found` refusal. */
export function requireBot(license: EmulatedLicense, id: string, at = Infinity): Bot {
  return botTable.of(license).get(id, at) ?? refuse('not_found', `bot ${quoted(id)} does not exist`);
}

/** Bots of the caller's application are its own; with a personal access token, those that were made with one. */
export function isOwn({ caller }: Context, bot: Bot): boolean {
  if (caller.kind === 'personal') return bot.created_with === 'personal';
  return bot.created_with === 'application' && bot.owner_client_id === caller.clientId;
}

export function botScope(context: Context, bot: Bot | undefined, access: 'ro' | 'rw'): string {
  return `agents-bot--${bot !== undefined && isOwn(context, bot) ? 'my' : 'all'}:${access}`;
}

/** 3.3 has the zone beside the scheduler, and needs it there; 3.6 has it inside. */
function zoned(
  { version }: Context,
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

const NO_SHIFTS: Scheduler = { writtenBy: '3.3', timezone: '', schedule: [] };

/** The owner client: as the request names it, or the client of the token. */
function ownerClient({ version, caller }: Context, asked: string | undefined): string {
  if (version === '3.3' && caller.kind === 'application' && asked !== undefined)
    refuse('validation', `${quoted('owner_client_id')} must not be sent with a bearer token`);
  return asked ?? caller.clientId ?? refuse('validation', `${quoted('owner_client_id')} is required`);
}

function createBot(body: unknown, context: Context): object {
  const { license, settings, version, ids, caller } = context;
  const { groups = [], owner_client_id, timezone: zone, work_scheduler, ...given } = createRequest[version](body, '');
  permit(caller, 'agents-bot--my:rw');
  const owner = ownerClient(context, owner_client_id);
  const hours = zoned(context, work_scheduler, zone, undefined);
  requireChatsWithin(settings.limits.botChats, given.max_chats_count);
  requireGroups(
    context,
    groups.map(({ id }) => id),
    'groups',
  );
  if (isFull(settings.limits.bots, botTable.of(license).size())) refuse('limit_reached', 'the license has no bot left');
  const [id, secret] = [ids.object(), ids.secret()];
  botTable.of(license).set({
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
}

function updateBot(body: unknown, context: Context): void {
  const { license, settings, version, caller } = context;
  const { groups, timezone: zone, work_scheduler, ...given } = updateRequest[version](body, '');
  permit(caller, botScope(context, botTable.of(license).get(given.id), 'rw'));
  const bot = requireBot(license, given.id);
  requireBot(license, given.id, context.refersAt);
  const hours = zoned(context, work_scheduler, zone, bot.work_scheduler);
  requireChatsWithin(settings.limits.botChats, given.max_chats_count);
  requireGroups(context, groups?.map(({ id }) => id) ?? [], 'groups');
  const released = version === '3.6' && settings.botJobTitleOnUpdate === 'accepted' ? releasedUpdate(body, '') : {};
  botTable.of(license).set({ ...bot, ...given, ...hours, ...released });
  if (groups !== undefined) setGroups(botMembershipTable.of(license), bot.id, groups);
}

/** Takes a bot out of the license with its memberships. */
export function removeBot({ license, settings }: Context, id: string): void {
  leaveAll(botMembershipTable.of(license), id, settings.deletedBotInGroups);
  botTable.of(license).delete(id);
}

function deleteBot(body: unknown, context: Context): void {
  const { license, caller } = context;
  const { id } = byId(body, '');
  permit(caller, botScope(context, botTable.of(license).get(id), 'rw'));
  removeBot(context, requireBot(license, id).id);
}

function resetSecret(body: unknown, context: Context): object {
  const { license, caller, ids } = context;
  const { id, owner_client_id } = resetRequest(body, '');
  permit(caller, botScope(context, botTable.of(license).get(id), 'rw'));
  const bot = requireBot(license, id);
  requireOwner(context, bot, owner_client_id);
  const secret = ids.secret();
  botTable.of(license).set({ ...bot, secret_digest: digest(secret) });
  return { secret };
}

/** "owner_client_id (only with personal access tokens)". */
function requireOwner({ caller }: Context, bot: Bot, asked: string | undefined): void {
  if (caller.kind === 'personal' && asked === undefined)
    refuse('validation', `${quoted('owner_client_id')} is required`);
  if (asked !== undefined && asked !== bot.owner_client_id)
    refuse('authorization', `bot ${quoted(bot.id)} does not belong to ${quoted('owner_client_id')}`);
}

export const botActions: readonly Action[] = [
  writes('create_bot', BOTH, createBot, { batchable: true }),
  changes('update_bot', BOTH, updateBot, { batchable: true }),
  changes('delete_bot', BOTH, deleteBot, { batchable: true }),
  writes('reset_bot_secret', ONLY_36, resetSecret),
];
