// Days on which a rule, a membership or a person counts (`from:` and `until:`), and what the files say on one of those days.

import { groupedBy } from '../base/grouped.ts';
import { isObject } from '../base/json.ts';
import type { Address, Coming, Json, JsonObject, Place, Reference } from '../base/model.ts';
import { dayOf } from '../base/week.ts';
import { DAY, wallOf } from '../base/zone.ts';
import { pointing } from '../kinds/fields.ts';
import { keepsOthers, NOT_IN } from '../kinds/priority.ts';
import { at, type Emit } from '../yaml/diagnostics.ts';
import type { Part, Path } from '../yaml/places.ts';
import { checkDaysExist } from './date-checks.ts';
import type { FileLint, FileLintId } from './near-keys.ts';
import type { DeclaredEntry } from './sections.ts';

/** The first and the last day, as `dayOf` returns them; null where there is no bound. */
interface Period {
  readonly from: number | null;
  readonly until: number | null;
}

/** A membership with days: `ann@example.com: { priority: first, until: 2026-12-24 }`. */
interface DatedMember {
  readonly address: Address;
  readonly field: string;
  readonly key: string;
  readonly written: JsonObject;
  readonly path: Path;
}

/** Something with days, and where it is written. */
interface Dated {
  readonly address: Address;
  readonly member: string | null;
  readonly outside: Outside;
  readonly written: JsonObject;
  readonly path: Path;
}

/** What becomes of it outside its days: it is not desired, or it is retired. */
type Outside = 'absent' | 'retired';

/** The entries with priorities alone, as if each membership had no days; and the memberships that have days. */
export function withoutPeriods(written: readonly DeclaredEntry[]): {
  readonly entries: readonly DeclaredEntry[];
  readonly members: readonly DatedMember[];
} {
  const members: DatedMember[] = [];
  const entries = written.map((entry) => {
    const own = membersIn(entry);
    members.push(...own);
    return own.length === 0 ? entry : { ...entry, value: withPriorities(entry.value, own) };
  });
  return { entries, members };
}

function withPriorities(value: Json, members: readonly DatedMember[]): Json {
  if (!isObject(value)) return value;
  const fields = Array.from(
    groupedBy(members, ({ field }) => field),
    ([field, own]) => {
      const map = value[field];
      const priorities = Object.fromEntries(own.map(({ key, written }) => [key, written['priority'] ?? null]));
      return [field, isObject(map) ? { ...map, ...priorities } : priorities] as const;
    },
  );
  return { ...value, ...Object.fromEntries(fields) };
}

function membersIn({ kind, address, value, path }: DeclaredEntry): readonly DatedMember[] {
  if (!isObject(value)) return [];
  return pointing(kind).flatMap(({ name: field, pointer }) => {
    const map = pointer.at === 'keys' ? value[field] : undefined;
    if (!isObject(map)) return [];
    return Object.entries(map).flatMap(([key, written]): readonly DatedMember[] =>
      isObject(written) && typeof written['priority'] === 'string'
        ? [{ address, field, key, written, path: [...path, field, key] }]
        : [],
    );
  });
}

/** Everything with days. */
function datedIn(entries: readonly DeclaredEntry[], members: readonly DatedMember[]): readonly Dated[] {
  const own = entries.flatMap(({ kind, address, value, path }): readonly Dated[] =>
    kind.outside !== undefined && isObject(value) && hasPeriod(value)
      ? [{ address, member: null, outside: kind.outside, written: value, path }]
      : [],
  );
  return [
    ...own,
    ...members
      .filter(({ written }) => hasPeriod(written))
      .map(({ address, key, written, path }) => ({ address, member: key, outside: 'absent' as const, written, path })),
  ];
}

function hasPeriod({ from, until }: JsonObject): boolean {
  return from !== undefined || until !== undefined;
}

function periodOf({ from, until }: JsonObject): Period {
  return {
    from: typeof from === 'string' ? dayOf(from) : null,
    until: typeof until === 'string' ? dayOf(until) : null,
  };
}

function isOn({ from, until }: Period, day: number): boolean {
  return (from === null || day >= from) && (until === null || day <= until);
}

/** A day, and the zone in which it begins. */
export interface ZonedDay {
  readonly timezone: string;
  readonly day: number;
}

