// Tables of separated values (CSV) with the place of each value, which no library for CSV tells. Strict: a row that is short of a column is an error, never a guess.

import type { Schema } from '../base/documents.ts';
import { isObject } from '../base/json.ts';
import type { Diagnostic, Json } from '../base/model.ts';
import { listed, nearest } from '../base/nearest.ts';
import { counted, inNfc } from '../base/text.ts';
import { diagnose, namedHere, repeated, type UnplacedDiagnostic } from './diagnostics.ts';
import { decoded, ENCODINGS } from './encoding.ts';
import { marker, type PlaceMark } from './places.ts';
import { type FileSystem, readBytes } from './read.ts';

/** One row below the names of the columns. */
export interface DataRow {
  /** Texts by column. White space around a value does not count, and neither does a row of empty values. */
  readonly values: { readonly [column: string]: string };
  /** Where the value of a column is written; the whole row for a column that is not there. */
  readonly markAt: (column: string) => PlaceMark;
}

export interface DataTable {
  /** Those with a name. */
  readonly columns: readonly string[];
  readonly rows: readonly DataRow[];
  /** Where the name of a column is written; the whole line for one that is not there. */
  readonly headAt: (column: string) => PlaceMark;
  readonly diagnostics: readonly Diagnostic[];
}

/** A value with the range of offsets where it is written, quotes included. */
interface Cell {
  /** Without white space around it. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Where the separator or the end of the line stands. */
  readonly next: number;
  readonly problem: UnplacedDiagnostic | null;
}

type MarkRange = (start: number, end: number) => PlaceMark;

export interface TableForm {
  /** Columns that must be there. */
  readonly required?: readonly string[];
  /** Columns whose values count; every column where it is left out. */
  readonly used?: readonly string[];
  /** What names the table: its encoding and its separator count, as far as they fit the schema. */
  readonly named?: Json | undefined;
  /** The file does not belong to the project: no finding quotes it. */
  readonly isOutside?: boolean;
}

/** What can separate values, the usual one first. */
const SEPARATORS = [',', ';', '\t', '|'] as const;

/** Members next to the name of a table. */
export const formSchemas: { readonly [member: string]: Schema } = {
  encoding: { enum: ENCODINGS, default: 'utf-8', description: 'Encoding of a table without a byte-order mark.' },
  separator: { enum: SEPARATORS, description: 'What separates values, where the names of the columns leave it open.' },
};

/** Without columns where the file cannot be read. `here`: where the table is named. */
export async function readTable(file: string, form: TableForm, io: FileSystem, here: PlaceMark): Promise<DataTable> {
  const isOutside = io.isOutside?.(file) === true;
  const bytes = await readBytes(file, io);
  if (!(bytes instanceof Uint8Array)) return unread(here, namedHere(bytes, here));
  const { encoding } = isObject(form.named) ? form.named : {};
  const { text, wrong } = decoded(bytes, ENCODINGS.find((each) => each === encoding) ?? null);
  if (wrong === null) return parseTable(file, text, { ...form, isOutside });
  const [offset, ...problem] = wrong;
  const mark = markerOf(file, text, isOutside)(offset, offset + 1);
  return unread(mark, namedHere(diagnose(mark, badFormat(...problem)), here));
}

function unread(mark: PlaceMark, ...diagnostics: readonly Diagnostic[]): DataTable {
  return { columns: [], rows: [], headAt: () => mark, diagnostics };
}

function markerOf(file: string, text: string, isOutside: boolean): MarkRange {
  const shown = marker(file, text);
  return (start, end) =>
    isOutside ? { place: shown(start, end).place, excerpt: null, isHidden: true } : shown(start, end);
}

/** The first line of some tables, which says the separator. */
const SEPARATOR_LINE = /^"?sep=([^\r\n"])"?\1*[ \t]*(?:\r?\n|$)/i;

/** Lines in which a title can stand above the names of the columns. */
const TITLES = 20;

