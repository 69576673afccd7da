// An emulator comes in, a listening HTTP server goes out. Must not know what the emulator answers.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Emulator } from './emulator.ts';

/** A server that is ready. `close` waits for the requests in flight and takes no new ones. */
export interface Listening {
  /** For example `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Listens; port 0 takes a free one. Rejects when the address is taken or is not ours. */
export async function listen(
  emulator: Pick<Emulator, 'fetch'>,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Listening> {
  const answer = getRequestListener(async (request, { incoming }) => {
    try {
      return await emulator.fetch(request);
    } catch {
      incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    }
  });
  let closing = false;
  const server = createServer((request, response) => {
    // A connection that is kept alive would hold the server open after its last response.
    response.once('close', () => {
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
    void answer(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const close = (): Promise<void> =>
    new Promise((resolve, reject) => {
      closing = true;
      server.close((error) => (error === undefined ? resolve() : reject(error)));
    });
  return { url: urlOf(server.address()), close };
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server has no address');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
