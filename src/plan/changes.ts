// What a plan says of each resource, and what refers to the resources that are in danger.

import { grouped } from '../base/grouped.ts';
import { byText } from '../base/json.ts';
import type { Desired, Json, KindName, Live, LiveObject, Reference, Spec } from '../base/model.ts';
import { referencesOf } from '../kinds/fields.ts';
import { isMembership, KIND_NAMES, KINDS } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { membersNamed } from '../kinds/priority.ts';
import { soleNames } from '../kinds/words.ts';
import type { Bindings } from './binding/bind.ts';
import { liveSpec } from './diff.ts';
import { changedFields, type Draft } from './draft.ts';
import { dangersOf } from './guards/guard.ts';
import type { PlannedOrder } from './order/order.ts';
import type { Actions, Referrer, ResourceChange } from './plan.ts';
import { sourceOf } from './reference.ts';

interface BoundSides {
  readonly desired: Desired;
  readonly live: Live;
  readonly bindings: Bindings;
}

/** Returns the resources with something to show: by kind, then by address, rules in their desired order. */
export function resourceChanges(
  drafts: readonly Draft[],
  order: PlannedOrder,
  { desired, live, bindings }: BoundSides,
): readonly ResourceChange[] {
  const referrersOf = referrersIn(live, bindings);
  const telling = drafts.filter((made) => hasSomethingToSay(made, order));
  return inReadingOrder(telling, desired).map((made) => changeOf(made, order, referrersOf));
}

function hasSomethingToSay({ address, verb, fields, adopting, unrecorded }: Draft, { moves }: PlannedOrder): boolean {
  return verb !== 'none' || fields.length > 0 || adopting || unrecorded || moves.has(address);
}

function inReadingOrder(drafts: readonly Draft[], desired: Desired): readonly Draft[] {
  const places = new Map(desired.ruleOrder.map((address, place) => [address, place]));
  const rank = ({ kind }: Draft): number => KIND_NAMES.indexOf(kind.name);
  const place = ({ address }: Draft): number => places.get(address) ?? places.size;
  return drafts.toSorted((a, b) => rank(a) - rank(b) || place(a) - place(b) || byText(a.address, b.address));
}

function actionsOf(made: Draft, moves: boolean): Actions {
  switch (made.verb) {
    case 'create':
      return ['create'];
    case 'update':
      return ['update'];
    case 'replace':
      return ['delete', 'create'];
    case 'delete':
      return ['delete'];
    case 'none':
      return moves ? ['update'] : ['no-op'];
  }
}

function managedPart(live: Spec, made: Draft): Spec {
  if (made.desired === null) return live;
  const managed = Object.entries(live).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
    const wish = made.desired?.[name];
    if (wish === undefined) return [];
    return [[name, isMembership(made.kind.name, name) ? membersNamed(value, wish) : value]];
  });
  return Object.fromEntries(managed);
}

function changeOf(
  made: Draft,
  order: PlannedOrder,
  referrersOf: (address: Reference) => readonly Referrer[],
): ResourceChange {
  const danger = dangersOf(made);
  const moved = order.moves.get(made.address) ?? null;
  const actions = actionsOf(made, moved !== null);
  return {
    address: made.address,
    type: made.kind.name,
    name: nameOf(made),
    id: made.object?.id ?? null,
    change: {
      actions,
      before: made.live === null ? null : managedPart(made.live, made),
      after: made.desired,
      after_unknown:
        made.object === null && made.kind.choosesId === undefined && made.kind.id !== undefined ? { id: true } : {},
    },
    fields: changedFields(made),
    moved,
    adopting: made.adopting,
    recreating: made.verb === 'create' && made.lost !== null,
    danger,
    referred_by: danger.length === 0 ? [] : referrersOf(made.address),
    source: made.resource === null ? null : sourceOf(made.resource.place),
  };
}

function nameOf(made: Draft): string {
  const name = made.desired?.['name'] ?? made.desired?.['description'];
  return made.object?.name ?? (typeof name === 'string' && name !== '' ? name : (made.resource?.key ?? made.address));
}

/** Reads the license only when the function is called: most plans have no danger. */
function referrersIn(live: Live, bindings: Bindings): (address: Reference) => readonly Referrer[] {
  let known: ReadonlyMap<Reference, readonly Referrer[]> | null = null;
  return (address) => {
    known ??= allReferrers(live, bindings);
    return known.get(address) ?? [];
  };
}

function allReferrers(live: Live, bindings: Bindings): ReadonlyMap<Reference, readonly Referrer[]> {
  const found = KIND_NAMES.flatMap((type) => {
    // What goes with an object is no referrer that stays: its danger names it.
    const objects = (KINDS[type].goesWith === undefined ? (live.objects[type] ?? []) : []).map((object) => ({
      object,
      reference: bindings.referenceTo(type, object.id),
    }));
    // The order of a live list must not show.
    return objects
      .toSorted((one, other) => byText(one.reference, other.reference))
      .flatMap(({ object, reference }) => {
        const referrer: Referrer = { type, reference, name: object.name };
        const pointed = new Set(pointsAt(KINDS[type], object, reference, bindings));
        return Array.from(pointed, (to) => [to, referrer] as const);
      });
  });
  return grouped(found);
}

function pointsAt(kind: Kind, object: LiveObject, reference: Reference, bindings: Bindings): readonly Reference[] {
  const fields = referencesOf(kind, liveSpec(kind, object, bindings));
  const key = reference.startsWith(`${kind.name}/`) ? reference.slice(kind.name.length + 1) : null;
  return key === null ? fields : [...fields, ...(kind.parents?.(key) ?? [])];
}

/** Reference -> name of the objects that the changed fields refer to and that do not change. A name that several objects have names none of them. */
export function namesReferredTo(
  changes: readonly ResourceChange[],
  sides: BoundSides,
): { readonly [reference: string]: string } {
  const changed = new Set<Reference>(changes.map(({ address }) => address));
  const wanted = new Set(changes.flatMap(referencesIn).filter((reference) => !changed.has(reference)));
  if (wanted.size === 0) return {};
  const kinds = new Set(changes.flatMap(({ type }) => referredKinds(KINDS[type])));
  const names = [...namesOf(kinds, sides)].filter(([reference]) => wanted.has(reference));
  return Object.fromEntries(names.sort(([one], [other]) => byText(one, other)));
}

/** Names of all objects of these kinds, by reference: the declared name before that on the license. Left out is a name that several have. */
export function namesOf(
  kinds: ReadonlySet<KindName>,
  { desired, live, bindings }: BoundSides,
): ReadonlyMap<Reference, string> {
  const objects = [...kinds].flatMap((kind) =>
    (live.objects[kind] ?? []).map(({ id, name }) => ({ kind, reference: bindings.referenceTo(kind, id), name })),
  );
  const declared = desired.resources.flatMap(({ kind, address, spec: { name } }) =>
    kinds.has(kind) && typeof name === 'string' ? [{ kind, reference: address, name }] : [],
  );
  return soleNames([...objects, ...declared]);
}

function referencesIn({ type, fields }: ResourceChange): readonly Reference[] {
  const kind = KINDS[type];
  return fields.flatMap(({ field, before, after }) =>
    kind.fields[field]?.references === undefined
      ? []
      : [before, after].flatMap((value) => referencesOf(kind, { [field]: value })),
  );
}

function referredKinds({ fields }: Kind): readonly KindName[] {
  return Object.values(fields).flatMap(({ references }) => (references === undefined ? [] : [references.kind]));
}
