// Digests of secrets that a person may have chosen: salted, and slow enough that guessing from a list of words is dear.

import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** About 50 ms and 16 MB for each guess. */
const COST = { N: 16_384, r: 8, p: 1 } as const;
const BYTES = 32;
const FORM = /^scrypt:(\d{1,8}):([\w-]+):([\w-]+)$/;

/** Each pair of a salt and a secret is hashed once by a process: plans of one run ask for the same pairs again. */
const known = new Map<string, Buffer>();

function hashed(secret: string, salt: string): Buffer {
  const pair = `${salt} ${secret}`;
  const hash = known.get(pair) ?? scryptSync(secret.normalize('NFC'), Buffer.from(salt, 'base64url'), BYTES, COST);
  known.set(pair, hash);
  return hash;
}

/** A digest of its own each time. */
export function slowDigest(secret: string): string {
  const salt = randomBytes(16).toString('base64url');
  return `scrypt:${COST.N}:${salt}:${hashed(secret, salt).toString('base64url')}`;
}

/** Whether a slow digest is of this secret; false for a text that is none. */
export function isDigestOf(digest: string, secret: string): boolean {
  const [, cost, salt, hash] = FORM.exec(digest) ?? [];
  if (salt === undefined || hash === undefined || Number(cost) !== COST.N) return false;
  const given = Buffer.from(hash, 'base64url');
  return given.length === BYTES && timingSafeEqual(given, hashed(secret, salt));
}
