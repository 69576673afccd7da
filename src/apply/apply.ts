// A plan in; the service changed, the ledger told, the result proven, and a true report of all of it out. Prints nothing.

import { randomUUID } from 'node:crypto';
import { InternalError } from '../errors.ts';
import { KINDS } from '../kinds/index.ts';
import type { LedgerEvent, RunOutcome } from '../ledger/events.ts';
import { foldLedger, type Ledger } from '../ledger/ledger.ts';
import type { Ask } from '../live.ts';
import type { Address, Binding, Clock, Desired, LedgerState } from '../model.ts';
import type { PlanOptions } from '../plan/assemble.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Client } from '../service/client.ts';
import { type Ended, execute, type Outcomes } from './execute.ts';
import { planOtherSide } from './other-side.ts';
import { adoptions, applied, completed, ownership } from './record.ts';
import type { SecretsSink } from './secrets.ts';
import { type Unsettled, type Verification, verify } from './verify.ts';

export type ApplyEvent =
  | { readonly type: 'sending'; readonly steps: readonly Step[] }
  | { readonly type: 'ended'; readonly results: readonly Ended[] }
  | { readonly type: 'waiting'; readonly elapsed: number; readonly unsettled: readonly Unsettled[] };

export interface ApplyInput {
  readonly plan: Plan;
  readonly desired: Desired;
  readonly options: PlanOptions;
  readonly client: Client;
  readonly ledger: Ledger;
  /** Where one-time secrets go; null when the plan creates none. */
  readonly sink: SecretsSink | null;
  readonly clock: Clock;
  /** Stops the sending; what is in flight is waited for. */
  readonly signal: AbortSignal;
  /** Milliseconds that what was written may take to read back; null skips the look. */
  readonly propagationTimeout: number | null;
  readonly onEvent: (event: ApplyEvent) => void;
}

/** What became of one apply. */
export interface ApplyReport {
  readonly outcome: RunOutcome;
  readonly results: readonly Ended[];
  readonly unsettled: readonly Unsettled[];
  /** Resources whose memberships had to be written once more, from their other side. */
  readonly rewritten: readonly Address[];
  /** Addresses whose secret was lost because the sink failed. */
  readonly lostSecrets: readonly { readonly address: Address; readonly reason: string }[];
  /** Milliseconds from the first request to the last look. */
  readonly duration: number;
}

export async function apply(input: ApplyInput): Promise<ApplyReport> {
  const { plan, ledger, sink, clock, signal, onEvent } = input;
  if (plan.withheld.length > 0) throw new InternalError('a withheld plan must not be applied');
  if (plan.steps.some(({ operation, type }) => operation === 'create' && KINDS[type].secret !== undefined))
    await sink?.probe();
  const started = clock.now();
  const at = (): string => new Date(clock.now()).toISOString();
  const before = foldLedger(await ledger.read());
  const events: LedgerEvent[] = [];
  const record = async (more: readonly LedgerEvent[]): Promise<void> => {
    if (more.length === 0) return;
    events.push(...more);
    await ledger.append(more);
  };

  await record(adoptions(plan, before, at()));
  const lostSecrets: { readonly address: Address; readonly reason: string }[] = [];
  const outcomes = await execute({
    plan,
    client: input.client,
    signal,
    onEvent: async (event) => {
      if (event.type === 'ended') {
        await record(ownership(event.results, at()));
        lostSecrets.push(...(await keepSecrets(event.results, sink)));
      }
      onEvent(event);
    },
  });

  const done = completed(plan, outcomes);
  await record(applied(plan, done, at()));
  const proof = proofOf(input, outcomes, done, before, events);
  const settled = proof === null ? NOTHING_OPEN : await settle(input, proof);
  const { unsettled } = settled;
  const outcome = outcomeOf(plan, outcomes, unsettled, lostSecrets.length > 0, signal);
  await record([{ v: 1, at: at(), type: 'run', id: randomUUID(), command: 'apply', outcome }]);
  return {
    outcome,
    results: plan.steps.flatMap((step) => {
      const ended = outcomes.get(step.id);
      return ended === undefined ? [] : [{ step, outcome: ended }];
    }),
    unsettled,
    rewritten: settled.rewritten,
    lostSecrets,
    duration: clock.now() - started,
  };
}

