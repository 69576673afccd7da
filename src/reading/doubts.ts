// What we wrote a moment ago, and a reading, in; what of the reading cannot be believed yet, and until when, out. Pure: the time is a number.
// A reading that contradicts our own write is evidence of a delay, not of somebody's change.

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
} from '../base/model.ts';
import { KINDS, kindOf, ORDERED } from '../kinds/index.ts';
import { splitName } from '../kinds/namespaced.ts';
import { makePlan, type Planned } from '../plan/assemble.ts';
import type { Recovery } from '../plan/binding/recover.ts';
import type { PlanOptions } from '../plan/input.ts';
import type { Plan, Reach } from '../plan/plan.ts';
import { readsAsUnset } from '../plan/unset.ts';
import type { Recent } from './recent.ts';

/** Something that a reading shows otherwise than we left it. */
export interface Doubt {
  /** An address, or what a person calls it. */
  readonly subject: string;
  /** From then on the reading is the truth; milliseconds since the epoch. */
  readonly until: number;
}

/** How long a write may take to show, in milliseconds. */
export interface Delay {
  /** From the answer on. */
  readonly window: number;
  /** How long a request whose answer we do not have may have been under way before. */
  readonly underWay: number;
}

interface Written {
  readonly address: Address;
  readonly at: number;
}

export interface Reading {
  readonly desired: Desired;
  readonly live: Live;
  /** With what was recovered. */
  readonly ledger: LedgerState;
  readonly recovery: Recovery;
  /** What this reading would lead to. */
  readonly planned: Planned;
  readonly options: PlanOptions;
}

/** As of `now`, the one that lasts longest last; none when the reading can be believed as it is. */
export function doubtsIn(reading: Reading, recent: Recent, delay: Delay, now: number): readonly Doubt[] {
  const { window, underWay } = delay;
  const answered = ({ at }: { readonly at: number }): number => at + window;
  const unanswered = ({ at }: { readonly at: number }): number => at + underWay + window;
  const { live, recovery } = reading;
  // Where a write shows at once, nothing that was answered has to be compared.
  const applied = new Map([...recent.applied].filter(([, written]) => answered(written) > now));
  const doubts: readonly Doubt[] = [
    ...unlisted(live, recent).map(({ address, at }) => ({ subject: address, until: answered({ at }) })),
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

/** Created, and not listed where the kind was read. */
function unlisted({ objects }: Live, { created }: Recent): readonly Written[] {
  const kinds = new Set([...created.keys()].map(kindOf));
  const listed = new Map([...kinds].map((kind) => [kind, objects[kind] && idsOf(objects[kind])]));
  return [...created].flatMap(([address, { id, at }]) =>
    listed.get(kindOf(address))?.has(id) === false ? [{ address, at }] : [],
  );
}

function idsOf(objects: readonly { readonly id: ObjectId }[]): ReadonlySet<ObjectId> {
  return new Set(objects.map(({ id }) => id));
}

/**
 * The reading without what we have deleted: nobody makes an object again under an id that the service chose. What bears an id of our choosing is left
 * out when nothing declares it.
 */
export function withoutGhosts(live: Live, { deleted }: Recent, desired: Desired): Live {
  const gone = new Map([...deleted].map(([kind, own]) => [kind, idsOf(own)] as const));
  if ([...gone.values()].every(({ size }) => size === 0)) return live;
  const declared = new Set(desired.resources.map(({ kind, key }) => `${kind}/${key}`));
  const isGhost = (kind: KindName, id: ObjectId): boolean =>
    gone.get(kind)?.has(id) === true && (isChosenByService(kind) || !declared.has(`${kind}/${id}`));
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

/** Deleted, declared again, and still listed. */
function lingering({ live, desired }: Reading, { deleted }: Recent): readonly Written[] {
  const byAddress = new Map(
    [...deleted].flatMap(([kind, own]) => own.map((each) => [`${kind}/${each.id}`, each] as const)),
  );
  if (byAddress.size === 0) return [];
  return desired.resources.flatMap(({ address, kind, key }) => {
    const own = byAddress.get(`${kind}/${key}`);
    const listed = own === undefined ? undefined : live.objects[kind]?.find(({ id }) => id === own.id);
    if (own === undefined || listed === undefined || readsAsUnset(splitName(address)[1], listed, desired)) return [];
    return [{ address, at: own.at }];
  });
}

type Specs = ReadonlyMap<Address, Spec>;

function specsOf(written: ReadonlyMap<Address, { readonly spec: Spec | null }>): Specs {
  return new Map([...written].flatMap(([address, { spec }]) => (spec === null ? [] : [[address, spec] as const])));
}

const DIFFERS: ReadonlySet<Reach> = new Set(['write', 'transition', 'replace']);

/** The declared resources that do not read as `specs` say, in the fields that they still declare: those are the fields that were read. */
function unlike(reading: Reading, specs: Specs): readonly Address[] {
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

function asWritten({ desired, options }: Reading, specs: Specs): readonly DesiredResource[] {
  return desired.resources.flatMap((resource) => {
    const written = specs.get(resource.address);
    if (written === undefined || !options.selects(resource.address)) return [];
    const spec = Object.fromEntries(Object.entries(written).filter(([field]) => field in resource.spec));
    return Object.keys(spec).length === 0 ? [] : [{ ...resource, spec }];
  });
}

/**
 * What reads as it was before a request that nobody knows the end of, and would be left like that. Whatever the plan writes anyway is written once
 * more, and needs no certainty.
 */
function unchanged(reading: Reading, { inFlight }: Recent): readonly Address[] {
  const { plan } = reading.planned;
  if (plan === null || inFlight.size === 0) return [];
  const written = new Set(plan.steps.flatMap(({ serves }) => serves));
  const left = new Map([...specsOf(inFlight)].filter(([address]) => !written.has(address)));
  const changed = new Set(unlike(reading, left));
  return asWritten(reading, left).flatMap(({ address }) => (changed.has(address) ? [] : [address]));
}

/** The list stands otherwise than it was applied; or as it was before a run that was cut off, and would be left like that. */
function orders(
  { planned, live }: Reading,
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

/** Of what is in both. */
function standsAs(order: readonly Reference[], { live_order: live }: Plan): boolean {
  const listed = live.filter((reference) => order.includes(reference));
  const expected = order.filter((reference) => live.includes(reference));
  return expected.every((reference, place) => reference === listed[place]);
}
