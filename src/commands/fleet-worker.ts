// `chatform fleet worker`: takes targets of runs from the database of the project, and does what their command would do.

import { randomUUID } from 'node:crypto';
import { explained, writeWhole } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import type { Ability } from '../engine/abilities.ts';
import { startWorker, TTL } from '../engine/worker.ts';
import type { FleetEnd, FleetWork, TargetEnd } from '../fleet/drive.ts';
import { logKey } from '../ledger/place.ts';
import { storedPlan } from '../postgres/fleet-store.ts';
import { milliseconds } from '../project/duration.ts';
import type { LedgerStore } from '../project/project.ts';
import { commandDocument } from '../render/documents.ts';
import { commitHere } from '../run/commit.ts';
import { type FleetRunOptions, recoverFleet } from '../run/fleet.ts';
import { storeOf } from '../run/ledger.ts';
import { deadLeaseEnds } from '../run/lock.ts';
import { planFile } from '../run/plan-folder.ts';
import { type FleetRun, storedRun } from '../run/stored-runs.ts';
import { apply } from './apply.ts';
import { applying, endOf, workOf } from './apply-run.ts';
import type { CommonFlags } from './chosen-targets.ts';
import { drift } from './drift.ts';
import { planOne } from './plan.ts';
import { portable, type Wanted } from './portable.ts';
import { type Result, showRemark } from './result.ts';
import { type Gathering, gathering } from './targets.ts';
import type { Terminal } from './terminal.ts';
import { verifyOne } from './verify.ts';
import { openPort } from './worker-port.ts';

export interface WorkerFlags {
  readonly parallel?: number;
  readonly port?: number;
  /** A duration, as in chatform.yaml. */
  readonly ttl?: string;
}

/** Targets that a worker works on at once, where no flag says otherwise. */
const PARALLEL = 16;

/** Works until a signal, and then ends what is under way. */
export async function work(
  { parallel = PARALLEL, port, ttl: given }: WorkerFlags,
  terminal: Terminal,
): Promise<Result> {
  const { store } = await storeOf(terminal);
  const commit = await commitHere('fleet worker', terminal);
  const { clock, log, self, signal } = terminal;
  const finishing = { ...terminal, signal: new AbortController().signal, err: () => {}, notice: () => {} };
  const ttl = milliseconds(given ?? '') ?? TTL;
  const able = abilities(store, commit, finishing);
  const worker = await startWorker({
    url: terminal.env[store.variable] ?? '',
    id: randomUUID(),
    holder: { ...self, command: 'fleet worker' },
    parallel,
    ttl,
    clock,
    log: (level, message) => log(level, message),
    work: async (run) => (await able.of(run)).ability,
    drive: (run, does, stop) => able.drive(run, does, stop),
  });
  const watched = { status: worker.status, now: clock.now, ttl };
  const opened = port === undefined ? null : await openPort(port, watched);
  if (opened !== null) showRemark(`Watch it at http://127.0.0.1:${opened.port}/metrics and /health.\n`, terminal);
  showRemark(`Working on ${parallel} targets at once, with the files of commit ${commit.slice(0, 12)}.\n`, terminal);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await worker.stop();
  await opened?.close();
  const { ended, broken } = worker.status();
  return {
    code: 0,
    document: () => commandDocument({ ended, broken }),
    text: () => `Stopped: ${ended} ended here, and nothing is under way.\n`,
  };
}

/** What this worker does for a run, and the options of its driver. */
interface Able {
  readonly ability: Ability;
  readonly options: FleetRunOptions;
}

function abilities(store: LedgerStore, commit: string, terminal: Terminal) {
  const known = new Map<string, FleetRunOptions>();

  async function of(id: string): Promise<Able> {
    const able = await ableTo(storedRun(id, store, terminal), commit, terminal);
    known.set(id, able.options);
    return able;
  }

  async function drive(id: string, does: FleetWork, stop: AbortSignal): Promise<FleetEnd> {
    const options = known.get(id) ?? (await of(id)).options;
    const run = storedRun(id, store, terminal);
    const end = await recoverFleet(run.log, does, options, { ...terminal, signal: stop });
    if (end.results.finished) await run.forgetPlans();
    return end;
  }

  return { of, drive };
}

const NO_OPTIONS: FleetRunOptions = { freeze: [] };

async function ableTo(run: FleetRun, commit: string, terminal: Terminal): Promise<Able> {
  const refused = (reason: string): Able => ({ ability: { refused: reason }, options: NO_OPTIONS });
  const [request, events] = await Promise.all([run.request(), run.store.read()]);
  const first = events[0];
  if (first?.type !== 'run') return refused(`the run ${run.id} is not one of this project`);
  if (request.commit !== commit)
    return refused(
      `this worker has the files of commit ${commit.slice(0, 12)}, and the run needs ${request.commit?.slice(0, 12) ?? 'others'}: start a worker in a checkout of that commit`,
    );
  const { wanted, ...given } = request.flags;
  const flags = { ...given, all: true, quiet: true, yes: true } as unknown as CommonFlags;
  const among = first.spec.waves.flatMap(({ targets }) => targets);
  const gathered = await gatheringOf(first.command, { flags, plans: request.plans, among }, terminal);
  if ('code' in gathered) return refused(gathered.error ?? 'the files of the project have errors');
  const { does, options } = workOf(
    gathered,
    { since: Date.parse(first.at), isResumed: true },
    { flags: flags as never, terminal },
  );
  const end = async (target: string): Promise<TargetEnd> => {
    if (request.plans !== null) await fetchPlan(run, target, terminal);
    const settings = gathered.opened.project.targets.get(target);
    if (first.command === 'apply' && settings !== undefined) await deadLeaseEnds(settings.ledger, terminal);
    const performed = await gathered.perform(target);
    const answer = gathered.record(target, performed.result, performed.seconds);
    terminal.log('info', `${target}: ${answer.state}`, { run: run.id, target, state: answer.state });
    return { ...endOf(answer), summary: portable(performed, wantedOf(wanted)) };
  };
  return { ability: { apply: end, check: does.check }, options };
}

interface Meant {
  readonly flags: CommonFlags;
  readonly plans: string | null;
  readonly among: readonly string[];
}

function gatheringOf(command: string, { flags, plans, among }: Meant, terminal: Terminal): Promise<Gathering | Result> {
  switch (command) {
    case 'apply':
      return applying(plans, { flags: flags as never, terminal, bodies: { apply, plan: planOne } }, { among });
    case 'plan':
      return gathering('plan', { flags, terminal, one: planOne as never }, { among });
    case 'drift':
      return gathering('drift', { flags, terminal, one: drift as never }, { among });
    case 'verify':
      return gathering('verify', { flags, terminal, one: verifyOne as never }, { among });
    default:
      throw new UsageError(`this chatform cannot do \`${command}\` for a run: update the worker`);
  }
}

function wantedOf(value: Json | undefined): Wanted {
  const { texts, documents } = isObject(value) ? value : ({} as JsonObject);
  return { texts: texts === true, documents: documents === true };
}

/** Puts the approved plan of a target where an apply looks for it. */
async function fetchPlan(run: FleetRun, target: string, terminal: Terminal): Promise<void> {
  const key = logKey(run.log);
  const plan = await storedPlan(terminal.databases.at(key.variable, terminal), key, target);
  if (plan === null) throw new UsageError(`the run ${run.id} has no plan of ${target}`);
  const file = planFile(run.plans, target);
  await explained(file, 'written', () => writeWhole(file, plan, 'owner'));
}
