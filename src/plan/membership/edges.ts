// Membership of a license as vertices and edges, and the writes and changed fields that a planned membership means.

import { byText, isObject } from '../../base/json.ts';
import type { Address, Json, JsonObject, Live, LiveObject, ObjectId, Reference, Version } from '../../base/model.ts';
import { oncePer } from '../../base/once-per.ts';
import { LICENSE_API } from '../../kinds/actions.ts';
import { MEMBERSHIP } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { keepsOthers, membersIn, namedMembers } from '../../kinds/priority.ts';
import type { AccountMove } from '../binding/accounts.ts';
import type { Bindings } from '../binding/bind.ts';
import { liveSpec } from '../diff.ts';
import { type Draft, isCreated, writtenAnyway } from '../draft.ts';
import type { FieldChange } from '../plan.ts';
import {
  type DeclaredEdges,
  decides,
  type Edge,
  type Edges,
  type Membership,
  type MembershipWrite,
  planMembership,
  type Vertex,
} from './membership.ts';

/** A write of one side of the membership relation, on an object that may be undeclared. */
export interface EdgeWrite extends MembershipWrite {
  readonly field: string;
  readonly kind: Kind;
  /** null for an object that is created in this run. */
  readonly object: ObjectId | null;
  readonly serves: readonly Address[];
}

type SideName = keyof typeof MEMBERSHIP;

function edgesOf(value: Json | undefined): Edges | null {
  if (!isObject(value)) return null;
  const edges = new Map<Reference, string>();
  for (const reference of Object.keys(value)) edges.set(reference, String(value[reference]));
  return edges;
}

/** What one end declares; null where it declares no memberships. */
export function declaredEdges(value: Json | undefined): DeclaredEdges | null {
  return isObject(value) ? edgesIn(value) : null;
}

/** Asked for each of the edges. */
const edgesIn = oncePer(
  (members: JsonObject): DeclaredEdges => ({ named: namedMembers(members), complete: !keepsOthers(members) }),
);

function vertexOfDraft(made: Draft, field: string, selects: (address: Address) => boolean): Vertex {
  return {
    reference: made.address,
    declared: declaredEdges(made.desired?.[field]),
    live: made.live === null ? null : (edgesOf(made.live[field]) ?? new Map()),
    free: writtenAnyway(made),
    selected: selects(made.address),
    leaving: made.resource === null || (made.object === null && !isCreated(made)),
  };
}

function vertexOfOther(kind: Kind, object: LiveObject, field: string, bindings: Bindings): Vertex {
  const live = edgesOf(liveSpec(kind, object, bindings)[field]) ?? new Map();
  return {
    reference: bindings.referenceTo(kind.name, object.id),
    declared: null,
    live,
    free: false,
    selected: true,
    leaving: false,
  };
}

function vertices(
  side: SideName,
  drafts: readonly Draft[],
  bindings: Bindings,
  live: Live,
  { selects, spent }: MembershipOptions,
): readonly Vertex[] {
  const { kind, field } = MEMBERSHIP[side];
  const own = drafts.filter((made) => made.kind === kind);
  const drafted = new Set(own.map(({ object }) => object));
  const others = (live.objects[kind.name] ?? []).filter((object) => !drafted.has(object));
  const all = [
    ...own.map((made) => vertexOfDraft(made, field, selects)),
    ...others.map((object) => vertexOfOther(kind, object, field, bindings)),
  ];
  if (spent.size === 0) return all;
  return all.map((vertex) => (spent.has(vertex.reference) ? { ...vertex, selected: false, spent: true } : vertex));
}

/** Vertices where a new account that declares no memberships has those of the account in whose place it is, as far as no file decides them. */
function succeeding(
  left: readonly Vertex[],
  right: readonly Vertex[],
  { accounts }: MembershipOptions,
): readonly Vertex[] {
  if (accounts.length === 0) return left;
  const known = new Map(left.map((vertex) => [vertex.reference, vertex]));
  const groups = new Map(right.map((vertex) => [vertex.reference, vertex]));
  const formerOf = new Map<Reference, Reference>(accounts.map(({ from, to }) => [to, from]));
  return left.map((vertex) => {
    const { reference, live, declared } = vertex;
    const former = known.get(formerOf.get(reference) ?? '')?.live ?? null;
    if (live !== null || declared !== null || former === null) return vertex;
    const open = [...former].filter(([group]) => {
      const there = groups.get(group);
      return there !== undefined && !there.leaving && !decides(there.declared, reference);
    });
    return open.length === 0 ? vertex : { ...vertex, declared: { named: new Map(open), complete: false } };
  });
}

