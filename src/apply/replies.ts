// Replies to the steps of a request, and their meaning: done, failed, or sent too early.

import { ApiError, InternalError } from '../base/errors.ts';
import type { Address, Json, ObjectId, Reference } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';
import { type Call, makesSecret } from '../kinds/kind.ts';
import type { LicenseClient } from '../license/connect.ts';
import type { Plan, Request, Step } from '../plan/plan.ts';
import { keyOf } from '../plan/reference.ts';
import type { CallOptions } from '../service/client.ts';
import type { ReturnedSecret } from '../target/secrets/secrets.ts';
import type { GivenSecret } from './given-secrets.ts';
import type { ApplyOutcome, StepResult } from './outcome.ts';

/** No attempt was sent. */
export function isUnsent(reply: Reply): boolean {
  return 'error' in reply && reply.error.failure.type === 'aborted' && !reply.error.failure.ambiguous;
}

const UNKNOWN_REFERENCE = new Set(['not_found', 'group_not_found', 'validation']);

/** Whether the service does not know yet what the step refers to. A delete that finds nothing is done. */
export function isTooEarly(step: Step, reply: Reply | undefined, recent: (step: Step) => readonly Address[]): boolean {
  if (reply === undefined || !('error' in reply) || step.operation === 'delete') return false;
  if (isMovedAlready(step, reply.error)) return false;
  const { type, ambiguous } = reply.error.failure;
  return UNKNOWN_REFERENCE.has(type) && !ambiguous && recent(step).length > 0;
}

/** `made`: the answer to a create was lost, and a list shows the created object. */
export type Reply = { readonly ok: Json } | { readonly error: ApiError } | { readonly made: ObjectId };

/** Sends one request; its failure as a whole is the failure of each of its steps. */
export async function send(
  client: LicenseClient,
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

export interface Received {
  readonly ended: StepResult;
  readonly secret: ReturnedSecret | null;
}

/** Returns the meaning of a reply. A secret is kept apart, so that no outcome that is shown or stored ever holds one. */
export function receive(
  step: Step,
  reply: Reply | undefined,
  resolve: (reference: Reference) => ObjectId,
  plan: Plan,
  given: ReadonlyMap<Address, GivenSecret>,
): Received {
  const without = (outcome: ApplyOutcome) => ({ ended: { step, outcome }, secret: null });
  if (reply === undefined) throw new InternalError(`step ${step.id} has no reply`);
  const { address } = step;
  const isSecretive = makesSecret(KINDS[step.type], plan.api_version, step.fields);
  const own = address === null ? null : (given.get(address)?.secret ?? null);
  if ('made' in reply) {
    if (address === null) throw new InternalError(`step ${step.id} has no address`);
    const secret = isSecretive ? { address, id: reply.made, secret: own } : null;
    return { ended: { step, outcome: { status: 'done', id: reply.made } }, secret };
  }
  const made = 'error' in reply && isMadeAlready(step, reply.error);
  if ('error' in reply && !made) return without(outcomeOfError(step, reply.error));
  const answer = 'ok' in reply ? reply.ok : {};
  if (step.operation !== 'create' || address === null) return without({ status: 'done', id: step.object });
  const kind = KINDS[step.type];
  const key = keyOf(address);
  try {
    const id = kind.createdId(answer, {
      key,
      id: step.chosen_id,
      version: plan.api_version,
      resolve,
      position: null,
      secret: null,
    });
    const secret = isSecretive ? { address, id, secret: own ?? kind.secret?.of(answer) ?? null } : null;
    return { ended: { step, outcome: { status: 'done', id } }, secret };
  } catch (error) {
    if (error instanceof ApiError) return without({ status: 'failed', error });
    throw error;
  }
}

function outcomeOfError(step: Step, error: ApiError): ApplyOutcome {
  const { type, ambiguous } = error.failure;
  if (type === 'aborted' && !ambiguous) return { status: 'not-sent' };
  if (isGone(step, error) || isMovedAlready(step, error)) return { status: 'done', id: null };
  const { unlisted } = KINDS[step.type];
  if (step.operation !== 'create' || type !== 'already_exists' || unlisted === undefined)
    return { status: 'failed', error };
  const { failure } = error;
  return { status: 'failed', error: new ApiError({ ...failure, message: `${failure.message}: ${unlisted}` }) };
}

/** The object already is as the request wants, probably by an earlier attempt of it. The verification decides. */
function isMovedAlready({ operation }: Step, { failure }: ApiError): boolean {
  return operation === 'transition' && failure.repeated === true && failure.type === 'validation';
}

/** Created by an earlier attempt of the same request, whose answer was lost. */
function isMadeAlready({ operation, type }: Step, { failure }: ApiError): boolean {
  return (
    operation === 'create' && failure.repeated === true && failure.type === 'already_exists' && !KINDS[type].secret
  );
}

/** A delete of an object that does not exist is done. Service notes, "Wire". */
function isGone(step: Step, error: ApiError): boolean {
  return (
    step.operation === 'delete' && (error.failure.type === 'not_found' || error.failure.type === 'group_not_found')
  );
}
