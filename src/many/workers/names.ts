// Names that workers and the command line share: queues, workflows, their inputs and outputs. All of it is plain text in a database, so no token is in it.

import type { Gate } from '../../project/fleet-settings.ts';
import type { GateEnd, TargetEnd } from '../drive.ts';

/** Format of the inputs and outputs. A worker takes only work of its own format, so workers of two formats may run next to each other. */
export const FORMAT = '2';

/** What DBOS calls an application: it keeps the rows of several apart. */
export const APPLICATION = 'chatform';

/** A workflow, and the queue that it waits in. */
export interface Workflow {
  readonly name: string;
  readonly queue: string;
}

/** The coordinator of a run. */
export const RUN: Workflow = { name: 'chatform.run', queue: 'chatform-runs' };

/** The work on one target. */
export const TARGET: Workflow = { name: 'chatform.target', queue: 'chatform-targets' };

/** A run that a coordinator drives. */
export interface RunInput {
  readonly run: string;
  /** Digest of the approved plans; null without one. */
  readonly digest: string | null;
  /** How often a person resumed the run. */
  readonly round: number;
  /** First is 1; each worker that refuses the run asks for the next one. */
  readonly trial: number;
  /** Ids of the workers that refused it since it last waited. */
  readonly refusedBy: readonly string[];
}

export type JobInput =
  | {
      readonly type: 'apply';
      readonly run: string;
      readonly target: string;
      readonly attempt: number;
      readonly digest: string | null;
    }
  | {
      readonly type: 'check';
      readonly run: string;
      readonly target: string;
      readonly gate: Gate;
      readonly wave: string;
      /** Unlike that of any other check of the run. */
      readonly round: string;
    };

export type JobOutput =
  | { readonly type: 'ended'; readonly end: TargetEnd | GateEnd }
  /** The run was cancelled, or had stopped. */
  | { readonly type: 'not begun' }
  /** The worker cannot do the run, and another one may. */
  | { readonly type: 'refused'; readonly reason: string }
  /** The work threw. */
  | { readonly type: 'broken'; readonly message: string };

export type RunOutput = { readonly type: 'ended' } | Exclude<JobOutput, { readonly type: 'ended' | 'not begun' }>;

/** Ids are the same for the same work, so that it is not begun twice. A run id has no slash, and the last member is a number. */
export function idOfRun({ run, round, trial }: Pick<RunInput, 'run' | 'round' | 'trial'>): string {
  return `${idsOfRound(run, round)}${trial}`;
}

/** What the ids of the work on all targets of a run begin with. */
export function idsOfTargets(run: string): string {
  return `target/${run}/`;
}

/** The same of its gates. */
export function idsOfGates(run: string): string {
  return `gate/${run}/`;
}

/** What the ids of the coordinators begin with, since a person went on with a run for the n-th time. */
export function idsOfRound(run: string, round: number): string {
  return `${idsOfRun(run)}${round}/`;
}

/** What the ids of all coordinators of a run begin with. */
export function idsOfRun(run: string): string {
  return `run/${run}/`;
}

/** @param trial - First is 1; work that was refused, or that broke under an earlier coordinator, gets another one. */
export function idOfJob(job: JobInput, trial: number): string {
  switch (job.type) {
    case 'apply':
      return `${idsOfTargets(job.run)}${job.target}/${job.attempt}/${trial}`;
    case 'check':
      return `${idsOfGates(job.run)}${job.target}/${job.gate}/${job.round}/${trial}`;
  }
}
