// A comparison in; what was last applied in the terms of today, what every difference of a resource has in common, and the ways out of one, out.

import { equalJson } from '../../base/json.ts';
import type { Json, Spec } from '../../base/model.ts';
import { normalise } from '../../kinds/fields.ts';
import type { Comparison } from '../../plan/compare.ts';
import { desiredSpec } from '../../plan/diff.ts';
import type { Draft } from '../../plan/draft.ts';
import type { Reach } from '../../plan/plan.ts';
import { isInReach } from '../../plan/reach.ts';
import { sourceOf } from '../../plan/reference.ts';
import type { Status } from '../../project/drift-settings.ts';
import type { Difference, WayOut } from './report.ts';

/** Undefined where there is no value. */
export interface Sides {
  /** Undefined: nothing was applied, so nobody can say that the license moved. */
  readonly base: Json | undefined;
  /** Undefined: the service's empty. */
  readonly live: Json | undefined;
  /** Undefined: not managed. */
  readonly desired: Json | undefined;
}

/**
 * Null when there is nothing to tell. `isSame` is asked with the value that is there first, and the value that it is held against second: a wish may
 * speak of a part only.
 */
export function statusOf(
  { base, live, desired }: Sides,
  isSame: (value: Json | undefined, wanted: Json) => boolean = equalJson,
): Exclude<Status, 'unknown'> | null {
  if (desired === undefined) return null;
  if (isSame(live, desired)) return base === undefined || isSame(base, desired) ? null : 'converged';
  if (base === undefined || isSame(live, base)) return 'pending';
  return isSame(base, desired) ? 'drift' : 'conflict';
}

/** All that is looked at. */
export interface DriftContext {
  readonly compared: Comparison;
  /** What was last applied to a resource; undefined when nothing is known of it. */
  readonly baseOf: (made: Draft) => Spec | undefined;
}

export function contextOf(compared: Comparison): DriftContext {
  const { ledger, bindings } = compared;
  const baseOf = ({ address, kind }: Draft): Spec | undefined => {
    const known = ledger.applied.get(address);
    return known === undefined ? undefined : desiredSpec(kind, normalise(kind, known.spec), bindings);
  };
  return { compared, baseOf };
}

/** Of a declared resource, or one that is still ours. */
export function aboutDraft(
  made: Draft,
  { compared }: DriftContext,
): Pick<Difference, 'address' | 'type' | 'name' | 'id' | 'applied_at' | 'source'> {
  const { address, kind, object, resource } = made;
  const name = made.desired?.['name'];
  return {
    address,
    type: kind.name,
    name: object?.name ?? (typeof name === 'string' ? name : (resource?.key ?? address)),
    id: object?.id ?? null,
    applied_at: compared.ledger.applied.get(address)?.at ?? null,
    source: resource === null ? null : sourceOf(resource.place),
  };
}

/** What the license did can be reverted or taken over; what the repository did is only waiting for its apply. */
export function waysOut(status: Status, reach: Reach | null): readonly WayOut[] {
  const apply: readonly WayOut[] = isInReach({ reach }) ? ['apply'] : [];
  switch (status) {
    case 'drift':
    case 'conflict':
      return [...apply, 'accept', 'ignore'];
    case 'pending':
      return [...apply, 'ignore'];
    case 'unknown':
      return reach === 'unverified' ? ['apply', 'ignore'] : ['ignore'];
    case 'converged':
      return [];
  }
}
