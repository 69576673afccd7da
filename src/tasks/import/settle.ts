// A license, what is declared of it and the ledger in; entries after which nothing is left to plan of what they declare, out. Pure: every doubt is
// asked of the planner, and what it would change is left out with its reason.

import { InternalError, UsageError } from '../../base/errors.ts';
import { equalJson } from '../../base/json.ts';
import type { Address, Desired, DesiredResource, Json, LedgerState, Place, Reference } from '../../base/model.ts';
import { KINDS, ORDERED } from '../../kinds/index.ts';
import { limitsOf } from '../../kinds/limits.ts';
import { resolve } from '../../manifest/resolve.ts';
import { declaredEntries } from '../../manifest/sections.ts';
import { makePlan } from '../../plan/assemble.ts';
import { bind } from '../../plan/binding/bind.ts';
import { identify } from '../../plan/binding/identify.ts';
import { withRecovered } from '../../plan/binding/recover.ts';
import type { PlanInput } from '../../plan/input.ts';
import { candidatesOf, type Known } from './candidates.ts';
import type { Entry } from './entry.ts';
import { findingsIn } from './findings.ts';
import { type Choice, type Imported, importedOf, NO_REPAIRS, type Repairs } from './imported.ts';
import { manifestOf } from './manifest-value.ts';
import { mergedOrder } from './rule-order.ts';

export interface Settled {
  readonly imported: Imported;
  /** What the manifest says with the entries. Their places mean nothing. */
  readonly desired: Desired;
}

/** Each round leaves out, or binds, something more. */
const MOST_ROUNDS = 1000;

/** @throws UsageError for what would keep even the rest from being planned */
export function settle(input: PlanInput, choice: Choice): Settled {
  const known = knownOf(input);
  const candidates = candidatesOf(known, choice.externals);
  // What is about to move says nothing about the place of its neighbours.
  const moving = new Set(makePlan(input).plan?.reorder?.moved);
  let repairs = NO_REPAIRS;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const imported = importedOf(known, candidates, choice, repairs);
    const desired = withEntries(known, moving, imported);
    const found = firstFindings(input, known, choice, imported, desired);
    if (found === null) return { imported, desired };
    repairs = joined(repairs, found);
  }
  throw new InternalError('an import does not come to an end');
}

/** Nobody's objects are those that nobody's plan would touch: what `prune: all` would delete is nobody's, too. */
export function knownOf({ desired, live, ledger, moved = [], recovery }: PlanInput): Known {
  const known = withRecovered(ledger, recovery?.recovered ?? []);
  const { bindings } = identify({ desired, live, known, moved, stays: () => 'left as it is' });
  return { desired, live, bindings };
}

/** The cheapest question that has an answer. */
function firstFindings(
  input: PlanInput,
  known: Known,
  { withIds, maker }: Choice,
  imported: Imported,
  desired: Desired,
): Partial<Repairs> | null {
  const { options, live } = input;
  const all = [...imported.entries, ...imported.lookedUp];
  const wrong = findingsIn(all, maker, limitsOf(live.version, options.limits));
  if (wrong.whole.size + wrong.fields.size > 0) return wrong;
  const whole = refusedByDeclared(known, desired, imported);
  if (whole.size > 0) return { whole };
  const ids = withIds ? new Set<Address>() : unidentified(imported, desired, input);
  return ids.size > 0 ? { ids } : changedByPlan(input, imported, desired, withIds);
}

/** Values that the definition of the manifest does not take, although that of the license does. */
function refusedByDeclared({ desired: before }: Known, desired: Desired, { entries }: Imported): Repairs['whole'] {
  const own = new Set(entries.map(({ address }) => address));
  const declared = new Map<string, DesiredResource>(before.resources.map((each) => [each.address, each]));
  const found = desired.resources.flatMap(({ address, kind, key, spec }): readonly (readonly [Address, string])[] => {
    const { definition } = KINDS[kind];
    const owner = definition === undefined ? undefined : declared.get(definition.of(key));
    const refusal = owner === undefined || !own.has(address) ? null : (definition?.refusal(owner.spec, spec) ?? null);
    if (owner === undefined || refusal?.severity !== 'error') return [];
    return [[address, `${owner.address} does not take it: ${refusal.message}`]];
  });
  return new Map(found);
}