interface Settled {
  readonly unsettled: readonly Unsettled[];
  readonly rewritten: readonly Address[];
}

const NOTHING_OPEN: Settled = { unsettled: [], rewritten: [] };

/**
 * What to look at, and with which ledger: as it is now, except that what was deleted still counts as ours, or else nobody would notice that it
 * is still there. Null when nobody wants to look.
 */
function proofOf(
  { plan, desired, options, client, clock, signal, propagationTimeout, onEvent }: ApplyInput,
  outcomes: Outcomes,
  touched: ReadonlySet<Address>,
  before: LedgerState,
  events: readonly LedgerEvent[],
): Verification | null {
  if (propagationTimeout === null) return null;
  const deleted = new Set(plan.steps.filter(({ operation }) => operation === 'delete').map(({ address }) => address));
  const now = foldLedger(events.filter((event) => event.type !== 'forgotten' || !deleted.has(event.address)));
  const ask: Ask = (action, body) => client.call(action, body);
  return {
    desired,
    options,
    ledger: {
      bindings: new Map([...before.bindings, ...now.bindings, ...lookedUp(plan, desired)]),
      applied: new Map([...before.applied, ...now.applied]),
    },
    steps: plan.steps.filter(({ id }) => outcomes.get(id)?.status === 'done'),
    touched,
    version: plan.api_version,
    ask,
    clock,
    signal,
    timeout: propagationTimeout,
    onWait: (wait) => onEvent({ type: 'waiting', ...wait }),
  };
}

/** Looks until everything shows; memberships that do not are written once more, from their other side where that is allowed. */
async function settle({ client, signal, onEvent }: ApplyInput, proof: Verification): Promise<Settled> {
  const unsettled = await verify(proof);
  const again = signal.aborted ? null : await planOtherSide(proof, unsettled);
  if (again === null) return { unsettled, rewritten: [] };
  const outcomes = await execute({ plan: again, client, signal, onEvent: async (event) => onEvent(event) });
  const rewritten = completed(again, outcomes);
  const steps = again.steps.filter(({ id }) => outcomes.get(id)?.status === 'done');
  const still = rewritten.size === 0 ? [] : await verify({ ...proof, steps, touched: rewritten });
  return {
    unsettled: [...unsettled.filter(({ address }) => !rewritten.has(address)), ...still],
    rewritten: [...rewritten],
  };
}

/** Externals by name were looked up for the plan; the looks that follow read fewer kinds. */
function lookedUp(plan: Plan, desired: Desired): readonly (readonly [Address, Binding])[] {
  return desired.externals.flatMap(({ address }): readonly (readonly [Address, Binding])[] => {
    const id = plan.references[address];
    return id === undefined ? [] : [[address, { id, origin: 'adopted' }]];
  });
}

async function keepSecrets(
  results: readonly Ended[],
  sink: SecretsSink | null,
): Promise<readonly { readonly address: Address; readonly reason: string }[]> {
  const entries = results.flatMap(({ step, outcome }) =>
    outcome.status === 'done' && outcome.secret !== null && step.address !== null
      ? [{ address: step.address, id: String(outcome.id), secret: outcome.secret }]
      : [],
  );
  if (entries.length === 0) return [];
  try {
    if (sink === null) throw new InternalError('a secret came back, and there is no sink');
    await sink.store(entries);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the sink failed';
    return entries.map(({ address }) => ({ address, reason }));
  }
}

function outcomeOf(
  plan: Plan,
  outcomes: Outcomes,
  unsettled: readonly Unsettled[],
  lost: boolean,
  signal: AbortSignal,
): RunOutcome {
  const statuses = plan.steps.map(({ id }) => outcomes.get(id)?.status);
  if (signal.aborted && (statuses.includes('not-sent') || unsettled.length > 0)) return 'interrupted';
  if (lost || statuses.some((status) => status !== 'done')) return 'partial';
  return unsettled.length > 0 ? 'unsettled' : 'done';
}
