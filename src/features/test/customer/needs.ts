// What each check of a verification needs, and what of it is missing. Sends nothing.

import { CHECKS, type CustomerCheck } from './schema.ts';

/** Something that a check needs of a target. */
export type CheckNeed = 'account' | 'routes' | 'group-ids' | 'customer-token' | 'chat-mark';

export const CHECK_NEEDS = [
  'account',
  'routes',
  'group-ids',
  'customer-token',
  'chat-mark',
] as const satisfies readonly CheckNeed[];

const NEEDS: { readonly [check in CustomerCheck]: readonly CheckNeed[] } = {
  product: ['account'],
  page: ['account', 'routes'],
  route: ['account', 'routes', 'group-ids'],
  language: ['account', 'group-ids'],
  translation: ['account', 'group-ids'],
  property: ['account', 'group-ids'],
  status: ['account', 'group-ids', 'customer-token'],
  form: ['account', 'group-ids', 'customer-token'],
  prediction: ['account', 'customer-token'],
  chat: ['account', 'routes', 'group-ids', 'customer-token', 'chat-mark'],
};

/** Why each need is not met, and what to do; null for one that is. */
export type MissingNeeds = { readonly [need in CheckNeed]: string | null };

export interface CheckReadiness {
  readonly check: CustomerCheck;
  readonly needs: readonly CheckNeed[];
  /** Of its needs; none when it can be checked. */
  readonly missing: readonly string[];
}

/** Every check, in the order of the reports. */
export function readinessOf(missing: MissingNeeds): readonly CheckReadiness[] {
  return CHECKS.map((check) => ({
    check,
    needs: NEEDS[check],
    missing: NEEDS[check].flatMap((need) => missing[need] ?? []),
  }));
}
