// One request to a handler of the emulator in this process, as a port would pass it on. The platform's own `Request` and `Response` take longer than the
// answer.

import type { WireHandler } from '../src/emulator/index.ts';
import type { Exchange } from '../src/service/exchange.ts';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Replied {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const utf8 = new TextEncoder();

/** Sends a request that is a text, and reads its reply as one. */
export async function sendTo(handle: WireHandler, { method, url, headers, body }: Sent): Promise<Replied> {
  const { origin, pathname, search } = new URL(url);
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const sent = utf8.encode(body);
  const reply = await handle({
    method,
    origin,
    target: pathname + search,
    header: (name) => named.get(name) ?? null,
    bytes: async (limit) => (limit !== -1 && sent.byteLength > limit ? null : sent),
  });
  if (reply.pace !== undefined) throw new Error('a body that comes slowly needs `fetch`');
  const text = reply.body instanceof Uint8Array ? new TextDecoder().decode(reply.body) : (reply.body ?? '');
  return { status: reply.status, headers: new Headers(reply.headers), body: text };
}

/** What `createInProcessExchange` is, for bodies that are texts. */
export function wireExchange(handle: WireHandler): Exchange {
  return async ({ method = 'POST', url, headers, body, signal }) => {
    if (signal?.aborted === true) return { failure: { phase: 'connect', kind: 'aborted', detail: 'interrupted' } };
    try {
      const reply = await sendTo(handle, { method, url, headers, body });
      return { status: reply.status, headers: Object.fromEntries(reply.headers), body: reply.body };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) throw error;
      return { failure: { phase: 'sent', kind: 'reset', detail: error.message } };
    }
  };
}
