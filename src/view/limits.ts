// How much each writer shows. Views have no such numbers: only what is worth saying at all is theirs to decide.

/** Infinity: all of it. */
export interface Limits {
  /** Characters of one value. */
  readonly value: number;
  /** Characters of an address, a place or a name. */
  readonly name: number;
  /** Characters of one span of any other text. */
  readonly text: number;
  /** Names in one sentence. */
  readonly names: number;
  /** Entries of an order, or of another list in an item. */
  readonly order: number;
  /** Members inside of one field, or rows of one item. */
  readonly members: number;
  /** Items of one block, and rows of a table. */
  readonly items: number;
  /** Bytes of the whole. */
  readonly bytes: number;
  /** Items that are written in full; others are a line. */
  readonly full: number;
}

const ALL = Number.POSITIVE_INFINITY;

export const LIMITS = {
  terminal: { value: 120, name: ALL, text: ALL, names: 5, order: 12, members: 9, items: 100, bytes: ALL, full: ALL },
  details: {
    value: ALL,
    name: ALL,
    text: ALL,
    names: ALL,
    order: ALL,
    members: ALL,
    items: ALL,
    bytes: ALL,
    full: ALL,
  },
  /** GitHub allows 65,536 characters in a comment, GitLab 1,000,000; the poster may add a line of its own. */
  markdown: {
    value: 120,
    name: 120,
    text: 2000,
    names: 5,
    order: 12,
    members: 30,
    items: ALL,
    bytes: 60_000,
    full: ALL,
  },
  /** Folded below a table of a comment. */
  unfolded: { value: 500, name: ALL, text: 2000, names: 12, order: 30, members: 60, items: ALL, bytes: ALL, full: ALL },
  /** A slow browser must not wait for more than some thousand elements. */
  html: {
    value: 1200,
    name: 1200,
    text: 5000,
    names: 60,
    order: 60,
    members: 120,
    items: ALL,
    bytes: 9_500_000,
    full: 2000,
  },
  finding: { value: 120, name: ALL, text: ALL, names: 5, order: 12, members: 9, items: ALL, bytes: ALL, full: ALL },
} as const satisfies { readonly [writer: string]: Limits };

/** Objects of one kind that a terminal shows alone: with fields to show, and without. More that are alike share a line. */
export const MOST_ALONE = { withFields: 2, without: 10 } as const;

/** Items of a page without folds, and items in one fold. */
export const MOST_OPEN = 12;
export const TOGETHER = 200;

/** Entries of a list of a page in sight; the others are folded. */
export const LISTED = 20;

/** Columns of a table of a comment. */
export const MOST_COLUMNS = 20;

/** Cells of a matrix that a browser lays out at once. */
export const MOST_CELLS = 20_000;

/** What a section may take of the room that is left, while others wait. */
export const USUAL_SHARE = 0.6;

/** GitHub shows ten annotations of a level for each step. */
export const MOST_ANNOTATIONS = 10;
