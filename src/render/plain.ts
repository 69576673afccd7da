// Text of a license as one line that no terminal, runner, markup or URL obeys: names and values come from people who can write anything into them.

import type { Json } from '../base/model.ts';

/** Control characters, direction marks and invisible characters: joiners, fillers, tags. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what must not reach a terminal
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|[\u180b-\u180d]|\u180f|[\u{e0000}-\u{e0fff}]/gu;

/** Commands that runners of jobs read anywhere in a line: `##[error]`, `##vso[...]`, `##teamcity[...]`. */
const COMMAND = /##(?=\w*\[)/g;

/** The command that runners read at the beginning of a line: `::error::`. */
const LEADING_COMMAND = /^(\s*):(?=:)/;

/** Most texts have nothing to escape. */
const HARMLESS = /^(?:[\x21\x22\x24-\x39\x3b-\x7e][\x20-\x22\x24-\x7e]*)?$/;

/** The text with everything invisible or obeyed written as an escape. */
export function plain(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text.replace(UNSAFE, escaped).replace(COMMAND, '#\\u0023').replace(LEADING_COMMAND, '$1\\u003a');
}

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${hex(point)}`;
}

function hex(unit: number): string {
  return unit.toString(16).padStart(4, '0');
}

/** JSON text with the same value that a terminal or a runner does not obey. */
export function inertJson(text: string): string {
  return text.replace(UNSAFE, unitsEscaped).replace(COMMAND, '#\\u0023');
}

/** JSON escapes each half of a surrogate pair by itself. */
function unitsEscaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${hex(character.charCodeAt(index))}`).join('');
}

/** The text with single surrogates replaced: neither UTF-8 nor a URL can hold them. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

/** A value as one line of JSON. */
export function value(json: Json | undefined): string {
  return plain(JSON.stringify(json ?? null));
}

/** At most so many characters, counted as a person counts them, so that none is cut in two. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}

/** A time of RFC 3339 to the second, in UTC. */
export function time(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** What can end an element, or an attribute in any quotes. */
const MARKUP = /[&<>"'`]/g;

/** The text with markup characters as entities, which HTML and XML have in common. */
export function entities(text: string, special: RegExp = MARKUP): string {
  return text.replaceAll(special, (character) => ENTITIES[character] ?? character);
}
