// Objects that are to have another secret in; each reset, its new secret kept, the ledger told, and what became of each, out. Prints nothing.

import { randomUUID } from 'node:crypto';
import { ApiError, type ApiFailure, InternalError } from '../base/errors.ts';
import type { Address, Clock, Json, LedgerState, ObjectId, SecretState } from '../base/model.ts';
import type { Call } from '../kinds/kind.ts';
import type { RunOutcome } from '../ledger/events.ts';
import { foldLedger, type Ledger } from '../ledger/ledger.ts';
import type { ConfigurationClient } from '../service/configuration.ts';
import { keepSecrets, type LostSecret, type SecretFate, secretEvents } from './lost-secrets.ts';
import type { Rescue } from './rescue.ts';
import type { SecretsSink } from './secrets.ts';

/** One reset. */
export interface Rotation {
  readonly address: Address;
  readonly id: ObjectId;
  readonly call: Call;
  /** The secret in the reply. */
  readonly of: (reply: Json) => string | null;
}

export type Rotated =
  | SecretFate
  | (Pick<Rotation, 'address' | 'id'> &
      (
        | { readonly state: 'refused'; readonly failure: ApiFailure }
        | { readonly state: 'not-sent'; readonly reason: string }
      ));

export interface RotateInput {
  readonly rotations: readonly Rotation[];
  /** Must not send a reset again that may have taken effect: `patient` does not. */
  readonly client: ConfigurationClient;
  readonly ledger: Ledger;
  readonly sink: SecretsSink;
  readonly rescue: Rescue;
  readonly clock: Clock;
  /** Stops the sending; what is in flight is waited for. */
  readonly signal: AbortSignal;
  /** Nobody answered a reset: another follows after a pause. */
  readonly onPause: (address: Address, milliseconds: number) => void;
}

export interface RotateReport {
  readonly outcome: RunOutcome;
  readonly results: readonly Rotated[];
  /** What stopped the run, such as a ledger that cannot be written; null when nothing did. */
  readonly failure: Error | null;
}

/**
 * After this time a request that was not answered cannot take effect any more, so the secret of a later one is the last. Service notes, "Wire":
 * the service gives a request up after 15 s.
 */
const SETTLED = 15_000;

const ATTEMPTS = 3;

/** One after the other, and none after one whose secret the sink did not take. Never rejects once it has read the ledger. */
export async function rotate(input: RotateInput): Promise<RotateReport> {
  const { rotations, ledger, clock, signal } = input;
  const known = foldLedger(await ledger.read());
  const results: Rotated[] = [];
  let halt: string | null = null;
  let failure: Error | null = null;
  for (const rotation of rotations) {
    if (halt === null && signal.aborted) halt = 'the run was stopped';
    if (halt !== null) {
      results.push({ ...subject(rotation), state: 'not-sent', reason: halt });
      continue;
    }
    try {
      const result = await rotateOne(rotation, known, input, (told) => results.push(told));
      if (result.state === 'rescued' || result.state === 'lost') halt = 'the one before it did not end well';
    } catch (error) {
      failure = error instanceof Error ? error : new InternalError(String(error));
      halt = 'the run was stopped by an error';
      if (results.at(-1)?.address !== rotation.address)
        results.push({ ...subject(rotation), state: 'not-sent', reason: halt });
    }
  }
  const outcome = outcomeOf(results, failure, signal);
  const at = new Date(clock.now()).toISOString();
  await ledger
    .append([{ v: 1, at, type: 'run', id: randomUUID(), command: 'secrets rotate', outcome }])
    .catch((error: unknown) => {
      failure ??= error instanceof Error ? error : new InternalError(String(error));
    });
  return { outcome, results, failure };
}

function subject({ address, id }: Rotation): Pick<Rotation, 'address' | 'id'> {
  return { address, id };
}

/** The result is told before the ledger is: it must not be lost with it. */
async function rotateOne(
  rotation: Rotation,
  known: LedgerState,
  { client, ledger, sink, rescue, clock, signal, onPause }: RotateInput,
  tell: (result: Rotated) => void,
): Promise<Rotated> {
  const { address, id } = rotation;
  const record = (state: SecretState): Promise<void> =>
    ledger.append([{ v: 1, at: new Date(clock.now()).toISOString(), type: 'secret', address, id, state }]);
  // Whoever is killed from here on leaves it so: the next plan offers another reset.
  await record('lost');
  const end = await reset(rotation, { client, clock, signal, onPause });
  if ('told' in end) {
    const [fate] = await keepSecrets([{ address, id, secret: end.told }], sink, rescue);
    if (fate === undefined) throw new InternalError(`the secret of ${address} has no fate`);
    tell(fate);
    await ledger.append(secretEvents([fate], new Date(clock.now()).toISOString()));
    return fate;
  }
  tell(end);
  // The secret there was is still the one.
  const before = known.secrets.get(address);
  if (end.state !== 'lost' && before !== undefined) await record(before);
  return end;
}

type Ended = { readonly told: string | null } | LostSecret | Extract<Rotated, { state: 'refused' | 'not-sent' }>;

async function reset(
  rotation: Rotation,
  { client, clock, signal, onPause }: Pick<RotateInput, 'client' | 'clock' | 'signal' | 'onPause'>,
): Promise<Ended> {
  const { call } = rotation;
  for (let attempt = 1, unsure = false; ; attempt += 1) {
    try {
      return { told: secretIn(await client.call(call.action, call.body, { stop: signal }), rotation) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { failure } = error;
      unsure ||= failure.ambiguous;
      if (!unsure) {
        return failure.type === 'aborted'
          ? { ...subject(rotation), state: 'not-sent', reason: failure.message }
          : { ...subject(rotation), state: 'refused', failure };
      }
      const reason = `it was reset, perhaps, and nobody heard the answer: ${error.message}`;
      const unknown = { ...subject(rotation), state: 'lost', reason } as const;
      if (!failure.ambiguous || attempt === ATTEMPTS || signal.aborted) return unknown;
      onPause(rotation.address, SETTLED);
      await clock.sleep(SETTLED, signal);
      if (signal.aborted) return unknown;
    }
  }
}

/** A reply without one is the end of the old one all the same. */
function secretIn(reply: Json, { of }: Rotation): string | null {
  try {
    return of(reply);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function outcomeOf(results: readonly Rotated[], failure: Error | null, signal: AbortSignal): RunOutcome {
  const is = (...states: readonly Rotated['state'][]): boolean => results.some(({ state }) => states.includes(state));
  if (!is('kept', 'rescued', 'lost')) return signal.aborted ? 'interrupted' : 'failed';
  if (is('rescued', 'lost', 'refused') || failure !== null) return 'partial';
  if (!is('not-sent')) return 'done';
  return signal.aborted ? 'interrupted' : 'partial';
}
