// `absences:` of a manifest: a table or a calendar of who is away on which days, or has other hours on them.

import { isObject } from '../base/json.ts';
import type { Address, Coming, Diagnostic, DiagnosticCode, HoursException, JsonObject } from '../base/model.ts';
import { listed, nearest } from '../base/nearest.ts';
import { personOf } from '../base/person.ts';
import { DAY } from '../base/zone.ts';
import type { MarkHere } from '../yaml/calendar.ts';
import { diagnose, namedHere } from '../yaml/diagnostics.ts';
import { type FileSystem, pathIn, readText } from '../yaml/read.ts';
import { parseTable } from '../yaml/table.ts';
import { peopleReader } from './absence-events.ts';
import { COLUMNS, columnsOf, exceptionOf, isNamed } from './absence-rows.ts';
import { closedIn, daysAround, type FileMention, readEvents } from './feeds.ts';
import type { FileLint, FileLintId } from './near-keys.ts';
import type { Repeated } from './recurrence.ts';
import { hoursIn, wholeHours } from './schedules.ts';
import { ABSENCES, accountOf, type DeclaredEntry } from './sections.ts';

export interface Absences {
  /** Of each person, those that count least first. */
  readonly of: ReadonlyMap<Address, readonly HoursException[]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the file is read with. */
interface AbsenceTerms {
  /** Where the manifest names the file, by the member that does. */
  readonly namedAt: (member: 'csv' | 'ics') => FileMention;
  /** The day that it is in UTC. */
  readonly today: () => number;
  readonly lintOf: (lint: FileLintId) => FileLint;
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
  const people = new Map(
    entries.flatMap((entry) => {
      const account = accountOf(entry);
      return account === null ? [] : [[account, entry] as const];
    }),
  );
  const wrong = (code: DiagnosticCode, message: string, remedy: string): Absences => ({
    ...NONE,
    diagnostics: [diagnose(terms.namedAt('ics').mark, { code, message, remedy })],
  });
  if (csv === undefined && ics === undefined)
    return wrong('missing-field', 'the absences have no file', 'add `csv: leave.csv` or `ics: leave.ics`');
  const other = ['csv', 'columns'].find((name) => form[name] !== undefined);
  if (ics !== undefined && other !== undefined)
    return wrong('exclusive-fields', `\`ics\` cannot be combined with \`${other}\``, 'keep one');
  if (typeof ics === 'string' && ics !== '') return fromEvents(ics, people, manifest, terms, system);
  return typeof csv === 'string' && csv !== '' ? fromTable(csv, form, people, manifest, terms, system) : NONE;
}

/** The events of a calendar: each closes its days or its hours for whom it is about. */
async function fromEvents(
  ics: string,
  people: ReadonlyMap<string, DeclaredEntry>,
  manifest: JsonObject,
  terms: AbsenceTerms,
  system: FileSystem,
): Promise<Absences> {
  const today = terms.today();
  const within = daysAround(today);
  const { repeated, diagnostics } = await readEvents(ics, terms.namedAt('ics'), within, system);
  if (diagnostics.length > 0) return { ...NONE, diagnostics };
  const found: Diagnostic[] = [];
  const tellWithoutHours = withoutHours(terms, found);
  const peopleOf = peopleReader(people);
  const each = new Map<DeclaredEntry, Repeated[]>();
  for (const one of repeated) {
    const { event, occurrences } = one;
    // Of what is over in each zone, the person may have left.
    if (occurrences.every(({ start, length }) => start.local + length < today - 2 * DAY)) continue;
    const who = peopleOf(event);
    if (who.entries === null) {
      const remedy = 'write the address of an agent in the summary, or remove the event';
      const help = who.meant === null ? remedy : `did you mean \`${who.meant}\`? Otherwise ${remedy}`;
      const finding = { code: 'dangling-reference', message: who.message, remedy: help } as const;
      if (terms.isWhole) found.push(diagnose(who.mark(), finding));
      continue;
    }
    for (const entry of who.entries) {
      if (canDiffer(entry, manifest)) each.set(entry, [...(each.get(entry) ?? []), one]);
      else tellWithoutHours(entry.address, event.mark);
    }
  }
  const closed = [...each].map(
    ([entry, own]) => [entry.address, closedIn(own, zoneOf(entry, manifest), within)] as const,
  );
  return { of: new Map(closed.filter(([, exceptions]) => exceptions.length > 0)), diagnostics: found };
}

/** The rows of a table. */
async function fromTable(
  csv: string,
  form: JsonObject,
  people: ReadonlyMap<string, DeclaredEntry>,
  manifest: JsonObject,
  terms: AbsenceTerms,
  system: FileSystem,
): Promise<Absences> {
  const { isWhole } = terms;
  const named = terms.namedAt('csv');
  const file = pathIn(named.file, csv);
  const text = await readText(file, system);
  if (typeof text !== 'string') return { ...NONE, diagnostics: [namedHere(text, named.mark.place)] };
  const isOutside = system.isOutside?.(file) === true;
  const columns = columnsOf(form);
  const table = parseTable(file, text, { isOutside, required: [columns.who, columns.from] });
  if (table.diagnostics.length > 0) return { ...NONE, diagnostics: table.diagnostics };
  const unknown = COLUMNS.filter((name) => isNamed(form, name) && !table.columns.includes(columns[name]));
  if (unknown.length > 0) {
    const has = isOutside ? 'write the name of a column of the table' : `the table has ${listed(table.columns)}`;
    return {
      ...NONE,
      diagnostics: unknown.map((name) =>
        diagnose(named.mark, {
          code: 'missing-field',
          message: `the table of absences has no column \`${columns[name]}\``,
          remedy: has,
        }),
      ),
    };
  }
  const found: Diagnostic[] = [];
  const tellWithoutHours = withoutHours(terms, found);
  const each = table.rows.flatMap((row): readonly (readonly [Address, HoursException])[] => {
    const who = row.values[columns.who] ?? '';
    const entry = people.get(personOf(who));
    const exception = exceptionOf(row, columns, found);
    if (entry === undefined) {
      const shown = isOutside ? 'the person of this row' : `\`${who}\``;
      const meant = isOutside ? null : nearest(personOf(who), [...people.keys()]);
      const remedy = 'write the key of an agent, or remove the row';
      const help = meant === null ? remedy : `did you mean \`${meant}\`? Otherwise ${remedy}`;
      const message = who === '' ? 'the row names no person' : `no agent ${shown} is declared`;
      const mark = row.markAt(columns.who);
      if (isWhole || who === '') found.push(diagnose(mark, { code: 'dangling-reference', message, remedy: help }));
      return [];
    }
    if (exception === null) return [];
    const { address } = entry;
    if (canDiffer(entry, manifest)) return [[address, exception]];
    tellWithoutHours(address, () => row.markAt(columns.who));
    return [];
  });
  const of = new Map<Address, readonly HoursException[]>();
  // A row with hours counts more than an absence, whatever their order is.
  for (const hasHours of [false, true])
    for (const [address, exception] of each)
      if ((exception.hours !== null) === hasHours) of.set(address, [...(of.get(address) ?? []), exception]);
  return { of, diagnostics: found };
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

/** Whether the hours of a person can depend on the date. */
function canDiffer(entry: DeclaredEntry, manifest: JsonObject): boolean {
  const { timezone = '', schedule = [] } = hoursOf(entry, manifest) ?? {};
  return typeof timezone === 'string' && timezone !== '' && schedule.length > 0;
}

function hoursOf(entry: DeclaredEntry, manifest: JsonObject) {
  const written = hoursIn(entry);
  return written === null ? null : wholeHours(written.value, written.path, manifest);
}

/** Empty for hours that have none. */
function zoneOf(entry: DeclaredEntry, manifest: JsonObject): string {
  const timezone = hoursOf(entry, manifest)?.timezone;
  return typeof timezone === 'string' ? timezone : '';
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
