// Digests: of texts and bytes, and of values that the ledger must not, or cannot, keep in full.

import { hash } from 'node:crypto';
import { canonicalJson, type Written } from './json.ts';
import type { Json } from './model.ts';

/** SHA-256 in hex. */
export function sha256Hex(content: string | Uint8Array): string {
  return hash('sha256', content);
}

/** SHA-256 of the canonical JSON, in hex. */
export function digest(value: Json): string;
export function digest<T>(value: T & Written<T>): string;
export function digest(value: Json): string {
  return sha256Hex(canonicalJson(value));
}
