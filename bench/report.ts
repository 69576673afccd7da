// Results in, Markdown out: for a terminal and for docs/performance.md alike. Decides nothing.

import { type Claim, holds } from './claims.ts';
import { applied, type Results, ratioIn, type Table, wall } from './results.ts';
import type { Entry } from './rounds.ts';
import { median, spread } from './stats.ts';

function number(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** As many digits as tell it from its neighbours. */
function short(value: number): string {
  return number(value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3);
}

function milliseconds(values: readonly number[]): string {
  const { median: middle, least, most } = spread(values);
  return values.length === 1 ? number(middle) : `${number(middle)} (${number(least)}–${number(most)})`;
}

function known(values: readonly (number | null)[]): readonly number[] {
  return values.filter((value) => value !== null);
}

function medianOf(values: readonly (number | null)[]): string {
  const found = known(values);
  return found.length === 0 ? '–' : number(median(found));
}

function requestCells({ samples }: Entry): string {
  const requests = samples[0]?.requests;
  if (requests === undefined || requests.reads + requests.writes === 0) return '–';
  const { reads, writes, verification } = requests;
  return verification === 0 ? `${reads + writes}` : `${reads + writes} + ${verification}`;
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, index) => (index < 1 ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

const HEAD = ['', 'ms', '× first', 'written after ms', '× first', 'requests', 'CPU ms', 'MiB'];

function tableText(table: Table): string {
  const first = table.entries[0]?.name ?? '';
  const ratioTo = (name: string, measure: typeof wall): string => {
    const value = ratioIn(table, name, first, measure);
    return Number.isNaN(value) ? '–' : short(value);
  };
  const rows = table.entries.map((entry) => {
    const written = known(entry.samples.map((sample) => sample.applied));
    return [
      entry.name,
      milliseconds(entry.samples.map(wall)),
      ratioTo(entry.name, wall),
      written.length === 0 ? '–' : number(median(written)),
      written.length === 0 ? '–' : ratioTo(entry.name, applied),
      requestCells(entry),
      medianOf(entry.samples.map(({ cpu }) => cpu)),
      medianOf(entry.samples.map(({ memory }) => memory)),
    ];
  });
  const latency = table.latency === 0 ? '' : `, ${table.latency} ms a request`;
  return `**${table.id}: ${table.title}${latency}**\n\n${markdown(HEAD, rows)}`;
}

function claimText(claims: readonly Claim[]): string {
  const rows = claims.map((claim) => {
    const { text, value, limit, is, unit } = claim;
    return [text, `${short(value)}${unit}`, `${is} ${short(limit)}${unit}`, holds(claim) ? 'holds' : '**misses**'];
  });
  return markdown(['What is wanted', 'measured', 'wanted', ''], rows);
}

export function reportText(results: Results, claims: readonly Claim[]): string {
  const { machine, tables, absent } = results;
  const parts = [
    `${machine}\n`,
    ...(claims.length === 0 ? [] : [claimText(claims)]),
    ...tables.map(tableText),
    ...absent.map((line) => `${line}.\n`),
  ];
  return parts.join('\n');
}

/** The page with a report between the two marks of its script. @throws an Error when it has none */
export function pageWith(page: string, report: string, script = 'bench'): string {
  const [first, last] = [`<!-- npm run ${script}: from here -->`, `<!-- npm run ${script}: to here -->`];
  const [start, end] = [page.indexOf(first), page.indexOf(last)];
  if (start === -1 || end < start) throw new Error(`the page lacks the lines ${first} and ${last}`);
  return `${page.slice(0, start)}${first}\n\n${report}\n${page.slice(end)}`;
}
