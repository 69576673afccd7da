// Ledger events of a run: what the ledger learns from it.

import { digest } from '../base/digest.ts';
import { grouped } from '../base/grouped.ts';
import { equalJson, isObject } from '../base/json.ts';
import type { Address, Applied, Json, LedgerState, ObjectId, Reference, Spec, Version } from '../base/model.ts';
import { perVersion } from '../kinds/field.ts';
import { mapReferences, referencesOf, withoutReference } from '../kinds/fields.ts';
import { isAddress, isMembership, KINDS, kindOf, MEMBERSHIP, ORDERED } from '../kinds/index.ts';
import { secretField } from '../kinds/kind.ts';
import type { LedgerEvent, Stamp } from '../ledger/events.ts';
import { isInReach } from '../plan/diff.ts';
import { written } from '../plan/order/sequence.ts';
import type { Plan } from '../plan/plan.ts';
import { formerAddress } from '../plan/reference.ts';
import type { GivenSecret } from './given-secrets.ts';
import type { KeptForm, Outcomes, StepResult } from './outcome.ts';

/** Changes of ownership that need no request: recovered and adopted objects are bound, lost ones forgotten, renamed ones moved. */
export function adoptions({ bindings }: Plan, stamp: Stamp): readonly LedgerEvent[] {
  return [
    ...bindings.recover.flatMap(({ address, id, intent, secret, former }): readonly LedgerEvent[] => [
      ...(former === undefined ? [] : [formerBound(address, former, stamp)]),
      { ...stamp, type: 'bound', address, id, origin: 'created' },
      ...(secret === null ? [] : [{ ...stamp, type: 'secret', address, id, state: secret } as const]),
      { ...stamp, type: 'done', intent, outcome: 'created', created: id },
    ]),
    ...bindings.absent.map((intent): LedgerEvent => ({ ...stamp, type: 'done', intent, outcome: 'refused' })),
    ...renames({ bindings }, stamp),
    ...bindings.forget.map((address): LedgerEvent => ({ ...stamp, type: 'forgotten', address })),
    ...bindings.adopt.map(
      ({ address, id }): LedgerEvent => ({ ...stamp, type: 'bound', address, id, origin: 'adopted' }),
    ),
  ];
}

export function renames({ bindings }: Pick<Plan, 'bindings'>, stamp: Stamp): readonly LedgerEvent[] {
  return bindings.move.map(({ from, to }): LedgerEvent => ({ ...stamp, type: 'moved', from, to }));
}

/** An object that is replaced and still there is owned under another address until it goes. */
function formerBound(address: Address, id: ObjectId, stamp: Stamp): LedgerEvent {
  return { ...stamp, type: 'bound', address: formerAddress(kindOf(address), id), id, origin: 'created' };
}

/** Changes of ownership by requests that just ended. */
export function ownership(
  { steps, references }: Pick<Plan, 'steps' | 'references'>,
  results: readonly StepResult[],
  stamp: Stamp,
): readonly LedgerEvent[] {
  return results.flatMap(({ step, outcome }): readonly LedgerEvent[] => {
    if (outcome.status !== 'done' || step.address === null) return [];
    if (step.operation === 'create' && outcome.id !== null) {
      const bound = { ...stamp, type: 'bound', address: step.address, id: outcome.id, origin: 'created' } as const;
      const former = references[step.address];
      const goes = former === undefined ? null : formerAddress(step.type, former);
      const isThere = goes !== null && steps.some(({ address }) => address === goes);
      return former !== undefined && isThere ? [formerBound(step.address, former, stamp), bound] : [bound];
    }
    if (step.operation !== 'delete') return [];
    return [{ ...stamp, type: 'forgotten', address: step.address, because: 'deleted' }];
  });
}

/** An object before the plan changes it. */
interface Image {
  readonly id: ObjectId | null;
  readonly spec: Spec | null;
}

