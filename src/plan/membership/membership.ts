// Membership as one relation: the edges that differ, and the cheapest writes that make them right. Left and right stand for agents and groups, and
// nothing here knows more about either.

import { byText } from '../../base/json.ts';
import type { Reference } from '../../base/model.ts';
import { type CoverResult, minimumVertexCover } from './vertex-cover.ts';

/** Neighbour -> priority. */
export type Edges = ReadonlyMap<Reference, string>;

/** What a manifest declares of one side: neighbour -> priority, or null for no edge. */
export interface DeclaredEdges {
  readonly named: ReadonlyMap<Reference, string | null>;
  /** Whether there is no edge to what is not named; otherwise such edges stay as they are. */
  readonly complete: boolean;
}

/** One agent or one group, declared or not. */
export interface Vertex {
  readonly reference: Reference;
  /** What the manifest declares on this side; null when it declares no edges here. */
  readonly declared: DeclaredEdges | null;
  /** The edge set that this side reads; null for a vertex that does not exist yet. */
  readonly live: Edges | null;
  /** Whether it is written anyway, so that its edges travel at no cost. */
  readonly free: boolean;
  readonly selected: boolean;
  /** It was written in this run, and may not be written again. */
  readonly spent?: true;
  /** Whether it is deleted, and its edges with it. */
  readonly leaving: boolean;
}

export interface MembershipInput {
  readonly left: readonly Vertex[];
  readonly right: readonly Vertex[];
  /** Cost of one write of each side, in whole numbers. */
  readonly weight: { readonly left: number; readonly right: number };
}

export interface Edge {
  readonly left: Reference;
  readonly right: Reference;
  readonly desired: string | null;
  /** What an end reads instead of `desired`; null for no edge. */
  readonly live: string | null;
}

export interface MembershipWrite {
  readonly reference: Reference;
  readonly edges: Edges;
}

export interface Membership {
  readonly changed: readonly Edge[];
  readonly left: readonly MembershipWrite[];
  readonly right: readonly MembershipWrite[];
  /** Changed edges that this run may not write. */
  readonly uncovered: readonly Edge[];
}

interface VertexIndex {
  readonly vertices: readonly Vertex[];
  readonly index: ReadonlyMap<Reference, number>;
  /** Whether the edges of every vertex that stays are declared or sent, so that the edge sets of the other side are known in full. */
  readonly decidesOther: boolean;
}

/** `isSent`: whether the edges of a vertex are known because this run sends all of them. */
function sideOf(vertices: readonly Vertex[], isSent: (vertex: Vertex) => boolean = () => false): VertexIndex {
  const index = new Map<Reference, number>();
  for (const [position, { reference }] of vertices.entries()) index.set(reference, position);
  return {
    vertices,
    index,
    decidesOther: vertices.every((vertex) => vertex.declared?.complete === true || vertex.leaving || isSent(vertex)),
  };
}

/**
 * Returns the pairs of vertices whose edge differs: one end decides it, and an end reads something else than what is desired. Almost no edge
 * differs, so a pair that both ends name is compared twice rather than remembered.
 */
function differingPairs(left: VertexIndex, right: VertexIndex): readonly (readonly [Vertex, Vertex])[] {
  const seen = new Map<Vertex, Set<Vertex>>();
  const examine = (a: Vertex | undefined, b: Vertex | undefined): void => {
    if (a === undefined || b === undefined || a.leaving || b.leaving) return;
    if (!isDecided(a, b)) return;
    if (contradiction(a, b, desiredOf(a, b)) === undefined) return;
    const others = seen.get(a);
    if (others === undefined) seen.set(a, new Set([b]));
    else others.add(b);
  };
  for (const vertex of left.vertices) for (const other of neighboursOf(vertex)) examine(vertex, vertexOf(right, other));
  for (const vertex of right.vertices) for (const other of neighboursOf(vertex)) examine(vertexOf(left, other), vertex);
  const inOrder = (one: Vertex, other: Vertex): number => byText(one.reference, other.reference);
  return [...seen].flatMap(([a, others]) => [...others].sort(inOrder).map((b): readonly [Vertex, Vertex] => [a, b]));
}

/** What its declared and its live edges lead to; what both have twice. */
function* neighboursOf({ declared, live }: Vertex): Iterable<Reference> {
  if (declared !== null) yield* declared.named.keys();
  if (live !== null) yield* live.keys();
}

function vertexOf({ vertices, index }: VertexIndex, reference: Reference): Vertex | undefined {
  const at = index.get(reference);
  return at === undefined ? undefined : vertices[at];
}

/** Whether an end declares the edge of a pair, or that there is none. */
function isDecided(a: Vertex, b: Vertex): boolean {
  return decides(a.declared, b.reference) || decides(b.declared, a.reference);
}

/** Whether an end says of a neighbour whether there is an edge. */
export function decides(declared: DeclaredEdges | null, other: Reference): boolean {
  return declared !== null && (declared.complete || declared.named.has(other));
}

/** The desired edge of a pair that is decided: either end may declare it, and a complete end that does not mention the other means "no edge". */
function desiredOf(a: Vertex, b: Vertex): string | null {
  return a.declared?.named.get(b.reference) ?? b.declared?.named.get(a.reference) ?? null;
}

/** Returns what an existing end reads that contradicts the desired edge; undefined when none does. */
function contradiction(a: Vertex, b: Vertex, wish: string | null): string | null | undefined {
  if (a.live === null || b.live === null) return wish === null ? undefined : null;
  const one = a.live.get(b.reference) ?? null;
  if (one !== wish) return one;
  const other = b.live.get(a.reference) ?? null;
  return other === wish ? undefined : other;
}

