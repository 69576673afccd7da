// `absences:` of a manifest: a table or a calendar of who is away on which days, or has other hours on them.

import { isObject } from '../base/json.ts';
import type { Address, Coming, Diagnostic, DiagnosticCode, HoursException, JsonObject } from '../base/model.ts';
import { listed, nearest } from '../base/nearest.ts';
import { personOf } from '../base/person.ts';
import { DAY } from '../base/zone.ts';
import { dateHoursIn } from '../kinds/week-form.ts';
import type { MarkHere } from '../yaml/calendar.ts';
import { at, diagnose, type Emit } from '../yaml/diagnostics.ts';
import type { PlaceMark } from '../yaml/places.ts';
import { type FileSystem, pathIn } from '../yaml/read.ts';
import { type DataRow, readTable } from '../yaml/table.ts';
import { peopleReader } from './absence-events.ts';
import { checkDate, type DateTerms } from './date-checks.ts';
import type { Repeated } from './events.ts';
import { closedIn, daysAround, type FileMention, readEvents } from './feeds.ts';
import { unusedColumns } from './people-checks.ts';
import { daysOf, hoursIn, wholeHours } from './schedules.ts';
import { ABSENCES, accountOf, type DeclaredEntry } from './sections.ts';

export interface Absences {
  /** Of each person, those that count least first. */
  readonly of: ReadonlyMap<Address, readonly HoursException[]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the file is read with. */
interface AbsenceTerms extends DateTerms {
  /** Where the manifest names the file, by the member that does. */
  readonly namedAt: (member: 'csv' | 'ics') => FileMention;
  /** The day that it is in UTC. */
  readonly today: () => number;
  /** Every file was read: a person who is not declared is nowhere. */
  readonly isWhole: boolean;
}

const NONE: Absences = { of: new Map(), diagnostics: [] };

export async function absencesOf(
  manifest: JsonObject,
  entries: readonly DeclaredEntry[],
  terms: AbsenceTerms,
  system: FileSystem,
): Promise<Absences> {
  const form = manifest[ABSENCES];
  if (!isObject(form)) return NONE;
  const { csv, ics } = form;
  const found: Diagnostic[] = [];
  const wrong = (code: DiagnosticCode, message: string, remedy: string): Absences => ({
    ...NONE,
    diagnostics: [diagnose(terms.namedAt('ics').mark, { code, message, remedy })],
  });
  if (csv === undefined && ics === undefined)
    return wrong('missing-field', 'the absences have no file', 'add `csv: leave.csv` or `ics: leave.ics`');
  const other = ['csv', 'columns', 'encoding', 'separator'].find((name) => form[name] !== undefined);
  if (ics !== undefined && other !== undefined)
    return wrong('exclusive-fields', `\`ics\` cannot be combined with \`${other}\``, 'keep one');
  const people = new Map(
    entries.flatMap((entry) => {
      const account = accountOf(entry);
      return account === null ? [] : [[account, entry] as const];
    }),
  );
  const all = { manifest, people, terms, tellWithoutHours: withoutHours(terms, found), found };
  if (typeof ics === 'string' && ics !== '') return { of: await fromEvents(ics, all, system), diagnostics: found };
  if (typeof csv !== 'string' || csv === '') return NONE;
  return { of: await fromTable(csv, form, all, system), diagnostics: found };
}

/** What both kinds of files are read with. */
interface Reading {
  readonly manifest: JsonObject;
  /** By account. */
  readonly people: ReadonlyMap<string, DeclaredEntry>;
  readonly terms: AbsenceTerms;
  readonly tellWithoutHours: (address: Address, mark: MarkHere) => void;
  readonly found: Diagnostic[];
}

/** The events of a calendar: each closes its days or its hours for whom it is about. */
async function fromEvents(
  ics: string,
  { manifest, people, terms, tellWithoutHours, found }: Reading,
  system: FileSystem,
): Promise<Absences['of']> {
  const today = terms.today();
  const within = daysAround(today);
  const repeated = await readEvents(ics, terms.namedAt('ics'), within, system, found);
  const peopleOf = peopleReader(people);
  const each = new Map<DeclaredEntry, Repeated[]>();
  for (const one of repeated) {
    const { event, occurrences } = one;
    // Of what is over in each zone, the person may have left.
    if (occurrences.every(({ local, length }) => local + length < today - 2 * DAY)) continue;
    const who = peopleOf(event);
    if (who.entries === null && terms.isWhole) {
      const remedy = 'write the address of an agent in the summary, or remove the event';
      found.push(unknownPerson(who.mark(), who.message, who.meant, remedy));
    }
    for (const entry of who.entries ?? []) {
      if (zoneOf(entry, manifest) === null) tellWithoutHours(entry.address, event.mark);
      else each.set(entry, [...(each.get(entry) ?? []), one]);
    }
  }
  const closed = [...each].map(
    ([entry, own]) => [entry.address, closedIn(own, zoneOf(entry, manifest) ?? '', within)] as const,
  );
  return new Map(closed.filter(([, exceptions]) => exceptions.length > 0));
}

function unknownPerson(mark: PlaceMark, message: string, meant: string | null, remedy: string): Diagnostic {
  const help = meant === null ? remedy : `did you mean \`${meant}\`? Otherwise ${remedy}`;
  return diagnose(mark, { code: 'dangling-reference', message, remedy: help });
}

/** The columns, by what they say. */
const COLUMNS = ['who', 'from', 'to', 'hours'] as const;
type Columns = { readonly [name in (typeof COLUMNS)[number]]: string };

/** Several spans of a day stand between these. */
const SEPARATOR = ';';

function columnsOf({ columns }: JsonObject): Columns {
  const given = isObject(columns) ? columns : {};
  return Object.fromEntries(COLUMNS.map((name) => [name, String(given[name] ?? name)])) as Columns;
}

/** Without a last day, it is one day; without hours, none are worked. Null for a row with a mistake. */
function exceptionOf(row: DataRow, columns: Columns, terms: DateTerms, found: Diagnostic[]): HoursException | null {
  const before = found.length;
  const textOf = (name: keyof Columns): string => row.values[columns[name]] ?? '';
  const texts = textOf('hours').split(SEPARATOR);
  const hours = texts.map((text) => text.trim()).filter((text) => text !== '');
  const [from, to] = [textOf('from'), textOf('to') || textOf('from')];
  const item = { from, to, ...(hours.length === 0 ? { closed: true } : { hours }) };
  const emit: Emit = (given) => {
    for (const { path, ...finding } of 'code' in given ? [given] : given)
      found.push(diagnose(row.markAt(columns[path[0] as keyof Columns]), finding));
  };
  for (const name of ['from', 'to'] as const)
    if (!/^\d{4}-\d\d-\d\d$/.test(item[name]) && (name === 'from' || textOf('to') !== ''))
      emit(at([name], 'value', 'bad-date', 'this is no day of the calendar', 'write it as 2026-12-24'));
  checkDate(item, [], terms, emit);
  const days = daysOf(item);
  if (days === null || found.length > before) return null;
  const { place } = row.markAt(columns.from);
  return { ...days, hours: hours.length === 0 ? null : dateHoursIn(hours), place };
}

/** The rows of a table. */
async function fromTable(
  csv: string,
  form: JsonObject,
  { manifest, people, terms, tellWithoutHours, found }: Reading,
  system: FileSystem,
): Promise<Absences['of']> {
  const of = new Map<Address, readonly HoursException[]>();
  const mention = terms.namedAt('csv');
  const file = pathIn(mention.file, csv);
  const isOutside = system.isOutside?.(file) === true;
  const columns = columnsOf(form);
  const used = Object.values(columns);
  const read = { named: form, required: [columns.who, columns.from], used };
  const table = await readTable(file, read, system, mention.mark);
  found.push(...table.diagnostics);
  if (found.length > 0) return of;
  const named = isObject(form['columns']) ? form['columns'] : {};
  for (const name of COLUMNS.filter((each) => named[each] !== undefined && !table.columns.includes(columns[each]))) {
    const remedy = isOutside ? 'write the name of a column of the table' : `the table has ${listed(table.columns)}`;
    const message = `the table of absences has no column \`${columns[name]}\``;
    found.push(diagnose(mention.mark, { code: 'missing-field', message, remedy }));
  }
  if (found.length > 0) return of;
  const each = table.rows.flatMap((row): readonly (readonly [Address, HoursException])[] => {
    const who = row.values[columns.who] ?? '';
    const entry = people.get(personOf(who));
    const exception = exceptionOf(row, columns, terms, found);
    const mark = (): PlaceMark => row.markAt(columns.who);
    if (entry === undefined) {
      const meant = isOutside ? null : nearest(personOf(who), [...people.keys()]);
      const message = who === '' ? 'the row names no person' : `no agent \`${who}\` is declared`;
      const remedy = 'write the key of an agent, or remove the row';
      if (terms.isWhole || who === '') found.push(unknownPerson(mark(), message, meant, remedy));
    } else if (exception !== null) {
      if (zoneOf(entry, manifest) !== null) return [[entry.address, exception]];
      tellWithoutHours(entry.address, mark);
    }
    return [];
  });
  found.push(...unusedColumns(table, used, terms.lintOf('unused-column')));
  // A row with hours counts more than an absence, whatever their order is.
  for (const hasHours of [false, true])
    for (const [address, exception] of each)
      if ((exception.hours !== null) === hasHours) of.set(address, [...(of.get(address) ?? []), exception]);
  return of;
}

/** Tells once of a person whose hours no absence can change. */
function withoutHours({ lintOf }: AbsenceTerms, found: Diagnostic[]): (address: Address, mark: MarkHere) => void {
  const { level, isExcepted } = lintOf('absence-without-hours');
  const reported = new Set<Address>();
  return (address, mark) => {
    if (level === 'off' || isExcepted(address) || reported.has(address)) return;
    reported.add(address);
    const message = `${address} has no hours with a time zone and a schedule, so the absence changes nothing: chats reach them at any time`;
    const remedy = 'give the agent a `work_scheduler`';
    found.push(diagnose(mark(), { code: 'absence-without-hours', severity: level, message, remedy }));
  };
}

/** The zone of the hours of a person; null where they cannot depend on the date. */
function zoneOf(entry: DeclaredEntry, manifest: JsonObject): string | null {
  const written = hoursIn(entry);
  const { timezone = '', schedule = [] } = (written && wholeHours(written.value, written.path, manifest)) ?? {};
  return typeof timezone === 'string' && timezone !== '' && schedule.length > 0 ? timezone : null;
}

/** Days ahead in which absences are told. */
const AHEAD = 31 * DAY;

/** Who is away in the coming days, and back. */
export function comingAbsences(
  { of }: Absences,
  zoneOf: (address: Address) => string,
  dayIn: (zone: string) => number,
): readonly Coming[] {
  return [...of].flatMap(([address, exceptions]) => {
    const timezone = zoneOf(address);
    const today = dayIn(timezone);
    return exceptions
      .filter(({ hours, from, to }) => hours === null && to >= today && from <= today + AHEAD)
      .flatMap(({ from, to, place }): readonly Coming[] => {
        const about = { address, member: null, timezone, place };
        return [
          ...(from > today ? [{ ...about, change: 'away', day: from } as const] : []),
          { ...about, change: 'back', day: to + DAY } as const,
        ];
      });
  });
}
