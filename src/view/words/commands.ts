// Commands that a person can copy: each names its target, and every name is one word of a shell.

import { plain, shortId } from '../plain.ts';

const HARMLESS = /^[\w@%+=:,./-]+$/;

/** One word of a POSIX shell, whatever the text is: names come from people who must not be able to run a command. */
export function quoted(text: string): string {
  const shown = plain(text);
  return HARMLESS.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

/** What takes a run back. `target`: null where a ledger was named alone. */
export function undoCommand(target: string | null, run: string): string {
  const whose = target === null ? '' : ` -t ${quoted(target)}`;
  return `chatform undo${whose} ${shortId(run)}`;
}
