// A command for several targets that workers carry out: it begins the run in the database of the project, and follows its log.

import { randomUUID } from 'node:crypto';
import { textAt } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { counted } from '../base/text.ts';
import { until } from '../base/until.ts';
import { logKey } from '../ledger/place.ts';
import { isLost } from '../ledger/postgres/failure.ts';
import { type FleetEnd, type ResumeFlags, resumedBy } from '../many/drive.ts';
import { commitHere } from '../many/git/commit.ts';
import { firstEvent, reopenRun, timeOf } from '../many/local.ts';
import type { FleetSpec } from '../many/log/events.ts';
import { runMember } from '../many/log/fleet-runs.ts';
import { fleetLog, isOverOnWorkers } from '../many/log/log.ts';
import { type BegunRun, beginStoredRun, storedEvents } from '../many/log/postgres.ts';
import { type FleetRun, storedRun } from '../many/log/stored-runs.ts';
import { planFile } from '../many/plans/folder.ts';
import type { EngineClient } from '../many/workers/client.ts';
import type { LiveWorker } from '../many/workers/workers.ts';
import type { Project } from '../project/project.ts';
import { commandDocument } from '../view/documents.ts';
import { shortId } from '../view/plain.ts';
import type { CommonFlags } from './chosen-targets.ts';
import { withEngine } from './engine.ts';
import { fleetProgress } from './fleet-progress.ts';
import { failed, type Result, showRemark } from './result.ts';
import type { Terminal } from './terminal.ts';

/** A run that workers are to carry out. */
export interface WorkersRun {
  readonly command: string;
  readonly project: Project;
  /** Of the command, what its targets need: not how it chose them, nor where its results go. */
  readonly request: JsonObject;
  readonly recorder: Recorder;
  readonly spec: FleetSpec;
  readonly digest: string | null;
  /** Folder of the approved plans of the targets; null without them. */
  readonly plans: string | null;
  readonly finish: Finish;
}

/** Called with what the log says of each target that ended. */
export type Recorder = (target: string, summary: Json) => void;

/** The result of a run that stopped, or is done. The results of its targets are recorded. */
export type Finish = (run: FleetRun, end: FleetEnd) => Promise<Result>;

interface Asked {
  readonly flags: CommonFlags;
  readonly terminal: Terminal;
}

type Offering = Asked & { readonly engine: EngineClient };

/** Targets of a run without waves that are offered to the workers at once: each worker takes as many as it works on. */
const OFFERED = 512;

/** A run without waves and limits: what fails stops no other. */
export function everyTarget(targets: readonly string[], { parallel = OFFERED }: CommonFlags): FleetSpec {
  const none = { maxFailures: null, maxUnreachable: null };
  return { waves: [{ name: 'all', targets, parallel, hold: 0, gates: [], ...none }], ...none };
}

/** @throws UsageError without a database, without the engine, and for files that are in no commit */
export async function onWorkers(asked: WorkersRun, { flags, terminal }: Asked): Promise<Result> {
  const { command, project, request, recorder, spec, digest, plans, finish } = asked;
  const { ledgerStore: store } = project;
  if (store === null)
    throw new UsageError(
      `--workers: ${project.file} names no database: add \`ledger_store: { postgres_env: CHATFORM_DATABASE_URL }\``,
    );
  const commit = await commitHere(terminal);
  const run = storedRun(randomUUID(), store, terminal);
  return withEngine(store.variable, terminal, async (engine) => {
    // Asked first: a run that could not be offered would be left behind.
    const workers = await engine.workers();
    await begunForWorkers(run, { command, request, spec, digest, plans, commit, schedule: null }, terminal);
    return runOnWorkers(run, { recorder, finish, round: 0, digest }, workers, { flags, terminal, engine });
  });
}

interface RunForWorkers
  extends Pick<WorkersRun, 'command' | 'request' | 'spec' | 'digest' | 'plans'>,
    Pick<BegunRun, 'schedule'> {
  /** The commit of the files. */
  readonly commit: string;
}

/** Puts a run into its database, unless it is there. The engine is asked for it next. */
export async function begunForWorkers(
  run: FleetRun,
  { command, request, spec, digest, plans, commit, schedule }: RunForWorkers,
  terminal: Terminal,
): Promise<void> {
  const key = logKey(run.log);
  const names = spec.waves.flatMap(({ targets }) => targets);
  await beginStoredRun(terminal.databases.at(key.variable, terminal), key, {
    first: firstEvent({ id: run.id, command, spec, digest }, await timeOf(run.log, terminal), terminal),
    schedule,
    request: { plans: plans === null ? null : run.plans, flags: request, commit },
    plans: plans === null ? new Map() : await plansIn(plans, names),
  });
}

async function plansIn(folder: string, targets: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const plans = new Map<string, string>();
  for (const target of targets) {
    const file = planFile(folder, target);
    plans.set(target, await textAt(file, {}));
  }
  return plans;
}

