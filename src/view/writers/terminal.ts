// Blocks as lines of a terminal: as wide as it is, coloured, with hanging indents, briefs in the place of folds, and the result last. In a pipe no line is broken.

import { assertNever } from '../../base/errors.ts';
import {
  type Block,
  type Cell,
  cellText,
  entryOf,
  isBars,
  type List,
  type Mark,
  type PictureBlock,
  plainText,
  type Section,
  spansOf,
  type Table,
  type Text,
  type View,
} from '../blocks.ts';
import { LIMITS } from '../limits.ts';
import { type Paint, uncoloured } from '../paint.ts';
import { barsText } from '../pictures/bars.ts';
import { insteadOf } from '../pictures/heat-map.ts';
import { plain } from '../plain.ts';
import { type ReportWriter, TITLES } from '../report.ts';
import { columnWidths, fits, LEAST_COLUMN, narrowed, type Rows, table, totalWidth } from '../terminal/layout.ts';
import { columnsOf, cutTo, fewWithin, within } from '../terminal/narrow.ts';
import { itemsLines } from './terminal-items.ts';
import {
  faint,
  limited,
  lineOf,
  moreLine,
  STEP,
  spanText,
  type TerminalMedium,
  textLines,
  toned,
  written,
} from './terminal-text.ts';

/** The title tells what the file is, and that chatform wrote it. */
export const report: ReportWriter = {
  write: ({ view }) => `${plain(plainText(view.title))}\n\n${terminalText(view, uncoloured, { details: true })}`,
  begins: new RegExp(`^(?:(?:${TITLES}) (?:of|in) \\S|chatform [a-z -]+(?:: |\\n))`),
};

export interface TerminalOptions {
  readonly details?: boolean | undefined;
}

