// The checks of `fleet: drift`, which workers begin when they are due: one run for each rule and period, whoever asks for it.

import { UsageError } from '../base/errors.ts';
import { type DueRun, dueRuns, scheduleOf } from '../fleet/schedule.ts';
import { serverTime } from '../postgres/database.ts';
import { newestScheduled } from '../postgres/fleet-store.ts';
import { type DriftRule, driftRuleOf } from '../project/fleet-settings.ts';
import { commitHere } from '../run/commit.ts';
import { storedRun } from '../run/stored-runs.ts';
import { openedFor } from './chosen-targets.ts';
import { withEngine } from './engine.ts';
import { begunForWorkers, everyTarget } from './on-workers.ts';
import type { Terminal } from './terminal.ts';
import type { Place } from './worker-runs.ts';

/** Milliseconds after which a run is looked at again that could not be begun. */
const AGAIN = 15_000;

/** Returns what begins the checks that are due, by the clock of the database. To be called often. */
export function dueChecks(
  { store, commit }: Pick<Place, 'store' | 'commit'>,
  rules: readonly DriftRule[],
  terminal: Terminal,
): () => Promise<void> {
  const database = terminal.databases.at(store.variable, terminal);
  const { clock, log, self } = terminal;
  /** The last run of each rule that was looked at, and when it is next. */
  const looked = new Map<string, { readonly id: string; readonly next: number }>();

  /** Whether nothing is left to do in this period. */
  async function isSettled(due: DueRun): Promise<boolean> {
    const newest = await newestScheduled(database, store.project, due.schedule);
    const isBegun = newest?.id === due.id;
    if (newest === null || newest.isOver) return isBegun || begun(due);
    return withEngine(store.variable, terminal, async (engine) => {
      // The worker that began it may have died before it asked for it. A second request is none.
      await engine.enqueue({ run: newest.id, digest: null, round: 0 });
      if (isBegun) return true;
      const { state } = await engine.stateOf(newest.id);
      return state === 'broken' ? begun(due) : isSkipped(due, newest.id);
    });
  }

  async function begun({ id, schedule }: DueRun): Promise<boolean> {
    const targets = await targetsOf(schedule);
    if (targets.length === 0) return true;
    // The channels are told of what is found, and no command waits for the texts.
    const flags = { all: true, quiet: true } as const;
    const asked = {
      command: 'drift',
      spec: everyTarget({ targets }, flags),
      digest: null,
      plans: null,
      commit,
      schedule,
    };
    await begunForWorkers(storedRun(id, store, terminal), asked, { flags, terminal });
    await withEngine(store.variable, terminal, ({ enqueue }) => enqueue({ run: id, digest: null, round: 0 }));
    log('info', 'a check of drift begins', { run: id, rule: schedule, targets: targets.length });
    return true;
  }

  /** The targets that the rule is the first to take, by the files as they are now. */
  async function targetsOf(schedule: string): Promise<readonly string[]> {
    const here = await commitHere('fleet: drift', terminal);
    if (here !== commit)
      throw new UsageError(
        `the files here are now those of commit ${here.slice(0, 8)}, and this worker has those of ${commit.slice(0, 8)}: start it again`,
      );
    const { project } = await openedFor({}, terminal);
    if (project === null) throw new UsageError('the files of the project have errors: `chatform validate` shows them');
    return [...project.targets.values()].flatMap((target) => {
      const rule = driftRuleOf(project.fleet, target);
      return rule !== null && scheduleOf(rule) === schedule ? [target.name] : [];
    });
  }

  /** The period is skipped. A run of another commit may have lost the workers that can do it, so that one is ended first. */
  async function isSkipped({ schedule }: DueRun, earlier: string): Promise<boolean> {
    const run = storedRun(earlier, store, terminal);
    const isOurs = (await run.request()).commit === commit;
    const message = isOurs
      ? 'a check of drift is left out, because the one before is under way'
      : 'a check of drift is cancelled, because the oldest worker has another commit now';
    log('warn', message, { run: earlier, rule: schedule });
    const { user, host, pid } = self;
    const at = new Date(clock.now()).toISOString();
    if (!isOurs) await run.store.cancel({ v: 1, type: 'cancel', at, by: { user, host, pid } });
    return isOurs;
  }

  return async () => {
    if (rules.length === 0) return;
    const now = await serverTime(database);
    for (const due of dueRuns(store.project, rules, now)) {
      const last = looked.get(due.schedule);
      if (last?.id === due.id && now < last.next) continue;
      looked.set(due.schedule, { id: due.id, next: now + AGAIN });
      if (await isSettled(due)) looked.set(due.schedule, { id: due.id, next: Number.POSITIVE_INFINITY });
    }
  };
}
