// Picture of the demand of a group over its cover: chats at once and slots, hour by hour of the week. What its colours say stands in its texts.

import { type Html, html } from '../../view/html/markup.ts';
import { rounded } from '../../view/pictures/heat-map.ts';
import { short } from '../words/impact.ts';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** One entry for each hour of the week, from Monday 00:00 on. */
export interface DemandPicture {
  /** Chats at once on average. */
  readonly demand: readonly number[];
  /** Null where they are not known. */
  readonly slots: readonly number[] | null;
  /** Those of today, where they differ. */
  readonly slotsBefore: readonly number[] | null;
  /** The hours that are marked, by their place in the week. */
  readonly marked: ReadonlySet<number>;
  /** What the marks mean. */
  readonly mark: string;
}

/** Units of the picture, which are pixels on a telephone. */
const LEFT = 34;
const HOUR = 13;
const ROW = 28;
const GAP = 6;
const TOP = 18;
const WIDTH = LEFT + 24 * HOUR + 2;
const HEIGHT = TOP + 7 * (ROW + GAP);

export function demandChart(picture: DemandPicture, label: string): Html {
  const { demand, slots, slotsBefore } = picture;
  const most = Math.max(1, ...demand, ...(slots ?? []), ...(slotsBefore ?? []));
  return html`
    <svg class="week demand" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
      ${[0, 6, 12, 18, 24].map((hour) => html`<text class="axis" x="${LEFT + hour * HOUR}" y="12" text-anchor="${hour === 24 ? 'end' : 'middle'}">${String(hour).padStart(2, '0')}</text>`)}
      ${DAYS.map((day, index) => dayPart(day, index, picture, most))}
    </svg>`;
}

function dayPart(day: string, index: number, picture: DemandPicture, most: number): Html {
  const { demand, slots, slotsBefore, marked, mark } = picture;
  const bottom = TOP + index * (ROW + GAP) + ROW;
  const heightOf = (value: number): number => rounded((value / most) * ROW);
  const hours = Array.from({ length: 24 }, (_, hour) => index * 24 + hour);
  const bars = hours.map((at, hour) => {
    const load = demand[at] ?? 0;
    const isMarked = marked.has(at);
    if (load === 0 && !isMarked) return null;
    // A marked hour is seen however few chats it has.
    const height = Math.max(heightOf(load), isMarked ? 2 : 0.5);
    const room = slots === null ? '' : `, ${short(slots[at] ?? 0)} slots`;
    const words = `${day} ${String(hour).padStart(2, '0')}:00: ${short(load)} chats at once${room}${isMarked ? `, ${mark}` : ''}`;
    return html`<rect class="${isMarked ? 'short' : 'load'}" x="${LEFT + hour * HOUR + 1}" y="${rounded(bottom - height)}" width="${HOUR - 2}" height="${height}"><title>${words}</title></rect>`;
  });
  const line = (values: readonly number[] | null, look: string): Html | null => {
    if (values === null) return null;
    const steps = hours.map((at, hour) => {
      const y = rounded(bottom - heightOf(values[at] ?? 0));
      return `${hour === 0 ? `M${LEFT} ${y}` : `V${y}`}H${LEFT + (hour + 1) * HOUR}`;
    });
    return html`<path class="${look}" d="${steps.join('')}"/>`;
  };
  return html`<text class="axis" x="0" y="${bottom - 8}">${day}</text><line class="rule" x1="${LEFT}" x2="${LEFT + 24 * HOUR}" y1="${bottom}" y2="${bottom}"/>${bars}${line(slotsBefore, 'line-was')}${line(slots, 'line-is')}`;
}

/** Each look of the picture, and what it means. */
export function demandLegend(isCompared: boolean, mark: string): Html {
  const item = (drawn: Html, words: string): Html =>
    html`<li><svg class="demand" viewBox="0 0 20 14" aria-hidden="true">${drawn}</svg>${words}</li>`;
  const line = (look: string): Html => html`<path class="${look}" d="M1 7H19"/>`;
  return html`<ul class="legend">${item(html`<rect class="load" x="4" y="2" width="12" height="10"/>`, 'chats at once on average')}${item(html`<rect class="short" x="4" y="2" width="12" height="10"/>`, mark)}${item(line('line-is'), isCompared ? 'slots after the plan' : 'slots')}${isCompared ? item(line('line-was'), 'slots now') : null}</ul>`;
}