/** Costs of one write, in whole numbers: where agents are written in batches, a group costs as much as a full batch. */
function weights(version: Version, batchSize: number): { readonly left: number; readonly right: number } {
  const cost = ({ write }: (typeof MEMBERSHIP)[SideName]): number =>
    LICENSE_API.actions[write].batch?.versions.includes(version) === true ? 1 : batchSize;
  return { left: cost(MEMBERSHIP.left), right: cost(MEMBERSHIP.right) };
}

export interface Memberships {
  readonly planned: Membership;
  /** The changed edges that this run writes: those that nothing may write have a note instead. */
  readonly written: readonly Edge[];
  /** Those of them that no file declares: memberships that a new account takes over from an old one. */
  readonly inherited: readonly Edge[];
  readonly writes: readonly EdgeWrite[];
  /** Membership as field changes of the resources that declare it and exist. */
  readonly fields: ReadonlyMap<Address, FieldChange>;
}

export interface MembershipOptions {
  /** Vertices that may not be written again. */
  readonly spent: ReadonlySet<Reference>;
  readonly version: Version;
  readonly batchSize: number;
  readonly selects: (address: Address) => boolean;
  /** Changes of address: a new account joins the groups of the old one that no file decides. */
  readonly accounts: readonly AccountMove[];
}

export function memberships(
  drafts: readonly Draft[],
  bindings: Bindings,
  live: Live,
  options: MembershipOptions,
): Memberships {
  const declares = Object.values(MEMBERSHIP).some(({ kind, field }) =>
    drafts.some((made) => made.kind === kind && made.desired?.[field] !== undefined),
  );
  const right = declares ? vertices('right', drafts, bindings, live, options) : [];
  const left = declares ? succeeding(vertices('left', drafts, bindings, live, options), right, options) : [];
  const planned = planMembership({ left, right, weight: weights(options.version, options.batchSize) });
  const declarers = declaringSides(planned.changed.length === 0 ? [] : drafts);
  const serves = new Map<Reference, Set<Address>>();
  for (const edge of planned.changed) {
    const owner = declarers(edge);
    if (owner === null) continue;
    for (const end of [edge.left, edge.right]) {
      const known = serves.get(end) ?? new Set();
      serves.set(end, known.add(owner.made.address));
    }
  }
  const write =
    (side: SideName) =>
    (each: { readonly reference: Reference; readonly edges: Edges }): EdgeWrite => {
      const { kind, field } = MEMBERSHIP[side];
      const id = bindings.idOf(each.reference);
      return {
        ...each,
        kind,
        field,
        object: id,
        serves: [...(serves.get(each.reference) ?? [])].sort(),
      };
    };
  const uncovered = new Set(planned.uncovered.map(edgeKey));
  const written = planned.changed.filter((edge) => !uncovered.has(edgeKey(edge)));
  return {
    planned,
    written,
    inherited: written.filter((edge) => declarers(edge) === null),
    writes: [...planned.left.map(write('left')), ...planned.right.map(write('right'))],
    fields: fieldChanges(written, declarers),
  };
}

function edgeKey({ left, right }: Edge): string {
  return JSON.stringify([left, right]);
}

interface Declarer {
  readonly made: Draft;
  readonly field: string;
}

/** Returns the resource that reports a changed edge: the group where it decides it, otherwise the agent. */
function declaringSides(drafts: readonly Draft[]): (edge: Edge) => Declarer | null {
  const byAddress = new Map<Reference, Draft>(drafts.map((made) => [made.address, made]));
  return (edge) => {
    for (const side of ['right', 'left'] as const) {
      const made = byAddress.get(edge[side]);
      const { field } = MEMBERSHIP[side];
      const other = edge[side === 'left' ? 'right' : 'left'];
      if (made !== undefined && decides(declaredEdges(made.desired?.[field]), other)) return { made, field };
    }
    return null;
  };
}

function fieldChanges(
  changed: readonly Edge[],
  declarers: (edge: Edge) => Declarer | null,
): ReadonlyMap<Address, FieldChange> {
  const changes = new Map<Address, FieldChange>();
  for (const edge of changed) {
    const owner = declarers(edge);
    if (owner === null || owner.made.live === null) continue;
    const { made, field } = owner;
    const desired = made.desired?.[field] ?? null;
    const isInPart = keepsOthers(desired);
    changes.set(made.address, {
      field,
      before: made.live?.[field] ?? null,
      after: isInPart ? withNamed(made.live?.[field] ?? {}, desired) : desired,
      reach: 'write',
      reason: isInPart ? 'who else is in stays' : null,
    });
  }
  return changes;
}

/** The live members with those that a map names: it keeps the others. */
function withNamed(live: Json, desired: Json): Json {
  if (!isObject(live) || !isObject(desired)) return desired;
  const named = namedMembers(desired);
  const kept = Object.entries(live).filter(([reference]) => !named.has(reference));
  return Object.fromEntries([...kept, ...Object.entries(membersIn(desired))].sort(([a], [b]) => byText(a, b)));
}
