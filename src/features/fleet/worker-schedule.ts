// The checks of `fleet: drift`, which workers begin when they are due: one run for each rule and period, whichever worker begins it.

import { UsageError } from '../../base/errors.ts';
import { withEngine } from '../../command/engine.ts';
import { begunForWorkers, everyTarget } from '../../command/on-workers.ts';
import type { Terminal } from '../../command/terminal.ts';
import { serverTime } from '../../ledger/postgres/database.ts';
import { headHere } from '../../many/git/commit.ts';
import { newestScheduled, openRuns } from '../../many/log/postgres.ts';
import { storedRun } from '../../many/log/stored-runs.ts';
import { type DueRun, dueRuns, scheduleOf } from '../../many/schedule.ts';
import { inTurns } from '../../many/turns.ts';
import type { RunState } from '../../many/workers/client.ts';
import { driftRuleOf } from '../../project/fleet-settings.ts';
import type { Project } from '../../project/project.ts';
import { openProjectOn } from '../../target/choice.ts';
import type { RunPlace } from './worker-runs.ts';

/** Milliseconds after which a run is looked at again that could not be begun. */
const AGAIN = 15_000;

/** Milliseconds after which it is asked again which commit is in the folder of the worker. */
const FRESH = 15_000;

/** What a check takes: the commit that is in the folder of the worker, whatever its files are. */
interface Files {
  readonly commit: string;
  readonly project: Project;
}

/** Returns what begins the checks that are due, by the clock of the database. To be called often. */
export function dueChecks(
  { store, diskAt }: Pick<RunPlace, 'store' | 'diskAt'>,
  terminal: Terminal,
): () => Promise<void> {
  const database = terminal.databases.at(store.variable, terminal);
  const { clock, log, self } = terminal;
  /** The last run of each rule that was looked at, and when it is next. */
  const looked = new Map<string, { readonly id: string; readonly next: number }>();

  let files: { readonly read: Promise<Files>; readonly at: number } | null = null;

  function filesNow(): Promise<Files> {
    if (files === null || clock.now() - files.at > FRESH) files = { read: filesAt(files?.read), at: clock.now() };
    return files.read;
  }

  async function filesAt(earlier: Promise<Files> | undefined): Promise<Files> {
    const commit = await headHere('fleet: drift', terminal);
    const known = await earlier?.catch(() => undefined);
    if (known?.commit === commit) return known;
    const { project } = await openProjectOn(await diskAt(commit), terminal);
    if (project === null)
      throw new UsageError(`the project has errors at commit ${commit.slice(0, 8)}: \`chatform validate\` shows them`);
    return { commit, project };
  }

  /** Whether nothing is left to do in this period. */
  async function isSettled(due: DueRun, taken: Files): Promise<boolean> {
    const newest = await newestScheduled(database, store.project, due.schedule);
    const isBegun = newest?.id === due.id;
    if (newest === null || newest.isOver) return isBegun || begun(due, taken);
    return withEngine(store.variable, terminal, async (engine) => {
      // The worker that began it may have died before it asked for it. A second request is none.
      await engine.enqueue({ run: newest.id, digest: null, round: 0 });
      if (isBegun) return true;
      const state = await engine.stateOf(newest.id);
      return state.state === 'broken' ? begun(due, taken) : isSkipped(due, newest.id, state);
    });
  }

  async function begun({ id, schedule }: DueRun, { commit, project }: Files): Promise<boolean> {
    const targets = targetsOf(schedule, project);
    if (targets.length === 0) return true;
    const asked = {
      command: 'drift',
      // The channels are told of what is found.
      request: { options: {} },
      spec: everyTarget(targets, {}),
      digest: null,
      plans: null,
      commit,
      schedule,
    };
    await begunForWorkers(storedRun(id, store, terminal), asked, terminal);
    await withEngine(store.variable, terminal, ({ enqueue }) => enqueue({ run: id, digest: null, round: 0 }));
    log('info', 'a check of drift begins', { run: id, rule: schedule, targets: targets.length });
    return true;
  }

  /** The period is skipped. A run that no worker can do would hold up its rule for ever, so that one is ended first. */
  async function isSkipped({ schedule }: DueRun, earlier: string, state: RunState): Promise<boolean> {
    const refused = state.state === 'waiting' ? state.refused : null;
    const message =
      refused === null
        ? 'a check of drift is left out, because the one before is under way'
        : `a check of drift is cancelled, because no worker can do it: ${refused}`;
    log('warn', message, { run: earlier, rule: schedule });
    if (refused === null) return true;
    const { user, host, pid } = self;
    const at = new Date(clock.now()).toISOString();
    await storedRun(earlier, store, terminal).store.cancel({ v: 1, type: 'cancel', at, by: { user, host, pid } });
    return false;
  }

  return async () => {
    const taken = await filesNow();
    const { drift: rules } = taken.project.fleet;
    if (rules.length === 0) return;
    const now = await serverTime(database);
    for (const due of dueRuns(store.project, rules, now)) {
      const last = looked.get(due.schedule);
      if (last?.id === due.id && now < last.next) continue;
      looked.set(due.schedule, { id: due.id, next: now + AGAIN });
      if (await isSettled(due, taken)) looked.set(due.schedule, { id: due.id, next: Number.POSITIVE_INFINITY });
    }
  };
}

/** Milliseconds between two looks for runs that no worker was asked for. */
const LOST = 15_000;

/** Returns what asks the workers for the runs whose begin was cut off: the run was written, and not the job that drives it. To be called often. */
export function lostRuns({ store }: Pick<RunPlace, 'store'>, terminal: Terminal): () => Promise<void> {
  const database = terminal.databases.at(store.variable, terminal);
  const { clock, log } = terminal;
  const asked = new Set<string>();
  let looked = Number.NEGATIVE_INFINITY;

  return async () => {
    if (Math.abs(clock.now() - looked) < LOST) return;
    looked = clock.now();
    const open = await openRuns(database, store.project);
    const unknown = open.filter(({ id, round }) => !asked.has(`${id}/${round}`));
    if (unknown.length === 0) return;
    await withEngine(store.variable, terminal, async (engine) => {
      for (const { id, round } of unknown) {
        const isEnqueued = await engine.isEnqueued(id, round);
        const [first] = isEnqueued ? [] : await storedRun(id, store, terminal).store.read();
        if (first?.type === 'run') {
          await engine.enqueue({ run: id, digest: first.digest, round });
          log('warn', 'a run is begun whose command was cut off before it asked the workers', { run: id });
        }
        asked.add(`${id}/${round}`);
      }
    });
  };
}

/** The targets that the rule is the first to take. */
function targetsOf(schedule: string, { targets, fleet }: Project): readonly string[] {
  const taken = [...targets.values()].filter((target) => {
    const rule = driftRuleOf(fleet, target);
    return rule !== null && scheduleOf(rule) === schedule;
  });
  return inTurns(taken).map(({ name }) => name);
}
