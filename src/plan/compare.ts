// Comparison of desired and live: which resource is which object, and how each differs. Plans and drift reports are made from it.

import { byText, isObject } from '../base/json.ts';
import type {
  Address,
  Desired,
  DesiredResource,
  Diagnostic,
  Json,
  KindName,
  LedgerState,
  Live,
  LiveObject,
  Reference,
  Spec,
} from '../base/model.ts';
import { pointing } from '../kinds/fields.ts';
import { FORMER, identityOfId, KIND_NAMES, KINDS, ORDERED, subjectOf } from '../kinds/index.ts';
import { limitsOf } from '../kinds/limits.ts';
import { splitName } from '../kinds/namespaced.ts';
import { ownersMoved, sortedMoves, withFormerAccounts } from './binding/accounts.ts';
import type { Bindings } from './binding/bind.ts';
import { type Identified, identify } from './binding/identify.ts';
import type { FollowedMoves } from './binding/moves.ts';
import { withRecovered } from './binding/recover.ts';
import type { Stays } from './binding/undeclared.ts';
import { type Draft, type DraftOptions, draft, withChanges } from './draft.ts';
import { keptInDestroy } from './guards/destroy.ts';
import { takingAlong } from './guards/goes-with.ts';
import { isOwn } from './guards/lockout.ts';
import { restricting } from './guards/restriction.ts';
import type { PlanInput } from './input.ts';
import { type Memberships, memberships } from './membership/edges.ts';
import { type PlannedOrder, planOrder } from './order/order.ts';
import { madeRoom, overlapping } from './order/replacing.ts';
import type { Unmanaged } from './plan.ts';
import { type PruneOptions, stays, staysAnyway } from './pruning.ts';
import { renaming } from './renames.ts';

/** Everything compared, in a fixed order. */
export interface Comparison {
  /** With the people whose row in a table is missing. */
  readonly desired: Desired;
  readonly live: Live;
  /** Under the current names, with what was recovered. */
  readonly ledger: LedgerState;
  readonly moves: FollowedMoves['moves'];
  readonly bindings: Bindings;
  readonly drafting: DraftOptions;
  /** Membership included. */
  readonly drafts: readonly Draft[];
  /** Owned objects that are not declared and stay. */
  readonly released: readonly Unmanaged[];
  readonly edges: Memberships;
  readonly order: PlannedOrder;
  /** The live rules, first match first. */
  readonly liveOrder: readonly Reference[];
  /** Resources and objects that could not be identified. */
  readonly problems: readonly Diagnostic[];
}

export function compare({ ledger: recorded, moved = [], recovery, options, ...input }: PlanInput): Comparison {
  const { desired: whole, live } = sorted(input);
  const declared = withoutWaiting(whole, live);
  const known = withRecovered(recorded, recovery?.recovered ?? []);
  const { version } = live;
  const token = options.own ?? null;
  const { destroying, acknowledged } = options;
  const prunes: PruneOptions = {
    version,
    selects: options.selects,
    protects: options.protects,
    isOwn: (object) => isOwn(token, object),
    prune: (kind) => {
      if (declared.complete.includes(kind)) return 'all';
      // A destroy is asked for, so it also removes agents, which a manifest only releases.
      return options.prune[kind] ?? (destroying === undefined ? KINDS[kind].prune : 'owned');
    },
    keeps: () => null,
    writerOf: options.writerOf ?? (() => null),
  };
  const rules: PruneOptions =
    destroying === undefined
      ? prunes
      : {
          ...prunes,
          keeps: keptInDestroy(destroying, { live, ledger: known, own: token, acknowledged }, (object, address) =>
            stays(object, address, prunes),
          ),
        };
  const identified = (wished: Desired): Identified =>
    identify({
      desired: wished,
      live,
      known,
      moved,
      stays: (object, address) => stays(object, address, rules),
      selects: options.selects,
    });
  const { accounts } = sortedMoves(moved, declared, known);
  const staying = withFormerAccounts(declared, accounts);
  const found = identified(staying);
  const desired = withLeavers(staying, found.bindings, (object, address) => staysAnyway(object, address, rules));
  const hasLeavers = desired.resources.length > staying.resources.length;
  const { bindings, ledger, moves, problems } = hasLeavers ? identified(desired) : found;
  const limits = limitsOf(version, options.limits);
  const partial = options.partial === true;
  const drafting: DraftOptions = {
    ...rules,
    limits,
    mayApprove: options.mayApprove === true,
    pruneInstalledBots: options.pruneInstalledBots === true,
    applied: ledger.applied,
    remaking: ledger.remaking,
    secrets: ledger.secrets,
    standingOf: options.standingOf ?? (() => 'unset'),
    readsSecrets: options.readsSecrets !== false,
    asks: (address) => acknowledged.has(subjectOf(address)),
    partial,
  };
  const { drafts: compared, released } = draft(bindings, drafting);
  const edges = memberships(compared, bindings, live, {
    version,
    batchSize: options.batchSize,
    selects: options.selects,
    accounts,
    spent: options.spent ?? new Set(),
  });
  const own = compared.map((made) => {
    const changed = edges.fields.get(made.address);
    return changed === undefined ? made : withChanges(made, { edges: changed });
  });
  const placed = madeRoom(overlapping(own, live, limits), live, limits);
  const drafts = renaming(takingAlong(restricting(placed, live), live), drafting);
  const liveOrder = live.ruleOrder.map((id) => bindings.referenceTo(ORDERED.name, id));
  const order = planOrder(drafts, options.places ?? desired.ruleOrder, liveOrder, options.selects);
  return {
    desired,
    live,
    ledger,
    moves,
    bindings,
    drafting,
    drafts,
    released,
    edges,
    order,
    liveOrder,
    problems: [...ownersMoved(accounts, live), ...problems],
  };
}

