// Two orders of a page next to each other, with a line from each old place to the new one.

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

export function orderPart({ sides: [first, second], moved }: Order): Html {
  const [before, after] = [first.entries.slice(0, MOST), second.entries.slice(0, MOST)];
  const rows = Math.max(before.length, after.length);
  const left = Math.max(first.entries.length, second.entries.length) - rows;
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

/** Both columns have as many rows, so that neighbours are equally high. */
function column(title: string, entries: readonly OrderEntry[], rows: number): Html {
  const fill = Array.from({ length: rows - entries.length }, () => html`<li class="fill" aria-hidden="true"></li>`);
  const items = entries.map(
    ({ label, about, marks = [] }) =>
      html`<li><div class="rule"><span class="called">${inline(label)}</span>${about === undefined ? null : html`<span class="to">${inline(about)}</span>`}${marks.map(marked)}</div></li>`,
  );
  return html`<div class="column"><p class="caption">${title}</p><ol>${items}${fill}</ol></div>`;
}

/** Lines for the eye alone: the marks say the same in words. */
function linesPart(
  before: readonly OrderEntry[],
  after: readonly OrderEntry[],
  moved: ReadonlySet<string>,
  rows: number,
): Html {
  const is = new Map(after.map(({ key }, place) => [key, place]));
  const was = new Set(before.map(({ key }) => key));
  const middle = (place: number): number => place * ROW + ROW / 2;
  const stub = (x: number, place: number, look: string): Html =>
    html`<path class="${look}" d="M${x} ${middle(place)} h 14"/>`;
  const lines = before.map(({ key }, from) => {
    const to = is.get(key);
    if (to === undefined) return stub(0, from, 'goes');
    return html`<path class="${moved.has(key) ? 'moves' : 'keeps'}" d="M0 ${middle(from)} C ${WIDTH / 2} ${middle(from)} ${WIDTH / 2} ${middle(to)} ${WIDTH} ${middle(to)}"/>`;
  });
  return html`
    <svg class="lines" viewBox="0 0 ${WIDTH} ${rows * ROW}" preserveAspectRatio="none" aria-hidden="true">
      ${lines}
      ${after.flatMap(({ key }, place) => (was.has(key) ? [] : [stub(WIDTH - 14, place, 'comes')]))}
    </svg>`;
}
