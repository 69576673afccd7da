// The view of coverage: a row for each group, the hours without cover, what an apply changes, demand, and the week of each group as a heat map.

import { sumOf } from '../../base/grouped.ts';
import { counted, few } from '../../base/text.ts';
import { DAY_NAMES, foldedTimes } from '../../base/week.ts';
import { DAY } from '../../base/zone.ts';
import type { About } from '../../many/operation.ts';
import { requestsText } from '../../many/requests.ts';
import type { Block, FactsBlock, Mark, Section, Span, Table, Text, View } from '../../view/blocks.ts';
import { dayText } from '../../view/words/plan.ts';
import { STAFF_VIEWS } from '../../view/words/staff.ts';
import { demandBlocks, demandSections } from './demand-view.ts';
import { COVER_LEGEND, coverMap, rangeText, weekIn } from './maps.ts';
import type { CoverageReport, CoverReport, DatedReport, GroupReport, NamedSpan } from './report.ts';
import { factsSection, listSection, MOST_TIMES, section } from './sections.ts';

export function coverageView(report: CoverageReport, { requests }: Pick<About, 'requests'>): View {
  const { target, groups, timezone, view, findings } = report;
  const { uncovered, alone, losing } = groupCounts(report);
  const about = `${timeText(report)}, ${timezone}, ${STAFF_VIEWS[view]}`;
  return {
    title: ['Weekly cover of ', { text: target, as: 'name' }],
    mark: markOf(report),
    result: resultText(report, requests),
    about: [],
    body: [
      { type: 'text', text: { text: about, tone: 'strong' } },
      ...(groups.length === 0
        ? []
        : ([
            {
              type: 'counts',
              counts: [
                ['groups', groups.length, 'calm'],
                ['groups with hours without cover', uncovered, 'destroy'],
                ['groups with hours of bots only', alone, 'move'],
                ...(view === 'both' ? [['groups losing cover', losing, 'destroy'] as const] : []),
              ],
            },
            coverTable(report),
          ] as const)),
      ...gapSections(report),
      ...namesSection(report),
      ...datedSection(report),
      ...listSection('changes', 'Changes', changeTexts(report)),
      ...listSection('lints', 'Findings', told(findings).flatMap(findingTexts)),
      ...(report.demand === undefined ? [] : demandSections(report.demand)),
      ...weeksSection(report),
      ...listSection('assumptions', 'Assumptions', report.notes),
    ],
  };
}

/** `Week of 2026-11-23`, `Sat 2026-11-28`. */
function timeText({ day, from }: CoverageReport): string {
  if (day === undefined) return `Week of ${from.slice(0, 'YYYY-MM-DD'.length)}`;
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + DAY_NAMES.length - 1) % DAY_NAMES.length;
  return `${DAY_NAMES[weekday]} ${day}`;
}

/** Hours without anybody, and hours of bots alone. */
export function gapSections({ groups }: CoverageReport): readonly Section[] {
  return [
    ...factsSection(
      'uncovered',
      'Nobody can get a chat',
      spansOf(groups, (cover) => cover.uncovered),
    ),
    ...factsSection(
      'bots-only',
      'Only bots can get a chat',
      spansOf(groups, (cover) => cover.bots_only),
    ),
  ];
}

export function datedSection({ dated = [] }: CoverageReport): readonly Section[] {
  return factsSection('dated', 'Dates ahead', dated.flatMap(datedFacts));
}

/** Who gets chats when; nothing where names were not asked for. */
export function namesSection({ groups }: CoverageReport): readonly Section[] {
  return factsSection('names', 'Who can get a chat', groups.flatMap(namesFacts));
}

/** Names that are shown next to the week of a group without a fold. */
const MOST_OPEN_NAMES = 8;

function namesList(group: GroupReport): readonly Section[] {
  const texts = namesFacts(group).map(([, text]) => text);
  const fold = { brief: counted(texts.length, 'name') };
  const id = `names-of-${group.address.replaceAll(/\s+/g, '-')}`;
  const list = listSection(id, `Who can get a chat in ${group.address}`, texts);
  return texts.length > MOST_OPEN_NAMES ? list.map((each) => ({ ...each, fold })) : list;
}

