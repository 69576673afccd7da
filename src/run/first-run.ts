// First run with a new ledger: it cannot know what another run created moments ago, because it may have been lost or be kept elsewhere.
// Specification: "Limits", propagation delay of changes.

import { UsageError } from '../base/errors.ts';
import { KINDS } from '../kinds/index.ts';
import type { Plan } from '../plan/plan.ts';
import { SETTLE_WINDOW } from '../reading/settled.ts';
import type { Planning } from './planning.ts';
import type { Surroundings } from './surroundings.ts';

/** A plan that can be relied on: waits out the window once and plans again, where a create could have an equal twin. */
export async function afterTheWindow(
  first: Planning,
  again: () => Promise<Planning>,
  { clock, notice, signal }: Pick<Surroundings, 'clock' | 'notice' | 'signal'>,
): Promise<Planning> {
  const { plan, isFirstRun, begun, tellsLag } = first;
  if (plan === null || !isFirstRun || tellsLag || plan.withheld.length > 0 || !makesUnnamed(plan)) return first;
  const wait = begun + SETTLE_WINDOW - clock.now();
  notice({ type: 'new-ledger', wait });
  await clock.sleep(Math.max(0, wait), signal);
  if (signal.aborted) throw new UsageError('interrupted before anything was changed');
  return again();
}

/** Whether the plan creates an object whose id the service chooses. */
function makesUnnamed({ steps }: Plan): boolean {
  return steps.some(({ operation, type }) => operation === 'create' && KINDS[type].identity !== undefined);
}
