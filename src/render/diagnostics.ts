// Diagnostics in, what a person reads out: place, code, message, the line with a caret under what is meant, and what would be right.
// Decides nothing, and never writes: the caller prints it, and says how to colour.

import type { Diagnostic, Place } from '../base/model.ts';
import { counted } from '../base/text.ts';

/** What a piece of text is, for whoever colours it. */
export type Tone = 'error' | 'warning' | 'help' | 'place' | 'faint' | 'caret' | 'strong';

/** Colours a piece of text, or not: `styleText` of node:util, with the tone's format. */
export type Style = (tone: Tone, text: string) => string;

export const plain: Style = (_tone, text) => text;

/** Characters of a source line that are shown at most. */
const WIDTH = 110;

/** All of them, by place, and how many there are. Ends with a line break; empty without diagnostics. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], style: Style = plain): string {
  if (diagnostics.length === 0) return '';
  const sorted = [...diagnostics].sort((a, b) => comparePlaces(a.place, b.place));
  const alike = new Map<string, Diagnostic[]>();
  for (const diagnostic of sorted) {
    const same = alike.get(gist(diagnostic));
    if (same === undefined) alike.set(gist(diagnostic), [diagnostic]);
    else same.push(diagnostic);
  }
  const shown = sorted.flatMap((diagnostic): readonly string[] => {
    const same = alike.get(gist(diagnostic)) ?? [];
    if (diagnostic.severity === 'error' || same.slice(0, ALIKE_SHOWN).includes(diagnostic))
      return [renderDiagnostic(diagnostic, style)];
    return diagnostic === same[ALIKE_SHOWN] ? [elsewhere(same.slice(ALIKE_SHOWN), style)] : [];
  });
  return `${shown.map((text) => `${text}\n\n`).join('')}${count(sorted, style)}\n`;
}

/** Warnings that say the same are shown so many times; the others are named. */
const ALIKE_SHOWN = 2;
const PLACES_NAMED = 6;

function gist({ severity, code, message }: Diagnostic): string {
  return `${severity} ${code} ${message}`;
}

function elsewhere(diagnostics: readonly Diagnostic[], style: Style): string {
  const places = diagnostics.slice(0, PLACES_NAMED).map(({ place }) => style('place', where(place)));
  const more = diagnostics.length - places.length;
  return `The same at ${places.join(', ')}${more === 0 ? '' : `, and ${more} more`}`;
}

function comparePlaces(a: Place, b: Place): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

/** One of them, without a line break at the end. */
export function renderDiagnostic(diagnostic: Diagnostic, style: Style = plain): string {
  const { severity, code, message, place, excerpt, remedy, related } = diagnostic;
  const head = `${style('place', where(place))}: ${style(severity, `${severity} ${code}`)}: ${style('strong', visible(message))}`;
  const gutter = ' '.repeat(String(place.line).length);
  const lines = [head];
  if (excerpt !== null) lines.push(...frame(place, excerpt, gutter, severity, style));
  if (remedy !== null) lines.push(`${gutter} ${style('faint', '=')} ${style('help', 'help')}: ${visible(remedy)}`);
  for (const other of related) {
    lines.push(`${gutter} ${style('faint', '=')} ${visible(other.message)}: ${style('place', where(other.place))}`);
  }
  return lines.join('\n');
}

/** `file:line:column`, which terminals and editors turn into a link. */
export function where({ file, line, column }: Place): string {
  return `${visible(file)}:${line}:${column}`;
}

function frame(
  place: Place,
  excerpt: string,
  gutter: string,
  severity: Diagnostic['severity'],
  style: Style,
): string[] {
  const { before, marked, after } = cut(excerpt, place);
  const bar = style('faint', '|');
  const caret = ' '.repeat(widthOf(before)) + style(severity, '^'.repeat(Math.max(1, widthOf(marked))));
  return [`${style('faint', String(place.line))} ${bar} ${before}${marked}${after}`, `${gutter} ${bar} ${caret}`];
}

/** The part of a line that fits, around what is marked, with nothing in it that a terminal would obey. */
function cut(line: string, place: Place): { readonly before: string; readonly marked: string; readonly after: string } {
  const start = Math.min(place.column - 1, line.length);
  const end = Math.min(start + place.length, line.length);
  const from = start <= WIDTH / 2 || line.length <= WIDTH ? 0 : start - Math.floor(WIDTH / 3);
  const to = Math.min(line.length, from + WIDTH);
  return {
    before: (from > 0 ? '…' : '') + visible(line.slice(from, start)),
    marked: visible(line.slice(start, Math.min(end, to))),
    after: visible(line.slice(Math.min(end, to), to)) + (to < line.length ? '…' : ''),
  };
}

/** Control characters as pictures, and marks that turn the direction of writing as nothing: neither can fake what is shown. */
function visible(text: string): string {
  return text
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Cc}/gu, (character) => {
      const code = character.charCodeAt(0);
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\u2421';
    })
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '\ufffd');
}

/** Columns of a terminal: wide characters take two, combining ones none. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += /\p{M}|\u200d/u.test(character) ? 0 : isWide(character) ? 2 : 1;
  return width;
}

function isWide(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}

function count(diagnostics: readonly Diagnostic[], style: Style): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const parts = [
    ...(errors > 0 ? [style('error', counted(errors, 'error'))] : []),
    ...(warnings > 0 ? [style('warning', counted(warnings, 'warning'))] : []),
  ];
  return parts.join(', ');
}
