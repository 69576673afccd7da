// Work schedulers: their two shapes, and the one that is kept, which remembers the first version of the shape that wrote it.
// Does not know whose scheduler it is. Specification: "Work scheduler".

import { isObject } from '../../base/json.ts';
import { WEEKDAYS } from '../../base/week.ts';
import { refuse } from '../engine/refusal.ts';
import type { JsonReader } from '../engine/shape.ts';
import {
  bool,
  checked,
  described,
  list,
  mapOf,
  object,
  oneOf,
  optional,
  quoted,
  string,
  timezone,
} from '../engine/shape.ts';
import { type ConfigurationSettings, type ConfigurationVersion, has } from './settings.ts';

/** `HH:MM`. */
const TIME = '^(?:[01]\\d|2[0-3]):[0-5]\\d$';
const time = checked(described({ pattern: TIME }, string), (given, path) => {
  if (!new RegExp(TIME).test(given)) refuse('validation', `${quoted(path)} must be a time in HH:MM format`);
});

/** An IANA zone, or nothing: "falls back to the agent's timezone if empty". */
export const timezoneOrEmpty: JsonReader<string> = checked(string, (given, path) => {
  if (given !== '') timezone(given, path);
});

const shift = object({ day: oneOf(WEEKDAYS), enabled: bool, start: time, end: time });
const hours = object({ start: time, end: time });
const weekMembers = object({ timezone: optional(timezoneOrEmpty), schedule: optional(list(shift)) });
const daily = mapOf(hours);

/** The shape that is kept: `timezone` is empty where none was given. `3.6` stands for every version with lists of hours. */
export const schedulerRecord = object({
  writtenBy: oneOf(['3.3', '3.6']),
  timezone: string,
  schedule: list(shift),
});

export type Scheduler = ReturnType<typeof schedulerRecord>;

const weekChecked = checked(weekMembers, ({ timezone, schedule = [] }, path) => {
  if (timezone === undefined && schedule.length > 0) refuse('validation', `${quoted(`${path}.timezone`)} is required`);
});

/**
 * The shape since 3.5: "required only when `schedule` is not empty". The days of the 3.3 shape are not ignored like other unknown members: the
 * request would end all hours of its agent or bot.
 */
export const weekly: typeof weekChecked = Object.assign((value: unknown, path: string) => {
  const older = isObject(value) ? WEEKDAYS.find((day) => value[day] !== undefined && value[day] !== null) : undefined;
  if (older !== undefined)
    refuse(
      'validation',
      `${quoted(`${path}.${older}`)} is the shape of version 3.3: later ones take \`timezone\` and \`schedule\``,
    );
  return weekChecked(value, path);
}, weekChecked);

/** The kept shape of the shape since 3.5. */
export function keepWeekly({ timezone = '', schedule = [] }: ReturnType<typeof weekMembers>): Scheduler {
  return { writtenBy: '3.6', timezone, schedule };
}

function readDaily(value: unknown, path: string): Scheduler {
  const given = daily(value, path);
  for (const day of given.keys()) oneOf(WEEKDAYS)(day, `${path}.${day}`);
  const schedule = WEEKDAYS.flatMap((day) => {
    const open = given.get(day);
    return open === undefined ? [] : [{ day, enabled: true, ...open }];
  });
  return { writtenBy: '3.3', timezone: '', schedule };
}

/** Reads the shape that a version takes. */
export function scheduler(version: ConfigurationVersion): JsonReader<Scheduler> {
  return has('dailyHours', version) ? readDaily : (value, path) => keepWeekly(weekly(value, path));
}

const NEVER_SET: Scheduler = { writtenBy: '3.3', timezone: '', schedule: [] };

/** The zone that a scheduler reads back with. */
export function timezoneReply(kept: Scheduler | undefined, settings: ConfigurationSettings): string {
  const own = kept?.timezone ?? '';
  return own === '' && settings.emptyTimezoneReadsAs === 'agent' ? settings.agentTimezone : own;
}

/** The shape that a version answers; undefined where the settings leave out what was never set. */
export function schedulerReply(
  kept: Scheduler | undefined,
  version: ConfigurationVersion,
  settings: ConfigurationSettings,
): object | undefined {
  if (kept === undefined && settings.unsetOnRead === 'omitted') return undefined;
  const known = kept ?? NEVER_SET;
  if (has('dailyHours', version)) return dailyReply(known, settings);
  return { timezone: timezoneReply(known, settings), schedule: known.schedule };
}

function dailyReply({ writtenBy, schedule }: Scheduler, settings: ConfigurationSettings): object {
  const newer = writtenBy === '3.6' && schedule.length > 0;
  const days = new Map(schedule.map(({ day, start, end }) => [day, { start, end }]));
  const lost = days.size < schedule.length || schedule.some(({ enabled }) => !enabled);
  if (newer && (lost || settings.newerSchedulerIn33 === 'validation'))
    refuse('validation', '`work_scheduler` has a shape that version 3.3 does not support');
  return Object.fromEntries(days);
}
