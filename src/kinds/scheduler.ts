// The work scheduler of agents and bots, in the shape since 3.5, which manifests use.

import { byText, canonicalJson, isList, isObject, unlessChanged } from '../base/json.ts';
import type { Json, JsonObject, Version } from '../base/model.ts';
import { oncePerText } from '../base/once-per.ts';
import { DAY_NAMES, WEEKDAYS } from '../base/week.ts';
import { isTimezone, zoneCalled } from '../base/zone.ts';
import { hasFeature } from './features.ts';
import { type Field, type FieldValue, type Phrase, PLAIN } from './field.ts';
import { isAscending } from './fields.ts';
import type { Report } from './kind.ts';
import { weeklySchema, writtenSchema } from './scheduler-schemas.ts';
import { authoredWeek, checkWeek, spansIn, type WrittenSpan, weekIn } from './week-form.ts';

/** As the planner has it. */
export type WorkScheduler = FieldValue<typeof weeklySchema>;

/** 3.3 has a bot's zone next to its hours, and none for an agent. */
export type HoursOwner = 'agent' | 'bot';

/** Days in the order of the week, then by time; a reading and a manifest may list them in any order. */
function canonical(value: Json): Json {
  if (!isObject(value)) return value;
  const { schedule, timezone } = value;
  const days = weekIn(schedule) ?? [];
  const sorted = isOneADay(days) ? days : inOrder(days);
  const isNamed = typeof timezone === 'string' && (timezone !== '' || days.length > 0);
  const zoned = isNamed ? { timezone } : {};
  return unlessChanged<JsonObject>(value, { ...zoned, schedule: sorted });
}

/** Each item on a later day than the one before it, as in most schedules: those are in order whatever their times are. */
function isOneADay(schedule: readonly Json[]): boolean {
  let last = -2;
  for (const item of schedule) {
    if (!isObject(item)) return false;
    const { day } = item;
    const place = placeOf(day);
    if (place <= last) return false;
    last = place;
  }
  return true;
}

/** In the week; -1 for a value that is no day. */
function placeOf(day: Json | undefined): number {
  return WEEKDAYS.findIndex((each) => each === day);
}

function inOrder(schedule: readonly Json[]): readonly Json[] {
  const ranks = schedule.map(rankOf);
  if (isAscending(ranks)) return schedule;
  const ranked = schedule.map((item, place) => ({ item, rank: ranks[place] ?? '' }));
  return ranked.sort((a, b) => byText(a.rank, b.rank)).map(({ item }) => item);
}

function rankOf(item: Json): string {
  if (!isObject(item)) return '';
  const { day, start = null, end = null, enabled = null } = item;
  const isPlain = typeof start === 'string' && typeof end === 'string' && typeof enabled === 'boolean';
  // The same text, built faster: this runs tens of thousands of times.
  return isPlain
    ? `[${placeOf(day)},"${start}","${end}",${enabled}]`
    : canonicalJson([placeOf(day), start, end, enabled]);
}

/**
 * A scheduler without a time zone, or with an empty one, follows the agent's own, which then reads back: not a difference. Neither is another name of
 * the zone, nor are switched-off hours of a day that is not declared.
 */
function align(read: Json, desired: Json): Json {
  if (!isObject(read) || !isObject(desired)) return read;
  const live = withoutClosedDays(read, desired);
  const { timezone } = desired;
  if (timezone !== undefined && timezone !== '')
    return isSameZone(live['timezone'], timezone) ? unlessChanged<JsonObject>(live, { ...live, timezone }) : live;
  const { timezone: _, ...rest } = live;
  return timezone === undefined ? rest : { timezone, ...rest };
}

function withoutClosedDays(live: JsonObject, { schedule: meant }: JsonObject): JsonObject {
  const { schedule } = live;
  const wanted = weekIn(meant) ?? [];
  if (!isList(schedule) || !wanted.some(isWorked) || schedule.every(isWorked)) return live;
  const days = new Set(wanted.map(dayOf));
  const left = schedule.filter((item) => isWorked(item) || days.has(dayOf(item)));
  return left.length === schedule.length ? live : { ...live, schedule: left };
}

