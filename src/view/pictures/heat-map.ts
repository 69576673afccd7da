// Heat maps: days of 24 hours as a picture as wide as the page, and as a table where none is drawn.

import type { Block, HeatFrame, HeatLook, HeatTime, Picture, PictureBlock } from '../blocks.ts';
import { type Html, html } from '../html/markup.ts';

type HeatMap = Extract<Picture, { readonly kind: 'heat-map' }>;

/** What stands in the place of a picture. */
export function insteadOf({ picture, instead }: PictureBlock): readonly Block[] {
  if (picture.kind !== 'heat-map') return instead;
  const { name, what, rows } = picture;
  return [
    {
      type: 'table',
      name,
      columns: [{ title: 'Day' }, { title: what }],
      rows: rows.map(({ label, cells }) => ({
        cells: [label, cells.map(({ from, to, text }) => `${clock(from)}-${clock(to)} ${text}`).join(', ')],
      })),
    },
  ];
}

/** `08:30`. */
function clock(hours: number): string {
  const minutes = Math.round(hours * 60);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Pixels. Widths are percents of the page, so that texts are as large on every screen. */
const TOP = 18;
const ROW = 20;

/** Percents that the labels of days take. */
const LEFT = 12;

/** Pixels of an hour on a telephone: what does not fit there has no text. */
const HOUR = 13;

export function heatMapPart({ name, rows, legend }: HeatMap): Html {
  const bottom = TOP + rows.length * ROW;
  const [left, right] = [percent(0), percent(24)];
  return html`
    ${legend.length === 0 ? null : legendPart(legend)}
    <svg class="heat" width="100%" height="${bottom + 2}" role="img" aria-label="${name}">
      ${[0, 6, 12, 18, 24].map((hour) => html`<text class="axis" x="${percent(hour)}" y="12" text-anchor="${hour === 24 ? 'end' : 'middle'}">${String(hour).padStart(2, '0')}</text>`)}
      ${rows.map(({ label, cells }, row) => html`<text class="axis" x="0" y="${TOP + row * ROW + 14}">${label}</text>${cells.map((cell) => cellPart(cell, row))}`)}
      ${rows.map((_, row) => html`<line class="rule" x1="${left}" x2="${right}" y1="${TOP + row * ROW}" y2="${TOP + row * ROW}"/>`)}
      ${[6, 12, 18].map((hour) => html`<line class="hour" x1="${percent(hour)}" x2="${percent(hour)}" y1="${TOP}" y2="${bottom}"/>`)}
      ${rows.map(({ frames }, row) => frames.map((frame) => box(frame, row)))}
    </svg>`;
}

function percent(hours: number): string {
  return `${rounded(LEFT + (hours * (100 - LEFT)) / 24)}%`;
}

export function rounded(number: number): number {
  return Math.round(number * 100) / 100;
}

function cellPart(cell: HeatTime<HeatLook>, row: number): Html {
  const { from, to, look, text: whole, shorter = '' } = cell;
  const text = [whole, shorter].find((each) => (to - from) * HOUR >= 8 * each.length + 4) ?? '';
  if (text === '') return box(cell, row);
  return html`${box(cell, row)}<text class="on-${look}" x="${percent((from + to) / 2)}" y="${TOP + row * ROW + 14}" text-anchor="middle">${text}</text>`;
}

function box({ from, to, look, says }: HeatTime<HeatLook | HeatFrame>, row: number): Html {
  const width = `${rounded(((to - from) * (100 - LEFT)) / 24)}%`;
  return html`<rect class="look-${look}" x="${percent(from)}" y="${TOP + row * ROW}" width="${width}" height="${ROW}"><title>${says}</title></rect>`;
}

function legendPart(legend: HeatMap['legend']): Html {
  return html`<ul class="legend">${legend.map(([look, says]) => html`<li><svg viewBox="0 0 20 14" aria-hidden="true"><rect class="look-${look}" x="1" y="1" width="18" height="12"/></svg>${says}</li>`)}</ul>`;
}
