// A plan that was made with a new ledger in; one that can be relied on, out. A ledger that never saw a run cannot know what another one created in
// the last moments: it may have been lost, or be kept in a place that this run does not see. Specification: "Limits", propagation delay of changes.

import { UsageError } from '../base/errors.ts';
import { KINDS } from '../kinds/index.ts';
import type { Plan } from '../plan/plan.ts';
import { SETTLE_WINDOW } from '../reading/settled.ts';
import type { Planning } from './planning.ts';
import type { Terminal } from './terminal.ts';

/** Waits out the window once, and plans again, when something would be created that nobody could tell from its twin. */
export async function afterTheWindow(
  first: Planning,
  again: () => Promise<Planning>,
  { clock, err, signal }: Pick<Terminal, 'clock' | 'err' | 'signal'>,
): Promise<Planning> {
  const { plan, isFirstRun, begun, tellsLag } = first;
  const left = begun + SETTLE_WINDOW - clock.now();
  if (plan === null || !isFirstRun || tellsLag || plan.withheld.length > 0 || !makesUnnamed(plan)) return first;
  const seconds = Math.ceil(left / 1000);
  err(
    `The ledger is new, so what another run may just have created would be created twice: waiting ${seconds} s (--assume-settled skips this)\n`,
  );
  await clock.sleep(Math.max(0, left), signal);
  if (signal.aborted) throw new UsageError('interrupted before anything was changed');
  return again();
}

/** Creates whose object gets its id from the service. */
function makesUnnamed({ steps }: Plan): boolean {
  return steps.some(({ operation, type }) => operation === 'create' && KINDS[type].identity !== undefined);
}
