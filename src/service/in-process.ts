// An Exchange with a handler in this process: the service without a network.

import type { Exchange } from './exchange.ts';

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
