// JSON in which each value stands once, however often it occurs: for documents of many objects that are much alike.

import { isList } from './json.ts';
import type { Json } from './model.ts';

/**
 * `nodes`: values, each after those in it, the whole one last. A number list is a composite value: the place of its shape among `shapes`, or -1 for a
 * list, then the places of its values among the nodes.
 */
export interface SharedJson {
  /** Names of members. */
  readonly shapes: readonly (readonly string[])[];
  readonly nodes: readonly (string | number | boolean | null | readonly number[])[];
}

const LIST = -1;

/** Members that are undefined are left out, as in JSON. */
export function shareJson(value: object): SharedJson {
  const [shapes, nodes] = [placing<readonly string[]>(), placing<SharedJson['nodes'][number]>()];
  const placeOf = (json: Json | undefined): number => {
    if (json === undefined || json === null || typeof json !== 'object') return nodes.placeOf(json ?? null);
    if (isList(json)) return nodes.placeOf([LIST, ...json.map(placeOf)]);
    const members = Object.entries(json).filter(([, member]) => member !== undefined);
    const shape = shapes.placeOf(members.map(([name]) => name));
    return nodes.placeOf([shape, ...members.map(([, member]) => placeOf(member))]);
  };
  placeOf(value as Json);
  return { shapes: shapes.all, nodes: nodes.all };
}

/** What was shared. Equal values in it are the same one, so nothing in it may be changed. */
export function unshareJson({ shapes, nodes }: SharedJson): Json {
  const values: Json[] = [];
  for (const node of nodes) {
    if (!isComposite(node)) {
      values.push(node);
      continue;
    }
    const [shape = LIST, ...places] = node;
    const members = places.map((place) => values[place] ?? null);
    const names = shapes[shape];
    values.push(
      names === undefined ? members : Object.fromEntries(names.map((name, at) => [name, members[at] ?? null])),
    );
  }
  return values.at(-1) ?? null;
}

function isComposite(node: SharedJson['nodes'][number]): node is readonly number[] {
  return typeof node === 'object' && node !== null;
}

/** Gives equal values one place. */
function placing<T>(): { readonly all: readonly T[]; readonly placeOf: (value: T) => number } {
  const all: T[] = [];
  const places = new Map<string, number>();
  return {
    all,
    placeOf: (value) => {
      const key = JSON.stringify(value);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, all.length);
      return all.push(value) - 1;
    },
  };
}
