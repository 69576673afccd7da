// The terminal text of diagnostics: place, code, message, the source line with a caret, and the remedy.

import { groupedBy } from '../../base/grouped.ts';
import type { Diagnostic, Place } from '../../base/model.ts';
import { counted, few, findingCounts } from '../../base/text.ts';
import { type Paint, uncoloured } from '../paint.ts';
import { spelledOut } from '../plain.ts';
import { columnsOf, within } from './narrow.ts';

/** Warnings with the same message: so many are shown in full, and so many of the others by their places. */
const ALIKE_SHOWN = 2;
const PLACES_NAMED = 6;

/** All of them by place, and their count; the known ones are only counted. Ends with a line break; empty without diagnostics. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], paint: Paint = uncoloured): string {
  const known = diagnostics.filter(isKnown);
  const others = wholeDiagnostics(
    diagnostics.filter((each) => !isKnown(each)),
    paint,
  );
  return known.length === 0 ? others : `${others}${knownText(known, paint)}\n`;
}

function isKnown({ known }: Diagnostic): boolean {
  return known !== undefined;
}

/** The same, none of which counts as known. */
export function unfolded(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map(({ known: _, ...each }) => each);
}

function knownText(known: readonly Diagnostic[], paint: Paint): string {
  const command = known.every((each) => each.known === 'files') ? 'chatform validate' : 'chatform plan --details';
  const them = known.length === 1 ? 'it' : 'them';
  return `${paint('warning', counted(known.length, 'known warning'))}; \`${command}\` shows ${them}`;
}

function wholeDiagnostics(diagnostics: readonly Diagnostic[], paint: Paint): string {
  if (diagnostics.length === 0) return '';
  const sorted = [...diagnostics].sort((a, b) => isLast(a) - isLast(b) || comparePlaces(a.place, b.place));
  const alike = groupedBy(sorted, gist);
  const shown = sorted.flatMap((diagnostic): readonly string[] => {
    const same = alike.get(gist(diagnostic)) ?? [];
    if (diagnostic.severity === 'error' || same.slice(0, ALIKE_SHOWN).includes(diagnostic))
      return [renderDiagnostic(diagnostic, paint)];
    return diagnostic === same[ALIKE_SHOWN] ? [elsewhere(same.slice(ALIKE_SHOWN), paint)] : [];
  });
  return `${shown.map((text) => `${text}\n\n`).join('')}${countsText(sorted, paint)}\n`;
}

function gist({ severity, code, message }: Diagnostic): string {
  return `${severity} ${code} ${message}`;
}

function elsewhere(diagnostics: readonly Diagnostic[], paint: Paint): string {
  const places = diagnostics.slice(0, PLACES_NAMED).map(({ place }) => paint('place', where(place)));
  const more = diagnostics.length - places.length;
  return `The same at ${places.join(', ')}${more === 0 ? '' : `, and ${more} more`}`;
}

/** What says how many more there are follows those that are shown. */
function isLast({ more }: Diagnostic): number {
  return more === undefined ? 0 : 1;
}

function comparePlaces(a: Place, b: Place): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

function countsText(diagnostics: readonly Diagnostic[], paint: Paint): string {
  const { errors, warnings } = findingCounts(diagnostics);
  const parts = [
    ...(errors > 0 ? [paint('error', counted(errors, 'error'))] : []),
    ...(warnings > 0 ? [paint('warning', counted(warnings, 'warning'))] : []),
  ];
  return parts.join(', ');
}

/** One diagnostic, without a line break at its end. */
export function renderDiagnostic(diagnostic: Diagnostic, paint: Paint = uncoloured): string {
  const { severity, code, message, place, excerpt, remedy, related, targets } = diagnostic;
  const gutter = ' '.repeat(String(place.line).length);
  const equals = `${gutter} ${paint('faint', '=')}`;
  return [
    `${paint('place', where(place))}: ${paint(severity, `${severity} ${code}`)}: ${paint('strong', visible(message))}`,
    ...(excerpt === null || (paint.width !== undefined && isNamed(diagnostic))
      ? []
      : frame(place, excerpt, severity, paint)),
    ...(remedy === null ? [] : [`${equals} ${paint('help', 'help')}: ${visible(remedy)}`]),
    ...related.map((other) => `${equals} ${visible(other.message)}: ${paint('place', where(other.place))}`),
    ...(targets === undefined
      ? []
      : [`${equals} only for ${counted(targets.length, 'target')}: ${visible(few(targets))}`]),
  ].join('\n');
}

/** Whether the message of a warning names what is marked: then the source line says nothing more. */
function isNamed({ severity, message, place, excerpt }: Diagnostic): boolean {
  const marked = (excerpt ?? '').slice(place.column - 1, place.column - 1 + place.length);
  const name = marked.split(/[\s"']+/).findLast((word) => word !== '');
  return severity === 'warning' && name !== undefined && message.includes(name);
}

/** `file:line:column`, which terminals and editors turn into a link. */
export function where({ file, line, column }: Place): string {
  return `${visible(file)}:${line}:${column}`;
}

function frame(place: Place, excerpt: string, severity: Diagnostic['severity'], paint: Paint): readonly string[] {
  const gutter = ' '.repeat(String(place.line).length);
  // Next to the text stand the gutter, the bar, and perhaps an ellipsis on either side.
  const room = Math.max(1, (within(paint.width, gutter) ?? WIDTH) - ' | ……'.length);
  const { before, marked, after } = window(excerpt, place, Math.min(WIDTH, room));
  const bar = paint('faint', '|');
  const caret = ' '.repeat(columnsOf(before)) + paint(severity, '^'.repeat(Math.max(1, columnsOf(marked))));
  return [`${paint('faint', String(place.line))} ${bar} ${before}${marked}${after}`, `${gutter} ${bar} ${caret}`];
}

/** Characters of a source line that are shown, where a terminal has room for them. */
const WIDTH = 110;

/** The part of a line around the place that fits. */
function window(line: string, place: Place, width: number) {
  const start = Math.min(place.column - 1, line.length);
  const end = Math.min(start + place.length, line.length);
  const from = start <= width / 2 || line.length <= width ? 0 : start - Math.floor(width / 3);
  const to = Math.min(line.length, from + width);
  return {
    before: (from > 0 ? '…' : '') + visible(line.slice(from, start)),
    marked: visible(line.slice(start, Math.min(end, to))),
    after: visible(line.slice(Math.min(end, to), to)) + (to < line.length ? '…' : ''),
  };
}

/** Control characters as pictures, direction marks replaced, what is not in NFC as escapes: each takes the columns that a caret counts. */
function visible(text: string): string {
  return spelledOut(text)
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Cc}/gu, (character) => {
      const code = character.charCodeAt(0);
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\u2421';
    })
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '\ufffd');
}