/** Mistakes in days, and what is over. `today` is asked only where something has days. */
export function checkPeriods(
  entries: readonly DeclaredEntry[],
  members: readonly DatedMember[],
  { today, lintOf }: { readonly today: () => ZonedDay; readonly lintOf: (lint: FileLintId) => FileLint },
  emit: Emit,
): void {
  for (const { address, member, outside, written, path } of datedIn(entries, members)) {
    checkDaysExist(written, ['from', 'until'], path, emit);
    const { from, until } = periodOf(written);
    if (from !== null && until !== null && until < from) {
      const message = `${wallOf(until).date} is before ${wallOf(from).date}`;
      emit(at([...path, 'until'], 'value', 'bad-range', message, 'write the last day'));
    }
    if (outside === 'retired' && written['suspended'] !== undefined) {
      const message = '`suspended` cannot be combined with `from` and `until`, outside of which the agent is suspended';
      emit(at([...path, 'suspended'], 'key', 'exclusive-fields', message, 'remove it, or the days'));
    }
    const { level, isExcepted } = lintOf('expired');
    if (until === null || level === 'off' || isExcepted(address) || until >= today().day) continue;
    const what = member === null ? address : `${member} in ${address}`;
    const message = `the last day of ${what} was ${wallOf(until).date}`;
    const remedy =
      outside === 'absent' ? 'remove it, or correct the day' : 'write `suspended: true` instead, or correct the day';
    emit({ ...at([...path, 'until'], 'value', 'expired', message, remedy), severity: level });
  }
}

/** What the files say on a day. */
export interface OnTheDay {
  readonly entries: readonly DeclaredEntry[];
  /** Rules outside their days. */
  readonly absent: ReadonlySet<Reference>;
  /** People outside their days: retired, and not made. */
  readonly waiting: ReadonlySet<Address>;
  /** What begins or ends later. */
  readonly coming: readonly Coming[];
  /** The day that decided; null where nothing has days. */
  readonly day: ZonedDay | null;
}

/** Only for entries without errors. */
export function withinPeriods(
  entries: readonly DeclaredEntry[],
  members: readonly DatedMember[],
  today: () => ZonedDay,
  placeAt: (path: Path, part: Part) => Place,
): OnTheDay {
  const dated = datedIn(entries, members);
  if (dated.length === 0) return { entries, absent: new Set(), waiting: new Set(), coming: [], day: null };
  const now = today();
  const isOff = ({ written }: Pick<Dated, 'written'>): boolean => !isOn(periodOf(written), now.day);
  const own = dated.filter(({ member }) => member === null);
  const off = (outside: Outside) =>
    new Set(own.filter((each) => each.outside === outside && isOff(each)).map(({ address }) => address));
  const [absent, waiting] = [off('absent'), off('retired')];
  const seasonal = new Set(own.filter(({ outside }) => outside === 'retired').map(({ address }) => address));
  const gone = groupedBy(members.filter(isOff), ({ address }) => address);
  const ofDay = entries
    .filter(({ address }) => !absent.has(address))
    .map((entry): DeclaredEntry => {
      const value = (gone.get(entry.address) ?? []).reduce(
        (left: Json, { field, key }) => withoutMember(left, field, key),
        entry.value,
      );
      const retired = entry.kind.retired ?? {};
      if (!seasonal.has(entry.address) || !isObject(value)) return value === entry.value ? entry : { ...entry, value };
      const state = waiting.has(entry.address) ? retired : absentFields(entry, Object.keys(retired));
      return { ...entry, value: { ...value, ...state } };
    });
  const coming = dated.flatMap((each): readonly Coming[] => {
    const { from, until } = periodOf(each.written);
    const about = { address: each.address, member: each.member, timezone: now.timezone };
    const { priority } = each.written;
    const joins = typeof priority === 'string' ? { ...about, priority } : about;
    const place = placeAt(each.path, 'key');
    return [
      ...(from !== null && from > now.day ? [{ ...joins, change: 'begins', day: from, place } as const] : []),
      ...(until !== null && until >= now.day ? [{ ...about, change: 'ends', day: until + DAY, place } as const] : []),
    ];
  });
  return { entries: ofDay, absent, waiting, coming, day: now };
}

function withoutMember(value: Json, field: string, key: string): Json {
  const map = isObject(value) ? value[field] : undefined;
  if (!isObject(value) || !isObject(map)) return value;
  const { [key]: _, ...rest } = map;
  // Who is not named in such a map would stay.
  return { ...value, [field]: keepsOthers(map) ? { ...map, [key]: NOT_IN } : rest };
}

/** What the fields are of an object that is not retired. */
function absentFields({ kind }: DeclaredEntry, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, kind.fields[name]?.absent ?? null]));
}
