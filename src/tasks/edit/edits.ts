// What can be asked of a text, and what becomes of its value: an edit or a step and a value in, the value afterwards out, or why there is none.
// Knows only JSON; where things stand in a text is looked up elsewhere.

import { isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import type { Path } from '../../yaml/mark.ts';

/** One wish about the value of a file. Edits of one call are done in their order: each path is one of the value that the edits before it leave. */
export type Edit =
  /** Goes deep: only what differs from what stands there is touched. Makes the member, and mappings on the way to it, that are not there. */
  | { readonly op: 'set'; readonly path: Path; readonly value: Json }
  /** A member of the mapping at `path` that it does not have yet; nothing, or null, counts as an empty mapping. */
  | { readonly op: 'add'; readonly path: Path; readonly name: string; readonly value: Json }
  /** A member of a mapping, or an item of a list, with the comments that belong to it. */
  | { readonly op: 'remove'; readonly path: Path }
  /** Before the item that has the index now; the length of the list means its end. */
  | { readonly op: 'insert'; readonly path: Path; readonly index: number; readonly value: Json }
  /** The list at `path` with the items of these indexes, each once. */
  | { readonly op: 'order'; readonly path: Path; readonly order: readonly number[] };

/** What a text can be made to do at once. */
export type Step =
  | { readonly op: 'replace'; readonly path: Path; readonly value: Json }
  | { readonly op: 'add'; readonly path: Path; readonly members: readonly (readonly [name: string, value: Json])[] }
  | { readonly op: 'insert'; readonly path: Path; readonly index: number; readonly items: readonly Json[] }
  | Extract<Edit, { readonly op: 'remove' | 'order' }>;

/** Undefined where the path leads nowhere. */
export function valueAt(value: Json, path: Path): Json | undefined {
  let at: Json | undefined = value;
  for (const step of path) {
    if (isList(at) && typeof step === 'number') at = at[step];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}

/** The value after a step, which has to be possible. */
export function after(value: Json, step: Step): Json {
  switch (step.op) {
    case 'replace':
      return changed(value, step.path, () => step.value);
    case 'add':
      return changed(value, step.path, (at) => ({ ...(isObject(at) ? at : {}), ...Object.fromEntries(step.members) }));
    case 'insert':
      return changed(value, step.path, (at) => (isList(at) ? at : []).toSpliced(step.index, 0, ...step.items));
    case 'remove':
      return changed(value, step.path.slice(0, -1), (at) => without(at, step.path.at(-1) ?? ''));
    case 'order':
      return changed(value, step.path, (at) => step.order.map((index) => (isList(at) ? (at[index] ?? null) : null)));
  }
}

function changed(value: Json, path: Path, change: (at: Json) => Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (isList(value)) return value.map((item, index) => (index === step ? changed(item, rest, change) : item));
  const holder: JsonObject = isObject(value) ? value : {};
  return { ...holder, [step]: changed(holder[step] ?? null, rest, change) };
}

function without(value: Json, step: string | number): Json {
  if (isList(value)) return value.filter((_, index) => index !== step);
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== String(step))) : value;
}

/** Why a value cannot be edited so, and how far into its path there is something to point at; null when it can. */
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
      return last === null || isObject(last) ? null : wrong(`\`${String(missing[0])}\` needs a mapping to stand in`);
    }
    case 'add':
      if (valueAt(value, [...edit.path, edit.name]) !== undefined) return wrong(`\`${edit.name}\` stands here already`);
      return impossible(value, { op: 'set', path: [...edit.path, edit.name], value: edit.value });
    case 'remove':
      return at === undefined || edit.path.length === 0 ? wrong(`there is no \`${edit.path.join('.')}\``) : null;
    case 'insert':
      if (at !== null && !isList(at)) return wrong('only a list can have items');
      return edit.index <= (at ?? []).length ? null : wrong(`the list has no place ${edit.index}`);
    case 'order':
      if (!isList(at)) return wrong('only a list has an order');
      return isPermutation(edit.order, at.length) ? null : wrong('an order names every item once');
  }
}

/** How many steps of the path lead somewhere. */
export function reach(value: Json, path: Path): number {
  let depth = path.length;
  while (depth > 0 && valueAt(value, path.slice(0, depth)) === undefined) depth -= 1;
  return depth;
}

function isPermutation(order: readonly number[], length: number): boolean {
  return order.length === length && [...order].sort((a, b) => a - b).every((index, at) => index === at);
}
