// What a host of code can do for a comment. A host says how each is asked for; the rest does not know which host it is.

/** A comment as the host has it. */
export interface Comment {
  readonly id: number;
  readonly body: string;
  /** Whoever wrote it, as `self` tells it; null for somebody who is gone. */
  readonly author: string | null;
  readonly url: string | null;
}

export interface Host {
  /** As whom the token writes. */
  readonly self: () => Promise<string>;
  /** The commits at which the request stands: its head, and what it was merged as. */
  readonly current: () => Promise<readonly string[]>;
  /** All of them, in no particular order. */
  readonly comments: () => Promise<readonly Comment[]>;
  readonly create: (body: string) => Promise<Comment>;
  /** Null when it is gone. */
  readonly update: (id: number, body: string) => Promise<Comment | null>;
  /** What is gone is removed. */
  readonly remove: (id: number) => Promise<void>;
  /** Of the labels that are given, the request has `wanted` afterwards and no other; labels of somebody else stay. */
  readonly label: (wanted: string | null, given: readonly string[]) => Promise<void>;
}
