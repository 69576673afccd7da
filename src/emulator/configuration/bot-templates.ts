// Requests about bot templates come in, templates and the bots made from them change. Must not know how bots are answered.
// Specification: "Bot template (3.6)", "Bot templates and bot tokens (3.6)".

import type { EmulatedLicense } from '../engine/license.ts';
import { digest } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import { bool, int, object, optional, quoted, string, text } from '../engine/shape.ts';
import type { Action, Context } from './action.ts';
import { changes, reads, writes } from './action.ts';
import { requireChatsWithin } from './agents.ts';
import { removeBot } from './bots.ts';
import { permit } from './caller.ts';
import { requireClient } from './clients.ts';
import type { Template } from './records.ts';
import { botTable, installedClients, priority, templateTable } from './records.ts';
import { isFull } from './settings.ts';
import { ONLY_36 } from './version.ts';

const writable = {
  owner_client_id: text,
  avatar: optional(string),
  max_chats_count: optional(int(0)),
  default_group_priority: optional(priority),
  job_title: optional(string),
  affect_existing_installations: optional(bool),
};

const createRequest = object({ ...writable, name: text });
const updateRequest = object({ ...writable, id: text, name: optional(text) });
const ofTemplate = object({ id: text, owner_client_id: text, affect_existing_installations: optional(bool) });
const listRequest = object({ owner_client_id: text });

const SCOPE = 'bots.templates:rw';

function requireTemplate(license: EmulatedLicense, id: string, owner: string, at = Infinity): Template {
  const template = templateTable.of(license).get(id, at);
  if (template === undefined || template.owner_client_id !== owner)
    return refuse('not_found', `bot template ${quoted(id)} of this \`owner_client_id\` does not exist`);
  return template;
}

/** Installs a template here: a bot with the id of the template. Nothing happens where the application is not installed. */
export function installTemplate(license: EmulatedLicense, template: Template): void {
  if (installedClients.of(license).value.includes(template.owner_client_id))
    botTable.of(license).set({ ...template, created_with: 'application' });
}

function createTemplate(body: unknown, context: Context): object {
  const { license, settings, caller, ids } = context;
  const { affect_existing_installations: affects = false, ...given } = createRequest(body, '');
  permit(caller, SCOPE);
  requireClient(context, given.owner_client_id);
  requireChatsWithin(settings.limits.botChats, given.max_chats_count);
  if (
    isFull(
      settings.limits.templatesPerClient,
      templateTable.of(license).where('owner_client_id', given.owner_client_id).length,
    )
  )
    refuse('limit_reached', `${quoted('owner_client_id')} has no bot template left`);
  const [id, secret] = [ids.object(), ids.secret()];
  const template = { max_chats_count: 6, ...given, id, secret_digest: digest(secret) };
  templateTable.of(license).set(template);
  if (affects) installTemplate(license, template);
  return { id, secret };
}

function updateTemplate(body: unknown, context: Context): void {
  const { license, settings, caller } = context;
  const { affect_existing_installations: affects = false, ...given } = updateRequest(body, '');
  permit(caller, SCOPE);
  requireClient(context, given.owner_client_id);
  requireChatsWithin(settings.limits.botChats, given.max_chats_count);
  requireTemplate(license, given.id, given.owner_client_id, context.refersAt);
  templateTable.of(license).set({ ...requireTemplate(license, given.id, given.owner_client_id), ...given });
  const bot = botTable.of(license).get(given.id);
  if (affects && bot !== undefined) botTable.of(license).set({ ...bot, ...given });
}

function deleteTemplate(body: unknown, context: Context): void {
  const { license, caller } = context;
  const { id, owner_client_id, affect_existing_installations: affects = false } = ofTemplate(body, '');
  permit(caller, SCOPE);
  requireClient(context, owner_client_id);
  const template = requireTemplate(license, id, owner_client_id);
  if (affects) removeBot(context, id);
  templateTable.of(license).delete(template.id);
}

function resetSecret(body: unknown, context: Context): object {
  const { license, caller, ids } = context;
  const { id, owner_client_id, affect_existing_installations: affects = false } = ofTemplate(body, '');
  permit(caller, SCOPE);
  requireClient(context, owner_client_id);
  const template = requireTemplate(license, id, owner_client_id);
  const secret = ids.secret();
  templateTable.of(license).set({ ...template, secret_digest: digest(secret) });
  const bot = botTable.of(license).get(id);
  if (affects && bot !== undefined) botTable.of(license).set({ ...bot, secret_digest: digest(secret) });
  return { secret };
}

/** Everything but name and avatar is write-only. */
function listTemplates(body: unknown, context: Context): object {
  const { license, settings, caller, at } = context;
  const { owner_client_id } = listRequest(body, '');
  permit(caller, SCOPE);
  requireClient(context, owner_client_id);
  return templateTable
    .of(license)
    .where('owner_client_id', owner_client_id, at)
    .map(({ id, name, avatar }) => ({ id, name, avatar_path: avatar ?? settings.defaultAvatar }));
}

export const botTemplateActions: readonly Action[] = [
  writes('create_bot_template', ONLY_36, createTemplate),
  changes('update_bot_template', ONLY_36, updateTemplate),
  changes('delete_bot_template', ONLY_36, deleteTemplate),
  writes('reset_bot_template_secret', ONLY_36, resetSecret),
  reads('list_bot_templates', ONLY_36, listTemplates),
];
