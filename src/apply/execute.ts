// Execution of a plan: every step is sent in its turn. Prints nothing and decides nothing; it emits what happens.

import { ApiError, type ApiFailure, asError, InternalError, unstatedFailure } from '../base/errors.ts';
import type { Address, Clock, ObjectId, Reference } from '../base/model.ts';
import { isAddress, KINDS } from '../kinds/index.ts';
import type { Resolve } from '../kinds/kind.ts';
import type { LicenseClient } from '../license/connect.ts';
import { SETTLE_WINDOW } from '../license/reading/settled.ts';
import type { Plan, Request, Step } from '../plan/plan.ts';
import { callOf } from '../plan/requests.ts';
import { mayEndOtherwise } from '../service/patience/policy.ts';
import type { ReturnedSecret } from '../target/secrets/secrets.ts';
import type { GivenSecret } from './given-secrets.ts';
import { makesAnObject } from './journal.ts';
import { type ApplyOutcome, isUnsure, type Outcomes, type StepResult } from './outcome.ts';
import { isTooEarly, isUnsent, type Received, type Reply, receive, send } from './replies.ts';
import { type FindTraces, replyOf } from './traces.ts';
import type { CreatedObject, UntilShown } from './until-shown.ts';

export type ExecutionEvent =
  | { readonly type: 'sending'; readonly request: Request; readonly steps: readonly Step[] }
  | { readonly type: 'ended'; readonly results: readonly StepResult[]; readonly secrets: readonly ReturnedSecret[] };

export interface Execution {
  readonly plan: Plan;
  readonly client: LicenseClient;
  /** Aborting it stops the sending; requests in flight are waited for. */
  readonly signal: AbortSignal;
  /** Awaited before any dependent request is sent, so that results are recorded first. */
  readonly onEvent: (event: ExecutionEvent) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  /** Awaited before each attempt of a request; when it throws, the run stops and the attempt is not sent. */
  readonly depart: (steps: readonly Step[], resolve: Resolve) => Promise<void>;
  readonly untilShown: UntilShown;
  readonly findTraces: FindTraces;
  /** The secrets that creates carry. */
  readonly given: ReadonlyMap<Address, GivenSecret>;
}

/** How often a create is sent when no attempt leaves a trace. */
const MOST_CREATES = 5;

export interface Executed {
  readonly outcomes: Outcomes;
  /** What stopped the run, other than an interruption, such as an event handler that throws; null when nothing did. */
  readonly failure: Error | null;
}

