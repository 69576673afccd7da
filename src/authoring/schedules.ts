// Hours that several imported entries have, as named schedules: a calendar reaches all of them at one place.

import { countedBy } from '../base/grouped.ts';
import { canonicalJson, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';
import { workScheduler } from '../kinds/scheduler.ts';
import type { ImportEntry } from './entry.ts';

export interface NamedHours {
  readonly entries: readonly ImportEntry[];
  /** Those that the files do not have yet, in the order of the entries. */
  readonly schedules: JsonObject;
}

/** Characters of a name that says what the hours are. */
const LONGEST_NAME = 40;

/** @param declared - `schedules:` of the files */
export function withNamedSchedules(entries: readonly ImportEntry[], declared: JsonObject): NamedHours {
  const written = entries.map(hoursOf).filter((hours) => hours !== null);
  const counts = countedBy(written, identityOf);
  const names = new Map(
    Object.entries(declared).flatMap(([name, hours]) => (isPlain(hours) ? [[identityOf(hours), name] as const] : [])),
  );
  const schedules: Record<string, Json> = {};
  const named = (hours: JsonObject): string | null => {
    const identity = identityOf(hours);
    const known = names.get(identity);
    if (known !== undefined || (counts.get(identity) ?? 0) < 2) return known ?? null;
    const name = freeName(hours, { ...declared, ...schedules });
    names.set(identity, name);
    schedules[name] = hours;
    return name;
  };
  const changed = entries.map((entry): ImportEntry => {
    const hours = hoursOf(entry);
    const name = hours === null ? null : named(hours);
    const field = KINDS[entry.kind].serving?.hours;
    return name === null || field === undefined || !isObject(entry.value)
      ? entry
      : { ...entry, value: { ...entry.value, [field]: name } };
  });
  return { entries: changed, schedules };
}

function hoursOf({ kind, value }: ImportEntry): JsonObject | null {
  const field = KINDS[kind].serving?.hours;
  const hours = field === undefined || !isObject(value) ? undefined : value[field];
  return isObject(hours) && isPlain(hours) ? hours : null;
}

/** Without dates. */
function isPlain(hours: Json): hours is JsonObject {
  if (!isObject(hours)) return false;
  const { schedule, timezone, ...others } = hours;
  return Object.keys(others).length === 0 && typeof schedule === 'object' && typeof timezone === 'string';
}

/** Equal for the same hours, in whatever form they are written. */
function identityOf(hours: JsonObject): string {
  return canonicalJson(workScheduler.canonical(hours));
}

/** `mon-fri-0900-1700`; with the city of the zone where another zone has these hours. */
function freeName({ schedule, timezone }: JsonObject, taken: JsonObject): string {
  const city = String(timezone).split('/').at(-1)?.toLowerCase().replaceAll('_', '-') ?? '';
  const week = isObject(schedule) ? weekName(schedule) : 'hours';
  const usual = week.length > LONGEST_NAME ? 'hours' : week;
  const base = [usual, `${usual}-${city}`].find((name) => !Object.hasOwn(taken, name));
  if (base !== undefined) return base;
  for (let count = 2; ; count += 1) {
    const name = `${usual}-${city}-${count}`;
    if (!Object.hasOwn(taken, name)) return name;
  }
}

function weekName(schedule: JsonObject): string {
  return Object.entries(schedule)
    .flatMap(([days, spans]) => [days, ...[spans].flat().map((span) => String(span).replaceAll(':', ''))])
    .join('-');
}
