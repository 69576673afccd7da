// The sink's side of the minimum cut of a flow network, by Dinic's maximum flow. Knows nothing of what flows.

import { InternalError } from '../../base/errors.ts';

/** Vertices are 0 to `size` - 1. Capacities are non-negative integers that add up to a safe integer, or `Infinity`. */
export interface FlowNetwork {
  readonly size: number;
  readonly source: number;
  readonly sink: number;
  readonly arcs: readonly FlowArc[];
}

export interface FlowArc {
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
