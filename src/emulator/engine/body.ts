// A request comes in, its body as parsed JSON goes out. Must not know which action it is for.
// Specification: "What the service does"; service-notes.md, "Wire".

import { refusal, refuse } from './refusal.ts';
import type { EngineSettings } from './settings.ts';
import { isObject } from './shape.ts';
import { queryOf, type WireRequest } from './wire.ts';

async function readText(asked: WireRequest, limit: number): Promise<string> {
  const declared = asked.header('content-length');
  const isTooLarge = limit !== -1 && declared !== null && Number(declared) > limit;
  const text = isTooLarge ? null : await asked.text(limit);
  if (text === null) throw refusal({ type: 'validation', status: 413 }, `the body must have at most ${limit} bytes`);
  return text;
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
export async function readBody(asked: WireRequest, { limits, requireContentType }: EngineSettings): Promise<unknown> {
  const text = await readText(asked, limits.bodyBytes);
  if (text === '') return {};
  if (requireContentType && !isJsonType(asked.header('content-type')))
    refuse('validation', 'the header `Content-Type` must be application/json');
  const body = parse(text) ?? {};
  return isObject(body) ? body : refuse('validation', 'the body must be an object');
}

/** The query of a GET in the shape of a body: ids are numbers, everything else is text. */
export function readQuery(asked: WireRequest): unknown {
  const pairs = Array.from(queryOf(asked), ([name, value]) => {
    return [name, name === 'id' && /^\d+$/.test(value) ? Number(value) : value];
  });
  return Object.fromEntries(pairs);
}
