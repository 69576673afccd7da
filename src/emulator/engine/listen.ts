// A server of HTTP or HTTPS, and of WebSockets, in front of an emulator. Does not know what the emulator answers.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isThisMachine } from '../../base/url.ts';
import { nothingHere } from './api.ts';
import { type DoorRefusal, type Doors, refusalOf, refusedHost, refusedOrigin } from './doors.ts';
import type { RealtimeConnect } from './realtime.ts';
import { openSocket, refuseSocket } from './sockets.ts';
import { piecesOf, timer, type WireHandler, type WireRequest, type WireResponse } from './wire.ts';

/** A server that is ready. `close` waits for the requests in flight and takes no new ones. */
export interface Listening {
  /** For example `http://127.0.0.1:8080`, or `https:` with `tls`. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface ListenOptions extends Doors {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** Serves HTTPS with this key and certificate, both in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** What is served. */
interface Served {
  readonly handle: WireHandler;
  /** The real-time interface; left out for none. */
  readonly connect?: RealtimeConnect;
  readonly isControlOpen?: boolean;
}

/** The `code` of the error for a control API that other machines would reach without a token. */
export const CONTROL_OPEN = 'ERR_CONTROL_OPEN';

/** Listens. Rejects when the address is taken or does not belong to this machine, and with CONTROL_OPEN. */
export async function listen(
  { handle, connect, isControlOpen = false }: Served,
  { port, host, tls, ...doors }: ListenOptions,
): Promise<Listening> {
  if (isControlOpen && !isThisMachine({ hostname: host.toLowerCase() })) {
    const message = `the control API on ${host} would let other machines change everything: give \`withControl\` a token`;
    throw Object.assign(new Error(message), { code: CONTROL_OPEN });
  }
  const connections = trackConnections();
  const scheme = tls === undefined ? 'http' : 'https';
  const serve = (incoming: IncomingMessage, response: ServerResponse): void => {
    connections.asked(incoming.socket, response);
    const request = wireRequestOf(incoming, scheme);
    if (request === null) {
      response.writeHead(400, { connection: 'close' }).end();
      return;
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const refused =
      refusedHost(incoming, host, doors) ?? (isRead ? null : refusedOrigin(request, doors.allowedOrigins ?? []));
    if (refused !== null) {
      response.setHeader('connection', 'close');
      void send(refusalOf(refused), response);
      return;
    }
    // A request without an answer is one whose connection the faults reset, or whose connection is gone.
    handle(request)
      .then((answer) => send(answer, response))
      .catch(() => incoming.socket.destroy());
  };
  const upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    const request = wireRequestOf(incoming, scheme);
    const refused: DoorRefusal | null =
      request === null
        ? { status: 400, type: 'validation', message: 'the request names no place' }
        : (refusedHost(incoming, host, doors) ?? refusedOrigin(request, doors.allowedOrigins ?? []));
    const open = request === null || refused !== null ? null : (connect?.(request) ?? null);
    if (open !== null) openSocket(open, incoming, socket, head).catch(() => socket.destroy());
    else refuseSocket(refusalOf(refused ?? NOTHING), socket);
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.on('upgrade', upgrade);
  server.on('connection', connections.opened);
  server.on('secureConnection', connections.opened);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const close = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.close((error) => (error === undefined ? resolve() : reject(error)));
      connections.drain();
    });
  return { url: `${scheme}://${authority(server.address())}`, close };
}

const NOTHING: DoorRefusal = { status: 404, type: 'not_found', message: nothingHere().message };

function authority(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server has no address');
  return `${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

/** The path of a target, which may have the absolute form (`POST http://host/path`); null for one that is neither a path nor a URL. */
function targetOf(url: string): string | null {
  if (url.startsWith('/')) return url;
  const found = /^https?:\/\/[^/?#]*(.*)$/i.exec(url)?.[1];
  return found === undefined || found.startsWith('/') ? (found ?? null) : `/${found}`;
}

/** Reads events: iterating over a stream costs more than all the rest of a request. Rejects when the body breaks off. */
function readBytes(incoming: IncomingMessage, limit: number): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (limit === -1 || size <= limit) chunks.push(chunk);
      else resolve(null);
    });
    incoming.once('error', reject);
    incoming.once('end', () => resolve(Buffer.concat(chunks)));
  });
}

/** Null for a request whose target or `Host` names no place. */
function wireRequestOf(incoming: IncomingMessage, scheme: string): WireRequest | null {
  const target = targetOf(incoming.url ?? '/');
  const { host = 'localhost' } = incoming.headers;
  if (target === null || /[\s/?#@\\]/.test(host)) return null;
  return {
    method: incoming.method ?? 'GET',
    origin: `${scheme}://${host}`,
    target,
    header: (name) => {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    },
    bytes: (limit) => readBytes(incoming, limit),
  };
}

async function send(
  { status, headers: named, cookies = [], body, pace }: WireResponse,
  response: ServerResponse,
): Promise<void> {
  const headers = cookies.length === 0 ? named : { ...named, 'set-cookie': [...cookies] };
  if (pace === undefined || body === null) {
    response.writeHead(status, { ...headers, 'content-length': body === null ? 0 : Buffer.byteLength(body) });
    response.end(body ?? undefined);
    return;
  }
  response.writeHead(status, headers);
  for await (const piece of piecesOf(body, pace, timer)) {
    if (response.destroyed) return;
    response.write(piece);
  }
  response.end();
}

/** The same for a connection before and after TLS has been agreed on. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * The connections of a server and the responses that they wait for. From `drain` on, each is closed as soon as it waits for none. A
 * server's own `close` would wait for a connection that never carried a request.
 */
function trackConnections() {
  const open = new Map<string, Socket>();
  /** The last response that a connection waits for. */
  const awaited = new Map<Socket, ServerResponse>();
  let draining = false;

  function announceClose(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader('connection', 'close');
  }

  function opened(socket: Socket): void {
    const name = nameOf(socket);
    open.set(name, socket);
    socket.once('close', () => {
      if (open.get(name) === socket) open.delete(name);
    });
  }

  function asked(socket: Socket, response: ServerResponse): void {
    const previous = awaited.get(socket);
    awaited.set(socket, response);
    if (draining) {
      if (previous?.headersSent === false) previous.removeHeader('connection');
      announceClose(response);
    }
    response.once('close', () => {
      if (awaited.get(socket) !== response) return;
      awaited.delete(socket);
      if (draining) socket.destroySoon();
    });
  }

  function drain(): void {
    draining = true;
    for (const socket of open.values()) if (!awaited.has(socket)) socket.destroy();
    for (const response of awaited.values()) announceClose(response);
  }

  return { opened, asked, drain };
}