/** Goes on with a run that stopped. @throws UsageError while a worker drives it */
export async function resumeOnWorkers(
  run: FleetRun,
  { recorder, finish }: Pick<WorkersRun, 'recorder' | 'finish'>,
  { flags, terminal }: Asked & { readonly flags: ResumeFlags },
): Promise<Result> {
  return withEngine(logKey(run.log).variable, terminal, async (engine) => {
    const workers = await engine.workers();
    const resumed = await reopenRun(run.log, resumedBy(flags), terminal);
    return runOnWorkers(run, { recorder, finish, ...resumed }, workers, { flags, terminal, engine });
  });
}

interface RunOnWorkers {
  readonly recorder: Recorder;
  readonly finish: Finish;
  /** How often a person resumed the run. */
  readonly round: number;
  readonly digest: string | null;
}

/** Offers a run to the workers and, unless it is left to them, follows it to its end. */
async function runOnWorkers(
  run: FleetRun,
  { recorder, finish, round, digest }: RunOnWorkers,
  workers: readonly LiveWorker[],
  { flags, terminal, engine }: Offering,
): Promise<Result> {
  await engine.enqueue({ run: run.id, digest, round });
  if (workers.length === 0)
    showRemark(
      'No worker is there: the run waits for `chatform fleet worker` in a clone of this repository.\n',
      terminal,
    );
  const name = shortId(run.id);
  if (flags.detach === true)
    return {
      code: 0,
      document: () => commandDocument({ run: { id: run.id } }),
      text: () =>
        `Run ${name} began with ${counted(workers.length, 'worker')}. \`chatform fleet status ${name}\` shows how far it is.\n`,
    };
  const end = await followed(run, recorder, { flags, terminal, engine });
  if ('broken' in end)
    return failed(`run ${name} stopped: ${end.broken}; go on with \`chatform apply --resume ${name}\``);
  if (isOverOnWorkers(end.results)) return finish(run, end);
  const goesOn = `Run ${name} goes on: \`chatform fleet status ${name}\` shows how far it is, and \`chatform fleet cancel ${name}\` ends it.\n`;
  return { code: 130, document: () => commandDocument({ run: runMember(run, end.results) }), text: () => goesOn };
}

/** Milliseconds between two looks at the log of a run. */
const POLL = 500;

/** Looks between two questions for the state of the coordinator. */
const STATE_EVERY = 10;

/** Until the run stops, is done, or this process is interrupted: then the run goes on without it. */
async function followed(
  run: FleetRun,
  recorder: Recorder,
  { flags, terminal, engine }: Offering,
): Promise<FleetEnd | { readonly broken: string }> {
  const { clock, signal } = terminal;
  const database = terminal.databases.at(logKey(run.log).variable, terminal);
  const progress = flags.quiet === true ? {} : fleetProgress(terminal);
  const before = await run.store.read();
  const log = fleetLog(before);
  let seen = before.length;
  const { results } = log;
  for (const [target, { end }] of results.targets) if (end !== null) recorder(target, end.summary);
  const said = new Set<string>();
  const { project } = logKey(run.log);
  const isWithoutWorker = async (): Promise<boolean> =>
    (await engine.workers()).every((worker) => worker.project !== project);
  // Without any worker at its beginning, the command has said so.
  let isGone = await isWithoutWorker();
  let looks = 0;
  const look = async (): Promise<FleetEnd | { readonly broken: string } | null> => {
    looks += 1;
    for (const event of await storedEvents(database, logKey(run.log), seen)) {
      seen += 1;
      log.add(event);
      progress.onEvent?.(event, results);
      if (event.type === 'ended') recorder(event.target, event.summary);
    }
    if (isOverOnWorkers(results)) return { stopped: results.stopped, results };
    if (looks % STATE_EVERY === 0) {
      // A server that is away is asked for the log in any case, which waits for it.
      const state = await engine.stateOf(run.id).catch((error: unknown) => {
        if (isLost(error)) return null;
        throw error;
      });
      const isAlone = state === null ? isGone : await isWithoutWorker();
      if (isAlone && !isGone)
        showRemark(
          `No worker is there any more: the run waits for \`chatform fleet worker\` in a clone of this repository; \`chatform fleet cancel ${shortId(run.id)}\` ends it.\n`,
          terminal,
        );
      isGone = isAlone;
      if (state?.state === 'broken') return { broken: state.message };
      if (state?.state === 'waiting' && state.refused !== null && !said.has(state.refused)) {
        said.add(state.refused);
        showRemark(`No worker can do the run yet: ${state.refused}\n`, terminal);
      }
    }
    return null;
  };
  const end = await until(look, { clock, signal, isEnough: (found) => found !== null, pause: () => POLL });
  return end ?? { stopped: results.stopped, results };
}
