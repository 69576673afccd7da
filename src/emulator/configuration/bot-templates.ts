// Bot templates and bot tokens: their records, and every action on them.
// Specification: "Bot template (3.6)", "Bot templates and bot tokens (3.6)".

import { sha256Hex } from '../../base/digest.ts';
import { defineFact, defineTable, type EmulatedLicense } from '../engine/license.ts';
import { seededId } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import {
  bool,
  closed,
  described,
  int,
  list,
  type ObjectShape,
  object,
  optional,
  quoted,
  string,
  text,
} from '../engine/shape.ts';
import type { ConfigurationContext, ConfigurationKind } from './action.ts';
import { changeAction, findForWrite, readAction, requireChatsWithin, writeAction } from './action.ts';
import { botProfile, botTable, keepSecret, removeBot, seededSecret } from './bots.ts';
import { requireOwnClient } from './caller.ts';
import { FEATURES, isFull } from './settings.ts';

const templateRecord = object({
  id: text,
  name: string,
  ...botProfile,
  max_chats_count: int(0),
  owner_client_id: text,
  secret_digest: optional(text),
});
type TemplateRecord = ReturnType<typeof templateRecord>;
const templateTable = defineTable('templates', templateRecord, ({ id }) => id, {
  owner_client_id: ({ owner_client_id }) => owner_client_id,
});

/** Clients whose application is installed on this license: their templates have bots here. */
export const installedClients = defineFact('installed_clients', list(text), []);

/** `expires` is in ms since the epoch. */
const botTokenRecord = object({
  digest: text,
  bot_id: text,
  client_id: text,
  organization_id: text,
  expires: int(0),
});
export const botTokenTable = defineTable('botTokens', botTokenRecord, ({ digest }) => digest, {});

const seededTemplate = closed({
  id: optional(text),
  name: text,
  ...botProfile,
  owner_client_id: text,
  ...seededSecret,
});
const seed = {
  bot_templates: described({ description: 'Bot templates of any client.' }, optional(list(seededTemplate))),
};

function plant(license: EmulatedLicense, { bot_templates = [] }: ObjectShape<typeof seed>): void {
  const templates = templateTable.of(license);
  for (const [index, { secret, ...given }] of bot_templates.entries()) {
    const id = given.id ?? seededId('template', index);
    if (templates.get(id) !== undefined) refuse('validation', `two bot templates have the id ${id}`);
    templates.set({ max_chats_count: 6, ...given, ...keepSecret(secret), id });
  }
}

/** Installs the templates of a seed's installed clients. */
export function plantInstallations(license: EmulatedLicense): void {
  for (const template of templateTable.of(license).all())
    if (botTable.of(license).get(template.id) === undefined) installTemplate(license, template);
}

/** Makes a bot with the id of the template, where the application of its client is installed. */
function installTemplate(license: EmulatedLicense, template: TemplateRecord): void {
  if (installedClients.of(license).value.includes(template.owner_client_id))
    botTable.of(license).set({ ...template, created_with: 'application' });
}

/** The template of a client, which must be of the caller's organization. */
function requireTemplate(license: EmulatedLicense, id: string, owner: string, at = Infinity): TemplateRecord {
  const template = templateTable.of(license).get(id, at);
  if (template === undefined || template.owner_client_id !== owner)
    return refuse('not_found', `bot template ${quoted(id)} of this \`owner_client_id\` does not exist`);
  return template;
}

const SCOPES = ['bots.templates:rw'];
const affect_existing_installations = optional(bool);
const writable = { owner_client_id: text, ...botProfile, affect_existing_installations };
const ofTemplate = object({ id: text, owner_client_id: text, affect_existing_installations });

/** Writes members of a template, and with `affects` of the bot that it made. */
function setTemplate(
  license: EmulatedLicense,
  template: TemplateRecord,
  given: Partial<TemplateRecord>,
  affects: boolean,
): void {
  templateTable.of(license).set({ ...template, ...given });
  const bot = botTable.of(license).get(template.id);
  if (affects && bot !== undefined) botTable.of(license).set({ ...bot, ...given });
}

/** "The issued bot token is valid 24 hours", in ms. */
const TOKEN_VALIDITY = 24 * 60 * 60 * 1000;

