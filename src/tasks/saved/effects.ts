// A plan in, its effects out: what will be true of the license that is not true now. Knows nothing of requests: another way to the same end has the
// same effects, and half of it has some of them.

import { byText, canonicalJson, equalJson, isObject } from '../../base/json.ts';
import type { Address, Json, KindName, ObjectId, Reference } from '../../base/model.ts';
import { isMembership, KINDS, MEMBERSHIP, ORDERED } from '../../kinds/index.ts';
import { type ListWrite, written } from '../../plan/order/sequence.ts';
import type { FieldChange, Plan, ResourceChange, Step } from '../../plan/plan.ts';
import { isInReach } from '../../plan/reach.ts';

/** An object by its address; the id is null where whatever object the address stands for is meant, such as one that is made. */
interface Subject {
  readonly address: Address;
  readonly id: ObjectId | null;
}

/**
 * `there`: the object exists. `gone`: it does not. `renewed`: it is deleted and made again, with what hangs on it lost. `ours`: it is ours from now
 * on. `value`: a field has this value. `edge`: who belongs to whom, in the order of `MEMBERSHIP`, with which priority; null for not at all. `order`:
 * the whole list. `renamed`: what is ours is called otherwise.
 */
export type Effect =
  | ({ readonly effect: 'there' | 'gone' | 'renewed' | 'ours' } & Subject)
  | ({ readonly effect: 'value'; readonly field: string; readonly value: Json } & Subject)
  | { readonly effect: 'edge'; readonly ends: readonly [Reference, Reference]; readonly value: Json }
  | { readonly effect: 'order'; readonly type: KindName; readonly order: readonly Reference[] }
  | { readonly effect: 'renamed'; readonly from: Address; readonly to: Address };

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
  const distinct = new Map(all.map((effect) => [canonicalJson(effect as unknown as Json), effect]));
  return [...distinct].sort(([a], [b]) => byText(a, b)).map(([, effect]) => effect);
}

function isRenewed({ change }: ResourceChange): boolean {
  return change.actions[1] === 'create';
}

function effectsOfChange(change: ResourceChange, renewed: ReadonlySet<string>): readonly Effect[] {
  const { address, id, type, fields } = change;
  const anew = { address, id: null };
  switch (change.change.actions[0]) {
    case 'no-op':
      return [];
    case 'create':
      return [...existence(change), ...whole(change, anew)];
    case 'delete':
      if (!isRenewed(change)) return [{ effect: 'gone', address, id }];
      return [{ effect: 'renewed', address, id }, ...existence(change), ...whole(change, anew)];
    case 'update': {
      const values = (subject: Subject): readonly Effect[] => fields.flatMap((field) => closed(field, type, subject));
      // What hangs on an object that is made again may go with it, and then is made again as well.
      const key = address.slice(address.indexOf('/') + 1);
      const hangs = KINDS[type].parents?.(key).some((parent) => renewed.has(parent)) === true;
      return hangs ? [...existence(change), ...values(anew)] : values({ address, id });
    }
  }
}

/** An object that its request names may be there, made by a run that did not live to record it: then it is only to become ours. */
function existence({ address, type }: ResourceChange): readonly Effect[] {
  const anew = { address, id: null };
  const isNamed = KINDS[type].identity === undefined;
  return [{ effect: 'there', ...anew }, ...(isNamed ? [{ effect: 'ours', ...anew } as const] : [])];
}

/** Everything that is declared of an object that is made: what of it a run that is cut off leaves open is among it. */
function whole({ type, fields, change }: ResourceChange, subject: Subject): readonly Effect[] {
  const edges = fields.filter(({ field }) => isMembership(type, field));
  const values = Object.entries(change.after ?? {}).filter(
    ([name]) => !isMembership(type, name) && KINDS[type].fields[name]?.option !== true,
  );
  return [
    ...values.map(([field, value]): Effect => ({ effect: 'value', ...subject, field, value })),
    ...edges.flatMap((field) => closed(field, type, subject)),
  ];
}

function closed(change: FieldChange, type: KindName, subject: Subject): readonly Effect[] {
  if (!isInReach(change)) return [];
  const { field, before, after } = change;
  if (!isMembership(type, field)) return [{ effect: 'value', ...subject, field, value: after }];
  const [was, is] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const others = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = others.filter((other) => !equalJson(was[other], is[other]));
  const isLeft = MEMBERSHIP.left.kind.name === type;
  return changed.map((other) => ({
    effect: 'edge',
    ends: isLeft ? [subject.address, other] : [other, subject.address],
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

/** The list as the writes leave it, those that nothing declares included: a rule means something only among the others. */
function orders({ steps, requests, live_order: live }: Plan): readonly Effect[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const sent = requests.plan.flatMap((request) => request.steps.flatMap((id) => byId.get(id) ?? []));
  const own = sent.filter(({ type }) => type === ORDERED.name);
  if (!own.some(({ operation, position }) => operation === 'create' || position !== null)) return [];
  return [
    { effect: 'order', type: ORDERED.name, order: own.map((step) => listWrite(step, live)).reduce(written, live) },
  ];
}

function listWrite(step: Step, live: readonly Reference[]): ListWrite {
  const { operation, address, object, position } = step;
  const key = address !== null && (operation === 'create' || live.includes(address)) ? address : String(object);
  if (operation === 'delete') return { key, op: 'delete' };
  if (position === null) return { key, op: 'update', position: { kind: 'stay' } };
  return {
    key,
    op: 'update',
    position: 'last' in position ? { kind: 'last' } : { kind: 'before', key: position.before },
  };
}
