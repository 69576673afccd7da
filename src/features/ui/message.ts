// The text of a message about one thing of the page, with the wish of its reader. Pure: it also runs in the page.

import { capital } from '../../base/text.ts';
import type { SourcePlace } from '../../plan/plan.ts';

/** `rules.yaml:4`. */
export function placeText({ file, line }: SourcePlace): string {
  return `${file}:${line}`;
}

/** `says` has no full stop; an empty wish is left to the reader. */
export function messageText(says: string, place: string | null, wish: string): string {
  return `${capital(says)}${place === null ? '' : ` (${place})`}. Please: ${wish}`;
}

/** As a page folds it below what it is about. */
export function messageSpan(says: string, place: SourcePlace | null, wish: string) {
  return { text: messageText(says, place === null ? null : placeText(place), wish), as: 'message' } as const;
}
