// The value that stands somewhere and the one that is meant in; the fewest steps from the one to the other out, in the order to take them.
// Items of a list are told by what they are, not by their index, so that what stays keeps its comments.

import { canonicalJson, equalJson, isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import type { Path } from '../../yaml/mark.ts';
import type { Step } from './edits.ts';

export function differing(before: Json, meant: Json, path: Path): readonly Step[] {
  if (equalJson(before, meant)) return [];
  if (isObject(before) && isObject(meant)) return membersDiffering(before, meant, path);
  if (isList(before) && isList(meant) && before.length > 0 && meant.length > 0)
    return itemsDiffering(before, meant, path);
  return [{ op: 'replace', path, value: meant }];
}

/** What is new comes first, so that a mapping is never empty on the way. */
function membersDiffering(before: JsonObject, meant: JsonObject, path: Path): readonly Step[] {
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

function itemsDiffering(before: readonly Json[], meant: readonly Json[], path: Path): readonly Step[] {
  const order = movedItems(before, meant);
  if (order === null) return itemsAligned(before, meant, path);
  const moved = order.map((index) => before[index] ?? null);
  return [{ op: 'order', path, order }, ...itemsAligned(moved, meant, path)];
}

/** The order that brings the items that stay into the order of the meant list; null when they are in it. */
function movedItems(before: readonly Json[], meant: readonly Json[]): readonly number[] | null {
  const free = new Map<string, number[]>();
  for (const [index, item] of before.entries()) {
    const text = canonicalJson(item);
    free.set(text, [...(free.get(text) ?? []), index]);
  }
  const staying = meant.flatMap((item) => {
    const index = free.get(canonicalJson(item))?.shift();
    return index === undefined ? [] : [index];
  });
  const slots = [...staying].sort((a, b) => a - b);
  if (slots.every((slot, at) => slot === staying[at])) return null;
  const order = [...before.keys()];
  for (const [at, slot] of slots.entries()) order[slot] = staying[at] ?? slot;
  return order;
}

/** From the last item to the first, so that no index moves before it is used. */
function itemsAligned(before: readonly Json[], meant: readonly Json[], path: Path): readonly Step[] {
  const steps: Step[] = [];
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

/** A list that would be empty on the way would lose its notation: what comes is inserted before the last goes. */
function emptying(steps: readonly Step[], length: number, path: Path, meant: readonly Json[]): readonly Step[] {
  const removed = steps.filter(({ op, path: at }) => op === 'remove' && at.length === path.length + 1).length;
  if (removed < length) return steps;
  const all = Array.from({ length }, (_, index) => ({ op: 'remove', path: [...path, length - 1 - index] }) as const);
  return [{ op: 'insert', path, index: length, items: meant }, ...all];
}

interface Aligned {
  /** Index before; null for an item that is new. */
  readonly from: number | null;
  /** Index in the meant list; null for an item that goes. */
  readonly to: number | null;
}

const ALONE = 10;

/** The cheapest way to lay one list on the other, in its order. Equal ends cost nothing and are not compared again. */
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

/** Of two items, where one takes the place of the other: only mappings that begin alike and say much the same are one item that has changed. */
function difference(before: Json, meant: Json): number {
  if (equalJson(before, meant)) return 0;
  if (!isObject(before) || !isObject(meant)) return Number.POSITIVE_INFINITY;
  const names = new Set([...Object.keys(before), ...Object.keys(meant)]);
  const isSame = (name: string): boolean => Object.hasOwn(before, name) && equalJson(before[name], meant[name]);
  // What people write first, such as a key or a day, says which item it is.
  const [first] = Object.keys(before);
  if (first === undefined || !isSame(first)) return Number.POSITIVE_INFINITY;
  return ALONE * (1 - [...names].filter(isSame).length / names.size);
}
