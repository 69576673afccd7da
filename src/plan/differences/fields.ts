// Differences of an object, by field, and in maps by member: two people who change two members make no conflict. Membership is
// compared as edges, in edges.ts.

import type { DriftKind, Status } from '../../base/difference.ts';
import { digest } from '../../base/digest.ts';
import { isList, isObject } from '../../base/json.ts';
import type { DatedWeek, Json, JsonObject, LiveObject } from '../../base/model.ts';
import { dayAt, WEEKDAYS } from '../../base/week.ts';
import { DAY, wallOf } from '../../base/zone.ts';
import { type Field, perVersion } from '../../kinds/field.ts';
import { isMembership } from '../../kinds/index.ts';
import { exceptionOn, hoursOn, isSame, nextOf, WEEK, weekdayHours } from '../../routing/staff/dates.ts';
import { appliedDigest, isAsWanted, isPending, isUnread } from '../diff.ts';
import type { Draft } from '../draft.ts';
import type { FieldChange } from '../plan.ts';
import { aboutDraft, type DriftContext, type Sides, statusOf, waysOut } from './about.ts';
import type { Difference } from './difference.ts';

export function fieldDifferences(made: Draft, context: DriftContext): readonly Difference[] {
  const { object, desired } = made;
  if (object === null || desired === null) return [];
  const base = context.baseOf(made);
  return Object.entries(made.kind.fields).flatMap(([name, field]): readonly Difference[] => {
    const wish = desired[name];
    if (wish === undefined || field.option === true || isMembership(made.kind.name, name)) return [];
    const own: DeclaredField = { made, object, name, field, wish, base: base?.[name], context };
    if (isUnread(name, field, object, context.compared.live.version)) return hidden(own);
    const dated = name === made.kind.serving?.hours ? context.compared.desired.dated?.get(made.address) : undefined;
    if (dated !== undefined) return weekdays(own, dated);
    return field.shape === 'map' ? members(own) : whole(own);
  });
}

/** One declared field of an object. */
interface DeclaredField {
  readonly made: Draft;
  readonly object: LiveObject;
  readonly name: string;
  readonly field: Field;
  readonly wish: Json;
  readonly base: Json | undefined;
  readonly context: DriftContext;
}

interface FoundDifference {
  readonly status: Status;
  readonly kind: DriftKind;
  readonly path: readonly string[];
  readonly sides: Sides;
  readonly reason?: string | null;
}

function difference(
  { made, name, context }: DeclaredField,
  { status, kind, path, sides, reason }: FoundDifference,
): Difference {
  const change = changeOf(made, name);
  const reach = change?.reach ?? null;
  return {
    ...aboutDraft(made, context),
    status,
    kind,
    path,
    base: sides.base ?? null,
    live: sides.live ?? null,
    desired: sides.desired ?? null,
    reach,
    reason: reason ?? change?.reason ?? null,
    ways_out: waysOut(status, reach),
  };
}

function changeOf(made: Draft, name: string): FieldChange | undefined {
  return made.fields.find(({ field }) => field === name);
}

function readingOf({ made, name, field }: DeclaredField): Json | undefined {
  return made.live?.[name] ?? field.absent;
}

function whole(own: DeclaredField): readonly Difference[] {
  const { field, base, wish, context, name, object } = own;
  const sides = { base, live: readingOf(own), desired: wish };
  const status = statusOf(
    sides,
    (value, wanted) => value !== undefined && isAsWanted(field, value, wanted, context.compared.live.version),
  );
  if (status === null) return [];
  if (!isPending(field, object)) return [difference(own, { status, kind: 'changed', path: [name], sides })];
  // Where the token cannot approve, the object as a whole waits.
  if (!context.compared.drafting.mayApprove) return [];
  return [difference(own, { status: 'pending', kind: 'pending-approval', path: [name], sides })];
}

/** A declared map is complete: a member that it does not have is to be removed. */
function members(own: DeclaredField): readonly Difference[] {
  const { base, wish, name } = own;
  const reading = readingOf(own);
  const maps = [base, reading, wish].map((map) => (isObject(map) ? map : {}));
  const names = [...new Set(maps.flatMap((map) => Object.keys(map)))];
  return names.flatMap((member) => {
    const [before, live, desired] = maps.map((map) => map[member] ?? null);
    const sides: Sides = { base: base === undefined ? undefined : before, live, desired };
    const status = statusOf(sides);
    return status === null ? [] : [difference(own, { status, kind: 'changed', path: [name, member], sides })];
  });
}

