// Two orders of a page next to each other, with a line from each old place to the new one: what changes and its neighbours, and how many are between.

import { counted } from '../../base/text.ts';
import type { OrderEntry, Picture } from '../blocks.ts';
import { type Html, html } from '../html/markup.ts';
import { inline, marked } from '../writers/html-text.ts';

type Order = Extract<Picture, { readonly kind: 'order' }>;

/** Entries without a fold, and of a picture: a license has at most two hundred rules by default. */
const FEW = 40;
const MOST = 600;

/** Of the picture between the columns; all rows are equally high. */
const WIDTH = 100;
const ROW = 10;

/** An entry and its place, or how many entries are left out. */
type Row = (OrderEntry & { readonly place: number }) | { readonly left: number };

export function orderPart({ sides: [first, second], moved }: Order): Html {
  const all = [first.entries.slice(0, MOST), second.entries.slice(0, MOST)] as const;
  const shown = shownKeys(all, new Set(moved));
  const [before, after] = [rowsOf(all[0], shown), rowsOf(all[1], shown)];
  const rows = Math.max(before.length, after.length);
  const left = Math.max(first.entries.length, second.entries.length) - Math.max(all[0].length, all[1].length);
  const picture = html`
    <div class="order">
      ${column(first.title, before, rows)}
      ${linesPart(before, after, new Set(moved), rows)}
      ${column(second.title, after, rows)}
    </div>`;
  return html`
    ${rows > FEW ? html`<details class="more"><summary>All ${rows}</summary>${picture}</details>` : picture}
    ${left > 0 ? html`<p class="faint">and ${left} more</p>` : null}`;
}

/** What is moved, marked or on one side only, and what stands next to it on a side. */
function shownKeys(sides: readonly (readonly OrderEntry[])[], moved: ReadonlySet<string>): ReadonlySet<string> {
  const [before, after] = sides.map((entries) => new Set(entries.map(({ key }) => key)));
  const isChanged = ({ key, marks = [] }: OrderEntry): boolean =>
    moved.has(key) || marks.length > 0 || before?.has(key) !== after?.has(key);
  return new Set(
    sides.flatMap((entries) =>
      entries.filter((_, at) => entries.slice(Math.max(0, at - 1), at + 2).some(isChanged)).map(({ key }) => key),
    ),
  );
}

function rowsOf(entries: readonly OrderEntry[], shown: ReadonlySet<string>): readonly Row[] {
  const rows: Row[] = [];
  for (const [index, entry] of entries.entries()) {
    const last = rows.at(-1);
    if (shown.has(entry.key)) rows.push({ ...entry, place: index + 1 });
    else if (last !== undefined && 'left' in last) rows[rows.length - 1] = { left: last.left + 1 };
    else rows.push({ left: 1 });
  }
  return rows;
}

/** Both columns have as many rows, so that neighbours are equally high. */
function column(title: string, shown: readonly Row[], rows: number): Html {
  const fill = Array.from({ length: rows - shown.length }, () => html`<li class="fill" aria-hidden="true"></li>`);
  const items = shown.map((row) => {
    if ('left' in row) return html`<li class="fill faint">... ${counted(row.left, 'rule')}</li>`;
    const { label, about, marks = [], place } = row;
    return html`<li><div class="rule"><span class="place">${place}.</span><span class="called">${inline(label)}</span>${about === undefined ? null : html`<span class="to">${inline(about)}</span>`}${marks.map(marked)}</div></li>`;
  });
  return html`<div class="column"><p class="caption">${title}</p><ol>${items}${fill}</ol></div>`;
}

/** Lines for the eye alone: the marks say the same in words. */
function linesPart(before: readonly Row[], after: readonly Row[], moved: ReadonlySet<string>, rows: number): Html {
  const [was, is] = [before, after].map(
    (side) => new Map(side.flatMap((row, at) => ('left' in row ? [] : [[row.key, at] as const]))),
  );
  const middle = (place: number): number => place * ROW + ROW / 2;
  const stub = (x: number, place: number, look: string): Html =>
    html`<path class="${look}" d="M${x} ${middle(place)} h 14"/>`;
  const lines = Array.from(was ?? [], ([key, from]) => {
    const to = is?.get(key);
    if (to === undefined) return stub(0, from, 'goes');
    return html`<path class="${moved.has(key) ? 'moves' : 'keeps'}" d="M0 ${middle(from)} C ${WIDTH / 2} ${middle(from)} ${WIDTH / 2} ${middle(to)} ${WIDTH} ${middle(to)}"/>`;
  });
  return html`
    <svg class="lines" viewBox="0 0 ${WIDTH} ${rows * ROW}" preserveAspectRatio="none" aria-hidden="true">
      ${lines}
      ${Array.from(is ?? [], ([key, place]) => (was?.has(key) ? null : stub(WIDTH - 14, place, 'comes')))}
    </svg>`;
}
