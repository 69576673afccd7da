// Runs of a log: the events of each, and the runs that changed the license, of which one that was cut short and the one that finished it are one.

import type { BeforeEvent, LedgerEvent, OrderEvent, RunEvent, RunOutcome } from './events.ts';

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

/** By the id of a run that was cut short: the run that finished it. */
export function finishersIn(runs: readonly RecordedRun[]): ReadonlyMap<string, string> {
  return new Map(runs.flatMap(({ id, finished }) => finished.map((each) => [each, id] as const)));
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

/** Where the events of a run stop that wrote no end. Not in the log. */
export interface KilledEvent {
  readonly type: 'killed';
  /** Of its last event. */
  readonly at: string;
  /** Id of the run that finished it; null when none has. */
  readonly finished_by: string | null;
}

/** An event, and the run that wrote it. */
export interface Happening {
  /** Null when no run has ended since. */
  readonly run: string | null;
  readonly event: LedgerEvent | KilledEvent;
}

/** Events name their run only where it changes something and where it ends: the others belong to the run that they stand in. */
export function happeningsIn(events: readonly LedgerEvent[]): readonly Happening[] {
  const finishers = finishersIn(recordedRuns(events));
  const ended = new Set(events.flatMap((event) => (event.type === 'run' ? [event.id] : [])));
  const next: (string | null)[] = [];
  let run: string | null = null;
  for (const event of events.toReversed()) {
    run = runNamedBy(event) ?? run;
    next.push(run);
  }
  next.reverse();
  const killed = (id: string, at: string): Happening => ({
    run: id,
    event: { type: 'killed', at, finished_by: finishers.get(id) ?? null },
  });
  const remains = remainsOf(events);
  const happenings: Happening[] = events.slice(0, remains).map((event) => ({ run: null, event }));
  let open: string | null = null;
  let last: LedgerEvent | null = null;
  for (const [index, event] of events.entries()) {
    if (index < remains) continue;
    const named = runNamedBy(event);
    if (open !== null && ((named !== null && named !== open) || beginsARun(event, last))) {
      happenings.push(killed(open, atOf(last ?? event)));
      open = null;
    }
    if (named !== null && !ended.has(named)) open = named;
    happenings.push({ run: open ?? next[index] ?? null, event });
    last = event;
  }
  return open === null || last === null ? happenings : [...happenings, killed(open, atOf(last))];
}

/** Milliseconds that no run lasts. */
const LONGEST_RUN = 86_400_000;

/** How many events at the beginning are what a compaction left of earlier runs. */
export function remainsOf(events: readonly LedgerEvent[]): number {
  // What is left of an order still names its run.
  const first = events.findIndex((event) => event.type === 'run' || isImage(event));
  const head = events.slice(0, first === -1 ? events.length : first);
  const next = events[head.length];
  const reduced = lastReduction(events)?.reduced;
  // A compaction by an older chatform has no mark.
  const cut =
    reduced !== undefined
      ? Date.parse(reduced)
      : next === undefined
        ? Number.POSITIVE_INFINITY
        : Date.parse(atOf(next)) - LONGEST_RUN;
  return head.findLastIndex((event) => Date.parse(atOf(event)) < cut) + 1;
}

/** The compaction that reduced the most; null when none has said so. */
export function lastReduction(events: readonly LedgerEvent[]): RunEvent | null {
  return events.findLast((event): event is RunEvent => event.type === 'run' && event.reduced !== undefined) ?? null;
}

/** Time of an event, as the log has it. */
export function atOf(event: LedgerEvent | KilledEvent): string {
  return event.type === 'unknown' ? String(event.event['at']) : event.at;
}

function runNamedBy(event: LedgerEvent): string | null {
  switch (event.type) {
    case 'run':
      return event.id;
    case 'before':
    case 'order':
      return event.run;
    case 'token':
      return event.run ?? null;
    default:
      return null;
  }
}

/** What an apply records before its first request; or an event without a run after one of a token, whose run is named in each of its events. */
function beginsARun(event: LedgerEvent, last: LedgerEvent | null): boolean {
  if (last?.type === 'token' && runNamedBy(event) === null) return true;
  if (event.type === 'bound') return event.origin !== 'created';
  return (
    ['license', 'warned', 'moved'].includes(event.type) || (event.type === 'forgotten' && event.because === undefined)
  );
}
