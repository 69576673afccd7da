// A matrix of a page: tables that are narrow enough for a sheet of paper. Rows in which nothing changes are folded below those that change.

import type { Mark, Picture } from '../blocks.ts';
import { type Html, html, name } from '../html/markup.ts';
import { MOST_CELLS } from '../limits.ts';
import { inline, marked } from '../writers/html-text.ts';

type Matrix = Extract<Picture, { readonly kind: 'matrix' }>;

type MatrixRow = Matrix['rows'][number];

export function matrixPart({ name: called, columns, rows }: Matrix): Html {
  const changing = rows.filter(isChanging);
  const others = rows.filter((row) => !isChanging(row));
  const first = tables(called, changing, columns, MOST_CELLS);
  const second = tables(called, others, columns, first.left);
  if (changing.length === 0) return html`${second.parts}`;
  return html`
    <p>${marked({ sign: '+', word: 'joins', tone: 'add' })} ${marked({ sign: '-', word: 'leaves', tone: 'destroy' })} ${marked({ sign: '~', word: 'changes', tone: 'change' })}; without a mark: stays.</p>
    ${first.parts}
    ${others.length === 0 ? null : html`<details class="more"><summary>${others.length} who do not change</summary>${second.parts}</details>`}`;
}

function isChanging({ cells }: MatrixRow): boolean {
  return cells.some(changes);
}

function changes(cell: Mark | null | undefined): boolean {
  return cell != null && cell.sign !== '';
}

/** Columns next to each other: more do not fit on paper. */
const COLUMNS = 7;

/** Only columns in which a row has something, and in each table only rows with something in it; rows with nothing at all are in the first. `left` of `cells` are not used. */
function tables(
  called: string,
  rows: readonly MatrixRow[],
  columns: readonly string[],
  cells: number,
): { readonly parts: readonly Html[]; readonly left: number } {
  const shown = byChanges(rows, columns.length);
  const parts: Html[] = [];
  let left = cells;
  for (let from = 0; from < Math.max(shown.length, Math.min(rows.length, 1)); from += COLUMNS) {
    const places = shown.slice(from, from + COLUMNS);
    const isFirst = from === 0;
    const inside = rows.filter(
      (row) =>
        places.some((place) => row.cells[place] != null) || (isFirst && row.cells.every((cell) => cell === null)),
    );
    const kept = inside.slice(0, Math.floor(left / Math.max(1, places.length)));
    left -= kept.length * places.length;
    parts.push(tablePart(called, kept, places, columns, inside.length - kept.length));
  }
  return { parts, left };
}

/** The places of the columns with the most changes first. */
function byChanges(rows: readonly MatrixRow[], count: number): readonly number[] {
  const places = Array.from({ length: count }, (_, place) => ({
    place,
    isThere: rows.some(({ cells }) => cells[place] != null),
    changing: rows.filter(({ cells }) => changes(cells[place])).length,
  }));
  return places
    .filter(({ isThere }) => isThere)
    .toSorted((one, other) => other.changing - one.changing)
    .map(({ place }) => place);
}

function tablePart(
  called: string,
  rows: readonly MatrixRow[],
  places: readonly number[],
  columns: readonly string[],
  more: number,
): Html {
  return html`
    <div class="scroll" role="group" aria-label="${called}" tabindex="0">
      <table class="matrix">
        <thead><tr><th scope="col">Who</th>${places.map((place) => html`<th scope="col">${name(columns[place] ?? '')}</th>`)}</tr></thead>
        <tbody>${rows.map((row) => rowPart(row, places))}</tbody>
      </table>
    </div>
    ${more === 0 ? null : html`<p class="faint">and ${more} more; the document has all of them</p>`}`;
}

function rowPart({ labels: [label = '', ...others], cells }: MatrixRow, places: readonly number[]): Html {
  const remarks = others.map((text) => (text === '' ? null : html`<span class="remark">${inline(text)}</span>`));
  return html`<tr><th scope="row">${inline(label)}${remarks}</th>${places.map((place) => html`<td>${cellPart(cells[place] ?? null)}</td>`)}</tr>`;
}

/** What it is, marked where it changes; the sign in words for who does not see it. */
function cellPart(cell: Mark | null): Html | null {
  if (cell === null) return null;
  const { sign, word } = cell;
  if (sign === '') return html`${word}`;
  const said = sign === '+' ? 'joins' : sign === '-' ? 'leaves' : null;
  return html`${marked({ ...cell, word: word.replace(' -> ', ' → ') })}${said === null ? null : html`<span class="sr"> ${said}</span>`}`;
}
