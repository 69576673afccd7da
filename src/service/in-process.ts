// An Exchange and WebSockets with a handler in this process: the service without a network.

import type { Exchange } from './exchange.ts';
import type { SocketCarrier } from './socket.ts';

/**
 * Calls `handle` as if it were the other end of a connection. A rejection whose `code` is ECONNRESET is a connection that was lost after
 * the request was sent; any other is a defect of the handler, and rejects.
 */
export function createInProcessExchange(handle: (request: Request) => Promise<Response>): Exchange {
  return async ({ method, url, headers, body, stream, signal }) => {
    if (signal?.aborted === true) return { failure: { phase: 'connect', kind: 'aborted', detail: 'interrupted' } };
    try {
      // A stream needs `duplex`.
      const content =
        method === 'GET' ? { method } : ({ method: 'POST', body: stream ?? body, duplex: 'half' } as const);
      const response = await handle(new Request(url, { ...content, headers: { ...headers } }));
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) throw error;
      return { failure: { phase: 'sent', kind: 'reset', detail: error.message } };
    }
  };
}

/** A request for a WebSocket, and what accepts it. */
type Accept = (request: {
  readonly method: string;
  readonly origin: string;
  readonly target: string;
  readonly header: (name: string) => string | null;
  readonly bytes: () => Promise<Uint8Array>;
}) =>
  | ((peer: { readonly send: (text: string) => void; readonly close: () => void }) => {
      readonly receive: (text: string) => void;
      readonly ended: () => Promise<void>;
    })
  | null;

/** Connections to `accept`, which loses nothing. */
export function createInProcessSockets(accept: Accept): SocketCarrier {
  return {
    canLose: false,
    open: async ({ url, headers }, { onMessage, onEnd }) => {
      const { origin, pathname, search } = new URL(url);
      const header = (name: string): string | null => headers[name] ?? null;
      const begin = accept({
        method: 'GET',
        origin,
        target: pathname + search,
        header,
        bytes: async () => new Uint8Array(),
      });
      if (begin === null)
        return { failure: { phase: 'connect', kind: 'malformed', detail: 'there is nothing at this path' } };
      const { receive, ended } = begin({ send: onMessage, close: () => onEnd('the connection was closed') });
      return { send: receive, close: ended };
    },
  };
}
