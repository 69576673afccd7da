// Tables in CSV with the place of each value, which no library for CSV tells. Strict: a row that is short of a column is an error, never a guess.

import type { Diagnostic } from '../base/model.ts';
import { listed, nearest } from '../base/nearest.ts';
import { counted, inNfc } from '../base/text.ts';
import { diagnose, repeated, type UnplacedDiagnostic } from './diagnostics.ts';
import { marker, type PlaceMark } from './places.ts';

/** One row below the names of the columns. */
export interface DataRow {
  /** Texts by column. White space around a value does not count, and neither does a row of empty values. */
  readonly values: { readonly [column: string]: string };
  /** Where the value of a column is written; the whole row for a column that is not there. */
  readonly markAt: (column: string) => PlaceMark;
}

export interface DataTable {
  readonly columns: readonly string[];
  readonly rows: readonly DataRow[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A value with the range of offsets where it is written, quotes included. */
interface Cell {
  /** Without white space around it. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

type MarkRange = (start: number, end: number) => PlaceMark;

export interface TableForm {
  /** Columns that must be there. */
  readonly required?: readonly string[];
  /** The file does not belong to the project: no finding quotes it. */
  readonly isOutside?: boolean;
}

/** RFC 4180: values between commas, quotes around a value that has a comma, a quote or a line break. */
export function parseTable(
  file: string,
  text: string,
  { required = [], isOutside = false }: TableForm = {},
): DataTable {
  const shown = marker(file, text);
  const mark: MarkRange = (start, end) =>
    isOutside ? { place: shown(start, end).place, excerpt: null, isHidden: true } : shown(start, end);
  const found: Diagnostic[] = [];
  const lines = cellsIn(text, mark, found);
  const [names, ...body] = lines;
  const head = names?.map((cell) => ({ ...cell, text: inNfc(cell.text) }));
  if (head === undefined) {
    const remedy = 'write the names of the columns in the first line';
    found.push(diagnose(mark(0, 0), { code: 'too-short', message: 'the table is empty', remedy }));
    return { columns: [], rows: [], diagnostics: found };
  }
  const columns = head.map((cell) => cell.text);
  const wrong = wrongColumns(head, required, mark);
  if (wrong.length > 0) return { columns, rows: [], diagnostics: [...found, ...wrong] };
  const rows = body.flatMap((cells): readonly DataRow[] => {
    const whole = mark(cells[0]?.start ?? 0, cells.at(-1)?.end ?? 0);
    if (cells.length !== columns.length) {
      found.push(diagnose(whole, wrongLength(cells.length, columns)));
      return [];
    }
    return [
      {
        values: Object.fromEntries(columns.map((column, index) => [column, cells[index]?.text ?? ''])),
        markAt: (column) => {
          const cell = cells[columns.indexOf(column)];
          return cell === undefined ? whole : mark(cell.start, cell.end);
        },
      },
    ];
  });
  return { columns, rows, diagnostics: found };
}

function wrongColumns(head: readonly Cell[], required: readonly string[], mark: MarkRange): readonly Diagnostic[] {
  const markOf = ({ start, end }: Cell): PlaceMark => mark(start, end);
  const names = head.map(({ text }) => text);
  const missing = required.filter((name) => !names.includes(name));
  const [only] = head;
  if (missing.length > 0 && names.length === 1 && only !== undefined && /[;\t]/.test(only.text)) {
    const message = 'the columns are not separated by commas';
    return [diagnose(markOf(only), { code: 'bad-format', message, remedy: 'save the table as CSV with commas' })];
  }
  return [
    ...head
      .filter(({ text }) => text === '')
      .map((cell) => diagnose(markOf(cell), { code: 'too-short', message: 'a column has no name', remedy: NAME_IT })),
    ...repeated(
      head.filter(({ text }) => text !== ''),
      ({ text }) => text,
    ).map(({ item, first }) => {
      const message = `two columns are called \`${item.text}\``;
      const related = [{ mark: markOf(first), message: 'the first one' }];
      return diagnose(markOf(item), { code: 'duplicate-key', message, remedy: 'rename one of them' }, related);
    }),
    ...missing.map((name) => {
      const whole = mark(head[0]?.start ?? 0, head.at(-1)?.end ?? 0);
      const message = `there is no column \`${name}\``;
      const meant = nearest(name, names);
      const remedy =
        meant === null
          ? `add it, or rename one of ${listed(names)}`
          : `rename the column \`${meant}\` to \`${name}\`, or add it`;
      return diagnose(whole, { code: 'missing-field', message, remedy });
    }),
  ];
}

const NAME_IT = 'name it, or remove the comma before it';

function wrongLength(count: number, columns: readonly string[]): UnplacedDiagnostic {
  if (count > columns.length) {
    const remedy = 'put a value that contains a comma in quotes, or remove the extra values';
    return {
      code: 'too-many',
      message: `this row has ${count} values for ${counted(columns.length, 'column')}`,
      remedy,
    };
  }
  const message = `this row has ${count} of ${columns.length} values`;
  const [first] = columns.slice(count);
  return { code: 'missing-field', message, remedy: `add a value for each column from \`${first}\` on` };
}

/** The cells of each line that has a value. */
function cellsIn(text: string, mark: MarkRange, found: Diagnostic[]): readonly (readonly Cell[])[] {
  const lines: Cell[][] = [];
  let at = 0;
  while (at < text.length) {
    const cells: Cell[] = [];
    for (let ended = false; !ended; ) {
      const start = blanksEnd(text, at);
      const cell = text[start] === '"' ? quotedAt(text, start) : plainAt(text, at);
      if (cell === null) {
        const remedy = 'end the value with `"`, and write a quote in it as `""`';
        found.push(diagnose(mark(start, start + 1), { code: 'bad-format', message: 'the quote does not end', remedy }));
        return lines;
      }
      const problem = problemOf(cell, text);
      if (problem !== null) found.push(diagnose(mark(cell.start, cell.end), problem));
      const next = valueEnd(text, cell.end);
      cells.push(cell);
      ended = text[next] !== ',';
      at = ended ? lineEnd(text, next) : next + 1;
    }
    if (cells.some((cell) => cell.text !== '')) lines.push(cells);
  }
  return lines;
}

function plainAt(text: string, start: number): Cell {
  const end = valueEnd(text, start);
  return { text: text.slice(start, end).trim(), start, end };
}

/** Null when the quote does not end. */
function quotedAt(text: string, start: number): Cell | null {
  let end = start + 1;
  for (;;) {
    end = text.indexOf('"', end);
    if (end === -1) return null;
    if (text[end + 1] !== '"') break;
    end += 2;
  }
  return {
    text: text
      .slice(start + 1, end)
      .replaceAll('""', '"')
      .trim(),
    start,
    end: end + 1,
  };
}

function problemOf({ start, end }: Cell, text: string): UnplacedDiagnostic | null {
  const remedy = 'put the whole value in quotes, and write a quote in it as `""`';
  const isQuoted = text[start] === '"';
  const isOpen = isQuoted ? !isEnd(text[blanksEnd(text, end)]) : text.slice(start, end).includes('"');
  return isOpen ? { code: 'bad-format', message: 'a quote stands inside of a value', remedy } : null;
}

/** Where the comma or the line break after `from` stands. */
function valueEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isEnd(text[at])) at += 1;
  return at;
}

/** Where the blanks from `from` on end. */
function blanksEnd(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

function isEnd(character: string | undefined): boolean {
  return character === undefined || character === ',' || character === '\n' || character === '\r';
}

function lineEnd(text: string, at: number): number {
  if (text[at] === '\r' && text[at + 1] === '\n') return at + 2;
  return at + 1;
}
