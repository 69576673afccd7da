// A plan and a client in; every step sent in its turn, and what became of each, out. Prints nothing and decides nothing: it tells what happens.

import { ApiError, type ApiFailure, InternalError } from '../base/errors.ts';
import type { Address, Clock, ObjectId, Reference } from '../base/model.ts';
import { isAddress, KINDS } from '../kinds/index.ts';
import type { Resolve } from '../kinds/kind.ts';
import type { Plan, Request, Step } from '../plan/plan.ts';
import { callOf } from '../plan/requests.ts';
import { SETTLE_WINDOW } from '../reading/settled.ts';
import type { ConfigurationClient } from '../service/configuration.ts';
import type { Ended, Outcome, Outcomes, ToldSecret } from './ended.ts';
import { makesAnObject } from './journal.ts';
import { isTooEarly, isUnsent, isUnsure, type Received, type Reply, receive, send } from './replies.ts';
import { type FindTraces, replyOf } from './traces.ts';
import type { Made, UntilShown } from './until-shown.ts';

/** One request leaves, or ends. */
export type ExecutionEvent =
  | { readonly type: 'sending'; readonly request: Request; readonly steps: readonly Step[] }
  | { readonly type: 'ended'; readonly results: readonly Ended[]; readonly secrets: readonly ToldSecret[] };

export interface Execution {
  readonly plan: Plan;
  readonly client: ConfigurationClient;
  /** Aborting it stops the sending; what is in flight is waited for. */
  readonly signal: AbortSignal;
  /** Awaited before anything that depends on the steps departs, so that what was done is told first. */
  readonly onEvent: (event: ExecutionEvent) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  /** Awaited before each attempt of a request leaves; what it throws stops the run, and the attempt does not leave. */
  readonly depart: (steps: readonly Step[], resolve: Resolve) => Promise<void>;
  /** Waits until the service shows what was just created. */
  readonly untilShown: UntilShown;
  /** Looks for what creates have made whose answers were lost. */
  readonly findTraces: FindTraces;
}

/** How often a create is sent of which each attempt left no trace. */
const MOST_CREATES = 5;

export interface Executed {
  readonly outcomes: Outcomes;
  /** What stopped the run, other than an interruption: whoever was told of an event could not bear it. Null when nothing did. */
  readonly failure: Error | null;
}

