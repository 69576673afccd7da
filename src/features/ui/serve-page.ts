// The server of a page, for the browser of who has its address, on this machine. Answers a fixed list of places; no file is one of them.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listenOnLoopback } from '../../base/loopback.ts';

export interface ServedPage {
  /** The page as it is now. */
  readonly html: () => Uint8Array;
  /** Its `Content-Security-Policy`. */
  readonly policy: string;
  /** What a reader of the page is told now, as JSON. */
  readonly state: () => string;
  /** A reader asks for another reading of the license. */
  readonly onRead: () => void;
}

export interface PageServer {
  /** With the token of this session. */
  readonly address: string;
  /** The same for one visit: other users of the machine see with which address a browser was started. */
  readonly once: string;
  /** Tells every reader the state. */
  readonly tell: () => void;
  readonly listeners: () => number;
  readonly close: () => Promise<void>;
}

/** Connections that have not shown the token: of more, the oldest end. */
const MOST_STRANGERS = 64;
/** Readers at a time: a browser opens six connections to a server at most. Of more, the oldest ends. */
const MOST_LISTENERS = 4;
/** Bytes that a reader may leave unread. */
const MOST_UNREAD = 65_536;
/** In milliseconds. */
interface Patience {
  /** Until a request has come. */
  readonly request: number;
  /** Until an answer has left. */
  readonly answer: number;
  /** Between two signs of life. */
  readonly sign: number;
}

const PATIENCE: Patience = { request: 5_000, answer: 60_000, sign: 20_000 };

const SAFE = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** @param port - 0: any that is free. @throws UsageError for a port that is taken */
export async function servePage(
  port: number,
  { html, policy, state, onRead }: ServedPage,
  patience: Patience = PATIENCE,
): Promise<PageServer> {
  const token = randomBytes(32).toString('base64url');
  let ticket: string | null = randomBytes(32).toString('base64url');
  const strangers = new Set<Socket>();
  const listeners = new Set<ServerResponse>();
  let hosts: readonly string[] = [];

  function reply(
    response: ServerResponse,
    status: number,
    headers: { readonly [name: string]: string } = {},
  ): ServerResponse {
    const csp = `${headers['content-type']?.startsWith('text/html') === true ? policy : "default-src 'none'"}; frame-ancestors 'none'`;
    return response.writeHead(status, { ...SAFE, 'content-security-policy': csp, ...headers });
  }

  function listen(response: ServerResponse): void {
    const [oldest] = listeners;
    if (oldest !== undefined && listeners.size >= MOST_LISTENERS) {
      listeners.delete(oldest);
      endIn(oldest);
      oldest.end('event: end\ndata: too many\n\n');
    }
    listeners.add(response);
    response.once('close', () => listeners.delete(response));
    reply(response, 200, { 'content-type': 'text/event-stream' });
    send(response, `data: ${state()}\n\n`);
  }

  /** Also where the reader takes it slowly, or not at all. */
  function endIn(response: ServerResponse): void {
    const late = setTimeout(() => response.destroy(), patience.answer).unref();
    response.once('close', () => clearTimeout(late));
  }

  /** To a reader that reads. */
  function send(response: ServerResponse, text: string): void {
    if (response.writableLength > MOST_UNREAD) response.destroy();
    else response.write(text);
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', socket } = request;
    if (!isMeant(request, hosts)) {
      reply(response, 403, { connection: 'close' }).end();
      return;
    }
    const [, given = '', place] = /^\/([\w-]{43})\/(|once|events|read)$/.exec(url) ?? [];
    if (place === 'once' && method === 'GET' && ticket !== null && isSame(given, ticket)) {
      ticket = null;
      reply(response, 303, { location: `/${token}/` }).end();
      return;
    }
    if (place === undefined || place === 'once' || !isSame(given, token)) {
      reply(response, 404, { connection: 'close' }).end();
      return;
    }
    strangers.delete(socket);
    switch (`${method} ${place}`) {
      case 'GET ': {
        endIn(response);
        const page = html();
        reply(response, 200, { 'content-type': 'text/html; charset=utf-8', 'content-length': String(page.length) }).end(
          page,
        );
        return;
      }
      case 'GET events':
        listen(response);
        return;
      case 'POST read':
        reply(response, 202, { connection: 'close' }).end();
        onRead();
        return;
      default:
        reply(response, 405, { connection: 'close' }).end();
    }
  }

  const limits = {
    headersTimeout: patience.request,
    requestTimeout: patience.request,
    connectionsCheckingInterval: patience.request / 5,
    maxHeaderSize: 8_192,
  };
  const server = createServer(limits, answer);
  server.on('connection', (socket) => {
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    const [oldest] = strangers;
    if (strangers.size > MOST_STRANGERS) oldest?.destroy();
  });
  const { port: open, close } = await listenOnLoopback(server, port, 'name another, or leave it out');
  hosts = [`127.0.0.1:${open}`, `localhost:${open}`];
  const tellAll = (text: string): void => {
    for (const each of listeners) send(each, text);
  };
  const signs = setInterval(() => tellAll(':\n\n'), patience.sign).unref();
  return {
    address: `http://127.0.0.1:${open}/${token}/`,
    once: `http://127.0.0.1:${open}/${ticket}/once`,
    tell: () => tellAll(`data: ${state()}\n\n`),
    listeners: () => listeners.size,
    close: () => {
      clearInterval(signs);
      return close();
    },
  };
}

/** A page whose own name leads to this machine (DNS rebinding) names itself in `Host`; every other page, in `Origin`. */
function isMeant({ method, headersDistinct }: IncomingMessage, hosts: readonly string[]): boolean {
  const [host = '', ...others] = headersDistinct['host'] ?? [];
  const { origin = [] } = headersDistinct;
  if (others.length > 0 || !hosts.includes(host)) return false;
  return origin.length === 0 ? method === 'GET' : origin.every((each) => each === `http://${host}`);
}

/** Takes the same time for every text. */
function isSame(given: string, secret: string): boolean {
  const [one, other] = [given, secret].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
