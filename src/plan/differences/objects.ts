// Differences about whole objects: missing, unmanaged, waiting for approval.

import type { Status, WayOut } from '../../base/difference.ts';
import type { Address, DesiredResource, External, LedgerState, LiveObject, Reference, Spec } from '../../base/model.ts';
import { oncePer } from '../../base/once-per.ts';
import { clear } from '../../base/text.ts';
import { KIND_NAMES, KINDS, kindOf, ORDERED } from '../../kinds/index.ts';
import { splitName } from '../../kinds/namespaced.ts';
import { summaryOf } from '../../kinds/words.ts';
import { namesOf } from '../changes.ts';
import type { Comparison } from '../compare.ts';
import { isAsWanted, isRefused, liveSpec } from '../diff.ts';
import type { Draft } from '../draft.ts';
import { goneText } from '../notes/ownership.ts';
import { administratorsUnsaid, waitsFor } from '../notes/people.ts';
import { sourceOf } from '../reference.ts';
import { unmanagedEntry, unmanagedObjects } from '../unmanaged.ts';
import { aboutDraft, type DriftContext, waysOut } from './about.ts';
import type { Difference } from './difference.ts';

/** Members of a difference that has no field. */
const BARE = { path: [], base: null, live: null, desired: null, reach: null, reason: null, usual: false } as const;

export function objectDifferences(made: Draft, context: DriftContext): readonly Difference[] {
  if (made.object === null) return missing(made, context);
  if (made.resource === null) return leaving(made, made.object, context);
  return waiting(made, context);
}

/** A declared object that does not exist: deleted on the license, or not created yet. */
function missing(made: Draft, context: DriftContext): readonly Difference[] {
  if (made.verb !== 'create') return [];
  const base = context.baseOf(made) ?? null;
  const wasThere = made.lost !== null;
  const status = !wasThere ? 'pending' : isAsApplied(made, base, context.compared) ? 'drift' : 'conflict';
  return [
    {
      ...BARE,
      ...aboutDraft(made, context),
      status,
      kind: 'missing',
      base,
      desired: made.desired,
      reason: wasThere ? lostText(made, context.compared) : 'not created yet',
      ways_out: waysOut(status, null),
    },
  ];
}

/** Says that an object is gone, and of the last one that restricts, what that means. */
function lostText(made: Draft, { live }: Comparison): string {
  const { kind } = made;
  const { restricts } = kind;
  const isLast = restricts !== undefined && live.objects[kind.name]?.length === 0;
  return `${goneText(made)}${isLast ? `, and none is left: ${restricts.last}` : ''}`;
}

/** Whether the manifest still declares what was applied, in the fields that it declares. */
function isAsApplied({ kind, desired }: Draft, base: Spec | null, { live }: Comparison): boolean {
  return Object.entries(desired ?? {}).every(([name, wish]) => {
    const field = kind.fields[name];
    const value = base?.[name];
    return field === undefined || value === undefined || isAsWanted(field, value, wish, live.version);
  });
}

/** An object that an apply deletes: no longer declared, or unmanaged under `prune: all`. */
function leaving(made: Draft, object: LiveObject, context: DriftContext): readonly Difference[] {
  const base = context.baseOf(made) ?? null;
  const isMoved = base !== null && !isSpec(made, made.live ?? {}, base, context.compared);
  const status: Status = made.neverOwned ? 'drift' : isMoved ? 'conflict' : 'pending';
  const reason =
    made.rival !== null
      ? `it differs only in case from ${made.rival}, and the license has one of the two`
      : made.neverOwned
        ? `nothing declares it, and \`prune: all\` of ${KINDS[object.kind].noun.many} deletes it`
        : 'no longer declared: an apply deletes it';
  return [
    {
      ...BARE,
      ...aboutDraft(made, context),
      status,
      kind: 'unmanaged',
      base,
      live: made.live,
      ...inWords(object, context.compared),
      reason,
      ways_out:
        status === 'pending'
          ? ['apply', ...declaredAgain(object, made.address, context), 'ignore']
          : waysOut(status, null),
    },
  ];
}

/** An import declares an owned object again. An object within the entry of another, or derived from it, comes with that entry. */
function declaredAgain({ kind, facts }: LiveObject, address: Address, { compared }: DriftContext): readonly WayOut[] {
  const parents = KINDS[kind].parents?.(splitName(address)[1]) ?? [];
  const { undeclared } = compared.bindings;
  return facts.derived === true || parents.some((parent) => undeclared.has(parent as Address)) ? [] : ['import'];
}

function isSpec({ kind }: Draft, live: Spec, wanted: Spec, compared: Comparison): boolean {
  return Object.entries(wanted).every(([name, wish]) => {
    const field = kind.fields[name];
    if (field !== undefined && isRefused(name, field, live)) return false;
    const value = live[name] ?? field?.absent;
    return field === undefined || value === undefined || isAsWanted(field, value, wish, compared.live.version);
  });
}

