// Digests of values that the ledger must not, or cannot, keep in full.

import { createHash } from 'node:crypto';
import { canonicalJson, type Written } from './json.ts';
import type { Json } from './model.ts';

/** SHA-256 of the canonical JSON, in hex. */
export function digest(value: Json): string;
export function digest<T>(value: T & Written<T>): string;
export function digest(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
