// Plan of an undo: an ordinary plan, and for each resource how far it comes back. A resource that cannot be planned is left out with
// its reason, and the rest is planned without it.

import { UsageError } from '../../base/errors.ts';
import { byText, isObject } from '../../base/json.ts';
import type {
  Address,
  Desired,
  DesiredResource,
  Diagnostic,
  KindName,
  LedgerState,
  Live,
  ObjectId,
  Reference,
  Spec,
} from '../../base/model.ts';
import { referencesOf } from '../../kinds/fields.ts';
import { isAddress, KIND_NAMES, KINDS, kindOf, MEMBERSHIP, ORDERED } from '../../kinds/index.ts';
import { keepsOthers, NOT_IN } from '../../kinds/priority.ts';
import { type Footprint, isOnlyMoved, parentsOf, type ResourceTrace } from '../../ledger/footprint.ts';
import { makePlan } from '../../plan/assemble.ts';
import { type Bindings, bind } from '../../plan/binding/bind.ts';
import { withLiveIds } from '../../plan/binding/people.ts';
import { afterRecovery, type Recovery } from '../../plan/binding/recover.ts';
import { liveSpec } from '../../plan/diff.ts';
import type { PlannerOptions } from '../../plan/input.ts';
import type { Plan, ResourceChange } from '../../plan/plan.ts';
import { type OrderBack, orderBack } from './order.ts';
import { type WayBack, wayBack } from './way-back.ts';

export interface UndoInput {
  readonly footprint: Footprint;
  readonly live: Live;
  readonly ledger: LedgerState;
  /** Results of this reading for creates without an answer. */
  readonly recovery: Recovery;
  readonly options: PlannerOptions;
  /** The owner clients whose properties and templates are looked at. */
  readonly namespaces: readonly string[];
}

export interface Undoing {
  readonly plan: Plan;
  /** What the plan leads to; an apply verifies against it. */
  readonly desired: Desired;
  readonly options: PlannerOptions;
  readonly resources: readonly ResourceUndo[];
  /** The rules were moved after the run, so their order stays unchanged. */
  readonly orderChangedSince: boolean;
}

/** Everything that has to be read before an undo can be planned: what to restore, and what to compare. */
export function lookedAt({ traces, order }: Footprint, namespaces: readonly string[]): Desired {
  const resources = traces.map(({ address, id, before, known, left }) =>
    resourceOf(address, id, { ...known?.spec, ...(left.state === 'applied' ? left.spec : {}), ...before }),
  );
  const traced = new Set(traces.map(({ address }) => address));
  const rules = order?.before.owned.filter((address) => !traced.has(address)) ?? [];
  return desiredOf([...resources, ...rules.map((address) => resourceOf(address, null, {}))], [], namespaces);
}

/** What an undo may delete: what the run made. */
export function mayGo({ traces }: Footprint): ReadonlySet<Address> {
  return new Set(traces.flatMap(({ address, before }) => (before === null ? [address] : [])));
}

/** Plans the undo, again and again without the resources that keep the rest from being planned. */
export function planUndo(whole: UndoInput): Undoing {
  const traces = whole.footprint.traces.filter(({ address }) => whole.options.selects(address));
  const input = { ...whole, footprint: { ...whole.footprint, traces } };
  const leftOut = new Map<Address, WayBack>();
  const lost = new Map<Address, ReadonlyMap<string, string>>();
  for (;;) {
    const attempt = planAttempt(input, leftOut, lost);
    const needed = stillNamed(attempt, input);
    const found =
      needed.leftOut.size > 0
        ? needed
        : attempt.planned.problems.length > 0
          ? refused(attempt)
          : withheld(attempt, lost);
    for (const [address, way] of found.leftOut) leftOut.set(address, way);
    for (const [address, fields] of found.lost) lost.set(address, new Map([...(lost.get(address) ?? []), ...fields]));
    const { planned, desired, options, back } = attempt;
    if (planned.plan === null || found.leftOut.size + found.lost.size > 0) continue;
    const plan = withoutSources(planned.plan);
    const resources = undosOf(plan, outcomesOf(input.footprint, attempt, leftOut, lost));
    return { plan, desired, options, resources, orderChangedSince: back.changedSince };
  }
}