/** An object that waits for approval, which a plan does not give it. */
function waiting(made: Draft, context: DriftContext): readonly Difference[] {
  const reason = waitsFor(made, context.compared.drafting);
  if (reason === null) return [];
  return [
    {
      ...BARE,
      ...aboutDraft(made, context),
      status: 'pending',
      kind: 'pending-approval',
      reason,
      ways_out: ['ignore'],
    },
  ];
}

/** Resources with an `id:` that no object of the license has: they cannot be planned, but count as missing. */
export function lostIds({ desired, bindings, live }: Comparison): readonly DesiredResource[] {
  return desired.resources.filter(
    ({ address, kind, id }) => id !== null && live.objects[kind] !== undefined && !bindings.bound.has(address),
  );
}

/** Objects that the manifest refers to as `external` and that no object of the license is. */
export function lostExternals({ desired, bindings, live }: Comparison): readonly External[] {
  return desired.externals.filter(
    ({ address, kind }) => live.objects[kind] !== undefined && !bindings.ids.has(address),
  );
}

/** Nothing records whether it ever existed, and no plan can be made without it. So it counts as deleted on the license. */
export function externalDifferences(
  { compared }: DriftContext,
  selects: (address: Address) => boolean,
): readonly Difference[] {
  return lostExternals(compared)
    .filter(({ address }) => selects(address))
    .map(({ address, kind, id, name, place }) => {
      const noun = KINDS[kind].noun.one;
      const sought = id === null ? `named ${JSON.stringify(name)}` : `with the id ${id}`;
      return {
        ...BARE,
        status: 'drift',
        kind: 'missing',
        address,
        type: kind,
        name: name ?? splitName(address)[1],
        id: null,
        reason: `there is no ${noun} ${sought}, which the manifest refers to as \`external\`: create it again on the license, or refer to another ${noun}`,
        applied_at: null,
        source: sourceOf(place),
        ways_out: ['ignore'],
      };
    });
}

export function lostDifferences(
  { compared }: DriftContext,
  selects: (address: Address) => boolean,
): readonly Difference[] {
  const { ledger } = compared;
  return lostIds(compared)
    .filter(({ address }) => selects(address))
    .map(({ address, kind, key, id, spec, place }) => {
      const known = ledger.applied.get(address);
      const status = ledger.bindings.has(address) ? 'drift' : 'pending';
      const name = spec['name'];
      return {
        ...BARE,
        status,
        kind: 'missing',
        address,
        type: kind,
        name: typeof name === 'string' ? name : key,
        id: null,
        base: known?.spec ?? null,
        desired: spec,
        reason: `there is no ${KINDS[kind].noun.one} with the id ${id}, which the manifest names: remove the \`id:\` to have it created`,
        applied_at: known?.at ?? null,
        source: sourceOf(place),
        ways_out: status === 'drift' ? ['accept', 'ignore'] : ['ignore'],
      };
    });
}

/** Unmanaged objects, and owned objects that are no longer declared. */
export function undeclaredDifferences(
  context: DriftContext,
  selects: (address: Address) => boolean,
): readonly Difference[] {
  const { compared } = context;
  const { bindings, released, ledger } = compared;
  // The owner comes with the license, so it is no change, unless it is another one.
  const others = unmanagedObjects(compared).filter(
    (object) => object.facts.owner !== true || administersSince(object, ledger) === 'now',
  );
  const unknown = others.map((object) => unmanagedDifference(object, compared));
  const kept = released.flatMap(({ type, id, name, released: address, reason }): readonly Difference[] => {
    const object = address === null ? undefined : bindings.undeclared.get(address);
    if (address === null || object === undefined) return [];
    return [
      {
        ...BARE,
        status: 'pending',
        kind: 'unmanaged',
        address,
        type,
        name,
        id,
        ...inWords(object, compared),
        reason: `no longer declared; ${reason ?? 'it stays'}`,
        applied_at: ledger.applied.get(address)?.at ?? null,
        source: null,
        ways_out: [...declaredAgain(object, address, context), 'ignore'],
      },
    ];
  });
  const gone = bindings.gone.map(
    (address): Difference => ({
      ...BARE,
      status: 'converged',
      kind: 'missing',
      address,
      type: kindOf(address),
      name: splitName(address)[1],
      id: ledger.bindings.get(address)?.id ?? null,
      reason: 'no longer declared, and gone from the license',
      applied_at: ledger.applied.get(address)?.at ?? null,
      source: null,
      ways_out: [],
    }),
  );
  return [...unknown, ...kept, ...gone].filter(({ address }) => selects(address as Address));
}

