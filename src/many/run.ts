// Runs an operation on one target, or on several, some at a time.

import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import {
  AbsentError,
  EndedBefore,
  isUnreached,
  LeaseLost,
  LockedError,
  NotBegun,
  OutdatedError,
} from '../base/errors.ts';
import { keepHeapSmall } from '../base/heap.ts';
import type { Project } from '../project/project.ts';
import { bareChoice, type OpenedProject, prepareTarget, type TargetChoice } from '../target/choice.ts';
import type { FoundLease } from '../target/lock.ts';
import { diagnosticsOf, messageOf } from './failure.ts';
import type { Afterwards, Context, Failed, Operation, Outcome, Problem } from './operation.ts';
import { USUAL_PARALLEL } from './selected.ts';
import { inTurns } from './turns.ts';

/**
 * The outcome of an operation on one target, whether it came to a value or not. `onEnded` writes its outputs.
 * @throws what means that the work was not to be done at all
 */
export async function runOne<Options, Value>(
  operation: Operation<Options, Value>,
  choice: TargetChoice,
  options: Options,
  context: Omit<Context, 'afterwards'>,
  onEnded: (outcome: Outcome<Value>) => Promise<void> | void = () => {},
): Promise<Outcome<Value>> {
  const tasks: Afterwards[] = [];
  const outcome = await outcomeOf(operation, choice, options, {
    ...context,
    afterwards: (task) => {
      tasks.push(task);
    },
  });
  await onEnded(outcome);
  // An interrupted operation has not failed.
  if (outcome.state === 'interrupted' || tasks.length === 0) return outcome;
  const problems: Problem[] = [];
  for (const task of tasks) problems.push(...(await task(outcome)));
  return { ...outcome, problems };
}

async function outcomeOf<Options, Value>(
  operation: Operation<Options, Value>,
  asked: TargetChoice,
  options: Options,
  context: Context,
): Promise<Outcome<Value>> {
  const { clock } = context;
  const choice = operation.needsNoProject === true ? bareChoice(asked) : asked;
  const began = clock.now();
  const about = { operation: operation.name, at: new Date(began).toISOString(), problems: [] };
  const seconds = (): number => (clock.now() - began) / 1000;
  let target = choice.target ?? '';
  try {
    target = choice.ledger ?? (await prepareTarget(choice, context)).settings?.name ?? target;
    const result = await operation.run(choice, options, context);
    return { ...about, target, seconds: seconds(), state: 'known', ...result };
  } catch (error) {
    return { ...failedOutcome(operation.name, target, error, context), at: about.at, seconds: seconds() };
  }
}

/** @throws what means that the work was not to be done at all */
export function failedOutcome(
  operation: string,
  target: string,
  error: unknown,
  { clock, signal }: Pick<Context, 'clock' | 'signal'>,
): Failed {
  const about = {
    operation,
    target,
    at: new Date(clock.now()).toISOString(),
    seconds: 0,
    requests: null,
    problems: [],
  };
  return { ...about, ...failureOf(error, signal), diagnostics: diagnosticsOf(error) };
}

function failureOf(error: unknown, signal: AbortSignal): Pick<Failed, 'state' | 'message' | 'lease'> {
  if (error instanceof NotBegun || error instanceof EndedBefore) throw error;
  const message = messageOf(error);
  if (signal.aborted) return { state: 'interrupted', message };
  if (error instanceof LockedError) return { state: 'locked', message, lease: error.lease as FoundLease };
  if (error instanceof LeaseLost) return { state: 'locked', message };
  if (error instanceof OutdatedError) return { state: 'outdated', message };
  if (error instanceof AbsentError) return { state: 'absent', message };
  return { state: isUnreached(error) ? 'unreachable' : 'failed', message };
}

/** The targets of an opened project that an operation is about. */
export interface SelectedTargets {
  readonly opened: OpenedProject & { readonly project: Project };
  /** By name. */
  readonly names: readonly string[];
}

export interface ManyOptions<Value> {
  /** How many targets are under way at once; default 16. */
  readonly parallel?: number;
  readonly onEnded?: (outcome: Outcome<Value>) => void;
}

/** From so many targets on, less memory is worth more than processor time. */
const MANY = 100;

/** The outcomes for all targets, by name. One that fails stops no other; after a signal none is begun. */
export async function runMany<Options, Value>(
  operation: Operation<Options, Value>,
  { opened, names }: SelectedTargets,
  choice: TargetChoice,
  options: Options,
  context: Omit<Context, 'afterwards'>,
  { parallel = USUAL_PARALLEL, onEnded = () => {} }: ManyOptions<Value> = {},
): Promise<readonly Outcome<Value>[]> {
  const settings = names.flatMap((name) => opened.project.targets.get(name) ?? []);
  if (settings.length > MANY) keepHeapSmall(50);
  const { signal, shared } = sharedBy(operation, context);
  const outcomes = new Map<string, Outcome<Value>>();
  const writesFiles = operation.changes === 'files';
  const limited = pLimit(writesFiles ? 1 : parallel);
  await Promise.all(
    inTurns(settings).map(({ name }) =>
      limited(async () => {
        // What is written for one target is read for the next.
        const own = { ...choice, target: name, ...(writesFiles ? {} : { opened }) };
        const outcome = signal.aborted
          ? notBegun(operation.name, name, context)
          : await runOne(operation, own, options, contextOf(name, shared));
        outcomes.set(name, outcome);
        onEnded(outcome);
      }),
    ),
  );
  return names.flatMap((name) => outcomes.get(name) ?? []);
}

/** A signal to which every target may listen; what is written is finished, so it does not hear it. */
function sharedBy({ changes }: Pick<Operation<never, never>, 'changes'>, context: Omit<Context, 'afterwards'>) {
  const signal = forEach(context.signal);
  return { signal, shared: { ...context, signal: changes === 'license' ? unheard() : signal } };
}

/** The same signal, to which every target may listen. */
export function forEach(signal: AbortSignal): AbortSignal {
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}

/** The signal of what is finished once it was begun. */
export function unheard(): AbortSignal {
  return forEach(new AbortController().signal);
}

/** Lines of the log name the target. */
export function contextOf<Around extends Omit<Context, 'afterwards'>>(target: string, context: Around): Around {
  const { log } = context;
  return {
    ...context,
    log: (level, message, fields = {}) => log(level, message, { target, ...fields }),
  };
}

export function notBegun(
  operation: string,
  target: string,
  { clock, signal }: Pick<Context, 'clock' | 'signal'>,
): Failed {
  return {
    operation,
    target,
    at: new Date(clock.now()).toISOString(),
    seconds: 0,
    state: signal.aborted ? 'interrupted' : 'not begun',
    message: 'not begun',
    diagnostics: [],
    requests: null,
    problems: [],
  };
}