interface PlanAttempt {
  readonly bindings: Bindings;
  readonly ways: ReadonlyMap<Address, WayBack>;
  readonly desired: Desired;
  readonly options: PlannerOptions;
  readonly back: OrderBack;
  readonly planned: ReturnType<typeof makePlan>;
}

function planAttempt(
  { footprint, live, ledger: recorded, recovery: { recovered, missing }, options, namespaces }: UndoInput,
  leftOut: ReadonlyMap<Address, WayBack>,
  lost: ReadonlyMap<Address, ReadonlyMap<string, string>>,
): PlanAttempt {
  // An object that could be one of several is left out here; the next apply asks about it.
  const recovery: Recovery = { recovered, missing, undecided: [] };
  const ledger = withLiveIds(afterRecovery(recorded, recovery), live);
  const traces = footprint.traces.filter(({ address }) => !leftOut.has(address));
  const found = traces.flatMap(({ address, id, before }) => (before === null ? [] : [resourceOf(address, id, before)]));
  const isFound = new Set(found.map(({ address }) => address));
  // Whatever is owned keeps its object: a natural key must not take it for one that is gone.
  const others = [...ledger.bindings.keys()].filter((address) => !isFound.has(address));
  const all = [...found, ...others.map((address) => resourceOf(address, null, {}))];
  const bindings = bind(desiredOf(all, [], namespaces), live, ledger.bindings, () => 'stays as it is');
  // What a later run made that was cut short is not bound yet.
  const made = new Set(recovered.map(({ address }) => address).filter((address) => footprint.inDoubt.has(address)));
  const formerGroups: Spec = Object.fromEntries(
    traces.flatMap(({ before }) => Object.entries(before?.[MEMBERSHIP.left.field] ?? {})),
  );
  const created = mayGo(footprint);
  const traced = new Set(footprint.traces.map(({ address }) => address));
  const ways = waysOf(traces, (trace, reborn) => {
    if (made.has(trace.address)) return { way: 'left-out', reason: 'a later run that was cut short made it' };
    const former = parentsOf(trace.address).find((parent) => created.has(parent));
    return former !== undefined && isOfAnother(trace, bindings)
      ? { way: 'left-out', reason: `the ledger no longer owns the former ${former}, which it was a value of` }
      : wayBack(trace, { bindings, live, ledger, reborn, traced, formerGroups });
  });
  const reborn = rebornOf(ways.entries(), (address) => bindings.bound.get(address)?.object === null);
  const nameNow = (id: string): Reference => bindings.referenceTo(ORDERED.name, id);
  const isKept = (name: Reference): boolean =>
    !isAddress(name) || (ledger.bindings.has(name) && ways.get(name)?.way !== 'delete');
  const rules = new Set([...reborn].filter((address) => kindOf(address) === ORDERED.name));
  const former = new Map(
    traces.flatMap(({ address, id }) => (rules.has(address) ? [[String(id), address] as const] : [])),
  );
  const back = orderBack(footprint.order, {
    staying: live.ruleOrder.map(nameNow).filter(isKept),
    reborn: rules,
    nameOf: (id) => former.get(id) ?? nameNow(id),
  });
  const order = back.order.filter(isAddress);
  const restored = traces.flatMap(({ address }): readonly DesiredResource[] => {
    const way = ways.get(address);
    if (way?.way !== 'restore') return [];
    const gone = lost.get(address);
    const spec = Object.entries(way.spec).filter(([name]) => gone?.has(name) !== true);
    return [resourceOf(address, way.id, Object.fromEntries(spec))];
  });
  const isTaken = new Set(
    [...ways].flatMap(([address, { way }]) => (way === 'restore' || way === 'delete' ? [address] : [])),
  );
  // Other owned resources are declared without fields: they keep their names in references, and are neither deleted nor forgotten.
  const kept = [...ledger.bindings.keys()].filter((address) => !isTaken.has(address));
  const desired = desiredOf([...restored, ...kept.map((address) => resourceOf(address, null, {}))], order, namespaces);
  const moving = order.filter(
    (address) => !ways.has(address) && !leftOut.has(address) && footprint.boundSince(address) === null,
  );
  const active = new Set([...isTaken, ...moving]);
  const own: PlannerOptions = {
    ...options,
    partial: true,
    places: back.order,
    selects: (address) => active.has(address) && options.selects(address),
    prune: Object.fromEntries(KIND_NAMES.map((kind) => [kind, 'owned'])) as { [kind in KindName]: 'owned' },
    // The empty manifest is intended: only what the run created is deleted.
    acknowledged: new Set([...options.acknowledged, 'empty-manifest']),
  };
  return {
    bindings,
    ways,
    desired,
    options: own,
    back,
    planned: makePlan({ desired, live, ledger: recorded, recovery, options: own }),
  };
}