/** RFC 4180: values between separators, quotes around a value that has a separator, a quote or a line break. */
export function parseTable(
  file: string,
  given: string,
  { required = [], used, named, isOutside = false }: TableForm = {},
): DataTable {
  // Some programs end lines with a carriage return alone. The length stays.
  const text = given.includes('\n') ? given : given.replaceAll('\r', '\n');
  const mark = markerOf(file, text, isOutside);
  const said = SEPARATOR_LINE.exec(text);
  const from = said?.[0].length ?? 0;
  const asked = used ?? required;
  const { separator } = isObject(named) ? named : {};
  const cut = SEPARATORS.find((each) => each === separator) ?? said?.[1] ?? separatorOf(text, from, asked);
  const all = cut === null ? [] : linesIn(text, from, cut);
  const bad = all.flatMap((cells) => cells.find(({ problem }) => problem !== null) ?? []);
  const found = bad.map(({ start, end, problem }) => diagnose(mark(start, end), problem ?? QUOTE));
  const lines = all.filter((cells, index) => index === 0 || cells.every(({ problem }) => problem === null));
  const isHead = (cells: readonly Cell[]): boolean => cells.some((cell) => asked.includes(inNfc(cell.text)));
  const [head = [], ...body] = lines.slice(Math.max(0, lines.slice(0, TITLES).findIndex(isHead)));
  if (head.length === 0) {
    const here = mark(from, cut === null ? text.length : from);
    return unread(here, ...found, diagnose(here, cut === null ? OPEN : EMPTY));
  }
  const indices = new Map(head.flatMap(({ text }, index) => (text === '' ? [] : [[inNfc(text), index] as const])));
  const columns = [...indices.keys()];
  const markIn = (cells: readonly Cell[], column: string): PlaceMark => {
    const cell = cells[indices.get(column) ?? -1];
    return mark(cell?.start ?? cells[0]?.start ?? 0, cell?.end ?? cells.at(-1)?.end ?? 0);
  };
  const wrong = wrongColumns(head, body, required, mark);
  const rows = (wrong.length > 0 ? [] : body).flatMap((cells): readonly DataRow[] => {
    const markAt = (column: string): PlaceMark => markIn(cells, column);
    const length = wrongLength(cells, head);
    if (length !== null) found.push(diagnose(markAt(''), length));
    if (length !== null) return [];
    const values = Object.fromEntries([...indices].map(([column, index]) => [column, cells[index]?.text ?? '']));
    for (const column of used ?? columns)
      if (values[column]?.startsWith('=') === true) found.push(diagnose(markAt(column), FORMULA));
    return [{ values, markAt }];
  });
  return { columns, rows, headAt: (column) => markIn(head, column), diagnostics: [...found, ...wrong] };
}

