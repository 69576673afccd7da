// The terminal text of `coverage`: a table of groups, and the hours in which no agent can get a chat.

import { sumOf } from '../../base/grouped.ts';
import { counted, few } from '../../base/text.ts';
import type {
  AgainstGroup,
  CoverageReport,
  CoverReport,
  DatedReport,
  GroupReport,
  NamedSpan,
} from '../../tasks/coverage/report.ts';
import type { Paint } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';
import { actionsText, headedTable, INDENT, type RequestCounts, section, table } from '../../view/terminal/layout.ts';
import { within } from '../../view/terminal/narrow.ts';
import { STAFF_VIEWS } from '../../view/words/staff.ts';
import { chatsText, mostText, short } from '../words/impact.ts';

/** `requests` were sent for it. */
export function coverageText(report: CoverageReport, requests: RequestCounts, paint: Paint): string {
  const { groups, timezone, from, view, findings, notes } = report;
  const title = `Week of ${from.slice(0, 'YYYY-MM-DD'.length)}, ${plain(timezone)}, ${STAFF_VIEWS[view]}`;
  if (groups.length === 0) return `${title}\n\nThere are no groups.\n`;
  const timesOf = (of: (cover: CoverReport) => readonly NamedSpan[]): readonly (readonly string[])[] =>
    groups.flatMap(({ address, cover }) => {
      const times = cover === null ? [] : of(cover);
      return times.length === 0 ? [] : [[plain(address), timesText(times)]];
    });
  const width = within(paint.width, INDENT);
  return [
    paint('strong', title),
    '',
    ...headedTable(rowsOf(groups, view === 'both'), paint),
    ...section(
      'No agent can get a chat:',
      table(
        timesOf(({ uncovered }) => uncovered),
        width,
      ),
      paint,
    ),
    ...section(
      'Only bots can get a chat:',
      table(
        timesOf(({ bots_only: alone }) => alone),
        width,
      ),
      paint,
    ),
    ...section('Dates ahead:', table((report.dated ?? []).flatMap(datedRows), width), paint),
    ...section('Changes:', changes(groups, timezone, paint), paint),
    ...section(
      'Findings:',
      told(findings).flatMap(({ level, id, message, remedy, source }) => {
        const where = source === null ? '' : ` (${plain(source.file)}:${source.line})`;
        const line = `${paint(level, level)} ${id}: ${plain(message)}${where}`;
        return remedy === null ? [line] : [line, `  ${paint('help', 'help:')} ${plain(remedy)}`];
      }),
      paint,
    ),
    ...againstLines(report.against, paint),
    ...section('Assumptions:', notes.map(plain), paint),
    // Those to the reports are billed.
    ...(report.against === undefined ? [] : ['', paint('faint', requestsText(requests))]),
    '',
  ].join('\n');
}

function requestsText(requests: RequestCounts): string {
  const total = sumOf(requests);
  return total === 0 ? 'no request was sent' : `${counted(total, 'request')}: ${actionsText(requests)}`;
}

/** A row for each group whose cover is another one than usual. */
function datedRows({ from, dates, groups }: DatedReport): readonly (readonly string[])[] {
  const about = `week of ${from}: ${few(dates)}`;
  if (groups.length === 0) return [[about, 'no group loses cover']];
  return groups.map(({ address, lost, gained }, index) => [
    index === 0 ? about : '',
    plain(address),
    [
      ...(lost.length === 0 ? [] : [`no cover ${timesText(lost)}`]),
      ...(gained.length === 0 ? [] : [`more cover ${timesText(gained)}`]),
    ].join('; '),
  ]);
}

/** Demand next to the staff, where it was asked for. */
function againstLines(against: CoverageReport['against'], paint: Paint): readonly string[] {
  if (against === undefined) return [];
  const { days, groups, missing } = against;
  const time = `in ${counted(days, 'day')}`;
  const width = within(paint.width, INDENT);
  const spans = (of: (group: AgainstGroup) => readonly string[]): readonly string[] =>
    table(
      groups.flatMap((group) => {
        const texts = of(group);
        return texts.length === 0 ? [] : [[plain(group.address), few(texts)]];
      }),
      width,
    );
  return [
    ...section(
      `Demand ${time}:`,
      table(
        groups.map((group) => [plain(group.address), demandText(group, days), busiestText(group)]),
        width,
      ),
      paint,
    ),
    ...section(
      `Chats ${time}, and no agent scheduled:`,
      spans(({ unstaffed }) => unstaffed.map(({ text, chats }) => `${text} (${chatsText(chats)})`)),
      paint,
    ),
    ...section(
      `Agents scheduled, and no chat ${time}; what may come anyway, with 95 % certainty:`,
      spans(({ idle }) => idle.map(({ text, looked_at: hours }) => `${text} (${mostText(hours)})`)),
      paint,
    ),
    ...section('Demand that was not looked at:', missing.map(plain), paint),
  ];
}

function demandText({ chats }: AgainstGroup, days: number): string {
  return chats === 0 ? `no chat (${mostText(days * 24)})` : chatsText(chats);
}

function busiestText({ busiest }: AgainstGroup): string {
  return busiest === null ? '' : `most ${busiest.text}, ${short(busiest.per_hour)} an hour`;
}

/** Lost cover is among the changes, unless it is an error. */
function told(findings: CoverageReport['findings']): CoverageReport['findings'] {
  return findings.filter(({ id, level }) => id !== 'lost-cover' || level === 'error');
}

function rowsOf(groups: readonly GroupReport[], isCompared: boolean): readonly (readonly string[])[] {
  const cells = ({ before, cover }: GroupReport, of: (cover: CoverReport) => string): string => {
    const [was, is] = [before, cover].map((each) => (each === null ? '' : of(each)));
    const isMoved = isCompared && before !== null && cover !== null && was !== is;
    return isMoved ? `${was} -> ${is}` : is || was || '';
  };
  const hasBots = groups.some(({ before, cover }) => [before, cover].some((side) => (side?.bots.high ?? 0) > 0));
  return [
    ['GROUP', 'PEOPLE', ...(hasBots ? ['BOTS'] : []), 'SLOTS', 'WITHOUT HOURS', 'NO COVER'],
    ...groups.map((group) => [
      `${named(group)}${isCompared ? fate(group) : ''}`,
      cells(group, ({ agents }) => rangeText(agents)),
      ...(hasBots ? [cells(group, ({ bots }) => rangeText(bots))] : []),
      cells(group, ({ slots, unsized }) => `${rangeText(slots)}${unsized > 0 ? '+' : ''}`),
      cells(group, ({ anytime }) => (anytime.people === 0 ? '0' : `${anytime.people} (${anytime.slots} slots)`)),
      cells(group, uncoveredText),
    ]),
  ];
}

function named({ address, name }: GroupReport): string {
  return /^\w+\/\d+$/.test(address) ? `${plain(address)} ${JSON.stringify(plain(name))}` : plain(address);
}

function fate({ before, cover }: GroupReport): string {
  if (cover === null) return ' (removed)';
  return before === null ? ' (new)' : '';
}

function rangeText({ low, high }: CoverReport['people']): string {
  return low === high ? String(low) : `${low}-${high}`;
}

function uncoveredText({ uncovered, uncovered_hours: hours }: CoverReport): string {
  return uncovered.length === 0 ? 'never' : `${Math.round(hours * 10) / 10} h`;
}

function timesText(times: readonly NamedSpan[]): string {
  return few(times.map(({ text }) => text));
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