/** Whether it was a value of another object than of the one that its address means now. */
function isOfAnother({ address, id, before }: ResourceTrace, { ids }: Bindings): boolean {
  if (before === null || id === null) return false;
  const now = KINDS[kindOf(address)].naturalKeys.map(({ ofDesired }) =>
    ofDesired(resourceOf(address, null, {}), (reference) => ids.get(reference as Address) ?? null),
  );
  return now.every((each) => each !== null) && !now.includes(String(id));
}

/** A resource that refers to one that cannot be made again cannot come back as it was either, so this repeats until nothing changes. */
function waysOf(
  traces: readonly ResourceTrace[],
  way: (trace: ResourceTrace, reborn: ReadonlySet<Address>) => WayBack,
): ReadonlyMap<Address, WayBack> {
  let reborn: ReadonlySet<Address> = new Set(traces.map(({ address }) => address));
  for (;;) {
    const ways = new Map(traces.map((trace) => [trace.address, way(trace, reborn)] as const));
    const next = rebornOf(ways.entries(), () => true);
    if (next.size === reborn.size)
      return new Map([...ways].map(([address, own]) => [address, withParents(withoutGoing(own, ways), address, ways)]));
    reborn = next;
  }
}

/**
 * A value goes with what it stands on: a later part of the run may have found a default there. One that another run wrote since stays. One that the run
 * made is deleted by itself, so that the undo has an image of it.
 */
function withParents(own: WayBack, address: Address, ways: ReadonlyMap<Address, WayBack>): WayBack {
  if (own.way === 'left-out' || own.way === 'delete') return own;
  return parentsOf(address).some((parent) => ways.get(parent)?.way === 'delete') ? { way: 'none' } : own;
}

/** Who goes need not be kept out of a group: to name them there would keep them. */
function withoutGoing(own: WayBack, ways: ReadonlyMap<Address, WayBack>): WayBack {
  const { field } = MEMBERSHIP.right;
  const members = own.way === 'restore' ? own.spec[field] : undefined;
  if (own.way !== 'restore' || !isObject(members) || !keepsOthers(members)) return own;
  const isGoing = (reference: string): boolean => isAddress(reference) && ways.get(reference)?.way === 'delete';
  const left = Object.entries(members).filter(([reference, priority]) => priority !== NOT_IN || !isGoing(reference));
  return { ...own, spec: { ...own.spec, [field]: Object.fromEntries(left) } };
}

function rebornOf(
  ways: Iterable<readonly [Address, WayBack]>,
  isGone: (address: Address) => boolean,
): ReadonlySet<Address> {
  return new Set([...ways].flatMap(([address, { way }]) => (way === 'restore' && isGone(address) ? [address] : [])));
}

interface Unplannable {
  readonly leftOut: ReadonlyMap<Address, WayBack>;
  readonly lost: ReadonlyMap<Address, ReadonlyMap<string, string>>;
}

/** The resources that keep the rest from being planned. @throws UsageError when the problem is in none of them */
function refused({ planned, desired, ways }: PlanAttempt): Unplannable {
  const leftOut = new Map<Address, WayBack>();
  for (const { message, remedy, place } of planned.problems) {
    const address = desired.resources[place.line - FIRST_LINE]?.address;
    if (address === undefined || !ways.has(address)) throw new UsageError(`it cannot be undone: ${message}`);
    leftOut.set(address, { way: 'left-out', reason: remedy === null ? message : `${message}; ${remedy}` });
  }
  return { leftOut, lost: new Map() };
}

