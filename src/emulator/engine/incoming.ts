// A request of node:http comes in as an emulator sees it, and its answer goes out over the connection. Must not know what is asked.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, Asked } from './message.ts';
import { piecesOf } from './slow-body.ts';

/** A target in the absolute form (`POST http://host/path`) means its path; null for what is neither a path nor a URL. */
function targetOf(url: string): string | null {
  if (url.startsWith('/')) return url;
  const found = /^https?:\/\/[^/?#]*(.*)$/i.exec(url)?.[1];
  return found === undefined || found.startsWith('/') ? (found ?? null) : `/${found}`;
}

/** By its events: iterating over a stream costs more than all the rest of a request. Rejects when the body breaks off. */
function readText(request: IncomingMessage, limit: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (limit === -1 || size <= limit) chunks.push(chunk);
      else resolve(null);
    });
    request.once('error', reject);
    request.once('end', () => {
      // Decoded in one piece: a character may stand across two chunks. A byte order mark is no part of the text.
      resolve(
        Buffer.concat(chunks)
          .toString()
          .replace(/^\uFEFF/, ''),
      );
    });
  });
}

/** Null for a request that names no place that there could be. */
export function askedBy(request: IncomingMessage): Asked | null {
  const target = targetOf(request.url ?? '/');
  if (target === null || /[\s/?#@\\]/.test(request.headers.host ?? '')) return null;
  return {
    method: request.method ?? 'GET',
    target,
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    },
    text: (limit) => readText(request, limit),
  };
}

export async function send(
  { status, headers, text, pace }: Answer,
  response: ServerResponse,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<void> {
  if (pace === undefined || text === null) {
    response.writeHead(status, { ...headers, 'content-length': text === null ? 0 : Buffer.byteLength(text) });
    response.end(text ?? undefined);
    return;
  }
  response.writeHead(status, headers);
  for await (const piece of piecesOf(text, pace, sleep)) {
    if (response.destroyed) return;
    response.write(piece);
  }
  response.end();
}
