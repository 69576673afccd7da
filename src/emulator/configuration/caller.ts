// Who calls the Configuration API, and what that caller may do. Does not know how a credential is checked.
// Specification: "Authentication"; service-notes.md, "Wire".

import { defineFact, type EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import { checked, described, list, optional, quoted, string, text } from '../engine/shape.ts';

export const ROLES = ['viceowner', 'administrator', 'normal'] as const;
/** From the highest to the lowest; the owner's is never given. */
export const ALL_ROLES = ['owner', ...ROLES] as const;
export type AgentRole = (typeof ALL_ROLES)[number];

/** Who calls. In open mode, which is a license that lists no tokens, any credential is good for every scope. */
export interface Caller {
  /** `application` for a bearer token, `personal` for a personal access token (Basic). */
  readonly kind: 'application' | 'personal';
  /** Client of the application; undefined with a personal access token. */
  readonly clientId: string | undefined;
  /** The agent whose token it is; undefined in open mode and for a bot. */
  readonly agentId: string | undefined;
  /** The bot whose token it is. */
  readonly botId: string | undefined;
  /** Role of the token, or of its agent; undefined in open mode and for a bot. */
  readonly role: AgentRole | undefined;
  /** Whether the agent is suspended or waits for approval. */
  readonly inactive: boolean;
  /** Scopes of the credential; `every` in open mode. */
  readonly scopes: ReadonlySet<string> | 'every';
}

/** Families of scopes that are given for oneself (`my`) and for others (`all`). */
const REACHING = ['accounts', 'accounts.roles.lc', 'agents', 'agents-bot', 'groups', 'properties.group.value'];
const FAMILIES = [
  `(?:${[...REACHING, 'properties.license.value', 'sessions', 'organization'].join('|')})--(?:my|all)`,
  '(?:canned_responses|tags)--(?:groups|all)',
  'access_rules|bots.templates|chats--access|customers|customers.ban|greetings|properties.configuration',
  'subscription.lc|webhooks.configuration|webhooks.state',
].join('|');
/** Scopes that do not say how far they reach. today/configuration.md, "Errors, statuses, limits, time". */
const SIMPLE = [
  'banlist_read',
  'banlist_write',
  'canned_responses_write',
  'domain_manage',
  'languages_read',
  'languages_write',
  'reports_read',
];
const SCOPE = `^(?:(?:${FAMILIES}):r[ow]|accounts--(?:my|all):rc|customers:own|${SIMPLE.join('|')})$`.replaceAll(
  '.',
  '\\.',
);

/** A scope that one of the specifications names, or that differs from one only in reach or in `ro` and `rw`. */
export const scopeName = checked(described({ pattern: SCOPE }, string), (given, path) => {
  if (!new RegExp(SCOPE).test(given))
    refuse(
      'validation',
      `${quoted(path)}: the service has no scope ${quoted(given)}; one is ${quoted('agents--all:ro')}`,
    );
});

/** Whether the caller has a scope: `rw` includes `ro` and `rc`, `all` includes `my` and `groups`. */
export function holds({ scopes }: Caller, scope: string): boolean {
  if (scopes === 'every' || scopes.has(scope)) return true;
  const [, family = '', reach = '', access = ''] = /^(.*?)(--my|--groups|--all)?:(\w+)$/.exec(scope) ?? [];
  const reaches = reach === '--my' || reach === '--groups' ? [reach, '--all'] : [reach];
  const accesses = access === 'rw' ? ['rw'] : [access, 'rw'];
  return reaches.some((wider) => accesses.some((more) => scopes.has(`${family}${wider}:${more}`)));
}

/** Refuses with `authorization` a caller that lacks any of these scopes. */
export function permit(caller: Caller, ...scopes: readonly string[]): void {
  const missing = scopes.filter((scope) => !holds(caller, scope));
  if (missing.length > 0) refuse('authorization', `missing scope: ${missing.join(', ')}`);
}

/** Owner clients of the caller's organization; undefined when any client is accepted as one. */
export const ownClients = defineFact('clients', optional(list(text)), undefined);

export function isOwnClient(license: EmulatedLicense, client: string): boolean {
  return ownClients.of(license).value?.includes(client) ?? true;
}

/** Specification: "Bot templates and bot tokens (3.6)", "Properties". */
export function requireOwnClient(license: EmulatedLicense, client: string): void {
  if (!isOwnClient(license, client))
    refuse('authorization', `${quoted('owner_client_id')} does not belong to your organization`);
}
