// A request's credential comes in, who calls and what that one may do goes out. Must not know any action.
// Specification: "Authentication"; service-notes.md, "Wire".

import { digest } from '../ids.ts';
import type { License } from '../license.ts';
import { refuse } from '../refusal.ts';
import type { Settings } from '../settings.ts';

/** Who calls. In open mode any credential is good for every scope but those that are private. */
export interface Caller {
  /** `application` for a bearer token, `personal` for a personal access token (Basic). */
  readonly kind: 'application' | 'personal';
  /** Client of the application; undefined with a personal access token. */
  readonly clientId: string | undefined;
  /** The agent whose token it is; undefined in open mode and for a bot. */
  readonly agentId: string | undefined;
  /** Scopes of the credential; `every` in open mode. */
  readonly scopes: ReadonlySet<string> | 'every';
}

/** Scopes of an issued bot token. Specification: "Bot templates and bot tokens (3.6)". */
const BOT_TOKEN_SCOPES: ReadonlySet<string> = new Set(['chats--access:rw', 'agents-bot--my:rw', 'customers:rw']);

/** The caller whom the `Authorization` header names, or an `authentication` refusal. */
export function authenticate(header: string | null, license: License, settings: Settings): Caller {
  const [, scheme = '', credential = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(header?.trim() ?? '') ?? [];
  if (credential === '') refuse('authentication', 'an `Authorization` header with Bearer or Basic is required');
  if (scheme.toLowerCase() === 'bearer') return bearer(credential, license, settings);
  if (!/^[^:]+:.+$/s.test(Buffer.from(credential, 'base64').toString()))
    refuse('authentication', 'Basic `Authorization` must be base64 of account_id:token');
  return { kind: 'personal', clientId: undefined, agentId: undefined, scopes: 'every' };
}

function bearer(token: string, license: License, settings: Settings): Caller {
  const issued = license.botTokens.get(digest(token));
  if (issued === undefined)
    return { kind: 'application', clientId: settings.clientId, agentId: undefined, scopes: 'every' };
  if (issued.expires <= license.history.now) refuse('authentication', 'the bot token has expired');
  return { kind: 'application', clientId: issued.client_id, agentId: undefined, scopes: BOT_TOKEN_SCOPES };
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
