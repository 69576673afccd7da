// The jobs of a run in a database: its work on each target. A job begins in one transaction with a look at its run.

import type { LogKey } from '../place.ts';
import type { Database } from './database.ts';
import { codeOf, RUN_CHANGED } from './failure.ts';

/** The work of a run on a target. */
export interface JobKey {
  /** Of the run. */
  readonly run: LogKey;
  readonly target: string;
  readonly attempt: number;
}

/** A job that may begin in the run that it knows. */
export interface KnownJob extends JobKey {
  /** How many failures of the run were counted when it could begin. */
  readonly failures: () => number;
  /** The run has changed since. @throws NotBegun unless it goes on */
  readonly look: () => Promise<void>;
}

/** A failure that the log of the run may not have yet. */
export interface CountedFailure<End> {
  readonly target: string;
  readonly attempt: number;
  readonly end: End;
}

/** Carries out a statement that begins a job, again where the run has changed and goes on. */
export async function asJob<T>(job: KnownJob | null, statement: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await statement();
    } catch (error) {
      if (job === null || codeOf(error) !== RUN_CHANGED) throw error;
      await job.look();
    }
  }
}

/** Begins a job by itself. */
export async function beginJob(database: Database, job: KnownJob): Promise<void> {
  const { run, target, attempt, failures } = job;
  await asJob(job, () =>
    database.query('select chatform.begin_job($1, $2, $3, $4, $5)', [
      run.project,
      run.name,
      target,
      attempt,
      failures(),
    ]),
  );
}

/** From then on, a job begins only after another look at the run. */
export async function failJob(database: Database, { run, target, attempt }: JobKey, end: object): Promise<void> {
  await database.query('select chatform.fail_job($1, $2, $3, $4, $5)', [
    run.project,
    run.name,
    target,
    attempt,
    JSON.stringify(end),
  ]);
}

export interface JobsOfRun<End> {
  /** How often a job failed, also in earlier attempts. */
  readonly failures: number;
  readonly failed: readonly CountedFailure<End>[];
}

/** Null for a run that the database does not have. `End`: how a target ended, as it was given to `failJob`. */
export async function jobsOfRun<End>(database: Database, { project, name }: LogKey): Promise<JobsOfRun<End> | null> {
  const [row] = await database.query<{ readonly failures: number; readonly failed: readonly CountedFailure<End>[] }>(
    `select failures, (select coalesce(json_agg(json_build_object('target', target, 'attempt', attempt, 'end', failed)), '[]')
                         from chatform.job where run = l.id and failed is not null) as failed
     from chatform.log l where project = $1 and kind = 'run' and name = $2`,
    [project, name],
  );
  return row ?? null;
}

/** Those that were begun, also by a worker that is gone. `target`: null for all. */
export async function begunJobs(
  database: Database,
  { project, name }: LogKey,
  target: string | null,
): Promise<readonly Pick<JobKey, 'target' | 'attempt'>[]> {
  return database.query<{ readonly target: string; readonly attempt: number }>(
    `select j.target, j.attempt from chatform.job j join chatform.log l on l.id = j.run
     where l.project = $1 and l.kind = 'run' and l.name = $2 and ($3::text is null or j.target = $3)`,
    [project, name, target],
  );
}
