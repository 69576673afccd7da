// Ids, secrets and orders drawn from an injected source of randomness. Knows no kind of object.

import { sha256Hex } from '../../base/digest.ts';

/** Where ids come from. */
export interface Ids {
  /** 32 hex digits: rules, bots, templates. */
  readonly object: () => string;
  /** A UUID of version 4: accounts. */
  readonly account: () => string;
  /** 10 of A-Z and 0-9: chats and threads. */
  readonly short: () => string;
  /** 32 hex digits that appear nowhere else: secrets and tokens. */
  readonly secret: () => string;
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');

/** `serial` returns a new number each time; scrambled into the id, it makes ids differ even where `random` repeats itself. */
export function createIds(random: () => number, serial: () => number): Ids {
  const word = (): string => hex(Math.floor(random() * 2 ** 32));
  const object = (): string => word() + word() + word() + hex(Math.imul(serial(), 0x9e3779b1));
  const letters = (value: number): string => (value >>> 0).toString(36).toUpperCase().padStart(7, '0').slice(-5);
  const short = (): string =>
    letters(Math.floor(random() * 36 ** 5)) + letters(Math.imul(serial(), 0x9e3779b1) % 36 ** 5);
  return { object, account: () => uuid(object()), short, secret: object };
}

/** The id of an object of a seed: the same in every process, so that reading a seed needs no write. */
export function seededId(...names: readonly (string | number)[]): string {
  return sha256Hex(JSON.stringify(names)).slice(0, 32);
}

/** A UUID of version 4 (RFC 9562) from 32 hex digits, of which it replaces the two that say so. */
export function uuid(id: string): string {
  const variant = '89ab'.charAt(Number.parseInt(id.charAt(16), 16) % 4);
  return [id.slice(0, 8), id.slice(8, 12), `4${id.slice(13, 16)}`, variant + id.slice(17, 20), id.slice(20)].join('-');
}

/** A small generator (mulberry32), uniform in [0, 1): the same numbers for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A copy in random order (Fisher-Yates). `random` is uniform in [0, 1). */
export function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const rest = items.slice();
  const found: T[] = [];
  while (rest.length > 0) {
    const [drawn] = rest.splice(Math.floor(random() * rest.length), 1);
    if (drawn !== undefined) found.push(drawn);
  }
  return found;
}
