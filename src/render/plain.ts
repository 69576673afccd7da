// Values and texts of a license in, one line of harmless text out: no control character, no direction mark, no line break survives.
// Whoever can name a group can write anything into a name; a terminal must never obey it.

import type { Json } from '../model.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what must not reach a terminal
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The text with everything invisible written out. */
export function plain(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** A value as one line of JSON. */
export function value(json: Json | undefined): string {
  return plain(JSON.stringify(json ?? null));
}
