// What a code host can do for a comment, whichever host it is, and readers of a host's JSON.

import { isObject } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';

/** A comment as the host has it. */
export interface Comment {
  readonly id: number;
  readonly body: string;
  /** As `self` names its own; null for an author who is gone. */
  readonly author: string | null;
  readonly url: string | null;
}

export interface Host {
  /** The account that the token writes as. */
  readonly self: () => Promise<string>;
  /** The commits at which the request stands: its head, and what it was merged as. */
  readonly current: () => Promise<readonly string[]>;
  /** All of them, in no particular order. */
  readonly comments: () => Promise<readonly Comment[]>;
  readonly create: (body: string) => Promise<Comment>;
  /** Null when the comment is gone. */
  readonly update: (id: number, body: string) => Promise<Comment | null>;
  /** Does nothing when the comment is gone. */
  readonly remove: (id: number) => Promise<void>;
  /** Leaves `wanted` of the labels in `given`; other labels stay. */
  readonly label: (wanted: string | null, given: readonly string[]) => Promise<void>;
}

/** The member at a path; null when it is missing, as any member of a host's answer can be. */
export function memberOf(json: Json | undefined, ...path: readonly string[]): Json {
  let found = json;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return found ?? null;
}

/** A text that is not empty, or null. */
export function textAt(json: Json | undefined, ...path: readonly string[]): string | null {
  const found = memberOf(json, ...path);
  return typeof found === 'string' && found !== '' ? found : null;
}

/** A whole number, or null. */
export function numberAt(json: Json | undefined, ...path: readonly string[]): number | null {
  const found = memberOf(json, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
}