/**
 * Returns images by address: the fields that the plan changes, or the whole spec of an object that is deleted; null when the plan does not change it.
 */
export function imagesOf({ resource_changes: changes }: Plan): (address: Address) => Image | null {
  const byAddress = new Map(changes.map((each) => [each.address, each]));
  return (address) => {
    const found = byAddress.get(address);
    if (found === undefined) return null;
    const { id, change, fields } = found;
    if (change.before === null || change.actions[0] === 'delete') return { id, spec: change.before };
    const changed = new Set(fields.map(({ field }) => field));
    return { id, spec: Object.fromEntries(Object.entries(change.before).filter(([name]) => changed.has(name))) };
  };
}

/**
 * Returns images of the values that go with a definition, by its address. Without them a run that is killed before it writes the values again leaves
 * none.
 */
export function lossesOf({
  resource_changes: changes,
}: Plan): (definition: Address) => readonly (readonly [Address, Image])[] {
  const byDefinition = grouped(
    changes.flatMap(({ address, type, id, change }) => {
      const definition = KINDS[type].definition?.of(address.slice(type.length + 1));
      if (definition === undefined || change.before === null) return [];
      return [[definition, [address, { id, spec: change.before }] as const] as const];
    }),
  );
  return (definition) => byDefinition.get(definition) ?? [];
}

/** Images of what refers to an object before it is deleted, and what the ledger knows of it after. */
interface Referrers {
  readonly before: (deleted: Address) => readonly (readonly [Address, Image])[];
  readonly after: (deleted: Address, stamp: Stamp) => readonly LedgerEvent[];
}

/**
 * The service takes a deleted object out of everything that refers to it. What the plan itself changes there has an image of its own; the rest is known
 * as it was read, or was applied last. `idOf` returns the id that an address had which owns nothing any more: this run may give the address to another
 * object.
 */
export function referrersOf(
  { resource_changes: changes, bindings: { forget, adopt } }: Plan,
  { bindings, applied: known }: LedgerState,
  idOf: (lost: Address) => Reference,
): Referrers {
  // Nothing is taken out of what is gone itself.
  const gone = new Set(forget);
  const adopted = new Map(adopt.map(({ address, id }) => [address, String(id)]));
  const nameNow = (reference: Reference): Reference => {
    if (!isAddress(reference) || bindings.has(reference)) return reference;
    const id = idOf(reference);
    return adopted.get(reference) === id ? reference : id;
  };
  const held = new Map(
    [...known].flatMap(([address, last]) =>
      gone.has(address)
        ? []
        : [[address, { ...last, spec: mapReferences(KINDS[kindOf(address)], last.spec, nameNow) }] as const],
    ),
  );
  const ownFields = new Map<Address, ReadonlySet<string> | 'all'>(
    changes.map(({ address, change, fields }) => [
      address,
      change.actions[0] === 'delete' ? 'all' : new Set(fields.map(({ field }) => field)),
    ]),
  );
  const read = new Map<Reference, Spec | null>(changes.map(({ address, change }) => [address, change.before]));
  const of = new Map<Reference, Set<Address>>();
  for (const [address, { spec }] of held)
    for (const reference of referencesOf(KINDS[kindOf(address)], spec))
      of.set(reference, (of.get(reference) ?? new Set()).add(address));
  /** Fields of the referrer that name the object, and that the plan does not change. */
  const naming = (referrer: Address, deleted: Address): readonly string[] => {
    const own = ownFields.get(referrer);
    const kind = KINDS[kindOf(referrer)];
    const spec = held.get(referrer)?.spec;
    if (own === 'all' || spec === undefined) return [];
    return Object.keys(spec).filter(
      (name) =>
        own?.has(name) !== true &&
        referencesOf(kind, Object.fromEntries([[name, spec[name] ?? null]])).includes(deleted),
    );
  };
  /** Whether the image of the deleted object has the membership. It was read; what the ledger has was applied once, and may have changed since. */
  const isInOwnImage = (referrer: Address, name: string, deleted: Address): boolean => {
    const { left, right } = MEMBERSHIP;
    const other = kindOf(deleted) === left.kind.name ? left : right;
    return isMembership(kindOf(referrer), name) && isObject(read.get(deleted)?.[other.field]);
  };
  return {
    before: (deleted) =>
      [...(of.get(deleted) ?? [])].flatMap((referrer) => {
        const names = naming(referrer, deleted).filter((name) => !isInOwnImage(referrer, name, deleted));
        const id = bindings.get(referrer)?.id;
        if (names.length === 0 || id === undefined) return [];
        const spec = { ...held.get(referrer)?.spec, ...read.get(referrer) };
        return [[referrer, { id, spec: Object.fromEntries(names.map((name) => [name, spec[name] ?? null])) }] as const];
      }),
    after: (deleted, stamp) =>
      [...(of.get(deleted) ?? [])].flatMap((referrer): readonly LedgerEvent[] => {
        const last = held.get(referrer);
        const names = naming(referrer, deleted);
        if (last === undefined || names.length === 0) return [];
        const spec = withoutReference(
          KINDS[kindOf(referrer)],
          { ...last.spec, ...partOf(read.get(referrer), names) },
          deleted,
        );
        held.set(referrer, { ...last, spec });
        const { at, ...known } = { ...last, spec };
        return [{ ...stamp, type: 'applied', address: referrer, ...known, applied_at: at }];
      }),
  };
}

