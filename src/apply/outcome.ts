// What became of each step, and of the looks after it, in; how the run as a whole ended, out: pure.

import type { RunOutcome } from '../ledger/events.ts';
import type { Plan } from '../plan/plan.ts';
import { isTimeUp } from '../service/patience/deadline.ts';
import type { Outcome, Outcomes } from './ended.ts';
import { isUnsure } from './replies.ts';
import type { Unsettled } from './verify.ts';

function changedNothing(outcome: Outcome): boolean {
  switch (outcome.status) {
    case 'done':
      return false;
    case 'failed':
      return !isUnsure(outcome);
    case 'skipped':
    case 'not-sent':
      return true;
  }
}

export function outcomeOf(
  plan: Plan,
  outcomes: Outcomes,
  unsettled: readonly Unsettled[],
  lost: boolean,
  signal: AbortSignal,
): RunOutcome {
  const statuses = plan.steps.map(({ id }) => outcomes.get(id)?.status);
  if (signal.aborted && !isTimeUp(signal) && (statuses.includes('not-sent') || unsettled.length > 0))
    return 'interrupted';
  if (!lost && statuses.length > 0 && [...outcomes.values()].every(changedNothing)) return 'failed';
  if (lost || statuses.some((status) => status !== 'done')) return 'partial';
  return unsettled.length > 0 ? 'unsettled' : 'done';
}
