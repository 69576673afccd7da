// Edits and steps, and what they do to a JSON value. Knows no text.

import { isList, isObject, valueAt } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { Path } from '../../yaml/places.ts';

/** One change of the value of a file. The path of each edit is one in the value that the edits before it leave. */
export type Edit =
  /** Changes only what differs from the present value. Makes the member, and the mappings on the way to it, if they do not exist. */
  | { readonly op: 'set'; readonly path: Path; readonly value: Json }
  /** A new member of the mapping at `path`; null, or nothing, counts as an empty mapping. */
  | { readonly op: 'add'; readonly path: Path; readonly name: string; readonly value: Json }
  /** Removes a member of a mapping, or an item of a list, with its comments. */
  | { readonly op: 'remove'; readonly path: Path }
  /** A new item before the one that has the index now; the length of the list means its end. */
  | { readonly op: 'insert'; readonly path: Path; readonly index: number; readonly value: Json }
  /** The list at `path` with the items of these indexes, each once. */
  | { readonly op: 'order'; readonly path: Path; readonly order: readonly number[] };

/** One change of a text. */
export type EditStep =
  | { readonly op: 'replace'; readonly path: Path; readonly value: Json }
  | { readonly op: 'add'; readonly path: Path; readonly members: readonly (readonly [name: string, value: Json])[] }
  | { readonly op: 'insert'; readonly path: Path; readonly index: number; readonly items: readonly Json[] }
  | Extract<Edit, { readonly op: 'remove' | 'order' }>;

/** The value after a step, which has to be possible. */
export function after(value: Json, step: EditStep): Json {
  return afterAll(value, [step]);
}

/** The value after steps that follow each other. */
export function afterAll(value: Json, steps: readonly EditStep[]): Json {
  const top: Members = { value };
  const own = new Set<Json>();
  for (const step of steps) {
    const path = ['value', ...step.path];
    const holder = path.slice(0, -1).reduce<Members>((at, name) => opened(at, name, own), top);
    change(holder, path.at(-1) ?? '', step, own);
  }
  return top['value'] ?? null;
}

/** A copy that may be written into; also of a list, by its indexes. */
type Members = Record<string | number, Json>;

/** The mapping or the list that is a member of another one, copied once however many steps lead into it. */
function opened(holder: Members, name: string | number, own: Set<Json>): Members {
  const before = holder[name];
  if (before !== undefined && own.has(before)) return before as Members;
  const copy = (isList(before) ? [...before] : isObject(before) ? { ...before } : {}) as Members;
  own.add(copy);
  holder[name] = copy;
  return copy;
}

function change(holder: Members, name: string | number, step: EditStep, own: Set<Json>): void {
  switch (step.op) {
    case 'replace':
      holder[name] = step.value;
      return;
    case 'add':
      if (!isObject(holder[name])) holder[name] = {};
      Object.assign(opened(holder, name, own), Object.fromEntries(step.members));
      return;
    case 'insert': {
      const items = listIn(holder[name]);
      holder[name] = items.toSpliced(step.index, 0, ...step.items);
      return;
    }
    case 'remove':
      if (Array.isArray(holder)) holder.splice(Number(name), 1);
      else delete holder[name];
      return;
    case 'order': {
      const items = listIn(holder[name]);
      holder[name] = step.order.map((index) => items[index] ?? null);
      return;
    }
  }
}

function listIn(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

/** Why an edit of a value is impossible, and how far its path leads; null for a possible one. */
export function impossible(value: Json, edit: Edit): { readonly depth: number; readonly message: string } | null {
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
    case 'add':
      if (valueAt(value, [...edit.path, edit.name]) !== undefined) return wrong(`\`${edit.name}\` is already here`);
      return impossible(value, { op: 'set', path: [...edit.path, edit.name], value: edit.value });
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
