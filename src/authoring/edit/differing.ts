// The fewest steps from one value to another. Items of a list are matched by what they are, not by their index, so that items that stay keep
// their comments.

import { groupedBy } from '../../base/grouped.ts';
import { canonicalJson, equalJson, isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import type { Path } from '../../yaml/places.ts';
import type { EditStep } from './edits.ts';

export function differing(before: Json, meant: Json, path: Path): readonly EditStep[] {
  if (equalJson(before, meant)) return [];
  if (isObject(before) && isObject(meant)) return membersDiffering(before, meant, path);
  if (isList(before) && isList(meant) && before.length > 0 && meant.length > 0)
    return itemsDiffering(before, meant, path);
  return [{ op: 'replace', path, value: meant }];
}

/** New members come before removals, so that the mapping is never empty in between. */
function membersDiffering(before: JsonObject, meant: JsonObject, path: Path): readonly EditStep[] {
  const has = (value: JsonObject, name: string): boolean => Object.hasOwn(value, name);
  const members = Object.entries(meant).filter(([name]) => !has(before, name));
  const changes = Object.entries(meant).flatMap(([name, value]) =>
    has(before, name) ? differing(before[name] ?? null, value, [...path, name]) : [],
  );
  const gone = Object.keys(before).filter((name) => !has(meant, name));
  return [
    ...changes,
    ...(members.length === 0 ? [] : [{ op: 'add', path, members } as const]),
    ...gone.map((name) => ({ op: 'remove', path: [...path, name] }) as const),
  ];
}

function itemsDiffering(before: readonly Json[], meant: readonly Json[], path: Path): readonly EditStep[] {
  const order = movedItems(before, meant);
  if (order === null) return itemsAligned(before, meant, path);
  const moved = order.map((index) => before[index] ?? null);
  return [{ op: 'order', path, order }, ...itemsAligned(moved, meant, path)];
}

/** The order that puts the items that stay into the order of the meant list; null when they are in it. */
function movedItems(before: readonly Json[], meant: readonly Json[]): readonly number[] | null {
  const indexes = groupedBy(before.keys(), (index) => canonicalJson(before[index]));
  const free = new Map([...indexes].map(([text, own]) => [text, own.values()]));
  const staying = meant.flatMap((item) => free.get(canonicalJson(item))?.next().value ?? []);
  const slots = [...staying].sort((a, b) => a - b);
  if (slots.every((slot, at) => slot === staying[at])) return null;
  const order = [...before.keys()];
  for (const [at, slot] of slots.entries()) order[slot] = staying[at] ?? slot;
  return order;
}

/** From the last item to the first, so that no index moves before it is used. */
function itemsAligned(before: readonly Json[], meant: readonly Json[], path: Path): readonly EditStep[] {
  const steps: EditStep[] = [];
  const inserting: Json[] = [];
  const flush = (index: number): void => {
    if (inserting.length > 0) steps.push({ op: 'insert', path, index, items: inserting.splice(0).reverse() });
  };
  for (const { from, to } of alignment(before, meant).reverse()) {
    if (from === null) {
      inserting.push(meant[to ?? 0] ?? null);
    } else {
      flush(from + 1);
      const at = [...path, from];
      if (to === null) steps.push({ op: 'remove', path: at });
      else steps.push(...differing(before[from] ?? null, meant[to] ?? null, at));
    }
  }
  flush(0);
  return emptying(steps, before.length, path, meant);
}

/** An empty list would lose its notation: when every item is removed, the new ones are inserted first. */
function emptying(steps: readonly EditStep[], length: number, path: Path, meant: readonly Json[]): readonly EditStep[] {
  const removed = steps.filter(({ op, path: at }) => op === 'remove' && at.length === path.length + 1).length;
  if (removed < length) return steps;
  const all = Array.from({ length }, (_, index) => ({ op: 'remove', path: [...path, length - 1 - index] }) as const);
  return [{ op: 'insert', path, index: length, items: meant }, ...all];
}

interface Aligned {
  /** Index in the list before; null for a new item. */
  readonly from: number | null;
  /** Index in the meant list; null for an item that is removed. */
  readonly to: number | null;
}

/** Cost of an item that has no counterpart. */
const ALONE = 10;

/** The cheapest alignment of two lists. Equal items at both ends cost nothing, and are not compared again. */
function alignment(before: readonly Json[], meant: readonly Json[]): Aligned[] {
  const a = before.map(canonicalJson);
  const b = meant.map(canonicalJson);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const rows = a.length - head - tail;
  const columns = b.length - head - tail;
  const cost: number[][] = Array.from({ length: rows + 1 }, () => new Array<number>(columns + 1).fill(0));
  const at = (row: number, column: number): number => cost[row]?.[column] ?? Number.POSITIVE_INFINITY;
  const paired = (row: number, column: number): number =>
    at(row + 1, column + 1) + difference(before[head + row] ?? null, meant[head + column] ?? null);
  for (let row = rows; row >= 0; row -= 1) {
    for (let column = columns; column >= 0; column -= 1) {
      if (row === rows && column === columns) continue;
      const line = cost[row];
      if (line !== undefined) {
        line[column] = Math.min(at(row + 1, column) + ALONE, at(row, column + 1) + ALONE, paired(row, column));
      }
    }
  }
  const aligned: Aligned[] = Array.from({ length: head }, (_, index) => ({ from: index, to: index }));
  for (let row = 0, column = 0; row < rows || column < columns; ) {
    if (row < rows && column < columns && at(row, column) === paired(row, column)) {
      aligned.push({ from: head + row++, to: head + column++ });
    } else if (row < rows && at(row, column) === at(row + 1, column) + ALONE) {
      aligned.push({ from: head + row++, to: null });
    } else {
      aligned.push({ from: null, to: head + column++ });
    }
  }
  for (let index = tail; index > 0; index -= 1) aligned.push({ from: a.length - index, to: b.length - index });
  return aligned;
}

/** Cost of pairing two items. Only mappings that begin alike can be one item that has changed; more equal members cost less. */
function difference(before: Json, meant: Json): number {
  if (equalJson(before, meant)) return 0;
  if (!isObject(before) || !isObject(meant)) return Number.POSITIVE_INFINITY;
  const names = new Set([...Object.keys(before), ...Object.keys(meant)]);
  const isSame = (name: string): boolean => Object.hasOwn(before, name) && equalJson(before[name], meant[name]);
  // The first member that people write, such as a key or a day, tells items apart.
  const [first] = Object.keys(before);
  if (first === undefined || !isSame(first)) return Number.POSITIVE_INFINITY;
  return ALONE * (1 - [...names].filter(isSame).length / names.size);
}
