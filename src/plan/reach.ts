// How a difference is closed in; whether an apply can close it out.

import type { Reach } from './plan.ts';

export const REACHES = [
  'write',
  'transition',
  'replace',
  'unverified',
  'unreachable',
  'unreadable',
] as const satisfies readonly Reach[];

/** A request can close it, as far as anybody can tell that there is something to close. */
export function isInReach({ reach }: { readonly reach: Reach | null }): boolean {
  return reach !== 'unreachable' && reach !== 'unreadable';
}