/** The people of a group who get chats, with their hours: first who gets chats first. */
function namesFacts({ address, cover }: GroupReport): FactsBlock['facts'] {
  const members = (cover?.members ?? []).filter(({ barred, times, hours }) => {
    return barred === null && (times === undefined ? hours !== 'shifts' : times.length > 0);
  });
  const isAsked = (cover?.members ?? []).some(({ times }) => times !== undefined);
  if (!isAsked) return [];
  return members.map(({ name, bot, priority, slots, times }, index) => {
    const hours = times === undefined ? ['without hours'] : foldedTimes(times.map(({ text }) => text));
    const about = [...(bot ? ['bot'] : []), priority, ...(slots === null ? [] : [counted(slots, 'chat')])].join(', ');
    return [index === 0 ? address : '', [`${name} (${about}): `, { names: hours, most: MOST_TIMES }]] as const;
  });
}

/** The part of a page; null without groups. With names, if the report has them, next to the week of each group. */
export function coverSection(report: CoverageReport): Section | null {
  const { groups, from, timezone, notes } = report;
  if (groups.length === 0) return null;
  const day = from.slice(0, 'YYYY-MM-DD'.length);
  const time = new Date(day).getUTCDay() === 1 ? `Week of ${day}` : `Seven days from ${dayText(day)}`;
  const text = `How many people and bots can get a chat at what time, and how many chats at once. ${time}, times of ${timezone}.`;
  const assumptions = listSection('assumed', 'Assumptions', notes);
  return {
    type: 'section',
    id: 'cover',
    title: 'Weekly cover',
    body: [
      { type: 'text', text },
      coverTable(report),
      ...weeksBlocks(report, true),
      ...assumptions.map((each) => ({ ...each, fold: { brief: counted(notes.length, 'assumption') } })),
    ],
  };
}

export interface GroupCounts {
  readonly uncovered: number;
  readonly alone: number;
  readonly losing: number;
}

export function groupCounts({ groups }: CoverageReport): GroupCounts {
  const having = (of: (cover: CoverReport) => number): number =>
    groups.filter(({ cover }) => cover !== null && of(cover) > 0).length;
  return {
    uncovered: having((cover) => cover.uncovered_hours),
    alone: having((cover) => cover.bots_only_hours),
    losing: groups.filter(({ lost }) => lost.length > 0).length,
  };
}

function markOf(report: CoverageReport): Mark {
  const { uncovered, losing } = groupCounts(report);
  if (report.findings.some(({ level }) => level === 'error')) return { sign: '!', word: 'error', tone: 'error' };
  if (losing > 0) return { sign: '!', word: 'loses cover', tone: 'warning' };
  return uncovered > 0
    ? { sign: '!', word: 'hours without cover', tone: 'warning' }
    : { sign: '✓', word: 'covered', tone: 'calm' };
}

function resultText(report: CoverageReport, requests: About['requests']): Text {
  const { groups } = report;
  const { uncovered, alone, losing } = groupCounts(report);
  const parts = [
    ...(uncovered === 0 ? [] : [`${uncovered} with hours without cover`]),
    ...(alone === 0 ? [] : [`${alone} with hours of bots only`]),
    ...(losing === 0 ? [] : [`${losing} losing cover`]),
  ];
  const text = `${counted(groups.length, 'group')}: ${parts.length === 0 ? 'none has an hour without cover' : parts.join(', ')}.`;
  return [
    { text: groups.length === 0 ? 'There are no groups.' : text, tone: 'strong' },
    // The files alone need no request.
    ...(requests === null || sumOf(requests) === 0 ? [] : [' ', ...requestsText(requests), '.']),
  ];
}

/** The times of each group that has some. */
function spansOf(
  groups: readonly GroupReport[],
  of: (cover: CoverReport) => readonly NamedSpan[],
): FactsBlock['facts'] {
  return groups.flatMap(({ address, cover }) => {
    const times = cover === null ? [] : of(cover);
    return times.length === 0 ? [] : [[address, timesText(times)] as const];
  });
}

function timesText(times: readonly NamedSpan[]): Span {
  return { names: foldedTimes(times.map(({ text }) => text)), most: MOST_TIMES };
}

