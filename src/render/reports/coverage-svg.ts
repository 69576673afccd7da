// The SVG file of `coverage`: the weekly cover of groups as one picture that stands alone, has no script, follows the light or dark scheme of its
// reader, and says in words what its colours say.

import type { CoverStrip, Grid, Strip } from '../../tasks/coverage/grid.ts';
import type { CoverageReport } from '../../tasks/coverage/report.ts';
import { entities, plain } from '../../view/plain.ts';
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

/** Pixels. */
const LEFT = 72;
const HOUR_WIDTH = 30;
const DAY_HEIGHT = 20;
const GROUP_TITLE = 24;
const AXIS = 16;
const MARGIN = 16;
const HEADER = 44;
const LEGEND_WIDTH = 250;
const LEGEND_COLUMNS = 3;
const LEGEND_HEIGHT = MARGIN + Math.ceil(LEGEND.length / LEGEND_COLUMNS) * DAY_HEIGHT;
const WIDTH = LEFT + 24 * HOUR_WIDTH + MARGIN;
const GROUP_HEIGHT = GROUP_TITLE + AXIS + 7 * DAY_HEIGHT + 20;

/** A number is written into a strip from this width on. */
const ROOM_FOR_TEXT = 20;

const STYLE = `
  svg { font: 12px system-ui, sans-serif; }
  .page { fill: #ffffff; }
  text { fill: #1f2328; }
  .faint { fill: #59636e; font-size: 10px; }
  .name { font-weight: 600; font-size: 13px; }
  .title { font-weight: 600; font-size: 15px; }
  .line { stroke: #d1d9e0; }
  .s1 { fill: #dbe9fa; } .s2 { fill: #a5c8f2; } .s3 { fill: #2f74c8; } .s4 { fill: #174a8c; }
  .count { font-size: 10px; text-anchor: middle; }
  .on-s3, .on-s4 { fill: #ffffff; }
  .uncovered { fill: #fdeceb; } .hatch { stroke: #c4322b; }
  .anytime { fill: #f3f0f9; stroke: #8463b8; stroke-dasharray: 3 2; }
  .missing { fill: #e4e7ea; }
  .bots { fill: none; stroke: #8463b8; stroke-width: 2; stroke-dasharray: 4 2; }
  .lost { fill: none; stroke: #c4322b; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; }
    text { fill: #e6edf3; }
    .faint { fill: #9198a1; }
    .line { stroke: #30363d; }
    .s1 { fill: #12294a; } .s2 { fill: #1c4a86; } .s3 { fill: #4b8fe0; } .s4 { fill: #9cc9ff; }
    .on-s3, .on-s4 { fill: #0d1117; }
    .uncovered { fill: #351416; } .hatch { stroke: #ff7b72; }
    .anytime { fill: #231c33; stroke: #b392f0; }
    .missing { fill: #262c36; }
    .bots { stroke: #b392f0; }
    .lost { stroke: #ff7b72; }
  }`;

