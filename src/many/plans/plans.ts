// Plans of several targets: what a table has of each, which of them are the same, and the one digest that approves them all.

import { digest } from '../../base/digest.ts';
import { few } from '../../base/text.ts';
import type { Plan } from '../../plan/plan.ts';
import { dangersIn, type ReviewedPlan } from '../../plan/review/plan-result.ts';
import type { TargetAnswer } from '../schema.ts';

/** Whether an apply of the plan would do nothing: no request, and no entry in the ledger. */
export function isNothing({ steps, withheld, bindings }: Plan): boolean {
  const { recover, absent, move, adopt, forget } = bindings;
  return [steps, withheld, recover, absent, move, adopt, forget].every(({ length }) => length === 0);
}

function planFigures(of: ReviewedPlan): TargetAnswer['figures'] {
  const { summary, routing } = of.plan;
  const { add, change, destroy } = summary;
  return { add, change, destroy, rerouted: routing?.rerouted.length ?? 0, dangers: dangersIn(of) };
}

/** The state of a license that nothing is to be done on, and that nothing of it was compared, where that is so. */
export function inSync({ scope }: Pick<Plan, 'scope'>): { readonly state: 'in sync'; readonly message?: string } {
  return { state: 'in sync', ...(scope?.compared === 0 ? { message: 'nothing was compared' } : {}) };
}

/** What a table says of a plan. */
export function planAnswer(of: ReviewedPlan): Pick<TargetAnswer, 'state' | 'figures' | 'requests' | 'message'> {
  const { withheld, requests } = of.plan;
  return {
    state: withheld.length > 0 ? 'withheld' : isNothing(of.plan) ? 'in sync' : 'changes',
    figures: planFigures(of),
    requests: requests.total,
    message:
      withheld.length > 0
        ? few(withheld.map(({ guard }) => guard))
        : isNothing(of.plan)
          ? (inSync(of.plan).message ?? null)
          : null,
  };
}

/** Equal for plans that do the same to objects of the same addresses, for the same reasons. Ids differ from license to license. */
export function sameness(plan: Plan): string {
  const { resource_changes: changes, routing, withheld, bindings, notes, requests, hours = null } = plan;
  const made = changes.map(({ id: _, source: __, referred_by: ___, change, ...rest }) => ({
    ...rest,
    actions: change.actions,
    ...(change.actions[0] === 'create' ? { after: change.after } : {}),
  }));
  const rerouted = reroutedOf(routing);
  return digest({ made, rerouted, withheld, moves: bindings.move, notes, hours, requests: requests.total });
}

/** Equal for plans that change the same fields of the same addresses, whatever the values, with as many dangers and visitors. */
export function likeness(of: ReviewedPlan): string {
  const { resource_changes: changes, routing, withheld, bindings } = of.plan;
  const made = changes.map(({ address, change: { actions }, fields }) => ({
    address,
    actions,
    fields: fields.map(({ field, reach }) => ({ field, reach })),
  }));
  const rerouted = reroutedOf(routing);
  const guards = withheld.map(({ guard }) => guard);
  return digest({ made, rerouted, guards, moves: bindings.move, figures: planFigures(of) });
}

/** Rules before and after, without the visitors that are examples. */
function reroutedOf(routing: Plan['routing']) {
  return (routing?.rerouted ?? []).map(({ before, after, cause }) => ({ before, after, cause }));
}

/** The digest of the saved plans of several targets, from the digest of each. */
export function digestOfPlans(digests: ReadonlyMap<string, string>): string {
  return digest(Object.fromEntries(digests));
}