/** A fact for each group whose cover is another one than usual. */
function datedFacts({ from, dates, groups }: DatedReport): FactsBlock['facts'] {
  const about = `week of ${from}: ${datesText(dates)}`;
  if (groups.length === 0) return [[about, 'no group loses cover']];
  return groups.map(({ address, lost, gained, bots_only: alone }, index) => {
    const told = [
      ['no cover ', lost],
      ['only bots ', alone],
      ['more cover ', gained],
    ] as const;
    const parts = told
      .filter(([, times]) => times.length > 0)
      .flatMap(([what, times], at): readonly Span[] => [`${at === 0 ? '' : '; '}${what}`, timesText(times)]);
    return [
      index === 0 ? about : '',
      [/^\w+\//.test(address) ? { text: address, as: 'address' } : address, ': ', ...parts],
    ];
  });
}

/** `2026-12-07 to 2026-12-13` for a row of days. */
function datesText(dates: readonly string[]): string {
  const [first = '', last = ''] = [dates[0], dates.at(-1)];
  const isRow = dates.length > 2 && Date.parse(last) - Date.parse(first) === (dates.length - 1) * DAY;
  return isRow ? `${first} to ${last}` : few(dates);
}

function changeTexts({ groups, timezone }: CoverageReport): readonly Text[] {
  return groups.flatMap(({ address, lost, gained }): readonly Text[] => [
    ...(lost.length === 0
      ? []
      : [[{ text: '-', tone: 'destroy' } as const, ` ${address} loses all cover `, timesText(lost), ` ${timezone}`]]),
    ...(gained.length === 0
      ? []
      : [[{ text: '+', tone: 'add' } as const, ` ${address} gains cover `, timesText(gained), ` ${timezone}`]]),
  ]);
}

type CoverageFinding = CoverageReport['findings'][number];

/** Lost cover is among the changes, unless it is an error. */
function told(findings: readonly CoverageFinding[]): readonly CoverageFinding[] {
  return findings.filter(({ id, level }) => id !== 'lost-cover' || level === 'error');
}

function findingTexts({ level, id, message, remedy, source }: CoverageFinding): readonly Text[] {
  const where = source === null ? '' : ` (${source.file}:${source.line})`;
  return [
    [{ text: level, tone: level }, ` ${id}: ${message}${where}`],
    ...(remedy === null ? [] : [[{ text: 'help:', tone: 'strong' } as const, ` ${remedy}`]]),
  ];
}

function coverTable({ groups, view }: CoverageReport): Table {
  const isCompared = view === 'both';
  const cells = ({ before, cover }: GroupReport, of: (cover: CoverReport) => string): string => {
    const [was, is] = [before, cover].map((each) => (each === null ? '' : of(each)));
    const isMoved = isCompared && before !== null && cover !== null && was !== is;
    return isMoved ? `${was} -> ${is}` : is || was || '';
  };
  const hasBots = groups.some(({ before, cover }) => [before, cover].some((side) => (side?.bots.high ?? 0) > 0));
  const titles = ['Group', 'People', ...(hasBots ? ['Bots'] : []), 'Slots', 'Without hours', 'No cover'];
  return {
    type: 'table',
    name: 'Cover by group',
    columns: titles.map((title) => ({ title })),
    rows: groups.map((group) => ({
      cells: [
        `${named(group)}${isCompared ? fate(group) : ''}`,
        cells(group, ({ agents }) => rangeText(agents)),
        ...(hasBots ? [cells(group, ({ bots }) => rangeText(bots))] : []),
        cells(group, ({ slots, unsized }) => `${rangeText(slots)}${unsized > 0 ? '+' : ''}`),
        cells(group, ({ anytime }) => (anytime.people === 0 ? '0' : `${anytime.people} (${anytime.slots} slots)`)),
        cells(group, ({ uncovered, uncovered_hours: none }) => (uncovered.length === 0 ? 'never' : hoursText(none))),
      ],
    })),
  };
}

function named({ address, name }: GroupReport): string {
  return /^\w+\/\d+$/.test(address) ? `${address} ${JSON.stringify(name)}` : address;
}

function fate({ before, cover }: GroupReport): string {
  if (cover === null) return ' (removed)';
  return before === null ? ' (new)' : '';
}

export function hoursText(hours: number): string {
  return `${Math.round(hours * 10) / 10} h`;
}

/** Folded: the tables above have what matters most. */
function weeksSection(report: CoverageReport): readonly Section[] {
  const { groups, day } = report;
  if (groups.length === 0 || day !== undefined) return [];
  const fold = { brief: counted(groups.length, 'group') };
  return [{ ...section('weeks', 'Hours of the week', weeksBlocks(report)), fold }];
}

/** The week of each group; where something is compared, of those that change before and after, and first of those that lose most. */
function weeksBlocks(report: CoverageReport, areNamed = false): readonly Section[] {
  const { groups, view, demand } = report;
  const week = weekIn(report);
  const weeks = (of: readonly GroupReport[], isFirst: boolean): readonly Section[] =>
    of.map((group, index) => {
      const { address, before, cover, lost } = group;
      const most = Math.max(before?.slots.high ?? 0, cover?.slots.high ?? 0);
      const isPair = view === 'both' && isChanged(group);
      const legend = isFirst && index === 0 ? COVER_LEGEND : [];
      const drawn = (
        name: string,
        side: CoverReport | null,
        frames: readonly NamedSpan[],
        key: typeof legend,
      ): Block[] =>
        side === null
          ? [{ type: 'text', text: `${name}: there is no such group.` }]
          : [
              ...(isPair ? [{ type: 'text', text: `${name}:` } as const] : []),
              coverMap(side, { name: `${name}, ${address}`, week, most, lost: frames, legend: key }),
            ];
      return section(`week-of-${address.replaceAll(/\s+/g, '-')}`, weekTitle(group, view === 'both'), [
        ...(isPair ? drawn('Before', before, [], legend) : []),
        ...drawn(isPair ? 'After' : 'Hours of the week', cover, lost, isPair ? [] : legend),
        ...(areNamed ? namesList(group) : []),
        ...(demand === undefined ? [] : demandBlocks(demand, address, week)),
      ]);
    });
  if (view !== 'both') return weeks(groups, true);
  const losses = ({ cover, lost }: GroupReport): number => (cover === null ? Number.POSITIVE_INFINITY : lost.length);
  const changing = groups.filter(isChanged).toSorted((one, other) => losses(other) - losses(one));
  const staying = groups.filter((group) => !isChanged(group));
  const fold = { brief: counted(staying.length, 'group') };
  return [
    ...(changing.length === 0
      ? []
      : [
          { ...section('weeks-changing', 'Groups whose cover changes', weeks(changing, true)), count: changing.length },
        ]),
    ...(staying.length === 0
      ? []
      : [
          {
            ...section('weeks-staying', 'Groups whose cover does not change', weeks(staying, changing.length === 0)),
            fold,
          },
        ]),
  ];
}

/** What of the week deserves a look. */
function weekTitle(group: GroupReport, isCompared: boolean): string {
  const { address, name, cover, lost } = group;
  const called = address === name || address.endsWith(`/${name}`) ? name : `${name} (${address})`;
  const none = cover?.uncovered_hours ?? 0;
  const alone = cover?.bots_only_hours ?? 0;
  return [
    `${called}${isCompared ? fate(group) : ''}`,
    ...(none === 0 ? [] : [`no cover ${hoursText(none)}`]),
    ...(alone === 0 ? [] : [`bots only ${hoursText(alone)}`]),
    ...(lost.length === 0 ? [] : [`loses all cover ${few(lost.map(({ text }) => text))}`]),
  ].join(', ');
}

function isChanged({ before, cover }: GroupReport): boolean {
  const seen = (side: CoverReport | null) => side && [side.pieces, side.anytime, side.unsized];
  return JSON.stringify(seen(before)) !== JSON.stringify(seen(cover));
}

const HEAD = ['group', 'name', 'side', 'from', 'to', 'agents', 'bots', 'slots', 'without_hours'];

/** A row for each time of the week in which nothing changes, group by group. */
export function coverageTable({ groups, view }: CoverageReport): Table {
  const rows = groups.flatMap(({ address, name, before, cover }) => {
    const linesOf = (side: string, of: CoverReport | null) =>
      (of?.pieces ?? []).map(({ from, to, people, bots, slots }) => ({
        cells: [address, name, side, from, to, people - bots, bots, slots, of?.anytime.people ?? 0],
      }));
    return view === 'both' ? [...linesOf('before', before), ...linesOf('after', cover)] : linesOf(view, cover);
  });
  return { type: 'table', columns: HEAD.map((title) => ({ title })), rows };
}
