// What shall become of the composed value in; the edits of the files that it is written in out. Each edit goes to the file that has the last word on
// what it changes.

import { equalJson, isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import { SECTIONS } from '../../manifest/sections.ts';
import type { Path } from '../../yaml/mark.ts';
import { after, type Edit, reach, valueAt } from '../edit/edits.ts';
import { type Layers, layerOf, operationsOn, type Written, writtenAt } from './layers.ts';

/** A change of the composed value. */
export type Change =
  | { readonly op: 'set'; readonly path: Path; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Path }
  | { readonly op: 'insert'; readonly path: Path; readonly index: number; readonly value: Json }
  | { readonly op: 'order'; readonly path: Path; readonly order: readonly number[] };

export interface FileEdit {
  readonly file: string;
  readonly edit: Edit;
}

/** The composed value after a change. */
export function changedValue(value: JsonObject, change: Change): JsonObject {
  const next = ((): Json => {
    switch (change.op) {
      case 'set':
        return after(value, { ...change, op: 'replace' });
      case 'insert':
        return after(value, { op: 'insert', path: change.path, index: change.index, items: [change.value] });
      case 'remove':
        return valueAt(value, change.path) === undefined ? value : after(value, change);
      case 'order':
        return after(value, change);
    }
  })();
  return isObject(next) ? next : value;
}

export function editsFor(change: Change, layers: Layers): readonly FileEdit[] {
  const { value } = layers.composed;
  switch (change.op) {
    case 'set':
      return setting(change.path, valueAt(value, change.path), change.value, layers);
    case 'remove':
      return valueAt(value, change.path) === undefined ? [] : removing(change.path, layers);
    case 'insert': {
      const { file, path } = writtenAt(layers, change.path);
      return [{ file, edit: { op: 'insert', path, index: change.index, value: change.value } }];
    }
    case 'order':
      return ordering(change.path, change.order, layers);
  }
}

/** In the file that has the items that move; what operations put between them stands in none of its places. */
function ordering(path: Path, order: readonly number[], layers: Layers): readonly FileEdit[] {
  const places = order.map((_, index) => writtenAt(layers, [...path, index]));
  const moving = order.flatMap((from, to) => (from === to ? [] : [[from, to] as const]));
  const first = places[moving[0]?.[1] ?? -1];
  const layer = first === undefined ? undefined : layerOf(layers, first.file);
  if (first === undefined || layer === undefined) return [];
  const at = first.path.slice(0, -1);
  const items = valueAt(layer.parsed.value, at);
  const there = [...(isList(items) ? items.keys() : [])];
  const indexOf = (index: number): number => Number(places[index]?.path.at(-1));
  for (const [from, to] of moving) there[indexOf(to)] = indexOf(from);
  return [{ file: first.file, edit: { op: 'order', path: at, order: there } }];
}

/** Mappings are looked into, because their members may come from several files; anything else comes from one. */
function setting(path: Path, before: Json | undefined, value: Json, layers: Layers): readonly FileEdit[] {
  if (before === undefined) return [adding(path, value, layers)];
  if (equalJson(before, value)) return [];
  if (isObject(before) && isObject(value)) {
    const kept = Object.entries(value).flatMap(([name, member]) =>
      setting([...path, name], Object.hasOwn(before, name) ? before[name] : undefined, member, layers),
    );
    const gone = Object.keys(before).filter((name) => !Object.hasOwn(value, name));
    return [...kept, ...gone.flatMap((name) => removing([...path, name], layers))];
  }
  const { file, path: at } = writtenAt(layers, path);
  return [{ file, edit: { op: 'set', path: at, value } }];
}

/** An overlay that deletes the member has the last word on it; otherwise the file of what holds it. */
function adding(path: Path, value: Json, layers: Layers): FileEdit {
  const deleting = isMerged(path)
    ? layers.overlays.findLast(({ parsed }) => valueAt(parsed.value, path) === null)
    : null;
  if (deleting != null) return { file: deleting.sheet.file, edit: { op: 'set', path, value } };
  const depth = reach(layers.composed.value, path);
  const { file, path: at } = writtenAt(layers, path.slice(0, depth));
  return { file, edit: { op: 'set', path: [...at, ...path.slice(depth)], value } };
}

/** Whether overlays have the same path to it as the composed value. */
function isMerged(path: Path): boolean {
  return (SECTIONS.find(({ name }) => name === path[0])?.depth ?? 0) > 0;
}

/** Wherever it is written, unless an overlay has the last word on what stands below it: that deletes it there. */
function removing(path: Path, layers: Layers): readonly FileEdit[] {
  const written = writtenAt(layers, path);
  const above = layers.overlays.filter(
    ({ parsed }, index) =>
      isMerged(path) && index > (written.overlay ?? -1) && valueAt(parsed.value, path) !== undefined,
  );
  const covers = above.map(({ sheet }): FileEdit => ({ file: sheet.file, edit: { op: 'remove', path } }));
  return [...covers, ...operationsAbout(path, layers), removingThere(path, written, layers)];
}

/** Operations that name an item of the list by its key have nothing to change without it. */
function operationsAbout(path: Path, layers: Layers): readonly FileEdit[] {
  const [section = '', index] = path;
  const item = valueAt(layers.composed.value, path);
  if (typeof index !== 'number' || path.length !== 2 || !isObject(item)) return [];
  const pointer = `/${String(item['key']).replaceAll('~', '~0').replaceAll('/', '~1')}/`;
  const isAbout = (operation: Json): boolean =>
    isObject(operation) && [operation['path'], operation['from']].some((at) => `${String(at)}/`.startsWith(pointer));
  return layers.overlays.flatMap(({ sheet: { file }, parsed }, overlay): readonly FileEdit[] => {
    const count = operationsOn(path, layers, overlay);
    const operations = valueAt(parsed.value, [section]);
    const about =
      isList(operations) && count > 0 ? [...operations.keys()].filter((at) => isAbout(operations[at] ?? null)) : [];
    if (about.length > 0 && about.length === count) return [{ file, edit: { op: 'remove', path: [section] } }];
    return about.toReversed().map((at) => ({ file, edit: { op: 'remove', path: [section, at] } }));
  });
}

function removingThere(path: Path, { file, path: at, overlay }: Written, layers: Layers): FileEdit {
  const below = overlay === null ? undefined : layers.below[overlay];
  if (below !== undefined && isMerged(path) && valueAt(below.value, path) !== undefined) {
    return { file, edit: { op: 'set', path: at, value: null } };
  }
  const operations = operationsOn(at, layers, overlay);
  const isPut = operations > 0 && at.length === 3 && at[2] === 'value';
  if (!isPut) return { file, edit: { op: 'remove', path: at } };
  // What an operation put into the list goes with the operation. No operations at all would be a list without items.
  return { file, edit: { op: 'remove', path: at.slice(0, operations === 1 ? 1 : 2) } };
}
