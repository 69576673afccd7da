// Edits of a JSON value: what they do, and why one is impossible. Knows no text.

import { isList, isObject, valueAt } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { Path } from '../../yaml/places.ts';

/** One change of a value. The path of each edit is one in the value that the edits before it leave. */
export type Edit =
  /** Makes the member, and the mappings on the way to it, if they do not exist. */
  | { readonly op: 'set'; readonly path: Path; readonly value: Json }
  /** Removes a member of a mapping, or an item of a list. */
  | { readonly op: 'remove'; readonly path: Path }
  /** New items before the one that has the index now; the length of the list means its end. */
  | { readonly op: 'insert'; readonly path: Path; readonly index: number; readonly items: readonly Json[] }
  /** The list at `path` with the items of these indexes, each once. */
  | { readonly op: 'order'; readonly path: Path; readonly order: readonly number[] };

/** An edit that cannot be made, and how far its path leads. */
export interface ImpossibleEdit {
  readonly edit: Edit;
  readonly depth: number;
  /** One sentence without a full stop. */
  readonly message: string;
}

export interface EditedValue {
  readonly value: Json;
  /** Of each collection that was copied to be changed, the one that it was. All others are those of the value before. */
  readonly origins: ReadonlyMap<Json, Json>;
  readonly impossible: ImpossibleEdit | null;
}

/** The value after edits that follow each other, up to the first one that is impossible. */
export function afterAll(value: Json, edits: readonly Edit[]): EditedValue {
  const top: Members = { value };
  const origins = new Map<Json, Json>();
  const edited = (impossible: ImpossibleEdit | null) => ({ value: top['value'] ?? null, origins, impossible });
  for (const edit of edits) {
    const impossible = impossibleIn(top['value'] ?? null, edit);
    if (impossible !== null) return edited({ edit, ...impossible });
    const path = ['value', ...edit.path];
    const holder = path.slice(0, -1).reduce<Members>((at, name) => opened(at, name, origins), top);
    change(holder, path.at(-1) ?? '', edit, origins);
  }
  return edited(null);
}

/** A copy that may be written into; also of a list, by its indexes. */
type Members = Record<string | number, Json>;

/** The mapping or the list that is a member of another one, copied once however many edits lead into it. */
function opened(holder: Members, name: string | number, origins: Map<Json, Json>): Members {
  const before = holder[name];
  if (before !== undefined && origins.has(before)) return before as Members;
  const copy = (isList(before) ? [...before] : isObject(before) ? { ...before } : {}) as Members;
  origins.set(copy, before ?? null);
  holder[name] = copy;
  return copy;
}

function change(holder: Members, name: string | number, edit: Edit, origins: Map<Json, Json>): void {
  switch (edit.op) {
    case 'set':
      holder[name] = edit.value;
      return;
    case 'remove':
      if (Array.isArray(holder)) holder.splice(Number(name), 1);
      else delete holder[name];
      return;
    case 'insert':
    case 'order': {
      const before = holder[name] ?? null;
      const items = isList(before) ? before : [];
      const list =
        edit.op === 'insert'
          ? items.toSpliced(edit.index, 0, ...edit.items)
          : edit.order.map((index) => items[index] ?? null);
      origins.set(list, origins.get(before) ?? before);
      holder[name] = list;
      return;
    }
  }
}

function impossibleIn(value: Json, edit: Edit): Omit<ImpossibleEdit, 'edit'> | null {
  const depth = reach(value, edit.path);
  const at = valueAt(value, edit.path);
  const wrong = (message: string) => ({ depth, message });
  switch (edit.op) {
    case 'set': {
      const last = valueAt(value, edit.path.slice(0, depth));
      const missing = edit.path.slice(depth);
      if (missing.length === 0) return null;
      if (missing.some((step) => typeof step === 'number')) return wrong(`there is no \`${edit.path.join('.')}\``);
      return last === null || isObject(last) ? null : wrong(`\`${String(missing[0])}\` must be in a mapping`);
    }
    case 'remove':
      return at === undefined || edit.path.length === 0 ? wrong(`there is no \`${edit.path.join('.')}\``) : null;
    case 'insert':
      if (at !== null && !isList(at)) return wrong('only a list can have items');
      return edit.index <= (at ?? []).length ? null : wrong(`the list has no place ${edit.index}`);
    case 'order':
      if (!isList(at)) return wrong('only a list has an order');
      return isPermutation(edit.order, at.length) ? null : wrong('an order must name every item once');
  }
}

/** How many steps of the path exist. */
export function reach(value: Json, path: Path): number {
  let depth = path.length;
  while (depth > 0 && valueAt(value, path.slice(0, depth)) === undefined) depth -= 1;
  return depth;
}

function isPermutation(order: readonly number[], length: number): boolean {
  return order.length === length && [...order].sort((a, b) => a - b).every((index, at) => index === at);
}
