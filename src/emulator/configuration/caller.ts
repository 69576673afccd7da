// A request's credential comes in, who calls and what that one may do goes out. Must not know any action.
// Specification: "Authentication"; service-notes.md, "Wire".

import type { EmulatedLicense } from '../engine/license.ts';
import { digest } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import type { Role } from './records.ts';
import { agentTable, botTable, botTokenTable, tokens } from './records.ts';
import type { ConfigurationSettings } from './settings.ts';

/** Who calls. In open mode, which is a license that lists no tokens, any credential is good for every scope. */
export interface Caller {
  /** `application` for a bearer token, `personal` for a personal access token (Basic). */
  readonly kind: 'application' | 'personal';
  /** Client of the application; undefined with a personal access token. */
  readonly clientId: string | undefined;
  /** The agent whose token it is; undefined in open mode and for a bot. */
  readonly agentId: string | undefined;
  /** Role of the token, or of its agent; undefined in open mode and for a bot. */
  readonly role: Role | undefined;
  /** Whether the agent is suspended or waits for approval. */
  readonly inactive: boolean;
  /** Scopes of the credential; `every` in open mode. */
  readonly scopes: ReadonlySet<string> | 'every';
}

/** Scopes of an issued bot token. Specification: "Bot templates and bot tokens (3.6)". */
const BOT_TOKEN_SCOPES: ReadonlySet<string> = new Set(['chats--access:rw', 'agents-bot--my:rw', 'customers:rw']);

/** The caller whom the `Authorization` header names, or an `authentication` refusal. */
export function authenticate(header: string | null, license: EmulatedLicense, settings: ConfigurationSettings): Caller {
  const [, scheme = '', credential = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(header?.trim() ?? '') ?? [];
  if (credential === '') refuse('authentication', 'an `Authorization` header with Bearer or Basic is required');
  return scheme.toLowerCase() === 'bearer' ? bearer(credential, license, settings) : personal(credential, license);
}

function bearer(token: string, license: EmulatedLicense, settings: ConfigurationSettings): Caller {
  if (/^(?:dal|fra)%3a/i.test(token))
    refuse('authentication', 'the token has %3A where it must have a colon: it was copied from a URL');
  if (tokens.of(license).value === undefined && botTokenTable.of(license).size() === 0)
    return { ...ANYONE, kind: 'application', clientId: settings.clientId };
  const kept = digest(token);
  const issued = botTokenTable.of(license).get(kept);
  if (issued !== undefined) {
    if (issued.expires <= license.history.now) refuse('authentication', 'the bot token has expired');
    if (settings.deletedBotTokens === 'refused' && botTable.of(license).get(issued.bot_id) === undefined)
      refuse('authentication', 'the bot of the token does not exist any more');
    return { ...ANYONE, kind: 'application', clientId: issued.client_id, scopes: BOT_TOKEN_SCOPES };
  }
  const known = knownToken(license, 'bearer', kept);
  return { ...known, kind: 'application', clientId: known.clientId ?? settings.clientId };
}

/** Basic base64(account_id:token). */
function personal(credential: string, license: EmulatedLicense): Caller {
  const [, account = '', token = ''] = /^([^:]+):(.+)$/s.exec(Buffer.from(credential, 'base64').toString()) ?? [];
  if (token === '') refuse('authentication', 'Basic `Authorization` must be base64 of account_id:token');
  const known = knownToken(license, 'personal', digest(token));
  if (known.accountId !== undefined && known.accountId !== account)
    refuse('authentication', 'the token belongs to another account');
  return { ...known, kind: 'personal', clientId: undefined };
}

interface Known extends Omit<Caller, 'kind'> {
  readonly accountId: string | undefined;
}

const ANYONE: Known = {
  agentId: undefined,
  clientId: undefined,
  accountId: undefined,
  role: undefined,
  inactive: false,
  scopes: 'every',
};

function knownToken(license: EmulatedLicense, kind: 'bearer' | 'personal', kept: string): Known {
  const listed = tokens.of(license).value;
  if (listed === undefined) return ANYONE;
  const token = listed.find((candidate) => candidate.kind === kind && candidate.digest === kept);
  if (token === undefined) return refuse('authentication', 'the token is not known');
  const { agent_id: agentId, client_id: clientId, account_id: accountId, scopes } = token;
  const agent = agentId === undefined ? undefined : agentTable.of(license).get(agentId);
  if (agentId !== undefined && agent === undefined)
    refuse('authentication', 'the agent of the token does not exist any more');
  const role = token.role ?? agent?.role;
  const inactive = agent !== undefined && (agent.suspended || agent.awaiting_approval);
  return { agentId, clientId, accountId, role, inactive, scopes: new Set(scopes) };
}

/** Whether the caller has a scope: `rw` includes `ro` and `rc`, `all` includes `my`. */
export function holds({ scopes }: Caller, scope: string): boolean {
  if (scopes === 'every') return true;
  const [, family = '', reach, access = ''] = /^(.*?)(--my|--all)?:(\w+)$/.exec(scope) ?? [];
  const reaches = reach === '--my' ? ['--my', '--all'] : [reach ?? ''];
  const accesses = access === 'rw' ? ['rw'] : [access, 'rw'];
  return reaches.some((wider) => accesses.some((more) => scopes.has(`${family}${wider}:${more}`)));
}

/** Refuses with `authorization` a caller that lacks any of these scopes. */
export function permit(caller: Caller, ...scopes: readonly string[]): void {
  const missing = scopes.filter((scope) => !holds(caller, scope));
  if (missing.length > 0) refuse('authorization', `missing scope: ${missing.join(', ')}`);
}
