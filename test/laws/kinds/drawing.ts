// How the laws draw one kind that stands by itself: a file each, listed in index.ts. Agents, groups, bots, templates, rules and properties are drawn
// together, in wish.ts, because they refer to each other.

import type fc from 'fast-check';
import type { Json, JsonObject, KindName, ObjectId, Reference, Spec, Version } from '../../../src/base/model.ts';
import type { Declared } from '../../desired.ts';
import type { Records } from '../records.ts';
import type { Entry } from '../slots.ts';

/** Where a wish is declared. */
export interface Placed {
  /** The group of a column, if this manifest declares it or may refer to it. */
  readonly groupAt: (column: number) => Reference | null;
  /** A group that is always there. */
  readonly general: () => Reference;
  /** The id of the group on the license; undefined before it is made. */
  readonly idOf: (group: Reference) => ObjectId | undefined;
  /** The id of the object on the license that the ledger binds; undefined without one. */
  readonly bound: (kind: KindName, key: string) => ObjectId | undefined;
  readonly entry: (kind: KindName, key: string, spec: Spec, how: Omit<Entry, 'spec'>) => Declared;
  readonly records: Records;
}

/** An object as the emulator has it, by the names of a manifest, with ids in the place of references. */
export interface Recorded {
  readonly id: ObjectId;
  /** What a person knows it by; no other object of the kind is named so. */
  readonly name: string;
  readonly fields: { readonly [field: string]: Json | undefined };
  /** Owner client, of objects that are read client by client. */
  readonly client?: string;
  /** Nothing removes it: it came with the license. */
  readonly preset?: true;
}

/** A request past chatform. `path`: version and API; default: 3.6 of the Configuration API. */
export interface HandCall {
  readonly action: string;
  readonly body: JsonObject;
  readonly path?: string;
}

/** `Wish` is JSON, so that a failure can be read. */
export interface Drawing<Wish = unknown, Edit = unknown> {
  readonly kind: KindName;
  readonly versions: readonly Version[];
  /** What a manifest may say of one object. */
  readonly spec: fc.Arbitrary<Spec>;
  readonly wish: fc.Arbitrary<Wish>;
  /** Valid on the license on which it is declared. */
  declared(wish: Wish, placed: Placed): readonly Declared[];
  /** What a person changes by hand. */
  readonly edit: fc.Arbitrary<Edit>;
  /** Nothing where there is no such object. */
  calls(edit: Edit, records: Records): readonly HandCall[];
  recorded(records: Records): readonly Recorded[];
  /** The section of two manifests, such that from the first to the second objects are made, changed and deleted. Groups: upheaval.ts. */
  readonly upheaval: { readonly before: Json; readonly after: Json };
}

/** One of the objects that are there, whatever they are. */
export const pick = <T>(items: readonly T[], index: number): T | undefined => items[index % Math.max(1, items.length)];

/** Ids of groups that are there. */
export function groupIds({ groups }: Records, indexes: readonly number[]): readonly number[] {
  return [...new Set(indexes.flatMap((index) => pick(groups, index)?.id ?? []))];
}

export const UPHEAVAL_CLIENT = 'client-1';
