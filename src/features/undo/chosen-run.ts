// The run that an undo takes back, from the events of a ledger.

import { AbsentError, UsageError } from '../../base/errors.ts';
import { changesIn, type RunEvents, runsIn } from '../../ledger/changes.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import type { UndoRequest } from '../../ledger/footprint.ts';
import { compactedRun, idsOf, isOpen, type RecordedRun, recordedRuns, requireLong } from '../../ledger/runs.ts';
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
      `run ${meant.undoes}, which run ${meant.id} began to undo, cannot be undone: ${whyNoValues(ownOf(events, meant.undoes ?? ''))}`,
    );
  const last = runs.at(-1);
  const isBegun = last !== undefined && isOpen(last) && last.undoes !== null && runOf(runs, last.undoes) === run;
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

function noneCan(done: string, last: string, why: string): UsageError {
  return new UsageError(`no run of the ledger can be ${done}; the last one, ${last}: ${why}`);
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
    const other = runsIn(events).findLast(({ events: own }) => own.some(({ type }) => type === 'run'));
    if (other === undefined) throw new UsageError(`no run can be ${done}: the ledger has none yet`);
    throw noneCan(done, other.id, whyNoValues(other.events));
  }
  const run = runNamed(runs, idsOf, wanted) ?? runNamed(runsIn(events), ({ id }) => [id], wanted);
  if (run === null) throw unknownRun(wanted);
  if ('finished' in run) return run;
  throw new UsageError(`run ${wanted} cannot be ${done}: ${whyNoValues(run.events)}`);
}

/**
 * The run of this id, or whose id begins so; null when there is none. A run that finished others has their ids too.
 * @throws UsageError when more than one begins so
 */
export function runNamed<R>(runs: readonly R[], idsIn: (run: R) => readonly string[], wanted: string): R | null {
  const exact = runs.find((run) => idsIn(run).includes(wanted));
  if (exact !== undefined || wanted === '') return exact ?? null;
  requireLong(wanted);
  const beginning = (run: R): readonly string[] => idsIn(run).filter((id) => id.startsWith(wanted));
  const [run, ...others] = runs.filter((each) => beginning(each).length > 0);
  if (run === undefined || others.length === 0) return run ?? null;
  const ids = [run, ...others].flatMap(beginning);
  throw new UsageError(`${ids.length} runs begin with ${wanted}: write more of the id, one of ${ids.join(', ')}`);
}

export function unknownRun(wanted: string): AbsentError {
  const what = wanted === '' ? 'the id of the run is empty' : `the ledger knows no run ${wanted}`;
  return new AbsentError(`${what}; \`chatform history\` lists them`);
}

function runOf(runs: readonly RecordedRun[], id: string): RecordedRun | undefined {
  return runs.find((run) => idsOf(run).includes(id));
}

function ownOf(events: readonly LedgerEvent[], id: string): RunEvents['events'] {
  return runsIn(events).find((run) => run.id === id)?.events ?? [];
}

/** Why a run with these events has no values from before it. */
export function whyNoValues(own: RunEvents['events']): string {
  const ends = own.flatMap((event) => (event.type === 'run' || event.type === 'begun' ? [event] : []));
  const command = ends.at(-1)?.command ?? '';
  const actions = new Set(changesIn(own).map(({ action }) => action));
  if (own.length === 0) return 'the ledger does not have it any more';
  if (compactedRun(own)?.values === true) return 'a compaction removed its values';
  if (command.startsWith('api ')) return 'a single action records no values';
  if (actions.has('token') || actions.has('token_unanswered')) return 'nothing takes a token back before it ends';
  if (command.startsWith('secrets ')) return 'a former secret cannot come back';
  return 'it changed nothing on the license';
}
