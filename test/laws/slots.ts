// Nothing in; the slots of random wishes, and the parts that the arbitraries of several kinds are made of, out. Knows nothing of planner or emulator.

import fc from 'fast-check';
import type { Json, Spec } from '../../src/base/model.ts';

/** Slots are fixed, so that two wishes overlap: the same agents, other values. */
export const AGENTS = ['ann', 'bob', 'cleo', 'dan', 'eve'] as const;
export const GROUPS = ['sales', 'support', 'billing', 'vip'] as const;
export const BOTS = ['triage', 'faq', 'night'] as const;
export const TEMPLATES = ['concierge', 'scout'] as const;
export const RULES = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5'] as const;
export const DEFINITIONS = [
  { namespace: 'client-1', name: 'score', type: 'int', values: [0, 5, 10] },
  { namespace: 'client-1', name: 'tier.level', type: 'string', values: ['gold', 'silver'] },
  { namespace: 'client-2', name: 'flag', type: 'bool', values: [true, false] },
  { namespace: 'client-2', name: 'note/long', type: 'tokenized_string', values: ['x', 'y z'] },
  { namespace: 'client-1', name: 'shared', type: 'string', values: ['a', 'b'] },
] as const;
/** Groups of the license that no manifest declares; they follow the declared ones as columns of the edges. */
export const OTHER_GROUPS = ['general', 'walkins'] as const;
/** Agents of the license that no manifest declares; they follow the declared ones as rows of the edges. */
export const OTHER_AGENTS = ['boss', 'zoe'] as const;

/** Of the edges: groups that a manifest may declare, then those that it may refer to. */
export const columns = GROUPS.length + OTHER_GROUPS.length;

/** What any wish for an object may leave to the license. */
export interface Entry {
  readonly spec: Spec;
  /** Ask for the `id:` of the object that it would be anyway. */
  readonly withId: boolean;
  /** Required fields that are left out where the object exists. */
  readonly omitted: readonly string[];
}

/** Null in one of `freq` draws: with 1, in all of them. */
export const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq = 3): fc.Arbitrary<T | null> =>
  fc.option(arbitrary, { freq });
export const partly = (fields: { readonly [name: string]: fc.Arbitrary<Json | undefined> }): fc.Arbitrary<Spec> =>
  fc.record(fields, { requiredKeys: [] }).map(present);
export const priority = fc.constantFrom('first', 'normal', 'last', 'supervisor');
export const text = fc.constantFrom('', 'Lead', 'Agent of the year', 'żółć');
export const entry = (required: readonly string[]) => ({
  withId: fc.boolean(),
  omitted: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray([...required])),
});

export function present(members: { readonly [name: string]: Json | undefined }): Spec {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, Json] => member[1] !== undefined),
  );
}

export function slots<T>(count: number, each: (slot: number) => fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> {
  return fc.tuple(...Array.from({ length: count }, (_, slot) => each(slot)));
}
