// A plan and a client in; every step sent in its turn, and what became of each, out. Prints nothing and decides nothing: it tells what happens.

import { ApiError, InternalError } from '../errors.ts';
import { KINDS } from '../kinds/index.ts';
import type { Call } from '../kinds/kind.ts';
import type { Address, Clock, Json, ObjectId, Reference } from '../model.ts';
import type { Plan, Request, Step } from '../plan/plan.ts';
import { callOf } from '../plan/requests.ts';
import type { Client } from '../service/client.ts';
import { SETTLE_WINDOW } from './fetch-settled.ts';
import type { Made, UntilShown } from './until-shown.ts';

/** What became of a step. */
export type Outcome =
  | { readonly status: 'done'; readonly id: ObjectId | null }
  | { readonly status: 'failed'; readonly error: ApiError }
  /** A step it waits for did not succeed. */
  | { readonly status: 'skipped'; readonly because: string }
  /** The run was stopped before it was sent. */
  | { readonly status: 'not-sent' };

export interface Ended {
  readonly step: Step;
  readonly outcome: Outcome;
}

/** The one-time secret of a created object; null when the reply should have told it and did not. */
export interface ToldSecret {
  readonly address: Address;
  readonly id: ObjectId;
  readonly secret: string | null;
}

/** One request leaves, or ends. */
export type ExecutionEvent =
  | { readonly type: 'sending'; readonly request: Request; readonly steps: readonly Step[] }
  | { readonly type: 'ended'; readonly results: readonly Ended[]; readonly secrets: readonly ToldSecret[] };

export interface Execution {
  readonly plan: Plan;
  readonly client: Client;
  /** Aborting it stops the sending; what is in flight is waited for. */
  readonly signal: AbortSignal;
  /** Awaited before anything that depends on the steps is sent, so that what was done is recorded first. */
  readonly onEvent: (event: ExecutionEvent) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  /** Waits until the service shows what was just created. */
  readonly untilShown: UntilShown;
}

/** Step id -> outcome, for every step of the plan. */
export type Outcomes = ReadonlyMap<string, Outcome>;

export interface Executed {
  readonly outcomes: Outcomes;
  /** What stopped the run, other than an interruption: whoever was told of an event could not bear it. Null when nothing did. */
  readonly failure: Error | null;
}

/** Never rejects: whatever goes wrong, what was done until then was done. */
export async function execute({ plan, client, signal, onEvent, clock, untilShown }: Execution): Promise<Executed> {
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
    const sent = (aboard: readonly Step[]): Promise<readonly Reply[]> => {
      const calls = aboard.map((step) => callOf(step, plan.api_version, resolve));
      return send(client, request, aboard, calls, stopped).catch((error: unknown) => {
        broken.abort(error);
        return calls.map(({ action }) => ({ error: lostReply(action, error) }));
      });
    };
    const replies = [...(await sent(sendable))];
    const early = sendable.filter((step, index) => isTooEarly(step, replies[index], recent(step)));
    if (early.length > 0) {
      await untilShown(early.flatMap(recent), made);
      const second = stopped.aborted ? [] : await sent(early);
      for (const [index, step] of early.entries()) {
        const reply = second[index];
        if (reply !== undefined && !isUnsent(reply)) replies[sendable.indexOf(step)] = reply;
      }
    }
    const received = sendable.map((step, index) => receive(step, replies[index], resolve, plan));
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
  const isAddress = reference.includes('/') && reference.slice(0, reference.indexOf('/')) in KINDS;
  if (isAddress) throw new InternalError(`${reference} has no id yet`);
  return reference;
}

/** Not even the last attempt to send it left. */
function isUnsent(reply: Reply): boolean {
  return 'error' in reply && reply.error.failure.type === 'aborted' && !reply.error.failure.ambiguous;
}

const UNKNOWN_REFERENCE = new Set(['not_found', 'group_not_found', 'validation']);

