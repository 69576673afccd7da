// Both sides of the membership relation in; the edges that differ, and the cheapest writes that make them right, out.
// Left and right stand for agents and groups; nothing here knows more about either.

import { byText } from '../../base/json.ts';
import type { Reference } from '../../base/model.ts';
import { type CoverResult, minimumVertexCover } from './vertex-cover.ts';

/** Neighbour -> priority. */
export type Edges = ReadonlyMap<Reference, string>;

/** One agent or one group, declared or not. */
export interface Vertex {
  readonly reference: Reference;
  /** The complete edge set that the manifest declares on this side; null when it declares none. */
  readonly declared: Edges | null;
  /** The edge set as read from this side; null for a vertex that does not exist yet. */
  readonly live: Edges | null;
  /** It is written anyway, so that its edges travel for free. */
  readonly free: boolean;
  /** The run may write it. */
  readonly selected: boolean;
  /** It will be deleted, and its edges with it. */
  readonly leaving: boolean;
}

export interface Relation {
  readonly left: readonly Vertex[];
  readonly right: readonly Vertex[];
  /** What one write of a side costs; whole numbers, so that a batch of 100 makes a single write 1 beside 100. */
  readonly weight: { readonly left: number; readonly right: number };
}

export interface Edge {
  readonly left: Reference;
  readonly right: Reference;
  readonly desired: string | null;
  /** What an end reads that is not desired; null for no edge. */
  readonly live: string | null;
}

/** The whole edge set that one vertex is to be written with. */
export interface MembershipWrite {
  readonly reference: Reference;
  readonly edges: Edges;
}

export interface Membership {
  readonly changed: readonly Edge[];
  readonly left: readonly MembershipWrite[];
  readonly right: readonly MembershipWrite[];
  /** Changed edges that nothing may write in this run. */
  readonly uncovered: readonly Edge[];
}

interface Side {
  readonly vertices: readonly Vertex[];
  readonly index: ReadonlyMap<Reference, number>;
  /** Every vertex that exists declares its edges, so that the other side's edge sets are known in full. */
  readonly decidesOther: boolean;
}

function sideOf(vertices: readonly Vertex[]): Side {
  const index = new Map<Reference, number>();
  for (const [position, { reference }] of vertices.entries()) index.set(reference, position);
  return {
    vertices,
    index,
    decidesOther: vertices.every((vertex) => vertex.declared !== null || vertex.leaving),
  };
}

/**
 * The pairs of vertices whose edge differs: one end declares its edges, some end has or wants an edge, and what an end reads is not what is wished.
 * Almost all of a license is as it should be, so a pair that is found from both ends is looked at twice rather than remembered.
 */
function differingPairs(left: Side, right: Side): readonly (readonly [Vertex, Vertex])[] {
  const seen = new Map<Vertex, Set<Vertex>>();
  const look = (a: Vertex | undefined, b: Vertex | undefined): void => {
    if (a === undefined || b === undefined || a.leaving || b.leaving) return;
    if (a.declared === null && b.declared === null) return;
    if (contradiction(a, b, desiredOf(a, b)) === undefined) return;
    const others = seen.get(a);
    if (others === undefined) seen.set(a, new Set([b]));
    else others.add(b);
  };
  for (const vertex of left.vertices) {
    for (const edges of [vertex.declared, vertex.live])
      for (const other of edges?.keys() ?? []) look(vertex, right.vertices[right.index.get(other) ?? -1]);
  }
  for (const vertex of right.vertices) {
    for (const edges of [vertex.declared, vertex.live])
      for (const other of edges?.keys() ?? []) look(left.vertices[left.index.get(other) ?? -1], vertex);
  }
  if (seen.size === 0) return [];
  const inOrder = (one: Vertex, other: Vertex): number => byText(one.reference, other.reference);
  return [...seen.keys()]
    .sort(inOrder)
    .flatMap((a) => [...(seen.get(a) ?? [])].sort(inOrder).map((b): readonly [Vertex, Vertex] => [a, b]));
}

/** What the manifest wants of a pair: either end may say it, and a declared end that does not mention the other says "no edge". */
function desiredOf(a: Vertex, b: Vertex): string | null {
  return a.declared?.get(b.reference) ?? b.declared?.get(a.reference) ?? null;
}

