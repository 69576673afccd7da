// The weekly cover of groups in; a table for a person, and the hours in which nobody is there, out. Decides nothing.

import type { CoverageReport, CoverReport, GroupReport, NamedSpan } from '../tasks/coverage/report.ts';
import type { Paint } from './paint.ts';
import { plain } from './plain.ts';
import { table } from './table.ts';

const VIEWS = {
  desired: 'as the files say',
  live: 'as the license is',
  both: 'as the license is, and as an apply would leave it',
} as const satisfies { readonly [view in CoverageReport['view']]: string };

/** Times without anybody that are named before the rest is counted. */
const MOST_TIMES = 8;

export function coverageText(report: CoverageReport, paint: Paint): string {
  const { groups, timezone, from, view, findings, notes } = report;
  const title = `Week of ${from.slice(0, 'YYYY-MM-DD'.length)}, ${plain(timezone)}, ${VIEWS[view]}`;
  if (groups.length === 0) return `${title}\n\nThere are no groups.\n`;
  const empty = groups.flatMap((group) => {
    const times = group.cover?.uncovered ?? [];
    return times.length === 0 ? [] : [[plain(group.address), timesText(times)]];
  });
  return [
    paint('strong', title),
    '',
    ...headed(rowsOf(groups, view === 'both'), paint),
    ...section('Nobody can get a chat:', table(empty), paint),
    ...section('Changes:', changes(groups, timezone, paint), paint),
    ...section(
      'Found:',
      told(findings).flatMap(({ level, id, message, remedy, source }) => {
        const where = source === null ? '' : ` (${plain(source.file)}:${source.line})`;
        const line = `${paint(level, level)} ${id}: ${plain(message)}${where}`;
        return remedy === null ? [line] : [line, `  ${paint('help', 'help:')} ${plain(remedy)}`];
      }),
      paint,
    ),
    ...section('Taken for granted:', notes.map(plain), paint),
    '',
  ].join('\n');
}

/** What is lost stands among the changes. */
function told(findings: CoverageReport['findings']): CoverageReport['findings'] {
  return findings.filter(({ id, level }) => id !== 'lost-cover' || level === 'error');
}

function headed(rows: readonly (readonly string[])[], paint: Paint): readonly string[] {
  const [head = '', ...rest] = table(rows);
  return [paint('strong', head), ...rest];
}

function rowsOf(groups: readonly GroupReport[], isCompared: boolean): readonly (readonly string[])[] {
  const cells = ({ before, cover }: GroupReport, of: (cover: CoverReport) => string): string => {
    const [was, is] = [before, cover].map((each) => (each === null ? '' : of(each)));
    const isMoved = isCompared && before !== null && cover !== null && was !== is;
    return isMoved ? `${was} -> ${is}` : is || was || '';
  };
  return [
    ['GROUP', 'PEOPLE', 'SLOTS', 'WITHOUT HOURS', 'NOBODY'],
    ...groups.map((group) => [
      `${named(group)}${isCompared ? fate(group) : ''}`,
      cells(group, ({ people }) => rangeText(people)),
      cells(group, ({ slots, unsized }) => `${rangeText(slots)}${unsized > 0 ? '+' : ''}`),
      cells(group, ({ anytime }) => (anytime.people === 0 ? '0' : `${anytime.people} (${anytime.slots} slots)`)),
      cells(group, nobody),
    ]),
  ];
}

function named({ address, name }: GroupReport): string {
  return /^\w+\/\d+$/.test(address) ? `${plain(address)} ${JSON.stringify(plain(name))}` : plain(address);
}

function fate({ before, cover }: GroupReport): string {
  if (cover === null) return ' (goes)';
  return before === null ? ' (new)' : '';
}

function rangeText({ low, high }: CoverReport['people']): string {
  return low === high ? String(low) : `${low}-${high}`;
}

function nobody({ uncovered, uncovered_hours: hours }: CoverReport): string {
  return uncovered.length === 0 ? 'never' : `${Math.round(hours * 10) / 10} h`;
}

function timesText(times: readonly NamedSpan[]): string {
  const shown = times.slice(0, MOST_TIMES).map(({ text }) => text);
  const more = times.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

function changes(groups: readonly GroupReport[], timezone: string, paint: Paint): readonly string[] {
  const zone = plain(timezone);
  return groups.flatMap(({ address, lost, gained }) => [
    ...(lost.length === 0
      ? []
      : [`${paint('destroy', '-')} ${plain(address)} loses all cover ${timesText(lost)} ${zone}`]),
    ...(gained.length === 0 ? [] : [`${paint('add', '+')} ${plain(address)} gains cover ${timesText(gained)} ${zone}`]),
  ]);
}

function section(title: string, content: readonly string[], paint: Paint): readonly string[] {
  return content.length === 0 ? [] : ['', paint('strong', title), ...content.map((line) => `  ${line}`)];
}
