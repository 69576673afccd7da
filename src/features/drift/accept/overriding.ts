// Edits of one overlay that override what the files below it say: members of mappings by a merge patch, a list by operations.

import type { Edit } from '../../../authoring/edit/edits.ts';
import { equalJson, isList, isObject, valueAt } from '../../../base/json.ts';
import type { Json } from '../../../base/model.ts';
import { PATCHABLE } from '../../../manifest/sections.ts';
import type { Path } from '../../../yaml/places.ts';
import type { Layers } from './layers.ts';

interface Overriding {
  /** Index of the overlay. */
  readonly overlay: number;
  readonly layers: Layers;
}

/** Edits of the overlay that make the change, as far as no later overlay decides. */
export function overriding(change: Edit, of: Overriding): readonly Edit[] {
  const { layers, overlay } = of;
  const section = PATCHABLE.find(({ name }) => name === change.path[0]);
  const before = valueAt(layers.composed.value, change.path);
  const isWhole = change.op === 'set' && change.path.length === 1;
  if (section !== undefined && !isWhole) {
    const operations = operationsFor(change, layers.composed.value, section);
    const there = valueAt(layers.overlays[overlay]?.parsed.value ?? null, [section.name]);
    if (!isList(there)) return [{ op: 'set', path: [section.name], value: operations }];
    return [{ op: 'insert', path: [section.name], index: there.length, items: operations }];
  }
  if (change.op === 'set') return setting(change.path, before, change.value, of);
  return change.op === 'remove' && before !== undefined ? removing(change.path, of) : [];
}

/** A merge patch merges mappings, so what a new one lacks is deleted. */
function setting(path: Path, before: Json | undefined, value: Json, of: Overriding): readonly Edit[] {
  if (before !== undefined && equalJson(before, value)) return [];
  if (!isObject(before) || !isObject(value)) return [{ op: 'set', path, value }];
  const kept = Object.entries(value).flatMap(([name, member]) => setting([...path, name], before[name], member, of));
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(value, name));
  return [...kept, ...gone.flatMap((name) => removing([...path, name], of))];
}

/** RFC 7396: null deletes what the files below have. */
function removing(path: Path, { overlay, layers }: Overriding): readonly Edit[] {
  const below = layers.below[overlay];
  if (below !== undefined && valueAt(below.value, path) !== undefined) return [{ op: 'set', path, value: null }];
  return [{ op: 'remove', path }];
}

type Operation = { readonly op: string; readonly path: string; readonly from?: string; readonly value?: Json };

/** JSON Patch (RFC 6902), with keys for indexes. */
function operationsFor(change: Edit, value: Json, { name, called }: (typeof PATCHABLE)[number]): readonly Operation[] {
  const items = valueAt(value, [name]);
  const names = (isList(items) ? items : []).map((item, index) => {
    const key = isObject(item) ? item[called] : undefined;
    return typeof key === 'string' && !/^(\d+|-)$/.test(key) ? key : String(index);
  });
  const pointer = ([, index, ...rest]: Path): string =>
    [names[Number(index)] ?? '-', ...rest]
      .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join('');
  const at = (index: number): string => pointer([name, index]);
  switch (change.op) {
    case 'set': {
      const op = valueAt(value, change.path) === undefined ? 'add' : 'replace';
      return [{ op, path: pointer(change.path), value: change.value }];
    }
    case 'remove':
      return [{ op: 'remove', path: pointer(change.path) }];
    case 'insert':
      return change.items.map((item) => ({ op: 'add', path: at(change.index), value: item }));
    case 'order':
      return movesTo(change.order).map(([from, before]) => ({ op: 'move', from: at(from), path: at(before) }));
  }
}

/** Moves of items before others that lead to an order; the number of items means the end. The shorter way from either end. */
function movesTo(order: readonly number[]): readonly (readonly [from: number, before: number])[] {
  const forward: (readonly [number, number])[] = [];
  const backward: (readonly [number, number])[] = [];
  const ahead = [...order.keys()];
  const behind = [...order.keys()];
  for (const [place, item] of order.entries()) {
    const now = ahead[place];
    if (now === undefined || now === item) continue;
    forward.push([item, now]);
    ahead.splice(place, 0, ...ahead.splice(ahead.indexOf(item), 1));
  }
  for (const [place, item] of [...order.entries()].reverse()) {
    if (behind[place] === item) continue;
    backward.push([item, order[place + 1] ?? order.length]);
    behind.splice(place, 0, ...behind.splice(behind.indexOf(item), 1));
  }
  return backward.length < forward.length ? backward : forward;
}
