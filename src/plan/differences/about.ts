// What all differences share: which side changed, what was last applied, and the ways out.

import { STATUS, type Status, type WayOut } from '../../base/difference.ts';
import { equalJson } from '../../base/json.ts';
import type { Json, Spec } from '../../base/model.ts';
import { normalise } from '../../kinds/fields.ts';
import type { Comparison } from '../compare.ts';
import { desiredSpec, isInReach } from '../diff.ts';
import type { Draft } from '../draft.ts';
import type { Reach } from '../plan.ts';
import { sourceOf } from '../reference.ts';
import type { Difference } from './difference.ts';

/** Three values of one thing; undefined where there is none. */
export interface Sides {
  /** Undefined: nothing was applied, so a change on the license cannot be told. */
  readonly base: Json | undefined;
  /** Undefined: the service has no value. */
  readonly live: Json | undefined;
  /** Undefined: not managed. */
  readonly desired: Json | undefined;
}

/** Which side changed; null when there is no difference. `isSame` gets the present value first: a declaration may state only a part of it. */
export function statusOf(
  { base, live, desired }: Sides,
  isSame: (value: Json | undefined, wanted: Json) => boolean = equalJson,
): Exclude<Status, 'unknown'> | null {
  if (desired === undefined) return null;
  if (isSame(live, desired)) return base === undefined || isSame(base, desired) ? null : 'converged';
  if (base === undefined || isSame(live, base)) return 'pending';
  return isSame(base, desired) ? 'drift' : 'conflict';
}

/** A comparison, and what was last applied. */
export interface DriftContext {
  readonly compared: Comparison;
  /** What was last applied to a resource; undefined when nothing is known of it. */
  readonly baseOf: (made: Draft) => Spec | undefined;
}

export function contextOf(compared: Comparison): DriftContext {
  const { ledger, bindings } = compared;
  const baseOf = ({ address, kind, live }: Draft): Spec | undefined => {
    const known = ledger.applied.get(address);
    if (known === undefined) return undefined;
    const base = desiredSpec(kind, normalise(kind, known.spec), bindings);
    // A value that still reads in the form that the service keeps was not changed there, also when the manifest declares that form by now.
    const kept = Object.entries(known.reads ?? {}).filter(([name, read]) => equalJson(live?.[name] ?? null, read));
    return kept.length === 0 ? base : { ...base, ...Object.fromEntries(kept) };
  };
  return { compared, baseOf };
}

/** Members of a difference about a declared or owned resource. */
export function aboutDraft(
  made: Draft,
  { compared }: DriftContext,
): Pick<Difference, 'address' | 'type' | 'name' | 'id' | 'applied_at' | 'usual' | 'source'> {
  const { address, kind, object, resource } = made;
  const name = made.desired?.['name'];
  return {
    address,
    type: kind.name,
    name: object?.name ?? (typeof name === 'string' ? name : (resource?.key ?? address)),
    id: object?.id ?? null,
    applied_at: compared.ledger.applied.get(address)?.at ?? null,
    usual: false,
    source: resource === null ? null : sourceOf(resource.place),
  };
}

/** A change on the license can be reverted, or copied into the manifest. A change in the manifest only waits for its apply. */
export function waysOut(status: Status, reach: Reach | null): readonly WayOut[] {
  const isWritable = status === 'unknown' ? reach === 'unverified' : isInReach({ reach });
  return STATUS[status].waysOut.filter((way) => way !== 'apply' || isWritable);
}
