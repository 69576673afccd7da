// The license and the objects that nothing declares in; for each of them the entry that an import would write, as changes of the files, out.

import type { KindName, ObjectId } from '../../base/model.ts';
import type { PlanInput } from '../../plan/input.ts';
import { escaped } from '../../yaml/substitute.ts';
import type { Difference } from '../drift/report.ts';
import { valueAt } from '../edit/edits.ts';
import { objectKey } from '../import/candidates.ts';
import type { Choice } from '../import/imported.ts';
import { isListed, pathOf } from '../import/manifest-value.ts';
import { settle } from '../import/settle.ts';
import type { Change } from './change.ts';
import type { Left } from './changes.ts';
import type { Scene } from './scene.ts';

/** How objects that nothing declares become entries. */
export interface Declaring {
  readonly changesFor: (item: Difference, scene: Scene) => readonly Change[] | Left;
  /** The key of an object that gets an entry in the same run; null for any other. */
  readonly keyOf: (kind: KindName, id: ObjectId) => string | null;
}

/** All of them at once, because they refer to each other. */
export function declaringOf(items: readonly Difference[], license: PlanInput, maker: Choice['maker']): Declaring {
  const asked = new Set(
    items.flatMap(({ kind, type, id }) => (kind === 'unmanaged' && id !== null ? [objectKey(type, id)] : [])),
  );
  if (asked.size === 0) return { changesFor: () => [], keyOf: () => null };
  const { imported, desired } = settle(license, {
    selects: (_, { kind, id }) => asked.has(objectKey(kind, id)),
    externals: 'left',
    withIds: false,
    maker,
  });
  const found = new Map(imported.entries.map((entry) => [objectKey(entry.kind, entry.id), entry]));
  return {
    keyOf: (kind, id) => found.get(objectKey(kind, id))?.key ?? null,
    changesFor: ({ type, id }, { layers, entries }) => {
      const entry = id === null ? undefined : found.get(objectKey(type, id));
      if (entry === undefined) {
        const told = imported.leftOut.find((each) => each.type === type && String(each.id) === String(id));
        return { reason: told?.reason ?? 'it can be declared nowhere', mark: null };
      }
      const { value } = layers.composed;
      const lookups = imported.lookedUp.filter((each) => valueAt(value, pathOf(each)) === undefined);
      const before = lookups.map((each): Change => ({ op: 'set', path: pathOf(each), value: escaped(each.value) }));
      const path = pathOf(entry);
      if (!isListed(type)) return [...before, { op: 'set', path, value: escaped(entry.value) }];
      const place = desired.ruleOrder.indexOf(entry.address);
      const above = desired.ruleOrder.slice(0, place).findLast((address) => entries.has(address));
      const index = above === undefined ? 0 : Number(entries.get(above)?.path.at(-1)) + 1;
      if (valueAt(value, path) === undefined) return [...before, { op: 'set', path, value: [escaped(entry.value)] }];
      return [...before, { op: 'insert', path, index, value: escaped(entry.value) }];
    },
  };
}
