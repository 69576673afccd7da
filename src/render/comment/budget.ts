// Pieces of text and room in; as much as fits, out. Room is counted in bytes of UTF-8, which is at least what any host counts in.

/** What a comment may take: GitHub allows 65,536 characters, GitLab 1,000,000; whoever posts it may put a line of their own beside it. */
export const BUDGET = 60_000;

export function bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

export interface Fitted {
  readonly text: string;
  /** How many pieces did not fit. */
  readonly left: number;
}

/** The first pieces, as many as fit. */
export function fitting(pieces: readonly string[], room: number): Fitted {
  let size = 0;
  for (const [index, piece] of pieces.entries()) {
    size += bytes(piece);
    if (size > room) return { text: pieces.slice(0, index).join(''), left: pieces.length - index };
  }
  return { text: pieces.join(''), left: 0 };
}

/** The fullest of some ways to say it that fits; the last way, when none does. */
export function fullest(ways: readonly (() => string)[], room: number): string {
  let last = '';
  for (const way of ways) {
    last = way();
    if (bytes(last) <= room) return last;
  }
  return last;
}

/** A list below its heading, and how many lines of it are not shown; empty without lines, or room for so much as that. */
export function listed(
  heading: string,
  lines: readonly string[],
  room: number,
  more: (left: number) => string,
): string {
  if (lines.length === 0) return '';
  const rest = room - bytes(heading) - bytes(more(lines.length));
  if (rest < 0) return '';
  const { text, left } = fitting(lines, rest);
  return `${heading}${text}${left === 0 ? '' : more(left)}`;
}
