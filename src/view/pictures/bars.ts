// Bars in a cell of a table: as characters, and as a picture of a page. The numbers stand in other cells.

import type { Bars } from '../blocks.ts';
import { type Html, html } from '../html/markup.ts';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;
const HEIGHTS = ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Characters of the longest bar, and of the shortest one that still shows differences. */
const LONGEST = 24;
const SHORTEST = 8;

/** Characters in at most so many columns; nothing where they do not fit. */
export function barsText({ bars, most }: Bars, room: number): string {
  const [only = 0, ...others] = bars;
  if (others.length > 0) return bars.length > room ? '' : bars.map((value) => heightOf(value, most)).join('');
  const width = Math.min(LONGEST, room);
  if (most === 0 || only === 0 || width < SHORTEST) return '';
  const eighths = Math.max(1, Math.round((only / most) * width * EIGHTHS.length));
  return '█'.repeat(Math.floor(eighths / EIGHTHS.length)) + (EIGHTHS[eighths % EIGHTHS.length] ?? '');
}

/** A point for nothing. */
function heightOf(value: number, most: number): string {
  const highest = HEIGHTS.length - 1;
  return HEIGHTS[value === 0 || most === 0 ? 0 : Math.max(1, Math.round((value / most) * highest))] ?? '';
}

/** Units of the picture, which is as wide as its cell. */
const WIDTH = 240;
const HEIGHT = 16;

export function barsPart({ bars, most }: Bars): Html {
  const [only = 0, ...others] = bars;
  const share = (value: number, of: number): number => (most === 0 ? 0 : Math.round((value / most) * of * 100) / 100);
  const step = WIDTH / bars.length;
  const drawn =
    others.length === 0
      ? [html`<rect class="bar" x="0" y="2" width="${share(only, WIDTH)}" height="12"/>`]
      : bars.flatMap((value, at) => {
          if (value === 0) return [];
          const height = Math.max(1, share(value, HEIGHT));
          return html`<rect class="bar" x="${Math.round(at * step * 100) / 100}" y="${HEIGHT - height}" width="${Math.round(step * 80) / 100}" height="${height}"/>`;
        });
  return html`<svg class="bars" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${drawn}</svg>`;
}
