// Connection to the service of a target, over the network or to an emulator in this process; with a lease, for writes.

import { ApiError, unstatedFailure } from '../base/errors.ts';
import { canonicalJson } from '../base/json.ts';
import type { Json, Version } from '../base/model.ts';
import { LICENSE_API, type LicenseAction } from '../kinds/actions.ts';
import { KIND_NAMES, KINDS } from '../kinds/index.ts';
import type { Call } from '../kinds/kind.ts';
import type { Tenure } from '../ledger/tenure.ts';
import type { TargetSettings } from '../project/settings.ts';
import { type Client, createClient, readsOnly } from '../service/client.ts';
import { type Credential, createRedactor } from '../service/credential.ts';
import type { Exchange } from '../service/exchange.ts';
import { patient, type RetryPatience } from '../service/patience/retry.ts';
import { endsSoon, hasEnded } from '../service/sender.ts';
import { type RunContext, scrubbed } from '../target/context.ts';
import { type ApiAccess, credentialOf } from './apis.ts';
import type { Ask } from './reading/live.ts';
import { addressOf, openLine, requestLog, type TargetLine } from './transport.ts';

/** A client of everything that configures a license. */
export type LicenseClient = Client<LicenseAction, Version>;

/** Requests by action. */
export type Requests = { readonly [action: string]: number };

/** A client of one API of a target. */
export interface ApiConnection<A extends string = string, V extends string = string> {
  readonly client: Client<A, V>;
  /** Aborted when the run is interrupted, or has used up its time. */
  readonly signal: AbortSignal;
}

export interface Connection extends Pick<ApiConnection, 'signal'> {
  readonly client: LicenseClient;
  /** Asks for a plan: refuses what is no read, and ends with the run. */
  readonly ask: Ask;
}

/** Watcher of the connection itself, whose run tells no notices. */
export interface Watch {
  readonly credential: Credential;
  readonly around: (exchange: Exchange) => Exchange;
  readonly onWait: NonNullable<RetryPatience['onWait']>;
  /** Aborting it ends the patience. */
  readonly signal: AbortSignal;
}

/** Milliseconds in which the same failure of several requests is one notice. */
const SAME_FAILURE = 1_000;

/** How a client of a target is used. */
interface Use {
  readonly watch?: Watch;
  /** The lease that it writes with. Without one it refuses every action that is not a read. */
  readonly tenure?: Tenure;
  /** Milliseconds after which a request that failed is not sent again. */
  readonly patience?: number;
}

/**
 * A client of one API over a line. With a lease it refuses every write that the lease would not outlive.
 * @throws UsageError for a credential, an account or an address that cannot be right
 */
export function clientOver<A extends string, V extends string>(
  { exchange, signal }: Pick<TargetLine, 'exchange' | 'signal'>,
  { api, version, credential, account }: ApiAccess<A, V>,
  settings: TargetSettings,
  context: RunContext,
  { watch, tenure, patience }: Use = {},
): ApiConnection<A, V> {
  const { clock, random, notice, budgets } = context;
  const log = scrubbed(context.log, createRedactor(credential));
  const client = createClient(api, {
    baseUrl: addressOf(settings),
    version,
    credential,
    ...(account === null ? {} : { account }),
    exchange: watch?.around(exchange) ?? exchange,
    clock,
    timeout: settings.requestTimeout,
    onRequest: requestLog(log),
    onNotice: ({ header, date: ends }) => {
      const now = clock.now();
      if (watch !== undefined || !endsSoon(ends, now)) return;
      const stage = header === 'legacy' ? 'legacy' : 'deprecated';
      notice({ type: 'version-stage', api: api.name, version, stage, ends, isOver: hasEnded(ends, now) });
    },
  });
  let last: { readonly failure: string; readonly at: number } | null = null;
  const waiting: RetryPatience['onWait'] = (wait) => {
    const { action, milliseconds, failure, attempt } = wait;
    log('debug', 'pause', { action, attempt, error: failure.type, pause_ms: milliseconds });
    if (watch !== undefined) return watch.onWait(wait);
    const at = clock.now();
    if (last?.failure === failure.type && at - last.at < SAME_FAILURE) return;
    last = { failure: failure.type, at };
    notice({ type: 'retry', action, failure: failure.type, pause: milliseconds });
  };
  const allowed = tenure === undefined ? readsOnly(client) : leased(client, tenure, settings.requestTimeout);
  const lasting = patient(allowed, {
    clock,
    random,
    concurrency: settings.concurrency,
    signal,
    deadline: clock.now() + settings.runTimeout,
    ...(patience === undefined ? {} : { within: patience }),
    ...(budgets === undefined || credential === null ? {} : { budget: budgets(credential) }),
    onWait: waiting,
  });
  return { client: lasting, signal };
}

