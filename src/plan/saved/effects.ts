// Effects of a plan: what becomes true of the license. Knows nothing of requests: another way to the same end has the
// same effects, and half of it has some of them.

import { byText, canonicalJson, equalJson, isObject } from '../../base/json.ts';
import type { KindName, Reference } from '../../base/model.ts';
import { isMembership, KINDS, MEMBERSHIP, ORDERED } from '../../kinds/index.ts';
import { isInReach } from '../diff.ts';
import { type ListWrite, written } from '../order/sequence.ts';
import type { FieldChange, Plan, ResourceChange, Step } from '../plan.ts';
import { keyOf } from '../reference.ts';
import type { Effect } from './saved-plan.ts';

/** The object that has a value. */
type Owner = Pick<Extract<Effect, { readonly effect: 'value' }>, 'address' | 'id'>;

/** Sorted, each once. */
export function effectsOf(plan: Plan): readonly Effect[] {
  const renewed = new Set(plan.resource_changes.filter(isRenewed).map(({ address }) => address as string));
  const all = [
    ...plan.bindings.move.map(({ from, to }): Effect => ({ effect: 'renamed', from, to })),
    ...plan.bindings.adopt.map(({ address, id }): Effect => ({ effect: 'ours', address, id })),
    ...plan.resource_changes.flatMap((change) => effectsOfChange(change, renewed)),
    ...plan.steps.flatMap(options),
    ...orders(plan),
  ];
  const distinct = new Map(all.map((effect) => [canonicalJson(effect), effect]));
  return [...distinct].sort(([a], [b]) => byText(a, b)).map(([, effect]) => effect);
}

function isRenewed({ change }: ResourceChange): boolean {
  return change.actions[1] === 'create';
}

function effectsOfChange(change: ResourceChange, renewed: ReadonlySet<string>): readonly Effect[] {
  const { address, id, type, fields } = change;
  const made = { address, id: null };
  switch (change.change.actions[0]) {
    case 'no-op':
      return [];
    case 'create':
      return [...existence(change), ...whole(change, made)];
    case 'delete':
      if (!isRenewed(change)) return [{ effect: 'gone', address, id }];
      return [{ effect: 'renewed', address, id }, ...existence(change), ...whole(change, made)];
    case 'update': {
      const values = (owner: Owner): readonly Effect[] => fields.flatMap((field) => closed(field, type, owner));
      // What hangs on an object that is made again may go with it, and then is made again as well.
      const key = keyOf(address);
      const hangs = KINDS[type].parents?.(key).some((parent) => renewed.has(parent)) === true;
      return hangs ? [...existence(change), ...values(made)] : values({ address, id });
    }
  }
}

/** An object whose id the request names may exist already: made by a run that did not live to record it. Then it only becomes ours. */
function existence({ address, type }: ResourceChange): readonly Effect[] {
  const made = { address, id: null };
  const isNamed = KINDS[type].identity === undefined;
  return [{ effect: 'there', ...made }, ...(isNamed ? [{ effect: 'ours', ...made } as const] : [])];
}

/** Everything that is declared of an object that is made: also what a run that is cut off leaves open. */
function whole({ type, fields, change }: ResourceChange, owner: Owner): readonly Effect[] {
  const edges = fields.filter(({ field }) => isMembership(type, field));
  const values = Object.entries(change.after ?? {}).filter(
    ([name]) => !isMembership(type, name) && KINDS[type].fields[name]?.option !== true,
  );
  return [
    ...values.map(([field, value]): Effect => ({ effect: 'value', ...owner, field, value })),
    ...edges.flatMap((field) => closed(field, type, owner)),
  ];
}

function closed(change: FieldChange, type: KindName, owner: Owner): readonly Effect[] {
  if (!isInReach(change)) return [];
  const { field, before, after } = change;
  if (!isMembership(type, field)) return [{ effect: 'value', ...owner, field, value: after }];
  const [was, is] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const others = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = others.filter((other) => !equalJson(was[other], is[other]));
  const isLeft = MEMBERSHIP.left.kind.name === type;
  return changed.map((other) => ({
    effect: 'edge',
    ends: isLeft ? [owner.address, other] : [other, owner.address],
    value: is[other] ?? null,
  }));
}

/** An option is no state of the object, but what it reaches is an effect. */
function options({ address, object, type, operation, fields }: Step): readonly Effect[] {
  if (address === null || operation === 'delete') return [];
  const id = operation === 'create' ? null : object;
  return Object.entries(fields)
    .filter(([field]) => KINDS[type].fields[field]?.option === true)
    .map(([field, value]) => ({ effect: 'value', address, id, field, value }));
}

/** The list as the writes leave it, with the rules that nothing declares: a rule has a meaning only among the others. */
function orders(plan: Plan): readonly Effect[] {
  if (ruleSteps(plan).every(({ position }) => position === null)) return [];
  return [{ effect: 'order', type: ORDERED.name, order: listsOnTheWay(plan).at(-1) ?? plan.live_order }];
}

/** The part of a plan that says how its list of rules is written. */
export type ListsOfRules = Pick<Plan, 'steps' | 'requests' | 'live_order'>;

/** The list of rules as it is, and as it is after each of the writes, which are sent one after the other. */
export function listsOnTheWay(plan: ListsOfRules): readonly (readonly Reference[])[] {
  const lists = [plan.live_order];
  for (const step of ruleSteps(plan)) {
    const list = lists.at(-1) ?? [];
    lists.push(written(list, listWrite(step, list)));
  }
  return lists;
}

function ruleSteps({ steps, requests }: Pick<Plan, 'steps' | 'requests'>): readonly Step[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const sent = requests.plan.flatMap((request) => request.steps.flatMap((id) => byId.get(id) ?? []));
  return sent.filter(({ type }) => type === ORDERED.name);
}

function listWrite(step: Step, live: readonly Reference[]): ListWrite {
  const { operation, address, object, position } = step;
  const key = address !== null && (operation === 'create' || live.includes(address)) ? address : String(object);
  return operation === 'delete' ? { key, op: 'delete' } : { key, op: 'update', position };
}
