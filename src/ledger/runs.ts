// Runs that changed the license, from the events of a log. A run that was cut short and the run that finished it are one.

import type { BeforeEvent, LedgerEvent, OrderEvent, RunOutcome } from './events.ts';

/** A run that recorded what was there before it. */
export interface RecordedRun {
  readonly id: string;
  /** RFC 3339: when it, or the first of those that it finished, changed something. */
  readonly at: string;
  /** Null for a run that was killed. */
  readonly command: string | null;
  readonly outcome: RunOutcome | null;
  /** Ids of runs that were cut short and that it finished, oldest first. */
  readonly finished: readonly string[];
  /** Id of the run that it takes back; null when it is no undo, or one of an older chatform. */
  readonly undoes: string | null;
  /** Milliseconds by which the service's clock was ahead of the one that wrote `at`. */
  readonly ahead: number;
}

/** Whether the event records what was there before a change. */
export function isImage(event: LedgerEvent): event is BeforeEvent | OrderEvent {
  return event.type === 'before' || (event.type === 'order' && event.moment === 'before');
}

/** Oldest first. */
export function recordedRuns(events: readonly LedgerEvent[]): readonly RecordedRun[] {
  const single = new Map<string, RecordedRun>();
  for (const event of events) {
    if (isImage(event) && !single.has(event.run)) {
      const { run: id, at, undoes = null } = event;
      single.set(id, { id, at, command: null, outcome: null, finished: [], undoes, ahead: 0 });
    }
    if (event.type !== 'run') continue;
    const run = single.get(event.id);
    const { command, outcome, ahead = 0 } = event;
    if (run !== undefined) single.set(event.id, { ...run, command, outcome, ahead });
  }
  const runs: RecordedRun[] = [];
  for (const run of single.values()) {
    const last = runs.at(-1);
    if (last === undefined || !finishes(run, last)) runs.push(run);
    else runs.splice(-1, 1, { ...run, at: last.at, finished: idsOf(last), undoes: commonUndo(run, last) });
  }
  return runs;
}

/** Ids of the run and of those that it finished, oldest first. */
export function idsOf({ id, finished }: RecordedRun): readonly string[] {
  return [...finished, id];
}

/** Whether it was killed or interrupted, so that another run has to finish it. */
export function isCutShort({ outcome }: Pick<RecordedRun, 'outcome'>): boolean {
  return outcome === null || outcome === 'interrupted';
}

/** Whether `run` went on with what `last` began. An undo goes on with an undo of the same run only. */
function finishes(run: RecordedRun, last: RecordedRun): boolean {
  if (!isCutShort(last)) return false;
  const isUndo = run.undoes !== null || run.command === 'undo';
  return !isUndo || commonUndo(run, last) !== null;
}

function commonUndo(run: RecordedRun, last: RecordedRun): string | null {
  return run.undoes === last.undoes ? run.undoes : null;
}
