// The APIs of a target: how each one is reached, in which version, and with which credential. One entry for each API.

import { CredentialError, UsageError } from '../base/errors.ts';
import type { CustomerVersion, ReportsVersion, Version } from '../base/model.ts';
import { noValue } from '../base/text.ts';
import { PRESETS, type TargetSettings } from '../project/settings.ts';
import { AGENT } from '../service/agent.ts';
import type { AgentMessages } from '../service/agent-messages.ts';
import type { Api, ApiAction } from '../service/api.ts';
import { type ActionName, CONFIGURATION } from '../service/configuration.ts';
import type { Credential } from '../service/credential.ts';
import { CUSTOMER } from '../service/customer.ts';
import type { CustomerMessages } from '../service/customer-messages.ts';
import { REPORTS } from '../service/reports.ts';
import type { ReportsMessages } from '../service/reports-messages.ts';
import type { RunContext } from '../target/context.ts';
import { type CustomerMaking, customerCredentialOf, customerSource, EMULATED, requirePlausible } from './customer.ts';
import { isEmulated } from './transport.ts';

/** An API, and where chatform.yaml says how a target reaches it. */
export interface TargetApi<A extends string = string, V extends string = string> {
  readonly api: Api<A, V>;
  /** The flag by which `chatform api` means it; null for the one that it means without a flag. */
  readonly flag: string | null;
  /** What people call its credential. */
  readonly credentialName: string;
  /** Setting of the version. */
  readonly versionSetting: string;
  readonly versionOf: (settings: TargetSettings) => V;
  /** Null when there is none, which is enough for actions that need no token. */
  readonly credentialOf: (
    settings: TargetSettings,
    context: RunContext,
    making: CustomerMaking,
  ) => Promise<Credential | null>;
  /** What a credential of this API is, for a person who has none. */
  readonly missingCredential: (settings: TargetSettings, context: Pick<RunContext, 'env'>) => string;
  /** Plans compare what it changes, so that they show a change which the ledger does not know. */
  readonly isPlanned: boolean;
}

/** An API of one target in one version. */
export interface ApiAccess<A extends string = string, V extends string = string> {
  readonly api: Api<A, V>;
  readonly version: V;
  readonly credential: Credential | null;
  /** Null where the API has no account parameter. */
  readonly account: string | null;
}

/** An emulator takes any account for its license. */
const EMULATED_ACCOUNT = '1';

/**
 * The credential of the Configuration API, from the environment.
 * @throws UsageError when there is none
 */
export function credentialOf(settings: TargetSettings, { env }: Pick<RunContext, 'env'>): Credential {
  const found = agentCredential(settings.tokenEnv, settings, env);
  if (found !== null) return found;
  if (isEmulated(settings)) return EMULATED;
  throw new CredentialError(configurationTokenMissing(settings, { env }));
}

/** The token of an agent: with `account_id`, it is a personal access token. Null where the variable is not set. */
function agentCredential(variable: string, { accountId }: TargetSettings, env: RunContext['env']): Credential | null {
  const token = env[variable] ?? '';
  if (token === '') return null;
  requirePlausible(token, variable);
  return accountId === null ? { kind: 'bearer', token } : { kind: 'basic', accountId, token };
}

/** `access token`, or `personal access token of account ACCOUNT`. */
function tokenKind({ accountId }: Pick<TargetSettings, 'accountId'>): string {
  return accountId === null ? 'access token' : `personal access token of account ${accountId}`;
}

function configurationTokenMissing(settings: TargetSettings, { env }: Pick<RunContext, 'env'>): string {
  const { tokenEnv, name } = settings;
  const missing = `${noValue(env, tokenEnv)}: it must hold the ${tokenKind(settings)} of target ${name}`;
  return missing + notRead('token_env', tokenEnv, name, env);
}

/** A sentence about the variable that is usual for a setting: it is set, and the target names another one. */
function notRead(
  setting: 'token_env' | 'reports_token_env',
  variable: string,
  target: string,
  env: RunContext['env'],
): string {
  const usual = String(PRESETS['token_env']);
  return variable === usual || (env[usual] ?? '') === ''
    ? ''
    : `. ${usual} is set, but not read: ${setting} of target ${target} names ${variable}`;
}

