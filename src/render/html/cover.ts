// The weekly cover of a page: who can get chats when, before and after, as a table and as pictures that say in numbers what their colours say.

import type { CoverStrip, Grid, Strip } from '../../tasks/coverage/grid.ts';
import type { CoverReport, GroupReport, NamedSpan } from '../../tasks/coverage/report.ts';
import { code, type Html, html, listed, mark, name } from '../../view/html/markup.ts';
import {
  BOTS_TEXT,
  boxOf,
  DAYS,
  hasBotsOnly,
  LEGEND,
  LOST_TEXT,
  lookOf,
  MISSING_TEXT,
  rounded,
  stripText,
} from '../week.ts';
import type { PlanPictures, WeeklyCover } from './input.ts';

/** Groups with a picture: those that change before the others. */
const DRAWN = 120;

/** Pictures that are open at first: of a comparison, and of one side alone. */
const OPEN = 4;
const OPEN_ALONE = 12;

export function coverSection({ cover }: Pick<PlanPictures, 'cover'>): Html | null {
  const { groups, from, timezone, notes, view } = cover.report;
  if (groups.length === 0) return null;
  return html`
    <section aria-labelledby="cover">
      <h2 id="cover">Weekly cover</h2>
      <p>How many people and bots can get a chat at what time, and how many chats at once (slots). Week of ${from.slice(0, 'YYYY-MM-DD'.length)}, times of ${name(timezone)}.</p>
      ${tablePart(groups, view === 'both')}
      ${view === 'both' ? comparedParts(cover) : aloneParts(cover)}
      ${notes.length === 0 ? null : html`<details class="more"><summary>Assumptions</summary>${listed(notes.map((note) => html`${note}`))}</details>`}
    </section>`;
}

function comparedParts(cover: WeeklyCover): Html {
  const { groups } = cover.report;
  const changing = groups.filter(isChanged).toSorted((one, other) => losses(other) - losses(one));
  const isChanging = new Set(changing);
  const staying = groups.filter((group) => !isChanging.has(group));
  const pictures = changing.slice(0, DRAWN).map((group, index) => picturePart(group, cover, 'changing', index < OPEN));
  const others = staying.slice(0, DRAWN - pictures.length).map((group) => picturePart(group, cover, 'staying', false));
  return html`
    ${changing.length === 0 ? html`<p>No group’s cover changes.</p>` : html`<h3>Groups whose cover changes <span class="count">${changing.length}</span></h3>${legend()}${pictures}`}
    ${others.length === 0 ? null : html`<details class="more"><summary>${staying.length} whose cover does not change</summary>${changing.length === 0 ? legend() : null}${others}</details>`}`;
}

function aloneParts(cover: WeeklyCover): Html {
  const { groups } = cover.report;
  const more = groups.length - DRAWN;
  return html`
    <h3>Hours of the week <span class="count">${groups.length}</span></h3>
    ${legend()}
    ${groups.slice(0, DRAWN).map((group, index) => picturePart(group, cover, 'alone', index < OPEN_ALONE))}
    ${more <= 0 ? null : html`<p class="faint">and ${more} more groups; the table above has them</p>`}`;
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
  { title: 'People', of: ({ agents }) => rangeText(agents) },
  { title: 'Slots', of: ({ slots, unsized }) => `${rangeText(slots)}${unsized > 0 ? '+' : ''}` },
  { title: 'Hours without cover', of: ({ uncovered_hours: hours }) => hoursText(hours) },
];

const WITHOUT_HOURS: Column = { title: 'People without hours', of: ({ anytime }) => String(anytime.people) };

const BOTS: readonly Column[] = [
  { title: 'Bots', of: ({ bots }) => rangeText(bots) },
  { title: 'Hours with bots only', of: ({ bots_only_hours: hours }) => hoursText(hours) },
];

function hoursText(hours: number): string {
  return hours === 0 ? 'none' : String(Math.round(hours * 10) / 10);
}

function tablePart(groups: readonly GroupReport[], isCompared: boolean): Html {
  const isAny = (of: (side: CoverReport) => number): boolean =>
    groups.some(({ before, cover }) => [before, cover].some((side) => side !== null && of(side) > 0));
  const columns = [
    ...COLUMNS,
    ...(isAny(({ anytime }) => anytime.people) ? [WITHOUT_HOURS] : []),
    ...(isAny(({ bots }) => bots.high) ? BOTS : []),
  ];
  return html`
    <div class="scroll" role="region" aria-label="Cover by group" tabindex="0">
      <table>
        <thead><tr><th scope="col">Group</th>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
        <tbody>${groups.map((group) => html`<tr><th scope="row">${name(group.name)} ${isCompared ? fateMark(group) : null}${group.address.endsWith(`/${group.name}`) ? null : html`<span class="address">${code(group.address)}</span>`}</th>${columns.map(({ of }) => cellPart(group, of))}</tr>`)}</tbody>
      </table>
    </div>`;
}

function cellPart({ before, cover }: GroupReport, of: Column['of']): Html {
  const was = before === null ? null : of(before);
  const is = cover === null ? null : of(cover);
  if (was === null || is === null || was === is) return html`<td>${is ?? was ?? ''}</td>`;
  return html`<td class="changed"><span class="was">${was}</span> <span aria-hidden="true">→</span><span class="sr"> becomes </span> <span class="is">${is}</span></td>`;
}

