// The account around a license: its clients, its tokens, and the credentials that the Configuration API takes.
// Specification: "Authentication"; service-notes.md, "Wire".

import { sha256Hex } from '../../base/digest.ts';
import { defineFact, type EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import {
  checked,
  closed,
  described,
  distinct,
  list,
  type ObjectShape,
  object,
  oneOf,
  optional,
  quoted,
  text,
} from '../engine/shape.ts';
import type { WireRequest } from '../engine/wire.ts';
import type { ConfigurationAction, ConfigurationKind } from './action.ts';
import { agentTable } from './agents.ts';
import { botTokenTable, installedClients, plantInstallations } from './bot-templates.ts';
import { botTable } from './bots.ts';
import { ALL_ROLES, type Caller, ownClients, scopeName } from './caller.ts';
import type { ConfigurationSettings } from './settings.ts';

/**
 * What a token may say of its caller: its agent, its application's client, and the account that must be sent with a personal one. Without
 * `role` it is that of the agent.
 */
const tokenFields = {
  role: optional(oneOf(ALL_ROLES)),
  account_id: optional(text),
  agent_id: optional(text),
  client_id: optional(text),
};
const kind = oneOf(['bearer', 'personal']);
const tokenRecord = object({ digest: text, kind, scopes: list(text), ...tokenFields });

/** The only tokens that are accepted, in addition to those issued to bots; undefined when any credential is. */
const tokens = defineFact('tokens', optional(list(tokenRecord)), undefined);

/** Blanks cannot be sent. */
const credential = checked(described({ pattern: '^\\S+$' }, text), (given, path) => {
  if (/\s/.test(given)) refuse('validation', `${quoted(path)} must have no blanks`);
});
const seededToken = checked(
  closed({ token: credential, kind: optional(kind), scopes: distinct(scopeName), ...tokenFields }),
  ({ kind = 'bearer', account_id, client_id }, path) => {
    if (kind === 'bearer' && account_id !== undefined)
      refuse('validation', `${quoted(`${path}.account_id`)} is for personal tokens: only Basic names an account`);
    if (kind === 'personal' && client_id !== undefined)
      refuse('validation', `${quoted(`${path}.client_id`)} is for bearer tokens: a personal token has no application`);
  },
);
const seed = {
  clients: described(
    {
      description:
        'Clients of your organization, the only ones whose properties and templates you may write; default all.',
    },
    optional(distinct(text)),
  ),
  installed_clients: described(
    { description: 'Clients whose application is installed on the license: their templates have bots.' },
    optional(distinct(text)),
  ),
  tokens: described({ description: 'The only tokens that are accepted; default any.' }, optional(list(seededToken))),
};

/** Refuses a token of an unknown agent, and one that is listed twice. */
function requireTokens(license: EmulatedLicense, given: readonly ReturnType<typeof seededToken>[]): void {
  for (const [index, { token, kind = 'bearer', agent_id }] of given.entries()) {
    if (agent_id !== undefined && agentTable.of(license).get(agent_id) === undefined)
      refuse(
        'validation',
        `${quoted(`tokens[${index}].agent_id`)} names ${quoted(agent_id)}, who is not in the license`,
      );
    const first = given.findIndex((other) => other.token === token && (other.kind ?? 'bearer') === kind);
    if (first !== index) refuse('validation', `${quoted(`tokens[${index}]`)} has the token of tokens[${first}]`);
  }
}

function plant(license: EmulatedLicense, given: ObjectShape<typeof seed>): void {
  requireTokens(license, given.tokens ?? []);
  ownClients.of(license).value = given.clients;
  installedClients.of(license).value = given.installed_clients ?? [];
  tokens.of(license).value = given.tokens?.map(({ token, kind = 'bearer', ...rest }) => ({
    ...rest,
    kind,
    digest: sha256Hex(token),
  }));
  plantInstallations(license);
}

export const accountKind = {
  tables: [],
  facts: [ownClients, installedClients, tokens],
  seed,
  plant,
  actions: [],
} satisfies ConfigurationKind;

/** Scopes of an issued bot token. Specification: "Bot templates and bot tokens (3.6)". */
const BOT_TOKEN_SCOPES: ReadonlySet<string> = new Set(['chats--access:rw', 'agents-bot--my:rw', 'customers:rw']);

/** What a token says of its caller. */
interface KnownToken extends Omit<Caller, 'kind'> {
  readonly accountId?: string | undefined;
}

const NOTHING: KnownToken = {
  clientId: undefined,
  agentId: undefined,
  botId: undefined,
  role: undefined,
  inactive: false,
  scopes: new Set(),
};

export const authenticate = (
  request: WireRequest,
  action: ConfigurationAction,
  license: EmulatedLicense,
  settings: ConfigurationSettings,
): Caller => callingAgent(request, action, license, settings);

/** The caller that the `Authorization` header names. Refuses one that the settings exclude, before any check of scopes. */
export function callingAgent(
  request: WireRequest,
  { anonymous, inactiveToo }: Pick<ConfigurationAction, 'anonymous' | 'inactiveToo'>,
  license: EmulatedLicense,
  settings: ConfigurationSettings,
): Caller {
  const caller: Caller = anonymous
    ? { ...NOTHING, kind: 'application' }
    : callerOf(request.header('authorization'), license, settings);
  if (settings.licenseExpired) refuse('license_expired', 'the subscription of the license has ended');
  if (caller.inactive && !inactiveToo && settings.inactiveAgentTokens === 'refused')
    refuse('authorization', 'the agent of the token is suspended, or waits for approval');
  return caller;
}

function callerOf(header: string | null, license: EmulatedLicense, settings: ConfigurationSettings): Caller {
  const [, scheme = '', credential = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(header?.trim() ?? '') ?? [];
  if (credential === '') refuse('authentication', 'an `Authorization` header with Bearer or Basic is required');
  return scheme.toLowerCase() === 'bearer' ? bearer(credential, license, settings) : personal(credential, license);
}

function bearer(token: string, license: EmulatedLicense, settings: ConfigurationSettings): Caller {
  if (/^(?:dal|fra)%3a/i.test(token))
    refuse('authentication', 'the token has %3A where it must have a colon: it was copied from a URL');
  if (tokens.of(license).value === undefined && botTokenTable.of(license).size() === 0)
    return { ...NOTHING, kind: 'application', clientId: settings.clientId, scopes: 'every' };
  const kept = sha256Hex(token);
  const issued = botTokenTable.of(license).get(kept);
  if (issued !== undefined) {
    if (issued.expires <= license.history.now) refuse('authentication', 'the bot token has expired');
    if (settings.deletedBotTokens === 'refused' && botTable.of(license).get(issued.bot_id) === undefined)
      refuse('authentication', 'the bot of the token does not exist any more');
    return {
      ...NOTHING,
      kind: 'application',
      clientId: issued.client_id,
      botId: issued.bot_id,
      scopes: BOT_TOKEN_SCOPES,
    };
  }
  const known = knownToken(license, 'bearer', kept);
  return { ...known, kind: 'application', clientId: known.clientId ?? settings.clientId };
}

/** Basic base64(account_id:token). */
function personal(credential: string, license: EmulatedLicense): Caller {
  const [, account = '', token = ''] = /^([^:]+):(.+)$/s.exec(Buffer.from(credential, 'base64').toString()) ?? [];
  if (token === '') refuse('authentication', 'Basic `Authorization` must be base64 of account_id:token');
  const known = knownToken(license, 'personal', sha256Hex(token));
  if (known.accountId !== undefined && known.accountId !== account)
    refuse('authentication', 'the token belongs to another account');
  return { ...known, kind: 'personal', clientId: undefined };
}

function knownToken(license: EmulatedLicense, kind: 'bearer' | 'personal', kept: string): KnownToken {
  const listed = tokens.of(license).value;
  if (listed === undefined) return { ...NOTHING, scopes: 'every' };
  const token = listed.find((candidate) => candidate.kind === kind && candidate.digest === kept);
  if (token === undefined) return refuse('authentication', 'the token is not known');
  const { agent_id: agentId, client_id: clientId, account_id: accountId, scopes } = token;
  const agent = agentId === undefined ? undefined : agentTable.of(license).get(agentId);
  if (agentId !== undefined && agent === undefined)
    refuse('authentication', 'the agent of the token does not exist any more');
  const role = token.role ?? agent?.role;
  const inactive = agent !== undefined && (agent.suspended || agent.awaiting_approval);
  return { agentId, botId: undefined, clientId, accountId, role, inactive, scopes: new Set(scopes) };
}
