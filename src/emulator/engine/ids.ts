// Draws from the injected randomness come in, ids and secrets that look real go out. Must not know whom they name.

import { createHash } from 'node:crypto';

/** Where ids come from; `serial` counts them and is part of the license, so that no process makes an id again. */
export interface Ids {
  /** 32 hex digits: rules, bots, templates. */
  readonly object: () => string;
  /** A UUID: accounts. */
  readonly account: () => string;
  /** 32 hex digits that nothing else shows: secrets and tokens. */
  readonly secret: () => string;
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');

/** `serial` gives a number that was never given before; scrambled into the id, it keeps ids apart whatever `random` draws. */
export function createIds(random: () => number, serial: () => number): Ids {
  const word = (): string => hex(Math.floor(random() * 2 ** 32));
  const object = (): string => word() + word() + word() + hex(Math.imul(serial(), 0x9e3779b1));
  return { object, account: () => dashed(object()), secret: object };
}

/** The id of an object of a seed: the same in every process, so that reading a seed needs no write. */
export function seededId(...names: readonly (string | number)[]): string {
  return digest(JSON.stringify(names)).slice(0, 32);
}

export function dashed(id: string): string {
  return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-');
}

/** What is kept of a secret, so that a state file gives none away: SHA-256 in hex. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
