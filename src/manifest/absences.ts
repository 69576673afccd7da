// `absences:` of a manifest: a table of who is away on which days, or has other hours on them.

import { dirname, join } from 'node:path';
import { isObject } from '../base/json.ts';
import type { Address, Coming, Diagnostic, HoursException, JsonObject } from '../base/model.ts';
import { listed, nearest } from '../base/nearest.ts';
import { personOf } from '../base/person.ts';
import { dayOf } from '../base/week.ts';
import { DAY } from '../base/zone.ts';
import { dateSpansIn } from '../kinds/week-form.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import type { PlaceMark } from '../yaml/places.ts';
import { type FileSystem, readText } from '../yaml/read.ts';
import { type DataRow, parseTable } from '../yaml/table.ts';
import type { FileLint, FileLintId } from './near-keys.ts';
import { hoursIn, wholeHours } from './schedules.ts';
import { ABSENCES, accountOf, type DeclaredEntry } from './sections.ts';

export interface Absences {
  /** Of each person, those that count least first. */
  readonly of: ReadonlyMap<Address, readonly HoursException[]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the table is read with. */
interface AbsenceTerms {
  /** Where the manifest names the file. */
  readonly named: { readonly file: string; readonly mark: PlaceMark };
  readonly lintOf: (lint: FileLintId) => FileLint;
  /** Every file was read: a person who is not declared is nowhere. */
  readonly isWhole: boolean;
}

/** The columns, by what they say. */
const COLUMNS = ['who', 'from', 'to', 'hours'] as const;
type Columns = { readonly [name in (typeof COLUMNS)[number]]: string };

/** Several spans of a day stand between these. */
const SEPARATOR = ';';

const NONE: Absences = { of: new Map(), diagnostics: [] };

export async function absencesOf(
  manifest: JsonObject,
  entries: readonly DeclaredEntry[],
  { named, lintOf, isWhole }: AbsenceTerms,
  system: FileSystem,
): Promise<Absences> {
  const form = manifest[ABSENCES];
  const csv = isObject(form) ? form['csv'] : undefined;
  if (!isObject(form) || typeof csv !== 'string' || csv === '') return NONE;
  const file = csv.startsWith('/') ? csv : join(dirname(named.file), csv);
  const text = await readText(file, system);
  if (typeof text !== 'string') {
    const related = [...text.related, { place: named.mark.place, message: 'named here' }];
    return { ...NONE, diagnostics: [{ ...text, related }] };
  }
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
  const people = new Map(
    entries.flatMap((entry) => {
      const account = accountOf(entry);
      return account === null ? [] : [[account, entry] as const];
    }),
  );
  const lint = lintOf('absence-without-hours');
  const found: Diagnostic[] = [];
  const told = new Set<Address>();
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
    if (lint.level !== 'off' && !lint.isExcepted(address) && !told.has(address)) {
      told.add(address);
      const message = `${address} has no hours with a time zone and a schedule, so the absence changes nothing: chats reach them at any time`;
      const remedy = 'give the agent a `work_scheduler`';
      const finding = { code: 'absence-without-hours', severity: lint.level, message, remedy } as const;
      found.push(diagnose(row.markAt(columns.who), finding));
    }
    return [];
  });
  const of = new Map<Address, readonly HoursException[]>();
  // A row with hours counts more than an absence, whatever their order is.
  for (const hasHours of [false, true])
    for (const [address, exception] of each)
      if ((exception.hours !== null) === hasHours) of.set(address, [...(of.get(address) ?? []), exception]);
  return { of, diagnostics: found };
}

function isNamed({ columns }: JsonObject, name: string): boolean {
  return isObject(columns) && columns[name] !== undefined;
}

function columnsOf({ columns }: JsonObject): Columns {
  const named = (name: keyof Columns): string => {
    const given = isObject(columns) ? columns[name] : undefined;
    return typeof given === 'string' ? given : name;
  };
  return { who: named('who'), from: named('from'), to: named('to'), hours: named('hours') };
}

/** Without a last day, it is one day; without hours, none are worked. Null for a row with a mistake. */
function exceptionOf(row: DataRow, columns: Columns, found: Diagnostic[]): HoursException | null {
  const before = found.length;
  const wrong = (name: keyof Columns, code: 'bad-date' | 'bad-range' | 'bad-time', message: string, remedy: string) => {
    found.push(diagnose(row.markAt(columns[name]), { code, message, remedy }));
  };
  const dayIn = (name: 'from' | 'to'): number | null => {
    const text = row.values[columns[name]] ?? '';
    const day = dayOf(text);
    if (day === null && !(name === 'to' && text === ''))
      wrong(name, 'bad-date', 'this is no day of the calendar', 'write it as 2026-12-24');
    return day;
  };
  const [first, last] = [dayIn('from'), dayIn('to')];
  if (first !== null && last !== null && last < first)
    wrong('to', 'bad-range', 'the last day is before the first one', 'write the last day of the absence');
  const texts = (row.values[columns.hours] ?? '').split(SEPARATOR).map((text) => text.trim());
  const written = texts.filter((text) => text !== '');
  const spans = dateSpansIn(written).map(({ item: { start, end } }) => ({ start: String(start), end: String(end) }));
  if (spans.length < written.length || spans.some(({ start, end }) => start >= end))
    wrong(
      'hours',
      'bad-time',
      'these are no hours of a day',
      `write 10:00-14:00, with \`${SEPARATOR}\` between several`,
    );
  if (first === null || found.length > before) return null;
  const { place } = row.markAt(columns.from);
  return { from: first, to: last ?? first, hours: written.length === 0 ? null : spans, place };
}

/** Whether the hours of a person can depend on the date. */
function canDiffer(entry: DeclaredEntry, manifest: JsonObject): boolean {
  const written = hoursIn(entry);
  const whole = written === null ? null : wholeHours(written.value, written.path, manifest);
  return typeof whole?.timezone === 'string' && whole.timezone !== '' && (whole.schedule ?? []).length > 0;
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
