// What a plan changes and is neither as the approver saw it nor as it was approved to be: another person changed it since. Half of an approved plan
// leaves nothing of the kind.

import { equalJson, isObject } from '../../base/json.ts';
import type { Json, KindName, ObjectId, Reference, Spec } from '../../base/model.ts';
import { isMembership, KINDS, MEMBERSHIP, ORDERED } from '../../kinds/index.ts';
import { isInReach } from '../diff.ts';
import type { FieldChange, Plan, ResourceChange } from '../plan.ts';
import { keyOf } from '../reference.ts';
import { type ListsOfRules, listsOnTheWay } from './effects.ts';
import type { Effect, SavedPlan } from './saved-plan.ts';

export interface Overtaken {
  /** What the plan still does. */
  readonly effect: Effect;
  /** Of a delete: the field that changed; null otherwise. */
  readonly field: string | null;
  /** Value, priority or order that the approver saw. */
  readonly before: Json;
  /** The same as it is now. */
  readonly live: Json;
}

/** An unmanaged rule that the approver saw in another form, or that is gone. */
export interface OvertakenRule {
  readonly id: ObjectId;
  readonly name: string;
  readonly what: 'changed' | 'gone';
}

type Made = Pick<SavedPlan, 'effects' | 'read'> & {
  readonly plan: ListsOfRules & Pick<Plan, 'resource_changes' | 'unmanaged' | 'routing'>;
};

export function overtaken(approved: Made, now: Made): readonly Overtaken[] {
  const seen = seenIn(approved);
  const changes = now.plan.resource_changes.flatMap((change): readonly Overtaken[] => {
    const was = seen.changes.get(change.address);
    // Nothing of it was approved, which is said already.
    if (was === undefined) return [];
    const values = change.fields.filter(isInReach).flatMap((field) => valuesOf(field, change, was, seen));
    return change.change.actions[0] === 'delete' && change.change.actions[1] === undefined
      ? deletedOf(change, was, seen)
      : values;
  });
  return [...changes, ...orderOf(approved, now)];
}

/** What an approver saw. */
interface Seen {
  readonly changes: ReadonlyMap<string, ResourceChange>;
  /** Approved priorities, null for no membership, by the ends of the edge. */
  readonly edges: ReadonlyMap<string, Json>;
  /** Addresses of what was approved to be made, to be made again, or to go. */
  readonly made: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
}

function seenIn({ plan, effects }: Made): Seen {
  const edges = plan.resource_changes.flatMap((change) =>
    change.fields
      .filter(({ field }) => isMembership(change.type, field))
      .flatMap(({ before, after }) =>
        othersIn(before, after).map((other) => [endsOf(change, other).join(' '), memberOf(before, other)] as const),
      ),
  );
  const having = (...what: readonly string[]): ReadonlySet<string> =>
    new Set(effects.flatMap((each) => (what.includes(each.effect) && 'address' in each ? [each.address] : [])));
  return {
    changes: new Map(plan.resource_changes.map((change) => [change.address, change])),
    edges: new Map(edges),
    made: having('there', 'renewed'),
    gone: having('gone'),
  };
}

function othersIn(before: Json, after: Json): readonly Reference[] {
  return [...new Set([before, after].flatMap((map) => (isObject(map) ? Object.keys(map) : [])))];
}

function memberOf(map: Json | undefined, name: string): Json {
  return isObject(map ?? null) ? ((map as Spec)[name] ?? null) : null;
}

function endsOf({ address, type }: Pick<ResourceChange, 'address' | 'type'>, other: Reference) {
  return MEMBERSHIP.left.kind.name === type ? ([address, other] as const) : ([other, address] as const);
}

function valuesOf(
  { field, before, after }: FieldChange,
  change: ResourceChange,
  was: ResourceChange,
  seen: Seen,
): readonly Overtaken[] {
  const { address, id, type } = change;
  if (isMembership(type, field))
    return othersIn(before, after).flatMap((other): readonly Overtaken[] => {
      const ends = endsOf(change, other);
      const [live, value] = [memberOf(before, other), memberOf(after, other)];
      const approved = seen.edges.get(ends.join(' '));
      if (approved === undefined || [approved, value, null].some((known) => equalJson(known, live))) return [];
      return [{ effect: { effect: 'edge', ends, value }, field: null, before: approved, live }];
    });
  const approved = was.fields.find((each) => each.field === field)?.before ?? was.change.before?.[field] ?? null;
  const known = [approved, after, ...(isMade(change, seen) ? unset(type, field) : [])];
  if (known.some((each) => equalJson(each, before))) return [];
  return [
    { effect: { effect: 'value', address, id, field, value: after }, field: null, before: approved, live: before },
  ];
}

/** Whether the plan makes the object or an object that it hangs on, so that half of the plan may leave it without its values. */
function isMade({ address, type }: ResourceChange, { made }: Seen): boolean {
  return made.has(address) || KINDS[type].parents?.(keyOf(address)).some((parent) => made.has(parent)) === true;
}

/** What a field may be as long as it was not set. */
function unset(type: KindName, name: string): readonly Json[] {
  const field = KINDS[type].fields[name];
  return [null, field?.default, field?.absent].flatMap((value) => (value === undefined ? [] : [value]));
}

/** What goes must be what the approver saw, but for what goes with other parts of the plan. */
function deletedOf(change: ResourceChange, was: ResourceChange, { edges, gone }: Seen): readonly Overtaken[] {
  const [seen, live] = [was.change.before ?? {}, change.change.before ?? {}];
  const effect: Effect = { effect: 'gone', address: change.address, id: change.id };
  const own = (value: Json, field: string): Json => {
    if (!isObject(value)) return value;
    const kept = Object.entries(value).filter(
      ([name]) => !gone.has(name) && !(isMembership(change.type, field) && edges.has(endsOf(change, name).join(' '))),
    );
    return Object.fromEntries(kept);
  };
  return Object.keys(live).flatMap((field): readonly Overtaken[] => {
    const [before, now] = [seen[field], live[field]];
    if (before === undefined || now === undefined || equalJson(own(before, field), own(now, field))) return [];
    return [{ effect, field, before, live: now }];
  });
}

/** The order of the rules, where rules are written: as it was, as it will be, or as the approved writes leave it on the way. */
function orderOf(approved: Made, now: Made): readonly Overtaken[] {
  if (now.plan.routing === null) return [];
  const live = now.plan.live_order;
  const isOnTheWay = listsOnTheWay(approved.plan).some((list) => {
    const [here, there] = [new Set(live), new Set(list)];
    return equalJson(
      list.filter((each) => here.has(each)),
      live.filter((each) => there.has(each)),
    );
  });
  if (isOnTheWay) return [];
  const order = [...now.effects, ...approved.effects].find(({ effect }) => effect === 'order');
  const effect: Effect = order ?? { effect: 'order', type: ORDERED.name, order: approved.plan.live_order };
  return [{ effect, field: null, before: approved.plan.live_order, live }];
}

/** Unmanaged rules that changed or went, where rules are written: which visitors they took is not known any more. */
export function overtakenRules(approved: Made, now: Made): readonly OvertakenRule[] {
  if (now.plan.routing === null) return [];
  return approved.plan.unmanaged.flatMap(({ type, id, name }): readonly OvertakenRule[] => {
    const object = `${type}/${id}`;
    const [was, is] = [approved.read[object], now.read[object]];
    if (type !== ORDERED.name || was === is) return [];
    return [{ id, name, what: is === undefined ? 'gone' : 'changed' }];
  });
}
