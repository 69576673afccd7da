// Runs of a log: the events of each, and the runs that changed the license, of which one that was cut short and the one that finished it are one.

import type { JsonObject } from '../base/model.ts';
import type {
  BeforeEvent,
  BegunEvent,
  CompactedRun,
  LedgerEvent,
  LedgerRunEvent,
  OrderEvent,
  RunOutcome,
} from './events.ts';

/** A run that recorded what was there before it, or that finished one which had. */
export interface RecordedRun {
  readonly id: string;
  /** RFC 3339: when it first changed something. */
  readonly at: string;
  readonly command: string;
  /** Null for a run that was killed. */
  readonly outcome: RunOutcome | null;
  /** Ids of runs that were cut short and that it finished, oldest first. */
  readonly finished: readonly string[];
  /** Id of the run that it takes back; null when it is no undo. */
  readonly undoes: string | null;
  /** Id of the run that read everything as declared after this one was cut short; null when none has. */
  readonly endedBy: string | null;
  /** Id of the run over several targets that it is a part of; null for a run of one target. */
  readonly fleetRun: string | null;
  /** Milliseconds by which the service's clock was ahead of the one that wrote `at`. */
  readonly ahead: number;
}

/** Whether the event records what was there before a change. */
export function isImage(event: LedgerEvent): event is BeforeEvent | OrderEvent {
  return event.type === 'before' || (event.type === 'order' && event.moment === 'before');
}

/**
 * Oldest first. A run that ended another of the same purpose, or is another attempt of the same run over several targets, is one change with it, unless
 * a third one changed something between them.
 */
export function recordedRuns(events: readonly LedgerEvent[]): readonly RecordedRun[] {
  const begun = new Map<string, BegunEvent>();
  const ends = new Map<string, LedgerRunEvent>();
  const endedBy = new Map<string, string>();
  const senders = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'intent') senders.set(event.id, event.run);
    if (event.type === 'begun') begun.set(event.run, event);
    if (event.type !== 'run') continue;
    ends.set(event.run, event);
    for (const id of event.ends ?? []) if (!endedBy.has(id)) endedBy.set(id, event.run);
  }
  const first = new Map<string, string>();
  for (const event of events) {
    // What a killed run made without an answer, the run that ends it binds, perhaps without a request of its own.
    const sender = event.type === 'done' && event.outcome === 'created' ? senders.get(event.intent) : undefined;
    const isRecovery = sender !== undefined && event.type === 'done' && endedBy.get(sender) === event.run;
    if ((isImage(event) || isRecovery) && !first.has(event.run)) first.set(event.run, event.at);
  }
  const runs: RecordedRun[] = [];
  for (const [id, at] of first) {
    const { command = '', undoes = null, fleet_run: fleetRun = null } = begun.get(id) ?? {};
    const { outcome = null, ahead = 0 } = ends.get(id) ?? {};
    const about = { id, at, command, outcome, undoes, fleetRun, ahead };
    let run: RecordedRun = { ...about, finished: [], endedBy: endedBy.get(id) ?? null };
    for (let last = runs.at(-1); last !== undefined && finishes(run, last); last = runs.at(-1)) {
      runs.pop();
      run = { ...run, finished: [...idsOf(last), ...run.finished] };
    }
    runs.push(run);
  }
  return runs;
}

function finishes(run: RecordedRun, last: RecordedRun): boolean {
  const isAttempt = run.fleetRun !== null && last.fleetRun === run.fleetRun;
  return (last.endedBy === run.id || isAttempt) && last.command === run.command && last.undoes === run.undoes;
}

/** The end of the last run that changed the license; null where none did, or it was killed. */
export function lastChange(events: readonly LedgerEvent[]): LedgerRunEvent | null {
  const last = events.findLast(isImage);
  const run = last === undefined ? null : runOf(last);
  return events.findLast((event): event is LedgerRunEvent => event.type === 'run' && event.run === run) ?? null;
}

