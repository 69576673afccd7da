// Runs over several targets, each in a folder of its own next to chatform.yaml: its log, its saved plans, and what it was asked to do.

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { diskErrorCode, explained, textAt, writeWhole } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import { isObject, jsonIn } from '../../base/json.ts';
import { few } from '../../base/text.ts';
import { requireLong } from '../../ledger/named-run.ts';
import { isInDatabase } from '../../ledger/place.ts';
import type { RunContext } from '../../target/context.ts';
import type { FleetEvent } from './events.ts';
import { fileStore, firstEvent } from './file-store.ts';
import { type FleetResults, isOverOnWorkers, resultsOf } from './log.ts';
import { type FleetRequest, type FleetRun, RUNS, requestOf, runFolder, storedRunsHere } from './stored-runs.ts';

function runAt(id: string): FleetRun {
  const folder = runFolder(id);
  const log = join(folder, 'log.ndjson');
  const plans = join(folder, 'plans');
  return {
    id,
    log,
    folder,
    plans,
    store: fileStore(log),
    request: () => requestIn(join(folder, REQUEST)),
    forgetPlans: () => rm(plans, { recursive: true, force: true }),
  };
}

/** Calls `work` with a new run. If its log has not begun by the end of `work`, nothing of the run stays. */
export async function withNewRun<Result>(work: (run: FleetRun) => Promise<Result>): Promise<Result> {
  const run = runAt(randomUUID());
  const { folder, store } = run;
  await explained(folder, 'written', () => mkdir(folder, { recursive: true }));
  try {
    return await work(run);
  } finally {
    // A log that cannot be read has begun.
    const events = await store.read().catch(() => null);
    if (events?.length === 0) await rm(folder, { recursive: true, force: true });
  }
}

const REQUEST = 'request.json';

export async function keepRequest({ folder }: FleetRun, request: FleetRequest): Promise<void> {
  const file = join(folder, REQUEST);
  await explained(file, 'written', () => writeWhole(file, `${JSON.stringify(request, null, 2)}\n`, 'owner'));
}

async function requestIn(file: string): Promise<FleetRequest> {
  const found = jsonIn(await textAt(file, {}));
  const request = isObject(found) ? requestOf(found) : null;
  if (request === null) throw new UsageError(`${file} is damaged: begin another run`);
  return request;
}

/**
 * Every run that this checkout knows: those in the database of its project, and those in its files. One of the files needs no database.
 * @param meant - How the id of the run begins that is wanted.
 */
async function knownRuns(meant: string, context: RunContext): Promise<readonly FleetRun[]> {
  const here = (await runIds()).map(runAt);
  const stored = await storedRunsHere(context).catch((error: unknown) => {
    if (error instanceof UsageError && here.some(({ id }) => id.startsWith(meant))) return [];
    throw error;
  });
  return [...stored, ...here];
}

/** The run whose id begins so. @throws UsageError where there is none, or several */
export async function runNamed(text: string, context: RunContext): Promise<FleetRun> {
  const runs = await knownRuns(text, context);
  if (text !== '' && !runs.some(({ id }) => id === text)) requireLong(text);
  const found = runs.filter(({ id }) => id.startsWith(text));
  const [run, ...others] = found;
  if (run === undefined || text === '')
    throw new UsageError(
      runs.length === 0
        ? NO_RUN
        : `no run over several targets begins with ${text}; \`chatform fleet list\` has all of them`,
    );
  if (others.length > 0)
    throw new UsageError(`several runs begin with ${text}: ${few(found.map(({ id }) => id))}; write more of the id`);
  return run;
}

const NO_RUN = 'there is no run over several targets here';

/** A run, by default the newest that a person or a job began, and how far it is. @throws UsageError where there is none, or it never began */
export async function runWithResults(id: string | undefined, context: RunContext): Promise<KnownRun> {
  if (id === undefined) {
    const newest = async (begunBy: 'anyone' | 'people') => (await newestRuns(context, { most: 1, begunBy })).runs[0];
    const found = (await newest('people')) ?? (await newest('anyone'));
    if (found === undefined) throw new UsageError(NO_RUN);
    return found;
  }
  const run = await runNamed(id, context);
  const events = await run.store.read();
  if (events.length === 0) throw new UsageError(`the run ${run.id} never began`);
  return { run, results: await withRequest(run, resultsIn(run, events)), onWorkers: isInDatabase(run.log) };
}

/** @throws UsageError for a log that lost its first line */
function resultsIn({ log, folder }: FleetRun, events: readonly FleetEvent[]): FleetResults {
  if (events[0]?.type === 'run') return resultsOf(events);
  throw new UsageError(`${log} has lost its first line: restore the file, or delete ${folder} to forget the run`);
}

