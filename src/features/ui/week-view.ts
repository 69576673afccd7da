// Sections of the page about the week: cover next to chats, weeks with other hours, the numbers, and what chats did since a change.

import { counted } from '../../base/text.ts';
import { DAY_NAMES } from '../../base/week.ts';
import { wallOf } from '../../base/zone.ts';
import type { Block, Row, Section, Table, Text } from '../../view/blocks.ts';
import { dayText } from '../../view/words/plan.ts';
import { demandSections } from '../coverage/demand-view.ts';
import { weekIn } from '../coverage/maps.ts';
import { coverSection, datedSection, gapSections, hoursText } from '../coverage/view.ts';
import { groupNames } from '../show/members.ts';
import { type ComparedChats, type PageFigures, weekText } from './figures.ts';
import { unappliedBlocks } from './now-section.ts';
import type { LicensePage } from './page.ts';

/** What is said where no reports were read. */
const NO_FIGURES: Text = [
  'How many chats come is not shown: the page was written without ',
  { text: '--demand 28d', as: 'code' },
  ', which asks the reports.',
];

/** The report with the names of groups in the place of their addresses. */
function byName({ cover, members }: LicensePage): LicensePage['cover'] {
  const names = groupNames(members);
  const named = <T extends { readonly address: string }>(all: readonly T[]): readonly T[] =>
    all.map((group) => ({ ...group, address: names.get(group.address) ?? group.address }));
  const { groups, dated = [], demand } = cover;
  return {
    ...cover,
    groups: named(groups),
    dated: dated.map((week) => ({ ...week, groups: named(week.groups) })),
    ...(demand === undefined ? {} : { demand: { ...demand, groups: named(demand.groups) } }),
  };
}

export function weekSection(page: LicensePage, isNameless: boolean): readonly Section[] {
  const { figures } = page;
  const cover = byName(page);
  const section = coverSection(isNameless ? withoutMembers(cover) : cover);
  if (section === null) return [];
  const body: readonly Block[] = [
    ...clockTexts(cover).map((text) => ({ type: 'text', text }) as const),
    ...unappliedBlocks(page),
    ...section.body.flatMap((block): readonly Block[] => {
      if (block.type === 'table')
        return [gapTable(cover), ...gapSections(cover), ...datedSection(cover), ...charts(section, cover)];
      return isChart(block) ? [] : [block];
    }),
    ...(cover.demand === undefined ? [] : demandSections(cover.demand)),
    figures === null ? { type: 'text', text: NO_FIGURES } : numbersSection(figures, groupNames(page.members)),
  ];
  return [{ ...section, title: 'The week', body }];
}

function isChart(block: Block): block is Section {
  return block.type === 'section' && block.id.startsWith('week-of-');
}

/** The hours of each group, folded: its rows with their dates, and only the marks that are in one of them. */
function charts({ body }: Section, cover: LicensePage['cover']): readonly Section[] {
  const drawn = body.filter(isChart);
  const maps = drawn.flatMap((each) => each.body).flatMap((block) => heatMapIn(block) ?? []);
  const rows = maps.flatMap((map) => map.rows);
  const marks = new Set<string>(rows.flatMap(({ cells, frames }) => [...cells, ...frames]).map(({ look }) => look));
  const hasSome = ['s1', 's2', 's3', 's4'].some((shade) => marks.has(shade));
  const dates = weekIn(cover).days.map(({ date }) => dayText(date).split(' '));
  const label = (day: string): string => {
    const date = dates.find(([weekday]) => weekday === day)?.[1];
    return date === undefined ? day : `${day} ${date}`;
  };
  const dated = (block: Block): Block => {
    const map = heatMapIn(block);
    if (map === null || block.type !== 'picture') return block;
    const legend = map.legend.filter(([look]) => marks.has(look) || (hasSome && /^s\d$/.test(look)));
    return {
      ...block,
      picture: { ...map, legend, rows: map.rows.map((row) => ({ ...row, label: label(row.label) })) },
    };
  };
  return drawn.map((each) => ({
    ...each,
    body: each.body.map(dated),
    fold: { brief: 'hours and names' },
  }));
}

