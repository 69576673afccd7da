// Unmanaged rules that are new since a plan was approved, and whether it is proven that they route no visitor otherwise than was approved.

import { equalJson } from '../../base/json.ts';
import type { Reference } from '../../base/model.ts';
import { isAddress, ORDERED } from '../../kinds/index.ts';
import { compareRouting } from '../../routing/compare.ts';
import type { Assumptions } from '../../routing/rules.ts';
import type { Comparison } from '../compare.ts';
import type { Plan } from '../plan.ts';
import { ruleLists } from '../rerouting/rule-lists.ts';
import type { Effect, SavedPlan } from './saved-plan.ts';

/** What a plan leaves of the rules, and what it was made from. */
export interface PlannedRules {
  readonly plan: Pick<Plan, 'live_order' | 'routing'>;
  readonly effects: readonly Effect[];
  readonly read: SavedPlan['read'];
}

export interface NewRules {
  readonly rules: ReadonlySet<Reference>;
  /** With them, every visitor reaches the groups that were approved. False where that is not proven. */
  readonly areHarmless: boolean;
}

export const NO_NEW_RULES: NewRules = { rules: new Set(), areHarmless: true };

/** `compared` is the comparison that the plan of now was made from. */
export function newRules(
  approved: PlannedRules,
  now: PlannedRules,
  compared: Comparison,
  assumptions: Assumptions,
): NewRules {
  const known = new Set([...orderLeft(approved), ...approved.plan.live_order]);
  const rules = new Set(orderLeft(now).filter((reference) => !isAddress(reference) && !known.has(reference)));
  if (rules.size === 0) return NO_NEW_RULES;
  const { after } = ruleLists(compared);
  const others = after.filter(({ name }) => !rules.has(name));
  const areHarmless =
    after.length - others.length === rules.size &&
    isOtherwiseAsApproved(approved, now, rules) &&
    isAsSafe(approved.plan.routing, now.plan.routing) &&
    routesAlike(compareRouting(others, after, assumptions));
  return { rules, areHarmless };
}

/** The list of rules after a plan: as its writes leave it, or without what it deletes. */
export function orderLeft({ plan, effects }: Pick<PlannedRules, 'plan' | 'effects'>): readonly Reference[] {
  const order = effects.find((effect) => effect.effect === 'order');
  if (order !== undefined) return order.order;
  const gone = new Set<Reference>(effects.flatMap((each) => (each.effect === 'gone' ? [each.address] : [])));
  return plan.live_order.filter((reference) => !gone.has(reference));
}

/** The saved plan has digests of the other rules and no conditions, so each of them must be as it was, and in the approved place. */
function isOtherwiseAsApproved(approved: PlannedRules, now: PlannedRules, rules: ReadonlySet<Reference>): boolean {
  const order = orderLeft(now).filter((reference) => !rules.has(reference));
  return (
    equalJson(order, orderLeft(approved)) &&
    Object.entries(approved.read).every(
      ([object, digest]) => !object.startsWith(`${ORDERED.name}/`) || now.read[object] === digest,
    )
  );
}

/** Whether no visitor reaches a wrong group while the rules are written, or only those that the approver saw. */
function isAsSafe(approved: Plan['routing'], now: Plan['routing']): boolean {
  if (now === null || now.way === 'safe') return true;
  return approved?.way === now.way && equalJson(approved.exposed, now.exposed);
}

function routesAlike({ rerouted, exact }: ReturnType<typeof compareRouting>): boolean {
  return exact && rerouted.length === 0;
}
