// The token of a customer: from the environment, or from the accounts service by an agent's token. Then all runs are one customer, whom the ledger keeps.
// customer-and-reports-notes.md, "Tokens and identity".

import { ApiError, UsageError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { noValue } from '../base/text.ts';
import { stampOf } from '../ledger/events.ts';
import { fold, type Ledger } from '../ledger/ledger.ts';
import type { TargetSettings } from '../project/settings.ts';
import { ACCOUNTS, type AccountsClient } from '../service/accounts.ts';
import { createClient } from '../service/client.ts';
import { type Credential, checkCredential, createRedactor } from '../service/credential.ts';
import { stopText } from '../service/patience/deadline.ts';
import { patient } from '../service/patience/retry.ts';
import { type RunContext, scrubbed } from '../target/context.ts';
import { lockOf, whileLocked } from '../target/lock.ts';
import { ledgerAt } from '../target/stores.ts';
import { addressOf, isEmulated, openLine, requestLog } from './transport.ts';

/** An emulator is one license, and takes any token for it. */
export const EMULATED: Credential = { kind: 'bearer', token: 'emulator' };

/** Where the token of a customer comes from. */
export type CustomerSource =
  | { readonly from: 'environment'; readonly credential: Credential }
  | { readonly from: 'accounts'; readonly client: string; readonly agent: Credential; readonly accounts: string }
  /** `missing` says what is not there, and what to do. */
  | { readonly from: 'nowhere'; readonly missing: string };

/** Sends nothing. A token in the environment comes first. */
export function customerSource(settings: TargetSettings, { env }: Pick<RunContext, 'env'>): CustomerSource {
  const { customerTokenEnv, customerClient, accountId, tokenEnv, name } = settings;
  const nowhere = (missing: string): CustomerSource => ({ from: 'nowhere', missing });
  const token = env[customerTokenEnv] ?? '';
  if (token !== '') return { from: 'environment', credential: { kind: 'bearer', token } };
  if (customerClient === null)
    return nowhere(
      `${noValue(env, customerTokenEnv)}: it must hold the access token of a customer of target ${name}; or set \`customer\` of the target`,
    );
  if (accountId !== null)
    return nowhere(
      `the accounts service gives no token for a personal access token: set ${customerTokenEnv}, or leave out account_id and put a bearer token into ${tokenEnv}`,
    );
  const accounts = settings.accountsUrl ?? (isEmulated(settings) ? addressOf(settings) : null);
  if (accounts === null)
    return nowhere(
      `target ${name} has no accounts_url, which \`customer\` needs: add it to the target; next to --base-url, give it with --accounts-url`,
    );
  const agent = env[tokenEnv] ?? '';
  if (agent !== '')
    return { from: 'accounts', client: customerClient, agent: { kind: 'bearer', token: agent }, accounts };
  if (isEmulated(settings)) return { from: 'accounts', client: customerClient, agent: EMULATED, accounts };
  return nowhere(`${noValue(env, tokenEnv)}: with it, the accounts service gives the token of a customer`);
}

/** What a run may do to get a token: `known` makes no customer, who would stay on the license for ever. */
export type CustomerMaking = 'may be made' | 'known';

export async function customerCredentialOf(
  settings: TargetSettings,
  context: RunContext,
  making: CustomerMaking,
): Promise<Credential | null> {
  return (await customerIdentityOf(settings, context, making))?.credential ?? null;
}

/** Whose token it is, and whether this run made that customer. */
export interface CustomerIdentity {
  readonly credential: Credential;
  readonly isNew: boolean;
  /** To the accounts service. */
  readonly requests: ReturnType<AccountsClient['requests']>;
}

/**
 * Null when there is none. The first token that an agent asks for makes a customer, which the ledger keeps for all later runs.
 * `beforeMaking` can refuse that by an error.
 * @throws UsageError when the accounts service gives none, or another run holds the lease that a new customer needs
 */
export async function customerIdentityOf(
  settings: TargetSettings,
  context: RunContext,
  making: CustomerMaking,
  beforeMaking: () => Promise<void> = async () => {},
): Promise<CustomerIdentity | null> {
  const source = customerSource(settings, context);
  switch (source.from) {
    case 'nowhere':
      return null;
    case 'environment':
      requirePlausible(source.credential.token, settings.customerTokenEnv);
      return { credential: source.credential, isNew: false, requests: {} };
    case 'accounts':
      requirePlausible(source.agent.token, settings.tokenEnv);
      return grantedToken(source, settings, context, { making, beforeMaking });
  }
}

/** @throws UsageError that names the variable */
export function requirePlausible(token: string, variable: string): void {
  try {
    checkCredential({ kind: 'bearer', token }, ['bearer']);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${variable}: ${error.message}`) : error;
  }
}

type AgentSource = Extract<CustomerSource, { readonly from: 'accounts' }>;

/** Any token of a known customer is as good as another, so it may be asked for twice. */
const OF_KNOWN = {
  ...ACCOUNTS,
  actions: { token: { ...ACCOUNTS.actions.token, effect: 'update', answersSecret: false } },
} as const;

async function grantedToken(
  source: AgentSource,
  settings: TargetSettings,
  context: RunContext,
  { making, beforeMaking }: { readonly making: CustomerMaking; readonly beforeMaking: () => Promise<void> },
): Promise<CustomerIdentity | null> {
  const ledger = ledgerAt(settings.ledger, context);
  const { exchange, signal, close } = await openLine(settings, context);
  try {
    const plain = createClient(ACCOUNTS, {
      baseUrl: source.accounts,
      version: '2',
      credential: source.agent,
      exchange,
      clock: context.clock,
      timeout: settings.requestTimeout,
      onRequest: requestLog(scrubbed(context.log, createRedactor(source.agent))),
    });
    const { clock, random, notice } = context;
    const lasting = (client: AccountsClient): AccountsClient =>
      patient(client, {
        clock,
        random,
        concurrency: 1,
        signal,
        deadline: clock.now() + settings.runTimeout,
        onWait: ({ action, failure, milliseconds }) =>
          notice({ type: 'retry', action, failure: failure.type, pause: milliseconds }),
      });
    const [once, again] = [lasting(plain), lasting({ ...plain, api: OF_KNOWN })];
    const ask = (entity?: string): Promise<Grant> =>
      granted(entity === undefined ? once : again, source, entity, signal);
    const known = await knownCustomer(ledger, source);
    const found = known === undefined ? null : await ask(known).catch(orUnknown);
    if (found !== null) return { credential: found.credential, isNew: false, requests: plain.requests() };
    if (making === 'known') return null;
    await beforeMaking();
    const made = await whileLocked(lockOf(settings), 'customer', context, async ({ run }) => {
      const since = await knownCustomer(ledger, source);
      if (since !== undefined && since !== known) return { ...(await ask(since)), isNew: false };
      const grant = await ask();
      const { client: client_id } = source;
      // Opened again: a ledger is written by the run that holds its lease when it is opened.
      const own = ledgerAt(settings.ledger, context);
      await own.append([
        { ...stampOf(run, context.clock.now()), type: 'customer', client_id, entity_id: grant.entity },
      ]);
      return { ...grant, isNew: true };
    });
    return { credential: made.credential, isNew: made.isNew, requests: plain.requests() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (signal.aborted) throw new UsageError(`${stopText(signal)} before the accounts service gave a token`);
    throw new UsageError(
      `the accounts service gives no token of a customer: ${error.message}; check accounts_url, customer.client_id and the token in ${settings.tokenEnv}, or set ${settings.customerTokenEnv}`,
    );
  } finally {
    await close();
  }
}

async function knownCustomer(ledger: Ledger, { client }: AgentSource): Promise<string | undefined> {
  return fold(await ledger.read()).customers.get(client)?.entity_id;
}

interface Grant {
  readonly credential: Credential;
  readonly entity: string;
}

/** @throws ApiError as the service refuses it; UsageError for a reply without a token */
async function granted(
  client: AccountsClient,
  { client: client_id }: AgentSource,
  entity_id: string | undefined,
  signal: AbortSignal,
): Promise<Grant> {
  const body = {
    grant_type: 'agent_token',
    client_id,
    response_type: 'token',
    ...(entity_id === undefined ? {} : { entity_id }),
  };
  const reply = await client.call('token', body, { signal });
  const { access_token: token, entity_id: entity } = isObject(reply) ? reply : {};
  if (typeof token !== 'string' || typeof entity !== 'string')
    throw new UsageError('the accounts service answers without the token of a customer: check accounts_url');
  return { credential: { kind: 'bearer', token }, entity };
}

/** A customer whom the service does not know any more is made again. */
function orUnknown(error: unknown): null {
  if (error instanceof ApiError && UNKNOWN.has(error.failure.type)) return null;
  throw error;
}

const UNKNOWN: ReadonlySet<string> = new Set(['invalid_request', 'not_found', 'validation']);
