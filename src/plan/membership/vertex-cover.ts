// Minimum-weight vertex cover of a bipartite graph. Knows nothing of what the vertices stand for.

import { InternalError } from '../../base/errors.ts';

/** Index of the left and of the right vertex that an edge joins. */
export type BipartiteEdge = readonly [left: number, right: number];

/**
 * `left` and `right` hold the weight of each vertex: a non-negative integer, or `Infinity` for a vertex that may not be chosen. Fractions must be
 * scaled first (1 and 1/100 become 100 and 1): integers add up exactly, so that a tie is a tie. The finite weights must add up to a safe integer.
 * `edges` is a set: neither order nor repetition matters.
 */
export interface BipartiteGraph {
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly edges: readonly BipartiteEdge[];
}

/** Indices of the chosen vertices, ascending, and the sum of their weights. */
export interface Cover {
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly weight: number;
}

export interface CoverResult {
  /** Covers every edge that is not uncoverable. */
  readonly cover: Cover;
  /** The edges between two infinite vertices, each once, ascending. */
  readonly uncoverable: readonly BipartiteEdge[];
}

/**
 * Returns the minimum-weight vertex cover, by König's theorem in its weighted form: the arcs source -> left and right -> sink get the weights of
 * their vertices as capacities, and the edges between them no limit. The finite cuts of this network are the covers of the graph.
 *
 * Among covers of equal weight, `cover.left` is contained in the left side of every other minimum cover (where both ends cost the same, right wins),
 * and `cover.right` holds exactly the neighbours of the left vertices that were not chosen. That makes the cover a function of the graph, not of its
 * numbering, and no chosen vertex is redundant, free ones included: a chosen left vertex has a neighbour that is not chosen.
 *
 * Throws InternalError for a weight that is neither a non-negative integer nor `Infinity`, and for an edge without its vertex.
 */
export function minimumVertexCover(graph: BipartiteGraph): CoverResult {
  requireExactWeights([...graph.left, ...graph.right]);
  const edges = sortedSet(graph.edges);
  const coverable = edges.filter((edge) => cheaperEnd(graph, edge) < Infinity);
  const uncoverable = edges.filter((edge) => cheaperEnd(graph, edge) === Infinity);

  const sinkSide = cutBetweenSides(graph, coverable);
  const left = [...graph.left.keys()].filter((index) => sinkSide.has(index));
  const neighbours = coverable.filter(([from]) => !sinkSide.has(from)).map(([, to]) => to);
  const right = [...new Set(neighbours)].sort((a, b) => a - b);
  return { cover: { left, right, weight: sumAt(graph.left, left) + sumAt(graph.right, right) }, uncoverable };
}

function requireExactWeights(weights: readonly number[]): void {
  const finite = weights.filter((weight) => weight !== Infinity);
  const wrong = finite.find((weight) => !Number.isSafeInteger(weight) || weight < 0);
  if (wrong !== undefined)
    throw new InternalError(`a vertex weighs ${wrong}: neither a non-negative integer nor Infinity`);
  const total = finite.reduce((sum, weight) => sum + weight, 0);
  if (!Number.isSafeInteger(total)) throw new InternalError(`the vertices weigh ${total}: too much to add up exactly`);
}

function sortedSet(edges: readonly BipartiteEdge[]): readonly BipartiteEdge[] {
  const sorted = edges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  return sorted.filter(([left, right], index) => {
    const previous = sorted[index - 1];
    return previous === undefined || previous[0] !== left || previous[1] !== right;
  });
}

function cheaperEnd(graph: BipartiteGraph, [left, right]: BipartiteEdge): number {
  return Math.min(weightAt(graph.left, left), weightAt(graph.right, right));
}

/** Returns the sink side of the network's minimum cut; left vertices keep their index there. */
function cutBetweenSides({ left, right }: BipartiteGraph, edges: readonly BipartiteEdge[]): ReadonlySet<number> {
  const source = left.length + right.length;
  const sink = source + 1;
  const arcs = [
    ...left.map((capacity, index) => ({ tail: source, head: index, capacity })),
    ...edges.map(([from, to]) => ({ tail: from, head: left.length + to, capacity: Infinity })),
    ...right.map((capacity, index) => ({ tail: left.length + index, head: sink, capacity })),
  ];
  return minimumCut({ size: sink + 1, source, sink, arcs });
}

function sumAt(weights: readonly number[], indices: readonly number[]): number {
  return indices.reduce((sum, index) => sum + weightAt(weights, index), 0);
}

function weightAt(weights: readonly number[], index: number): number {
  const weight = weights[index];
  if (weight === undefined) throw new InternalError(`an edge names vertex ${index}, which is not in the graph`);
  return weight;
}

