// Texts and lines of a terminal: spans with their tones, cut and wrapped.

import { few } from '../../base/text.ts';
import { type NamesSpan, type Span, spansOf, type Text, type Tone, type Value } from '../blocks.ts';
import type { Limits } from '../limits.ts';
import type { Paint } from '../paint.ts';
import { plain, shortened } from '../plain.ts';
import { brokenAt, columnsOf, fewWhere } from '../terminal/narrow.ts';

/** Everything that the lines of one text have in common. */
export interface TerminalMedium {
  readonly paint: Paint;
  readonly limits: Limits;
  /** Every part in full, nothing folded or grouped. */
  readonly isDetailed: boolean;
}

/** Of an indent. */
export const STEP = '  ';

export function valueText(value: Value, medium: TerminalMedium): string {
  if (value === undefined) return '';
  if (value === null) return 'nothing';
  return typeof value === 'string' ? shortened(plain(value), medium.limits.value) : faint(plain(value.unknown), medium);
}

export function written(text: Text, medium: TerminalMedium): string {
  return spansOf(text)
    .map((span) => spanText(span, medium))
    .join('');
}

export function spanText(span: Span, medium: TerminalMedium): string {
  if (typeof span === 'string') return plain(span);
  if ('mark' in span) return toned(span.mark.tone, plain(span.mark.sign), medium);
  if ('names' in span) return few(namesIn(span, medium), mostOf(span, medium));
  const { text, as, tone } = span;
  const shown =
    as === 'name'
      ? plain(JSON.stringify(text))
      : as === 'code'
        ? `\`${plain(text)}\``
        : as === 'value'
          ? valueText(text, medium)
          : plain(text);
  return tone === undefined ? shown : toned(tone, shown, medium);
}

export function toned(tone: Tone, text: string, { paint }: TerminalMedium): string {
  return paint(tone === 'calm' ? 'faint' : tone, text);
}

export function faint(text: string, { paint }: TerminalMedium): string {
  return paint('faint', text);
}

/** The lines of the first entries, and how many more there are. One more entry takes no more room than its number. */
export function limited<T>(
  entries: readonly T[],
  most: number,
  indent: string,
  linesOf: (entry: T, index: number) => readonly string[],
): readonly string[] {
  const count = entries.length > most ? most - 1 : entries.length;
  return [...entries.slice(0, count).flatMap(linesOf), ...moreLine(entries.length - count, indent)];
}

export function moreLine(left: number, indent: string): readonly string[] {
  return left <= 0 ? [] : [`${indent}and ${left} more`];
}

export function lineOf(text: string, indent: string, medium: TerminalMedium): readonly string[] {
  return wrapped(indent + text, indent + STEP, medium);
}

/** Lines of a text. Of several names there are as many as fit on two lines, and at least one. */
export function textLines(text: Text, indent: string, medium: TerminalMedium, before = ''): readonly string[] {
  const spans = spansOf(text);
  const linesWith = (names: string): readonly string[] =>
    lineOf(before + spans.map((span) => (isNames(span) ? names : spanText(span, medium))).join(''), indent, medium);
  const several = spans.find(isNames);
  const { width } = medium.paint;
  if (several === undefined || medium.isDetailed || width === undefined)
    return linesWith(several === undefined ? '' : spanText(several, medium));
  // A name takes a column, and the comma and the space after it.
  const most = Math.min(mostOf(several, medium), several.names.length, width);
  const names = several.names.map((each) => {
    const shorter = typeof each === 'string' ? undefined : each.shorter;
    return shorter === undefined ? spanText(each, medium) : plain(shorter);
  });
  return linesWith(fewWhere(names, most, (some) => linesWith(some).length <= 2));
}

function isNames(span: Span): span is NamesSpan {
  return typeof span === 'object' && 'names' in span;
}

function namesIn({ names }: NamesSpan, medium: TerminalMedium): readonly string[] {
  return names.map((each) => spanText(each, medium));
}

function mostOf({ names, most = names.length }: NamesSpan, { isDetailed }: TerminalMedium): number {
  return isDetailed ? names.length : most;
}

export function wrapped(line: string, hanging: string, { paint: { width } }: TerminalMedium): readonly string[] {
  return width === undefined || columnsOf(line) <= width ? [line] : brokenAt(line, width, hanging);
}
