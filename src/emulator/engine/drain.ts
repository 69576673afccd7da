// The connections of a server and what they ask come in; once it drains, each is closed as soon as it waits for no response. Must not know
// what is asked. A server's own `close` would wait for a connection on which nothing was ever asked.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Drain {
  readonly connected: (socket: Socket) => void;
  readonly asked: (socket: Socket, response: ServerResponse) => void;
  readonly begin: () => void;
}

/** The same for a connection before and after TLS has been agreed on. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

export function createDrain(): Drain {
  const open = new Map<string, Socket>();
  /** The last response that a connection waits for. */
  const awaited = new Map<Socket, ServerResponse>();
  let draining = false;

  function announceClose(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader('connection', 'close');
  }

  function connected(socket: Socket): void {
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

  function begin(): void {
    draining = true;
    for (const socket of open.values()) if (!awaited.has(socket)) socket.destroy();
    for (const response of awaited.values()) announceClose(response);
  }

  return { connected, asked, begin };
}