/** When an apply last did all that it had to do, RFC 3339; null where none has. */
export function lastApply(events: readonly LedgerEvent[]): string | null {
  const last = events.findLast(
    (event) => event.type === 'run' && event.command === 'apply' && event.outcome === 'done',
  );
  return last === undefined ? null : atOf(last);
}

/** Ids of the run and of those that it finished, oldest first. */
export function idsOf({ id, finished }: Pick<RecordedRun, 'id' | 'finished'>): readonly string[] {
  return [...finished, id];
}

/** Whether it was killed or interrupted, and no run has read since that everything is as declared. */
export function isOpen({ outcome, endedBy }: Pick<RecordedRun, 'outcome' | 'endedBy'>): boolean {
  return endedBy === null && isCutShort({ outcome });
}

/** Whether `chatform api` wrote to an object of a kind, or perhaps: it records no values. */
export function isActionOn({ command, outcome }: LedgerRunEvent, kind: string): boolean {
  return command.startsWith('api ') && command.includes(kind) && outcome !== 'failed';
}

/** Whether it was killed or interrupted. */
export function isCutShort({ outcome }: Pick<RecordedRun, 'outcome'>): boolean {
  return outcome === null || outcome === 'interrupted';
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
  /** Null for an event of a newer chatform that does not say. */
  readonly run: string | null;
  readonly event: LedgerEvent | KilledEvent;
}

/** Every event, and after the last one of a run that has no end, that it was killed. */
export function happeningsIn(events: readonly LedgerEvent[]): readonly Happening[] {
  const unended = new Set(events.filter((event) => !isAside(event)).flatMap((event) => runOf(event) ?? []));
  const endedBy = new Map<string, string>();
  const last = new Map<string | null, LedgerEvent>();
  for (const event of events) {
    last.set(runOf(event), event);
    if (event.type !== 'run') continue;
    unended.delete(event.run);
    for (const id of event.ends ?? []) if (!endedBy.has(id)) endedBy.set(id, event.run);
  }
  return events.flatMap((event): readonly Happening[] => {
    const run = runOf(event);
    if (run === null || !unended.has(run) || last.get(run) !== event) return [{ run, event }];
    const killed = { type: 'killed', at: atOf(event), finished_by: endedBy.get(run) ?? null } as const;
    return [
      { run, event },
      { run, event: killed },
    ];
  });
}

/** What a compaction kept of the run whose events these are; null when it has them all. */
export function compactedRun(events: readonly (LedgerEvent | KilledEvent)[]): CompactedRun | null {
  const marks = events.flatMap((event) => (event.type === 'run' || event.type === 'begun' ? [event.compacted] : []));
  return marks.find((mark) => mark !== undefined) ?? null;
}

/** Id of the run over several targets that these events are a part of; null for a run of one target. */
export function fleetRunOf(events: readonly (LedgerEvent | KilledEvent)[]): string | null {
  const ids = events.flatMap((event) => (event.type === 'run' || event.type === 'begun' ? [event.fleet_run] : []));
  return ids.find((id) => id !== undefined) ?? null;
}

/** Whether what the event says is no work of a run: it is learned on the way. */
export function isAside({ type }: LedgerEvent | KilledEvent): boolean {
  return type === 'license' || type === 'customer' || type === 'warned' || type === 'unknown';
}

export function runOf(event: LedgerEvent): string | null {
  return event.type === 'unknown' ? textIn(event.event, 'run') : event.run;
}

function textIn(event: JsonObject, member: string): string | null {
  const value = event[member];
  return typeof value === 'string' ? value : null;
}

/** The compaction that reduced the most; null when none has said so. */
export function lastReduction(events: readonly LedgerEvent[]): LedgerRunEvent | null {
  return (
    events.findLast((event): event is LedgerRunEvent => event.type === 'run' && event.reduced !== undefined) ?? null
  );
}

/** Time of an event, as the log has it. */
export function atOf(event: LedgerEvent | KilledEvent): string {
  return event.type === 'unknown' ? String(event.event['at']) : event.at;
}