/** Sorts what has no order of its own, so that the order of files and lists does not show. Rules keep theirs. */
function sorted({ desired, live }: Pick<PlanInput, 'desired' | 'live'>): Pick<PlanInput, 'desired' | 'live'> {
  const byAddress = (a: { readonly address: Address }, b: { readonly address: Address }): number =>
    byText(a.address, b.address);
  const places = new Map(live.ruleOrder.map((id, place) => [id, place]));
  const byId = (a: LiveObject, b: LiveObject): number => byText(String(a.id), String(b.id));
  const byPlace = (a: LiveObject, b: LiveObject): number =>
    (places.get(String(a.id)) ?? 0) - (places.get(String(b.id)) ?? 0);
  const objects = KIND_NAMES.flatMap((kind): readonly (readonly [KindName, readonly LiveObject[]])[] => {
    const listed = live.objects[kind];
    return listed === undefined ? [] : [[kind, listed.toSorted(KINDS[kind] === ORDERED ? byPlace : byId)]];
  });
  return {
    desired: {
      ...desired,
      resources: desired.resources.toSorted(byAddress),
      externals: desired.externals.toSorted(byAddress),
    },
    live: { ...live, objects: Object.fromEntries(objects) },
  };
}

/** Returns `desired` without the people who wait for their first day and have no account yet, and without their memberships. */
function withoutWaiting(desired: Desired, live: Live): Desired {
  const isThere = ({ kind, id, key }: DesiredResource): boolean =>
    (live.objects[kind] ?? []).some((object) => identityOfId(kind, object.id) === identityOfId(kind, id ?? key));
  const gone = new Set<Reference>(
    desired.resources.flatMap((each) => (each.waits === true && !isThere(each) ? [each.address] : [])),
  );
  if (gone.size === 0) return desired;
  const resources = desired.resources.filter(({ address }) => !gone.has(address));
  return { ...desired, resources: resources.map((each) => ({ ...each, spec: withoutMembers(each, gone) })) };
}

function withoutMembers({ kind, spec }: DesiredResource, gone: ReadonlySet<Reference>): Spec {
  const maps = pointing(KINDS[kind]).flatMap(({ name, pointer }) => (pointer.at === 'keys' ? [name] : []));
  const changed = maps.flatMap((name): readonly (readonly [string, Json])[] => {
    const members = spec[name];
    if (!isObject(members) || !Object.keys(members).some((member) => gone.has(member))) return [];
    return [[name, Object.fromEntries(Object.entries(members).filter(([member]) => !gone.has(member)))]];
  });
  return changed.length === 0 ? spec : { ...spec, ...Object.fromEntries(changed) };
}

/** Returns `desired` with the people whose row is missing. Those who stay as they are for another reason are not among them. */
function withLeavers(desired: Desired, { undeclared, neverOwned, keptBecause }: Bindings, stays: Stays): Desired {
  const { leavers, ...rest } = desired;
  if (leavers === undefined) return desired;
  const { kind, table, place } = leavers;
  const missing = [...undeclared].flatMap(([address, object]): readonly DesiredResource[] => {
    const isLeaver =
      object.kind === kind && !neverOwned.has(address) && !keptBecause.has(object) && stays(object, address) === null;
    const key = splitName(address)[1];
    const leaves = { by: 'missing-row', file: table } as const;
    return isLeaver ? [{ address, kind, key, id: object.id, spec: FORMER, place, leaves }] : [];
  });
  return { ...rest, resources: [...desired.resources, ...missing].toSorted((a, b) => byText(a.address, b.address)) };
}
