// Mistakes in named schedules, calendars and hours with dates.

import { isList, isObject } from '../base/json.ts';
import type { Address, DatedWeek, JsonObject } from '../base/model.ts';
import { nearest } from '../base/nearest.ts';
import { DAY, wallOf } from '../base/zone.ts';
import { hasFeature } from '../kinds/features.ts';
import type { Kind, Report } from '../kinds/kind.ts';
import { scheduleNameIn } from '../kinds/scheduler.ts';
import { exceptionOn, hoursOn, nextChange, WEEK, weekFrom } from '../routing/staff/dates.ts';
import { at, type Emit, position } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';
import { removed } from './dangling.ts';
import { checkDates, type DateTerms } from './date-checks.ts';
import type { RemovalAt } from './overlay.ts';
import { calendarNames, hoursIn, onDay, sharedIn, type WrittenHours, wholeHours } from './schedules.ts';
import { ALL_KINDS, type DeclaredEntry } from './sections.ts';

export interface ScheduleTerms extends DateTerms {
  /** Every file was read: a name that is not there is nowhere. */
  readonly isWhole: boolean;
  readonly removedAt: RemovalAt;
}

/** Those that have hours. */
const SERVING = ALL_KINDS.filter(({ serving }) => serving !== undefined);

export function checkSchedules(
  manifest: JsonObject,
  entries: readonly DeclaredEntry[],
  terms: ScheduleTerms,
  emit: Emit,
): void {
  const used = entries.flatMap((entry) => hoursIn(entry) ?? []);
  const users = new Map<string, Set<Kind>>();
  for (const { entry, value } of used) {
    const name = scheduleNameIn(value);
    if (name !== null) users.set(name, (users.get(name) ?? new Set()).add(entry.kind));
  }
  for (const [name, list] of Object.entries(sharedIn(manifest, 'calendars')))
    checkDates(list, ['calendars', name], null, terms, emit);
  for (const [name, schedule] of Object.entries(sharedIn(manifest, 'schedules'))) {
    if (!isObject(schedule)) continue;
    const path = ['schedules', name];
    checkNamed(schedule, path, null, manifest, terms, emit);
    const kind = SERVING.find((each) => users.get(name)?.has(each) === true) ?? SERVING[0];
    // What an entry may add, such as the zone, is checked with the entry.
    const report: Report = (inner, ...finding) => {
      if (inner.length > 1) reporting([...path, ...inner.slice(1)], emit)([], ...finding);
    };
    if (kind?.serving !== undefined) kind.check?.({ [kind.serving.hours]: schedule }, report, terms.version);
  }
  for (const hours of used) checkEntry(hours, manifest, terms, emit);
  if (terms.isWhole) checkUnused(manifest, used, terms, emit);
}

/** Warns of calendars that no schedule names. */
function checkUnused(manifest: JsonObject, used: readonly WrittenHours[], { lintOf }: ScheduleTerms, emit: Emit): void {
  const { level } = lintOf('unused-calendar');
  if (level === 'off') return;
  const holders = [...Object.values(sharedIn(manifest, 'schedules')), ...used.map(({ value }) => value)];
  const named = new Set(
    holders.flatMap((each) => (isObject(each) ? calendarNames(each, []) : [])).map(({ name }) => name),
  );
  for (const name of Object.keys(sharedIn(manifest, 'calendars')))
    if (!named.has(name))
      emit({
        ...at(
          ['calendars', name],
          'key',
          'unused-calendar',
          `no schedule names the calendar \`${name}\`, so its dates change no hours`,
          `add \`calendars: [${name}]\` to a schedule, or remove it`,
        ),
        severity: level,
      });
}

function reporting(path: Path, emit: Emit): Report {
  return (inner, code, message, remedy, severity = 'error') => {
    const part = code === 'missing-field' ? 'key' : 'value';
    emit({ ...at([...path, ...inner], part, code, message, remedy), severity });
  };
}

/** Names and dates of one schedule, whether it is named itself or not. */
function checkNamed(
  holder: JsonObject,
  path: Path,
  address: Address | null,
  manifest: JsonObject,
  terms: ScheduleTerms,
  emit: Emit,
): void {
  const calendars = Object.keys(sharedIn(manifest, 'calendars'));
  for (const each of calendarNames(holder, path)) checkName('calendar', each.name, each.path, calendars, terms, emit);
  checkDates(holder['except'], [...path, 'except'], address, terms, emit);
}