/** Entries that mean another object, or none, to whoever has not this ledger. */
function unidentified({ entries }: Imported, desired: Desired, { live }: PlanInput): ReadonlySet<Address> {
  const { bound } = bind(desired, live, new Map(), () => 'left as it is');
  return new Set(
    entries.flatMap(({ address, kind, id, value }) => {
      const says = KINDS[kind].id === undefined || equalJson(idIn(value), id);
      return says || bound.get(address)?.object?.id === id ? [] : [address];
    }),
  );
}

function idIn(value: Json): Json {
  return (Object(value) as { readonly id?: Json }).id ?? null;
}

function changedByPlan(
  input: PlanInput,
  { entries }: Imported,
  desired: Desired,
  withIds: boolean,
): Partial<Repairs> | null {
  const ledger = withIds ? input.ledger : withBindings(input.ledger, entries);
  const { plan, problems } = makePlan({ ...input, desired, ledger });
  const own = new Map(entries.map((entry) => [entry.address, entry]));
  if (plan === null) {
    const whole = problems.map(({ place, message }) => {
      const resource = desired.resources.find((each) => each.place === place);
      if (resource === undefined || !own.has(resource.address))
        throw new UsageError(`with what would be imported nothing could be planned: ${message}`, problems);
      return [resource.address, message] as const;
    });
    return { whole: new Map(whole) };
  }
  const whole = new Map<Address, string>();
  const fields = new Map<Address, ReadonlyMap<string, string>>();
  for (const { address, type, change, fields: changes, moved } of plan.resource_changes) {
    // Which rule moves is a matter of the declared ones; that any has to is theirs, too.
    if (!own.has(address) || (changes.length === 0 && (change.actions[0] === 'no-op' || moved !== null))) continue;
    if (KINDS[type].entry === 'value' || changes.length === 0) whole.set(address, changes[0]?.reason ?? UNSTEADY);
    else fields.set(address, new Map(changes.map(({ field, reason }) => [field, reason ?? UNSTEADY])));
  }
  return whole.size + fields.size > 0 ? { whole, fields } : null;
}

const UNSTEADY = 'an apply would change it as soon as it is declared';

/** The ledger as an import leaves it, before it says what was applied. */
export function withBindings(ledger: LedgerState, entries: readonly Entry[]): LedgerState {
  const bindings = new Map(ledger.bindings);
  const applied = new Map(ledger.applied);
  for (const { address, id } of entries) {
    if (bindings.get(address)?.id !== id) bindings.set(address, { id, origin: 'imported' });
    applied.delete(address);
  }
  return { ...ledger, bindings, applied };
}

function joined(one: Repairs, more: Partial<Repairs>): Repairs {
  const fields = new Map(one.fields);
  const whole = new Map([...one.whole, ...(more.whole ?? [])]);
  for (const [address, found] of more.fields ?? []) {
    const before = fields.get(address) ?? new Map<string, string>();
    // A field that makes trouble although it is left out is not to blame alone.
    const [again] = [...found].filter(([field]) => before.has(field));
    if (again === undefined) fields.set(address, new Map([...before, ...found]));
    else whole.set(address, again[1]);
  }
  return { whole, fields, ids: new Set([...one.ids, ...(more.ids ?? [])]) };
}

/** The manifest with the entries, as reading it would give it. */
function withEntries(
  { desired, live, bindings }: Known,
  moving: ReadonlySet<Reference>,
  { entries, lookedUp }: Imported,
): Desired {
  const declared = declaredEntries(manifestOf([...entries, ...lookedUp]));
  const own = new Set([...entries, ...lookedUp].map(({ address }) => address));
  const added = resolve(
    declared.filter(({ address }) => own.has(address)),
    { clients: [], complete: [], externals: [] },
    nowhere,
  );
  const addresses = new Map(
    entries.flatMap(({ kind, id, address }) => (kind === ORDERED.name ? [[id, address] as const] : [])),
  );
  const listed = live.ruleOrder.map((id) => addresses.get(id) ?? (bindings.referenceTo(ORDERED.name, id) as Address));
  const isNew = new Set(added.ruleOrder);
  return {
    ...desired,
    resources: [...desired.resources, ...added.resources],
    externals: [...desired.externals.filter(({ address }) => !own.has(address)), ...added.externals],
    ruleOrder: mergedOrder(desired.ruleOrder, listed, {
      isNew: (address) => isNew.has(address),
      moves: (address) => moving.has(address),
    }),
    namespaces: [...new Set([...desired.namespaces, ...added.namespaces])].sort(),
  };
}

/** A place of its own for each, by which a problem of the planner is found again. */
function nowhere(): Place {
  return { file: '', line: 1, column: 1, length: 1 };
}
