// An Exchange over the network: the only file that imports undici. In: a request; out: its reply, or at which phase it was lost.
// It must not know the API. Import it lazily: loading undici costs more than `--help` does.

import { setMaxListeners } from 'node:events';
import { Agent, type Dispatcher, EnvHttpProxyAgent, errors } from 'undici';
import { UsageError } from '../base/errors.ts';
import { parsedUrl } from '../base/url.ts';
import type { Exchange, ExchangeFailure, ExchangeReply, ExchangeRequest } from './exchange.ts';
import { explainTls } from './tls.ts';

/** The largest reply that is read, in bytes. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/** A timer that is set to more fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Whether the request has begun to leave; written by `watchStart`, read when something fails. */
interface Progress {
  phase: ExchangeFailure['phase'];
}

interface Limit {
  readonly signal: AbortSignal;
  readonly reached: Promise<'timeout' | 'aborted'>;
  readonly clear: () => void;
}

type KindOfFailure = ExchangeFailure['kind'];

/**
 * The one factory of dispatchers. `environment` is asked for `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, lower case first; the process's own
 * environment is not looked at. The caller closes what it gets; aborting `gone` ends the connections too that are still being opened, which
 * closing would wait for.
 * @throws UsageError for a proxy that is no URL; its message does not repeat it, because it may hold a password
 */
export function createAgent(
  environment: Readonly<Record<string, string | undefined>> = {},
  gone?: AbortSignal,
): Dispatcher {
  const setting = (name: string) => environment[name] ?? environment[name.toUpperCase()] ?? '';
  for (const name of ['http_proxy', 'https_proxy'])
    if (setting(name) !== '' && !isProxy(setting(name)))
      throw new UsageError(`${name.toUpperCase()} is not the URL of a proxy, such as http://proxy.example.com:3128`);
  const proxies = { httpProxy: setting('http_proxy'), httpsProxy: setting('https_proxy') };
  // Each connection listens, for as long as it lives.
  if (gone !== undefined) setMaxListeners(0, gone);
  const connect = gone === undefined ? {} : { connect: { signal: gone } };
  if (proxies.httpProxy === '' && proxies.httpsProxy === '') return new Agent(connect);
  return new EnvHttpProxyAgent({ ...connect, ...proxies, noProxy: setting('no_proxy') });
}

/** A line of one's own: closing it ends also what is still being opened. @throws as `createAgent` */
export function createLine(
  environment: Readonly<Record<string, string | undefined>>,
  maxReplyBytes?: number,
): { readonly exchange: Exchange; readonly close: () => Promise<void> } {
  const gone = new AbortController();
  const agent = createAgent(environment, gone.signal);
  const close = (): Promise<void> => {
    gone.abort();
    return agent.destroy();
  };
  return { exchange: createHttpExchange(agent, maxReplyBytes), close };
}

function isProxy(text: string): boolean {
  return /^(https?|socks5?):$/.test(parsedUrl(text)?.protocol ?? '');
}

/** Every request goes through `dispatcher`; a reply of more than `maxReplyBytes` is a failure of kind `too-large`. */
export function createHttpExchange(
  dispatcher: Dispatcher = createAgent(),
  maxReplyBytes: number = MAX_REPLY_BYTES,
): Exchange {
  return async (wanted) => {
    const progress: Progress = { phase: 'connect' };
    const limit = startLimit(wanted);
    try {
      const watched = dispatcher.compose(watchStart(progress));
      const outcome = await Promise.race([send(wanted, watched, limit.signal, maxReplyBytes), limit.reached]);
      return typeof outcome === 'string' ? failure(progress, outcome, detailOf(outcome, wanted)) : outcome;
    } catch (error) {
      return failure(progress, kindOf(error), describe(error));
    } finally {
      limit.clear();
    }
  };
}

