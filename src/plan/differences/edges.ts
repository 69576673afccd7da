// Differences of membership, one for each edge. An edge is reported where the plan reports it: at the group if that declares its members,
// otherwise at the agent.

import type { Json, Reference, Spec } from '../../base/model.ts';
import { MEMBERSHIP } from '../../kinds/index.ts';
import type { Comparison } from '../compare.ts';
import type { Draft } from '../draft.ts';
import { declaredEdges } from '../membership/edges.ts';
import { type DeclaredEdges, decides } from '../membership/membership.ts';
import { aboutDraft, type DriftContext, statusOf, waysOut } from './about.ts';
import type { Difference } from './difference.ts';

type SideName = keyof typeof MEMBERSHIP;

const OTHER: { readonly [side in SideName]: SideName } = { left: 'right', right: 'left' };

/** One end of the relation that declares its edges. */
interface EdgeEnd {
  readonly made: Draft;
  readonly side: SideName;
  readonly base: Spec | null;
}

export function edgeDifferences(context: DriftContext, selects: (made: Draft) => boolean): readonly Difference[] {
  const { compared } = context;
  const drafts = new Map<Reference, Draft>(compared.drafts.map((made) => [made.address, made]));
  const readings = contradictions(compared);
  return compared.drafts.flatMap((made): readonly Difference[] => {
    const side = sideOf(made);
    if (side === null || made.object === null || !selects(made)) return [];
    const views: Views = readings.get(made.address) ?? new Map();
    const end: EdgeEnd = { made, side, base: context.baseOf(made) ?? null };
    return neighbours(end, views).flatMap((reference) => {
      const other = drafts.get(reference);
      if (other !== undefined && (isAway(other) || isListedThere(other, OTHER[side], made.address))) return [];
      return edgeDifference(end, { reference, other, view: views.get(reference) }, context);
    });
  });
}

/** Live values of the changed edges of one end, by the other end. */
type Views = ReadonlyMap<Reference, string | null>;

function contradictions({ edges }: Comparison): ReadonlyMap<Reference, Views> {
  const views = new Map<Reference, Map<Reference, string | null>>();
  const tell = (end: Reference, other: Reference, live: string | null): void => {
    const known = views.get(end) ?? new Map<Reference, string | null>();
    views.set(end, known.set(other, live));
  };
  for (const { left, right, live } of edges.planned.changed) {
    tell(left, right, live);
    tell(right, left, live);
  }
  return views;
}

function sideOf(made: Draft): SideName | null {
  for (const side of ['left', 'right'] as const) {
    const { kind, field } = MEMBERSHIP[side];
    if (made.kind === kind && made.desired?.[field] !== undefined) return side;
  }
  return null;
}

/** Whether the resource does not exist, or is about to go: its edges go with it, and it has a difference of its own. */
function isAway(other: Draft): boolean {
  return other.object === null || other.verb === 'delete';
}

function isListedThere(other: Draft, side: SideName, reference: Reference): boolean {
  return side === 'right' && decides(edgesIn(other.desired, side), reference);
}

function edgesIn(spec: Spec | null, side: SideName): DeclaredEdges | null {
  return declaredEdges(spec?.[MEMBERSHIP[side].field]);
}

/** Ends of edges that are declared, were applied, or exist and should not. Other entries of a live map stay unchanged. */
function neighbours({ made, side, base }: EdgeEnd, views: Views): readonly Reference[] {
  const known = [made.desired, base].flatMap((spec) => [...(edgesIn(spec, side)?.named.keys() ?? [])]);
  return [...new Set([...known, ...views.keys()])];
}

/** What was applied to one end of an edge. */
interface AppliedEnd {
  readonly edges: DeclaredEdges | null;
  readonly end: Reference;
  /** RFC 3339. */
  readonly at: string;
}

/** What the newest apply of the ends says of the edge; undefined when none decided it. One end may have been let go long before the other was applied. */
function appliedEdge(ends: readonly AppliedEnd[]): Json | undefined {
  const newest = ends.reduce((latest, { at }) => (at > latest ? at : latest), '');
  const last = ends.filter(({ at }) => at === newest);
  if (last.length === 0) return undefined;
  return last.flatMap(({ edges, end }) => edges?.named.get(end) ?? [])[0] ?? null;
}

function appliedAt({ address }: Draft, { compared }: DriftContext): string {
  return compared.ledger.applied.get(address)?.at ?? '';
}

interface Neighbour {
  readonly reference: Reference;
  readonly other: Draft | undefined;
  /** What is read of a changed edge; undefined for one that is as desired. */
  readonly view: string | null | undefined;
}

function edgeDifference(
  { made, side, base }: EdgeEnd,
  { reference, other, view }: Neighbour,
  context: DriftContext,
): readonly Difference[] {
  const here = edgesIn(made.desired, side);
  const there = edgesIn(other?.desired ?? null, OTHER[side]);
  if (!decides(here, reference) && !decides(there, made.address)) return [];
  const desired = here?.named.get(reference) ?? there?.named.get(made.address) ?? null;
  const live = view === undefined ? desired : view;
  const before = appliedEdge(
    [
      { edges: edgesIn(base, side), end: reference, at: appliedAt(made, context) },
      ...(other === undefined
        ? []
        : [
            {
              edges: edgesIn(context.baseOf(other) ?? null, OTHER[side]),
              end: made.address,
              at: appliedAt(other, context),
            },
          ]),
    ].filter(({ edges, end }) => decides(edges, end)),
  );
  const status = statusOf({ base: before, live, desired });
  if (status === null) return [];
  const reach = status === 'converged' ? null : 'write';
  return [
    {
      ...aboutDraft(made, context),
      status,
      kind: 'changed',
      path: [MEMBERSHIP[side].field, reference],
      base: before ?? null,
      live,
      desired,
      reach,
      reason: null,
      ways_out: waysOut(status, reach),
    },
  ];
}
