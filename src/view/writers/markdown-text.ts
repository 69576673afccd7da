// Texts of Markdown, and what a piece of it is written with.

import { few } from '../../base/text.ts';
import { type Mark, type Span, spansOf, type Text } from '../blocks.ts';
import type { BudgetPart, Fit } from '../budget.ts';
import { LIMITS } from '../limits.ts';
import { code, cut, type LineUrl, linkTarget, prose } from '../markdown.ts';

export const LIMIT = LIMITS.markdown;

export interface MarkdownMedium {
  readonly fit: Fit<string>;
  readonly lineOf: LineUrl | null;
  readonly whole: string;
  /** Of the section around. */
  readonly weight: number;
  readonly share: number;
  /** What a document among others gets of each share. */
  readonly part: number;
  readonly isFolded?: boolean;
  /** Of a heading. */
  readonly level: number;
}

export function fitted(
  parts: readonly BudgetPart<string>[],
  { fit: within, share, part, isFolded = false }: MarkdownMedium,
  more: (left: number) => string,
): readonly string[] {
  return within({ parts, share: share * part, isFolded }, more);
}

export function moreText({ whole }: MarkdownMedium): (left: number) => string {
  return (left) => `\nAnd ${left} more, which ${whole}.\n`;
}

export function headOf(columns: readonly (readonly [title: string, isNumber: boolean])[]): string {
  return (
    rowOf(columns.map(([title]) => prose(cut(title, LIMIT.name)))) +
    rowOf(columns.map(([, isNumber]) => (isNumber ? '--:' : '---')))
  );
}

export function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

/** With at most so many of several names. */
export function inline(text: Text, names: number = LIMIT.names): string {
  return spansOf(text)
    .map((span) => spanText(span, names))
    .join('');
}

export function textsOf(...texts: readonly (Text | undefined)[]): readonly string[] {
  return texts.flatMap((text) => (text === undefined ? [] : [inline(text)])).filter((text) => text !== '');
}

function spanText(span: Span, names: number): string {
  if (typeof span === 'string') return prose(cut(span, LIMIT.text));
  if ('mark' in span) return markText(span.mark);
  if ('names' in span)
    return few(
      span.names.map((each) => spanText(each, names)),
      names,
    );
  const { text, as, tone, url } = span;
  const shown =
    as === undefined || as === 'time'
      ? prose(cut(text, LIMIT.text))
      : code(cut(text, as === 'command' ? LIMIT.text : LIMIT.name));
  const linked = url === undefined ? shown : `[${shown}](${linkTarget(url)})`;
  return tone === 'strong' || tone === 'error' || tone === 'destroy' ? `**${linked}**` : linked;
}

export function markText({ word, tone }: Mark): string {
  return tone === 'destroy' || tone === 'error' ? `**${prose(word)}**` : prose(word);
}

/** In an element Markdown has no meaning. */
export function bare(text: Text): string {
  return spansOf(text)
    .map((span): string => {
      if (typeof span === 'string') return prose(cut(span, LIMIT.text));
      if ('names' in span) return few(span.names.map(bare), LIMIT.names);
      return 'mark' in span ? prose(span.mark.word) : prose(cut(span.text, LIMIT.name));
    })
    .join('');
}