function partOf(spec: Spec | null | undefined, names: readonly string[]): Spec {
  return Object.fromEntries(Object.entries(spec ?? {}).filter(([name]) => names.includes(name)));
}

/** Ids of all rules as the plan found them, unmanaged ones too. `known` has what is owned and not declared. */
export function idsFound(plan: Plan, known: LedgerState['bindings']): readonly string[] {
  return plan.live_order.map((name) => String(plan.references[name] ?? known.get(name as Address)?.id ?? name));
}

/** The same once all writes of rules are done. */
export function idsLeft(plan: Plan, outcomes: Outcomes, known: LedgerState['bindings']): readonly string[] {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const made = new Map<string, ObjectId>(Object.entries(plan.references));
  const sent = plan.requests.plan.flatMap((request) => request.steps.flatMap((id) => steps.get(id) ?? []));
  return sent
    .filter(({ type }) => type === ORDERED.name)
    .reduce(
      (ids, { id, address, object, operation, position }) => {
        const outcome = outcomes.get(id);
        const own = object ?? (outcome?.status === 'done' ? outcome.id : null);
        if (own === null || operation === 'transition') return ids;
        if (address !== null) made.set(address, own);
        if (operation === 'delete') return written(ids, { key: String(own), op: 'delete' });
        if (position === null) return ids;
        const before = 'before' in position ? String(made.get(position.before) ?? position.before) : null;
        return written(ids, {
          key: String(own),
          op: 'create',
          position: before === null ? { last: true } : { before },
        });
      },
      idsFound(plan, known),
    );
}

export function completed(plan: Plan, outcomes: Outcomes): ReadonlySet<Address> {
  const incomplete = new Set(
    plan.steps.filter(({ id }) => outcomes.get(id)?.status !== 'done').flatMap(({ serves }) => serves),
  );
  const served = plan.steps.flatMap(({ serves }) => serves);
  return new Set(served.filter((address) => !incomplete.has(address)));
}

