// Doubts about a reading: what of it contradicts recent own writes, and until when. Such a reading shows a delay, not a change by another client.

import type {
  Address,
  Desired,
  DesiredResource,
  KindName,
  LedgerState,
  Live,
  ObjectId,
  Reference,
  Spec,
} from '../../base/model.ts';
import { identityOfId, KINDS, kindOf, ORDERED, subjectOf } from '../../kinds/index.ts';
import { splitName } from '../../kinds/namespaced.ts';
import { makePlan, type Planned } from '../../plan/assemble.ts';
import type { Recovery } from '../../plan/binding/recover.ts';
import { readsAsUnset } from '../../plan/diff.ts';
import type { PlannerOptions } from '../../plan/input.ts';
import type { Plan, Reach } from '../../plan/plan.ts';
import { objectsById } from './live.ts';
import type { Recent } from './recent.ts';

/** A subject that a reading does not show as the last write left it. */
export interface Doubt {
  /** An address, or a name for people. */
  readonly subject: string;
  /** From this time on the reading is believed; milliseconds since the epoch. */
  readonly until: number;
}

/** How long a write may take to show, in milliseconds. */
export interface Delay {
  /** After the answer. */
  readonly window: number;
  /** How long a request without an answer may have been in flight before. */
  readonly underWay: number;
}

export interface PlannedReading {
  readonly desired: Desired;
  readonly live: Live;
  /** With what was recovered. */
  readonly ledger: LedgerState;
  readonly recovery: Recovery;
  readonly planned: Planned;
  readonly options: PlannerOptions;
}

/** Returns the doubts at `now`, the one that lasts longest last; none when the reading can be believed. */
export function doubtsIn(reading: PlannedReading, recent: Recent, delay: Delay, now: number): readonly Doubt[] {
  const { window, underWay } = delay;
  const answered = ({ at }: { readonly at: number }): number => at + window;
  const unanswered = ({ at }: { readonly at: number }): number => at + underWay + window;
  const { live, recovery } = reading;
  // Where a write shows at once, answered writes need no comparison.
  const applied = new Map([...recent.applied].filter(([, written]) => answered(written) > now));
  const doubts: readonly Doubt[] = [
    ...unlisted(live, new Map([...recent.created, ...ownedAmong(reading, applied)])).map(({ address, at }) => ({
      subject: address,
      until: answered({ at }),
    })),
    ...unlisted(live, ownedAmong(reading, recent.inFlight)).map(({ address, at }) => ({
      subject: address,
      until: unanswered({ at }),
    })),
    ...recovery.missing.map(({ address, at }) => ({ subject: address, until: unanswered({ at: Date.parse(at) }) })),
    ...lingering(reading, recent).map(({ address, at }) => ({ subject: address, until: answered({ at }) })),
    ...unlike(reading, specsOf(applied)).map((address) => ({
      subject: address,
      until: answered(applied.get(address) ?? { at: 0 }),
    })),
    ...unchanged(reading, recent).map((address) => ({
      subject: address,
      until: unanswered(recent.inFlight.get(address) ?? { at: 0 }),
    })),
    ...orders(reading, recent, { answered, unanswered }),
  ];
  return doubts.filter(({ until }) => until > now).sort((one, other) => one.until - other.until);
}

type AddressAt = { readonly address: Address; readonly at: number };

/** Objects that were written, and are not listed although their kind was read. */
function unlisted({ objects }: Live, written: Recent['created']): readonly AddressAt[] {
  const kinds = new Set([...written.keys()].map(kindOf));
  const listed = new Map([...kinds].map((kind) => [kind, objects[kind] && idsOf(kind, objects[kind])]));
  return [...written].flatMap(([address, { id, at }]) =>
    listed.get(kindOf(address))?.has(identityOfId(kindOf(address), id)) === false ? [{ address, at }] : [],
  );
}

/** What is ours, with its id: an object can leave the lists while they show it in a group that is gone. No list has to show a value. */
function ownedAmong(
  { ledger: { bindings } }: PlannedReading,
  written: ReadonlyMap<Address, { readonly at: number }>,
): Recent['created'] {
  return new Map(
    [...written].flatMap(([address, { at }]) => {
      const id = KINDS[kindOf(address)].definition === undefined ? bindings.get(address)?.id : undefined;
      return id === undefined ? [] : [[address, { id, at }] as const];
    }),
  );
}

function idsOf(kind: KindName, objects: readonly { readonly id: ObjectId }[]): ReadonlySet<ObjectId> {
  return new Set(objects.map(({ id }) => identityOfId(kind, id)));
}

/**
 * Returns the reading without objects that this project deleted. The service does not reuse ids that it chose. An object under an id of our choosing
 * is left out when nothing declares it.
 */