export function coverageSvg(report: CoverageReport, grids: readonly Grid[], missing: readonly Strip[]): string {
  const { target, timezone, from } = report;
  const title = `Weekly cover of ${target}, week of ${from.slice(0, 'YYYY-MM-DD'.length)}, ${timezone}`;
  const height = HEADER + grids.length * GROUP_HEIGHT + LEGEND_HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(report.groups.map(inWords).join(' '))}</desc>`,
    `<style>${STYLE}\n</style>`,
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="6" stroke-width="2"/></pattern></defs>',
    `<rect class="page" width="${WIDTH}" height="${height}"/>`,
    `<text class="title" x="${MARGIN}" y="28">${escaped(title)}</text>`,
    ...grids.flatMap((grid, index) => groupPart(grid, missing, HEADER + index * GROUP_HEIGHT, from)),
    ...legend(HEADER + grids.length * GROUP_HEIGHT),
    '</svg>',
    '',
  ].join('\n');
}

/** The picture in words. */
function inWords({ address, cover, lost }: CoverageReport['groups'][number]): string {
  if (cover === null) return `${address} is removed.`;
  const { slots, people, bots, uncovered, anytime } = cover;
  const among = bots.high === 0 ? '' : ` (bots included: ${bots.low} to ${bots.high})`;
  const at = `${people.low} to ${people.high} people${among} and ${slots.low} to ${slots.high} slots`;
  const also = anytime.people === 0 ? '' : `, and ${anytime.people} without hours`;
  const empty = uncovered.length === 0 ? '' : ` No cover: ${uncovered.map(({ text }) => text).join(', ')}.`;
  const less = lost.length === 0 ? '' : ` Loses cover: ${lost.map(({ text }) => text).join(', ')}.`;
  return `${address}: ${at}${also}.${empty}${less}`;
}

function groupPart(grid: Grid, missing: readonly Strip[], top: number, from: string): readonly string[] {
  const rows = top + GROUP_TITLE + AXIS;
  return [
    '<g>',
    `<text class="name" x="${MARGIN}" y="${top + 15}">${escaped(grid.address)}${grid.address.endsWith(`/${grid.name}`) ? '' : ` ${escaped(`(${grid.name})`)}`}</text>`,
    ...[0, 4, 8, 12, 16, 20, 24].map(
      (hour) =>
        `<text class="faint" x="${LEFT + hour * HOUR_WIDTH}" y="${rows - 4}" text-anchor="middle">${String(hour).padStart(2, '0')}:00</text>`,
    ),
    ...DAYS.map(
      (day, index) =>
        `<text class="faint" x="${MARGIN}" y="${rows + index * DAY_HEIGHT + 14}">${day} ${dayOf(from, index)}</text>`,
    ),
    ...missing.map((strip) => rect(strip, rows, 'class="missing"', MISSING_TEXT)),
    ...grid.strips.flatMap((strip) => stripPart(strip, grid, rows)),
    ...DAYS.map((_, index) => {
      const y = rows + index * DAY_HEIGHT;
      return `<line class="line" x1="${LEFT}" y1="${y}" x2="${LEFT + 24 * HOUR_WIDTH}" y2="${y}"/>`;
    }),
    ...grid.strips
      .filter((strip) => hasBotsOnly(strip, grid))
      .map((strip) => rect(strip, rows, 'class="bots"', BOTS_TEXT)),
    ...grid.lost.map((strip) => rect(strip, rows, 'class="lost"', LOST_TEXT)),
    '</g>',
  ];
}

/** Day and month, such as `10-25`. */
function dayOf(from: string, index: number): string {
  const day = new Date(Date.parse(`${from.slice(0, 'YYYY-MM-DD'.length)}T00:00:00Z`) + index * 86_400_000);
  return day.toISOString().slice('YYYY-'.length, 'YYYY-MM-DD'.length);
}

function stripPart(strip: CoverStrip, grid: Grid, rows: number): readonly string[] {
  const look = lookOf(strip, grid, grid.most);
  const words = stripText(strip, grid);
  const drawn = rect(strip, rows, `class="${look}"`, words);
  if (look === 'anytime') return [drawn];
  if (look === 'uncovered') return [drawn, rect(strip, rows, 'fill="url(#hatch)"', words)];
  const { x, y, width, height } = boxAt(strip, rows);
  if (width < ROOM_FOR_TEXT || height < DAY_HEIGHT) return [drawn];
  return [drawn, `<text class="count on-${look}" x="${rounded(x + width / 2)}" y="${y + 14}">${strip.slots}</text>`];
}

function boxAt(strip: Strip, rows: number) {
  return boxOf(strip, { left: LEFT, top: rows, hour: HOUR_WIDTH, day: DAY_HEIGHT });
}

function rect(strip: Strip, rows: number, look: string, words: string): string {
  const { x, y, width, height } = boxAt(strip, rows);
  return `<rect ${look} x="${x}" y="${y}" width="${width}" height="${height}"><title>${escaped(words)}</title></rect>`;
}

function legend(top: number): readonly string[] {
  return LEGEND.flatMap(([look, words], index) => {
    const x = MARGIN + (index % LEGEND_COLUMNS) * LEGEND_WIDTH;
    const y = top + 8 + Math.floor(index / LEGEND_COLUMNS) * DAY_HEIGHT;
    const box = (drawn: string): string => `<rect ${drawn} x="${x}" y="${y}" width="14" height="12"/>`;
    const hatched = look === 'uncovered' ? [box('fill="url(#hatch)"')] : [];
    return [box(`class="${look}"`), ...hatched, `<text class="faint" x="${x + 19}" y="${y + 10}">${words}</text>`];
  });
}

/** Names can hold anything: no markup passes, and no character that XML cannot hold. */
function escaped(text: string): string {
  return entities(plain(text));
}