function dayOf(item: Json): Json | undefined {
  return isObject(item) ? item['day'] : undefined;
}

function isWorked(item: Json): boolean {
  return isObject(item) && item['enabled'] === true;
}

/** As a person would write them: days with the same hours together. */
function authored(value: Json): Json {
  if (!isObject(value) || !isList(value['schedule'])) return value;
  return { ...value, schedule: authoredWeek(value['schedule']) };
}

/** `Mon` `09:00-12:00 and 13:00-17:00`, day by day, and the zone. */
function phrases(value: Json): readonly Phrase[] {
  if (!isObject(value)) return [];
  const { schedule, timezone } = value;
  const spans = (isList(schedule) ? schedule : []).filter(isObject);
  const days = WEEKDAYS.flatMap((day, place): readonly Phrase[] => {
    const own = spans.filter((span) => span['day'] === day);
    if (own.length === 0) return [];
    const brief = own.every(({ enabled }) => enabled === false) ? { brief: 'off' } : {};
    return [{ key: day, about: DAY_NAMES[place] ?? day, says: own.map(spanText).join(' and '), ...brief }];
  });
  const zone = typeof timezone === 'string' && timezone !== '' ? [{ key: 'timezone', about: '', says: timezone }] : [];
  return [...days, ...zone];
}

function spanText({ start, end, enabled }: JsonObject): string {
  return `${enabled === false ? 'off ' : ''}${String(start)}-${String(end)}`;
}

/** In 3.3 the agent's own zone applies, and a reading does not tell it. */
function alignAgent(live: Json, desired: Json, version: Version): Json {
  if (hasFeature('weeklyHours', version) || !isObject(live) || !isObject(desired)) return align(live, desired);
  const { timezone } = desired;
  return timezone === undefined ? align(live, desired) : { timezone, ...live };
}

/** Of a bot. Specification: "Work scheduler". */
export const workScheduler = {
  ...PLAIN,
  about: 'Working hours, in the time zone they are meant in; or a key of `schedules:`.',
  schema: weeklySchema,
  written: writtenSchema,
  shape: 'object',
  absent: { schedule: [] },
  hidden:
    'its hours have the shape of later versions, which version 3.3 does not show, so they are not overwritten; leave it out, or use `api_version: "3.6"`',
  canonical,
  authored,
  align,
  phrases,
  sequence: DAY_NAMES,
} as const satisfies Field;

export const agentScheduler = { ...workScheduler, align: alignAgent } as const satisfies Field;

/** What to write in place of a name that is no time zone. */
export function zoneRemedy(name: string): string {
  const zone = zoneCalled(name);
  return zone === null ? 'write a zone such as `Europe/Warsaw`, or `UTC`' : `write \`${zone}\``;
}

/** Whether two texts name one zone: `Europe/Kiev` and `Europe/Kyiv`. */
function isSameZone(one: Json | undefined, other: Json): boolean {
  if (typeof one !== 'string' || typeof other !== 'string' || one === other) return one === other;
  return zoneCalled(one) !== null && zoneCalled(one) === zoneCalled(other);
}

/** The key of the schedule that hours in a manifest refer to; null for hours that are written out. */
export function scheduleNameIn(value: Json | undefined): string | null {
  const name = isObject(value) ? value['schedule'] : value;
  return typeof name === 'string' ? name : null;
}

/** Whether nothing is wrong with hours, by their text and whose they are: thousands of agents have the same. */
const sound = oncePerText<boolean>();

/** Times, their order and the time zone of a declared scheduler. */
export function checkScheduler(value: Json | undefined, worker: HoursOwner, version: Version, report: Report): void {
  if (!isObject(value)) return;
  const isSound = sound(`${worker} ${version} ${JSON.stringify(value)}`, () => {
    let found = 0;
    reportScheduler(value, worker, version, () => {
      found += 1;
    });
    return found === 0;
  });
  if (!isSound) reportScheduler(value, worker, version, report);
}

