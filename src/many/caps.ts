// Limits for all targets of a run together: of plans that are all known, and of plans that are made one by one while the run goes on.

import { UsageError } from '../base/errors.ts';
import type { Plan } from '../plan/plan.ts';
import { CAPS, type FleetSettings } from '../project/fleet-settings.ts';
import type { Cap } from './log/events.ts';
import type { Outcome } from './operation.ts';
import { overText } from './words.ts';

type Counts = { readonly [cap in (typeof CAPS)[number]]: number };

function countsIn({ summary, routing }: Pick<Plan, 'summary' | 'routing'>): Counts {
  return { max_deletes: summary.destroy, max_rerouted: routing?.rerouted.length ?? 0 };
}

function overIn(counts: Counts, caps: FleetSettings['caps']): Cap | null {
  for (const setting of CAPS) {
    const [count, limit] = [counts[setting], caps[setting]];
    if (limit !== undefined && count > limit) return { setting, count, limit };
  }
  return null;
}

function sum(one: Counts, other: Counts): Counts {
  return {
    max_deletes: one.max_deletes + other.max_deletes,
    max_rerouted: one.max_rerouted + other.max_rerouted,
  };
}

const NONE: Counts = { max_deletes: 0, max_rerouted: 0 };

/** @throws UsageError for plans that are more than a limit of the run allows */
export function requireWithin(plans: readonly Pick<Plan, 'summary' | 'routing'>[], { caps }: FleetSettings): void {
  const over = overIn(plans.map(countsIn).reduce(sum, NONE), caps);
  if (over !== null) throw new UsageError(`nothing was changed: ${overText(over, null)}`);
}

/** What a run has used up of its limits. A plan that fits counts from then on, whatever becomes of it. */
export interface RunCaps {
  /** Null for a plan that fits. */
  readonly take: (plan: Pick<Plan, 'summary' | 'routing'>) => Cap | null;
}

/** @param before - Outcomes of the run from before it was resumed. */
export function runCaps({ caps }: FleetSettings, before: readonly Outcome<unknown>[]): RunCaps {
  const planOf = ({ plan }: { readonly plan?: Plan }): readonly Plan[] => (plan === undefined ? [] : [plan]);
  const known = before.flatMap((outcome) => (outcome.state === 'known' ? planOf(outcome.value as object) : []));
  let used = known.map(countsIn).reduce(sum, NONE);
  return {
    take: (plan) => {
      const next = sum(used, countsIn(plan));
      const over = overIn(next, caps);
      if (over === null) used = next;
      return over;
    },
  };
}