/** A whole document: its body, then its result. */
export function terminalText(view: View, paint: Paint, options: TerminalOptions = {}): string {
  const medium = mediumOf(paint, options);
  const body = bodyLines([...view.body, ...(view.urgent ?? [])], '', medium);
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

function mediumOf(paint: Paint, { details = false }: TerminalOptions): TerminalMedium {
  return { paint, limits: details ? LIMITS.details : LIMITS.terminal, isDetailed: details };
}

/** Blocks with an empty line between them, but none between folds. */
function bodyLines(blocks: readonly Block[], indent: string, medium: TerminalMedium): readonly string[] {
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
function foldLines({ title, fold }: Section, indent: string, medium: TerminalMedium): readonly string[] | null {
  if (fold === undefined || medium.isDetailed) return null;
  const { brief, names = [] } = fold;
  const head = `${medium.paint('strong', titled(title))} `;
  const named = names.length === 0 ? '' : `: ${names.map(plain).join(', ')}`;
  const fits = columnsOf(indent + head + plainText(brief) + named) <= BRIEF;
  return textLines([...spansOf(brief), ...(fits ? [named] : [])], indent, medium, head);
}

/** Columns of a brief that also names what it counts, on any terminal and in a pipe. */
const BRIEF = 80;

function blockLines(block: Block, indent: string, medium: TerminalMedium): readonly string[] {
  const { type } = block;
  switch (type) {
    case 'text':
      return textLines(block.text, indent, medium);
    case 'list':
      return listedLines(block, indent, medium);
    case 'facts': {
      const rows = block.facts.map(([name, text]) => [plain(name), written(text, medium)]);
      return table(rows, medium.paint.width, indent);
    }
    case 'code':
      return block.lines.map((line) => (line === '' ? '' : indent + plain(line)));
    case 'counts':
      return [];
    case 'table':
      return tableLines(block, indent, medium);
    case 'items':
      return itemsLines(block, indent, medium);
    case 'section':
      return sectionLines(block, indent, medium);
    case 'picture':
      return pictureLines(block, indent, medium);
    default:
      return assertNever(type);
  }
}

function listedLines(
  { texts, isOrdered, most, remarks = [] }: List,
  indent: string,
  medium: TerminalMedium,
): readonly string[] {
  const { limits, isDetailed } = medium;
  const lines = limited(texts, isDetailed ? limits.items : (most ?? limits.items), indent, (each, index) => {
    const { text, below } = entryOf(each);
    return [
      ...textLines(text, indent, medium, isOrdered === true ? `${index + 1}. ` : ''),
      ...below.flatMap((line) => textLines(line, indent + STEP, medium)),
    ];
  });
  return [...lines, ...remarks.flatMap((text) => textLines(text, indent, medium))];
}

function sectionLines(
  { title, tone = 'strong', isMain, body }: Section,
  indent: string,
  medium: TerminalMedium,
): readonly string[] {
  const lines = bodyLines(body, indent + STEP, medium);
  if (isMain === true) return lines;
  return lines.length === 0 ? [] : [...lineOf(toned(tone, titled(title), medium), indent, medium), ...lines];
}

/** A whole sentence keeps its full stop. */
function titled(title: string): string {
  return title.endsWith('.') ? plain(title) : `${plain(title)}:`;
}

/** Characters that an address and a name keep in a matrix; less than that is a list. */
const LEAST = [40, 8];

function pictureLines(block: PictureBlock, indent: string, medium: TerminalMedium): readonly string[] {
  const { picture, instead } = block;
  if (picture.kind !== 'matrix') return bodyLines(insteadOf(block), indent, medium);
  const width = within(medium.paint.width, indent);
  const rows = picture.rows.map(({ labels, cells }) =>
    [...labels, ...cells.map(markCell)].map((cell) => written(cell, medium)),
  );
  const longest = columnWidths(rows);
  const head = [...picture.labels, ...picture.columns].map(plain);
  const texts = narrowed([head, ...rows], width, (at) => LEAST[at] ?? longest[at] ?? 0);
  return fits(texts, width) ? headed(texts, indent, medium) : bodyLines(instead, indent, medium);
}

function headed([head = [], ...rows]: Rows, indent: string, { paint }: TerminalMedium): readonly string[] {
  return table([head.map((title) => paint('strong', title)), ...rows], paint.width, indent);
}

function markCell(mark: Mark | null): Text {
  if (mark === null) return '';
  const { sign, word, tone } = mark;
  return sign === '' ? word : { text: `${sign} ${word}`, tone };
}

/** Each row in one line: of several names as many as fit and how many more there are, or only their number; all else is cut. */
function listLines(table: Table, indent: string, medium: TerminalMedium): readonly string[] {
  const width = within(medium.paint.width, indent);
  const textsOf = (rows: Table['rows']): Rows => rows.map((row) => row.cells.map((cell) => shownCell(cell, medium)));
  const { columns, rows } = withoutDispensable(table, width, textsOf);
  const head = columns.map(({ title }) => plain(title));
  const cells = textsOf(rows);
  const longest = columnWidths([head, ...cells]);
  const least = (at: number): number => (columns[at]?.isWhole === true ? (longest[at] ?? 0) : LEAST_COLUMN);
  const cut = narrowed([head, ...cells], width, least).slice(1);
  const widths = columnWidths([head, ...cut]);
  const named = cells.map((row, nth) =>
    row.map((text, at) => {
      const cell = rows[nth]?.cells[at];
      if (typeof cell !== 'object' || !('names' in cell) || cut[nth]?.[at] === text) return text;
      const names = cell.names.map((each) => spanText(each, medium));
      const room = widths[at] ?? 0;
      const some = fewWithin(names, names.length - 1, room);
      return names.length > 1 && columnsOf(some) <= room ? some : `${names.length} in all`;
    }),
  );
  return headed(narrowed([head, ...named], width, least), indent, medium);
}

/** Without the columns that can be missing, as far as others have no room. `textsOf`: the cells as they are written. */
function withoutDispensable(table: Table, width: number | undefined, textsOf: (rows: Table['rows']) => Rows): Table {
  const { columns, rows } = table;
  const rank = ({ dispensable = 0 }: Table['columns'][number]): number => dispensable;
  const [last] = columns.toSorted((one, other) => rank(other) - rank(one));
  const head = columns.map(({ title }) => plain(title));
  if (last === undefined || rank(last) === 0 || fits([head, ...textsOf(rows)], width)) return table;
  const at = columns.indexOf(last);
  const fewer = rows.map((row) => ({ ...row, cells: row.cells.toSpliced(at, 1) }));
  return withoutDispensable({ ...table, columns: columns.toSpliced(at, 1), rows: fewer }, width, textsOf);
}

/** Columns that bars fit in where a pipe has no width, and those of a text next to bars. */
const PIPE = 80;
const LABEL = 40;

function tableLines(block: Table, indent: string, medium: TerminalMedium): readonly string[] {
  if (block.rows.length === 0) return [];
  const { isList } = block;
  if (isList === true && !medium.isDetailed) return listLines(block, indent, medium);
  const { paint, limits } = medium;
  const width = paint.width === undefined ? undefined : paint.width - indent.length;
  const kept = isList === true ? block.rows : block.rows.slice(0, limits.items);
  const isBarred = kept.some(({ cells }) => isBars(cells.at(-1)));
  const cellsWithin = (rows: Table['rows'], room: number): Rows =>
    rows.flatMap((row) => [
      row.cells.map((cell) => {
        if (isBars(cell)) return barsText(cell, room);
        const text = shownCell(cell, medium);
        return isBarred && !medium.isDetailed ? cutTo(text, LABEL) : text;
      }),
      ...(row.remarks ?? []).map((remark) => [...row.cells.slice(1).map(() => ''), written(remark, medium)]),
    ]);
  const { columns, rows } = withoutDispensable({ ...block, rows: kept }, width, (some) => cellsWithin(some, 0));
  const head = columns.map(({ title }) => paint('strong', plain(title)));
  const alignedWithin = (room: number): Rows => {
    const texts = [head, ...cellsWithin(rows, room)];
    const widths = columnWidths(texts);
    return texts.map((row) =>
      row.map((cell, at) =>
        columns[at]?.isNumber === true ? ' '.repeat((widths[at] ?? 0) - columnsOf(cell)) + cell : cell,
      ),
    );
  };
  let shown = alignedWithin(0);
  // Bars take the room that all other columns leave.
  if (rows.some(({ cells }) => isBars(cells.at(-1)))) {
    shown = alignedWithin((width ?? PIPE) - totalWidth([...columnWidths(shown).slice(0, -1), 0]));
    if (shown.slice(1).every((row) => row.at(-1) === '')) shown = shown.map((row) => row.slice(0, -1));
  }
  return [...table(shown, paint.width, indent), ...moreLine(block.rows.length - kept.length, indent)];
}

function shownCell(cell: Cell, medium: TerminalMedium): string {
  return spansOf(cellText(cell))
    .map((span) =>
      typeof span === 'object' && 'mark' in span
        ? toned(span.mark.tone, plain(span.mark.word), medium)
        : spanText(span, medium),
    )
    .join('');
}