/** Vertices are 0 to `size` - 1. Capacities are non-negative integers that add up to a safe integer, or `Infinity`. */
export interface FlowNetwork {
  readonly size: number;
  readonly source: number;
  readonly sink: number;
  readonly arcs: readonly FlowArc[];
}

interface FlowArc {
  readonly tail: number;
  readonly head: number;
  readonly capacity: number;
}

interface FlowVertex {
  readonly id: number;
  readonly channels: Channel[];
  /** Steps to the sink along channels with room; `Infinity` when none leads there. */
  distance: number;
  /** How many of `channels` are known to be dead ends in this phase. */
  exhausted: number;
}

/** An arc and its flow. Both ends list it: from the tail it can carry more, from the head it can send flow back. */
interface Channel {
  readonly tail: FlowVertex;
  readonly head: FlowVertex;
  readonly capacity: number;
  flow: number;
}

/**
 * Returns the vertices on the sink's side of a minimum cut: the one whose sink side is contained in that of every other minimum cut, whatever the
 * order of the arcs. By the max-flow min-cut theorem it is what can still reach the sink when the flow is greatest.
 *
 * Dinic's algorithm, O(V² E) at worst and near linear on networks like these; nothing recurses, so depth is no limit. Throws InternalError when no
 * cut is finite, and for an arc without its vertex.
 */
export function minimumCut(network: FlowNetwork): ReadonlySet<number> {
  const vertices = connect(network);
  const source = vertexAt(vertices, network.source);
  const sink = vertexAt(vertices, network.sink);
  while (layer(vertices, sink, source)) {
    while (augment(source, sink));
  }
  return new Set(vertices.filter(({ distance }) => distance < Infinity).map(({ id }) => id));
}

function connect({ size, arcs }: FlowNetwork): readonly FlowVertex[] {
  const vertices = Array.from(
    { length: size },
    (_, id): FlowVertex => ({ id, channels: [], distance: 0, exhausted: 0 }),
  );
  for (const arc of arcs) {
    const tail = vertexAt(vertices, arc.tail);
    const head = vertexAt(vertices, arc.head);
    const channel: Channel = { tail, head, capacity: arc.capacity, flow: 0 };
    tail.channels.push(channel);
    head.channels.push(channel);
  }
  return vertices;
}

function vertexAt(vertices: readonly FlowVertex[], id: number): FlowVertex {
  const vertex = vertices[id];
  if (vertex === undefined) throw new InternalError(`vertex ${id} is not in the network`);
  return vertex;
}

/** Starts a phase: measures every vertex's distance to the sink, breadth first. Returns whether the source still reaches it. */
function layer(vertices: readonly FlowVertex[], sink: FlowVertex, source: FlowVertex): boolean {
  for (const vertex of vertices) {
    vertex.distance = Infinity;
    vertex.exhausted = 0;
  }
  sink.distance = 0;
  const reached = [sink];
  for (const vertex of reached) {
    for (const channel of vertex.channels) {
      const neighbour = across(channel, vertex);
      if (neighbour.distance < Infinity || room(channel, neighbour) === 0) continue;
      neighbour.distance = vertex.distance + 1;
      reached.push(neighbour);
    }
  }
  return source.distance < Infinity;
}

/** Fills one path that gets nearer to the sink with every step; false when this phase has none left. */
function augment(source: FlowVertex, sink: FlowVertex): boolean {
  const path: Channel[] = [];
  let at = source;
  while (at !== sink) {
    const channel = at.channels[at.exhausted];
    if (channel === undefined) {
      const back = path.pop();
      if (back === undefined) return false;
      at = across(back, at);
      at.exhausted += 1;
    } else if (room(channel, at) > 0 && across(channel, at).distance < at.distance) {
      path.push(channel);
      at = across(channel, at);
    } else {
      at.exhausted += 1;
    }
  }
  fill(path, source);
  return true;
}

function fill(path: readonly Channel[], source: FlowVertex): void {
  let amount = Infinity;
  let at = source;
  for (const channel of path) {
    amount = Math.min(amount, room(channel, at));
    at = across(channel, at);
  }
  if (amount === Infinity) throw new InternalError('every cut of the network is infinite');
  at = source;
  for (const channel of path) {
    channel.flow += at === channel.tail ? amount : -amount;
    at = across(channel, at);
  }
}

function across(channel: Channel, from: FlowVertex): FlowVertex {
  return from === channel.tail ? channel.head : channel.tail;
}

function room(channel: Channel, from: FlowVertex): number {
  return from === channel.tail ? channel.capacity - channel.flow : channel.flow;
}
