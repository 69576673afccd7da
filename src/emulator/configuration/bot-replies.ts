// What get_bot and list_bots answer. Must not change anything. Specification: "Bot", "Bots".

import { bool, list, object, oneOf, optional, text } from '../engine/shape.ts';
import type { Action, Context } from './action.ts';
import { reads } from './action.ts';
import { botScope, isOwn, requireBot } from './bots.ts';
import { permit } from './caller.ts';
import { groupsOf } from './memberships.ts';
import type { Bot } from './records.ts';
import { botMembershipTable, botTable } from './records.ts';
import { schedulerReply, timezoneReply } from './scheduler.ts';
import type { ConfigurationSettings } from './settings.ts';
import { BOTH } from './version.ts';

const FIELDS = ['groups', 'work_scheduler', 'job_title', 'max_chats_count', 'timezone'] as const;
type Field = (typeof FIELDS)[number];

const fields = optional(list(oneOf(FIELDS)));
const getRequest = object({ id: text, fields });
const listRequest = object({ all: optional(bool), fields });

const jobTitle = ({ job_title }: Bot, { unsetOnRead }: ConfigurationSettings): string | undefined =>
  job_title ?? (unsetOnRead === 'defaults' ? '' : undefined);

function field(name: Field, bot: Bot, { license, settings, version, at }: Context): object {
  switch (name) {
    case 'groups':
      return { groups: groupsOf(botMembershipTable.of(license), bot.id, at) };
    case 'work_scheduler':
      return { work_scheduler: schedulerReply(bot.work_scheduler, version, settings) };
    case 'job_title':
      return { job_title: jobTitle(bot, settings) };
    case 'max_chats_count':
      return { max_chats_count: bot.max_chats_count };
    case 'timezone':
      return { timezone: timezoneReply(bot.work_scheduler, settings) };
  }
}

function listed(bot: Bot, asked: readonly Field[], context: Context): object {
  const always = { id: bot.id, name: bot.name, avatar_path: bot.avatar ?? context.settings.defaultAvatar };
  return Object.assign(always, ...asked.map((name) => field(name, bot, context)));
}

function getBot(body: unknown, context: Context): object {
  const { license, settings, caller, at } = context;
  const { id, fields: asked = [] } = getRequest(body, '');
  permit(caller, botScope(context, botTable.of(license).get(id, at), 'ro'));
  const bot = requireBot(license, id, at);
  return {
    ...listed(bot, ['max_chats_count', 'groups', ...asked], context),
    default_group_priority: bot.default_group_priority ?? settings.defaultGroupPriority,
    owner_client_id: bot.owner_client_id,
  };
}

/** Without `all`: the bots of the caller's application, or those made with personal access tokens. */
function listBots(body: unknown, context: Context): object {
  const { license, caller, at } = context;
  const { all = false, fields: asked = [] } = listRequest(body, '');
  permit(caller, `agents-bot--${all ? 'all' : 'my'}:ro`);
  const bots = botTable
    .of(license)
    .all(at)
    .filter((bot) => all || isOwn(context, bot));
  return bots.map((bot) => listed(bot, asked, context));
}

export const botReadActions: readonly Action[] = [reads('get_bot', BOTH, getBot), reads('list_bots', BOTH, listBots)];
