// Whether an apply can close a difference.

import type { Reach } from './plan.ts';

/** A request can close it, as far as it is known that there is something to close. */
export function isInReach({ reach }: { readonly reach: Reach | null }): boolean {
  return reach !== 'unreachable' && reach !== 'unreadable';
}
