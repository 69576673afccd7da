// Places of an ordinary file: where each member of its value is written, through aliases and `<<`, exactly as the thorough parser says it.

import { marker, type Parsed, type Path, type Source } from '../places.ts';
import { isWritten, itemsIn, KIND, keysIn, type Nodes } from './nodes.ts';
import type { Ordinary } from './parse.ts';

/** An ordinary file as a value with its places. */
export function parsedOrdinary(file: string, text: string, { nodes, ...read }: Ordinary): Parsed {
  return { source: ordinarySource(file, text, nodes), ...read, whole: true, diagnostics: [] };
}

/** No node. */
const NOWHERE = -1;

/** Nodes by name: keys of a mapping, values of a list. */
type Index = ReadonlyMap<string | number, number>;

export function ordinarySource(file: string, text: string, nodes: Nodes): Source {
  const mark = marker(file, text);
  const indexes = new Map<number, Index>();
  const indexOf = (node: number): Index => {
    const known = indexes.get(node);
    if (known !== undefined) return known;
    const index = nodes.kinds[node] === KIND.map ? indexMembers(text, nodes, node, indexOf) : indexItems(nodes, node);
    indexes.set(node, index);
    return index;
  };
  return {
    file,
    mark: (path, part) => {
      const [key, value] = descend(nodes, path, indexOf);
      const keyOnly = key !== NOWHERE && (part === 'key' || !isWritten(nodes, value));
      const node = keyOnly ? key : value;
      const start = nodes.starts[node] ?? 0;
      return mark(start, Math.max(nodes.ends[node] ?? 0, start + 1));
    },
  };
}

function indexItems(nodes: Nodes, list: number): Index {
  return new Map(itemsIn(nodes, list).entries());
}

function indexMembers(text: string, nodes: Nodes, map: number, indexOf: (node: number) => Index): Index {
  const members = new Map<string | number, number>();
  const keys = keysIn(nodes, map);
  for (const key of keys) {
    if (nodes.kinds[key] === KIND.merge) continue;
    members.set(nodes.names.get(key) ?? text.slice(nodes.starts[key], nodes.ends[key]), key);
  }
  for (const key of keys) {
    if (nodes.kinds[key] !== KIND.merge) continue;
    for (const source of mergeSources(nodes, standsFor(nodes, key + 1))) {
      for (const [name, member] of indexOf(source)) if (!members.has(name)) members.set(name, member);
    }
  }
  return members;
}

function mergeSources(nodes: Nodes, brought: number): readonly number[] {
  if (nodes.kinds[brought] === KIND.map) return [brought];
  return itemsIn(nodes, brought).map((item) => standsFor(nodes, item));
}

function standsFor(nodes: Nodes, node: number): number {
  return nodes.targets.get(node) ?? node;
}

/** The key and the value that the path leads to, or as far as it leads. */
function descend(nodes: Nodes, path: Path, indexOf: (node: number) => Index): readonly [key: number, value: number] {
  let key = NOWHERE;
  let value = 0;
  for (const step of path) {
    const kind = nodes.kinds[value];
    if (kind === KIND.map) {
      const member = indexOf(value).get(String(step));
      if (member === undefined) break;
      key = member;
      value = standsFor(nodes, member + 1);
    } else if (kind === KIND.list && typeof step === 'number') {
      const item = indexOf(value).get(step);
      if (item === undefined) break;
      key = NOWHERE;
      value = standsFor(nodes, item);
    } else break;
  }
  return [key, value];
}
