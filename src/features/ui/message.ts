// The text of a message about one thing of the page, with the wish of its reader. Pure: it also runs in the page.

import type { SourcePlace } from '../../plan/plan.ts';

/** `rules.yaml:4`. */
export function placeText({ file, line }: SourcePlace): string {
  return `${file}:${line}`;
}

/** `target`: whose reader may have thirty with the same files. `says` has no full stop; what the reader fills in is in brackets: `[group]`. */
export function messageText(target: string, says: string, place: string | null, wish: string): string {
  return `License ${target}: ${says}${place === null ? '' : ` (${place})`}. Please: ${wish}`;
}

/** As a page folds it below what it is about. */
export function messageSpan(target: string, says: string, place: SourcePlace | null, wish: string) {
  return { text: messageText(target, says, place === null ? null : placeText(place), wish), as: 'message' } as const;
}
