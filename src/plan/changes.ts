// Drafts and the planned order in, what a plan says of each resource out. Decides nothing: the drafts did.

import { byText } from '../base/json.ts';
import type { Desired, Reference, Spec } from '../base/model.ts';
import { KIND_NAMES } from '../kinds/index.ts';
import { changedFields, type Draft } from './draft.ts';
import { dangersOf } from './guards/guard.ts';
import type { PlannedOrder } from './order/order.ts';
import type { Actions, Referrer, ResourceChange } from './plan.ts';
import { sourceOf } from './source.ts';

/** The resources with something to say, in the order in which people read a license. */
export function resourceChanges(
  drafts: readonly Draft[],
  order: PlannedOrder,
  desired: Desired,
  referrersOf: (address: Reference) => readonly Referrer[],
): readonly ResourceChange[] {
  const telling = drafts.filter((made) => hasSomethingToSay(made, order));
  return inReadingOrder(telling, desired).map((made) => changeOf(made, order, referrersOf));
}

function hasSomethingToSay({ address, verb, fields, adopting, unrecorded }: Draft, { moves }: PlannedOrder): boolean {
  return verb !== 'none' || fields.length > 0 || adopting || unrecorded || moves.has(address);
}

/** By kind as people read a license, then by address; an ordered kind in its desired order. */
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
  return Object.fromEntries(Object.entries(live).filter(([name]) => made.desired?.[name] !== undefined));
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
