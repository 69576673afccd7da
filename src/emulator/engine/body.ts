// JSON bodies of requests. Knows no action. Specification: "What the service does"; service-notes.md, "Wire".

import { refusal, refuse } from './refusal.ts';
import type { EngineSettings } from './settings.ts';
import { isObject } from './shape.ts';
import type { WireRequest } from './wire.ts';

async function readText(request: WireRequest, limit: number): Promise<string> {
  const declared = request.header('content-length');
  const isTooLarge = limit !== -1 && declared !== null && Number(declared) > limit;
  const text = isTooLarge ? null : await request.text(limit);
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

/** The object in the body of a request; no bytes, and `null`, are an empty one. */
export async function readJsonBody(
  request: WireRequest,
  { limits, requireContentType }: EngineSettings,
): Promise<unknown> {
  const text = await readText(request, limits.bodyBytes);
  if (text === '') return {};
  if (requireContentType && !isJsonType(request.header('content-type')))
    refuse('validation', 'the header `Content-Type` must be application/json');
  const body = parse(text) ?? {};
  return isObject(body) ? body : refuse('validation', 'the body must be an object');
}