/** Executes a plan. Never rejects: what was done before a failure is reported. */
export async function execute({
  plan,
  client,
  signal,
  onEvent,
  clock,
  depart,
  untilShown,
  findTraces,
  given,
}: Execution): Promise<Executed> {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const ids = new Map<Reference, ObjectId>(Object.entries(plan.references));
  const outcomes = new Map<string, ApplyOutcome>();
  const carried = new Map<string, Promise<void>>();
  const made = new Map<Address, CreatedObject>();
  // A ledger that cannot be written must stop the run, because later writes would be forgotten.
  const broken = new AbortController();
  const stopped = AbortSignal.any([signal, broken.signal]);

  const end = async (results: readonly StepResult[], secrets: readonly ReturnedSecret[] = []): Promise<void> => {
    for (const { step, outcome } of results) {
      if (outcome.status === 'done' && outcome.id !== null && step.address !== null) {
        ids.set(step.address, outcome.id);
        if (step.operation === 'create') made.set(step.address, { id: outcome.id, at: clock.now() });
      }
      outcomes.set(step.id, outcome);
    }
    if (results.length > 0) await onEvent({ type: 'ended', results, secrets });
  };

  /** Returns what this run created so recently that the service may not let others refer to it yet. */
  const recent = (step: Step): readonly Address[] =>
    step.after.flatMap((id) => {
      const { operation, address, type } = stepOf(steps, id);
      const at = operation === 'create' && address !== null ? made.get(address)?.at : undefined;
      // No object refers to a value.
      const refersTo = at !== undefined && KINDS[type].definition === undefined && clock.now() < at + SETTLE_WINDOW;
      return refersTo && address !== null ? [address] : [];
    });

  const carry = async (request: Request): Promise<void> => {
    const own = request.steps.map((id) => stepOf(steps, id));
    await Promise.all([...new Set(own.flatMap(({ after }) => after))].map((id) => carried.get(id)));
    const held = own.flatMap((step): readonly StepResult[] => {
      const outcome = holdUp(step, outcomes, stopped);
      return outcome === null ? [] : [{ step, outcome }];
    });
    await end(held);
    const sendable = own.filter((step) => !held.some((result) => result.step === step));
    if (sendable.length === 0) return;
    await onEvent({ type: 'sending', request, steps: sendable });
    const resolve = (reference: Reference): ObjectId => idIn(ids, reference);
    const sent = (steps: readonly Step[]): Promise<readonly Reply[]> => {
      const calls = steps.map((step) => {
        const secret =
          step.operation === 'create' && step.address !== null ? given.get(step.address)?.secret : undefined;
        return callOf(step, plan.api_version, resolve, secret ?? null);
      });
      let hasLeft = false;
      const leaving = async (open: readonly number[]): Promise<void> => {
        hasLeft = true;
        const departing = request.form === 'batch' ? steps.filter((_, index) => open.includes(index)) : steps;
        await depart(departing, resolve).catch((error: unknown) => {
          broken.abort(error);
          throw new ApiError(unsent(request.action, error));
        });
      };
      return send(client, request, steps, calls, { stop: stopped, leaving }).catch((error: unknown) => {
        broken.abort(error);
        return calls.map(({ action }) => ({
          error: hasLeft ? lostReply(action, error) : new ApiError(unsent(action, error)),
        }));
      });
    };
    const understood = (step: Step, reply: Reply | undefined): Received => receive(step, reply, resolve, plan, given);
    const replies = [...(await sent(sendable))];
    const replace = (step: Step, reply: Reply | undefined): void => {
      if (reply !== undefined) replies[sendable.indexOf(step)] = reply;
    };
    const sendAgain = async (steps: readonly Step[]): Promise<void> => {
      const second = stopped.aborted ? [] : await sent(steps);
      for (const [index, step] of steps.entries()) {
        const reply = second[index];
        if (reply !== undefined && !isUnsent(reply)) replace(step, reply);
      }
    };
    const early = sendable.filter((step, index) => isTooEarly(step, replies[index], recent));
    if (early.length > 0) {
      await untilShown(early.flatMap(recent), made);
      await sendAgain(early);
    }
    const again = (step: Step): boolean => {
      const reply = replies[sendable.indexOf(step)];
      return reply !== undefined && 'error' in reply && mayEndOtherwise(reply.error.failure);
    };
    for (let attempt = 1; !stopped.aborted; attempt += 1) {
      const unsure = sendable.filter(
        (step, index) => makesAnObject(step) && isUnsure(understood(step, replies[index]).ended.outcome),
      );
      if (unsure.length === 0) break;
      const traces = await findTraces(unsure);
      for (const step of unsure) replace(step, replyOf(traces.get(step), replies[sendable.indexOf(step)]));
      const absent = unsure.filter((step) => traces.get(step)?.status === 'absent' && again(step));
      if (absent.length === 0 || attempt === MOST_CREATES) break;
      await sendAgain(absent);
    }
    const received = sendable.map((step, index) => understood(step, replies[index]));
    await end(
      received.map(({ ended }) => ended),
      received.flatMap(({ secret }) => (secret === null ? [] : [secret])),
    );
  };

  for (const request of plan.requests.plan) {
    const promise = carry(request).catch((error: unknown) => {
      broken.abort(error);
    });
    for (const id of request.steps) carried.set(id, promise);
  }
  await Promise.all(carried.values());
  for (const { id } of plan.steps) if (!outcomes.has(id)) outcomes.set(id, { status: 'not-sent' });
  return { outcomes, failure: broken.signal.aborted ? asError(broken.signal.reason) : null };
}

/** A request that could not be recorded, or got no turn, was not sent. */
function unsent(action: string, error: unknown): ApiFailure {
  return { ...lostReply(action, error).failure, type: 'aborted', ambiguous: false };
}

/** A client that fails with an error of its own leaves open whether the request took effect. */
function lostReply(action: string, error: unknown): ApiError {
  const { message } = asError(error);
  return new ApiError(unstatedFailure({ action, type: 'unknown', message, ambiguous: true }));
}

function stepOf(steps: ReadonlyMap<string, Step>, id: string): Step {
  const step = steps.get(id);
  if (step === undefined) throw new InternalError(`the plan has no step ${id}`);
  return step;
}

/** Returns why a step is not sent; null when it is. The reason is the step that failed first, not one that was skipped itself. */
function holdUp(step: Step, outcomes: Outcomes, signal: AbortSignal): ApplyOutcome | null {
  const blocker = step.after.find((before) => outcomes.get(before)?.status !== 'done');
  if (blocker === undefined) return signal.aborted ? { status: 'not-sent' } : null;
  const outcome = outcomes.get(blocker) ?? { status: 'not-sent' };
  return outcome.status === 'failed' || outcome.status === 'done' ? { status: 'skipped', because: blocker } : outcome;
}

/** Returns the id of a reference; one that is no address is an id already. */
function idIn(ids: ReadonlyMap<Reference, ObjectId>, reference: Reference): ObjectId {
  const known = ids.get(reference);
  if (known !== undefined) return known;
  if (isAddress(reference)) throw new InternalError(`${reference} has no id yet`);
  return reference;
}
