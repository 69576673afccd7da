// Where the members of a composed value are written: a file and a path in it for the whole, and for each member that is from elsewhere.

import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import type { Part, Path, PlaceMark, Source } from '../yaml/places.ts';

export interface ValueOrigin {
  readonly source: Source;
  readonly path: Path;
  /** Members that are not written at `path` of `source`. */
  readonly members: ReadonlyMap<string | number, ValueOrigin>;
}

/** A value made from several files. */
export interface Composed<Value extends Json = JsonObject> {
  readonly value: Value;
  readonly origin: ValueOrigin;
}

const NONE: ReadonlyMap<string | number, ValueOrigin> = new Map();

export function originAt(source: Source, path: Path, members = NONE): ValueOrigin {
  return { source, path, members };
}

export function memberOrigin({ source, path, members }: ValueOrigin, name: string | number): ValueOrigin {
  return members.get(name) ?? originAt(source, [...path, name]);
}

export function originOf(origin: ValueOrigin, path: Path): ValueOrigin {
  return path.reduce(memberOrigin, origin);
}

export function markOf(origin: ValueOrigin, path: Path, part: Part): PlaceMark {
  const { source, path: written } = originOf(origin, path);
  return source.mark(written, part);
}

/** The items of a list, each with its origin. */
export function itemsOf({ value, origin }: Composed<Json>): readonly Composed<Json>[] {
  return isList(value) ? value.map((item, index) => ({ value: item, origin: memberOrigin(origin, index) })) : [];
}

export function withItems({ source, path }: ValueOrigin, items: readonly Composed<Json>[]): Composed<readonly Json[]> {
  const members = new Map(items.map((item, index) => [index, item.origin]));
  return { value: items.map((item) => item.value), origin: originAt(source, path, members) };
}

/** The members of a mapping, each with its origin. */
export function membersOf({ value, origin }: Composed<Json>): readonly (readonly [string, Composed<Json>])[] {
  const members = isObject(value) ? Object.entries(value) : [];
  return members.map(([name, member]) => [name, { value: member, origin: memberOrigin(origin, name) }] as const);
}

export function withMembers(
  { source, path }: ValueOrigin,
  members: readonly (readonly [string, Composed<Json>])[],
): Composed {
  const origins = new Map(members.map(([name, { origin }]) => [name, origin]));
  return {
    value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
    origin: originAt(source, path, origins),
  };
}