function checkName(
  noun: 'calendar' | 'schedule',
  name: string,
  path: Path,
  declared: readonly string[],
  { isWhole, removedAt }: ScheduleTerms,
  emit: Emit,
): void {
  if (!isWhole || declared.includes(name)) return;
  const message = `no ${noun} \`${name}\` is declared`;
  const removal = removedAt([`${noun}s`, name]);
  if (removal !== null) {
    emit(at(path, 'value', 'dangling-reference', ...removed(message, noun, removal)));
    return;
  }
  const meant = nearest(name, declared);
  const remedy = `declare it under \`${noun}s:\``;
  const help = meant === null ? remedy : `did you mean \`${meant}\`? Otherwise ${remedy}`;
  emit(at(path, 'value', 'dangling-reference', message, help));
}

function checkEntry(written: WrittenHours, manifest: JsonObject, terms: ScheduleTerms, emit: Emit): void {
  const { entry, field, value, path } = written;
  if (isObject(value)) checkNamed(value, path, entry.address, manifest, terms, emit);
  const name = scheduleNameIn(value);
  if (name !== null && name !== '') {
    const at = isObject(value) ? [...path, 'schedule'] : path;
    checkName('schedule', name, at, Object.keys(sharedIn(manifest, 'schedules')), terms, emit);
  }
  const whole = wholeHours(value, path, manifest);
  if (whole === null) return;
  const { timezone, schedule = [], dates } = whole;
  const except = dates.flatMap(({ list }) => (isList(list) ? list : [list]));
  const hours = { ...(timezone === undefined ? {} : { timezone }), schedule, except };
  // The hours of a named schedule, as this agent or bot has them: its own mistakes were found where it is written.
  if (name !== null) {
    const report = reporting(path, emit);
    entry.kind.check?.(
      { [field]: hours },
      (inner, ...finding) => {
        if (inner.length === 1) report([], ...finding);
      },
      terms.version,
    );
  }
}

/** In 3.3 hours that are switched off cannot be kept, and none mean any time. Only for a manifest without errors. */
export function checkClosedWeeks(
  manifest: JsonObject,
  entries: readonly DeclaredEntry[],
  {
    version,
    dayIn,
    absences,
    feeds,
  }: Pick<ScheduleTerms, 'version' | 'dayIn'> & Pick<Parameters<typeof onDay>[2], 'absences' | 'feeds'>,
  emit: Emit,
): void {
  if (hasFeature('weeklyHours', version)) return;
  const placeAt = () => ({ file: '', line: 1, column: 1, length: 1 });
  const { dated } = onDay(entries, manifest, { version, dayIn, placeAt, absences, feeds });
  for (const { path, address, kind } of entries) {
    const week = dated.get(address);
    if (week === undefined) continue;
    const here = [...path, kind.serving?.hours ?? ''];
    const split = splitDay(week);
    if (split !== null) {
      const message = `an event leaves two time spans on ${wallOf(split).date}, and version 3.3 of the service has one a day`;
      emit(at(here, 'key', 'unsupported-by-version', message, 'write the hours of this date under `except`'));
    }
    const closed = closedWeek(week);
    if (closed === null) continue;
    const place = exceptionOn(week.hours, closed)?.place;
    const by = place === undefined ? '' : `, the first by ${position(place)}`;
    const message = `seven days from ${wallOf(closed).date} on are closed${by}, and version 3.3 of the service takes that for any time`;
    const remedy = `give the last of them a minute: \`hours: 00:00-00:01\` on ${wallOf(closed + WEEK - DAY).date}`;
    emit(at(here, 'key', 'unsupported-by-version', message, remedy));
  }
}

/** The first day whose hours an event cuts in two; null when there is none. */
function splitDay({ hours, day }: DatedWeek): number | null {
  const narrowed = hours.exceptions.flatMap(({ from, hours: on }) => (on !== null && 'without' in on ? [from] : []));
  return narrowed.find((each) => each >= day && hoursOn(hours, each).length > 1) ?? null;
}

/** The first day whose week has no hours; null when there is none. */
function closedWeek({ hours, day }: DatedWeek): number | null {
  for (let next: number | null = day; next !== null; next = nextChange(hours, next))
    if (weekFrom(hours, next).length === 0) return next;
  return null;
}