/** With the request to cancel that its driver has not recorded yet. */
async function withRequest(run: FleetRun, results: FleetResults): Promise<FleetResults> {
  if (results.cancelled !== null || isOver(run, results)) return results;
  const request = await run.store.cancelled();
  return request === null ? results : { ...results, cancelled: request.by };
}

/** Whether the run goes on only if a person resumes it. */
export function isOver({ log }: FleetRun, results: FleetResults): boolean {
  return isInDatabase(log) ? isOverOnWorkers(results) : results.finished || results.stopped !== null;
}

/** `run` of a document: how far it is. */
export function runMember({ id }: FleetRun, { run: { spec, digest }, waves, stopped, finished }: FleetResults) {
  return {
    id,
    digest,
    finished,
    stopped,
    waves: spec.waves.map(({ name, targets, parallel, hold, gates }, index) => {
      const { done, failed, unreachable, open, queued, running } = waves[index] ?? {};
      const counts = { done, failed, unreachable, under_way: running, queued, not_begun: open };
      return {
        name,
        targets: targets.length,
        parallel,
        hold_ms: hold,
        gates,
        ...Object.fromEntries(Object.entries(counts).map(([state, found]) => [state, found?.size ?? 0])),
      };
    }),
  };
}

/** `targets` of a document: what became of each. */
export function targetMembers({ run, targets }: FleetResults) {
  return run.spec.waves.flatMap(({ name: wave, targets: own }) =>
    own.flatMap((target) => {
      const result = targets.get(target);
      if (result === undefined) return [];
      const { state, attempt, begun, end } = result;
      const { code = null, message = null, requests = null, seconds = null } = end ?? {};
      return [{ target, wave, state, attempt, begun_at: begun, exit_code: code, requests, seconds, message }];
    }),
  );
}

/** A run, and how far it is. */
export interface KnownRun {
  readonly run: FleetRun;
  readonly results: FleetResults;
  /** The run is in the database of its project, for workers. */
  readonly onWorkers: boolean;
}

interface WantedRuns {
  readonly most?: number;
  readonly begunBy?: 'anyone' | 'people';
  /** A log that cannot be read is an error, or its run is left out. */
  readonly damaged?: 'error' | 'left out';
}

export interface KnownRuns {
  /** Newest first. */
  readonly runs: readonly KnownRun[];
  /** How many are older than these. */
  readonly older: number;
}

/** The runs that began. Of a run in a file that is older than `most` others, only the first line is read, and of one in a database nothing. */
export async function newestRuns(
  context: RunContext,
  { most = Number.POSITIVE_INFINITY, begunBy = 'anyone', damaged = 'error' }: WantedRuns = {},
): Promise<KnownRuns> {
  const legible = <Read>(work: Promise<Read>): Promise<Read | null> =>
    work.catch((error: unknown) => {
      if (error instanceof UsageError && damaged === 'left out') return null;
      throw error;
    });
  const all = await storedRunsHere(context, begunBy);
  const stored = all.slice(0, most);
  const begun = await Promise.all([
    ...stored.map(async (run) => ({ run, events: await legible(run.store.read()) })),
    ...(await runIds()).map(runAt).map(async (run) => ({ run, events: await legible(beginning(run)) })),
  ]);
  const dated = begun
    .flatMap(({ run, events }) => (events?.[0] === undefined ? [] : [{ run, events, at: events[0].at }]))
    .sort((one, other) => (one.at < other.at ? 1 : -1));
  const newest = dated.slice(0, most);
  const known: KnownRun[] = [];
  for (const { run, events } of newest) {
    const onWorkers = isInDatabase(run.log);
    const read = async (): Promise<FleetResults> => resultsIn(run, onWorkers ? events : await run.store.read());
    const results = await legible(read().then((found) => withRequest(run, found)));
    if (results !== null) known.push({ run, results, onWorkers });
  }
  return { runs: known, older: dated.length - newest.length + all.length - stored.length };
}

/** The first event of a log; all of them where that does not say what run it is. */
async function beginning({ log, store }: FleetRun): Promise<readonly FleetEvent[]> {
  const first = await firstEvent(log);
  return first === null ? store.read() : [first];
}

async function runIds(): Promise<readonly string[]> {
  const names = await explained(RUNS, 'read', () =>
    readdir(RUNS).catch((error: unknown) => {
      if (diskErrorCode(error) === 'ENOENT') return [];
      throw error;
    }),
  );
  return names.filter((name) => /^[0-9a-f-]{36}$/.test(name));
}
