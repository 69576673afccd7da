// A handler comes in, and goes out as a function of the platform's `Request` and `Response`. Must not know what is asked.

import type { Answer, Asked, Handler } from './message.ts';
import { slowly, timer } from './slow-body.ts';

export function fetchOf(
  handle: Handler,
  sleep: (milliseconds: number) => Promise<void> = timer,
): (request: Request) => Promise<Response> {
  return async (request) => responseOf(await handle(askedBy(request)), sleep);
}

function askedBy(request: Request): Asked {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    target: pathname + search,
    header: (name) => request.headers.get(name),
    text: async (limit) => {
      const text = await request.text();
      return limit !== -1 && Buffer.byteLength(text) > limit ? null : text;
    },
  };
}

function responseOf({ status, headers, text, pace }: Answer, sleep: (milliseconds: number) => Promise<void>): Response {
  return new Response(pace === undefined || text === null ? text : slowly(text, pace, sleep), { status, headers });
}
