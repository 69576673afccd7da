// The weekly cover of groups, before and after, in; who can get chats when, as a table and as pictures side by side, out.

import type { Grid } from '../../cover/grid.ts';
import type { CoverReport, GroupReport } from '../../cover/report.ts';
import { type Html, html } from './markup.ts';
import type { Cover, Scene } from './told.ts';
import { weekGrid } from './week-grid.ts';
import { code, mark, name } from './words.ts';

/** Groups that are drawn: those that change before the others. */
const DRAWN = 120;

/** Open, as long as they are few. */
const FEW = 4;

export function coverSection({ cover }: Scene): Html | null {
  const { groups, from, timezone, notes } = cover.report;
  if (groups.length === 0) return null;
  const changed = groups.filter(isChanged);
  const drawn = new Set([...changed, ...groups].slice(0, DRAWN));
  const picture = (group: GroupReport): Html | null => (drawn.has(group) ? picturePart(group, cover, changed) : null);
  return html`
    <section aria-labelledby="cover">
      <h2 id="cover">Cover of the week</h2>
      <p>When how many people can get a chat, and how many chats at once (slots). Week of ${from.slice(0, 'YYYY-MM-DD'.length)}, times of ${name(timezone)}.</p>
      <div class="scroll" role="region" aria-label="Cover by group" tabindex="0">
        <table>
          <thead><tr><th scope="col">Group</th><th scope="col">People</th><th scope="col">Slots</th><th scope="col">Without hours</th><th scope="col">Hours without anybody</th></tr></thead>
          <tbody>${groups.map(rowPart)}</tbody>
        </table>
      </div>
      ${changed.length === 0 ? html`<p>No group’s cover changes.</p>` : html`<h3>Groups whose cover changes <span class="count">${changed.length}</span></h3>${legend()}`}
      ${changed.map(picture)}
      ${groups.length === changed.length ? null : html`<details class="more"><summary>${groups.length - changed.length} whose cover stays as it is</summary>${changed.length === 0 ? legend() : null}${groups.filter((group) => !changed.includes(group)).map(picture)}</details>`}
      ${notes.length === 0 ? null : html`<details class="more"><summary>Taken for granted</summary><ul>${notes.map((note) => html`<li>${note}</li>`)}</ul></details>`}
    </section>`;
}

function isChanged({ before, cover }: GroupReport): boolean {
  const seen = (side: CoverReport | null) => side && [side.pieces, side.anytime, side.unsized];
  return JSON.stringify(seen(before)) !== JSON.stringify(seen(cover));
}

function rowPart(group: GroupReport): Html {
  const { before, cover, address } = group;
  const cell = (of: (side: CoverReport) => string): Html => {
    const was = before === null ? null : of(before);
    const is = cover === null ? null : of(cover);
    if (was === null || is === null || was === is) return html`<td>${is ?? was ?? ''}</td>`;
    return html`<td class="changed"><span class="was">${was}</span> <span aria-hidden="true">→</span><span class="sr"> becomes </span> <span class="is">${is}</span></td>`;
  };
  return html`<tr><th scope="row">${name(group.name)} ${address.endsWith(`/${group.name}`) ? null : code(address)} ${fateMark(group)}</th>${cell(({ people }) => rangeText(people))}${cell(({ slots, unsized }) => `${rangeText(slots)}${unsized > 0 ? '+' : ''}`)}${cell(({ anytime }) => String(anytime.people))}${cell(({ uncovered_hours: hours }) => (hours === 0 ? 'none' : String(Math.round(hours * 10) / 10)))}</tr>`;
}

function fateMark({ before, cover }: GroupReport): Html | null {
  if (cover === null) return mark('destroy', '−', 'goes');
  return before === null ? mark('add', '+', 'new') : null;
}

function rangeText({ low, high }: CoverReport['people']): string {
  return low === high ? String(low) : `${low} to ${high}`;
}

function picturePart(group: GroupReport, { before, after, missing }: Cover, changed: readonly GroupReport[]): Html {
  const [was, is] = [before, after].map((grids) => grids.find(({ address }) => address === group.address));
  const most = Math.max(was?.most ?? 0, is?.most ?? 0);
  const figure = (title: string, grid: Grid | undefined, side: CoverReport | null): Html | null =>
    grid === undefined || side === null
      ? html`<div class="figure"><p class="caption">${title}</p><p class="absent">no such group</p></div>`
      : html`<div class="figure"><p class="caption">${title}</p>${weekGrid(grid, missing, most, `${title}: ${inWords(side)}`)}</div>`;
  const isOpen = changed.includes(group) && changed.length <= FEW;
  const words = [
    ...group.lost.map(({ text }) => html`<li>${mark('destroy', '−', 'loses all cover')} ${text}</li>`),
    ...group.gained.map(({ text }) => html`<li>${mark('add', '+', 'gains cover')} ${text}</li>`),
  ];
  return html`
    <details class="resource"${isOpen ? html` open` : null}>
      <summary>${name(group.name)} ${fateMark(group)}${group.lost.length > 0 ? mark('destroy', '−', 'loses cover') : null}</summary>
      <div class="body">
        ${words.length === 0 ? null : html`<ul>${words}</ul>`}
        <div class="pair">${changed.includes(group) ? [figure('Before', was, group.before), figure('After', is, group.cover)] : figure('Before and after', is ?? was, group.cover ?? group.before)}</div>
      </div>
    </details>`;
}

/** For whoever does not see the picture. */
function inWords({ people, slots, uncovered, anytime }: CoverReport): string {
  const free = anytime.people === 0 ? '' : `, ${anytime.people} without hours`;
  const empty = uncovered.length === 0 ? '' : `; nobody ${uncovered.map(({ text }) => text).join(', ')}`;
  return `${rangeText(people)} people, ${rangeText(slots)} ${slots.high === 1 ? 'slot' : 'slots'}${free}${empty}`;
}

function legend(): Html {
  const entries: readonly (readonly [look: string, words: string])[] = [
    ['s1', 'few slots: the number is written in'],
    ['s4', 'the most slots of the group'],
    ['nobody', 'nobody can get a chat'],
    ['anytime', 'only people without hours'],
    ['missing', 'the clock jumps over it'],
    ['lost', 'loses all cover'],
  ];
  return html`<ul class="legend">${entries.map(([look, words]) => html`<li><svg viewBox="0 0 20 14" aria-hidden="true"><rect class="${look}" x="1" y="1" width="18" height="12"/></svg>${words}</li>`)}</ul>`;
}