function reportScheduler(value: JsonObject, worker: HoursOwner, version: Version, report: Report): void {
  const { schedule: listed, timezone } = value;
  const schedule = spansIn(listed);
  const isNamed = scheduleNameIn(value) !== null;
  const isEmpty = isObject(listed) ? Object.keys(listed).length === 0 : schedule.length === 0;
  if (hasDates(value) && !isNamed) checkDated(timezone, isEmpty, report);
  // An empty zone is the agent's own; a bot has none to fall back to.
  const isZoneless = timezone === undefined || (timezone === '' && worker === 'bot');
  // In 3.3 an agent's hours have no zone of their own.
  const hasOwnZone = !hasFeature('weeklyHours', version) && worker === 'agent';
  if (schedule.length > 0 && isZoneless && !hasOwnZone && !hasDates(value)) {
    report(
      ['work_scheduler'],
      'missing-field',
      'a schedule needs a `timezone`',
      'add a zone such as `timezone: Europe/Warsaw`',
    );
  }
  if (typeof timezone === 'string' && timezone !== '' && !isTimezone(timezone)) {
    report(
      ['work_scheduler', 'timezone'],
      'bad-timezone',
      `\`${timezone}\` is not an IANA time zone`,
      zoneRemedy(timezone),
    );
  }
  if (!hasFeature('weeklyHours', version) && !isNamed) checkOlder(timezone, schedule, worker, report);
  checkWeek(listed, (path, ...finding) => report(['work_scheduler', 'schedule', ...path], ...finding));
}

/** Whether hours in a manifest depend on the date. */
export function hasDates({ except, calendars }: JsonObject): boolean {
  return (isList(except) && except.length > 0) || (isList(calendars) ? calendars.length > 0 : calendars !== undefined);
}

function checkDated(timezone: Json | undefined, isEmpty: boolean, report: Report): void {
  if (timezone === undefined || timezone === '') {
    const message = 'hours with dates need a `timezone`, which says when a day begins';
    report(['work_scheduler'], 'missing-field', message, 'add a zone such as `timezone: Europe/Warsaw`');
  }
  if (!isEmpty) return;
  const message = 'hours with dates need a `schedule`: without one, work is at any time';
  report(['work_scheduler'], 'missing-field', message, 'write the usual hours of each day, such as "00:00" to "23:59"');
}

/** Reports what 3.3 has no place for. Specification: "Work scheduler", (3.3). */
function checkOlder(
  timezone: Json | undefined,
  schedule: readonly WrittenSpan[],
  worker: HoursOwner,
  report: Report,
): void {
  const seen = new Set<Json | undefined>();
  for (const { item, path } of schedule) {
    const { day, enabled } = item;
    const at = ['work_scheduler', 'schedule', ...path];
    const memberAt = (name: string) => (typeof path[0] === 'string' ? at : [...at, name]);
    if (seen.has(day)) {
      const message = `version 3.3 of the service has one time span a day, and ${String(day)} is here twice`;
      report(
        memberAt('day'),
        'unsupported-by-version',
        message,
        'join the two, or keep them in an overlay of targets with a later version',
      );
    }
    if (enabled === false) {
      const message = 'version 3.3 of the service cannot keep hours that are switched off';
      report(memberAt('enabled'), 'unsupported-by-version', message, 'leave the day out');
    }
    seen.add(day);
  }
  const isSet = timezone !== undefined && timezone !== '';
  if (worker === 'bot' && !isSet && schedule.length === 0) {
    const message = 'in version 3.3 of the service the `work_scheduler` of a bot needs a `timezone`';
    report(['work_scheduler'], 'missing-field', message, 'add a zone such as `timezone: Europe/Warsaw`');
  }
  if (worker === 'agent' && isSet) {
    const message = "version 3.3 of the service has no `timezone` for agents: there the agent's own applies";
    report(['work_scheduler', 'timezone'], 'unsupported-by-version', message, undefined, 'warning');
  }
}
