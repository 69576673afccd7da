// What came back for the steps of a request in; what it means for each of them, out: whether it is done, failed, or came too early.

import { ApiError, InternalError } from '../base/errors.ts';
import type { Address, Json, ObjectId, Reference } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';
import type { Call } from '../kinds/kind.ts';
import type { Plan, Request, Step } from '../plan/plan.ts';
import type { CallOptions } from '../service/client.ts';
import type { ConfigurationClient } from '../service/configuration.ts';
import type { Ended, Outcome, ToldSecret } from './ended.ts';

/** Not even the last attempt to send it left. */
export function isUnsent(reply: Reply): boolean {
  return 'error' in reply && reply.error.failure.type === 'aborted' && !reply.error.failure.ambiguous;
}

const UNKNOWN_REFERENCE = new Set(['not_found', 'group_not_found', 'validation']);

/** The service does not know yet what the step refers to. A delete that finds nothing is done. */
export function isTooEarly(step: Step, reply: Reply | undefined, recent: (step: Step) => readonly Address[]): boolean {
  if (reply === undefined || !('error' in reply) || step.operation === 'delete') return false;
  if (isMovedAlready(step, reply.error)) return false;
  const { type, ambiguous } = reply.error.failure;
  return UNKNOWN_REFERENCE.has(type) && !ambiguous && recent(step).length > 0;
}

/** `made`: the answer to a create was lost, and a list shows what it has made. */
export type Reply = { readonly ok: Json } | { readonly error: ApiError } | { readonly made: ObjectId };

/** One request; its failure as a whole is the failure of each of its steps. */
export async function send(
  client: ConfigurationClient,
  request: Request,
  steps: readonly Step[],
  calls: readonly Call[],
  options: Pick<CallOptions, 'stop' | 'leaving'>,
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
          options,
        );
        return slots.map((slot) => ('ok' in slot ? slot : { error: new ApiError(slot.error) }));
      }
      case 'joined': {
        const body = KINDS[step.type].merge?.join(calls.map((call) => call.body)) ?? first.body;
        const ok = await client.call(first.action, body, options);
        return calls.map(() => ({ ok }));
      }
      case 'single':
        return [{ ok: await client.call(first.action, first.body, options) }];
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return calls.map(() => ({ error }));
  }
}

/** What a reply means; a secret travels apart. */
export interface Received {
  readonly ended: Ended;
  readonly secret: ToldSecret | null;
}

/** What a reply means. A secret travels apart, so that no outcome that is shown or kept ever holds one. */
export function receive(
  step: Step,
  reply: Reply | undefined,
  resolve: (reference: Reference) => ObjectId,
  plan: Plan,
): Received {
  const without = (outcome: Outcome) => ({ ended: { step, outcome }, secret: null });
  if (reply === undefined) throw new InternalError(`step ${step.id} has no reply`);
  if ('made' in reply) {
    const { address } = step;
    if (address === null) throw new InternalError(`step ${step.id} has no address`);
    const ended: Ended = { step, outcome: { status: 'done', id: reply.made } };
    return { ended, secret: tellsSecret(step, plan) ? { address, id: reply.made, secret: null } : null };
  }
  const made = 'error' in reply && isMadeAlready(step, reply.error);
  if ('error' in reply && !made) return without(outcomeOfError(step, reply.error));
  const answer = 'ok' in reply ? reply.ok : {};
  const { address } = step;
  if (step.operation !== 'create' || address === null) return without({ status: 'done', id: step.object });
  const kind = KINDS[step.type];
  const key = address.slice(address.indexOf('/') + 1);
  try {
    const id = kind.createdId(answer, { key, id: step.chosen_id, version: plan.api_version, resolve, position: null });
    const done: Ended = { step, outcome: { status: 'done', id } };
    return {
      ended: done,
      secret: tellsSecret(step, plan) ? { address, id, secret: kind.secret?.of(answer) ?? null } : null,
    };
  } catch (error) {
    if (error instanceof ApiError) return without({ status: 'failed', error });
    throw error;
  }
}

function tellsSecret({ type }: Step, plan: Plan): boolean {
  return KINDS[type].secret?.versions.includes(plan.api_version) === true;
}

/** Nobody knows whether the step has taken effect: there was no answer, or one that does not say. */
export function isUnsure(outcome: Outcome): boolean {
  if (outcome.status !== 'failed') return false;
  const { ambiguous, type } = outcome.error.failure;
  return ambiguous || type === 'protocol';
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
