// RunContext of a run: environment, clock, randomness, who runs it, its notices and its log. Injected, so that tests control them.

import { hostname, userInfo } from 'node:os';
import type { Clock, JsonObject } from '../base/model.ts';
import type { LeaseHolder } from '../ledger/lease.ts';
import { type Credential, redactJson } from '../service/credential.ts';
import type { Budget } from '../service/patience/budget.ts';
import { systemClock } from '../service/patience/clock.ts';
import type { VersionStage } from '../service/sender.ts';
import type { SharedAnswers } from './shared-answers.ts';
import { createDatabases, type DatabaseNotice, type Databases, type Job } from './stores.ts';

/** From the fewest lines to the most. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Members that are null are left out. */
export type Log = (level: LogLevel, message: string, fields?: JsonObject) => void;

export const silent: Log = () => {};

/** The same log without the credential that `redact` removes: no line repeats it, whatever the line quotes. */
export function scrubbed(log: Log, redact: (text: string) => string): Log {
  return (level, message, fields = {}) => log(level, redact(message), redactJson(fields, redact) as JsonObject);
}

/** Work that may take long. */
export interface WorkNotice {
  readonly type: 'working';
  /** `changed`; for work that cannot be counted while it is done, `Planning`. */
  readonly verb: string;
  /** Null where only the whole is known. */
  readonly done: number | null;
  readonly total: number;
  /** What is counted, in the plural. */
  readonly noun: string;
}

/** What a run reports of itself while it works, such as why it waits. Times are milliseconds. */
export type RunNotice =
  | WorkNotice
  /** The stage of the version in use; `ends` is null where the service does not say when it ends. */
  | {
      readonly type: 'version-stage';
      /** Name of the API. */
      readonly api: string;
      readonly version: string;
      readonly stage: VersionStage['name'];
      readonly ends: string | null;
      readonly isOver: boolean;
    }
  /** A request failed, and is sent again after the pause. */
  | { readonly type: 'retry'; readonly action: string; readonly failure: string; readonly pause: number }
  /** What an earlier run wrote does not show yet. */
  | { readonly type: 'unsettled'; readonly elapsed: number; readonly subjects: readonly string[] }
  /** The ledger is new: the run waits until everything that another run may have created shows. */
  | { readonly type: 'new-ledger'; readonly wait: number }
  /** Another run writes to the target: a reading waits for its end. `until` is RFC 3339. */
  | { readonly type: 'other-run'; readonly holder: LeaseHolder; readonly until: string | null }
  /** The lease of a run that seems to have been killed ends by itself at `until`, RFC 3339. */
  | { readonly type: 'waiting-for-lease'; readonly holder: LeaseHolder; readonly until: string }
  /** The lease of a run that ended without giving it back was taken over. */
  | { readonly type: 'lease-taken-over'; readonly holder: LeaseHolder }
  | DatabaseNotice
  /** The lease could not be given back; it ends by itself. */
  | { readonly type: 'lease-not-released'; readonly reason: string }
  /** This environment variable turns off the check of certificates, and is overruled. */
  | { readonly type: 'certificates-checked'; readonly variable: string }
  /** What is about to begin leaves a visitor in the list of visitors of the target. */
  | { readonly type: 'visitor'; readonly target: string }
  /** The reports are about to be asked, about so often: whole days that are known are not asked for again. */
  | { readonly type: 'reports'; readonly groups: number; readonly requests: number }
  /** The ledger may belong to another license. */
  | { readonly type: 'license-doubt'; readonly reason: string }
  /** An apply is followed: the reports show so many of the hours that are wanted, and all of them at `until`, RFC 3339. */
  | { readonly type: 'following'; readonly hours: number; readonly wanted: number; readonly until: string }
  /** The manifest changed since the approved plan was saved in `file`; what remains to be done was approved. */
  | { readonly type: 'manifest-changed'; readonly file: string };

export interface RunContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Calls `task` every so many milliseconds, until the returned function is called. */
  readonly every: (milliseconds: number, task: () => void) => () => void;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Who runs this process, and where. */
  readonly self: Omit<LeaseHolder, 'command'>;
  /** Aborting it stops the run: requests in flight end, and no other is sent. */
  readonly signal: AbortSignal;
  readonly notice: (notice: RunNotice) => void;
  readonly log: Log;
  readonly databases: Databases;
  /** Of work that is a part of a run over several targets. */
  readonly job?: Job;
  /** The requests that all runs with one token send together; without it, each run for itself. */
  readonly budgets?: (credential: Credential) => Budget;
  /** Answers that the targets of a run share; without it, each asks for itself. */
  readonly answers?: SharedAnswers;
}

/** Does not keep the process alive. */
function every(milliseconds: number, task: () => void): () => void {
  const timer = setInterval(task, milliseconds).unref();
  return () => clearInterval(timer);
}

/** A user id without an account, as in containers, has no name. */
function userName(env: RunContext['env']): string {
  try {
    return userInfo().username;
  } catch {
    return env['USER'] ?? String(process.getuid?.() ?? 'unknown');
  }
}

/** The context of this process: nothing stops the run, and its notices and log go nowhere. */
export function systemContext(): RunContext {
  return {
    env: process.env,
    clock: systemClock,
    every,
    random: Math.random,
    self: { user: userName(process.env), host: hostname(), pid: process.pid },
    signal: new AbortController().signal,
    notice: () => {},
    log: silent,
    databases: createDatabases(systemClock),
  };
}
