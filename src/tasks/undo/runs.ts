// Runs that can be undone, from the events of a ledger.

import { UsageError } from '../../base/errors.ts';
import type { LedgerEvent, RunOutcome } from '../../ledger/events.ts';

/** A run that recorded what was there before it. */
export interface UndoableRun {
  readonly id: string;
  /** RFC 3339: when it first changed something. */
  readonly at: string;
  /** Null for a run that was killed. */
  readonly command: string | null;
  readonly outcome: RunOutcome | null;
}

/** Oldest first. */
export function undoableRuns(events: readonly LedgerEvent[]): readonly UndoableRun[] {
  const runs = new Map<string, UndoableRun>();
  for (const event of events) {
    if (isImage(event) && !runs.has(event.run))
      runs.set(event.run, { id: event.run, at: event.at, command: null, outcome: null });
    if (event.type !== 'run') continue;
    const run = runs.get(event.id);
    if (run !== undefined) runs.set(event.id, { ...run, command: event.command, outcome: event.outcome });
  }
  return [...runs.values()];
}

/**
 * The run that the user means. `wanted` is an id of `ledger history` or its beginning; null means the last run that changed something.
 * @throws UsageError when there is no such run, or more than one, or no image of what was before it
 */
export function runToUndo(events: readonly LedgerEvent[], wanted: string | null): UndoableRun {
  const runs = undoableRuns(events);
  const last = runs.at(-1);
  if (wanted === null) {
    if (last !== undefined) return last;
    throw new UsageError(`no run of the ledger can be undone: ${WITHOUT_IMAGES}`);
  }
  const found = runs.filter(({ id }) => id === wanted);
  const meant = found.length > 0 ? found : runs.filter(({ id }) => id.startsWith(wanted));
  const [run, other] = meant;
  if (run !== undefined && other === undefined) return run;
  if (other !== undefined)
    throw new UsageError(`${meant.length} runs begin with ${wanted}: ${meant.map(({ id }) => id).join(', ')}`);
  const isKnown = events.some((event) => event.type === 'run' && event.id.startsWith(wanted));
  throw new UsageError(
    isKnown
      ? `run ${wanted} cannot be undone: ${WITHOUT_IMAGES}`
      : `the ledger knows no run ${wanted}; \`chatform ledger history\` prints them, the oldest first`,
  );
}

const WITHOUT_IMAGES =
  'the ledger has no image of what was before; it changed nothing, was compacted away, or was made by an older chatform';

/** Whether the event records what was there before a change. */
export function isImage(event: LedgerEvent): event is Extract<LedgerEvent, { readonly type: 'before' | 'order' }> {
  return event.type === 'before' || (event.type === 'order' && event.moment === 'before');
}
