// What a worker does for a run whose command is an operation: its options are checked, and the outcomes are stored.

import type { Validator } from '../base/documents.ts';
import { asError, EndedBefore, InternalError, NotBegun, UsageError } from '../base/errors.ts';
import { sumOf } from '../base/grouped.ts';
import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { few } from '../base/text.ts';
import type { RunWork } from '../engine/abilities.ts';
import type { TargetEnd } from '../fleet/drive.ts';
import type { FleetSpec } from '../fleet/events.ts';
import type { Answer, Operation, Outcome } from '../many/operation.ts';
import { type Asked, rowOf } from '../many/outputs.ts';
import { contextOf, failedOutcome, runOne } from '../many/run.ts';
import type { Project } from '../project/project.ts';
import { budgetsOf } from '../run/budgets.ts';
import type { OpenedProject, TargetChoice } from '../run/choice.ts';
import { fleetJobs } from '../run/fleet-job.ts';
import type { FleetRun } from '../run/stored-runs.ts';
import type { Terminal } from './terminal.ts';

/** What a request asks for. */
interface Requested<Options, Value> {
  readonly asked: Asked<Options, Value>;
  readonly choice: TargetChoice;
  /** To each question. */
  readonly answer: Answer;
}

type Work = (ofRun: OfRun, terminal: Terminal) => Pick<RunWork, 'apply' | 'check'>;

/** The work of an operation with the options of a request; null for a command that is none, and why it cannot be done. */
export async function operationOf(command: string, request: JsonObject): Promise<Work | string | null> {
  switch (command) {
    case 'drift': {
      const [{ drifting }, { options }] = await Promise.all([
        import('../features/drift/operation.ts'),
        import('../features/drift/validator.ts'),
      ]);
      return workOn(drifting, options, request);
    }
    case 'verify': {
      const [{ customerTesting }, { options }] = await Promise.all([
        import('../features/test/customer/operation.ts'),
        import('../features/test/customer/validator.ts'),
      ]);
      return workOn(customerTesting, options, request);
    }
    default:
      return null;
  }
}

function workOn<Options, Value>(
  operation: Operation<Options, Value>,
  isKnown: Validator<Options>,
  { options = {}, yes, ...choice }: JsonObject,
): Work | string {
  if (!isKnown(options))
    return `this chatform cannot do \`${operation.name}\` with ${unknownIn(isKnown.errors)}: update the worker`;
  const answer = yes === true ? 'yes' : 'nobody';
  const requested = { asked: { operation, options }, choice: choice as TargetChoice, answer } as const;
  return (ofRun, terminal) => workOfOperation(requested, ofRun, terminal);
}

/** The options that are not known. */
function unknownIn(errors: Validator<unknown>['errors']): string {
  const names = (errors ?? []).map(({ instancePath, params }) => params['additionalProperty'] ?? instancePath.slice(1));
  return few(names.map(String));
}

interface OfRun {
  readonly run: FleetRun;
  readonly spec: FleetSpec;
  readonly opened: OpenedProject & { readonly project: Project };
}

function workOfOperation<Options, Value>(
  { asked, choice, answer }: Requested<Options, Value>,
  { run, spec, opened }: OfRun,
  terminal: Terminal,
): Pick<RunWork, 'apply' | 'check'> {
  const jobs = fleetJobs(run.log, spec, terminal);
  const around = { ...terminal, ask: async () => answer, budgets: budgetsOf(opened.project, terminal) };
  return {
    apply: async (target, attempt, _digest, isOurs): Promise<TargetEnd> => {
      const job = jobs.job(target, attempt, async () => {
        if (!(await isOurs())) throw new UsageError('another worker has this target now, so nothing was done here');
      });
      const context = contextOf(target, { ...around, job });
      const outcome = await begun(
        async () => {
          await job.begin();
          job.proceed();
          return runOne(asked.operation, { ...choice, target, opened }, asked.options, context);
        },
        (error) => failedOutcome(asked.operation.name, target, error, context),
      );
      const end = endOf(asked, outcome);
      const { state, message } = rowOf(asked, outcome);
      terminal.log('info', `${target}: ${state}${message === undefined ? '' : `: ${message}`}`, {
        run: run.id,
        target,
        state,
      });
      // The coordinator knows it from the end, too, if a moment later.
      await jobs.ended(target, attempt, end).catch((error: unknown) => {
        const why = asError(error).message;
        terminal.log('warn', `the failure could not be counted at once: ${why}`, { run: run.id, target });
      });
      return end;
    },
    check: async (gate) => {
      throw new InternalError(`${asked.operation.name} has no gate ${gate}`);
    },
  };
}

async function begun<T>(work: () => Promise<T>, failed: (error: unknown) => T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotBegun || error instanceof EndedBefore) throw error;
    return failed(error);
  }
}

/** A check that finds differences has done its work. */
function endOf<Options, Value>(asked: Asked<Options, Value>, outcome: Outcome<Value>): TargetEnd {
  const { code, state, message, requests } = rowOf(asked, outcome);
  const isDone = code === 0 || code === 2;
  return {
    state: isDone ? 'done' : state === 'unreachable' ? 'unreachable' : 'failed',
    code,
    message: isDone ? null : (message ?? state),
    requests: requests ?? (outcome.requests === null ? 0 : sumOf(outcome.requests)),
    summary: JSON.parse(JSON.stringify(outcome)) as Json,
  };
}

/** The outcome that a log has of a target. @throws InternalError for another value */
export function outcomeIn<Value>(summary: Json): Outcome<Value> {
  if (!isObject(summary) || typeof summary['state'] !== 'string')
    throw new InternalError('a worker ended a target without an outcome');
  return summary as unknown as Outcome<Value>;
}
