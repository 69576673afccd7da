// A handler of this process in, an Exchange out: the service without a network. It must not know whose handler it is.

import type { Exchange } from './exchange.ts';

/** Calls `handle` as if it were the other end of a connection that never fails. */
export function createInProcessExchange(handle: (request: Request) => Promise<Response>): Exchange {
  return async ({ url, headers, body }) => {
    const response = await handle(new Request(url, { method: 'POST', headers: { ...headers }, body }));
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  };
}