/** What is not deleted, because what stays needs it: a run has applied that it refers to it, or one that was cut short may have. */
function stillNamed({ ways, bindings }: PlanAttempt, { ledger: { applied }, footprint }: UndoInput): Unplannable {
  const leftOut = new Map<Address, WayBack>();
  if (![...ways.values()].some(({ way }) => way === 'delete')) return { leftOut, lost: new Map() };
  for (const referrer of new Set([...applied.keys(), ...footprint.inDoubt])) {
    const [kind, way] = [KINDS[kindOf(referrer)], ways.get(referrer)];
    if (way?.way === 'delete') continue;
    // A value of this run alone goes with what it belongs to.
    if (way === undefined || way.way === 'left-out')
      for (const parent of parentsOf(referrer))
        if (ways.get(parent)?.way === 'delete')
          leftOut.set(parent, { way: 'left-out', reason: `${referrer} is a value of it, and stays` });
    const object = footprint.inDoubt.has(referrer) ? (bindings.bound.get(referrer)?.object ?? null) : null;
    const known = [applied.get(referrer)?.spec ?? {}, object === null ? {} : liveSpec(kind, object, bindings)];
    for (const spec of known)
      for (const reference of referencesOf(kind, way?.way === 'restore' ? { ...spec, ...way.spec } : spec))
        if (isAddress(reference) && ways.get(reference)?.way === 'delete')
          leftOut.set(reference, { way: 'left-out', reason: `${referrer} refers to it, and stays` });
  }
  return { leftOut, lost: new Map() };
}

/** What the plan cannot do: fields that the API cannot change, deletes that are not allowed, objects that another program created. */
function withheld({ planned, ways, options }: PlanAttempt, lost: Unplannable['lost']): Unplannable {
  const leftOut = new Map<Address, WayBack>();
  const beyond = new Map<Address, ReadonlyMap<string, string>>();
  for (const { released, reason } of planned.plan?.unmanaged ?? [])
    if (released !== null && ways.get(released)?.way === 'delete')
      leftOut.set(released, { way: options.protects(released) ? 'left-out' : 'stuck', reason: reason ?? 'it stays' });
  for (const { address, fields, adopting } of planned.plan?.resource_changes ?? []) {
    const way = ways.get(address);
    if (adopting && !(way?.way === 'restore' && way.overDefault))
      leftOut.set(address, { way: 'left-out', reason: 'an object like it exists, and is not owned' });
    const out = fields
      .filter(
        ({ field, reach }) => (reach === 'unreachable' || reach === 'unreadable') && !lost.get(address)?.has(field),
      )
      .map(
        ({ field, reason }) =>
          [field, `${field}: ${(reason ?? 'cannot be changed through the API').split('; ')[0]}`] as const,
      );
    if (out.length > 0) beyond.set(address, new Map(out));
  }
  return { leftOut, lost: beyond };
}

function outcomesOf(
  { traces }: Footprint,
  { ways, back, planned, bindings }: PlanAttempt,
  leftOut: ReadonlyMap<Address, WayBack>,
  lost: Unplannable['lost'],
): readonly UndoneResource[] {
  const placeless = new Set(back.placeless);
  return traces.map((trace) => {
    const { address } = trace;
    const isMoved = isOnlyMoved(trace);
    const way = leftOut.get(address) ?? ways.get(address) ?? { way: 'none' };
    const moves = isMoved && planned.plan?.reorder !== null;
    const object = bindings.bound.get(address)?.object ?? null;
    const named =
      way.way === 'restore' && object !== null
        ? referencesOf(KINDS[object.kind], liveSpec(KINDS[object.kind], object, bindings))
        : [];
    const place = placeless.has(address) ? ['its position is unknown, so it goes last'] : [];
    return {
      address,
      way: isMoved && back.changedSince ? { way: 'left-out', reason: 'rules were moved after the run' } : way,
      lost: [...(lost.get(address)?.values() ?? []), ...place],
      returns: moves || named.some((reference) => isAddress(reference) && ways.get(reference)?.way === 'delete'),
    };
  });
}

