// What was applied in; whether the service shows it, out. The proof is that planning again finds nothing left to do: there is no second comparison.

import { ApiError } from '../base/errors.ts';
import type { Address, Clock, Desired, KindName, LedgerState, Live } from '../base/model.ts';
import { isMembership, kindOf, MEMBERSHIP } from '../kinds/index.ts';
import { splitName } from '../kinds/namespaced.ts';
import { type Planned, planOf } from '../plan/assemble.ts';
import { type Comparison, compare } from '../plan/compare.ts';
import type { PlanOptions } from '../plan/input.ts';
import type { FieldChange, Plan, Step } from '../plan/plan.ts';
import { isInReach } from '../plan/reach.ts';
import { readsAsUnset } from '../plan/unset.ts';
import { type Ask, fetchLive } from '../reading/live.ts';
import { viewOf } from '../reading/view.ts';
import { pauseBeforeReading } from '../service/patience/pause.ts';
import { isLasting } from '../service/patience/policy.ts';

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

/** Part of what was written, which one look can prove. */
interface Part {
  readonly kinds: ReadonlySet<KindName>;
  readonly steps: readonly Step[];
  readonly touched: ReadonlySet<Address>;
}

/**
 * Polls until nothing is unsettled, or the time is up. The first look is at once, and at one part only, the one written last: the others settle in
 * the meantime, and are looked at together then; what of them does not show even so is polled part by part. So waiting costs one list a poll, and
 * not all of them, and where nothing lags two looks are enough.
 */
export async function verify(verification: Verification): Promise<readonly Unsettled[]> {
  const { clock, signal, timeout, onWait } = verification;
  const started = clock.now();

  const untilSettled = async (part: Part, before: Look | null): Promise<readonly Unsettled[]> => {
    for (let look = before; ; look = null) {
      const { seen, last } = look ?? (await lookIfPossible(verification, part));
      const elapsed = clock.now() - started;
      if (seen.length === 0 || last || elapsed >= timeout || signal.aborted) return seen;
      onWait({ elapsed, unsettled: seen });
      await clock.sleep(Math.min(pauseBeforeReading(elapsed), timeout - elapsed), signal);
    }
  };

  const [latest, ...others] = partsOf(verification);
  const unsettled = latest === undefined ? [] : [...(await untilSettled(latest, null))];
  const all = others.length === 0 ? null : await lookIfPossible(verification, together(others));
  let isFresh = true;
  for (const part of others) {
    const own = all?.seen.filter(({ address }) => part.kinds.has(kindOf(address))) ?? [];
    if (own.length === 0) continue;
    // What cannot be read together may be readable one by one.
    const before = isFresh && all?.failed === false ? { ...all, seen: own } : null;
    unsettled.push(...(await untilSettled(part, before)));
    isFresh = false;
  }
  return unsettled;
}

function together(parts: readonly Part[]): Part {
  return {
    kinds: new Set(parts.flatMap(({ kinds }) => [...kinds])),
    steps: parts.flatMap(({ steps }) => steps),
    touched: new Set(parts.flatMap(({ touched }) => [...touched])),
  };
}

/** A part for each kind that was written or promised, last written first; both sides of the membership relation are one when an edge was written. */
function partsOf({ steps, touched, desired }: Verification): readonly Part[] {
  const served = desired.resources.filter(({ address }) => touched.has(address)).map(({ kind }) => kind);
  const kinds = [...new Set<KindName>([...steps.map(({ type }) => type).reverse(), ...served])];
  const sides = Object.values(MEMBERSHIP).map(({ kind }) => kind.name);
  const edges = steps.some(({ type, fields }) => Object.keys(fields).some((field) => isMembership(type, field)));
  const sets = edges
    ? [...kinds.filter((kind) => !sides.includes(kind)).map((kind) => [kind]), sides]
    : kinds.map((kind) => [kind]);
  return sets.map((names) => {
    const own = new Set<KindName>(names);
    return {
      kinds: own,
      steps: steps.filter(({ type }) => own.has(type)),
      touched: new Set([...touched].filter((address) => own.has(kindOf(address)))),
    };
  });
}

interface Look {
  readonly seen: readonly Unsettled[];
  /** The license could not be read. */
  readonly failed: boolean;
  /** Another one would show no more. */
  readonly last: boolean;
}

/** A license that cannot be read proves nothing, and disproves nothing: what was done stays done, and is to be reported. */
async function lookIfPossible(verification: Verification, part: Part): Promise<Look> {
  try {
    return { seen: await look(verification, part), failed: false, last: false };
  } catch (error) {
    const deleted = part.steps.flatMap(({ operation, address }) =>
      operation === 'delete' && address !== null ? [address] : [],
    );
    const reading = `cannot be proven: ${error instanceof Error ? error.message : String(error)}`;
    const seen = [...new Set([...part.touched, ...deleted])].map((address) => ({ address, reading, fields: [] }));
    return { seen, failed: true, last: !(error instanceof ApiError) || isLasting(error.failure) };
  }
}

/** Reads the kinds of a part, in the touched resources' detail. */
async function look(
  { desired, options, ledger, version, ask }: Verification,
  part: Part,
): Promise<readonly Unsettled[]> {
  const resources = desired.resources.filter(({ address }) => part.touched.has(address));
  const view = viewOf({ ...desired, resources }, ledger, version);
  const live = await fetchLive(ask, { ...view, kinds: part.kinds }, version);
  const compared = compare({ desired, live, ledger, options });
  const left = isAsPromised(compared, part.touched) ? [] : open(planOf(compared, { options }), part.touched);
  return [...left, ...lingering(part.steps, live, desired)];
}

/** Most looks end here: from what does not differ nothing has to be planned. */
function isAsPromised({ drafts, edges, order, problems }: Comparison, touched: ReadonlySet<Address>): boolean {
  const isOpen = problems.length + edges.writes.length + order.writes.length > 0;
  return !isOpen && drafts.every(({ address, verb }) => verb === 'none' || !touched.has(address));
}

/** What cannot even be planned is not what was promised yet. */
function open(planned: Planned, touched: ReadonlySet<Address>): readonly Unsettled[] {
  if (planned.plan !== null) return differing(planned.plan, touched);
  const reading = planned.problems.map(({ message }) => message).join('; ');
  return [...touched].map((address) => ({ address, reading, fields: [] }));
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
    .filter(isInReach)
    .map(({ field, before }) => `${field} still reads ${JSON.stringify(before)}`);
  return [...differences, ...(moved === null ? [] : [`still in place ${moved.from}`])].join(', ');
}

/** Deleted objects that a list still shows. */
function lingering(steps: readonly Step[], live: Live, desired: Desired): readonly Unsettled[] {
  const created = new Set(steps.flatMap((step) => (step.operation === 'create' ? [step.address] : [])));
  return steps.flatMap((step): readonly Unsettled[] => {
    if (step.operation !== 'delete' || step.address === null || created.has(step.address)) return [];
    const listed = live.objects[step.type]?.find(({ id }) => id === step.object);
    if (listed === undefined || readsAsUnset(splitName(step.address)[1], listed, desired)) return [];
    return [{ address: step.address, reading: 'still listed', fields: [] }];
  });
}
