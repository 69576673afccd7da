// What carries requests to a target: the network, or an emulator in this process. Knows no API.

import { UsageError } from '../base/errors.ts';
import { outsideOf } from '../base/repository.ts';
import { EMULATOR, type TargetSettings } from '../project/settings.ts';
import type { Exchange } from '../service/exchange.ts';
import type { DispatchedLine, Line } from '../service/http.ts';
import { LONGEST_TIMER } from '../service/patience/clock.ts';
import { outOfTime } from '../service/patience/deadline.ts';
import type { FinishedRequest } from '../service/sender.ts';
import type { SocketCarrier } from '../service/socket.ts';
import type { Log, RunContext } from '../target/context.ts';

export function isEmulated({ baseUrl }: Pick<TargetSettings, 'baseUrl'>): boolean {
  return baseUrl.startsWith(EMULATOR);
}

/** Where the URLs of requests begin. */
export function addressOf({ baseUrl }: Pick<TargetSettings, 'baseUrl'>): string {
  return baseUrl.startsWith(EMULATOR) ? 'http://emulator.localhost' : baseUrl;
}

interface RequestCarrier {
  readonly exchange: Exchange;
  readonly sockets: SocketCarrier;
  readonly close: () => Promise<void>;
}

/** What carries requests to a target, to all of its APIs: an emulator in this process has one state. */
export interface TargetLine extends RequestCarrier {
  /** Aborted when the run is interrupted, or has used up its time, which begins with the line. */
  readonly signal: AbortSignal;
}

/** Aborting `stop` ends the run. */
export async function openLine(
  settings: TargetSettings,
  context: RunContext,
  stop: AbortSignal = context.signal,
): Promise<TargetLine> {
  const { signal, clear } = limited(stop, settings.runTimeout);
  const carrier = isEmulated(settings) ? await emulated(settings, context) : await networked(context);
  const close = (): Promise<void> => {
    clear();
    return carrier.close();
  };
  return { ...carrier, signal, close };
}

async function emulated(settings: TargetSettings, context: RunContext): Promise<RequestCarrier> {
  const [{ openStateFile }, { createInProcessExchange, createInProcessSockets }] = await Promise.all([
    import('../emulator/index.ts'),
    import('../service/in-process.ts'),
  ]);
  const file = settings.baseUrl.slice(EMULATOR.length);
  const emulator = await openStateFile(file, {
    now: context.clock.now,
    random: context.random,
    propagationDelay: settings.propagationDelay ?? 0,
  }).catch((error: unknown) => {
    // The reason names members of the file, which may be any file of this machine.
    if (!outsideOf(['.'])(file)) throw error;
    throw new UsageError(
      `${file} cannot be used as a license, and is left as it is: the reason is not shown, because the file is outside of the project`,
    );
  });
  return {
    exchange: createInProcessExchange(emulator.fetch),
    sockets: createInProcessSockets(emulator.connect),
    close: async () => {},
  };
}

async function networked({ env }: RunContext): Promise<RequestCarrier> {
  const { createDispatchedLine } = await import('../service/http.ts');
  const { exchange, close } = sharedLine(env, createDispatchedLine);
  const own: DispatchedLine[] = [];
  const open: SocketCarrier['open'] = async (request, listener) => {
    const { openWebSocket } = await import('../service/websocket.ts');
    const line = createDispatchedLine(env);
    own.push(line);
    return openWebSocket(line.dispatcher, request, listener);
  };
  const closeAll = async (): Promise<void> => {
    await Promise.all([close(), ...own.map((line) => line.close())]);
  };
  return { exchange, sockets: { open, canLose: true }, close: closeAll };
}

/** The lines of the targets that are under way, by the environment, which may name a proxy. */
const lines = new WeakMap<RunContext['env'], { readonly line: Line; users: number }>();

/** Requests of all targets that are under way at once: licenses with one address share its connections. Closing it ends the requests of this target alone. */
function sharedLine(env: RunContext['env'], create: (env: RunContext['env']) => Line): Line {
  const shared = lines.get(env) ?? { line: create(env), users: 0 };
  lines.set(env, shared);
  shared.users += 1;
  const closed = new AbortController();
  return {
    exchange: ({ signal = closed.signal, ...request }) =>
      shared.line.exchange({ ...request, signal: AbortSignal.any([signal, closed.signal]) }),
    close: async () => {
      if (closed.signal.aborted) return;
      closed.abort();
      shared.users -= 1;
      if (shared.users > 0) return;
      lines.delete(env);
      await shared.line.close();
    },
  };
}

/** A signal that is aborted with `signal`, or after so many milliseconds with a `TimeoutError`, until it is cleared. Keeps no process alive. */
export function limited(
  signal: AbortSignal,
  milliseconds: number,
): { readonly signal: AbortSignal; readonly clear: () => void } {
  const controller = new AbortController();
  const end = (): void => {
    clearTimeout(timer);
    controller.abort(signal.reason);
  };
  const timer = setTimeout(
    () => {
      signal.removeEventListener('abort', end);
      controller.abort(outOfTime());
    },
    Math.min(milliseconds, LONGEST_TIMER),
  ).unref();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const clear = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  };
  return { signal: controller.signal, clear };
}

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
