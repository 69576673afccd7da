// E-mail addresses of people: which spellings are one person, and what an address that is written wrongly must mean.

import { caseless } from './text.ts';
import { UNSEEN } from './unseen.ts';

/**
 * Identity of the person whom an address names: equal for all spellings of it in capitals and small letters. Tags (`+`) and dots tell people apart.
 * For comparisons only: outputs and requests keep the spelling that they have.
 */
export function personOf(email: string): string {
  return caseless(email);
}

/** An address in another form than the plain one, such as `Ann <ann@example.com>`. */
export interface Miswritten {
  /** What is wrong with it: `it has a blank`. */
  readonly why: string;
  /** The plain address that it must mean; null where that is not clear. */
  readonly meant: string | null;
}

const PLAIN = /^[^\s@<>"]+@[^\s@<>"]+$/;
const QUOTED = /^(["'])(.*)\1$/s;
const TYPOGRAPHIC = /[\u00ab\u00bb\u2018-\u201f\u2039\u203a]/g;

/** Null for a plain address, and for a text that is no address at all. A `*` counts as a character. */
export function miswritten(text: string): Miswritten | null {
  if (!text.includes('@')) return null;
  const shown = text.replace(UNSEEN, '');
  const inBrackets = /<([^<>]*@[^<>]*)>/.exec(shown)?.[1] ?? shown;
  const unlinked = inBrackets.trim().replace(/^mailto:([^?]*).*$/is, '$1');
  // An apostrophe inside of a name is one.
  const unquoted = unlinked
    .replace(QUOTED, '$2')
    .replace(/^[\u00ab\u2018-\u201f\u2039]+|[\u00bb\u2018-\u201f\u203a]+$/g, '')
    .replace(/[\u2018\u2019]/g, "'");
  const meant = unquoted.replaceAll(/\s/g, '');
  if (meant === text) return null;
  return { why: whyNot(text), meant: PLAIN.test(meant) && meant.search(TYPOGRAPHIC) < 0 ? meant : null };
}

function whyNot(text: string): string {
  const [hidden] = text.match(UNSEEN) ?? [];
  if (hidden !== undefined)
    return `it has a character that does not show, U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (/[<>]/.test(text)) return 'it has angle brackets';
  if (/^\s*mailto:/i.test(text)) return 'it is a link';
  return text.search(TYPOGRAPHIC) >= 0 || QUOTED.test(text) ? 'it has quotes' : 'it has a blank';
}

/** What to do about it. */
export function plainly({ meant }: Miswritten): string {
  return meant === null ? 'write the plain address, such as `ann@example.com`' : `write \`${meant}\``;
}
