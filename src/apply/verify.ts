// What was applied in; whether the service shows it, out. The proof is that planning again finds nothing left to do: there is no second comparison.

import { KINDS, MEMBERSHIP } from '../kinds/index.ts';
import { type Ask, fetchLive, viewOf } from '../live.ts';
import type { Address, Clock, Desired, DesiredResource, KindName, LedgerState, Live } from '../model.ts';
import { makePlan, type PlanOptions } from '../plan/assemble.ts';
import type { FieldChange, Plan, Step } from '../plan/plan.ts';

/** Something that was written and does not read back yet. */
export interface Unsettled {
  readonly address: Address;
  /** What is still seen, for a person. */
  readonly reading: string;
  readonly fields: readonly FieldChange[];
}

export interface Verification {
  readonly desired: Desired;
  readonly options: PlanOptions;
  /** With everything this run bound and applied, and nothing it deleted forgotten. */
  readonly ledger: LedgerState;
  /** The steps that succeeded. */
  readonly steps: readonly Step[];
  /** The resources of which every step succeeded: only these can be expected to read back as desired. */
  readonly touched: ReadonlySet<Address>;
  readonly version: Plan['api_version'];
  readonly ask: Ask;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
  readonly onWait: (wait: { readonly elapsed: number; readonly unsettled: readonly Unsettled[] }) => void;
}

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 15_000;
const GROWTH = 1.5;

/** Polls until nothing is unsettled, or the time is up. The first look is at once. */
export async function verify(verification: Verification): Promise<readonly Unsettled[]> {
  const { clock, signal, timeout, steps, onWait } = verification;
  if (steps.length === 0) return [];
  const started = clock.now();
  let pause = FIRST_PAUSE;
  let open = { touched: verification.touched, steps };
  for (;;) {
    const unsettled = await look({ ...verification, ...open });
    open = stillOpen(verification, unsettled);
    const elapsed = clock.now() - started;
    if (unsettled.length === 0 || elapsed >= timeout || signal.aborted) return unsettled;
    onWait({ elapsed, unsettled });
    await clock.sleep(Math.min(pause, timeout - elapsed), signal);
    pause = Math.min(LONGEST_PAUSE, pause * GROWTH);
  }
}

/** What has been seen once need not be read again: every look costs its owner money. */
function stillOpen(
  { steps, touched }: Verification,
  unsettled: readonly Unsettled[],
): Pick<Verification, 'touched' | 'steps'> {
  const addresses = new Set(unsettled.map(({ address }) => address));
  const concerns = (step: Step): boolean => step.serves.some((address) => addresses.has(address));
  return { touched: new Set([...touched].filter((address) => addresses.has(address))), steps: steps.filter(concerns) };
}

/** Reads the touched kinds, in the touched resources' detail. */
async function look({
  desired,
  options,
  ledger,
  steps,
  touched,
  version,
  ask,
}: Verification): Promise<readonly Unsettled[]> {
  const resources = desired.resources.filter(({ address }) => touched.has(address));
  const view = viewOf({ ...desired, resources }, ledger, version);
  const live = await fetchLive(ask, { ...view, kinds: touchedKinds(steps, resources) }, version);
  const planned = makePlan({ desired, live, ledger, options });
  if (planned.plan === null) {
    return planned.problems.map(({ message }) => ({
      address: steps[0]?.serves[0] ?? 'agent/?',
      reading: message,
      fields: [],
    }));
  }
  return [...differing(planned.plan, touched), ...lingering(steps, live)];
}

/** The kinds that were written or promised; both sides of the membership relation when one of its edges was. */
function touchedKinds(steps: readonly Step[], resources: readonly DesiredResource[]): ReadonlySet<KindName> {
  const kinds = new Set<KindName>([...steps.map(({ type }) => type), ...resources.map(({ kind }) => kind)]);
  const edges = steps.some(({ type, fields }) =>
    Object.keys(fields).some((field) => KINDS[type].fields[field]?.membership === true),
  );
  if (edges) for (const { kind } of Object.values(MEMBERSHIP)) kinds.add(kind.name);
  return kinds;
}

function differing(plan: Plan, touched: ReadonlySet<Address>): readonly Unsettled[] {
  const pending = new Set(plan.steps.flatMap(({ serves }) => serves));
  return plan.resource_changes
    .filter(({ address, change }) => touched.has(address) && pending.has(address) && change.actions[0] !== 'delete')
    .map(({ address, change, fields, moved }) => ({
      address,
      fields,
      reading: readingOf(change.actions[0], fields, moved),
    }));
}

function readingOf(action: string, fields: readonly FieldChange[], moved: { readonly from: number } | null): string {
  if (action === 'create') return 'not listed yet';
  const differences = fields
    .filter(({ reach }) => reach !== 'unreachable' && reach !== 'unreadable')
    .map(({ field, before }) => `${field} still reads ${JSON.stringify(before)}`);
  return [...differences, ...(moved === null ? [] : [`still in place ${moved.from}`])].join(', ');
}

/** Deleted objects that a list still shows. */
function lingering(steps: readonly Step[], live: Live): readonly Unsettled[] {
  const created = new Set(steps.flatMap((step) => (step.operation === 'create' ? [step.address] : [])));
  return steps.flatMap((step): readonly Unsettled[] => {
    if (step.operation !== 'delete' || step.address === null || created.has(step.address)) return [];
    const listed = live.objects[step.type]?.find(({ id }) => id === step.object);
    if (listed === undefined || listed.facts.possiblyUnset === true) return [];
    return [{ address: step.address, reading: 'still listed', fields: [] }];
  });
}
