// An emulator comes in, a listening server of HTTP or HTTPS goes out. Must not know what the emulator answers.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Identity } from './certificate.ts';
import { createDrain } from './drain.ts';
import type { Emulator } from './emulator.ts';
import { textAtHand } from './text-response.ts';

/** A server that is ready. `close` waits for the requests in flight and takes no new ones. */
export interface Listening {
  /** For example `http://127.0.0.1:8080`, or `https:` with `tls`. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface ListenOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** Serves HTTPS as this one; `createIdentity` makes one. */
  readonly tls?: Identity;
}

/** What answers a request of node:http. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Listens. Rejects when the address is taken or is not ours. */
export async function listen(
  emulator: Pick<Emulator, 'fetch'>,
  { port, host, tls }: ListenOptions,
): Promise<Listening> {
  const answer = answering(emulator);
  const drain = createDrain();
  const serve: Answer = (request, response) => {
    drain.asked(request.socket, response);
    answer(request, response);
  };
  const server =
    tls === undefined ? createServer(serve) : createTlsServer({ key: tls.key, cert: tls.certificate }, serve);
  server.on('connection', drain.connected);
  server.on('secureConnection', drain.connected);
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
      drain.begin();
    });
  return { url: `${tls === undefined ? 'http' : 'https'}://${authority(server.address())}`, close };
}

function authority(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server has no address');
  return `${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

/** The globals stay as they are: whoever embeds an emulator has not asked for another `Request`. */
function answering({ fetch }: Pick<Emulator, 'fetch'>): Answer {
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const response = await fetch(request).catch(() => null);
      if (response === null) {
        // A connection that the faults reset.
        incoming.socket.destroy();
        return RESPONSE_ALREADY_SENT;
      }
      const text = textAtHand(response);
      if (text === undefined) return response;
      const headers = Object.fromEntries(response.headers);
      outgoing.writeHead(response.status, { ...headers, 'content-length': Buffer.byteLength(text) });
      outgoing.end(text);
      return RESPONSE_ALREADY_SENT;
    },
    { overrideGlobalObjects: false, hostname: 'localhost' },
  );
  return (request, response) => void listener(request, response);
}