/** Never rejects: whatever goes wrong, what was done until then was done. */
export async function execute({
  plan,
  client,
  signal,
  onEvent,
  clock,
  depart,
  untilShown,
  findTraces,
}: Execution): Promise<Executed> {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const ids = new Map<Reference, ObjectId>(Object.entries(plan.references));
  const outcomes = new Map<string, Outcome>();
  const rides = new Map<string, Promise<void>>();
  const made = new Map<Address, Made>();
  // A ledger that cannot be written to must stop the run: what is done from then on would be forgotten.
  const broken = new AbortController();
  const stopped = AbortSignal.any([signal, broken.signal]);

  const end = async (results: readonly Ended[], secrets: readonly ToldSecret[] = []): Promise<void> => {
    for (const { step, outcome } of results) {
      if (outcome.status === 'done' && outcome.id !== null && step.address !== null) {
        ids.set(step.address, outcome.id);
        if (step.operation === 'create') made.set(step.address, { id: outcome.id, at: clock.now() });
      }
      outcomes.set(step.id, outcome);
    }
    if (results.length > 0) await onEvent({ type: 'ended', results, secrets });
  };

  /** What this run created so short a time ago that the service may not let others refer to it yet. */
  const recent = (step: Step): readonly Address[] =>
    step.after.flatMap((id) => {
      const { operation, address, type } = stepOf(steps, id);
      const at = operation === 'create' && address !== null ? made.get(address)?.at : undefined;
      // Nothing refers to a value.
      const refersTo = at !== undefined && KINDS[type].definition === undefined && clock.now() < at + SETTLE_WINDOW;
      return refersTo && address !== null ? [address] : [];
    });

  const ride = async (request: Request): Promise<void> => {
    const aboard = request.steps.map((id) => stepOf(steps, id));
    await Promise.all([...new Set(aboard.flatMap(({ after }) => after))].map((id) => rides.get(id)));
    const held = aboard.flatMap((step): readonly Ended[] => {
      const outcome = holdUp(step, outcomes, stopped);
      return outcome === null ? [] : [{ step, outcome }];
    });
    await end(held);
    const sendable = aboard.filter((step) => !held.some((result) => result.step === step));
    if (sendable.length === 0) return;
    await onEvent({ type: 'sending', request, steps: sendable });
    const resolve = (reference: Reference): ObjectId => idIn(ids, reference);
    const sent = (steps: readonly Step[]): Promise<readonly Reply[]> => {
      const calls = steps.map((step) => callOf(step, plan.api_version, resolve));
      const leaving = async (open: readonly number[]): Promise<void> => {
        const departing = request.form === 'batch' ? steps.filter((_, index) => open.includes(index)) : steps;
        await depart(departing, resolve).catch((error: unknown) => {
          broken.abort(error);
          throw new ApiError(unsent(request.action, error));
        });
      };
      return send(client, request, steps, calls, { stop: stopped, leaving }).catch((error: unknown) => {
        broken.abort(error);
        return calls.map(({ action }) => ({ error: lostReply(action, error) }));
      });
    };
    const understood = (step: Step, reply: Reply | undefined): Received => receive(step, reply, resolve, plan);
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
    for (let attempt = 1; !stopped.aborted; attempt += 1) {
      const unsure = sendable.filter(
        (step, index) => makesAnObject(step) && isUnsure(understood(step, replies[index]).ended.outcome),
      );
      if (unsure.length === 0) break;
      const traces = await findTraces(unsure);
      for (const step of unsure) replace(step, replyOf(traces.get(step), replies[sendable.indexOf(step)]));
      const absent = unsure.filter((step) => traces.get(step)?.status === 'absent');
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
    const promise = ride(request).catch((error: unknown) => {
      broken.abort(error);
    });
    for (const id of request.steps) rides.set(id, promise);
  }
  await Promise.all(rides.values());
  for (const { id } of plan.steps) if (!outcomes.has(id)) outcomes.set(id, { status: 'not-sent' });
  return { outcomes, failure: broken.signal.aborted ? asError(broken.signal.reason) : null };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new InternalError(String(reason));
}

/** What could not be recorded must not be sent. */
function unsent(action: string, error: unknown): ApiFailure {
  return { ...lostReply(action, error).failure, type: 'aborted', ambiguous: false };
}

/** A client that fails in a way of its own leaves open whether the request took effect. */
function lostReply(action: string, error: unknown): ApiError {
  const { message } = asError(error);
  return new ApiError({
    action,
    type: 'unknown',
    message,
    status: null,
    ambiguous: true,
    debugId: null,
    retryAfter: null,
    data: null,
  });
}

function stepOf(steps: ReadonlyMap<string, Step>, id: string): Step {
  const step = steps.get(id);
  if (step === undefined) throw new InternalError(`the plan has no step ${id}`);
  return step;
}

/** Why a step is not sent; null when it is. Skipped because of the step that failed first, not because of one that was skipped itself. */
function holdUp(step: Step, outcomes: Outcomes, signal: AbortSignal): Outcome | null {
  const blocker = step.after.find((before) => outcomes.get(before)?.status !== 'done');
  if (blocker === undefined) return signal.aborted ? { status: 'not-sent' } : null;
  const outcome = outcomes.get(blocker) ?? { status: 'not-sent' };
  return outcome.status === 'failed' || outcome.status === 'done' ? { status: 'skipped', because: blocker } : outcome;
}

/** A reference that is no address is an id already. */
function idIn(ids: ReadonlyMap<Reference, ObjectId>, reference: Reference): ObjectId {
  const known = ids.get(reference);
  if (known !== undefined) return known;
  if (isAddress(reference)) throw new InternalError(`${reference} has no id yet`);
  return reference;
}