/** A connection to the Configuration API. @throws UsageError for a credential or an address that cannot be right */
export async function connect(
  settings: TargetSettings,
  context: RunContext,
  use: Use = {},
): Promise<Connection & { readonly close: () => Promise<void> }> {
  const credential = use.watch?.credential ?? credentialOf(settings, context);
  const access = { api: LICENSE_API, version: settings.apiVersion, credential, account: null };
  const line = await openLine(settings, context, use.watch?.signal);
  const { client, signal } = clientOver(line, access, settings, context, use);
  const reader = readsOnly(client);
  const counting = countedReads(context.notice);
  const shared = sharedReads(settings, context.answers);
  return {
    client,
    ask: (action, body, { signal: giveUp = signal, enough = signal } = {}) =>
      shared({ action, body }, () =>
        counting(action, reader.call(action, body, { signal: AbortSignal.any([giveUp, signal]), enough })),
      ),
    signal,
    close: async () => {
      // What it wrote is on other licenses as well.
      if (use.tenure !== undefined && [...settings.webhooksOf.values()].includes(settings.name))
        context.answers?.forget();
      await line.close();
    },
  };
}

/** Asks what is the same on all licenses of a client once for all targets. The target that writes it asks for itself: it has to see what it wrote. */
function sharedReads(
  { name, baseUrl, apiVersion, webhooksOf }: TargetSettings,
  answers: RunContext['answers'],
): (call: Call, ask: () => Promise<Json>) => Promise<Json> {
  const questionOf = ({ action, body }: Call): string => canonicalJson([baseUrl, apiVersion, action, body]);
  const writers = new Map<string, string>();
  for (const kind of KIND_NAMES)
    for (const [client, writer] of webhooksOf) {
      const call = KINDS[kind].shared?.listed(client);
      if (call !== undefined) writers.set(questionOf(call), writer);
    }
  return (call, ask) => {
    const question = questionOf(call);
    const writer = writers.get(question);
    if (answers === undefined || writer === undefined) return ask();
    return answers[writer === name ? 'fresh' : 'known'](question, ask);
  };
}

/** Tells how many of the objects are read that are asked for one by one. */
function countedReads(notice: RunContext['notice']): <T>(action: string, answer: Promise<T>) => Promise<T> {
  const counts = new Map<string, { done: number; total: number }>();
  return (action, answer) => {
    const kind = KIND_NAMES.find((name) => action === `get_${name}`);
    if (kind === undefined) return answer;
    const count = counts.get(kind) ?? { done: 0, total: 0 };
    counts.set(kind, count);
    count.total += 1;
    return answer.finally(() => {
      count.done += 1;
      notice({ type: 'working', verb: 'read', ...count, noun: KINDS[kind].noun.many });
    });
  };
}

/** Runs `work` on a connection, and closes it however the work ends. @throws as `connect` and `work` do */
export async function connected<T>(
  settings: TargetSettings,
  context: RunContext,
  work: (connection: Connection) => Promise<T>,
  tenure?: Tenure,
): Promise<T> {
  const { close, ...connection } = await connect(settings, context, tenure === undefined ? {} : { tenure });
  try {
    return await work(connection);
  } finally {
    await close();
  }
}

/** The client whose writes are sent only while the lease outlives the request. A refused write fails with type `aborted`, and is not ambiguous. */
export function leased<A extends string, V extends string>(
  client: Client<A, V>,
  tenure: Pick<Tenure, 'refusal'>,
  requestTimeout: number,
): Client<A, V> {
  async function mayLeave(action: A): Promise<void> {
    if (client.api.actions[action].effect === 'read') return;
    const reason = await tenure.refusal(requestTimeout);
    if (reason !== null) throw unsent(action, reason);
  }

  return {
    ...client,
    call: async (action, body, options) => {
      await mayLeave(action);
      return client.call(action, body, options);
    },
    batch: async (action, bodies, options) => {
      await mayLeave(action);
      return client.batch(action, bodies, options);
    },
  };
}

function unsent(action: string, reason: string): ApiError {
  return new ApiError(unstatedFailure({ action, type: 'aborted', message: `not sent without the lease: ${reason}` }));
}
