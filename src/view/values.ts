// Differences of two JSON values: mappings member by member, lists as sets, everything else as before and after.

import { canonicalJson, isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import type { Item } from './blocks.ts';
import { plain, value } from './plain.ts';

/** One difference inside a field: texts of the values, null on the side that has none. */
export interface MemberDifference {
  /** Deepest name last: `work_scheduler.timezone`. */
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The differences inside one field. */
export function memberChanges(
  name: string,
  before: Json | undefined,
  after: Json | undefined,
): readonly MemberDifference[] {
  if (before === undefined && after !== undefined) {
    const all: MemberDifference[] = [];
    eachAdded(name, after, (member, text) => all.push({ name: member, before: null, after: text }));
    return all;
  }
  const [old, wanted] = [membersOf(before, after), membersOf(after, before)];
  if (old !== null && wanted !== null) {
    const names = [...new Set([...Object.keys(old), ...Object.keys(wanted)])].sort();
    return names.flatMap((member) => memberChanges(`${name}.${plain(member)}`, old[member], wanted[member]));
  }
  const [had, wants] = [itemsOf(before, after), itemsOf(after, before)];
  if (had !== null && wants !== null) return itemChanges(name, had, wants);
  const [was, is] = [value(before), value(after)];
  if (was === is) return [];
  if (before === undefined || before === null) return [{ name, before: null, after: is }];
  return [{ name, before: was, after: after === undefined ? null : is }];
}

/** An absent value opposite a mapping counts as an empty mapping, so that it is compared member by member. */
function membersOf(json: Json | undefined, other: Json | undefined): JsonObject | null {
  if (json === undefined) return isObject(other) ? {} : null;
  return isObject(json) ? json : null;
}

function itemsOf(json: Json | undefined, other: Json | undefined): readonly Json[] | null {
  if (json === undefined) return isList(other) ? [] : null;
  return isList(json) ? json : null;
}

/** The fast way for the most frequent case, a value that was absent: the same as a comparison with an empty value. */
function eachAdded(name: string, after: Json, add: (name: string, text: string) => void): void {
  if (isObject(after)) {
    for (const member of Object.keys(after).sort()) eachAdded(`${name}.${plain(member)}`, after[member] ?? null, add);
  } else if (isList(after) && !after.every(isScalar)) {
    for (const item of new Set(after.map(inline))) add(name, item);
  } else if (after !== null) {
    add(name, value(after));
  }
}

/** A value on one line; member names without quotes where they need none. */
function inline(json: Json): string {
  if (!isObject(json)) return value(json);
  let text = '';
  for (const [name, member] of Object.entries(json))
    text += `${text === '' ? '' : ', '}${/^[a-z_]+$/.test(name) ? name : value(name)}: ${inline(member)}`;
  return `{ ${text} }`;
}

function isScalar(json: Json): boolean {
  return typeof json !== 'object';
}

function itemChanges(name: string, had: readonly Json[], wants: readonly Json[]): readonly MemberDifference[] {
  if (had.length === 0 && wants.every(isScalar)) return [{ name, before: null, after: value(wants) }];
  if (wants.length === 0 && had.every(isScalar)) return [{ name, before: value(had), after: null }];
  const old = new Set(had.map(inline));
  const wanted = new Set(wants.map(inline));
  return [
    ...[...old].filter((item) => !wanted.has(item)).map((item) => ({ name, before: item, after: null })),
    ...[...wanted].filter((item) => !old.has(item)).map((item) => ({ name, before: null, after: item })),
  ];
}

/** The members in which the sides of a value differ, as items with a value for each side; undefined is a side that has no part in it. */
export function sidesOfMembers(name: string, sides: readonly (Json | undefined)[]): readonly Item[] {
  const known = sides.filter((side) => side !== undefined);
  const texts = new Set(known.map((side) => canonicalJson(side)));
  if (texts.size < 2) return [];
  const there = known.filter((side) => side !== null);
  if (there.every(isObject)) {
    const names = [...new Set(there.flatMap(Object.keys))].sort();
    return names.flatMap((member) =>
      sidesOfMembers(
        `${name}.${member}`,
        sides.map((side) => (side === undefined ? undefined : isObject(side) ? (side[member] ?? null) : null)),
      ),
    );
  }
  if (there.every(isList) && (!there.flat().every(isScalar) || there.some((list) => list.length > MOST_WHOLE))) {
    const entries = sidesOfEntries(name, sides);
    if (entries.length > 0) return entries;
  }
  return [
    memberItem(
      name,
      sides.map((side) => (side === undefined ? undefined : jsonValue(side))),
    ),
  ];
}

/** Lists of texts with more entries show those that differ: in the whole lists no reader finds them. */
const MOST_WHOLE = 5;

/** Lists as sets: what not all sides have. Where no side has more than one such entry, they are one row. */
function sidesOfEntries(name: string, sides: readonly (Json | undefined)[]): readonly Item[] {
  const sets = sides.map((side) => (side === undefined ? undefined : new Set((isList(side) ? side : []).map(inline))));
  const all = [...new Set(sets.flatMap((set) => [...(set ?? [])]))];
  const differing = all.filter((entry) => sets.some((set) => set !== undefined && !set.has(entry)));
  const own = sets.map((set) => set && differing.filter((entry) => set.has(entry)));
  if (differing.length > 0 && own.every((entries) => entries === undefined || entries.length < 2))
    return [
      memberItem(
        name,
        own.map((entries) => entries && (entries[0] ?? null)),
      ),
    ];
  return differing.map((entry) =>
    memberItem(
      name,
      sets.map((set) => set && (set.has(entry) ? entry : null)),
    ),
  );
}

function memberItem(name: string, values: NonNullable<Item['values']>): Item {
  return { label: { text: name, as: 'field' }, values };
}

/** A value as a side shows it. */
export function jsonValue(json: Json): string | null {
  return json === null ? null : JSON.stringify(json);
}
