// Differences between an approved plan and the plan of now: effects and vetoes that were not approved, and what changed meanwhile.

import { groupedBy } from '../../base/grouped.ts';
import { byText, canonicalJson, equalJson } from '../../base/json.ts';
import type { Address, Json, ObjectId, Reference } from '../../base/model.ts';
import { KINDS, kindOf, ORDERED } from '../../kinds/index.ts';
import { splitName } from '../../kinds/namespaced.ts';
import type { Comparison } from '../compare.ts';
import { guard } from '../guards/guard.ts';
import type { PlannerOptions } from '../input.ts';
import type { Plan } from '../plan.ts';
import { type NewRules, NO_NEW_RULES, orderLeft } from './new-rules.ts';
import { type Overtaken, type OvertakenRule, overtaken, overtakenRules } from './overtaken.ts';
import type { Effect, SavedPlan, Veto } from './saved-plan.ts';

/** An effect of now that was not approved. */
export interface Unapproved {
  readonly now: Effect;
  /** Of a value of an object that is there: what the license has instead; null otherwise. */
  readonly live: { readonly value: Json } | null;
  /** What was approved for the same thing; empty when nothing was. */
  readonly approved: readonly Effect[];
}

/** An object that is not as it was when the plan was made. */
export interface ChangedObject {
  /** `<kind>/<id>`. */
  readonly object: string;
  /** Its address; null when the manifest does not declare it. */
  readonly address: Address | null;
  readonly what: 'changed' | 'appeared' | 'gone';
}

export interface Mismatch {
  readonly unapproved: readonly Unapproved[];
  /** Addresses that mean another object. */
  readonly rebound: readonly { readonly address: Address; readonly approved: ObjectId; readonly now: ObjectId }[];
  /** What the plan changes, and another person changed since. */
  readonly overtaken: readonly Overtaken[];
  readonly rules: readonly OvertakenRule[];
  /** Explains the mismatch and does not decide. */
  readonly since: readonly ChangedObject[];
  readonly manifest_changed: boolean;
}

/** The plan of now, as it would be saved. */
export type Current = Pick<SavedPlan, 'effects' | 'manifest' | 'read'> & {
  readonly plan: Pick<
    Plan,
    'references' | 'live_order' | 'routing' | 'resource_changes' | 'unmanaged' | 'steps' | 'requests'
  >;
};

/** Null when every effect of now was approved, and what it changes is as the approver saw it. `appeared`: unmanaged rules that the approver did not see. */
export function mismatchOf(approved: SavedPlan, now: Current, appeared: NewRules = NO_NEW_RULES): Mismatch | null {
  const slots = groupedBy(approved.effects, slotOf);
  const known = (effect: Effect): readonly Effect[] => slots.get(slotOf(effect)) ?? [];
  const expected = now.effects.map((effect) => ({ effect, seen: withoutNew(effect, appeared) }));
  const unapproved = [
    ...expected.flatMap(({ effect, seen }): readonly Unapproved[] =>
      known(effect).some((each) => includes(each, seen)) || isLeftOfRenewal(effect, approved.effects)
        ? []
        : [{ now: effect, live: liveOf(effect, now.plan), approved: known(effect) }],
    ),
    ...misrouting(now, appeared).map((effect): Unapproved => ({ now: effect, live: null, approved: known(effect) })),
  ];
  const rebound = now.effects.length === 0 ? [] : reboundSince(approved, now);
  const [taken, rules] = [overtaken(approved, now), overtakenRules(approved, now)];
  if (unapproved.length + rebound.length + taken.length + rules.length === 0) return null;
  return {
    unapproved,
    rebound,
    overtaken: taken,
    rules,
    since: since(approved, now),
    manifest_changed: approved.manifest !== now.manifest,
  };
}

function liveOf(effect: Effect, { resource_changes: changes }: Pick<Plan, 'resource_changes'>): Unapproved['live'] {
  if (effect.effect !== 'value') return null;
  const change = changes.find(({ address }) => address === effect.address);
  const field = change?.change.before === null ? undefined : change?.fields.find((each) => each.field === effect.field);
  return field === undefined ? null : { value: field.before };
}

/** An order has no approved place for a new rule. One that routes no visitor otherwise needs none. */
function withoutNew(effect: Effect, { rules, areHarmless }: NewRules): Effect {
  if (effect.effect !== 'order' || !areHarmless) return effect;
  return { ...effect, order: effect.order.filter((reference) => !rules.has(reference)) };
}

/** The order that new rules give to a plan that writes rules and moves none, unless they are harmless. */
function misrouting(now: Current, { areHarmless }: NewRules): readonly Effect[] {
  if (areHarmless || now.plan.routing === null || now.effects.some(({ effect }) => effect === 'order')) return [];
  return [{ effect: 'order', type: ORDERED.name, order: orderLeft(now) }];
}

