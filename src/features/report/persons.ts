// Figures of persons in a report: those that may be shown, so that no other one can be computed from them. docs/how-to/how-many-chats.md, "Privacy".

import { counted } from '../../base/text.ts';
import { type FigureColumn, formOf, isByAgent, isOfForms } from '../../demand/forms.ts';
import { LEAST_CHATS } from '../../demand/hourly.ts';
import { hiddenAmong } from '../../demand/privacy.ts';
import type { ReportReply, ReportRow } from '../../demand/reply.ts';
import { addedUp, type ReportTable } from '../../demand/tables.ts';
import type { ShownReport } from './schema.ts';

/** What a report may show, and to whom. */
export interface PersonChoice {
  readonly report: ShownReport['report'];
  readonly distribution: ShownReport['distribution'];
  /** The report is about these agents alone. */
  readonly agents: number;
  /** Figures of persons were asked for. */
  readonly isWithPeople: boolean;
  /** Chats of each bucket, of a report that does not say them itself. */
  readonly chats: ReadonlyMap<string, number>;
}

type Shown = Pick<ShownReport, 'rows' | 'sums' | 'total' | 'notes'>;

/** Whether a report says nothing of single persons. */
function isOfMany({ report, agents }: PersonChoice): boolean {
  return agents === 0 && !isByAgent(report);
}

/** The table of a report as far as it may be shown. */
export function shownFigures(
  choice: PersonChoice,
  { rows, sums }: ReportTable,
  { total, summary }: Pick<ReportReply, 'total' | 'summary'>,
): Shown {
  const stated = { ...sums, ...summary };
  if (isOfMany(choice)) return { rows, sums: stated, total, notes: [] };
  const form = formOf(choice.report, choice.distribution ?? 'day');
  const figures = form.columns.map((column): ColumnFigures => {
    const chats = rows.map((row) => chatsOf(row, column, rows, choice));
    return { column, chats, hidden: hiddenAmong(chats) };
  });
  const kept = rows.flatMap((row, place) => withoutHidden(row, place, figures));
  const summed = figures.filter((each) => each.column.adds !== false && maySum(each, figures, rows, choice));
  const names = new Set(summed.map(({ column }) => column.name));
  const totalled = form.total === 'sum' ? figures.slice(0, 1) : figures;
  const isWhole = totalled.every(({ column, hidden }) => names.has(column.name) || hidden.size === 0);
  return {
    rows: choice.isWithPeople ? kept : [],
    sums: Object.fromEntries(Object.entries(stated).filter(([name]) => names.has(name))),
    total: isWhole ? total : null,
    notes: notesOf(choice, rows.length - kept.length, figures, names),
  };
}

/** One column, with the chats that its figure in each row stands on, and the rows in which it stays hidden. */
interface ColumnFigures {
  readonly column: FigureColumn;
  readonly chats: readonly number[];
  readonly hidden: ReadonlySet<number>;
}

function chatsOf(row: ReportRow, { on }: FigureColumn, rows: readonly ReportRow[], choice: PersonChoice): number {
  const [key = '', survey = ''] = row.keys;
  if (on.length === 0) return choice.chats.get(key) ?? 0;
  // An answer stands on all customers who filled in the form.
  const isFilledIn = ({ keys }: ReportRow): boolean => keys[0] === key && keys[1] === survey && keys[2] === '';
  const source = isOfForms(choice.report) ? rows.find(isFilledIn) : row;
  return sumOf(on.map((name) => source?.values[name] ?? 0));
}

/** The row without its hidden figures; none without any. */
function withoutHidden(row: ReportRow, place: number, figures: readonly ColumnFigures[]): readonly ReportRow[] {
  const open = figures.filter(({ hidden }) => !hidden.has(place)).map(({ column: { name } }) => name);
  const values = Object.fromEntries(Object.entries(row.values).filter(([name]) => open.includes(name)));
  return open.length === 0 ? [] : [{ keys: row.keys, values }];
}

/**
 * Whether the sum of a column tells no hidden figure. A column that is the sum of others has one only where they have, since it tells theirs. Sums of
 * agents that were named would differ from those of others of them by one agent.
 */
function maySum(
  { column: { name } }: ColumnFigures,
  figures: readonly ColumnFigures[],
  rows: readonly ReportRow[],
  { report, agents, isWithPeople }: PersonChoice,
): boolean {
  if (isByAgent(report) && agents > 0) return false;
  const families = figures.map(({ column }) => [column.name, ...(column.parts ?? [])]);
  const related = new Set([name, ...families.filter((family) => family.length > 1 && family.includes(name)).flat()]);
  return figures
    .filter(({ column }) => related.has(column.name))
    .every(({ column, chats, hidden }) => {
      // All agents together can still be one of them, and few chats of others.
      if (!isWithPeople && sumOf(chats) - Math.max(0, ...chats) < LEAST_CHATS) return false;
      const unseen = rows.filter((_, place) => hidden.has(place));
      const unseenChats = sumOf(chats.filter((_, place) => hidden.has(place)));
      return hidden.size === 0 || (unseenChats >= LEAST_CHATS && addedUp(column, unseen) >= LEAST_CHATS);
    });
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function notesOf(
  { report, isWithPeople }: PersonChoice,
  left: number,
  figures: readonly ColumnFigures[],
  summed: ReadonlySet<string>,
): readonly string[] {
  const rule = `figures of a person on fewer than ${LEAST_CHATS} chats are hidden, and so are those that would tell them`;
  const areSumsLeft = figures.some(({ column }) => column.adds !== false && !summed.has(column.name));
  const sums = areSumsLeft ? [`Some sums are left out: ${rule}.`] : [];
  if (!isWithPeople) return ['Figures of persons are left out: --people shows them.', ...sums];
  const what = isByAgent(report) ? counted(left, 'agent is', 'agents are') : counted(left, 'row is', 'rows are');
  if (left > 0) return [`${what} left out: ${rule}.`];
  return figures.some(({ hidden }) => hidden.size > 0) ? [`Some figures are left out: ${rule}.`] : sums;
}
