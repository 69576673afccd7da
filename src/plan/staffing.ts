// Staff of the license before a plan and after it, as src/staff takes it, in the terms of the plan.

import type { LiveObject, Version } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';
import { inDeclaredZone, livePlace, STAFFING } from '../routing/staff/placed.ts';
import type { Placed } from '../routing/staff/staff.ts';
import type { Comparison } from './compare.ts';
import { liveSpec } from './diff.ts';
import type { Draft } from './draft.ts';
import { aftermath } from './sent.ts';

/** The part of a comparison that says who is where. */
export type Placing = Pick<Comparison, 'drafts' | 'live' | 'bindings'>;

export interface Staffing {
  readonly before: readonly Placed[];
  readonly after: readonly Placed[];
}

export function staffing(compared: Placing): Staffing {
  return { before: staffBefore(compared), after: staffAfter(compared) };
}

export function staffBefore(compared: Placing): readonly Placed[] {
  const draftOf = new Map(staffDrafts(compared).map((made) => [made.object, made]));
  return staffObjects(compared).map((object) => placedNow(object, draftOf.get(object) ?? null, compared));
}

export function staffAfter(compared: Placing): readonly Placed[] {
  const drafts = staffDrafts(compared);
  const drafted = new Set(drafts.map(({ object }) => object));
  const others = staffObjects(compared).filter((object) => !drafted.has(object));
  return [
    ...drafts.flatMap((made) => placedBy(made, compared.live.version)),
    ...others.map((object) => placedNow(object, null, compared)),
  ];
}

function staffDrafts({ drafts }: Placing): readonly Draft[] {
  return drafts.filter(({ kind }) => STAFFING.has(kind.name));
}

function staffObjects({ live }: Placing): readonly LiveObject[] {
  return [...STAFFING.keys()].flatMap((kind) => live.objects[kind] ?? []);
}

function placedNow(object: LiveObject, made: Draft | null, { live, bindings }: Placing): Placed {
  const { kind, id } = object;
  const found = made?.live ?? liveSpec(KINDS[kind], object, bindings);
  const spec = inDeclaredZone(kind, found, made?.desired ?? null, live.version);
  return livePlace(object, bindings.referenceTo(kind, id), spec);
}

/** A field that cannot be changed through the API keeps its live value, whatever the manifest declares. */
function placedBy(made: Draft, version: Version): readonly Placed[] {
  const left = aftermath(made);
  if (left === null) return [];
  const spec = inDeclaredZone(made.kind.name, left, made.desired, version);
  const { address: reference, kind, resource, object } = made;
  const name = typeof spec['name'] === 'string' ? spec['name'] : (object?.name ?? resource?.key ?? reference);
  const decides = Object.keys(made.desired ?? {});
  const builtin = object?.facts.builtin === true ? { builtin: true as const } : {};
  return [{ reference, kind: kind.name, name, spec, decides, ...builtin }];
}