/** The separator that the names of the columns show; null where several fit equally. */
function separatorOf(text: string, from: number, asked: readonly string[]): string | null {
  const blank = /(?:[ \t,;|"]*\r?\n)*/y;
  blank.lastIndex = from;
  const start = from + (blank.exec(text)?.[0].length ?? 0);
  const heads = SEPARATORS.flatMap((each) => {
    const names = lineAt(text, start, each).map((cell) => inNfc(cell.text));
    return names.length === 1 ? [] : [{ each, fits: asked.filter((name) => names.includes(name)).length }];
  });
  if (heads.length === 0) return SEPARATORS[0];
  const [best, second] = heads.toSorted((a, b) => b.fits - a.fits);
  return best === undefined || best.fits === second?.fits ? null : best.each;
}

/** A column without a name is wrong only where it has a value: spreadsheets write empty ones. */
function wrongColumns(
  head: readonly Cell[],
  body: readonly (readonly Cell[])[],
  required: readonly string[],
  mark: MarkRange,
): readonly Diagnostic[] {
  const markOf = ({ start, end }: Cell): PlaceMark => mark(start, end);
  const names = head.map(({ text }) => inNfc(text));
  const missing = required.filter((name) => !names.includes(name));
  return [
    ...head
      .filter(({ text }, index) => text === '' && body.some((cells) => (cells[index]?.text ?? '') !== ''))
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

const NAME_IT = 'name it, or remove its values';

const badFormat = (message: string, remedy: string) => ({ code: 'bad-format', message, remedy }) as const;
const EMPTY = {
  ...badFormat('the table is empty', 'write the names of the columns in the first line'),
  code: 'too-short',
} as const;
const OPEN = badFormat(
  'several characters can be what separates the columns',
  'write `separator: ";"`, or the one that does, next to the name of the table',
);
const FORMULA = badFormat('the cell has a formula', 'save the table with the value in its place');
const UNENDED = badFormat('the quote does not end', 'end the value with `"`, and write a quote in it as `""`');
const QUOTE = badFormat(
  'a quote stands inside of a value',
  'put the whole value in quotes, and write a quote in it as `""`',
);

/** Null for a row with a value, or an empty cell, below each name. Cells behind the last name may be empty. */
function wrongLength(cells: readonly Cell[], head: readonly Cell[]): UnplacedDiagnostic | null {
  const filled = lengthOf(cells);
  if (filled > head.length) {
    const message = `this row has ${filled} values for ${counted(head.length, 'column')}`;
    const remedy = 'put a value that contains the separator in quotes, or remove the extra values';
    return { code: 'too-many', message, remedy };
  }
  if (cells.length >= lengthOf(head)) return null;
  const message = `this row has ${cells.length} of ${head.length} values`;
  const first = head.slice(cells.length).find(({ text }) => text !== '')?.text;
  return { code: 'missing-field', message, remedy: `add a value for each column from \`${first}\` on` };
}

/** Without the empty cells at the end. */
function lengthOf(cells: readonly Cell[]): number {
  return cells.findLastIndex(({ text }) => text !== '') + 1;
}

/** The cells of each line that has a value, or a mistake. */
function linesIn(text: string, from: number, separator: string): readonly (readonly Cell[])[] {
  const lines: (readonly Cell[])[] = [];
  for (let at = from; at < text.length; ) {
    const cells = lineAt(text, at, separator);
    if (lengthOf(cells) > 0 || cells.some(({ problem }) => problem !== null)) lines.push(cells);
    at = (cells.at(-1)?.next ?? text.length) + 1;
  }
  return lines;
}

function lineAt(text: string, from: number, separator: string): readonly Cell[] {
  const cells: Cell[] = [];
  for (let at = from; ; ) {
    const cell = cellAt(text, at, separator);
    cells.push(cell);
    if (text[cell.next] !== separator) return cells;
    at = cell.next + 1;
  }
}

function cellAt(text: string, from: number, separator: string): Cell {
  const start = blanksEnd(text, from, separator);
  // Spreadsheets keep `007` a text as `="007"`.
  const quote = text.startsWith('="', start) ? start + 1 : start;
  if (text[quote] !== '"') {
    const end = valueEnd(text, from, separator);
    const value = text.slice(from, end).trim();
    const problem = !value.includes('"') ? null : value.startsWith('=') ? FORMULA : QUOTE;
    return { text: value, start: from, end, next: end, problem };
  }
  const end = quoteEnd(text, quote);
  if (end === null) return { text: '', start: quote, end: quote + 1, next: text.length, problem: UNENDED };
  const next = valueEnd(text, end, separator);
  const value = text.slice(quote + 1, end - 1).replaceAll('""', '"');
  return { text: value.trim(), start, end, next, problem: text.slice(end, next).trim() === '' ? null : QUOTE };
}

/** Behind the quote that ends a value; null where none does. */
function quoteEnd(text: string, quote: number): number | null {
  for (let at = quote + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1) return null;
    if (text[at + 1] !== '"') return at + 1;
  }
}

/** Where the separator or the line break after `from` stands. */
function valueEnd(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}

/** Where the blanks from `from` on end. */
function blanksEnd(text: string, from: number, separator: string): number {
  let at = from;
  while ((text[at] === ' ' || text[at] === '\t') && text[at] !== separator) at += 1;
  return at;
}
