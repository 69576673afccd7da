// A plan in; the service changed, the ledger told, the result proven, and a true report of all of it out. Prints nothing.

import { ApiError, InternalError } from '../base/errors.ts';
import type { Address, Binding, LedgerState } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';
import type { RunOutcome } from '../ledger/events.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { isTimeUp } from '../service/patience/deadline.ts';
import { type Aids, aidsOf, askOf } from './aids.ts';
import type { Ended, Outcomes } from './ended.ts';
import { type ExecutionEvent, execute } from './execute.ts';
import type { ApplyEvent, ApplyInput } from './input.ts';
import { type Journal, openJournal } from './journal.ts';
import {
  isLost,
  isRescued,
  keepSecrets,
  type LostSecret,
  type RescuedSecret,
  type SecretFate,
} from './lost-secrets.ts';
import { planOtherSide } from './other-side.ts';
import { outcomeOf } from './outcome.ts';
import { completed } from './record.ts';
import { type Unsettled, type Verification, verify } from './verify.ts';

/** What became of one apply. */
export interface ApplyReport {
  readonly outcome: RunOutcome;
  readonly results: readonly Ended[];
  readonly unsettled: readonly Unsettled[];
  /** Resources whose memberships had to be written once more, from their other side. */
  readonly rewritten: readonly Address[];
  /** Created objects whose secret nobody knows now: it has to be reset. */
  readonly lostSecrets: readonly LostSecret[];
  /** Those that the sink did not take, and that wait in a file. */
  readonly rescuedSecrets: readonly RescuedSecret[];
  /** What stopped the run before its end, such as a ledger that cannot be written; null when nothing did. */
  readonly failure: Error | null;
  /** Why writes did not leave although nobody stopped the run: its lease was lost. Null when all did. */
  readonly refused: string | null;
  /** Somebody looked whether all that was done took effect; `unsettled` says what did not. */
  readonly verified: boolean;
  /** The run had used up its time before it came to its end. */
  readonly timedOut: boolean;
  /** Milliseconds from the first request to the last look. */
  readonly duration: number;
}

export async function apply(input: ApplyInput): Promise<ApplyReport> {
  const { plan, ledger, sink, rescue = null, clock, signal, onEvent } = input;
  if (plan.withheld.length > 0) throw new InternalError('a withheld plan must not be applied');
  const tellsSecret = ({ operation, type }: Step): boolean =>
    operation === 'create' && KINDS[type].secret?.versions.includes(plan.api_version) === true;
  const secretive = plan.steps.filter(tellsSecret).flatMap(({ address }) => (address === null ? [] : [address]));
  if (secretive.length > 0) await sink?.probe(secretive);
  const started = clock.now();
  const past = input.past ?? (await ledger.read());
  const { selects } = input.options;
  const journal = openJournal({
    plan,
    desired: input.desired,
    selects,
    isPartial: input.options.partial === true,
    ledger,
    past,
    command: input.command ?? 'apply',
    clock,
  });
  await journal.begin();
  const aids = aidsOf(input, past, journal);
  const fates: SecretFate[] = [];
  const { outcomes, failure } = await execute({
    plan,
    client: input.client,
    signal,
    clock,
    depart: journal.departing,
    ...aids,
    onEvent: async (event) => {
      onEvent(withoutSecrets(event));
      if (event.type !== 'ended') return;
      // Secrets first: the next run finds an object that the ledger missed, and nobody finds a secret again.
      const kept = await keepSecrets(event.secrets, sink, rescue);
      fates.push(...kept);
      journal.ended(event.results, kept);
    },
  });

  const failures = failure === null ? [] : [failure];
  // From here on nothing may keep the report from being given.
  const tell = (telling: Promise<void>): Promise<void> =>
    telling.catch((error: unknown) => {
      failures.push(error instanceof Error ? error : new InternalError(String(error)));
    });
  const done = completed(plan, outcomes);
  // What a look is to prove is on disk before it; where nobody looks it is told with the end.
  const isHeld = input.propagationTimeout !== null;
  await tell(isHeld ? journal.hold(done, outcomes) : journal.kept());
  const proof = failures.length > 0 ? null : proofOf(input, outcomes, done, journal);
  const settled = proof === null ? NOTHING_OPEN : await settle(input, proof, aids, journal);
  const { unsettled } = settled;
  if (settled.failure !== null) failures.push(settled.failure);
  const isSecretAmiss = fates.some(({ state }) => state !== 'kept');
  const outcome = failures.length > 0 ? 'failed' : outcomeOf(plan, outcomes, unsettled, isSecretAmiss, signal);
  await tell(journal.close(outcome, outcomes, isHeld ? null : done));
  return {
    outcome: failures.length > 0 ? 'failed' : outcome,
    failure: failures[0] ?? null,
    results: [...endings(plan, outcomes), ...settled.missed],
    unsettled,
    rewritten: settled.rewritten,
    lostSecrets: fates.filter(isLost),
    rescuedSecrets: fates.filter(isRescued),
    refused: input.refused?.() ?? null,
    verified: proof !== null,
    timedOut: isTimeUp(signal) && outcome !== 'done',
    duration: clock.now() - started,
  };
}

