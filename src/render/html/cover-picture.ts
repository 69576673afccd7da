// The cover of one group, before and after, in; its weeks side by side, and what they mean in words, out.

import type { Grid } from '../../tasks/coverage/grid.ts';
import type { CoverReport, GroupReport } from '../../tasks/coverage/report.ts';
import { type Html, html } from './markup.ts';
import type { Cover } from './told.ts';
import { weekGrid } from './week-grid.ts';
import { mark, name } from './words.ts';

/** `isChanging`: one picture is enough for what stays as it is. */
export function picturePart(
  group: GroupReport,
  { before, after, missing }: Cover,
  isChanging: boolean,
  isOpen: boolean,
): Html {
  const ofThis = ({ address }: Grid): boolean => address === group.address;
  const [was, is] = [before.find(ofThis), after.find(ofThis)];
  const most = Math.max(was?.most ?? 0, is?.most ?? 0);
  const figure = (title: string, grid: Grid | undefined, side: CoverReport | null): Html =>
    grid === undefined || side === null
      ? html`<div class="figure"><p class="caption">${title}</p><p class="absent">There is no such group.</p></div>`
      : html`<div class="figure"><p class="caption">${title}</p>${weekGrid(grid, missing, most, `${title}: ${inWords(side)}`)}</div>`;
  const words = [
    group.lost.length === 0 ? null : html`<p>${mark('destroy', '−', 'loses all cover')} ${timesText(group.lost)}</p>`,
    group.gained.length === 0 ? null : html`<p>${mark('add', '+', 'gains cover')} ${timesText(group.gained)}</p>`,
  ];
  const figures = isChanging
    ? [figure('Before', was, group.before), figure('After', is, group.cover)]
    : [figure('Before and after', is, group.cover)];
  return html`
    <details class="resource"${isOpen ? html` open` : null}>
      <summary>${name(group.name)} ${fateMark(group)}${group.lost.length > 0 ? mark('destroy', '−', 'loses cover') : null}</summary>
      <div class="body">
        ${words}
        <div class="pair">${figures}</div>
      </div>
    </details>`;
}

function timesText(times: GroupReport['lost']): string {
  return times.map(({ text }) => text).join(', ');
}

/** For whoever does not see the picture. */
function inWords({ people, slots, uncovered, anytime }: CoverReport): string {
  const free = anytime.people === 0 ? '' : `, ${anytime.people} without hours`;
  const empty = uncovered.length === 0 ? '' : `; nobody ${uncovered.map(({ text }) => text).join(', ')}`;
  return `${rangeText(people)} people, ${rangeText(slots)} slots${free}${empty}`;
}

const LEGEND: readonly (readonly [look: string, words: string])[] = [
  ['s1', 'few slots, their number written in'],
  ['s4', 'the most slots of the group'],
  ['nobody', 'nobody can get a chat'],
  ['anytime', 'only people without hours'],
  ['missing', 'the clock jumps over it'],
  ['lost', 'loses all cover'],
];

export function legend(): Html {
  return html`<ul class="legend">${LEGEND.map(([look, words]) => html`<li><svg viewBox="0 0 20 14" aria-hidden="true"><rect class="${look}" x="1" y="1" width="18" height="12"/></svg>${words}</li>`)}</ul>`;
}

export function fateMark({ before, cover }: GroupReport): Html | null {
  if (cover === null) return mark('destroy', '−', 'goes');
  return before === null ? mark('add', '+', 'new') : null;
}

export function rangeText({ low, high }: CoverReport['people']): string {
  return low === high ? String(low) : `${low}\u2013${high}`;
}
