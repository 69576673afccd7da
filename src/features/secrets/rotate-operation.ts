// Rotation of secrets: each object is reset, its new secret kept and the ledger updated. Prints nothing.

import { ApiError, type ApiFailure, asError, InternalError } from '../../base/errors.ts';
import type { Address, Clock, Json, LedgerState, SecretState } from '../../base/model.ts';
import type { Call } from '../../kinds/kind.ts';
import { type RunOutcome, type RunSigning, stampOf } from '../../ledger/events.ts';
import { foldLedger, type Ledger } from '../../ledger/ledger.ts';
import type { LicenseClient } from '../../license/connect.ts';
import { keepSecrets, type LostSecret, type SecretResult, secretEvents } from '../../target/secrets/keep-secrets.ts';
import type { Rescue } from '../../target/secrets/rescue.ts';
import type { SecretSubject, SecretsSink } from '../../target/secrets/secrets.ts';

export interface Rotation extends SecretSubject {
  readonly call: Call;
  /** The secret in the reply. */
  readonly of: (reply: Json) => string | null;
}

export type RotationResult =
  | SecretResult
  | (SecretSubject &
      (
        | { readonly state: 'refused'; readonly failure: ApiFailure }
        | { readonly state: 'not-sent'; readonly reason: string }
        /** The next apply makes the object again, with another secret. */
        | { readonly state: 'due' }
      ));

export interface RotateInput {
  /** Id of the run. */
  readonly run: string;
  readonly rotations: readonly Rotation[];
  /** Objects that the next apply makes again with another secret; none when left out. */
  readonly renewals?: readonly SecretSubject[];
  /** Must not send a reset again that may have taken effect, as `patient` does not. */
  readonly client: LicenseClient;
  readonly ledger: Ledger;
  readonly sink: SecretsSink;
  readonly rescue: Rescue;
  /** What the ledger says of who started the run; nothing when left out. */
  readonly signing?: RunSigning;
  readonly clock: Clock;
  /** Stops the sending; requests in flight are waited for. */
  readonly signal: AbortSignal;
  /** A reset had no answer: another follows after a pause. */
  readonly onPause: (address: Address, milliseconds: number) => void;
}

export interface RotateReport {
  readonly outcome: RunOutcome;
  readonly results: readonly RotationResult[];
  /** What stopped the run, such as a ledger that cannot be written; null when nothing did. */
  readonly failure: Error | null;
}

/**
 * After this time a request without an answer cannot take effect any more, so the secret of a later one is the last. Service notes, "Wire": the
 * service gives a request up after 15 s.
 */
const SETTLED = 15_000;

const ATTEMPTS = 3;

/** Resets one object after the other, and none after one whose secret the sink did not take. Never rejects once it has read the ledger. */
export async function rotate(input: RotateInput): Promise<RotateReport> {
  const { run, rotations, renewals = [], ledger, clock, signal, signing = {} } = input;
  const known = foldLedger(await ledger.read());
  const results: RotationResult[] = [];
  let halt: string | null = null;
  let failure: Error | null = null;
  if (renewals.length > 0) {
    const stamp = stampOf(run, clock.now());
    await ledger.append(renewals.map(({ address, id }) => ({ ...stamp, type: 'secret', address, id, state: 'lost' })));
    results.push(...renewals.map((each): RotationResult => ({ ...each, state: 'due' })));
  }
  for (const rotation of rotations) {
    if (halt === null && signal.aborted) halt = 'the run was stopped';
    if (halt !== null) {
      results.push({ ...subject(rotation), state: 'not-sent', reason: halt });
      continue;
    }
    try {
      const result = await rotateOne(rotation, known, input, (result) => results.push(result));
      if (result.state === 'rescued' || result.state === 'lost') halt = 'the one before it did not end well';
    } catch (error) {
      failure = asError(error);
      halt = 'the run was stopped by an error';
      if (results.at(-1)?.address !== rotation.address)
        results.push({ ...subject(rotation), state: 'not-sent', reason: halt });
    }
  }
  const outcome = outcomeOf(results, failure, signal);
  await ledger
    .append([{ ...stampOf(run, clock.now()), type: 'run', command: 'secrets rotate', outcome, ...signing }])
    .catch((error: unknown) => {
      failure ??= asError(error);
    });
  return { outcome, results, failure };
}

function subject({ address, id }: Rotation): SecretSubject {
  return { address, id };
}

/** Reports the result before it is recorded, so that a failing ledger does not lose it. */
async function rotateOne(
  rotation: Rotation,
  known: LedgerState,
  { run, client, ledger, sink, rescue, clock, signal, onPause }: RotateInput,
  tell: (result: RotationResult) => void,
): Promise<RotationResult> {
  const { address, id } = rotation;
  const record = (state: SecretState): Promise<void> =>
    ledger.append([{ ...stampOf(run, clock.now()), type: 'secret', address, id, state }]);
  // A run that is killed from here on leaves this state: the next plan offers another reset.
  await record('lost');
  const end = await reset(rotation, { client, clock, signal, onPause });
  if ('returned' in end) {
    const [result] = await keepSecrets([{ address, id, secret: end.returned }], sink, rescue);
    if (result === undefined) throw new InternalError(`the secret of ${address} has no result`);
    tell(result);
    await ledger.append(secretEvents([result], stampOf(run, clock.now())));
    return result;
  }
  tell(end);
  // The former secret is still valid.
  const before = known.secrets.get(address);
  if (end.state !== 'lost' && before !== undefined) await record(before);
  return end;
}

type ResetResult =
  | { readonly returned: string | null }
  | LostSecret
  | Extract<RotationResult, { state: 'refused' | 'not-sent' }>;

async function reset(
  rotation: Rotation,
  { client, clock, signal, onPause }: Pick<RotateInput, 'client' | 'clock' | 'signal' | 'onPause'>,
): Promise<ResetResult> {
  const { call } = rotation;
  for (let attempt = 1, unsure = false; ; attempt += 1) {
    try {
      return { returned: secretIn(await client.call(call.action, call.body, { stop: signal }), rotation) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { failure } = error;
      unsure ||= failure.ambiguous;
      if (!unsure) {
        return failure.type === 'aborted'
          ? { ...subject(rotation), state: 'not-sent', reason: failure.message }
          : { ...subject(rotation), state: 'refused', failure };
      }
      const reason = `it may have been reset, and the answer was lost: ${error.message}`;
      const unknown = { ...subject(rotation), state: 'lost', reason } as const;
      if (!failure.ambiguous || attempt === ATTEMPTS || signal.aborted) return unknown;
      onPause(rotation.address, SETTLED);
      await clock.sleep(SETTLED, signal);
      if (signal.aborted) return unknown;
    }
  }
}

/** Returns the secret in a reply; null when it lacks one, which still ends the former secret. */
export function secretIn(reply: Json, { of }: Pick<Rotation, 'of'>): string | null {
  try {
    return of(reply);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function outcomeOf(results: readonly RotationResult[], failure: Error | null, signal: AbortSignal): RunOutcome {
  const is = (...states: readonly RotationResult['state'][]): boolean =>
    results.some(({ state }) => states.includes(state));
  if (!is('kept', 'rescued', 'lost', 'due')) return signal.aborted ? 'interrupted' : 'failed';
  if (is('rescued', 'lost', 'refused') || failure !== null) return 'partial';
  if (!is('not-sent')) return 'done';
  return signal.aborted ? 'interrupted' : 'partial';
}
