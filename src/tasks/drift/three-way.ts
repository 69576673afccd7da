// What was last applied, what is live and what is desired of one thing in; which side moved out. It must not know what the thing is.

import { equalJson } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { Status } from '../../project/drift-settings.ts';

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