/** What an effect is about: only one effect can be true of it. */
function slotOf(effect: Effect): string {
  switch (effect.effect) {
    case 'there':
    case 'gone':
    case 'renewed':
      return canonicalJson(['object', effect.address]);
    case 'ours':
      return canonicalJson(['ours', effect.address]);
    case 'value':
      return canonicalJson(['value', effect.address, effect.field]);
    case 'edge':
      return canonicalJson(['edge', ...effect.ends]);
    case 'order':
      return canonicalJson(['order', effect.type]);
    case 'renamed':
      return canonicalJson(['renamed', effect.from]);
  }
}

/** For two effects about the same thing. */
function includes(approved: Effect, now: Effect): boolean {
  if (approved.effect === 'order' && now.effect === 'order') return isPartOf(now.order, approved.order);
  if (!('address' in approved) || !('address' in now)) return sameBut(approved, now);
  return (approved.id === null || approved.id === now.id) && sameBut(approved, now, 'id');
}

function sameBut(approved: Effect, now: Effect, ...members: readonly string[]): boolean {
  const rest = (effect: Effect): Json => {
    const others = Object.entries(effect).filter(([name]) => !members.includes(name));
    return Object.fromEntries(others) as Json;
  };
  return equalJson(rest(approved), rest(now));
}

/** Whether the order is the approved one without objects that are gone; a new object has no approved place. */
function isPartOf(now: readonly Reference[], approved: readonly Reference[]): boolean {
  let next = 0;
  for (const reference of approved) if (reference === now[next]) next += 1;
  return next === now.length;
}

/** The same name in the same value may mean another object by now. */
function reboundSince({ plan, effects }: SavedPlan, { plan: { references } }: Current): Mismatch['rebound'] {
  const renewed = new Map<string, ObjectId | null>(
    effects.flatMap((each) => (each.effect === 'renewed' ? [[each.address, each.id]] : [])),
  );
  return Object.entries(references).flatMap(([address, now]) => {
    const approved = plan.references[address];
    if (approved === undefined || approved === now || renewed.get(address) === approved) return [];
    return [{ address: address as Address, approved, now }];
  });
}

/**
 * Whether an effect ends what a run left that was cut off while it made an object again, or made one: the old object goes, and the new one is made
 * once more where that loses nothing.
 */
function isLeftOfRenewal(now: Effect, approved: readonly Effect[]): boolean {
  if (now.effect !== 'gone' && now.effect !== 'renewed') return false;
  const { address, id } = now;
  const kind = kindOf(address as Address);
  if (now.effect === 'gone' && address === `${kind}/id/${id}`)
    return approved.some((each) => each.effect === 'renewed' && each.id === id && each.address.startsWith(`${kind}/`));
  if (now.effect === 'gone' || KINDS[kind].replacing?.loses !== null) return false;
  return approved.some((each) => (each.effect === 'renewed' || each.effect === 'there') && each.address === address);
}

function since(approved: SavedPlan, now: Current): readonly ChangedObject[] {
  const names = new Map(
    [approved, now].flatMap(({ plan }) =>
      Object.entries(plan.references).map(([address, id]) => [objectOf(address, id), address as Address] as const),
    ),
  );
  const objects = [...new Set([...Object.keys(approved.read), ...Object.keys(now.read)])].sort(byText);
  return objects.flatMap((object): readonly ChangedObject[] => {
    const [was, is] = [approved.read[object], now.read[object]];
    if (was === is) return [];
    const what = was === undefined ? 'appeared' : is === undefined ? 'gone' : 'changed';
    return [{ object, address: names.get(object) ?? null, what }];
  });
}

function objectOf(address: string, id: ObjectId): string {
  return `${splitName(address)[0]}/${id}`;
}

/** Vetoes that stand when only `others` are acknowledged, and not with all that `options` acknowledge. */
export function letGo(compared: Comparison, options: PlannerOptions, others: ReadonlySet<string>): readonly Veto[] {
  const still = pairsOf(guard(compared, options));
  return guard(compared, { ...options, acknowledged: others }).flatMap(
    ({ guard: name, addresses }): readonly Veto[] => {
      const gone = addresses.filter((address) => !still.has(pair(name, address)));
      return gone.length === 0 ? [] : [{ guard: name, addresses: gone }];
    },
  );
}

/** Whether the approver saw each of the vetoes: an acknowledged address is no consent to another change of it. */
export function isCovered(vetoes: readonly Veto[], by: readonly Veto[]): boolean {
  const seen = pairsOf(by);
  return [...pairsOf(vetoes)].every((each) => seen.has(each));
}

function pairsOf(vetoes: readonly Veto[]): ReadonlySet<string> {
  return new Set(vetoes.flatMap(({ guard: name, addresses }) => addresses.map((address) => pair(name, address))));
}

function pair(name: string, address: string): string {
  return `${name} ${address}`;
}