interface Settled {
  readonly unsettled: readonly Unsettled[];
  readonly rewritten: readonly Address[];
  /** Writes from the other side that did not succeed. */
  readonly missed: readonly Ended[];
  readonly failure: Error | null;
}

const NOTHING_OPEN: Settled = { unsettled: [], rewritten: [], missed: [], failure: null };

/**
 * What to look at, and with which ledger: as it is now, except that what was deleted still counts as ours, or else nobody would notice that it
 * is still there. Null when nobody wants to look.
 */
function proofOf(
  { plan, desired, options, client, clock, signal, propagationTimeout, onEvent }: ApplyInput,
  outcomes: Outcomes,
  touched: ReadonlySet<Address>,
  journal: Journal,
): Verification | null {
  if (propagationTimeout === null) return null;
  const now = journal.stateWithDeleted();
  return {
    desired,
    options,
    ledger: { ...now, bindings: new Map([...known(plan, now), ...now.bindings]) },
    steps: plan.steps.filter(({ id }) => outcomes.get(id)?.status === 'done'),
    touched,
    version: plan.api_version,
    ask: askOf(client),
    clock,
    signal,
    timeout: propagationTimeout,
    onWait: (wait) => onEvent({ type: 'waiting', ...wait }),
  };
}

/** Looks until everything shows; memberships that do not are written once more, from their other side where that is allowed. */
async function settle(
  { client, signal, clock, onEvent }: ApplyInput,
  proof: Verification,
  aids: Aids,
  journal: Journal,
): Promise<Settled> {
  const unsettled = await verify(proof);
  const again = signal.aborted ? null : await otherSide(proof, unsettled);
  if (again === null) return { ...NOTHING_OPEN, unsettled };
  const { outcomes, failure } = await execute({
    plan: again,
    client,
    signal,
    clock,
    depart: journal.departing,
    ...aids,
    onEvent: async (event) => onEvent(event),
  });
  const rewritten = completed(again, outcomes);
  const isDone = ({ id }: Step): boolean => outcomes.get(id)?.status === 'done';
  const still =
    rewritten.size === 0 ? [] : await verify({ ...proof, steps: again.steps.filter(isDone), touched: rewritten });
  return {
    unsettled: [...unsettled.filter(({ address }) => !rewritten.has(address)), ...still],
    rewritten: [...rewritten],
    missed: endings(again, outcomes).filter(({ outcome }) => outcome.status !== 'done'),
    failure,
  };
}

/** When the license cannot be read any more, there is no other side to write, and what is known so far is the report. */
async function otherSide(proof: Verification, unsettled: readonly Unsettled[]): Promise<Plan | null> {
  try {
    return await planOtherSide(proof, unsettled);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function endings(plan: Plan, outcomes: Outcomes): readonly Ended[] {
  return plan.steps.flatMap((step) => {
    const outcome = outcomes.get(step.id);
    return outcome === undefined ? [] : [{ step, outcome }];
  });
}

/** What the plan found by name or nature and did not adopt: the looks that follow read fewer kinds, and cannot find it again. */
function known({ references }: Plan, ledger: LedgerState): readonly (readonly [Address, Binding])[] {
  return (Object.entries(references) as readonly (readonly [Address, Binding['id']])[])
    .filter(([address, id]) => ledger.bindings.get(address)?.id !== id)
    .map(([address, id]) => [address, { id, origin: 'adopted' }]);
}

function withoutSecrets(event: ExecutionEvent): ApplyEvent {
  return event.type === 'ended' ? { type: 'ended', results: event.results } : { type: 'sending', steps: event.steps };
}
