// What became of a comment, as a line for a person.

import { plain } from '../../view/plain.ts';

/** A comment on a request: made, brought up to date, or unchanged because a newer run had commented. */
interface PostedComment {
  readonly outcome: 'created' | 'updated' | 'late';
  /** Null when the host does not say. */
  readonly url: string | null;
}

/** Null when nothing was to be posted. */
export function postedText(posted: PostedComment | null): string {
  if (posted === null) return 'Nothing was posted.\n';
  const at = posted.url === null ? '' : `: ${plain(posted.url)}`;
  switch (posted.outcome) {
    case 'created':
      return `Comment made${at}\n`;
    case 'updated':
      return `Comment updated${at}\n`;
    case 'late':
      return `A newer run has commented already, so its comment stays as it is${at}\n`;
  }
}