async function send(
  { method, url, headers, body }: ExchangeRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
  maxReplyBytes: number,
): Promise<ExchangeReply | 'too-large'> {
  // Only our own limit counts, so that one number says how long a request may take.
  const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };
  const content = method === 'GET' || method === 'DELETE' ? { method } : ({ method: method ?? 'POST', body } as const);
  const { origin, pathname, search } = new URL(url);
  const path = `${pathname}${search}`;
  const reply = await dispatcher.request({ ...content, origin, path, headers, signal, ...noTimeouts });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply.body) {
    size += chunk.length;
    // Leaving the loop destroys the stream, which also gives the connection up.
    if (size > maxReplyBytes) return 'too-large';
    chunks.push(chunk);
  }
  return { status: reply.statusCode, headers: flat(reply.headers), body: Buffer.concat(chunks).toString('utf8') };
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]);
  return Object.fromEntries(pairs);
}

/** Marks the moment at which the request begins to leave: from then on it may take effect, whatever error follows. */
function watchStart(progress: Progress): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        progress.phase = 'sent';
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...event) => handler.onRequestUpgrade?.(...event),
      onResponseStart: (...event) => handler.onResponseStart?.(...event),
      onResponseData: (...event) => handler.onResponseData?.(...event),
      onResponseEnd: (...event) => handler.onResponseEnd?.(...event),
      onResponseError: (...event) => handler.onResponseError?.(...event),
    });
}

/**
 * The time-out and the caller's signal as one. undici tells of an abort only once it has a connection, so `reached` tells of it at once; a
 * request that was aborted before that is never written.
 */
function startLimit({ timeout, signal }: ExchangeRequest): Limit {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const reached = new Promise<'timeout' | 'aborted'>((resolve) => {
    const end = (kind: 'timeout' | 'aborted') => {
      // In this order, so that the race is won by the reason and not by the error that the abort brings about.
      resolve(kind);
      controller.abort();
    };
    onAbort = () => end('aborted');
    timer = setTimeout(() => end('timeout'), Math.min(timeout, LONGEST_TIMER));
  });
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  const clear = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  return { signal: controller.signal, reached, clear };
}

function failure({ phase }: Progress, kind: KindOfFailure, detail: string): { readonly failure: ExchangeFailure } {
  return { failure: { phase, kind, detail } };
}

function detailOf(kind: 'timeout' | 'aborted' | 'too-large', { timeout }: ExchangeRequest): string {
  switch (kind) {
    case 'timeout':
      return `no reply within ${timeout} ms`;
    case 'aborted':
      return 'interrupted';
    case 'too-large':
      return 'the reply is larger than what is read';
  }
}

const KINDS: readonly (readonly [RegExp, KindOfFailure])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ENOTFOUND|EAI_.*)$/, 'dns'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'unreachable'],
  [/^(ETIMEDOUT|ERR_TLS_HANDSHAKE_TIMEOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timeout'],
  [/^(UND_ERR_PRX_.*|UND_ERR_SOCKS5.*)$/, 'proxy'],
  [/^(ERR_TLS_.*|ERR_SSL_.*|EPROTO|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*|HOSTNAME_MISMATCH)$/, 'tls'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_DESTROYED|UND_ERR_CLOSED)$/, 'reset'],
  [/^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_.*)$/, 'malformed'],
];

function kindOf(error: unknown): KindOfFailure {
  // Its code is missing when the reply is not HTTP at all.
  if (error instanceof errors.HTTPParserError) return 'malformed';
  const code = codeOf(error);
  // undici reports a proxy that refuses the tunnel as an abort; our own aborts never get here.
  // A gateway's own trouble (5xx) may pass; being refused does not.
  if (code === 'UND_ERR_ABORTED') return /\(5\d\d\)/.test(describe(error)) ? 'unreachable' : 'proxy';
  return kindOfCode(code);
}

function kindOfCode(code: string): KindOfFailure {
  return KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  const said = error.message === '' ? code : error.message;
  return kindOfCode(code) === 'tls' ? explainTls(code, said) : said;
}
