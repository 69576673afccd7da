// A target's settings in, a client for it out: over the network, or to the emulator in this process with its state in a file.

import { leased } from '../apply/leased.ts';
import { UsageError } from '../base/errors.ts';
import type { Tenure } from '../ledger/tenure.ts';
import { EMULATOR, type TargetSettings } from '../project/settings.ts';
import { createClient, readsOnly } from '../service/client.ts';
import { CONFIGURATION, type ConfigurationClient } from '../service/configuration.ts';
import { type Credential, createRedactor } from '../service/credential.ts';
import type { Exchange } from '../service/exchange.ts';
import { type Patience, patient } from '../service/patience/retry.ts';
import type { FinishedRequest, LifecycleNotice } from '../service/sender.ts';
import { limited } from './deadline.ts';
import { type Log, scrubbed } from './log.ts';
import type { Terminal } from './terminal.ts';

export interface Connection {
  readonly client: ConfigurationClient;
  /** Aborted when the run is interrupted, or has used up its time. */
  readonly signal: AbortSignal;
  readonly close: () => Promise<void>;
}

/** Who looks at the line itself: what else becomes a line on stderr goes to it instead. */
export interface Watch {
  readonly credential: Credential;
  readonly around: (exchange: Exchange) => Exchange;
  readonly onNotice: (notice: LifecycleNotice) => void;
  readonly onWait: NonNullable<Patience['onWait']>;
  /** Aborting it ends the patience. */
  readonly signal: AbortSignal;
}

interface Line {
  readonly exchange: Exchange;
  readonly close: () => Promise<void>;
}

async function emulated(settings: TargetSettings, terminal: Terminal): Promise<Line> {
  const [{ openStateFile }, { createInProcessExchange }] = await Promise.all([
    import('../emulator/index.ts'),
    import('../service/in-process.ts'),
  ]);
  const emulator = await openStateFile(settings.baseUrl.slice(EMULATOR.length), {
    now: terminal.clock.now,
    random: terminal.random,
    propagationDelay: settings.propagationDelay ?? 0,
  });
  return { exchange: createInProcessExchange(emulator.fetch), close: async () => {} };
}

async function networked(terminal: Terminal): Promise<Line> {
  const { createLine } = await import('../service/http.ts');
  return createLine(terminal.env);
}

/**
 * An emulator takes any token; a service takes the one in the environment.
 * @throws UsageError when there is none
 */
export function credentialOf(settings: TargetSettings, terminal: Terminal): Credential {
  const token = terminal.env[settings.tokenEnv];
  if (token === undefined || token === '') {
    if (settings.baseUrl.startsWith(EMULATOR)) return { kind: 'bearer', token: 'emulator' };
    throw new UsageError(
      `the environment variable ${settings.tokenEnv} is not set: it must hold the access token of target ${settings.name}`,
    );
  }
  return settings.accountId === null
    ? { kind: 'bearer', token }
    : { kind: 'basic', accountId: settings.accountId, token };
}

/** Milliseconds: requests that are refused side by side are one trouble, and one line. */
const TOLD_ONCE_IN = 1_000;

/** One line for each request. A credential in it is for the log to take out. */
export function requestLog(log: Log): (request: FinishedRequest) => void {
  return ({ action, status, durationMs, attempt, debugId, failure }) =>
    log(failure === null ? 'info' : 'warn', 'request', {
      action,
      status,
      duration_ms: durationMs,
      attempt,
      debug_id: debugId,
      error: failure?.type ?? null,
      reason: failure?.message ?? null,
    });
}

/**
 * `quiet` keeps the waits to itself. Without a lease the client refuses every action that is not a read; with one, every write that the lease
 * would not outlive.
 * @throws UsageError for a credential or an address that cannot be right
 */
export async function connect(
  settings: TargetSettings,
  terminal: Terminal,
  quiet: boolean,
  { watch, tenure }: { readonly watch?: Watch; readonly tenure?: Tenure } = {},
): Promise<Connection> {
  const credential = watch?.credential ?? credentialOf(settings, terminal);
  let told: { readonly type: string; readonly at: number } | null = null;
  const log = scrubbed(terminal.log, createRedactor(credential));
  const signal = limited(watch?.signal ?? terminal.signal, settings.runTimeout);
  const { exchange, close } = settings.baseUrl.startsWith(EMULATOR)
    ? await emulated(settings, terminal)
    : await networked(terminal);
  const client = createClient(CONFIGURATION, {
    baseUrl: settings.baseUrl.startsWith(EMULATOR) ? 'http://emulator.localhost' : settings.baseUrl,
    version: settings.apiVersion,
    credential,
    exchange: watch?.around(exchange) ?? exchange,
    clock: terminal.clock,
    timeout: settings.requestTimeout,
    onRequest: requestLog(log),
    onNotice:
      watch?.onNotice ??
      (({ header, date }) => {
        const end = date === null ? 'at a date the service does not say' : `on ${date}`;
        terminal.err(
          `${terminal.paintErr('warning', 'Warning:')} version ${settings.apiVersion} of the service is ${header === 'legacy' ? 'a legacy version' : 'deprecated'}, and this stage ends ${end}\n`,
        );
      }),
  });
  return {
    client: patient(tenure === undefined ? readsOnly(client) : leased(client, tenure, settings.requestTimeout), {
      clock: terminal.clock,
      random: terminal.random,
      concurrency: settings.concurrency,
      signal,
      deadline: terminal.clock.now() + settings.runTimeout,
      onWait: (wait) => {
        const { action, milliseconds, failure, attempt } = wait;
        log('debug', 'pause', { action, attempt, error: failure.type, pause_ms: milliseconds });
        if (watch !== undefined) return watch.onWait(wait);
        const now = terminal.clock.now();
        const isToldAlready = told?.type === failure.type && now - told.at < TOLD_ONCE_IN;
        if (quiet || isToldAlready) return;
        told = { type: failure.type, at: now };
        const line = `${action} failed (${failure.type}), trying again in ${(milliseconds / 1000).toFixed(1)} s`;
        terminal.err(`${terminal.paintErr('faint', line)}\n`);
      },
    }),
    signal,
    close,
  };
}