const configuration: TargetApi<ActionName, Version> = {
  api: CONFIGURATION,
  flag: null,
  credentialName: 'the token',
  versionSetting: 'api_version',
  versionOf: ({ apiVersion }) => apiVersion,
  credentialOf: async (settings, context) => credentialOf(settings, context),
  missingCredential: configurationTokenMissing,
  isPlanned: true,
};

/** Reached as the Configuration API, with the same token. */
const agent: TargetApi<keyof AgentMessages, Version> = { ...configuration, api: AGENT, flag: '--agent' };

const customer: TargetApi<keyof CustomerMessages, CustomerVersion> = {
  api: CUSTOMER,
  flag: '--customer',
  credentialName: 'the token of the customer',
  versionSetting: 'customer_api_version',
  versionOf: ({ customerApiVersion }) => customerApiVersion,
  credentialOf: customerCredentialOf,
  missingCredential: (settings, context) => {
    const source = customerSource(settings, context);
    return source.from === 'nowhere'
      ? source.missing
      : 'no run has made the customer yet, who stays on the license: `chatform test --on customer` makes one, and so does --write';
  },
  isPlanned: false,
};

function reportsTokenMissing(settings: TargetSettings, { env }: Pick<RunContext, 'env'>): string {
  const { reportsTokenEnv, tokenEnv, accountId, name } = settings;
  const variable = reportsTokenEnv ?? tokenEnv;
  const article = accountId === null ? 'an' : 'a';
  const missing = `${noValue(env, variable)}: it must hold ${article} ${tokenKind(settings)} of target ${name} with the scope reports_read`;
  return missing + notRead(reportsTokenEnv === null ? 'token_env' : 'reports_token_env', variable, name, env);
}

const reports: TargetApi<keyof ReportsMessages, ReportsVersion> = {
  api: REPORTS,
  flag: '--reports',
  credentialName: 'the token of the reports',
  versionSetting: 'reports_api_version',
  versionOf: ({ reportsApiVersion }) => reportsApiVersion,
  credentialOf: async (settings, { env }) =>
    agentCredential(settings.reportsTokenEnv ?? settings.tokenEnv, settings, env),
  missingCredential: reportsTokenMissing,
  isPlanned: false,
};

/** By name, which is also that of the flag. */
export const TARGET_APIS = { configuration, agent, customer, reports } as const;

/**
 * The account for the query of an API in a version; null where it has no such parameter.
 * @throws UsageError when chatform.yaml does not say it
 */
export function accountOf({ account, name }: Api, version: string, settings: TargetSettings): string | null {
  const parameter = account?.[version];
  if (parameter === undefined) return null;
  const known: { readonly [parameter: string]: string | null } = {
    license_id: settings.licenseId,
    organization_id: settings.organizationId,
  };
  const value = known[parameter.name] ?? null;
  if (value !== null) return value;
  if (isEmulated(settings)) return EMULATED_ACCOUNT;
  throw new UsageError(
    `target ${settings.name} has no ${parameter.name}, which version ${version} of the ${name} needs: add it to the target in chatform.yaml`,
  );
}

/** What an action needs, and whether the run may change the license. */
interface AskedAccess extends Pick<ApiAction, 'token'> {
  readonly mayWrite: boolean;
}

/**
 * Access to an API for one action of it. An emulator gets a stand-in where an action needs a token and there is none.
 * @throws UsageError when a credential or an account is missing
 */
export async function accessFor<A extends string, V extends string>(
  { api, credentialOf: find, missingCredential }: TargetApi<A, V>,
  version: V,
  { token, mayWrite }: AskedAccess,
  settings: TargetSettings,
  context: RunContext,
): Promise<ApiAccess<A, V>> {
  const found = await find(settings, context, mayWrite && token !== 'optional' ? 'may be made' : 'known');
  const account = accountOf(api, version, settings);
  if (found !== null || token === 'optional') return { api, version, credential: found, account };
  if (isEmulated(settings)) return { api, version, credential: EMULATED, account };
  throw new UsageError(missingCredential(settings, context));
}
