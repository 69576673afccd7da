// Verification of an apply: planning again must find nothing left to do. There is no second comparison.

import { ApiError, asError } from '../base/errors.ts';
import { isSameButForm } from '../base/forms.ts';
import { equalJson } from '../base/json.ts';
import type {
  Address,
  Desired,
  Json,
  KindName,
  LedgerState,
  Live,
  LiveObject,
  ObjectId,
  Place,
  Reference,
} from '../base/model.ts';
import { until } from '../base/until.ts';
import { identityOf } from '../kinds/fields.ts';
import { isMembership, KINDS, kindOf, MEMBERSHIP } from '../kinds/index.ts';
import { splitName } from '../kinds/namespaced.ts';
import { fetchLive, objectsById } from '../license/reading/live.ts';
import { viewOf } from '../license/reading/view.ts';
import { type Planned, planOf } from '../plan/assemble.ts';
import { listNames } from '../plan/binding/recognise.ts';
import { objectsMadeBy } from '../plan/binding/recover.ts';
import { type Comparison, compare } from '../plan/compare.ts';
import { isInReach, readsAsUnset, readsAsUnsetBefore } from '../plan/diff.ts';
import type { PlannerOptions } from '../plan/input.ts';
import type { FieldChange, Plan, Step } from '../plan/plan.ts';
import { pauseBeforeReading } from '../service/patience/pause.ts';
import { isLasting } from '../service/patience/policy.ts';
import type { RepeatedReading } from './input.ts';
import { makesAnObject } from './journal.ts';
import type { KeptForm, Unsettled } from './outcome.ts';

export interface Verification extends RepeatedReading {
  readonly desired: Desired;
  readonly options: PlannerOptions;
  /** With everything that this run bound and applied; what it deleted is not forgotten. */
  readonly ledger: LedgerState;
  /** The ledger before the run: it knows defaults that no file says any more. */
  readonly earlier: LedgerState;
  readonly steps: readonly Step[];
  /** Ids of the kind's objects that were there before the run. */
  readonly seen: (kind: KindName) => readonly ObjectId[];
  /** The resources of which every step succeeded: only these must read back as desired. */
  readonly touched: ReadonlySet<Address>;
  /** What a field was before this run wrote it, or deleted its object; undefined when it did neither. */
  readonly before: (address: Address, field: string) => Json | undefined;
  readonly placeOf: (address: Address, field: string) => Place | null;
  /** Milliseconds that a reading may lag behind a write. */
  readonly window: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly onRead: (live: Live) => void;
}

/** What a verification found. */
export interface Verified {
  readonly unsettled: readonly Unsettled[];
  /** What was written and is kept in another form: that settles also. */
  readonly forms: readonly KeptForm[];
}

/** Part of the writes, which one reading can prove. */
interface VerifiedPart {
  readonly kinds: ReadonlySet<KindName>;
  readonly steps: readonly Step[];
  readonly touched: ReadonlySet<Address>;
}

/**
 * Polls until nothing is unsettled, or the time is up. The first reading is at once, of the part that was written last; the others settle meanwhile
 * and are read together then. What does not show even so is polled part by part. So a poll costs one list, not all of them, and where nothing lags
 * two readings are enough.
 */
export async function verify(verification: Verification): Promise<Verified> {
  const { clock, signal, timeout, onWait } = verification;
  const started = clock.now();
  const twins = new Map<Address, Unsettled>();
  const readIfPossible = async (part: VerifiedPart): Promise<PartReading> => {
    const reading = await readingOf(verification, part, clock.now() - started >= verification.window);
    for (const twin of reading.twins) twins.set(twin.address, twin);
    return reading;
  };

  const untilSettled = async (part: VerifiedPart, before: PartReading | null): Promise<Verified> => {
    let known = before;
    const look = async (): Promise<PartReading> => {
      const reading = known ?? (await readIfPossible(part));
      known = null;
      return reading;
    };
    const elapsed = (): number => clock.now() - started;
    const { seen, forms } = await until(look, {
      clock,
      signal,
      deadline: started + timeout,
      isEnough: (reading) => reading.seen.length === 0 || reading.last,
      pause: () => pauseBeforeReading(elapsed()),
      onWait: (_elapsed, reading) => onWait({ elapsed: elapsed(), unsettled: reading.seen }),
    });
    return { unsettled: seen, forms };
  };

  const [latest, ...others] = partsOf(verification);
  const found: Verified[] = latest === undefined ? [] : [await untilSettled(latest, null)];
  const all = others.length === 0 ? null : await readIfPossible(together(others));
  let isFresh = true;
  for (const part of others) {
    const isOwn = ({ address }: { readonly address: Address }): boolean => part.kinds.has(kindOf(address));
    const [own, forms] = [all?.seen.filter(isOwn) ?? [], all?.forms.filter(isOwn) ?? []];
    if (own.length === 0) {
      found.push({ unsettled: [], forms });
      continue;
    }
    // Parts that cannot be read together may be readable one by one.
    const before = isFresh && all?.failed === false ? { ...all, seen: own, forms } : null;
    found.push(await untilSettled(part, before));
    isFresh = false;
  }
  return {
    unsettled: [...found.flatMap(({ unsettled }) => unsettled), ...twins.values()],
    forms: found.flatMap(({ forms }) => forms),
  };
}