function heatMapIn(block: Block) {
  return block.type === 'picture' && block.picture.kind === 'heat-map' ? block.picture : null;
}

function withoutMembers({ groups, ...report }: LicensePage['cover']): LicensePage['cover'] {
  return {
    ...report,
    groups: groups.map((each) => ({ ...each, cover: each.cover && { ...each.cover, members: [] } })),
  };
}

/** Of the table of `coverage`, the hours that say something to the people at the desk. People without hours may be there at any time. */
function gapTable({ groups }: LicensePage['cover']): Table {
  const cellOf = (hours = 0, isOpen = false): string => (hours > 0 ? hoursText(hours) : isOpen ? 'not known' : 'never');
  return {
    type: 'table',
    name: 'Cover by group',
    columns: ['Group', 'No cover', 'Only bots'].map((title) => ({ title })),
    rows: groups.map(({ address, cover }) => {
      const isOpen = (cover?.anytime.people ?? 0) > 0;
      return {
        cells: [
          address,
          cellOf(cover?.uncovered_hours, isOpen && cover?.people.low === 0),
          cellOf(cover?.bots_only_hours, isOpen && cover?.agents.low === 0 && cover.bots.high > 0),
        ],
      };
    }),
  };
}

/** The clock changes in the week of the report. */
function clockTexts(cover: LicensePage['cover']): readonly Text[] {
  const { stretches } = weekIn(cover);
  return stretches.slice(1).map(({ from, offset }, index) => {
    const [was, is] = [stretches[index]?.offset ?? offset, offset].map((each) => wallOf(from + each));
    const day = DAY_NAMES[was?.weekday ?? 0];
    return {
      text: `The clock changes on ${day} ${was?.date}, from ${clock(was?.minute)} to ${clock(is?.minute)}.`,
      tone: 'warning',
    };
  });
}

function clock(minute = 0): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

function numbersSection({ week, days }: PageFigures, names: ReadonlyMap<string, string>): Section {
  const table = comparedTable('Chats of the week', week.groups, names);
  return {
    type: 'section',
    id: 'numbers',
    title: `Chats from ${weekText(week)}`,
    body: [table, { type: 'text', text: { text: `By the reports of ${counted(days, 'day')}.`, tone: 'faint' } }],
  };
}

/** Null where no change has a whole hour of figures. */
export function sinceSection({ figures, members }: LicensePage): Section | null {
  if (figures === null || figures.changes.length === 0) return null;
  const names = groupNames(members);
  const tables = figures.changes.map(({ run, from, what, groups: those }): Section => {
    const title = `${what}: chats since ${from.slice(0, 16).replace('T', ' ')}`;
    const table = comparedTable(title, those, names);
    return { type: 'section', id: `since-${run.slice(0, 8)}`, title, body: [table] };
  });
  return {
    type: 'section',
    id: 'since',
    title: 'What chats did since',
    body: [
      { type: 'text', text: `Next to the same hours a week before; counted until ${figures.to.slice(0, 10)}.` },
      ...tables,
    ],
  };
}

function comparedTable(name: string, all: readonly ComparedChats[], names: ReadonlyMap<string, string>): Table {
  const rows = all.map(
    ({ group, chats, before }): Row => ({
      cells: [
        names.get(group) ?? group,
        chats,
        before ?? 'not read',
        before === null ? '' : differenceText(chats - before),
      ],
    }),
  );
  const number = (title: string) => ({ title, isNumber: true });
  return {
    type: 'table',
    name,
    columns: [{ title: 'Group' }, number('Chats'), number('A week before'), number('More or fewer')],
    rows,
  };
}

function differenceText(difference: number): string {
  return difference === 0 ? 'the same' : `${Math.abs(difference)} ${difference > 0 ? 'more' : 'fewer'}`;
}