export function withoutGhosts(live: Live, { deleted }: Recent, desired: Desired): Live {
  const gone = new Map([...deleted].map(([kind, own]) => [kind, idsOf(kind, own)] as const));
  if ([...gone.values()].every(({ size }) => size === 0)) return live;
  const declared = new Set(desired.resources.map(({ kind, key }) => subjectOf(`${kind}/${key}`)));
  const isGhost = (kind: KindName, id: ObjectId): boolean =>
    gone.get(kind)?.has(identityOfId(kind, id)) === true &&
    (isChosenByService(kind) || !declared.has(subjectOf(`${kind}/${id}`)));
  const objects = Object.entries(live.objects).map(([kind, listed]) => [
    kind,
    listed.filter(({ id }) => !isGhost(kind as KindName, id)),
  ]);
  return {
    ...live,
    objects: Object.fromEntries(objects),
    ruleOrder: live.ruleOrder.filter((id) => !isGhost(ORDERED.name, id)),
  };
}

function isChosenByService(kind: KindName): boolean {
  return KINDS[kind].identity !== undefined;
}

/** Objects that were deleted, are declared again, and are still listed. */
function lingering({ live, desired }: PlannedReading, { deleted }: Recent): readonly AddressAt[] {
  const byAddress = new Map(
    [...deleted].flatMap(([kind, own]) => own.map((each) => [subjectOf(`${kind}/${each.id}`), each] as const)),
  );
  if (byAddress.size === 0) return [];
  const listing = objectsById(live);
  return desired.resources.flatMap(({ address, kind, key }) => {
    const own = byAddress.get(subjectOf(`${kind}/${key}`));
    const listed = own === undefined ? undefined : listing(kind, own.id);
    if (own === undefined || listed === undefined || readsAsUnset(splitName(address)[1], listed, desired)) return [];
    return [{ address, at: own.at }];
  });
}

type Specs = ReadonlyMap<Address, Spec>;

function specsOf(written: ReadonlyMap<Address, { readonly spec: Spec | null }>): Specs {
  return new Map([...written].flatMap(([address, { spec }]) => (spec === null ? [] : [[address, spec] as const])));
}

const DIFFERS: ReadonlySet<Reach> = new Set(['write', 'transition', 'replace']);

/** Returns the declared resources that do not read as `specs` say, in the fields that are still declared, which were read. */
function unlike(reading: PlannedReading, specs: Specs): readonly Address[] {
  const resources = asWritten(reading, specs);
  if (resources.length === 0) return [];
  const { desired, live, ledger, options } = reading;
  const { plan } = makePlan({
    desired: { ...desired, resources, ruleOrder: desired.ruleOrder.filter((address) => specs.has(address)) },
    live,
    ledger,
    options: { ...options, selects: () => true },
  });
  const differing = (plan?.resource_changes ?? []).filter(
    ({ change, fields }) => change.before !== null && fields.some(({ reach }) => DIFFERS.has(reach)),
  );
  const addresses = new Set(differing.map(({ address }) => address));
  return resources.flatMap(({ address }) => (addresses.has(address) ? [address] : []));
}

function asWritten({ desired, options }: PlannedReading, specs: Specs): readonly DesiredResource[] {
  return desired.resources.flatMap((resource) => {
    const written = specs.get(resource.address);
    if (written === undefined || !options.selects(resource.address)) return [];
    const spec = Object.fromEntries(Object.entries(written).filter(([field]) => field in resource.spec));
    return Object.keys(spec).length === 0 ? [] : [{ ...resource, spec }];
  });
}

/**
 * Returns resources that read as before a request without an answer, and that the plan would leave so. What the plan writes anyway needs no
 * certainty.
 */
function unchanged(reading: PlannedReading, { inFlight }: Recent): readonly Address[] {
  const { plan } = reading.planned;
  if (plan === null || inFlight.size === 0) return [];
  const written = new Set(plan.steps.flatMap(({ serves }) => serves));
  const left = new Map([...specsOf(inFlight)].filter(([address]) => !written.has(address)));
  const changed = new Set(unlike(reading, left));
  return asWritten(reading, left).flatMap(({ address }) => (changed.has(address) ? [] : [address]));
}

/** Doubts about the order of the rules: it differs from the one applied, or is as before an interrupted run and would be left so. */
function orders(
  { planned, live }: PlannedReading,
  { orders: applied, ordersInFlight: inFlight }: Recent,
  ends: { readonly [end in 'answered' | 'unanswered']: (written: { readonly at: number }) => number },
): readonly Doubt[] {
  const { plan } = planned;
  if (plan === null || live.objects[ORDERED.name] === undefined) return [];
  const subject = `the order of the ${ORDERED.noun.many}`;
  const known = applied.get(ORDERED.name);
  const open = inFlight.get(ORDERED.name);
  const isLeft = plan.steps.every(({ type }) => type !== ORDERED.name);
  return [
    ...(known !== undefined && !standsAs(known.order, plan) ? [{ subject, until: ends.answered(known) }] : []),
    ...(open !== undefined && isLeft && standsAs(open.order, plan) ? [{ subject, until: ends.unanswered(open) }] : []),
  ];
}

/** Compares only rules that are in both. */
function standsAs(order: readonly Reference[], { live_order: live }: Plan): boolean {
  const listed = live.filter((reference) => order.includes(reference));
  const expected = order.filter((reference) => live.includes(reference));
  return expected.every((reference, place) => reference === listed[place]);
}
