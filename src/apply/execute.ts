// A plan and a client in; every step sent in its turn, and what became of each, out. Prints nothing and decides nothing: it tells what happens.

import { ApiError, InternalError } from '../errors.ts';
import { KINDS } from '../kinds/index.ts';
import type { Call } from '../kinds/kind.ts';
import type { Json, ObjectId, Reference } from '../model.ts';
import type { Plan, Request, Step } from '../plan/plan.ts';
import { callOf } from '../plan/requests.ts';
import type { Client } from '../service/client.ts';

/** What became of a step. */
export type Outcome =
  | { readonly status: 'done'; readonly id: ObjectId | null; readonly secret: string | null }
  | { readonly status: 'failed'; readonly error: ApiError }
  /** A step it waits for did not succeed. */
  | { readonly status: 'skipped'; readonly because: string }
  /** The run was interrupted before it was sent. */
  | { readonly status: 'not-sent' };

export interface Ended {
  readonly step: Step;
  readonly outcome: Outcome;
}

/** One request leaves, or ends. */
export type ExecutionEvent =
  | { readonly type: 'sending'; readonly request: Request; readonly steps: readonly Step[] }
  | { readonly type: 'ended'; readonly results: readonly Ended[] };

export interface Execution {
  readonly plan: Plan;
  readonly client: Client;
  /** Aborting it stops the sending; what is in flight is waited for. */
  readonly signal: AbortSignal;
  /** Awaited before anything that depends on the steps is sent, so that what was done is recorded first. */
  readonly onEvent: (event: ExecutionEvent) => Promise<void>;
}

/** Step id -> outcome, for every step of the plan. */
export type Outcomes = ReadonlyMap<string, Outcome>;

export async function execute({ plan, client, signal, onEvent }: Execution): Promise<Outcomes> {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const ids = new Map<Reference, ObjectId>(Object.entries(plan.references));
  const outcomes = new Map<string, Outcome>();
  const rides = new Map<string, Promise<void>>();
  // A ledger that cannot be written to must stop the run: what is done from then on would be forgotten.
  const broken = new AbortController();
  const stopped = AbortSignal.any([signal, broken.signal]);

  const end = async (results: readonly Ended[]): Promise<void> => {
    for (const { step, outcome } of results) {
      if (outcome.status === 'done' && outcome.id !== null && step.address !== null) ids.set(step.address, outcome.id);
      outcomes.set(step.id, outcome);
    }
    if (results.length > 0) await onEvent({ type: 'ended', results });
  };

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
    const calls = sendable.map((step) => callOf(step, plan.api_version, resolve));
    const replies = await send(client, request, sendable, calls);
    await end(sendable.map((step, index) => ({ step, outcome: outcomeOf(step, replies[index], resolve, plan) })));
  };

  for (const request of plan.requests.plan) {
    const promise = ride(request).catch((error: unknown) => {
      broken.abort(error);
    });
    for (const id of request.steps) rides.set(id, promise);
  }
  await Promise.all(rides.values());
  broken.signal.throwIfAborted();
  return outcomes;
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
  const outcome = outcomes.get(blocker);
  return outcome?.status === 'skipped' || outcome?.status === 'not-sent'
    ? outcome
    : { status: 'skipped', because: blocker };
}

/** A reference that is no address is an id already. */
function idIn(ids: ReadonlyMap<Reference, ObjectId>, reference: Reference): ObjectId {
  const known = ids.get(reference);
  if (known !== undefined) return known;
  const isAddress = reference.includes('/') && reference.slice(0, reference.indexOf('/')) in KINDS;
  if (isAddress) throw new InternalError(`${reference} has no id yet`);
  return reference;
}

type Reply = { readonly ok: Json } | { readonly error: ApiError };

/** One request; its failure as a whole is the failure of each of its steps. */
async function send(
  client: Client,
  request: Request,
  steps: readonly Step[],
  calls: readonly Call[],
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
        );
        return slots.map((slot) => ('ok' in slot ? slot : { error: new ApiError(slot.error) }));
      }
      case 'joined': {
        const body = KINDS[step.type].merge?.join(calls.map((call) => call.body)) ?? first.body;
        const ok = await client.call(first.action, body);
        return calls.map(() => ({ ok }));
      }
      case 'single':
        return [{ ok: await client.call(first.action, first.body) }];
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return calls.map(() => ({ error }));
  }
}

function outcomeOf(
  step: Step,
  reply: Reply | undefined,
  resolve: (reference: Reference) => ObjectId,
  plan: Plan,
): Outcome {
  if (reply === undefined) throw new InternalError(`step ${step.id} has no reply`);
  if ('error' in reply)
    return isGone(step, reply.error)
      ? { status: 'done', id: null, secret: null }
      : { status: 'failed', error: reply.error };
  if (step.operation !== 'create') return { status: 'done', id: step.object, secret: null };
  const kind = KINDS[step.type];
  const key = (step.address ?? '').slice((step.address ?? '').indexOf('/') + 1);
  try {
    const id = kind.createdId(reply.ok, { key, id: step.chosen_id, version: plan.api_version, resolve, next: null });
    const secret = kind.secret?.versions.includes(plan.api_version) === true ? kind.secret.of(reply.ok) : null;
    return { status: 'done', id, secret };
  } catch (error) {
    if (error instanceof ApiError) return { status: 'failed', error };
    throw error;
  }
}

/** Deleting what is gone is done. Service notes, "Wire". */
function isGone(step: Step, error: ApiError): boolean {
  return (
    step.operation === 'delete' && (error.failure.type === 'not_found' || error.failure.type === 'group_not_found')
  );
}