/** People of the files, or of the ledger, who administer the license without a file that says so: no plan compares what is not declared. */
export function administratorDifferences(
  { compared }: DriftContext,
  selects: (address: Address) => boolean,
): readonly Difference[] {
  const known = new Set(compared.ledger.bindings.keys());
  return administratorsUnsaid(compared).flatMap(({ object, address, declared, since }): readonly Difference[] => {
    const { kind, id, name, spec, facts } = object;
    const by = KINDS[kind].standing?.(spec, facts).by ?? '';
    const isOwn = declared !== null || known.has(address);
    if (!isOwn || !selects(address) || since !== 'now') return [];
    const live = spec[by] ?? null;
    const isAcceptable = live !== null && declared !== null;
    return [
      {
        ...BARE,
        status: 'drift',
        kind: 'changed',
        address,
        type: kind,
        name,
        id,
        path: [by],
        live,
        reason: `${ADMINISTERS.now}; no file says so`,
        applied_at: compared.ledger.applied.get(address)?.at ?? null,
        source: declared?.resource === null || declared === null ? null : sourceOf(declared.resource.place),
        ways_out: isAcceptable ? ['accept', 'ignore'] : ['ignore'],
      },
    ];
  });
}

function unmanagedDifference(object: LiveObject, compared: Comparison): Difference {
  const { kind, id, name } = object;
  const { reason } = unmanagedEntry(object, compared.bindings);
  const since = administersSince(object, compared.ledger);
  return {
    ...BARE,
    status: 'drift',
    kind: 'unmanaged',
    address: `${kind}/${id}`,
    type: kind,
    name,
    id,
    live: liveSpec(KINDS[kind], object, compared.bindings),
    ...inWords(object, compared),
    reason: reason ?? (since === null || since === 'before' ? placeOf(object, compared) : ADMINISTERS[since]),
    applied_at: null,
    usual: isUsual(object, compared),
    source: null,
    ways_out: reason === null ? ['accept', 'ignore'] : ['ignore'],
  };
}

/** Phrases of one field. */
const MOST_PHRASES = 3;

function inWords(object: LiveObject, compared: Comparison): Pick<Difference, 'in_words'> {
  const kind = KINDS[object.kind];
  const names = namesIn(compared);
  const named = (reference: Reference): string =>
    clear(names.get(reference) ?? reference.slice(reference.indexOf('/') + 1));
  return { in_words: summaryOf(kind, liveSpec(kind, object, compared.bindings), named, MOST_PHRASES) };
}

const namesIn = oncePer((compared: Comparison) => namesOf(new Set(KIND_NAMES), compared));

const ADMINISTERS = {
  now: 'administers the license, and did not at the last apply',
  unknown: 'administers the license; the ledger does not know who did at the last apply, and the next apply records it',
} as const;

/** Since when an account can administer the license: before the last apply, or only now; null for one that cannot. */
function administersSince(
  { kind, id, spec, facts }: LiveObject,
  { administrators }: LedgerState,
): 'before' | 'now' | 'unknown' | null {
  if (KINDS[kind].standing?.(spec, facts).administers !== true) return null;
  if (administrators === null) return 'unknown';
  return administrators.has(id) ? 'before' : 'now';
}

/** Whether an unmanaged object is usual where a license is managed in part; what belongs to such an object is, too. */
function isUsual(object: LiveObject, compared: Comparison): boolean {
  const { inPart, parents } = KINDS[object.kind];
  if (inPart === true) {
    const since = administersSince(object, compared.ledger);
    return since === null || since === 'before';
  }
  const unmanaged = unmanagedInPart(compared);
  return parents?.(String(object.id)).some((parent) => unmanaged.has(parent)) ?? false;
}

/** Unmanaged objects of the kinds that are often managed in part, as `<kind>/<id>`. */
const unmanagedInPart = oncePer(
  ({ bindings }: Comparison): ReadonlySet<string> =>
    new Set(bindings.unmanaged.flatMap(({ kind, id }) => (KINDS[kind].inPart === true ? [`${kind}/${id}`] : []))),
);

/** Where an unmanaged rule is in the list: the first rule that matches decides, so the rules behind it matter. */
function placeOf({ kind, id }: LiveObject, compared: Comparison): string | null {
  if (kind !== ORDERED.name) return null;
  const next = nextDeclared(compared).get(String(id));
  return next === undefined ? 'it is behind every declared rule' : `it is before ${next}`;
}

/** By rule of the license, the first declared rule behind it. */
const nextDeclared = oncePer(({ liveOrder, desired }: Comparison): ReadonlyMap<Reference, Reference> => {
  const declared = new Set<Reference>(desired.ruleOrder);
  const found = new Map<Reference, Reference>();
  let next: Reference | null = null;
  for (const reference of liveOrder.toReversed()) {
    if (next !== null) found.set(reference, next);
    if (declared.has(reference)) next = reference;
  }
  return found;
});
