// An Exchange over the network, by undici. Import it lazily: loading undici takes longer than `--help`.

import { lookup } from 'node:dns';
import { setMaxListeners } from 'node:events';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher, EnvHttpProxyAgent, errors } from 'undici';
import { UsageError } from '../base/errors.ts';
import { isThisMachine, parsedUrl } from '../base/url.ts';
import type { Exchange, ExchangeFailure, ExchangeReply, ExchangeRequest } from './exchange.ts';
import { LONGEST_TIMER } from './patience/clock.ts';

const MIB = 1024 * 1024;

/** The largest reply that is read, in bytes. */
const MAX_REPLY_BYTES = 64 * MIB;

/** Whether the request has begun to leave; written by `watchStart`, read when something fails. */
interface SendProgress {
  phase: ExchangeFailure['phase'];
}

interface TimeLimit {
  readonly signal: AbortSignal;
  readonly reached: Promise<'timeout' | 'aborted'>;
  readonly clear: () => void;
}

type KindOfFailure = ExchangeFailure['kind'];

/** Overrules `NODE_TLS_REJECT_UNAUTHORIZED=0`, with which Node would send a token to any machine. */
const CHECKED = { rejectUnauthorized: true } as const;

/**
 * The only factory of dispatchers. It reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` from `environment`, lower case first, and never from the
 * process. Requests to this machine go through no proxy: the proxy would reach another machine, and get the token. The caller closes the dispatcher;
 * aborting `gone` also ends connections that are still being opened, which closing would wait for.
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
  // Each connection listens to it, for as long as it lives.
  if (gone !== undefined) setMaxListeners(0, gone);
  const connect = gone === undefined ? CHECKED : { ...CHECKED, signal: gone };
  const isDirect = proxies.httpProxy === '' && proxies.httpsProxy === '';
  const factory = (origin: string | URL): Dispatcher => {
    if (isThisMachine(new URL(origin))) return new Agent({ connect: { ...connect, lookup: lookupHere } });
    if (isDirect) return new Agent({ connect });
    const { httpProxy, httpsProxy } = proxies;
    const used = String(origin).startsWith('https:') && httpsProxy !== '' ? httpsProxy : httpProxy;
    // With `proxyTls`, undici speaks TLS to a SOCKS proxy also.
    const proxyTls = /^https:/i.test(used) ? { proxyTls: CHECKED } : {};
    return new EnvHttpProxyAgent({
      connect,
      ...proxies,
      noProxy: setting('no_proxy'),
      requestTls: CHECKED,
      ...proxyTls,
    });
  };
  return new Agent({ factory });
}

/** Every name of this machine is the one of its hosts file: a name server could give `x.localhost` the address of another machine. */
const lookupHere: LookupFunction = (_name, options, done) => lookup('localhost', options, done);

/** How requests are sent, until it is closed. */
export interface Line {
  readonly exchange: Exchange;
  /** Also ends connections that are still being opened. */
  readonly close: () => Promise<void>;
}

/** @throws as `createAgent` */
export function createLine(environment: Readonly<Record<string, string | undefined>>, maxReplyBytes?: number): Line {
  const { exchange, close } = createDispatchedLine(environment, maxReplyBytes);
  return { exchange, close };
}

/** The same with its dispatcher, for WebSockets. No declaration of the library names it: undici is in the script, and not installed. */
export interface DispatchedLine extends Line {
  readonly dispatcher: Dispatcher;
}

/** @throws as `createAgent` */
export function createDispatchedLine(
  environment: Readonly<Record<string, string | undefined>>,
  maxReplyBytes?: number,
): DispatchedLine {
  const gone = new AbortController();
  const agent = createAgent(environment, gone.signal);
  const close = (): Promise<void> => {
    gone.abort();
    return agent.destroy();
  };
  return { exchange: createHttpExchange(agent, maxReplyBytes), dispatcher: agent, close };
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
    const progress: SendProgress = { phase: 'connect' };
    const limit = startLimit(wanted);
    try {
      const watched = dispatcher.compose(watchStart(progress));
      const outcome = await Promise.race([send(wanted, watched, limit.signal, maxReplyBytes), limit.reached]);
      return typeof outcome === 'string'
        ? failure(progress, outcome, detailOf(outcome, wanted, maxReplyBytes))
        : outcome;
    } catch (error) {
      return failure(progress, kindOfError(error), describeError(error));
    } finally {
      limit.clear();
    }
  };
}

