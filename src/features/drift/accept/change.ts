// Changes of the composed value, and the edits of files that make them. Each edit goes to the file that decides about the value, or to an overlay.

import { afterAll, type Edit, reach } from '../../../authoring/edit/edits.ts';
import { equalJson, isList, isObject, valueAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/model.ts';
import { SECTIONS } from '../../../manifest/sections.ts';
import type { Path, PlaceMark } from '../../../yaml/places.ts';
import { type Layers, layerOf, operationsOn, type WrittenLayer, writtenAt } from './layers.ts';
import { overriding } from './overriding.ts';

/** Why a difference is not accepted. */
export interface NotAccepted {
  /** One sentence without a full stop. */
  readonly reason: string;
  /** What must be changed first; null when that is no line of a file. */
  readonly mark: PlaceMark | null;
}

export function notAccepted(reason: string, mark: PlaceMark | null = null): NotAccepted {
  return { reason, mark };
}

export function isNotAccepted(changes: readonly Edit[] | NotAccepted): changes is NotAccepted {
  return 'reason' in changes;
}

export interface FileEdit {
  readonly file: string;
  readonly edit: Edit;
}

/** The value after changes that follow each other. */
export function changedValue(value: JsonObject, changes: readonly Edit[]): JsonObject {
  // What is gone needs no removal.
  const needed = changes.filter(({ op, path }) => op !== 'remove' || valueAt(value, path) !== undefined);
  const next = afterAll(value, needed).value;
  return isObject(next) ? next : value;
}

/** Which files an acceptance may change, and the overlay that takes what other files decide. */
export interface AcceptInto {
  readonly mayChange: (file: string) => boolean;
  /** One of the sheets; null without one. */
  readonly overlay: string | null;
}

/** Edits of files that may be changed. What stands in another file is overridden in the overlay. */
export function editsInto(
  { mayChange, overlay }: AcceptInto,
  change: Edit,
  layers: Layers,
): readonly FileEdit[] | NotAccepted {
  const edits = editsFor(change, layers);
  const barred = edits.find(({ file }) => !mayChange(file));
  if (barred === undefined) return edits;
  const index = layers.overlays.findIndex(({ sheet }) => sheet.file === overlay);
  if (overlay === null || index < 0)
    return notAccepted(`${barred.file} decides it: name that file, or an overlay after it, with --into`);
  return overriding(change, { overlay: index, layers }).map((edit) => ({ file: overlay, edit }));
}

function editsFor(change: Edit, layers: Layers): readonly FileEdit[] {
  const { value } = layers.composed;
  switch (change.op) {
    case 'set':
      return setting(change.path, valueAt(value, change.path), change.value, layers);
    case 'remove':
      return valueAt(value, change.path) === undefined ? [] : removing(change.path, layers);
    case 'insert': {
      const { file, path } = writtenAt(layers, change.path);
      return [{ file, edit: { ...change, path } }];
    }
    case 'order':
      return ordering(change.path, change.order, layers);
  }
}

/** An order of the items in their file. Items that operations of an overlay add between them are in no place of that file. */
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

/** Mappings are changed member by member, because their members may be from several files. */
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

/** Goes to the last overlay that deletes the member; without one, to the file of what holds the member. */
function adding(path: Path, value: Json, layers: Layers): FileEdit {
  const deleting = isMerged(path)
    ? layers.overlays.findLast(({ parsed }) => valueAt(parsed.value, path) === null)
    : null;
  if (deleting != null) return { file: deleting.sheet.file, edit: { op: 'set', path, value } };
  const depth = reach(layers.composed.value, path);
  const { file, path: at } = writtenAt(layers, path.slice(0, depth));
  return { file, edit: { op: 'set', path: [...at, ...path.slice(depth)], value } };
}

/** Whether a path is the same in overlays as in the composed value. */
function isMerged(path: Path): boolean {
  return (SECTIONS.find(({ name }) => name === path[0])?.depth ?? 0) > 0;
}

/** Removes a value where it is written, and in the overlays above that change it. */
function removing(path: Path, layers: Layers): readonly FileEdit[] {
  const written = writtenAt(layers, path);
  const above = layers.overlays.filter(
    ({ parsed }, index) =>
      isMerged(path) && index > (written.overlay ?? -1) && valueAt(parsed.value, path) !== undefined,
  );
  const inOverlays = above.map(({ sheet }): FileEdit => ({ file: sheet.file, edit: { op: 'remove', path } }));
  return [...inOverlays, ...operationsAbout(path, layers), removingThere(path, written, layers)];
}

/** Removes operations of overlays that name the item by its key: without the item, they would fail. */
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

function removingThere(path: Path, { file, path: at, overlay }: WrittenLayer, layers: Layers): FileEdit {
  const below = overlay === null ? undefined : layers.below[overlay];
  if (below !== undefined && isMerged(path) && valueAt(below.value, path) !== undefined) {
    return { file, edit: { op: 'set', path: at, value: null } };
  }
  const operations = operationsOn(at, layers, overlay);
  const isPut = operations > 0 && at.length === 3 && at[2] === 'value';
  if (!isPut) return { file, edit: { op: 'remove', path: at } };
  // An item that an operation adds is removed with the operation. Without any operation, the section is removed: an empty list would replace it.
  return { file, edit: { op: 'remove', path: at.slice(0, operations === 1 ? 1 : 2) } };
}