/** Returns the desired specs that now hold: of completed resources, and of those without a difference that the ledger did not know. */
export function applied({ plan, done, known, isPartial, given }: Holding, stamp: Stamp): readonly LedgerEvent[] {
  return plan.resource_changes.flatMap(({ address, type, change, adopting, fields }): readonly LedgerEvent[] => {
    const { actions, after } = change;
    // For an object that chatform created, the record counts as complete: an unreadable field would be taken for one that was never set.
    const isWhole = fields.every(({ reach }) => reach !== 'unreadable');
    const isTrue = done.has(address) || ((adopting || isWhole) && actions[0] === 'no-op');
    if (!isTrue || after === null) return [];
    const missed = new Set(fields.flatMap((each) => (isInReach(each) ? [] : [each.field])));
    const before = known.get(address);
    const secret = secretField(KINDS[type]);
    const digestOfSecret = given.get(address)?.digest ?? null;
    if (secret !== null && digestOfSecret === null) missed.add(secret);
    const isKept = (field: string): boolean => missed.has(field) || (isPartial && after[field] === undefined);
    const now = split(type, after, missed, plan.api_version, digestOfSecret);
    const written = new Set(fields.map(({ field }) => field));
    const recorded = adopting || before === undefined ? now : withKept(now, before, isKept, written);
    const isNews = adopting || done.has(address) || !isKnown(recorded, before);
    return isNews ? [{ ...stamp, type: 'applied', address, ...recorded }] : [];
  });
}

/** What a run has done, and what the ledger knew before. */
interface Holding {
  readonly plan: Plan;
  readonly done: ReadonlySet<Address>;
  readonly known: LedgerState['applied'];
  readonly isPartial: boolean;
  readonly given: ReadonlyMap<Address, GivenSecret>;
}

type Recorded = Pick<Applied, 'spec' | 'digests' | 'reads'>;

/**
 * Keeps what was applied last of fields that are out of reach now or not declared, and the forms that the service keeps of values that are still meant
 * and are not written again.
 */
function withKept(
  { spec, digests }: Recorded,
  before: Applied,
  isKept: (field: string) => boolean,
  written: ReadonlySet<string>,
): Recorded {
  const kept = <T>(values: { readonly [name: string]: T }, isMeant = isKept): { readonly [name: string]: T } =>
    Object.fromEntries(Object.entries(values).filter(([name]) => isMeant(name)));
  const whole = { ...kept(before.spec), ...spec };
  const reads = kept(
    before.reads ?? {},
    (name) => !written.has(name) && equalJson(whole[name] ?? null, before.spec[name] ?? null),
  );
  return {
    spec: whole,
    digests: { ...kept(before.digests), ...digests },
    ...(Object.keys(reads).length === 0 ? {} : { reads }),
  };
}

function isKnown(recorded: Recorded, known: Applied | undefined): boolean {
  return known !== undefined && equalJson(recorded.spec, known.spec) && equalJson(recorded.digests, known.digests);
}

/** Returns the record of each object of which the service keeps another form, with what was read. */
export function formsRead(
  forms: readonly KeptForm[],
  known: LedgerState['applied'],
  stamp: Stamp,
): readonly LedgerEvent[] {
  return [...grouped(forms.map((form) => [form.address, form] as const))].flatMap(
    ([address, own]): readonly LedgerEvent[] => {
      const before = known.get(address);
      if (before === undefined) return [];
      const { spec, digests } = before;
      const reads = { ...before.reads, ...Object.fromEntries(own.map(({ field, read }) => [field, read])) };
      return [{ ...stamp, type: 'applied', address, spec, digests, reads }];
    },
  );
}

/** Splits a spec: readable fields are kept as values, the others as digests, missed ones not at all. */
function split(
  kind: keyof typeof KINDS,
  spec: Spec,
  missed: ReadonlySet<string>,
  version: Version,
  digestOfSecret: string | null,
): Recorded {
  const readable: Record<string, Json> = {};
  const digests: Record<string, string> = {};
  for (const [name, value] of Object.entries(spec)) {
    if (missed.has(name)) continue;
    const field = KINDS[kind].fields[name];
    if (field === undefined || field.option === true) continue;
    const reading = perVersion(field.readable, version);
    if (field.secret === true) digests[name] = digestOfSecret ?? '';
    else if (reading === 'list' || reading === 'get') readable[name] = value;
    else digests[name] = digest(value);
  }
  return { spec: readable, digests };
}
