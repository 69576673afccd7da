// The nodes of an ordinary file: what each is, where it stands and which follow it, in columns of numbers, because a file has hundreds of
// thousands. Filled while the file is read, in its order; a key stands before its value. Knows no parser.

export const KIND = { scalar: 0, map: 1, list: 2, alias: 3, merge: 4 } as const;

type NodeKind = (typeof KIND)[keyof typeof KIND];

export interface Nodes {
  count: number;
  readonly kinds: Uint8Array;
  /** Offsets in the text; of a member without a value -1. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The node that follows a node and all that is in it. */
  readonly nexts: Int32Array;
  /** What an alias stands for. */
  readonly targets: Map<number, number>;
  /** Keys that do not stand in the text as they read. */
  readonly names: Map<number, string>;
}

/** The end of what goes on for the rest of its line, or longer. */
export const ONWARD = 2 ** 31 - 1;

export function emptyNodes(most: number): Nodes {
  return {
    count: 0,
    kinds: new Uint8Array(most),
    starts: new Int32Array(most),
    ends: new Int32Array(most),
    nexts: new Int32Array(most),
    targets: new Map(),
    names: new Map(),
  };
}

export function addNode(nodes: Nodes, kind: NodeKind, start: number, end: number): number {
  const node = nodes.count;
  nodes.count += 1;
  nodes.kinds[node] = kind;
  nodes.starts[node] = start;
  nodes.ends[node] = end;
  nodes.nexts[node] = node + 1;
  return node;
}

/** All that was added since then is in it. */
export function closeNode(nodes: Nodes, node: number): void {
  nodes.nexts[node] = nodes.count;
}

/** Whether anything of it is in the text. */
export function isWritten(nodes: Nodes, node: number): boolean {
  return (nodes.ends[node] ?? -1) > (nodes.starts[node] ?? -1);
}

/** Those directly in a list. */
export function itemsIn(nodes: Nodes, list: number): readonly number[] {
  const items: number[] = [];
  const end = nextOf(nodes, list);
  for (let at = list + 1; at < end; at = nextOf(nodes, at)) items.push(at);
  return items;
}

/** The keys of a mapping; the value of each is the node behind it. */
export function keysIn(nodes: Nodes, map: number): readonly number[] {
  const keys: number[] = [];
  const end = nextOf(nodes, map);
  for (let key = map + 1; key < end; key = nextOf(nodes, key + 1)) keys.push(key);
  return keys;
}

function nextOf(nodes: Nodes, node: number): number {
  return nodes.nexts[node] ?? node + 1;
}