/**
 * Only a vertex whose whole edge set is decided may be written: a map built from a lagging read would erase an edge that another client just added.
 */
function weightOf(vertex: Vertex, other: VertexIndex, weight: number): number {
  if (!vertex.selected || !isWhole(vertex, other)) return Number.POSITIVE_INFINITY;
  return vertex.free ? 0 : weight;
}

function isWhole({ declared, live }: Vertex, { decidesOther }: VertexIndex): boolean {
  return declared?.complete === true || live === null || decidesOther;
}

/**
 * Left vertices that must be written although only a part of their edges is decided: a right vertex that keeps the edges that it does not name has no
 * whole set that could be written, and the edges of one agent are fewer, and change less often, than those of one group. The others are sent as they
 * are read, so one that is not selected can be written for a group that is. Each of them is written whatever the cover is, so its weight is 0.
 */
function forcedLefts(open: readonly (readonly [Vertex, Vertex])[], rights: VertexIndex): ReadonlySet<Vertex> {
  const forced = open.filter(([a, b]) => {
    const isOpen = b.declared?.complete === false && !isWhole(a, rights);
    return isOpen && a.spent !== true && (a.selected || b.selected);
  });
  return new Set(forced.map(([a]) => a));
}

/** The edge set to write: what is decided of the vertex, and otherwise what it has. */
function wholeSet(vertex: Vertex, other: VertexIndex): Edges {
  if (vertex.declared?.complete === true) return present(vertex.declared.named);
  const edges = new Map<Reference, string>();
  for (const neighbour of other.vertices) {
    if (neighbour.leaving) continue;
    const isOpen = !isDecided(vertex, neighbour);
    const priority = isOpen ? vertex.live?.get(neighbour.reference) : desiredOf(vertex, neighbour);
    if (priority !== undefined && priority !== null) edges.set(neighbour.reference, priority);
  }
  return edges;
}

function present(named: DeclaredEdges['named']): Edges {
  return new Map([...named].flatMap(([reference, priority]) => (priority === null ? [] : [[reference, priority]])));
}

/** Entries of a live map whose keys are not vertices of the other side, such as bots in a group. They are written unchanged. */
function carried(vertex: Vertex, other: VertexIndex): Edges {
  return new Map([...(vertex.live ?? [])].filter(([reference]) => !other.index.has(reference)));
}

const NOTHING_TO_COVER: CoverResult = { cover: { left: [], right: [], weight: 0 }, uncoverable: [] };

/**
 * Compares desired and live as one set of edges and chooses the writes: a minimum-weight vertex cover of the changed edges. A new right vertex is
 * created with its whole edge set, so its edges need no cover. A new left vertex is created before the new right ones and cannot name them.
 */
export function planMembership({ left, right, weight }: MembershipInput): Membership {
  const lefts = sideOf(left);
  // A new right vertex has no edges but those that it is created with. The service may give a new left vertex more.
  const rights = sideOf(right, ({ live }) => live === null);
  const changed = differingPairs(lefts, rights);
  const open = changed.filter(([, b]) => b.live !== null || !b.selected);
  const forced = forcedLefts(open, rights);
  const { cover, uncoverable } =
    open.length === 0
      ? NOTHING_TO_COVER
      : minimumVertexCover({
          left: left.map((vertex) => (forced.has(vertex) ? 0 : weightOf(vertex, rights, weight.left))),
          right: right.map((vertex) => weightOf(vertex, lefts, weight.right)),
          edges: open.map(
            ([a, b]) => [lefts.index.get(a.reference) ?? -1, rights.index.get(b.reference) ?? -1] as const,
          ),
        });
  const isCreated = (vertex: Vertex): boolean => vertex.live === null && vertex.selected && !vertex.leaving;
  const created = right.flatMap((vertex, index) => (isCreated(vertex) ? [index] : []));
  // Declared sets are sent even when they are empty: the service may give a new object a set of its own.
  const declared = left.flatMap((vertex, index) => (isCreated(vertex) && vertex.declared !== null ? [index] : []));
  const createdLater = new Set(right.filter(({ live }) => live === null).map(({ reference }) => reference));
  return {
    changed: changed.map(([a, b]) => edgeOf(a, b)),
    left: union(cover.left, declared).flatMap((index) => writeOf(left[index], rights, createdLater)),
    right: union(cover.right, created).flatMap((index) => writeOf(right[index], lefts, new Set())),
    uncovered: uncoverable.flatMap(([one, other]): readonly Edge[] => {
      const [a, b] = [left[one], right[other]];
      return a === undefined || b === undefined ? [] : [edgeOf(a, b)];
    }),
  };
}

function edgeOf(a: Vertex, b: Vertex): Edge {
  const desired = desiredOf(a, b);
  return { left: a.reference, right: b.reference, desired, live: contradiction(a, b, desired) ?? null };
}

function union(a: readonly number[], b: readonly number[]): readonly number[] {
  return [...new Set([...a, ...b])];
}

/** A created vertex cannot name vertices that are created after it. */
function writeOf(
  vertex: Vertex | undefined,
  other: VertexIndex,
  createdLater: ReadonlySet<Reference>,
): readonly MembershipWrite[] {
  if (vertex === undefined) return [];
  const isLater = (reference: Reference): boolean => vertex.live === null && createdLater.has(reference);
  const edges = new Map(
    [...carried(vertex, other), ...wholeSet(vertex, other)].filter(([reference]) => !isLater(reference)),
  );
  return [{ reference: vertex.reference, edges }];
}
