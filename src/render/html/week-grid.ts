// The cover of one group in a week, laid out in strips, in; a picture of seven days that says in numbers and patterns what its colours say, out.

import { counted } from '../../base/text.ts';
import type { CoverStrip, Grid, Strip } from '../../tasks/coverage/grid.ts';
import { type Html, html } from './markup.ts';

/** In the units of the picture, which are pixels on a telephone. */
const LEFT = 34;
const HOUR = 13;
const DAY = 19;
const TOP = 18;
const WIDTH = LEFT + 24 * HOUR + 2;
const HEIGHT = TOP + 7 * DAY + 2;

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const SHADES = 4;

/** `most`: the slots that are the darkest, of both pictures of a group. */
export function weekGrid(grid: Grid, missing: readonly Strip[], most: number, label: string): Html {
  return html`
    <svg class="week" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
      ${[0, 6, 12, 18, 24].map((hour) => html`<text class="axis" x="${LEFT + hour * HOUR}" y="12" text-anchor="${hour === 24 ? 'end' : 'middle'}">${String(hour).padStart(2, '0')}</text>`)}
      ${DAYS.map((day, index) => html`<text class="axis" x="0" y="${TOP + index * DAY + 14}">${day}</text>`)}
      ${missing.map((strip) => box(strip, 'missing', 'the clock jumps over this time'))}
      ${grid.strips.map((strip) => stripPart(strip, grid, most))}
      ${DAYS.map((_, index) => html`<line class="rule" x1="${LEFT}" x2="${LEFT + 24 * HOUR}" y1="${TOP + index * DAY}" y2="${TOP + index * DAY}"/>`)}
      ${[6, 12, 18].map((hour) => html`<line class="hour" x1="${LEFT + hour * HOUR}" x2="${LEFT + hour * HOUR}" y1="${TOP}" y2="${TOP + 7 * DAY}"/>`)}
      ${grid.lost.map((strip) => box(strip, 'lost', 'loses all cover'))}
    </svg>`;
}

function stripPart(strip: CoverStrip, { anytime }: Grid, most: number): Html {
  const { people, slots } = strip;
  const shade = most === 0 ? 1 : Math.max(1, Math.ceil((slots / most) * SHADES));
  const look = people > 0 ? `s${shade}` : anytime.people > 0 ? 'anytime' : 'nobody';
  const { x, y, width, height } = boxOf(strip);
  const isRoomy = width >= 8 * String(slots).length + 4 && height === DAY;
  const drawn = box(
    strip,
    look,
    `${strip.text}: ${people} ${people === 1 ? 'person' : 'people'}, ${counted(slots, 'slot')}`,
  );
  if (!isRoomy || look === 'anytime') return drawn;
  return html`${drawn}<text class="on-${look}" x="${rounded(x + width / 2)}" y="${y + 14}" text-anchor="middle">${slots}</text>`;
}

function box(strip: Strip, look: string, words: string): Html {
  const { x, y, width, height } = boxOf(strip);
  return html`<rect class="${look}" x="${x}" y="${y}" width="${width}" height="${height}"><title>${words}</title></rect>`;
}

function boxOf({ day, from, to, which }: Strip) {
  const half = DAY / 2;
  return {
    x: rounded(LEFT + (from / 60) * HOUR),
    y: rounded(TOP + day * DAY + (which === 'later' ? half : 0)),
    width: rounded(((to - from) / 60) * HOUR),
    height: which === 'only' ? DAY : half,
  };
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10;
}
