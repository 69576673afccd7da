// What a code host can do for a comment, whichever host it is.

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
