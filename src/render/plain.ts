// Values and texts of a license in, one line of harmless text out: no control character, no direction mark, no line break survives.
// Whoever can name a group can write anything into a name; neither a terminal nor a runner of jobs that reads its lines must ever obey it.

import type { Json } from '../base/model.ts';

/** Controls, marks of direction, and what nobody can see: joiners, fillers, tags. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what must not reach a terminal
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|[\u180b-\u180d]|\u180f|[\u{e0000}-\u{e0fff}]/gu;

/** Commands that runners look for anywhere in a line: `##[error]`, `##vso[...]`, `##teamcity[...]`. */
const COMMAND = /##(?=\w*\[)/g;

/** And at its beginning: `::error::`. */
const LEADING_COMMAND = /^(\s*):(?=:)/;

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, '0')}`;
}

/** JSON text with the same value, and nothing in it that a terminal or a runner obeys. */
export function inertJson(text: string): string {
  return text.replace(UNSAFE, unitsEscaped).replace(COMMAND, '#\\u0023');
}

/** As JSON writes it: each half of a pair by itself. */
function unitsEscaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

/** Nearly every text: what is looked for below is not in it. */
const HARMLESS = /^(?:[\x21\x22\x24-\x39\x3b-\x7e][\x20-\x22\x24-\x7e]*)?$/;

/** The text with everything invisible written out. */
export function plain(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text.replace(UNSAFE, escaped).replace(COMMAND, '#\\u0023').replace(LEADING_COMMAND, '$1\\u003a');
}

/** Halves of a character that stand alone cannot be written in UTF-8, nor in a URL. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

/** A value as one line of JSON. */
export function value(json: Json | undefined): string {
  return plain(JSON.stringify(json ?? null));
}
