// Work schedulers on the wire: the members of requests and replies, and the only place that knows the shape of 3.3.
// Specification: "Work scheduler".

import { ApiError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Json, JsonObject, LiveObject, Version } from '../base/model.ts';
import type { LicenseAction } from './actions.ts';
import { hasFeature } from './features.ts';
import type { Call, KindReader } from './kind.ts';
import type { HoursOwner, WorkScheduler } from './scheduler.ts';
import { entriesOf, isGone, isWanted, type ReplyRow, rowOf, rowsOf } from './wire.ts';

/** The members of a request that set a scheduler. What 3.3 cannot express was refused before. */
export function schedulerBody(hours: WorkScheduler | undefined, version: Version, worker: HoursOwner): JsonObject {
  if (hours === undefined) return {};
  if (hasFeature('weeklyHours', version)) return { work_scheduler: hours };
  const { schedule = [], timezone } = hours;
  const days = schedule.map(({ day, start = '', end = '' }) => [day, { start, end }] as const);
  const zone = worker === 'bot' && timezone !== undefined ? { timezone } : {};
  return { work_scheduler: Object.fromEntries(days), ...zone };
}

/** The scheduler of a seed, which has the shape since 3.5; what 3.3 reads was written in its own shape, and follows by `schedulerAfter`. */
export function seedScheduler({ work_scheduler: hours }: Scheduled, version: Version): JsonObject {
  const { timezone, schedule } = hours ?? {};
  return hasFeature('weeklyHours', version) && schedule !== undefined && timezone !== undefined
    ? { work_scheduler: { timezone, schedule } }
    : {};
}

/** The update that gives a seeded agent or bot its hours in 3.3; null when it has none. */
export function schedulerAfter(
  { id, spec: { work_scheduler: hours } }: LiveObject<Scheduled>,
  version: Version,
  worker: HoursOwner,
): Call | null {
  const { timezone, schedule } = hours ?? {};
  const isSet = schedule !== undefined && (schedule.length > 0 || timezone !== undefined);
  if (hasFeature('weeklyHours', version) || !isSet) return null;
  return { action: `update_${worker}`, body: { id, ...schedulerBody(hours, version, worker) } };
}

interface Scheduled {
  readonly work_scheduler?: WorkScheduler;
}

/** The scheduler of a row, in the shape since 3.5; empty when it was never set, null when 3.3 answers with the newer shape. */
function schedulerOf(action: LicenseAction, row: ReplyRow, version: Version): Json {
  const isWeekly = hasFeature('weeklyHours', version);
  const value = row.raw('work_scheduler') ?? (isWeekly ? { schedule: [] } : {});
  if (isWeekly) return value;
  if (isObject(value) && ('schedule' in value || 'timezone' in value)) return null;
  const timezone = row.raw('timezone');
  const schedule = entriesOf(action, value, 'work_scheduler').map(([day, hours]) => {
    const read = rowOf(action, hours, `work_scheduler.${day}`);
    return { day, enabled: true, start: read.text('start'), end: read.text('end') };
  });
  return { ...(timezone === undefined ? {} : { timezone }), schedule };
}

interface Listing {
  readonly list: 'list_agents' | 'list_bots';
  readonly get: 'get_agent' | 'get_bot';
  readonly fields: readonly string[];
  /** Further members of the list request. */
  readonly body?: JsonObject;
}

interface ListedWorkers {
  readonly rows: readonly ReplyRow[];
  /** The scheduler of a row: undefined when it was not read, null when 3.3 refuses to show it because it has the newer shape. */
  readonly scheduler: (row: ReplyRow) => Json | undefined;
}

/**
 * The rows of a list. 3.3 refuses the whole list when one scheduler in it has the newer shape: then the list is read without schedulers, and
 * those of interest are read one by one.
 */
export async function listWithSchedulers(reader: KindReader, listing: Listing): Promise<ListedWorkers> {
  const { list, get, fields, body = {} } = listing;
  const rowsWith = async (asked: readonly string[]): Promise<readonly ReplyRow[]> =>
    rowsOf(list, await reader.ask(list, { ...body, fields: [...asked] }));
  if (!fields.includes('work_scheduler')) return { rows: await rowsWith(fields), scheduler: () => undefined };
  try {
    return { rows: await rowsWith(fields), scheduler: (row) => schedulerOf(list, row, reader.version) };
  } catch (error) {
    if (hasFeature('weeklyHours', reader.version) || !isRefused(error)) throw error;
  }
  const zone = fields.filter((name) => name === 'timezone');
  const rows = await rowsWith(fields.filter((name) => name !== 'work_scheduler'));
  const wanted = rows.filter((row) => isWanted(reader.wanted, row));
  const read = await Promise.all(
    wanted.map(async (row): Promise<readonly [string, Json | undefined]> => {
      const id = row.text('id');
      try {
        const found = rowOf(get, await reader.ask(get, { id, fields: ['work_scheduler', ...zone] }));
        return [id, schedulerOf(get, found, reader.version)];
      } catch (error) {
        if (isRefused(error)) return [id, null];
        if (isGone(error)) return [id, undefined];
        throw error;
      }
    }),
  );
  const schedulers = new Map(read);
  return { rows, scheduler: (row) => schedulers.get(row.text('id')) };
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.failure.type === 'validation';
}
