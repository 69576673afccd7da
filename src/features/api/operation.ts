// One action of an API of a target, sent as it was asked for. A write needs the lease, and leaves a run in the ledger.

import { ApiError, type ApiFailure, asError } from '../../base/errors.ts';
import { isList, isObject } from '../../base/json.ts';
import type { Address, Json, JsonObject, ObjectId, SecretState } from '../../base/model.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import { type LedgerEvent, type RunOutcome, stampOf } from '../../ledger/events.ts';
import { foldLedger, isNew } from '../../ledger/ledger.ts';
import type { Tenure } from '../../ledger/tenure.ts';
import { type ApiConnection, clientOver } from '../../license/connect.ts';
import { openLine } from '../../license/transport.ts';
import type { CallOptions } from '../../service/client.ts';
import { createRedactor, redactJson } from '../../service/credential.ts';
import type { CallResult } from '../../service/reply.ts';
import { withheld } from '../../service/secrets.ts';
import type { RunContext } from '../../target/context.ts';
import type { Agree, Stopped } from '../../target/lock.ts';
import { lockOf, lossOf, whileLocked } from '../../target/lock.ts';
import { endOfRun } from '../../target/started-by.ts';
import { ledgerAt } from '../../target/stores.ts';
import type { PreparedAction } from './read-action.ts';

/** The end of an action. `withheld`: how many secrets were taken out of the reply. */
export interface SentAction {
  readonly end:
    | {
        readonly reply: Json;
        readonly withheld: number;
        readonly failures: readonly ApiFailure[];
        readonly slots: number;
      }
    | { readonly failure: ApiFailure };
  /** Why the ledger has no record of the run although it must have one; null otherwise. */
  readonly unrecorded: string | null;
}

export interface SendOptions {
  /** Leave secrets in the reply. */
  readonly reveal: boolean;
  /** Asked before a write, with the lease held. */
  readonly agree: Agree<PreparedAction>;
}

/** Sends the action once, and again where that is safe. A create is never sent again after an end that leaves its effect unknown. */
export async function sendAction(
  prepared: PreparedAction,
  { reveal, agree }: SendOptions,
  context: RunContext,
): Promise<SentAction | Stopped> {
  const { settings, named } = prepared;
  if (named.action.effect === 'read')
    return over(prepared, context, async ({ client, signal }) => ({
      end: await endOf(prepared, client, { signal }, reveal),
      unrecorded: null,
    }));
  return whileLocked(lockOf(settings), 'api', context, async (tenure) => {
    const record = await recorder(prepared, tenure, context);
    const stopped = (await agree(prepared)) ?? (await lossOf(tenure));
    if (stopped !== null) return { stopped };
    return over(
      prepared,
      context,
      async ({ client, signal }) => {
        await record.begin();
        const end = await endOf(prepared, client, { stop: signal }, reveal);
        const unrecorded = await record.finish(end);
        const refused = tenure.refused();
        if ('failure' in end && end.failure.type === 'aborted' && refused !== null)
          return { stopped: { reason: 'lease-lost', message: end.failure.message } } as const;
        return { end, unrecorded };
      },
      tenure,
    );
  });
}

async function over<T>(
  { access, settings }: PreparedAction,
  context: RunContext,
  work: (connection: ApiConnection) => Promise<T>,
  tenure?: Tenure,
): Promise<T> {
  const line = await openLine(settings, context);
  try {
    return await work(clientOver(line, access, settings, context, tenure === undefined ? {} : { tenure }));
  } finally {
    await line.close();
  }
}

async function endOf(
  { name, named, body, headers, upload, access }: PreparedAction,
  client: ApiConnection['client'],
  until: Pick<CallOptions, 'signal' | 'stop'>,
  reveal: boolean,
): Promise<SentAction['end']> {
  const options = { ...until, headers, ...(upload === null ? {} : { upload }) };
  try {
    const { reply: whole, slots } = named.isBatch
      ? await batchReply(client, named.name, body, options)
      : { reply: await client.call(name, body, options), slots: [] };
    const redacted = redactJson(whole, createRedactor(access.credential));
    const { answersSecret } = named.action;
    const shown = reveal
      ? { value: redacted, count: 0 }
      : withheld(redacted, { answersSecret, said: JSON.stringify(body) });
    const failures = slots.flatMap((slot) => ('error' in slot ? [slot.error] : []));
    return { reply: shown.value, withheld: shown.count, failures, slots: slots.length };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { failure: error.failure };
  }
}