/** One picture is enough for a group that does not change, or that is compared with nothing. */
function picturePart(
  group: GroupReport,
  { before, after, missing }: WeeklyCover,
  how: 'changing' | 'staying' | 'alone',
  isOpen: boolean,
): Html {
  const ofThis = ({ address }: Grid): boolean => address === group.address;
  const [was, is] = [before.find(ofThis), after.find(ofThis)];
  const most = Math.max(was?.most ?? 0, is?.most ?? 0);
  const figure = (title: string, grid: Grid | undefined, side: CoverReport | null): Html =>
    grid === undefined || side === null
      ? html`<div class="figure"><p class="caption">${title}</p><p class="absent">There is no such group.</p></div>`
      : html`<div class="figure">${how === 'alone' ? null : html`<p class="caption">${title}</p>`}${weekGrid(grid, missing, most, `${title}: ${inWords(side)}`)}</div>`;
  const words = [
    group.lost.length === 0 ? null : html`<p>${mark('destroy', '−', 'loses all cover')} ${timesText(group.lost)}</p>`,
    group.gained.length === 0 ? null : html`<p>${mark('add', '+', 'gains cover')} ${timesText(group.gained)}</p>`,
  ];
  const figures =
    how === 'changing'
      ? [figure('Before', was, group.before), figure('After', is, group.cover)]
      : [figure(how === 'alone' ? 'Hours of the week' : 'Before and after', is, group.cover)];
  const side = how === 'alone' ? group.cover : null;
  return html`
    <details class="resource"${isOpen ? html` open` : null}>
      <summary>${name(group.name)} ${how === 'alone' ? null : fateMark(group)}${side === null ? null : gapMarks(side)}${group.lost.length > 0 ? mark('destroy', '−', 'loses cover') : null}</summary>
      <div class="body">
        ${words}
        <div class="pair">${figures}</div>
      </div>
    </details>`;
}

/** What of a week deserves a look: hours without cover, and hours with bots only. */
function gapMarks({ uncovered_hours: none, bots_only_hours: alone }: CoverReport): Html {
  return html`${none === 0 ? null : html`${mark('destroy', '!', `no cover ${hoursText(none)} h`)} `}${alone === 0 ? null : mark('move', '!', `bots only ${hoursText(alone)} h`)}`;
}

function timesText(times: readonly NamedSpan[]): string {
  return times.map(({ text }) => text).join(', ');
}

/** The picture in words. */
function inWords({ agents, bots, slots, uncovered, anytime }: CoverReport): string {
  const also = bots.high === 0 ? '' : `, ${rangeText(bots)} bots`;
  const free = anytime.people === 0 ? '' : `, ${anytime.people} without hours`;
  const empty = uncovered.length === 0 ? '' : `; no cover ${uncovered.map(({ text }) => text).join(', ')}`;
  return `${rangeText(agents)} people${also}, ${rangeText(slots)} slots${free}${empty}`;
}

function legend(): Html {
  return html`<ul class="legend">${LEGEND.map(([look, words]) => html`<li><svg viewBox="0 0 20 14" aria-hidden="true"><rect class="${look}" x="1" y="1" width="18" height="12"/></svg>${words}</li>`)}</ul>`;
}

function fateMark({ before, cover }: GroupReport): Html | null {
  if (cover === null) return mark('destroy', '−', 'removed');
  return before === null ? mark('add', '+', 'new') : null;
}

function rangeText({ low, high }: CoverReport['people']): string {
  return low === high ? String(low) : `${low}\u2013${high}`;
}

/** Units of the picture, which are pixels on a telephone. */
const LEFT = 34;
const HOUR = 13;
const DAY = 19;
const TOP = 18;
const WIDTH = LEFT + 24 * HOUR + 2;
const HEIGHT = TOP + 7 * DAY + 2;
const SCALE = { left: LEFT, top: TOP, hour: HOUR, day: DAY };

/** `most`: the slots of the darkest shade, of both pictures of a group. */
function weekGrid(grid: Grid, missing: readonly Strip[], most: number, label: string): Html {
  return html`
    <svg class="week" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
      ${[0, 6, 12, 18, 24].map((hour) => html`<text class="axis" x="${LEFT + hour * HOUR}" y="12" text-anchor="${hour === 24 ? 'end' : 'middle'}">${String(hour).padStart(2, '0')}</text>`)}
      ${DAYS.map((day, index) => html`<text class="axis" x="0" y="${TOP + index * DAY + 14}">${day}</text>`)}
      ${missing.map((strip) => box(strip, 'missing', MISSING_TEXT))}
      ${grid.strips.map((strip) => stripPart(strip, grid, most))}
      ${DAYS.map((_, index) => html`<line class="rule" x1="${LEFT}" x2="${LEFT + 24 * HOUR}" y1="${TOP + index * DAY}" y2="${TOP + index * DAY}"/>`)}
      ${[6, 12, 18].map((hour) => html`<line class="hour" x1="${LEFT + hour * HOUR}" x2="${LEFT + hour * HOUR}" y1="${TOP}" y2="${TOP + 7 * DAY}"/>`)}
      ${grid.strips.filter((strip) => hasBotsOnly(strip, grid)).map((strip) => box(strip, 'bots', BOTS_TEXT))}
      ${grid.lost.map((strip) => box(strip, 'lost', LOST_TEXT))}
    </svg>`;
}

function stripPart(strip: CoverStrip, grid: Grid, most: number): Html {
  const look = lookOf(strip, grid, most);
  const { x, y, width, height } = boxOf(strip, SCALE);
  const isRoomy = width >= 8 * String(strip.slots).length + 4 && height === DAY;
  const drawn = box(strip, look, stripText(strip, grid));
  if (!isRoomy || look === 'anytime') return drawn;
  return html`${drawn}<text class="on-${look}" x="${rounded(x + width / 2)}" y="${y + 14}" text-anchor="middle">${strip.slots}</text>`;
}

function box(strip: Strip, look: string, words: string): Html {
  const { x, y, width, height } = boxOf(strip, SCALE);
  return html`<rect class="${look}" x="${x}" y="${y}" width="${width}" height="${height}"><title>${words}</title></rect>`;
}
