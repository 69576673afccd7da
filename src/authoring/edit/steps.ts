// The steps by which an edit changes a value.

import { equalJson, isList, valueAt } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { Path } from '../../yaml/places.ts';
import { differing } from './differing.ts';
import { type Edit, type EditStep, reach } from './edits.ts';

/** `together`: one edit, or several that add to one mapping, or items to a list behind each other. */
export function stepsOf(value: Json, together: readonly Edit[]): readonly EditStep[] {
  const [edit] = together;
  if (edit === undefined) return [];
  switch (edit.op) {
    case 'set':
      return setting(value, edit.path, edit.value);
    case 'add': {
      const members = together.flatMap((other) => (other.op === 'add' ? [[other.name, other.value] as const] : []));
      if (valueAt(value, edit.path) === undefined) return setting(value, edit.path, Object.fromEntries(members));
      return [{ op: 'add', path: edit.path, members }];
    }
    case 'insert': {
      const items = together.flatMap((other) => (other.op === 'insert' ? [other.value] : []));
      return [{ op: 'insert', path: edit.path, index: edit.index, items }];
    }
    case 'remove':
      return [edit];
    case 'order':
      return movesNothing(valueAt(value, edit.path) ?? null, edit.order) ? [] : [edit];
  }
}

/** Equal items may be in any order, also when they are written differently. */
function movesNothing(list: Json, order: readonly number[]): boolean {
  return isList(list) && order.every((from, to) => equalJson(list[from], list[to]));
}

function setting(value: Json, path: Path, meant: Json): readonly EditStep[] {
  const depth = reach(value, path);
  const at = path.slice(0, depth);
  const [name, ...inner] = path.slice(depth);
  if (name === undefined) return differing(valueAt(value, at) ?? null, meant, at);
  const member = inner.reduceRight<Json>((held, step) => ({ [step]: held }), meant);
  return [{ op: 'add', path: at, members: [[String(name), member]] }];
}
