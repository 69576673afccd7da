// Bodies of requests: JSON, and forms with files. Knows no action.
// Specification: "What the service does", "Endpoints"; service-notes.md, "Wire".

import { isObject, jsonIn } from '../../base/json.ts';
import { refusal, refuse } from './refusal.ts';
import type { EngineSettings } from './settings.ts';
import { textOf, type WireRequest } from './wire.ts';

/** Null for a body of more than `limit` bytes; one that says so itself is not read at all. */
export async function readBytes(request: WireRequest, limit: number): Promise<Uint8Array | null> {
  const declared = request.header('content-length');
  return limit !== -1 && declared !== null && Number(declared) > limit ? null : request.bytes(limit);
}

export const tooLarge = (limit: number): string => `the body must have at most ${limit} bytes`;

function isJsonType(header: string | null): boolean {
  return /^application\/json\s*(?:;|$)/i.test(header ?? '');
}

/** The object in the body of a request; no bytes, and `null`, are an empty one. */
export async function readJsonBody(
  request: WireRequest,
  { limits, requireContentType }: EngineSettings,
): Promise<unknown> {
  const bytes = await readBytes(request, limits.bodyBytes);
  if (bytes === null) throw refusal({ type: 'validation', status: 413 }, tooLarge(limits.bodyBytes));
  const text = textOf(bytes);
  if (text === '') return {};
  if (requireContentType && !isJsonType(request.header('content-type')))
    refuse('validation', 'the header `Content-Type` must be application/json');
  const body: unknown = jsonIn(text);
  if (body === undefined) refuse('validation', 'the body is not valid JSON');
  if (body === null) return {};
  return isObject(body) ? body : refuse('validation', 'the body must be an object');
}

/** The form in a body of multipart/form-data. `limit` is of the whole body, in bytes; -1 is none. */
export async function readMultipart(request: WireRequest, limit: number): Promise<FormData> {
  const type = request.header('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type))
    refuse('validation', 'the header `Content-Type` must be multipart/form-data with a boundary');
  const bytes = (await readBytes(request, limit)) ?? refuse('entity_too_large', tooLarge(limit));
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData();
  } catch {
    return refuse('validation', 'the body is not valid multipart/form-data');
  }
}
