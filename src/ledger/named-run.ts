// The run of a ledger that a person means, by its id or the beginning of it.

import { AbsentError, UsageError } from '../base/errors.ts';
import { changesIn, type RunEvents, runsIn } from './changes.ts';
import type { LedgerEvent } from './events.ts';
import { compactedRun, idsOf, type RecordedRun } from './runs.ts';

export function noneCan(done: string, last: string, why: string): UsageError {
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

export function recordedRun(runs: readonly RecordedRun[], id: string): RecordedRun | undefined {
  return runs.find((run) => idsOf(run).includes(id));
}

export function ownOf(events: readonly LedgerEvent[], id: string): RunEvents['events'] {
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
  if (actions.has('secret')) return 'a former secret cannot come back';
  return 'it changed nothing on the license';
}

/** Characters of an id that a beginning needs at least: fewer may name a run by chance. */
const LEAST = 4;

/** @throws UsageError for a beginning that is too short to be meant */
export function requireLong(beginning: string): void {
  if (beginning.length < LEAST)
    throw new UsageError(
      `${beginning} is too short for the beginning of a run's id: write at least ${LEAST} characters of it`,
    );
}
