// Digests of secrets that a person may have chosen: salted, and slow enough that guessing from a list of words is dear.

import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** About 50 ms and 16 MB for each guess. */
const COST = { N: 16_384, r: 8, p: 1 } as const;
const BYTES = 32;
const FORM = /^scrypt:(\d{1,8}):([\w-]+):([\w-]+)$/;

function hashed(secret: string, salt: Buffer, N: number): Buffer {
  return scryptSync(secret.normalize('NFC'), salt, BYTES, { ...COST, N });
}

/** A digest of its own each time. */
export function slowDigest(secret: string): string {
  const salt = randomBytes(16);
  return `scrypt:${COST.N}:${salt.toString('base64url')}:${hashed(secret, salt, COST.N).toString('base64url')}`;
}

/** Whether a slow digest is of this secret; false for a text that is none. */
export function isDigestOf(digest: string, secret: string): boolean {
  const [, cost, salt, hash] = FORM.exec(digest) ?? [];
  if (salt === undefined || hash === undefined || Number(cost) !== COST.N) return false;
  const known = Buffer.from(hash, 'base64url');
  return known.length === BYTES && timingSafeEqual(known, hashed(secret, Buffer.from(salt, 'base64url'), COST.N));
}
