// Apply of a plan: sends the writes, records them in the ledger, verifies the result and reports it. Prints nothing.

import { ApiError, asError, InternalError } from '../base/errors.ts';
import { byText } from '../base/json.ts';
import type { Address, Binding, LedgerState } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';
import { makesSecret } from '../kinds/kind.ts';
import type { RunOutcome } from '../ledger/events.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { viewOf } from '../license/reading/view.ts';
import { isInReach } from '../plan/diff.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { isTimeUp } from '../service/patience/deadline.ts';
import {
  keepSecrets,
  type LostSecret,
  type RescuedSecret,
  requireOwnPlaces,
  type SecretResult,
} from '../target/secrets/keep-secrets.ts';
import { type Execution, type ExecutionEvent, execute } from './execute.ts';
import type { ApplyEvent, ApplyInput, RepeatedReading } from './input.ts';
import { type Journal, openJournal, sightings } from './journal.ts';
import { planOtherSide } from './other-side.ts';
import { type KeptForm, type Outcomes, outcomeOf, type StepResult, type Unsettled } from './outcome.ts';
import { completed } from './record.ts';
import { createFindTraces } from './traces.ts';
import { createUntilShown } from './until-shown.ts';
import { type Verification, type Verified, verify } from './verify.ts';

export interface ApplyReport {
  readonly outcome: RunOutcome;
  readonly results: readonly StepResult[];
  readonly unsettled: readonly Unsettled[];
  /** What the service keeps in another form than it was written: no difference while it reads so. */
  readonly forms: readonly KeptForm[];
  /** Resources whose memberships were written again, from their other side. */
  readonly rewritten: readonly Address[];
  /** Created objects whose secret is lost and must be reset. */
  readonly lostSecrets: readonly LostSecret[];
  /** Secrets that the sink did not take and that are in a rescue file. */
  readonly rescuedSecrets: readonly RescuedSecret[];
  /** What stopped the run, such as a ledger that cannot be written; null when nothing did. */
  readonly failure: Error | null;
  /** Why writes were not sent although the run was not stopped: its lease was lost. Null when all were sent. */
  readonly refused: string | null;
  /** Whether the writes were verified; `unsettled` says what did not show. */
  readonly verified: boolean;
  readonly timedOut: boolean;
  /** Milliseconds from the first request to the last reading. */
  readonly duration: number;
}

export async function apply(input: ApplyInput): Promise<ApplyReport> {
  const { plan, ledger, sink, rescue = null, clock, signal, onEvent } = input;
  if (plan.withheld.length > 0) throw new InternalError('a withheld plan must not be applied');
  const secretive = plan.steps.flatMap(({ operation, type, address, fields }) =>
    operation === 'create' && address !== null && makesSecret(KINDS[type], plan.api_version, fields) ? [address] : [],
  );
  const given = input.given ?? new Map();
  const past = input.past ?? (await ledger.read());
  if (secretive.length > 0) {
    await sink?.probe(secretive);
    await requireOwnPlaces(sink, secretive, past);
  }
  const started = clock.now();
  const { selects } = input.options;
  const journal = openJournal({
    run: input.run,
    plan,
    desired: input.desired,
    selects,
    isPartial: input.options.partial === true,
    ledger,
    past,
    command: input.command ?? 'apply',
    undoes: input.undoes,
    isWhole: input.isWhole === true,
    live: input.live,
    signing: input.signing,
    given,
    clock,
    ahead: input.client.ahead,
  });
  await journal.begin();
  const repeated: RepeatedReading = {
    ask: (action, body, ends) => input.client.call(action, body, ends),
    version: plan.api_version,
    clock,
    signal,
    onWait: (wait) => onEvent({ type: 'waiting', ...wait }),
  };
  const execution = {
    given,
    client: input.client,
    signal,
    clock,
    depart: journal.departing,
    untilShown: createUntilShown(repeated, () => viewOf(input.desired, foldLedger(past), plan.api_version)),
    findTraces: createFindTraces({
      ...repeated,
      desired: input.desired,
      window: input.window,
      state: journal.state,
      intentOf: journal.intentOf,
      references: plan.references,
    }),
  };
  const secrets: SecretResult[] = [];
  const { outcomes, failure } = await execute({
    ...execution,
    plan,
    onEvent: async (event) => {
      onEvent(withoutSecrets(event));
      if (event.type !== 'ended') return;
      // Secrets first: the next run finds an object that the ledger lacks, but a lost secret is not returned again.
      const kept = await keepSecrets(event.secrets, sink, rescue);
      secrets.push(...kept);
      journal.ended(event.results, kept);
    },
  });

  const failures = failure === null ? [] : [failure];
  // From here on no failure may prevent the report.
  const recorded = (writing: Promise<void>): Promise<void> =>
    writing.catch((error: unknown) => {
      failures.push(asError(error));
    });
  const done = completed(plan, outcomes);
  // What a verification proves is on disk before it. Without one it is recorded at the end.
  const isHeld = input.propagationTimeout !== null;
  await recorded(isHeld ? journal.hold(done, outcomes) : journal.kept());
  const verification = failures.length > 0 ? null : verificationOf(input, repeated, outcomes, done, journal);
  const settled = verification === null ? NOTHING_OPEN : await settle(input, verification, execution);
  const { unsettled, forms } = settled;
  await recorded(journal.formed(forms));
  if (settled.failure !== null) failures.push(settled.failure);
  const isSecretAmiss = secrets.some(({ state }) => state !== 'kept');
  const outcome = failures.length > 0 ? 'failed' : outcomeOf(plan, outcomes, unsettled, isSecretAmiss, signal);
  const isProven = verification !== null || plan.steps.length === 0;
  await recorded(journal.close(outcome, outcomes, isHeld ? null : done, isProven));
  return {
    outcome: failures.length > 0 ? 'failed' : outcome,
    failure: failures[0] ?? null,
    results: [...endings(plan, outcomes), ...settled.missed],
    unsettled,
    forms,
    rewritten: settled.rewritten,
    lostSecrets: secrets.filter((secret) => secret.state === 'lost'),
    rescuedSecrets: secrets.filter((secret) => secret.state === 'rescued'),
    refused: input.refused?.() ?? null,
    verified: verification !== null,
    timedOut: isTimeUp(signal) && outcome !== 'done',
    duration: clock.now() - started,
  };
}

