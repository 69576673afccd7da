// The run that an undo takes back, from the events of a ledger.

import { UsageError } from '../../base/errors.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import type { UndoRequest } from '../../ledger/footprint.ts';
import { noneCan, ownOf, recordedRun, runMeant, whyNoValues } from '../../ledger/named-run.ts';
import { isOpen, type RecordedRun, recordedRuns } from '../../ledger/runs.ts';
import { outlookOf } from './outlook.ts';

/**
 * The run that the user means. `wanted` is an id of `history` or its beginning; null means the last run that changed something. If an undo was
 * cut short and not ended since, it means the run that this undo takes back.
 * @throws UsageError when there is no such run, or more than one, or no image of what was before it
 */
export function runToUndo(events: readonly LedgerEvent[], wanted: string | null): UndoRequest {
  const runs = recordedRuns(events);
  const meant = wanted === null ? lastToUndo(events, runs) : runMeant(events, runs, wanted);
  const run = meant.undoes !== null && isOpen(meant) ? recordedRun(runs, meant.undoes) : meant;
  if (run === undefined)
    throw new UsageError(
      `run ${meant.undoes}, which run ${meant.id} began to undo, cannot be undone: ${whyNoValues(ownOf(events, meant.undoes ?? ''))}`,
    );
  const last = runs.at(-1);
  const isBegun = last !== undefined && isOpen(last) && last.undoes !== null && recordedRun(runs, last.undoes) === run;
  return { run, begun: isBegun ? last : null };
}

/** The last run that changed something and was not taken back, as far as the ledger knows; or the undo that has to be gone on with. */
function lastToUndo(events: readonly LedgerEvent[], runs: readonly RecordedRun[]): RecordedRun {
  const last = runMeant(events, runs, null);
  if (last.undoes !== null && isOpen(last)) return last;
  const found = lastPossible(events, runs, runs.length);
  if (found !== null) return found;
  throw noneCan('undone', last.id, outlookOf(events, last, runs).reason ?? '');
}

/** The last of the first runs that can be undone, as far as the ledger knows; null when none can. */
function lastPossible(events: readonly LedgerEvent[], runs: readonly RecordedRun[], count: number): RecordedRun | null {
  return runs.slice(0, count).findLast((run) => outlookOf(events, run, runs).possible !== 'no') ?? null;
}

/** Id of the run before this one that can be undone, as far as the ledger knows; null when there is none. */
export function possibleBefore(events: readonly LedgerEvent[], { id }: RecordedRun): string | null {
  const runs = recordedRuns(events);
  return (
    lastPossible(
      events,
      runs,
      runs.findIndex((run) => run.id === id),
    )?.id ?? null
  );
}