/** The plan without places in files: no file declares what is restored. */
function withoutSources(plan: Plan): Plan {
  return { ...plan, resource_changes: plan.resource_changes.map((change) => ({ ...change, source: null })) };
}

function resourceOf(address: Address, id: ObjectId | null, spec: Spec): DesiredResource {
  const kind = kindOf(address);
  const key = address.slice(kind.length + 1);
  return { address, kind, key, id: KINDS[kind].choosesId === true ? id : null, spec, place: NOWHERE };
}

const NOWHERE: Diagnostic['place'] = { file: '', line: 1, column: 1, length: 1 };

/** Line 1 belongs to no resource. */
const FIRST_LINE = 2;

/** Gives each resource its own line, by which a problem of the planner is found again. */
function desiredOf(
  resources: readonly DesiredResource[],
  ruleOrder: readonly Address[],
  namespaces: readonly string[],
): Desired {
  return {
    resources: resources.map((resource, index) => ({ ...resource, place: { ...NOWHERE, line: index + FIRST_LINE } })),
    externals: [],
    ruleOrder,
    namespaces,
    complete: [],
  };
}

/** How far a resource comes back. `as_before`: nothing has to be done. `left_out`: it changed after the run, so nothing is done. */
export type Reversibility = 'reversible' | 'lossy' | 'irreversible' | 'as_before' | 'left_out';

export interface ResourceUndo {
  readonly address: Address;
  readonly outcome: Reversibility;
  /** What does not come back, or why nothing is done: one line each. */
  readonly reasons: readonly string[];
}

export interface UndoneResource {
  readonly address: Address;
  readonly way: WayBack;
  /** Fields that no request can bring back, one line each. */
  readonly lost: readonly string[];
  /** It comes back without a request of its own: to its place because others move, or to its members because others go. */
  readonly returns: boolean;
}

export function undosOf(plan: Plan, outcomes: readonly UndoneResource[]): readonly ResourceUndo[] {
  const changes = new Map(plan.resource_changes.map((change) => [change.address, change]));
  const known = new Set(outcomes.map(({ address }) => address));
  const moved = plan.resource_changes.filter(({ address }) => !known.has(address));
  return [
    ...outcomes.map((outcome) => undoOf(outcome, changes.get(outcome.address))),
    ...moved.map(({ address }): ResourceUndo => ({ address, outcome: 'reversible', reasons: [] })),
  ].sort((a, b) => rank(a) - rank(b) || byText(a.address, b.address));
}

function rank({ address }: ResourceUndo): number {
  return KIND_NAMES.indexOf(kindOf(address));
}

function undoOf({ address, way, lost, returns }: UndoneResource, change: ResourceChange | undefined): ResourceUndo {
  const kind = KINDS[kindOf(address)];
  const beyond = kind.lasting === undefined ? [] : [kind.lasting];
  switch (way.way) {
    case 'left-out':
      return { address, outcome: 'left_out', reasons: [way.reason] };
    case 'stuck':
      return { address, outcome: 'irreversible', reasons: [way.reason] };
    case 'none':
      return { address, outcome: 'as_before', reasons: way.reason === undefined ? [] : [way.reason] };
    case 'delete':
      return { address, outcome: beyond.length === 0 ? 'reversible' : 'lossy', reasons: beyond };
    case 'restore': {
      const isWritten = returns || (change !== undefined && change.change.actions[0] !== 'no-op');
      const losses = [...way.losses, ...lost];
      if (!isWritten) return { address, outcome: losses.length === 0 ? 'as_before' : 'irreversible', reasons: losses };
      const isReplaced = change?.change.actions[1] === 'create';
      const reasons = [...losses, ...(isReplaced && kind.forfeits !== undefined ? [kind.forfeits] : []), ...beyond];
      return { address, outcome: reasons.length === 0 ? 'reversible' : 'lossy', reasons };
    }
  }
}
