// An emulator comes in, a listening HTTP server goes out. Must not know what the emulator answers.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createDrain } from './drain.ts';
import type { Emulator } from './emulator.ts';

/** A server that is ready. `close` waits for the requests in flight and takes no new ones. */
export interface Listening {
  /** For example `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface ListenOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
}

/** Listens. Rejects when the address is taken or is not ours. */
export async function listen(emulator: Emulator, { port, host }: ListenOptions): Promise<Listening> {
  const answer = getRequestListener(emulator.fetch, { hostname: 'localhost' });
  const drain = createDrain();
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    drain.asked(request.socket, response);
    void answer(request, response);
  };
  const server = createServer(serve);
  server.on('connection', drain.connected);
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
  return { url: `http://${authority(server.address())}`, close };
}

function authority(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server has no address');
  return `${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}