/** Every wrong credential gets the same answer, which must not help to guess. */
const issueBotToken = writeAction(
  'issue_bot_token',
  object({ bot_id: text, client_id: text, bot_secret: text, organization_id: text }),
  {
    versions: FEATURES.botTemplates,
    anonymous: true,
    run: ({ bot_id, client_id, bot_secret, organization_id }, { license, settings, ids }: ConfigurationContext) => {
      const bot = botTable.of(license).get(bot_id);
      const organization = settings.organizationId ?? organization_id;
      if (
        bot?.owner_client_id !== client_id ||
        bot.secret_digest !== sha256Hex(bot_secret) ||
        organization !== organization_id
      )
        return refuse('authentication', 'the credentials of the bot are not valid');
      const token = `${settings.region ?? 'dal'}:${ids.secret()}`;
      const expires = license.history.now + TOKEN_VALIDITY;
      botTokenTable.of(license).set({ digest: sha256Hex(token), bot_id, client_id, organization_id, expires });
      return { token };
    },
  },
);

const actions = [
  writeAction('create_bot_template', object({ ...writable, name: text }), {
    versions: FEATURES.botTemplates,
    scopes: SCOPES,
    run: ({ affect_existing_installations: affects = false, ...given }, { license, settings: { limits }, ids }) => {
      const owner = given.owner_client_id;
      requireOwnClient(license, owner);
      requireChatsWithin(limits.botChats, given.max_chats_count);
      const templates = templateTable.of(license);
      if (isFull(limits.templatesPerClient, templates.where('owner_client_id', owner).length))
        refuse('limit_reached', `${quoted('owner_client_id')} has no bot template left`);
      const [id, secret] = [ids.object(), ids.secret()];
      const template = { max_chats_count: 6, ...given, id, secret_digest: sha256Hex(secret) };
      templates.set(template);
      if (affects) installTemplate(license, template);
      return { id, secret };
    },
  }),
  changeAction('update_bot_template', object({ ...writable, id: text, name: optional(text) }), {
    versions: FEATURES.botTemplates,
    scopes: SCOPES,
    run: ({ affect_existing_installations: affects = false, ...given }, context) => {
      const { license, settings } = context;
      const { id, owner_client_id: owner } = given;
      requireOwnClient(license, owner);
      requireChatsWithin(settings.limits.botChats, given.max_chats_count);
      const template = findForWrite(context, (at) => requireTemplate(license, id, owner, at));
      setTemplate(license, template, given, affects);
    },
  }),
  changeAction('delete_bot_template', ofTemplate, {
    versions: FEATURES.botTemplates,
    scopes: SCOPES,
    run: ({ id, owner_client_id: owner, affect_existing_installations: affects = false }, context) => {
      requireOwnClient(context.license, owner);
      requireTemplate(context.license, id, owner);
      if (affects) removeBot(context, id);
      templateTable.of(context.license).delete(id);
    },
  }),
  writeAction('reset_bot_template_secret', ofTemplate, {
    versions: FEATURES.botTemplates,
    scopes: SCOPES,
    run: ({ id, owner_client_id: owner, affect_existing_installations: affects = false }, { license, ids }) => {
      requireOwnClient(license, owner);
      const template = requireTemplate(license, id, owner);
      const secret = ids.secret();
      setTemplate(license, template, { secret_digest: sha256Hex(secret) }, affects);
      return { secret };
    },
  }),
  /** All fields but name and avatar are write-only. */
  readAction('list_bot_templates', object({ owner_client_id: text }), {
    versions: FEATURES.botTemplates,
    scopes: SCOPES,
    run: ({ owner_client_id: owner }, { license, settings, at }) => {
      requireOwnClient(license, owner);
      const templates = templateTable.of(license).where('owner_client_id', owner, at);
      return templates.map(({ id, name, avatar }) => ({ id, name, avatar_path: avatar ?? settings.defaultAvatar }));
    },
  }),
  issueBotToken,
];

export const botTemplateKind = {
  tables: [templateTable, botTokenTable],
  seed,
  plant,
  actions,
} satisfies ConfigurationKind;
