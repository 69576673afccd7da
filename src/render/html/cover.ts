// The weekly cover of groups, before and after, in; who can get chats when, as a table and as pictures, out.

import type { CoverReport, GroupReport } from '../../tasks/coverage/report.ts';
import { fateMark, legend, picturePart, rangeText } from './cover-picture.ts';
import { type Html, html } from './markup.ts';
import type { Scene } from './told.ts';
import { code, listed, name } from './words.ts';

/** Groups that are drawn: those that change before the others. */
const DRAWN = 120;

/** Pictures that are open from the beginning. */
const OPEN = 4;

export function coverSection({ cover }: Scene): Html | null {
  const { groups, from, timezone, notes } = cover.report;
  if (groups.length === 0) return null;
  const changing = groups.filter(isChanged).toSorted((one, other) => losses(other) - losses(one));
  const staying = groups.filter((group) => !changing.includes(group));
  const pictures = changing.slice(0, DRAWN).map((group, index) => picturePart(group, cover, true, index < OPEN));
  const others = staying.slice(0, DRAWN - pictures.length).map((group) => picturePart(group, cover, false, false));
  return html`
    <section aria-labelledby="cover">
      <h2 id="cover">Cover of the week</h2>
      <p>When how many people can get a chat, and how many chats at once (slots). Week of ${from.slice(0, 'YYYY-MM-DD'.length)}, times of ${name(timezone)}.</p>
      ${tablePart(groups)}
      ${changing.length === 0 ? html`<p>No group’s cover changes.</p>` : html`<h3>Groups whose cover changes <span class="count">${changing.length}</span></h3>${legend()}${pictures}`}
      ${others.length === 0 ? null : html`<details class="more"><summary>${staying.length} whose cover stays as it is</summary>${changing.length === 0 ? legend() : null}${others}</details>`}
      ${notes.length === 0 ? null : html`<details class="more"><summary>Taken for granted</summary>${listed(notes.map((note) => html`${note}`))}</details>`}
    </section>`;
}

function losses({ lost, cover }: GroupReport): number {
  return cover === null ? Number.POSITIVE_INFINITY : lost.length;
}

function isChanged({ before, cover }: GroupReport): boolean {
  const seen = (side: CoverReport | null) => side && [side.pieces, side.anytime, side.unsized];
  return JSON.stringify(seen(before)) !== JSON.stringify(seen(cover));
}

interface Column {
  readonly title: string;
  readonly of: (side: CoverReport) => string;
}

const COLUMNS: readonly Column[] = [
  { title: 'People', of: ({ people }) => rangeText(people) },
  { title: 'Slots', of: ({ slots, unsized }) => `${rangeText(slots)}${unsized > 0 ? '+' : ''}` },
  {
    title: 'Hours without anybody',
    of: ({ uncovered_hours: hours }) => (hours === 0 ? 'none' : String(Math.round(hours * 10) / 10)),
  },
];

const WITHOUT_HOURS: Column = { title: 'People without hours', of: ({ anytime }) => String(anytime.people) };

function tablePart(groups: readonly GroupReport[]): Html {
  const isAnybodyFree = groups.some(({ before, cover }) =>
    [before, cover].some((side) => (side?.anytime.people ?? 0) > 0),
  );
  const columns = isAnybodyFree ? [...COLUMNS, WITHOUT_HOURS] : COLUMNS;
  return html`
    <div class="scroll" role="region" aria-label="Cover by group" tabindex="0">
      <table>
        <thead><tr><th scope="col">Group</th>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
        <tbody>${groups.map((group) => html`<tr><th scope="row">${name(group.name)} ${fateMark(group)}${group.address.endsWith(`/${group.name}`) ? null : html`<span class="address">${code(group.address)}</span>`}</th>${columns.map(({ of }) => cellPart(group, of))}</tr>`)}</tbody>
      </table>
    </div>`;
}

function cellPart({ before, cover }: GroupReport, of: Column['of']): Html {
  const was = before === null ? null : of(before);
  const is = cover === null ? null : of(cover);
  if (was === null || is === null || was === is) return html`<td>${is ?? was ?? ''}</td>`;
  return html`<td class="changed"><span class="was">${was}</span> <span aria-hidden="true">→</span><span class="sr"> becomes </span> <span class="is">${is}</span></td>`;
}