/** The service does not know yet what the step refers to. A delete that finds nothing is done. */
function isTooEarly(step: Step, reply: Reply | undefined, recent: readonly Address[]): boolean {
  if (reply === undefined || !('error' in reply) || step.operation === 'delete' || recent.length === 0) return false;
  if (isMovedAlready(step, reply.error)) return false;
  return UNKNOWN_REFERENCE.has(reply.error.failure.type) && !reply.error.failure.ambiguous;
}

type Reply = { readonly ok: Json } | { readonly error: ApiError };

/** One request; its failure as a whole is the failure of each of its steps. */
async function send(
  client: Client,
  request: Request,
  steps: readonly Step[],
  calls: readonly Call[],
  stop: AbortSignal,
): Promise<readonly Reply[]> {
  const [first] = calls;
  const [step] = steps;
  if (first === undefined || step === undefined) return [];
  try {
    switch (request.form) {
      case 'batch': {
        const slots = await client.batch(
          first.action,
          calls.map(({ body }) => body),
          { stop },
        );
        return slots.map((slot) => ('ok' in slot ? slot : { error: new ApiError(slot.error) }));
      }
      case 'joined': {
        const body = KINDS[step.type].merge?.join(calls.map((call) => call.body)) ?? first.body;
        const ok = await client.call(first.action, body, { stop });
        return calls.map(() => ({ ok }));
      }
      case 'single':
        return [{ ok: await client.call(first.action, first.body, { stop }) }];
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return calls.map(() => ({ error }));
  }
}

/** What a reply means. A secret travels apart, so that no outcome that is shown or kept ever holds one. */
function receive(
  step: Step,
  reply: Reply | undefined,
  resolve: (reference: Reference) => ObjectId,
  plan: Plan,
): { readonly ended: Ended; readonly secret: ToldSecret | null } {
  const without = (outcome: Outcome) => ({ ended: { step, outcome }, secret: null });
  if (reply === undefined) throw new InternalError(`step ${step.id} has no reply`);
  const made = 'error' in reply && isMadeAlready(step, reply.error);
  if ('error' in reply && !made) return without(outcomeOfError(step, reply.error));
  const answer = 'ok' in reply ? reply.ok : {};
  const { address } = step;
  if (step.operation !== 'create' || address === null) return without({ status: 'done', id: step.object });
  const kind = KINDS[step.type];
  const key = address.slice(address.indexOf('/') + 1);
  try {
    const id = kind.createdId(answer, { key, id: step.chosen_id, version: plan.api_version, resolve, next: null });
    const done: Ended = { step, outcome: { status: 'done', id } };
    const tells = kind.secret?.versions.includes(plan.api_version) === true;
    return { ended: done, secret: tells ? { address, id, secret: kind.secret?.of(answer) ?? null } : null };
  } catch (error) {
    if (error instanceof ApiError) return without({ status: 'failed', error });
    throw error;
  }
}

function outcomeOfError(step: Step, error: ApiError): Outcome {
  const { type, ambiguous } = error.failure;
  if (type === 'aborted' && !ambiguous) return { status: 'not-sent' };
  return isGone(step, error) || isMovedAlready(step, error)
    ? { status: 'done', id: null }
    : { status: 'failed', error };
}

/** What the request wanted is so already, probably by its own earlier attempt: the proof at the end says whether that is true. */
function isMovedAlready({ operation }: Step, { failure }: ApiError): boolean {
  return operation === 'transition' && failure.repeated === true && failure.type === 'validation';
}

/** Created by an earlier attempt of the same request, whose answer was lost. */
function isMadeAlready({ operation, type }: Step, { failure }: ApiError): boolean {
  return (
    operation === 'create' && failure.repeated === true && failure.type === 'already_exists' && !KINDS[type].secret
  );
}

/** Deleting what is gone is done. Service notes, "Wire". */
function isGone(step: Step, error: ApiError): boolean {
  return (
    step.operation === 'delete' && (error.failure.type === 'not_found' || error.failure.type === 'group_not_found')
  );
}
