// Texts that fit a terminal: long lines go on below, names are never broken, less important texts are cut. Without a width, as in a pipe, all stay whole.

import { stripVTControlCharacters } from 'node:util';
import { few } from '../../base/text.ts';

/** Columns of a terminal: wide characters take two, combining ones and colours none. */
export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of stripVTControlCharacters(text))
    columns += /\p{M}|\u200d/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** What an indent leaves of a width. */
export function within(width: number | undefined, indent: string): number | undefined {
  return width === undefined ? undefined : width - indent.length;
}

/** A text without colours, or its beginning and an ellipsis where it does not fit. No character is cut in two. */
export function cutTo(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let room = width - columnsOf(ELLIPSIS);
  const characters = [...text];
  const end = characters.findIndex((character) => {
    room -= columnsOf(character);
    return room < 0;
  });
  return `${characters.slice(0, end).join('').trimEnd()}${ELLIPSIS}`;
}

export const ELLIPSIS = '…';

/** At most `most` of the names and how many more there are: fewer names where they do not fit, but always one. */
export function fewWithin(names: readonly string[], most: number, width: number | undefined): string {
  return fewWhere(names, most, (text) => width === undefined || columnsOf(text) <= width);
}

/** The same, with what it means to fit. */
export function fewWhere(names: readonly string[], most: number, isFitting: (text: string) => boolean): string {
  for (let count = most; count > 1; count -= 1) {
    const text = few(names, count);
    if (isFitting(text)) return text;
  }
  return few(names, 1);
}

/** Lines that fit: longer ones go on below, indented. A word is broken only where it is wider than the terminal, after a `/`, `.` or `,` of it. */
export function fitted(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => (columnsOf(line) <= width ? [line] : brokenAt(line, width, ' '.repeat(hangingOf(line, width)))))
    .join('\n');
}

/** Below the text of the line: two columns beyond its beginning, or beyond a sign in front of it. */
function hangingOf(line: string, width: number): number {
  const [opening = ''] = /^ *(?:[-+~^=!?/]{1,3} )?/.exec(stripVTControlCharacters(line)) ?? [];
  return Math.min(opening.length + 2, Math.floor(width / 2));
}

/** The lines of one that does not fit. */
export function brokenAt(line: string, width: number, hanging: string): readonly string[] {
  const lines: string[] = [];
  let current = '';
  let isEmpty = true;
  const goOn = (): void => {
    lines.push(current);
    current = hanging;
    isEmpty = true;
  };
  for (const [, space = '', word = ''] of line.matchAll(WORDS)) {
    const fits = (room: string): boolean => columnsOf(room) + columnsOf(word) <= width;
    if (isEmpty || fits(current + space)) current += space;
    else goOn();
    for (const part of fits(current) ? [word] : partsOf(word)) {
      if (!isEmpty && columnsOf(current) + columnsOf(part) > width) goOn();
      current += part;
      isEmpty = isEmpty && SIGN.test(stripVTControlCharacters(part));
    }
  }
  return [...lines, current];
}

/** Words with the spaces in front of them. A day and its hours are one: `Mon-Fri 07:00-09:00`, `Sat 18:00-Sun 08:00`. */
const WORDS =
  /( *)((?:[A-Z][a-z]{2}(?:-[A-Z][a-z]{2})? (?=\d\d:\d\d))?(?:\d\d:\d\d-[A-Z][a-z]{2} (?=\d\d:\d\d))?[^ ]+)/g;

/** The longest word, which a line is at least as wide as. */
export function longestWord(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(WORDS), ([, , word = '']) => columnsOf(word)));
}

/** The sign in front of a line, which never stands alone. */
const SIGN = /^[-+~^=!?/]{0,3}$/;

/** A word that is broken where a person would break an address. */
function partsOf(word: string): readonly string[] {
  return word.match(/[^/.,]*[/.,]+|[^/.,]+$/g) ?? [word];
}