function together(parts: readonly VerifiedPart[]): VerifiedPart {
  return {
    kinds: new Set(parts.flatMap(({ kinds }) => [...kinds])),
    steps: parts.flatMap(({ steps }) => steps),
    touched: new Set(parts.flatMap(({ touched }) => [...touched])),
  };
}

/**
 * Returns a part for each kind that was written or served, last written first. When an edge was written, both sides of the membership relation are
 * one part.
 */
function partsOf({ steps, touched, desired }: Verification): readonly VerifiedPart[] {
  const served = desired.resources.filter(({ address }) => touched.has(address)).map(({ kind }) => kind);
  const kinds = [...new Set<KindName>([...steps.map(({ type }) => type).reverse(), ...served])];
  const sides = Object.values(MEMBERSHIP).map(({ kind }) => kind.name);
  const edges = steps.some(carriesEdges);
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

export function carriesEdges({ type, fields }: Step): boolean {
  return Object.keys(fields).some((field) => isMembership(type, field));
}

interface PartReading {
  /** Created objects that have an equal one, which no waiting makes go away. */
  readonly twins: readonly Unsettled[];
  readonly seen: readonly Unsettled[];
  readonly forms: readonly KeptForm[];
  readonly failed: boolean;
  /** Whether another reading would show no more. */
  readonly last: boolean;
}

/** A license that cannot be read proves nothing and disproves nothing: what was done stays done and is reported. */
async function readingOf(verification: Verification, part: VerifiedPart, isLate: boolean): Promise<PartReading> {
  try {
    return { ...(await readPart(verification, part, isLate)), failed: false, last: false };
  } catch (error) {
    const deleted = part.steps.flatMap(({ operation, address }) =>
      operation === 'delete' && address !== null ? [address] : [],
    );
    const reading = `cannot be proven: ${asError(error).message}`;
    const seen = [...new Set([...part.touched, ...deleted])].map((address) => ({ address, reading, fields: [] }));
    return { seen, forms: [], twins: [], failed: true, last: !(error instanceof ApiError) || isLasting(error.failure) };
  }
}

/** Reads the kinds of a part, with the fields of the touched resources. `isLate`: every write is older than a reading may lag. */
async function readPart(
  verification: Verification,
  part: VerifiedPart,
  isLate: boolean,
): Promise<Pick<PartReading, 'seen' | 'forms' | 'twins'>> {
  const { desired, options, ledger, version, ask, seen, onRead } = verification;
  const resources = desired.resources.filter(({ address }) => part.touched.has(address));
  const view = viewOf({ ...desired, resources }, ledger, version);
  const live = await fetchLive(ask, { ...view, kinds: part.kinds }, version);
  onRead(live);
  const compared = compare({ desired, live, ledger, options });
  const left = isAsPromised(compared, part.touched) ? [] : open(planOf(compared, { options }), part.touched);
  const { unsettled, forms } = withoutForms(left, verification, isLate);
  return {
    seen: [...unsettled, ...lingering(part.steps, live, verification)],
    forms,
    twins: twinsIn(live, part.steps, ledger, seen),
  };
}

/** Most readings end here: without a difference nothing has to be planned. */
function isAsPromised({ drafts, edges, order, problems }: Comparison, touched: ReadonlySet<Address>): boolean {
  const isOpen = problems.length + edges.writes.length + order.writes.length > 0;
  return (
    !isOpen &&
    drafts.every(({ address, verb, fields }) => !touched.has(address) || (verb === 'none' && fields.length === 0))
  );
}

/** A reading that cannot be planned from does not show the desired state yet. */
function open(planned: Planned, touched: ReadonlySet<Address>): readonly OpenChange[] {
  if (planned.plan !== null) return differing(planned.plan, touched);
  const reading = planned.problems.map(({ message }) => message).join('; ');
  return [...touched].map((address) => ({ address, reading, fields: [], action: 'no-op', moved: null, isOpen: true }));
}

/** What a reading of a resource still lacks. */
interface OpenChange extends Unsettled {
  readonly action: string;
  /** Whether a request would close it: what none closes is not waited for. */
  readonly isOpen: boolean;
  readonly moved: { readonly from: number } | null;
}

function differing(plan: Plan, touched: ReadonlySet<Address>): readonly OpenChange[] {
  const pending = new Set(plan.steps.flatMap(({ serves }) => serves));
  return plan.resource_changes
    .filter(({ address, change }) => touched.has(address) && change.after !== null)
    .map(({ address, change, fields, moved }) => ({
      address,
      fields,
      action: change.actions[0],
      isOpen: pending.has(address),
      moved,
      reading: stillText(change.actions[0], fields, moved),
    }));
}

/**
 * Takes out what the service keeps in another form. A value that reads as before the write may only lag, so it counts when no reading lags any more.
 */
function withoutForms(
  left: readonly OpenChange[],
  { before, placeOf, version }: Verification,
  isLate: boolean,
): Verified {
  const isKept = (address: Address, { field, before: read, after }: FieldChange): boolean => {
    const was = before(address, field);
    if (was === undefined || (!isLate && equalJson(was, read))) return false;
    const now = KINDS[kindOf(address)].fields[field]?.align?.(read, after, version) ?? read;
    return isSameButForm(after, now);
  };
  const forms: KeptForm[] = [];
  const unsettled = left.flatMap(({ action, isOpen, moved, ...change }): readonly Unsettled[] => {
    const { address } = change;
    const kept = change.fields.filter((field) => isKept(address, field));
    for (const { field, before: read, after: written } of kept)
      forms.push({ address, field, written, read, place: placeOf(address, field) });
    if (!isOpen) return [];
    if (kept.length === 0) return [change];
    const fields = change.fields.filter((field) => !kept.includes(field));
    const isSettled = moved === null && !fields.some(isInReach);
    return isSettled ? [] : [{ address, fields, reading: stillText(action, fields, moved) }];
  });
  return { unsettled, forms };
}

function stillText(action: string, fields: readonly FieldChange[], moved: { readonly from: number } | null): string {
  if (action === 'create') return 'not listed yet';
  const differences = fields
    .filter(isInReach)
    .map(({ field, before }) => `${field} still reads ${JSON.stringify(before)}`);
  return [...differences, ...(moved === null ? [] : [`still in place ${moved.from}`])].join(', ');
}

/** Returns deleted objects that a list still shows. A deleted value may be listed as its default. */
function lingering(steps: readonly Step[], live: Live, verification: Verification): readonly Unsettled[] {
  const created = new Set(steps.flatMap((step) => (step.operation === 'create' ? [step.address] : [])));
  const listing = objectsById(live);
  return steps.flatMap(({ operation, address, object, type }): readonly Unsettled[] => {
    if (operation !== 'delete' || address === null || created.has(address)) return [];
    const listed = object === null ? undefined : listing(type, object);
    if (listed === undefined || isDefault(address, listed, verification)) return [];
    return [{ address, reading: 'still listed', fields: [] }];
  });
}

/** Whether a listed value is the default of one that was deleted. Where neither a file nor the ledger says the default, a value of before may lag. */
function isDefault(address: Address, listed: LiveObject, { desired, earlier, before }: Verification): boolean {
  const key = splitName(address)[1];
  const { definition } = KINDS[listed.kind];
  if (readsAsUnset(key, listed, desired) || readsAsUnsetBefore(key, listed, earlier)) return true;
  if (definition === undefined || earlier.applied.has(definition.of(key) as Address)) return false;
  return Object.entries(listed.spec).some(([field, value]) => !equalJson(before(address, field), value));
}

/** Returns created objects that have an equal one that is new as well: a create that took effect twice, or another program. */
function twinsIn(
  { objects }: Live,
  steps: readonly Step[],
  { bindings }: LedgerState,
  seen: Verification['seen'],
): readonly Unsettled[] {
  const made = steps.filter((step) => KINDS[step.type].identity !== undefined && makesAnObject(step));
  const others = new Map([...new Set(made.map(({ type }) => type))].map((type) => [type, othersOf(type)] as const));
  const resolve = (reference: Reference): ObjectId => bindings.get(reference as Address)?.id ?? reference;
  return made.flatMap(({ address, type, fields }): readonly Unsettled[] => {
    const fresh = others.get(type) ?? [];
    if (address === null || fresh.length === 0) return [];
    const twins = objectsMadeBy({ address, identity: identityOf(KINDS[type], fields, resolve), seen: [] }, fresh);
    if (twins.length === 0) return [];
    const reading = `exists more than once: ${listNames(twins)} ${twins.length === 1 ? 'is' : 'are'} new and equal, and not managed; delete what is not wanted`;
    return [{ address, reading, fields: [] }];
  });

  /** Objects that are new and not owned: mostly none. */
  function othersOf(kind: KindName): readonly LiveObject[] {
    const known = new Set(seen(kind));
    for (const [address, { id }] of bindings) if (kindOf(address) === kind) known.add(id);
    return objects[kind]?.filter(({ id }) => !known.has(id)) ?? [];
  }
}
