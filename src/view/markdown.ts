// Markdown that shows texts of a license exactly, within a budget of bytes. Everything from a license stands in code, where neither GitHub nor GitLab
// looks for mentions, references, links and quick actions.

import type { SourcePlace } from '../plan/plan.ts';
import { plain, shortened, wellFormed } from './plain.ts';

/** In a code span a pipe would end the cell, and a backtick the span. */
const SPAN = /^[^`|\\]+$/;

export function code(text: string): string {
  const shown = plain(text);
  if (SPAN.test(shown) && shown.trim() === shown) return `\`${shown}\``;
  return `<code>${shown.replaceAll(/[!-/:-@[-`{-~]/g, entityOf)}</code>`;
}

/** A word break stands before a character that makes a link of a word: some hosts look for links in what entities spell. */
function entityOf(sign: string, place: number, text: string): string {
  const entity = `&#${sign.charCodeAt(0)};`;
  return /[@:.]/.test(sign) && /\w/.test(text[place - 1] ?? '') ? `<wbr>${entity}` : entity;
}

/** Text outside of code: what hosts or Markdown take for a mention, a reference, a link, a sign or a command is written as an entity. */
export function prose(text: string): string {
  return plain(text)
    .replaceAll(/[&<>"`|*~[\]\\{}$@#!%^=]|(?<!\w)_|_(?!\w)|^(?:[-+]|\d+(?=[.)]))/g, (sign) =>
      Array.from(sign, (each) => `&#${each.charCodeAt(0)};`).join(''),
    )
    .replaceAll(/:(?![\s\d]|$)/g, '<wbr>&#58;')
    .replaceAll(/\b(www)\./gi, '$1<wbr>&#46;')
    .replaceAll(/\b(GH)-(?=\d)/gi, '$1<wbr>&#45;')
    .replace(/^\//, '&#47;');
}

/** At most so many characters, as code shows them. */
export function cut(text: string, most: number): string {
  return shortened(plain(text), most);
}

/** Characters of a place. */
const LONGEST_PLACE = 120;

/** The address of a line in the repository; null for a place beyond it. */
export type LineUrl = (place: SourcePlace) => string | null;

/** A place in the files, as a link where the repository has a page for it; empty without a place. */
export function placeLink(source: SourcePlace | null, lineOf: LineUrl | null): string {
  if (source === null) return '';
  const place = code(cut(`${source.file}:${source.line}`, LONGEST_PLACE));
  const url = lineOf?.(source) ?? null;
  return url === null ? place : `[${place}](${linkTarget(url)})`;
}

/** A URL with everything encoded that could end a link, or the table cell around it. */
export function linkTarget(url: string): string {
  return encodeURI(wellFormed(url))
    .replaceAll(/%25([0-9A-F]{2})/gi, '%$1')
    .replaceAll(/[()|'*_~`@]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A block of code. Its fence is longer than any run of backticks in it, so that no line can end it. */
export function fenced(lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = '`'.repeat(runs.reduce((longest, length) => Math.max(longest, length + 1), 3));
  return `${fence}\n${lines.map((line) => `${line}\n`).join('')}${fence}\n`;
}

/** Of UTF-8, which is at least what any host counts. */
export function bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The first pieces, as many as fit, and how many do not. */
export function fitting(pieces: readonly string[], room: number): { readonly text: string; readonly left: number } {
  let size = 0;
  for (const [index, piece] of pieces.entries()) {
    size += bytes(piece);
    if (size > room) return { text: pieces.slice(0, index).join(''), left: pieces.length - index };
  }
  return { text: pieces.join(''), left: 0 };
}