/**
 * Hours with dates, weekday by weekday: the date changes one, and a person may have changed another. What only the date changed is due. A weekday
 * that has the hours of an exception cannot be accepted: they are no usual hours.
 */
function weekdays(own: DeclaredField, { hours, day }: DatedWeek): readonly Difference[] {
  const { field, base, wish, context } = own;
  const { version } = context.compared.live;
  const [applied, live, desired] = [base, readingOf(own), wish].map((value) =>
    value === undefined ? undefined : byWeekday(field.align?.(value, wish, version) ?? value),
  );
  return ['timezone', ...WEEKDAYS].flatMap((name): readonly Difference[] => {
    const [before, now, wanted] = [applied, live, desired].map((week) => week && (week[name] ?? null));
    const sides: Sides = { base: before, live: now, desired: wanted };
    const status = statusOf(sides);
    if (status === null) return [];
    const path = [own.name, name];
    const isHours = name !== 'timezone';
    if (status === 'pending' && isHours && isDue(own, { hours, day }, name, before))
      return [difference(own, { status, kind: 'due', path, sides, reason: DUE })];
    const exception = isHours ? exceptionOn(hours, nextOf(name, day)) : null;
    const found = difference(own, { status, kind: 'changed', path, sides });
    if (exception === null || !found.ways_out.includes('accept')) return [found];
    const { file, line } = exception.place;
    const reason = `these are the hours of ${wallOf(nextOf(name, day)).date} (${file}:${line}), which are no usual hours: change that date`;
    return [{ ...found, reason, ways_out: found.ways_out.filter((way) => way !== 'accept') }];
  });
}

const DUE = 'the next apply makes these hours';

/** The hours of a week by weekday, with their zone. */
function byWeekday(hours: Json): JsonObject {
  const { timezone, schedule } = isObject(hours) ? hours : {};
  const items = isList(schedule) ? schedule : [];
  const week = WEEKDAYS.map((name) => [name, items.filter((item) => isObject(item) && item['day'] === name)] as const);
  return { ...(timezone === undefined ? {} : { timezone }), ...Object.fromEntries(week) };
}

/** Whether a weekday was applied with its hours on a date between then and now. An apply that passes midnight has planned the day before. */
function isDue(
  { made, context }: DeclaredField,
  { hours, day }: DatedWeek,
  weekday: string,
  applied: Json | undefined,
): boolean {
  const at = context.compared.ledger.applied.get(made.address)?.at;
  if (at === undefined || !isList(applied)) return false;
  const known = weekdayHours(applied);
  const first = nextOf(weekday, dayAt(hours.timezone, Date.parse(at)) - DAY);
  for (let date = first; date <= nextOf(weekday, day); date += WEEK)
    if (isSame(hoursOn(hours, date), known)) return true;
  return false;
}

const NEVER_READ = 'it cannot be read back, so it is unknown whether it is still what was applied';
const NOT_READ = 'the service did not return it this time, so it is unknown whether it is still what was applied';

/** A field that was not read: only what was applied is known. */
function hidden(own: DeclaredField): readonly Difference[] {
  const { made, name, wish, base, context, field } = own;
  const { compared } = context;
  const applied = compared.ledger.applied.get(made.address) ?? null;
  const known = appliedDigest(name, { applied });
  const sides = { base, live: undefined, desired: wish };
  const change = changeOf(made, name);
  // The digest of a secret is that of the secret, not of the value that says where it is.
  const isOther = field.secret === true ? change?.reach === 'replace' : known !== undefined && known !== digest(wish);
  if (isOther) {
    // What another hand made again has a value of its own, which no file can have.
    const status = made.lost === null ? 'pending' : 'drift';
    const found = difference(own, { status, kind: 'changed', path: [name], sides });
    return [{ ...found, ways_out: found.ways_out.filter((way) => way !== 'accept') }];
  }
  const isNever = perVersion(field.readable, compared.live.version) !== 'list';
  const reason = change?.reason ?? (isNever ? NEVER_READ : NOT_READ);
  return [difference(own, { status: 'unknown', kind: 'unreadable', path: [name], sides, reason })];
}