async function batchReply(
  client: ApiConnection['client'],
  action: string,
  { requests }: JsonObject,
  options: CallOptions,
): Promise<{ readonly reply: Json; readonly slots: readonly CallResult[] }> {
  const bodies = isList(requests) ? requests.filter(isObject) : [];
  const slots = await client.batch(action, bodies, options);
  const responses = slots.map((slot) => ('ok' in slot ? slot.ok : errorEnvelope(slot.error)));
  return { reply: { responses }, slots };
}

/** The failure as the service writes one. */
export function errorEnvelope({ type, message, data }: ApiFailure): JsonObject {
  return { error: { type, message, ...(data === null || data === undefined ? {} : { data: data as Json }) } };
}

/** An owned object, and where its secret was before. */
interface EndedSecret {
  readonly address: Address;
  readonly id: ObjectId;
  readonly before: SecretState;
}

interface ActionRecorder {
  /** Before the action is sent. */
  readonly begin: () => Promise<void>;
  /** Never rejects: the reply is worth more than the record. Returns why there is none. */
  readonly finish: (end: SentAction['end']) => Promise<string | null>;
}

const NO_RECORD: ActionRecorder = { begin: async () => {}, finish: async () => null };

/**
 * What the ledger learns of a write: that there was one, and which secrets of owned objects it ends. A new ledger stays new, so that the first apply
 * waits for what others may have created; nor does it know of what no plan compares.
 */
async function recorder(
  { settings, through, name, named, body }: PreparedAction,
  tenure: Tenure,
  context: RunContext,
): Promise<ActionRecorder> {
  const { clock } = context;
  if (!through.isPlanned) return NO_RECORD;
  const ledger = ledgerAt(settings.ledger, context);
  const events = await ledger.read();
  if (isNew(events)) return NO_RECORD;
  const state = foldLedger(events);
  const ended = [...state.bindings].flatMap(([address, { id }]): readonly EndedSecret[] => {
    const reset = KINDS[kindOf(address)].secret?.reset.call(id, { owner: null, installations: false });
    const before = state.secrets.get(address);
    const isEnded = reset?.action === named.name && id === body['id'];
    return isEnded && before !== undefined ? [{ address, id, before }] : [];
  });
  const secret = ({ address, id }: EndedSecret, where: SecretState): LedgerEvent => ({
    ...stampOf(tenure.run, clock.now()),
    type: 'secret',
    address,
    id,
    state: where,
  });
  const append = async (events: readonly LedgerEvent[]): Promise<void> => {
    if (events.length > 0) await ledger.append(events);
  };
  return {
    begin: () => append(ended.map((each) => secret(each, 'lost'))),
    finish: async (end) => {
      const outcome = outcomeOf(end);
      const held = ended.map((each) => secret(each, each.before));
      try {
        await append(outcome === null ? held : [endOfRun(`api ${name}`, outcome, settings, tenure, context)]);
        return null;
      } catch (error) {
        return asError(error).message;
      }
    },
  };
}

/** Null when nothing was changed. */
function outcomeOf(end: SentAction['end']): RunOutcome | null {
  if ('failure' in end) return mayHaveActed(end.failure) ? 'unsettled' : null;
  if (end.failures.some(mayHaveActed)) return 'unsettled';
  if (end.failures.length === 0) return 'done';
  return end.failures.length === end.slots ? null : 'partial';
}

/** Whether the request, or an earlier attempt of it, may have taken effect although it failed. */
export function mayHaveActed({ ambiguous, repeated }: ApiFailure): boolean {
  return ambiguous || repeated === true;
}
