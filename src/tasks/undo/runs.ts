// The run that an undo takes back, from the events of a ledger.

import { UsageError } from '../../base/errors.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { compactedRun, idsOf, isOpen, type RecordedRun, recordedRuns } from '../../ledger/runs.ts';
import type { UndoRequest } from './footprint.ts';
import { outlookOf } from './outlook.ts';

/**
 * The run that the user means. `wanted` is an id of `history` or its beginning; null means the last run that changed something. If an undo was
 * cut short and not ended since, it means the run that this undo takes back.
 * @throws UsageError when there is no such run, or more than one, or no image of what was before it
 */
export function runToUndo(events: readonly LedgerEvent[], wanted: string | null): UndoRequest {
  const runs = recordedRuns(events);
  const meant = wanted === null ? lastToUndo(events, runs) : runMeant(events, runs, wanted);
  const run = meant.undoes !== null && isOpen(meant) ? runOf(runs, meant.undoes) : meant;
  if (run === undefined)
    throw new UsageError(
      `run ${meant.undoes}, which run ${meant.id} began to undo, cannot be undone: ${WITHOUT_IMAGES}`,
    );
  const last = runs.at(-1);
  const isBegun = last !== undefined && isOpen(last) && last.undoes !== null && runOf(runs, last.undoes) === run;
  return { run, begun: isBegun ? last : null };
}

/** The last run that changed something and was not taken back, as far as the ledger knows; or the undo that has to be gone on with. */
function lastToUndo(events: readonly LedgerEvent[], runs: readonly RecordedRun[]): RecordedRun {
  const last = runMeant(events, runs, null);
  if (last.undoes !== null && isOpen(last)) return last;
  const found = runs.findLast((run) => outlookOf(events, run, runs).possible !== 'no');
  if (found !== undefined) return found;
  const { reason } = outlookOf(events, last, runs);
  throw new UsageError(`no run of the ledger can be undone; the last one, ${last.id}: ${reason}`);
}

/**
 * The run of this id, or whose id begins so; null means the last one. `done` is what a person wants done with it.
 * @throws UsageError when there is none, or more than one
 */
export function runMeant(
  events: readonly LedgerEvent[],
  runs: readonly RecordedRun[],
  wanted: string | null,
  done: 'undone' | 'followed' = 'undone',
): RecordedRun {
  const last = runs.at(-1);
  if (wanted === null) {
    if (last !== undefined) return last;
    if (!events.some(({ type }) => type === 'run'))
      throw new UsageError(`no run can be ${done}: the ledger has none yet`);
    throw new UsageError(`no run of the ledger can be ${done}: ${WITHOUT_IMAGES}`);
  }
  const run = runNamed(runs, idsOf, wanted);
  if (run !== null) return run;
  const own = events.filter(
    (event) => wanted !== '' && (event.type === 'run' || event.type === 'begun') && event.run.startsWith(wanted),
  );
  if (own.length === 0) throw unknownRun(wanted);
  const why = compactedRun(own)?.values === true ? COMPACTED : WITHOUT_IMAGES;
  throw new UsageError(`run ${wanted} cannot be ${done}: ${why}`);
}

/**
 * The run of this id, or whose id begins so; null when there is none. A run that finished others has their ids too.
 * @throws UsageError when more than one begins so
 */
export function runNamed<R>(runs: readonly R[], idsIn: (run: R) => readonly string[], wanted: string): R | null {
  const exact = runs.find((run) => idsIn(run).includes(wanted));
  if (exact !== undefined || wanted === '') return exact ?? null;
  const beginning = (run: R): readonly string[] => idsIn(run).filter((id) => id.startsWith(wanted));
  const [run, ...others] = runs.filter((each) => beginning(each).length > 0);
  if (run === undefined || others.length === 0) return run ?? null;
  const ids = [run, ...others].flatMap(beginning);
  throw new UsageError(`${ids.length} runs begin with ${wanted}: write more of the id, one of ${ids.join(', ')}`);
}

export function unknownRun(wanted: string): UsageError {
  const what = wanted === '' ? 'the id of the run is empty' : `the ledger knows no run ${wanted}`;
  return new UsageError(`${what}; \`chatform history\` lists them`);
}

function runOf(runs: readonly RecordedRun[], id: string): RecordedRun | undefined {
  return runs.find((run) => idsOf(run).includes(id));
}

export const COMPACTED = 'a compaction removed its values';

const WITHOUT_IMAGES =
  'the ledger has no values from before it; it changed nothing, was compacted away, or was made by an older chatform';
