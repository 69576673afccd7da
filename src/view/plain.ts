// Text of a license as one line that no terminal, runner, markup or URL obeys: names and values come from people who can write anything into them.

import type { Json } from '../base/model.ts';
import { type Pieces, piecesOf } from '../base/pieces.ts';
import { inNfc } from '../base/text.ts';
import { LEADING_COMMAND, markLookalikes, RUNNER_COMMAND, UNSEEN } from '../base/unseen.ts';

/** Most texts have nothing to escape. */
const HARMLESS = /^(?:[\x21\x22\x24-\x39\x3b-\x7e][\x20-\x22\x24-\x7e]*)?$/;

/** One line, with everything invisible, obeyed or disguised written as an escape. */
export function plain(text: string): string {
  if (HARMLESS.test(text)) return text;
  return markLookalikes(spelledOut(text.replace(UNSEEN, escaped)), escaped)
    .replace(RUNNER_COMMAND, '#\\u0023')
    .replace(LEADING_COMMAND, '$1\\u003a');
}

/** What NFC would write otherwise looks like the other spelling: its accents, or the character itself, become escapes. */
export function spelledOut(text: string): string {
  if (inNfc(text) === text) return text;
  const letters = new Intl.Segmenter('en').segment(text);
  return Array.from(letters, ({ segment }) => {
    if (inNfc(segment) === segment) return segment;
    const [first = '', ...marks] = segment;
    return [marks.length > 0 && inNfc(first) === first ? first : escaped(first), ...marks.map(escaped)].join('');
  }).join('');
}

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${hex(point)}`;
}

function hex(unit: number): string {
  return unit.toString(16).padStart(4, '0');
}

/** What follows the escape character in our own colours (paint.ts): others hide text. */
const COLOUR = /\[(?:[12]|22|3[12369])m/y;

/**
 * A whole output as it leaves: what got past `plain` is written as an escape. Line breaks, tabs and our own colours stay. JSON keeps its value, because
 * an escape is one there too.
 */
export function inert(text: string): string {
  return text.replace(UNSEEN, unlessOurs).replace(RUNNER_COMMAND, '#\\u0023');
}

function unlessOurs(character: string, at: number, text: string): string {
  if (character === '\n' || character === '\t' || (character === '\r' && text[at + 1] === '\n')) return character;
  COLOUR.lastIndex = at + 1;
  return character === '\u001b' && COLOUR.test(text) ? character : unitsEscaped(character);
}

/** JSON escapes each half of a surrogate pair by itself. */
function unitsEscaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${hex(character.charCodeAt(index))}`).join('');
}

/** The same of pieces. A piece begins and ends outside of names and texts, where there is nothing to escape. */
export function* inertPieces(text: Pieces): Generator<string> {
  for (const piece of piecesOf(text)) yield inert(piece);
}

/** The same for a stream that a runner reads line by line. */
export function inertLines(text: string): string {
  return inert(text).replace(LEADING_COMMAND, '$1\\u003a');
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

/** Digits of the id of a run that people type. */
export function shortId(id: string): string {
  return plain(id.slice(0, 8));
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
