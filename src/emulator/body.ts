// A request comes in, its body as parsed JSON goes out. Must not know which action it is for.
// Specification: "What the service does"; service-notes.md, "Wire".

import { refusal, refuse } from './refusal.ts';
import type { Settings } from './settings.ts';
import { isObject } from './shape.ts';

function tooLarge(limit: number): never {
  throw refusal({ type: 'validation', status: 413 }, `the body must have at most ${limit} bytes`);
}

/**
 * The text of a body. One that comes in chunks is read up to the limit, instead of taking in what will be refused; `body` is looked at
 * in that case only, because it makes a stream of what else is read in one go.
 */
async function readText(request: Request, limit: number): Promise<string> {
  const declared = request.headers.get('content-length');
  if (limit !== -1 && declared !== null && Number(declared) > limit) tooLarge(limit);
  if (limit === -1 || !request.headers.has('transfer-encoding')) {
    const text = await request.text();
    if (declared === null && limit !== -1 && Buffer.byteLength(text) > limit) tooLarge(limit);
    return text;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('validation', 'the body is not valid JSON');
  }
}

function isJsonType(header: string | null): boolean {
  return /^application\/json\s*(?:;|$)/i.test(header ?? '');
}

/** The body of a POST; nothing and `null` are an empty object. */
export async function readBody(request: Request, { limits, requireContentType }: Settings): Promise<unknown> {
  const text = await readText(request, limits.bodyBytes);
  if (text === '') return {};
  if (requireContentType && !isJsonType(request.headers.get('content-type')))
    refuse('validation', 'the header `Content-Type` must be application/json');
  const body = parse(text) ?? {};
  return isObject(body) ? body : refuse('validation', 'the body must be an object');
}

/** The query of a GET in the shape of a body: ids are numbers, everything else is text. */
export function readQuery(request: Request): unknown {
  const pairs = Array.from(new URL(request.url).searchParams, ([name, value]) => {
    return [name, name === 'id' && /^\d+$/.test(value) ? Number(value) : value];
  });
  return Object.fromEntries(pairs);
}
