// An apply that is verified with the customers' eyes after it: what they saw before its first write tells when they see the change.

import type { ApplyChoice } from '../../apply/target.ts';
import { type ApplyRequest, type ApplyResult, applyTarget, hasChanges } from '../../apply/target.ts';
import { SETTLE_WINDOW } from '../../license/reading/settled.ts';
import { seenGroups } from '../../plan/touched.ts';
import type { ApprovedHere } from '../../planning/origin.ts';
import type { RunContext } from '../../target/context.ts';
import type { Declared } from '../../target/prepare.ts';
import { ledgerAt } from '../../target/stores.ts';
import { customerAccess } from '../test/customer/read-access.ts';
import type { SeenBefore, SeeOptions } from '../test/customer/read-answers.ts';
import {
  type CustomersSeen,
  type RequestsAhead,
  requireVisitor,
  type SeenAhead,
  testApplied,
  versionsNow,
} from '../test/customer/read-customer.ts';

/** What customers see after an apply, or why that is not known. */
export type CustomersAfter = CustomersSeen | { readonly failure: unknown };

export interface SeenApply {
  readonly applied: ApplyResult;
  /** Null where it was not asked for, or the apply was not done. */
  readonly customers: CustomersAfter | null;
}

/**
 * The verification begins after the lease was given back, and never changes the result of the apply.
 * @throws UsageError for what the target lacks for it, before anything is changed
 */
export async function applyAndSee(
  declared: Declared,
  approved: ApprovedHere | null,
  choice: ApplyChoice,
  { visitor, ...options }: ApplyRequest & { readonly visitor: boolean },
  context: RunContext,
): Promise<SeenApply> {
  if (visitor) requireVisitor('--visitor', declared.settings, context);
  const access = await customerAccess(declared.settings, context);
  const isUnsettled = await wroteLately(declared, context);
  let before: SeenBefore | null = null;
  let requests: RequestsAhead = { visitor: {}, agent: {} };
  const agree: NonNullable<ApplyRequest['agree']> = async (plan, diagnostics) => {
    const declined = (await options.agree?.(plan, diagnostics)) ?? null;
    if (declined !== null || plan.withheld.length > 0) return declined;
    const touched = seenGroups(plan, declared.desired);
    const now = await versionsNow(touched, declared, access, context);
    requests = now.requests;
    // Where it cannot be seen, only what differs is waited for, and the verification says why.
    before = now.versions === null ? null : { touched, versions: now.versions };
    return null;
  };
  const applied = await applyTarget(declared, approved, choice, { ...options, agree }, context);
  if (applied.outcome !== 'applied' || applied.report.outcome !== 'done') return { applied, customers: null };
  // Where nothing was written, there is nothing to wait for.
  const afterApply = isUnsettled || hasChanges(applied.plan);
  const how = { afterApply, visitor, ...(before === null ? {} : { before }) };
  return { applied, customers: await seenAfter(how, declared, { access, requests }, context) };
}

/** Whether an earlier run wrote something that may not show yet. */
async function wroteLately({ settings: { ledger } }: Declared, context: RunContext): Promise<boolean> {
  const since = context.clock.now() - SETTLE_WINDOW;
  const events = await ledgerAt(ledger, context).read();
  return events.some((event) => event.type !== 'customer' && event.type !== 'unknown' && Date.parse(event.at) >= since);
}

async function seenAfter(
  options: SeeOptions,
  declared: Declared,
  ahead: SeenAhead,
  context: RunContext,
): Promise<CustomersAfter> {
  try {
    return await testApplied(declared, options, ahead, context);
  } catch (failure) {
    return { failure };
  }
}
