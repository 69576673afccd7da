// An emulator comes in, a listening server of HTTP or HTTPS goes out. Must not know what the emulator answers.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Identity } from './certificate.ts';
import { createDrain } from './drain.ts';
import type { Emulator } from './emulator.ts';
import { askedBy, send } from './incoming.ts';
import { timer } from './slow-body.ts';

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

/** Listens. Rejects when the address is taken or is not ours. */
export async function listen(
  { handle }: Pick<Emulator, 'handle'>,
  { port, host, tls }: ListenOptions,
): Promise<Listening> {
  const drain = createDrain();
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    drain.asked(request.socket, response);
    const asked = askedBy(request);
    if (asked === null) {
      response.writeHead(400, { connection: 'close' }).end();
      return;
    }
    // What cannot be answered is a connection that the faults reset, or one that is gone.
    handle(asked)
      .then((answer) => send(answer, response, timer))
      .catch(() => request.socket.destroy());
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
