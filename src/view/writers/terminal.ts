// Blocks as lines of a terminal: as wide as it is, coloured, with hanging indents, briefs in the place of folds, and the result last. In a pipe no line is broken.

import { assertNever } from '../../base/errors.ts';
import { type Block, type Section, spansOf, type Table, type Text, type View } from '../blocks.ts';
import { LIMITS } from '../limits.ts';
import type { Paint } from '../paint.ts';
import { plain } from '../plain.ts';
import { columnWidths, fits, table } from '../terminal/layout.ts';
import { columnsOf } from '../terminal/narrow.ts';
import { itemsLines } from './terminal-items.ts';
import { faint, limited, lineOf, type Medium, moreLine, STEP, spanText, toned, written } from './terminal-text.ts';

export interface TerminalOptions {
  readonly details?: boolean | undefined;
}

/** A whole document: its body, then its result. */
export function terminalText(view: View, paint: Paint, options: TerminalOptions = {}): string {
  const medium = mediumOf(paint, options);
  const body = bodyLines(view.body, '', medium);
  return [
    ...body,
    ...(body.length === 0 ? [] : ['']),
    ...lineOf(written(view.result, medium), '', medium),
    ...view.about.flatMap((text) => lineOf(faint(written(text, medium), medium), '', medium)),
    '',
  ].join('\n');
}

/** Blocks alone, for a text that has other parts. */
export function blocksText(blocks: readonly Block[], paint: Paint, options: TerminalOptions = {}): string {
  return bodyLines(blocks, '', mediumOf(paint, options))
    .map((line) => `${line}\n`)
    .join('');
}

function mediumOf(paint: Paint, { details = false }: TerminalOptions): Medium {
  return { paint, limits: details ? LIMITS.details : LIMITS.terminal, isDetailed: details };
}

/** Blocks with an empty line between them, but none between folds. */
function bodyLines(blocks: readonly Block[], indent: string, medium: Medium): readonly string[] {
  const lines: string[] = [];
  let isAfterFold = false;
  let isHinted = false;
  const endFolds = (): void => {
    if (isHinted) lines.push(...lineOf(faint('`--details` shows each of them.', medium), indent, medium));
    isHinted = false;
  };
  for (const block of blocks) {
    const brief = block.type === 'section' ? foldLines(block, indent, medium) : null;
    const own = brief ?? blockLines(block, indent, medium);
    if (own.length === 0) continue;
    if (brief === null) endFolds();
    if (lines.length > 0 && !(isAfterFold && brief !== null)) lines.push('');
    lines.push(...own);
    isAfterFold = brief !== null;
    if (brief !== null && block.type === 'section' && block.fold?.isComplete !== true) isHinted = true;
  }
  endFolds();
  return lines;
}

/** The line in the place of a folded section; null for a section in full. */
function foldLines({ title, fold }: Section, indent: string, medium: Medium): readonly string[] | null {
  if (fold === undefined || medium.isDetailed) return null;
  const { brief, names = [] } = fold;
  const head = `${medium.paint('strong', `${plain(title)}:`)} ${written(brief, medium)}`;
  const named = names.length === 0 ? '' : `: ${names.map(plain).join(', ')}`;
  return lineOf(columnsOf(indent + head + named) <= BRIEF ? head + named : head, indent, medium);
}

/** Columns of a brief that also names what it counts, on any terminal and in a pipe. */
const BRIEF = 80;

function blockLines(block: Block, indent: string, medium: Medium): readonly string[] {
  const { type } = block;
  switch (type) {
    case 'text':
      return lineOf(written(block.text, medium), indent, medium);
    case 'list':
      return limited(block.texts, medium.limits.items, indent, (text, index) =>
        lineOf(`${block.isOrdered === true ? `${index + 1}. ` : ''}${written(text, medium)}`, indent, medium),
      );
    case 'facts': {
      const rows = block.facts.map(([name, text]) => [plain(name), written(text, medium)]);
      return table(rows, medium.paint.width, indent);
    }
    case 'counts':
      return [];
    case 'table':
      return tableLines(block, indent, medium);
    case 'items':
      return itemsLines(block, indent, medium);
    case 'section':
      return sectionLines(block, indent, medium);
    case 'picture':
      return bodyLines(block.instead, indent, medium);
    default:
      return assertNever(type);
  }
}

function sectionLines({ title, tone = 'strong', body }: Section, indent: string, medium: Medium): readonly string[] {
  const lines = bodyLines(body, indent + STEP, medium);
  return lines.length === 0 ? [] : [...lineOf(toned(tone, `${plain(title)}:`, medium), indent, medium), ...lines];
}

function tableLines({ columns, rows }: Table, indent: string, medium: Medium): readonly string[] {
  if (rows.length === 0) return [];
  const { paint, limits } = medium;
  const width = paint.width === undefined ? undefined : paint.width - indent.length;
  const kept = rows.slice(0, limits.items);
  const cells = kept.flatMap((row) => [
    row.cells.map((cell) => cellText(cell, medium)),
    ...(row.remarks ?? []).map((remark) => [...row.cells.slice(1).map(() => ''), written(remark, medium)]),
  ]);
  const texts = [columns.map(({ title }) => paint('strong', plain(title))), ...cells];
  const widths = columnWidths(texts);
  const aligned = texts.map((row) =>
    row.map((cell, at) =>
      columns[at]?.isNumber === true ? ' '.repeat((widths[at] ?? 0) - columnsOf(cell)) + cell : cell,
    ),
  );
  let shown = columns.map((_, at) => at);
  const only = (): readonly (readonly string[])[] =>
    aligned
      .map((row) => shown.map((at) => row[at] ?? ''))
      .filter((row, index) => index === 0 || row.some((cell) => cell.trim() !== ''));
  const rank = (at: number): number => columns[at]?.dispensable ?? 0;
  while (!fits(only(), width)) {
    const last = shown.toSorted((one, other) => rank(other) - rank(one))[0];
    if (last === undefined || rank(last) === 0) break;
    shown = shown.filter((at) => at !== last);
  }
  return [...table(only(), paint.width, indent), ...moreLine(rows.length - kept.length, indent)];
}

function cellText(cell: Text | number, medium: Medium): string {
  if (typeof cell === 'number') return String(cell);
  return spansOf(cell)
    .map((span) =>
      typeof span === 'object' && 'mark' in span
        ? toned(span.mark.tone, plain(span.mark.word), medium)
        : spanText(span, medium),
    )
    .join('');
}