async function send(
  { method, url, headers, body, stream }: ExchangeRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
  maxReplyBytes: number,
): Promise<ExchangeReply | 'too-large'> {
  // Only `timeout` counts, so that one number says how long a request may take.
  const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };
  const sent = stream === undefined ? body : Readable.from(stream, { objectMode: false });
  const content =
    method === 'GET' || method === 'DELETE' ? { method } : ({ method: method ?? 'POST', body: sent } as const);
  const { origin, pathname, search } = new URL(url);
  const path = `${pathname}${search}`;
  const reply = await dispatcher.request({ ...content, origin, path, headers, signal, ...noTimeouts });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply.body) {
    size += chunk.length;
    // Leaving the loop destroys the stream, and the connection with it.
    if (size > maxReplyBytes) return 'too-large';
    chunks.push(chunk);
  }
  return { status: reply.statusCode, headers: flat(reply.headers), body: Buffer.concat(chunks).toString('utf8') };
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]);
  return Object.fromEntries(pairs);
}

/** Notes the moment at which the request begins to be sent: from then on it may take effect, whatever error follows. */
function watchStart(progress: SendProgress): Dispatcher.DispatcherComposeInterceptor {
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
 * The time-out and the caller's signal as one. undici reports an abort only when it has a connection, so `reached` reports it immediately; a request
 * that was aborted before that is never written.
 */
function startLimit({ timeout, signal }: ExchangeRequest): TimeLimit {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const reached = new Promise<'timeout' | 'aborted'>((resolve) => {
    const end = (kind: 'timeout' | 'aborted') => {
      // In this order, so that the race is won by the reason, and not by the error that the abort causes.
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

function failure({ phase }: SendProgress, kind: KindOfFailure, detail: string): { readonly failure: ExchangeFailure } {
  return { failure: { phase, kind, detail } };
}

function detailOf(
  kind: 'timeout' | 'aborted' | 'too-large',
  { timeout }: ExchangeRequest,
  maxReplyBytes: number,
): string {
  switch (kind) {
    case 'timeout':
      return `no reply within ${timeout} ms`;
    case 'aborted':
      return 'interrupted';
    case 'too-large':
      return `the reply is larger than ${maxReplyBytes / MIB} MiB, the most that is read`;
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

export function kindOfError(error: unknown): KindOfFailure {
  // The error has no code when the reply is not HTTP.
  if (error instanceof errors.HTTPParserError) return 'malformed';
  const code = codeOf(error);
  // undici reports a proxy that refuses the tunnel as an abort; aborts by the caller never get here.
  // A gateway's own trouble (5xx) may pass; a refusal does not.
  if (code === 'UND_ERR_ABORTED') return /\(5\d\d\)/.test(describeError(error)) ? 'unreachable' : 'proxy';
  return kindOfCode(code);
}

function kindOfCode(code: string): KindOfFailure {
  return KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  const said = error.message === '' ? code : error.message;
  return kindOfCode(code) === 'tls' ? explainTls(code, said) : said;
}

const TRUST = 'to trust it on this machine, name a PEM file with it in NODE_EXTRA_CA_CERTS';

const TLS_REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(DEPTH_ZERO_)?SELF_SIGNED_CERT/,
    `the certificate is self-signed, or its authority is unknown to this machine; ${TRUST}`,
  ],
  [
    /^UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/,
    `the authority of the certificate is unknown to this machine, or intermediate certificates are missing; ${TRUST}`,
  ],
  [/^CERT_HAS_EXPIRED$/, 'the certificate has expired, or the clock of this machine is wrong'],
  [/^CERT_NOT_YET_VALID$/, 'the certificate is not valid yet, or the clock of this machine is wrong'],
  [/^CERT_REVOKED$/, 'the certificate was revoked'],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    'the certificate is for another host: write the host that it names into base_url',
  ],
  [
    /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/,
    'what answers there does not speak TLS: is it http://, or another port?',
  ],
];

/** What is wrong with the certificate and what to do about it, for a person. No pause heals any of these. */
function explainTls(code: string, said: string): string {
  const reason = TLS_REASONS.find(([pattern]) => pattern.test(code))?.[1];
  return reason === undefined ? said : `${reason} (${code}: ${said})`;
}
