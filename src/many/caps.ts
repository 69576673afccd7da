// Limits for all targets of a run together: of plans that are all known, and of plans that are made one by one while the run goes on.

import { UsageError } from '../base/errors.ts';
import type { Plan } from '../plan/plan.ts';
import { CAPS, type FleetSettings } from '../project/fleet-settings.ts';
import type { Cap } from './log/events.ts';
import type { Outcome } from './operation.ts';
import { overText } from './words.ts';

type CappedPlan = Pick<Plan, 'summary' | 'routing'>;

/** What a run has used up of its limits. */
export interface RunCaps {
  /** Null for plans that fit: they count from then on, whatever becomes of them. */
  readonly take: (plans: readonly CappedPlan[]) => Cap | null;
}

/** @param before - Outcomes of the run from before it was resumed: what was carried out counts. */
export function runCaps({ caps }: FleetSettings, before: readonly Outcome<unknown>[] = []): RunCaps {
  let taken: readonly CappedPlan[] = before.flatMap((outcome) => {
    const { plan, end } = (outcome.state === 'known' ? outcome.value : {}) as Partial<CarriedOut>;
    return plan === undefined || end?.type !== 'ended' ? [] : [plan];
  });
  return {
    take: (plans) => {
      const all = [...taken, ...plans];
      for (const setting of CAPS) {
        const [limit, count] = [caps[setting], countOf(setting, all)];
        if (limit !== undefined && count > limit) return { setting, count, limit };
      }
      taken = all;
      return null;
    },
  };
}

/** An apply or an undo. */
interface CarriedOut {
  readonly plan: CappedPlan;
  readonly end: { readonly type: string };
}

function countOf(setting: Cap['setting'], plans: readonly CappedPlan[]): number {
  const countIn = ({ summary, routing }: CappedPlan): number =>
    setting === 'max_deletes' ? summary.destroy : (routing?.rerouted.length ?? 0);
  return plans.reduce((sum, plan) => sum + countIn(plan), 0);
}

/** @throws UsageError for plans that are more than a limit of the run allows */
export function requireWithin(plans: readonly CappedPlan[], settings: FleetSettings): void {
  const over = overOf(plans, settings);
  if (over !== null) throw new UsageError(`nothing was changed: ${over}`);
}

/** What a limit of a run does not allow of these plans together; null where they fit. */
export function overOf(plans: readonly CappedPlan[], settings: FleetSettings): string | null {
  const over = runCaps(settings).take(plans);
  return over === null ? null : overText(over, null);
}