interface SettleResult extends Verified {
  readonly rewritten: readonly Address[];
  /** Writes from the other side that did not succeed. */
  readonly missed: readonly StepResult[];
  readonly failure: Error | null;
}

const NOTHING_OPEN: SettleResult = { unsettled: [], forms: [], rewritten: [], missed: [], failure: null };

/**
 * The ledger of a verification is the present one, except that deleted objects still count as owned: otherwise an object that still exists would go
 * unnoticed. Null when the run is not verified.
 */
function verificationOf(
  { plan, desired, options, window, placeOf = () => null, propagationTimeout }: ApplyInput,
  repeated: RepeatedReading,
  outcomes: Outcomes,
  touched: ReadonlySet<Address>,
  journal: Journal,
): Verification | null {
  if (propagationTimeout === null) return null;
  const now = journal.stateWithDeleted();
  return {
    ...repeated,
    desired,
    options,
    ledger: { ...now, bindings: new Map([...known(plan, now), ...now.bindings]) },
    earlier: journal.stateBefore,
    steps: plan.steps.filter(({ id }) => outcomes.get(id)?.status === 'done'),
    seen: sightings(plan),
    touched,
    before: beforeIn(plan),
    placeOf,
    window,
    timeout: propagationTimeout,
    onRead: journal.sawAccounts,
  };
}

/** Reads until everything shows. Memberships that do not are written once more, from their other side where that is allowed. */
async function settle(
  { signal, onEvent }: ApplyInput,
  verification: Verification,
  execution: Omit<Execution, 'plan' | 'onEvent'>,
): Promise<SettleResult> {
  const { unsettled, forms } = await verify(verification);
  const again = signal.aborted ? null : await otherSide(verification, unsettled);
  if (again === null) return { ...NOTHING_OPEN, unsettled, forms: sortedForms(forms) };
  const { outcomes, failure } = await execute({ ...execution, plan: again, onEvent: async (event) => onEvent(event) });
  const rewritten = completed(again, outcomes);
  const isDone = ({ id }: Step): boolean => outcomes.get(id)?.status === 'done';
  const still =
    rewritten.size === 0
      ? NOTHING_OPEN
      : await verify({ ...verification, steps: again.steps.filter(isDone), touched: rewritten });
  const isKept = ({ address }: { readonly address: Address }): boolean => !rewritten.has(address);
  return {
    unsettled: [...unsettled.filter(isKept), ...still.unsettled],
    forms: sortedForms([...forms.filter(isKept), ...still.forms]),
    rewritten: [...rewritten],
    missed: endings(again, outcomes).filter(({ outcome }) => outcome.status !== 'done'),
    failure,
  };
}

function sortedForms(forms: readonly KeptForm[]): readonly KeptForm[] {
  return forms.toSorted((one, other) => byText(`${one.address} ${one.field}`, `${other.address} ${other.field}`));
}

/** What each field was that the plan writes; null where there was none. */
function beforeIn({ resource_changes: changes }: Plan): Verification['before'] {
  const written = new Map(
    changes.flatMap(({ address, change, fields }) =>
      change.after === null
        ? Object.entries(change.before ?? {}).map(([field, before]) => [`${address} ${field}`, before] as const)
        : fields.filter(isInReach).map(({ field, before }) => [`${address} ${field}`, before] as const),
    ),
  );
  return (address, field) => written.get(`${address} ${field}`);
}

/** Without a readable license there is no other side to write, and the report is what is known so far. */
async function otherSide(verification: Verification, unsettled: readonly Unsettled[]): Promise<Plan | null> {
  try {
    return await planOtherSide(verification, unsettled);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function endings(plan: Plan, outcomes: Outcomes): readonly StepResult[] {
  return plan.steps.flatMap((step) => {
    const outcome = outcomes.get(step.id);
    return outcome === undefined ? [] : [{ step, outcome }];
  });
}

/** Objects that the plan found by natural key and did not adopt: the readings that follow cover fewer kinds and cannot find them again. */
function known({ references }: Plan, ledger: LedgerState): readonly (readonly [Address, Binding])[] {
  return (Object.entries(references) as readonly (readonly [Address, Binding['id']])[])
    .filter(([address, id]) => ledger.bindings.get(address)?.id !== id)
    .map(([address, id]) => [address, { id, origin: 'adopted' }]);
}

function withoutSecrets(event: ExecutionEvent): ApplyEvent {
  return event.type === 'ended' ? { type: 'ended', results: event.results } : { type: 'sending', steps: event.steps };
}
