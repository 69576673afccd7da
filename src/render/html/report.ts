// The HTML page of a report: its picture, which says in words what it shows, and all of its numbers.

import type { ShownReport } from '../../tasks/reports/schema.ts';
import { code, type Html, html, listed, name } from '../../view/html/markup.ts';
import { page, timePart } from '../../view/html/shell.ts';
import { plain } from '../../view/plain.ts';
import { rounded } from '../week.ts';
import { aboutText, amount, columnTitle, REPORT_TITLES, rangeText, type Series, seriesOf } from '../words/report.ts';

/** Units of a picture, which are pixels on a telephone. */
const WIDTH = 348;
const LEFT = 34;
const TOP = 16;
const HEIGHT = 140;
const ROW = 19;

/** Rows of the table. A table of more than so many open ones is folded. */
const MOST_ROWS = 2000;
const OPEN_ROWS = 60;

/** Bars of a picture of tags, greetings or agents. */
const MOST_BARS = 40;

/** `at` is when the report was read, RFC 3339. */
export function reportPage(report: ShownReport, at: string): string {
  const title = `${REPORT_TITLES[report.report]} on ${report.target}`;
  const picture = pictureOf(report);
  return page(
    title,
    html`
    <header>
      <h1>${REPORT_TITLES[report.report]} on ${name(report.target)}</h1>
      <p>${aboutText(report)}, ${rangeText(report)}</p>
      <p class="faint">Read ${timePart(at)} from the report ${code(report.report)} of the service.</p>
    </header>
    <main id="main" tabindex="-1">
      ${numbersPart(report)}
      ${picture === null ? null : html`<section aria-labelledby="picture"><h2 id="picture">Picture</h2>${picture}</section>`}
      ${tablePart(report)}
      ${report.notes.length === 0 ? null : html`<section aria-labelledby="notes"><h2 id="notes">Notes</h2>${listed(report.notes.map((note) => html`${note}`))}</section>`}
    </main>`,
  );
}

function numbersPart(report: ShownReport): Html | null {
  const { columns, sums } = report;
  const shown = columns.filter((column) => sums[column.name] !== undefined);
  if (shown.length === 0) return null;
  return html`<dl class="numbers">${shown.map((column) => html`<div><dt>${columnTitle(report, column.name)}</dt><dd>${amount(sums[column.name] ?? 0, column.unit)}</dd></div>`)}</dl>`;
}

function pictureOf(report: ShownReport): Html | null {
  const { rows, columns, dimensions } = report;
  const [column] = columns;
  if (column === undefined || rows.length === 0) return null;
  const title = `${columnTitle(report, column.name)} by ${dimensions.join(' and ')}`;
  const series = seriesOf(report);
  const textFor = (value: number): string => amount(value, column.unit);
  if (series === null && dimensions.length === 1 && report.distribution !== null)
    return barChart(
      title,
      rows.map(({ keys, values }) => [keys.join(' '), values[column.name] ?? 0] as const),
      textFor,
    );
  if (series !== null && dimensions.length === 1) return hourBars(title, series, textFor);
  const bars =
    series === null
      ? rows.map(({ keys, values }) => [keys.join(' '), values[column.name] ?? 0] as const)
      : series.map(({ label, total }) => [label, total] as const);
  return rowChart(title, bars.slice(0, MOST_BARS), textFor);
}

type Bars = readonly (readonly [label: string, value: number])[];
type ValueText = (value: number) => string;

function framed(title: string, words: string, height: number, content: readonly Html[]): Html {
  return html`
    <div class="figure">
      <svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="chart-title chart-words">
        <title id="chart-title">${title}</title>
        <desc id="chart-words">${words}</desc>
        ${content}
      </svg>
    </div>`;
}

/** The highest, in words: the table below has the others. */
function inWords(bars: Bars, textFor: ValueText): string {
  const highest = bars.toSorted((one, other) => other[1] - one[1])[0];
  if (highest === undefined || highest[1] === 0) return 'Nothing in this time.';
  return `${bars.length} values; the highest is ${textFor(highest[1])}, ${highest[0]}. The table has all of them.`;
}

function barChart(title: string, bars: Bars, textFor: ValueText): Html {
  const most = Math.max(0, ...bars.map(([, value]) => value));
  const step = (WIDTH - LEFT - 4) / bars.length;
  const width = Math.max(step * 0.8, 0.5);
  const drawn = bars.map(([label, value], index) => {
    const height = most === 0 ? 0 : (value / most) * HEIGHT;
    return html`<rect class="bar" x="${rounded(LEFT + index * step)}" y="${rounded(TOP + HEIGHT - height)}" width="${rounded(width)}" height="${rounded(height)}"><title>${label}: ${textFor(value)}</title></rect>`;
  });
  const first = bars[0]?.[0] ?? '';
  const last = bars.at(-1)?.[0] ?? '';
  return framed(title, inWords(bars, textFor), TOP + HEIGHT + 20, [
    html`<line class="rule" x1="${LEFT}" x2="${WIDTH}" y1="${TOP}" y2="${TOP}"/>`,
    html`<line class="rule" x1="${LEFT}" x2="${WIDTH}" y1="${TOP + HEIGHT}" y2="${TOP + HEIGHT}"/>`,
    html`<text class="axis" x="${LEFT}" y="${TOP - 4}">${textFor(most)}</text>`,
    html`<text class="axis" x="${LEFT - 4}" y="${TOP + HEIGHT}" text-anchor="end">0</text>`,
    ...drawn,
    html`<text class="axis" x="${LEFT}" y="${TOP + HEIGHT + 14}">${first}</text>`,
    ...(last === first
      ? []
      : [html`<text class="axis" x="${WIDTH - 2}" y="${TOP + HEIGHT + 14}" text-anchor="end">${last}</text>`]),
  ]);
}