/** Each existing end is a view of the same edge; a view that contradicts the wish makes the edge a changed one. Undefined when none does. */
function contradiction(a: Vertex, b: Vertex, wish: string | null): string | null | undefined {
  if (a.live === null && b.live === null) return wish === null ? undefined : null;
  const one = a.live === null ? wish : (a.live.get(b.reference) ?? null);
  if (one !== wish) return one;
  const other = b.live === null ? wish : (b.live.get(a.reference) ?? null);
  return other === wish ? undefined : other;
}

/** Only a vertex whose whole edge set is decided may be written: a map built from a lagging read would erase what somebody else just added. */
function weightOf(vertex: Vertex, other: Side, weight: number): number {
  const decided = vertex.declared !== null || vertex.live === null || other.decidesOther;
  if (!decided || !vertex.selected) return Number.POSITIVE_INFINITY;
  return vertex.free ? 0 : weight;
}

/** The edge set to write: what the vertex declares, or else what the other side declares of it. */
function wholeSet(vertex: Vertex, other: Side): Edges {
  if (vertex.declared !== null) return vertex.declared;
  const edges = new Map<Reference, string>();
  for (const { reference, declared, leaving } of other.vertices) {
    const priority = leaving ? undefined : declared?.get(vertex.reference);
    if (priority !== undefined) edges.set(reference, priority);
  }
  return edges;
}

/** Entries of a live map whose keys are no vertices of the other side, such as bots in a group: carried over untouched. */
function carried(vertex: Vertex, other: Side): Edges {
  return new Map([...(vertex.live ?? [])].filter(([reference]) => !other.index.has(reference)));
}

const NOTHING_TO_COVER: CoverResult = { cover: { left: [], right: [], weight: 0 }, uncoverable: [] };

/**
 * Compares desired and live as one set of edges and chooses the writes: a minimum-weight vertex cover of the changed edges. A new right vertex
 * is created with its whole edge set, so its edges need no cover; a new left vertex exists before the new right ones and cannot name them.
 */
export function planMembership({ left, right, weight }: Relation): Membership {
  const lefts = sideOf(left);
  const rights = sideOf(right);
  const changed = differingPairs(lefts, rights);
  const open = changed.filter(([, b]) => b.live !== null || !b.selected);
  const { cover, uncoverable } =
    open.length === 0
      ? NOTHING_TO_COVER
      : minimumVertexCover({
          left: left.map((vertex) => weightOf(vertex, rights, weight.left)),
          right: right.map((vertex) => weightOf(vertex, lefts, weight.right)),
          edges: open.map(
            ([a, b]) => [lefts.index.get(a.reference) ?? -1, rights.index.get(b.reference) ?? -1] as const,
          ),
        });
  const isCreated = (vertex: Vertex): boolean => vertex.live === null && vertex.selected && !vertex.leaving;
  const created = right.flatMap((vertex, index) => (isCreated(vertex) ? [index] : []));
  // Declared sets are sent even when they are empty: the service may have a set of its own for a new object.
  const declared = left.flatMap((vertex, index) => (isCreated(vertex) && vertex.declared !== null ? [index] : []));
  const createdLater = new Set(right.filter(({ live }) => live === null).map(({ reference }) => reference));
  const edge = (a: Vertex | undefined, b: Vertex | undefined): readonly Edge[] =>
    a === undefined || b === undefined ? [] : [edgeOf(a, b)];
  return {
    changed: changed.map(([a, b]) => edgeOf(a, b)),
    left: union(cover.left, declared).flatMap((index) => writeOf(left[index], rights, createdLater)),
    right: union(cover.right, created).flatMap((index) => writeOf(right[index], lefts, new Set())),
    uncovered: uncoverable.flatMap(([a, b]) => edge(left[a], right[b])),
  };
}

function edgeOf(a: Vertex, b: Vertex): Edge {
  const desired = desiredOf(a, b);
  return { left: a.reference, right: b.reference, desired, live: contradiction(a, b, desired) ?? null };
}

function union(a: readonly number[], b: readonly number[]): readonly number[] {
  return [...new Set([...a, ...b])].sort((one, other) => one - other);
}

/** A vertex that is created cannot name vertices that are created after it. */
function writeOf(
  vertex: Vertex | undefined,
  other: Side,
  createdLater: ReadonlySet<Reference>,
): readonly MembershipWrite[] {
  if (vertex === undefined) return [];
  const isLater = (reference: Reference): boolean => vertex.live === null && createdLater.has(reference);
  const edges = new Map(
    [...carried(vertex, other), ...wholeSet(vertex, other)].filter(([reference]) => !isLater(reference)),
  );
  return [{ reference: vertex.reference, edges }];
}
