// Entries for unmanaged objects that are accepted: those that an import would write, as changes of the manifest.

import { objectKey } from '../../../authoring/candidates.ts';
import type { Edit } from '../../../authoring/edit/edits.ts';
import type { ImportChoice } from '../../../authoring/imported.ts';
import { settle } from '../../../authoring/settle.ts';
import { valueAt } from '../../../base/json.ts';
import type { Address, KindName, ObjectId } from '../../../base/model.ts';
import { oncePer } from '../../../base/once-per.ts';
import { entryPath, isListed } from '../../../manifest/sections.ts';
import { escaped } from '../../../manifest/substitute.ts';
import type { Difference } from '../../../plan/differences/difference.ts';
import type { PlanInput } from '../../../plan/input.ts';
import { type NotAccepted, notAccepted } from './change.ts';
import type { Declarations } from './declarations.ts';

/** How unmanaged objects become entries. */
export interface Declaring {
  readonly changesFor: (item: Difference, declared: Declarations) => readonly Edit[] | NotAccepted;
  /** Place of the entry of an unmanaged object in its list; 0 for one of no list. */
  readonly placeOf: (item: Difference) => number;
  /** The key of an object that gets an entry in this run; null for any other. */
  readonly keyOf: (kind: KindName, id: ObjectId) => string | null;
}

/** For all of them at once, because they refer to each other. */
export function declaringOf(items: readonly Difference[], license: PlanInput, maker: ImportChoice['maker']): Declaring {
  const asked = new Set(
    items.flatMap(({ kind, type, id }) => (kind === 'unmanaged' && id !== null ? [objectKey(type, id)] : [])),
  );
  if (asked.size === 0) return { changesFor: () => [], placeOf: () => 0, keyOf: () => null };
  const { imported, desired } = settle(license, {
    selects: (_, { kind, id }) => asked.has(objectKey(kind, id)),
    externals: 'left',
    withIds: false,
    maker,
  });
  const found = new Map(imported.entries.map((entry) => [objectKey(entry.kind, entry.id), entry]));
  const reasons = new Map(imported.leftOut.map(({ type, id, reason }) => [objectKey(type, id), reason]));
  const places = new Map(desired.ruleOrder.map((address, place) => [address, place]));
  /** Index of each entry in its list as it is now: below the next declared one above it. */
  const indexesIn = oncePer((entries: Declarations['entries']): ReadonlyMap<Address, number> => {
    let index = 0;
    return new Map(
      desired.ruleOrder.map((address) => {
        const own = [address, index] as const;
        const declared = entries.get(address);
        if (declared !== undefined) index = Number(declared.path.at(-1)) + 1;
        return own;
      }),
    );
  });
  return {
    placeOf: ({ type, id }) => {
      const entry = found.get(objectKey(type, id ?? ''));
      return (entry === undefined ? undefined : places.get(entry.address)) ?? 0;
    },
    keyOf: (kind, id) => found.get(objectKey(kind, id))?.key ?? null,
    changesFor: ({ type, id }, { layers, entries }) => {
      const object = objectKey(type, id ?? '');
      const entry = found.get(object);
      if (entry === undefined) return notAccepted(reasons.get(object) ?? 'a manifest cannot declare it');
      const { value } = layers.composed;
      const lookups = imported.lookedUp.filter((each) => valueAt(value, entryPath(each)) === undefined);
      const before = lookups.map((each): Edit => ({ op: 'set', path: entryPath(each), value: escaped(each.value) }));
      const path = entryPath(entry);
      if (!isListed(type)) return [...before, { op: 'set', path, value: escaped(entry.value) }];
      const index = indexesIn(entries).get(entry.address) ?? 0;
      if (valueAt(value, path) === undefined) return [...before, { op: 'set', path, value: [escaped(entry.value)] }];
      return [...before, { op: 'insert', path, index, items: [escaped(entry.value)] }];
    },
  };
}