/** A line for each tag, greeting or agent. */
function rowChart(title: string, bars: Bars, textFor: ValueText): Html {
  const most = Math.max(0, ...bars.map(([, value]) => value));
  const drawn = bars.map(([label, value], index) => {
    const y = index * 2 * ROW;
    const width = most === 0 ? 0 : (value / most) * (WIDTH - 4);
    return html`<text x="0" y="${y + 13}">${clipped(label)}: ${textFor(value)}</text><rect class="bar" x="0" y="${y + 18}" width="${rounded(width)}" height="12"><title>${label}: ${textFor(value)}</title></rect>`;
  });
  return framed(title, inWords(bars, textFor), bars.length * 2 * ROW, drawn);
}

/** A line for each day, with a bar for each hour. */
function hourBars(title: string, days: readonly Series[], textFor: ValueText): Html {
  const left = 74;
  const most = Math.max(0, ...days.flatMap(({ values }) => values));
  const step = (WIDTH - left - 2) / Math.max(1, ...days.map(({ values }) => values.length));
  const drawn = days.flatMap(({ label, values }, row) => {
    const bottom = TOP + (row + 1) * ROW;
    const bars = values.flatMap((value, hour) => {
      if (value === 0) return [];
      const height = Math.max(1, (value / most) * (ROW - 3));
      return html`<rect class="bar" x="${rounded(left + hour * step + 0.5)}" y="${rounded(bottom - height)}" width="${rounded(step - 1)}" height="${rounded(height)}"><title>${label} ${String(hour).padStart(2, '0')}:00: ${textFor(value)}</title></rect>`;
    });
    return [
      html`<text class="axis" x="0" y="${bottom - 4}">${label}</text>`,
      html`<line class="rule" x1="${left}" x2="${WIDTH - 2}" y1="${bottom}" y2="${bottom}"/>`,
      ...bars,
    ];
  });
  const bars = days.map(({ label, total }) => [label, total] as const);
  return framed(title, inWords(bars, textFor), TOP + days.length * ROW + 4, [
    ...[0, 6, 12, 18].map(
      (hour) =>
        html`<text class="axis" x="${rounded(left + hour * step)}" y="12">${String(hour).padStart(2, '0')}</text>`,
    ),
    ...drawn,
  ]);
}

function tablePart(report: ShownReport): Html {
  const { rows, columns, dimensions } = report;
  const shown = rows.slice(0, MOST_ROWS);
  const more = rows.length - shown.length;
  const head = html`<tr>${dimensions.map((dimension) => html`<th scope="col">${dimension}</th>`)}${columns.map((column) => html`<th scope="col" class="number">${columnTitle(report, column.name)}</th>`)}</tr>`;
  const body = shown.map(
    ({ keys, values }) =>
      html`<tr>${keys.map((key, place) => (place === 0 ? html`<th scope="row">${name(key)}</th>` : html`<td>${name(key)}</td>`))}${columns.map(({ name: column, unit }) => html`<td class="number">${values[column] === undefined ? null : amount(values[column], unit)}</td>`)}</tr>`,
  );
  const table = html`<div class="scroll" role="region" aria-label="Numbers" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>`;
  return html`
    <section aria-labelledby="numbers">
      <h2 id="numbers">Numbers</h2>
      ${rows.length === 0 ? html`<p>${report.notes.length === 0 ? 'Nothing in this time.' : 'No row to show.'}</p>` : rows.length <= OPEN_ROWS ? table : html`<details class="more"><summary>${rows.length} rows</summary>${table}</details>`}
      ${more > 0 ? html`<p class="faint">${more} more rows: --csv has all of them.</p>` : null}
    </section>`;
}

/** Room for a label in a line of a picture, in ems. A picture cuts off what is longer, and with it the number. */
const ROOM = 26;

function clipped(label: string): string {
  const characters = [...plain(label)];
  let room = ROOM;
  const fitting = characters.findIndex((character) => {
    room -= /[^\x20-\x7e]/.test(character) ? 1.4 : /[A-Z@%mw]/.test(character) ? 1 : 0.6;
    return room < 0;
  });
  return fitting === -1 ? characters.join('') : `${characters.slice(0, fitting).join('')}…`;
}
