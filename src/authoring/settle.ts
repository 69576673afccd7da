// Entries for the objects of a license that leave nothing to plan. Every doubt goes to the planner: what it would change is left out, with the
// reason.

import { InternalError, UsageError } from '../base/errors.ts';
import { equalJson, isObject } from '../base/json.ts';
import type { Address, Desired, DesiredResource, LedgerState, Place, Reference } from '../base/model.ts';
import { KINDS, ORDERED } from '../kinds/index.ts';
import type { Maker } from '../kinds/kind.ts';
import { type KindLimits, limitsOf } from '../kinds/limits.ts';
import { resolve } from '../manifest/resolve.ts';
import { onDay } from '../manifest/schedules.ts';
import { type DeclaredEntry, declaredEntries } from '../manifest/sections.ts';
import { checkDefinitions } from '../manifest/together.ts';
import { validate } from '../manifest/validate.ts';
import { makePlan } from '../plan/assemble.ts';
import { bind } from '../plan/binding/bind.ts';
import { identify } from '../plan/binding/identify.ts';
import { withRecovered } from '../plan/binding/recover.ts';
import type { PlanInput } from '../plan/input.ts';
import { mergedOrder } from '../plan/order/merged-order.ts';
import { collector } from '../yaml/diagnostics.ts';
import { type Path, pathText } from '../yaml/places.ts';
import { candidatesOf, type Known } from './candidates.ts';
import { type ImportEntry, manifestOf } from './entry.ts';
import { type ImportChoice, type Imported, importedOf, NO_REPAIRS, type Repairs } from './imported.ts';

export interface Settled {
  readonly imported: Imported;
  /** The desired state with the entries. Their places mean nothing. */
  readonly desired: Desired;
}

/** Each round leaves something out, or binds something. */
const MOST_ROUNDS = 1000;

/** @throws UsageError when nothing could be planned with the entries */
export function settle(input: PlanInput, choice: ImportChoice): Settled {
  const known = knownOf(input);
  const candidates = candidatesOf(known, choice.externals);
  // A rule that is about to move says nothing about the place of its neighbours. Only a declared one moves.
  const moving = new Set(input.desired.ruleOrder.length === 0 ? [] : makePlan(input).plan?.reorder?.moved);
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

/** Unmanaged are the objects that no plan changes, and those that `prune: all` would delete. */
export function knownOf({ desired, live, ledger, moved = [], recovery }: PlanInput): Known {
  const known = withRecovered(ledger, recovery?.recovered ?? []);
  const { bindings } = identify({ desired, live, known, moved, stays: () => 'left as it is' });
  return { desired, live, bindings };
}

/** What the first check finds that finds something, from the cheapest check to the dearest. */
function firstFindings(
  input: PlanInput,
  known: Known,
  { withIds, maker }: ImportChoice,
  imported: Imported,
  desired: Desired,
): Partial<Repairs> | null {
  const { options, live } = input;
  const all = [...imported.entries, ...imported.lookedUp];
  const refused = refusedByRules(all, maker, limitsOf(live.version, options.limits));
  if (refused.whole.size + refused.fields.size > 0) return refused;
  const whole = refusedByDeclared(known, desired, imported);
  if (whole.size > 0) return { whole };
  const ids = withIds ? new Set<Address>() : unidentified(imported, desired, input);
  return ids.size > 0 ? { ids } : changedByPlan(input, imported, desired, withIds);
}

/** Entries and fields that the manifest's own rules refuse, each by itself. A warning is no refusal. */
function refusedByRules(
  entries: readonly ImportEntry[],
  maker: Maker,
  limits: KindLimits,
): Pick<Repairs, 'whole' | 'fields'> {
  const manifest = manifestOf(entries);
  const all = declaredEntries(manifest);
  const collected = collector();
  validate({ value: manifest, plain: false }, all, maker, limits, collected.emit);
  checkDefinitions(all, collected.emit);
  const own = new Set(entries.map(({ address }) => address));
  const byPath = new Map(all.map((entry) => [pathText(entry.path), entry]));
  const whole = new Map<Address, string>();
  const fields = new Map<Address, Map<string, string>>();
  for (const { path, severity, message } of collected.found) {
    if (severity === 'warning') continue;
    const entry = ownerOf(path, byPath);
    if (entry === null || !own.has(entry.address)) continue;
    const field = path[entry.path.length];
    if (typeof field !== 'string' || KINDS[entry.kind.name].fields[field] === undefined) {
      whole.set(entry.address, message);
    } else {
      const found = fields.get(entry.address) ?? new Map<string, string>();
      fields.set(entry.address, found.set(field, found.get(field) ?? message));
    }
  }
  return { whole, fields };
}

/** The innermost entry that a path leads into: the value of a property may be inside of an entry of another kind. */
function ownerOf(path: Path, byPath: ReadonlyMap<string, DeclaredEntry>): DeclaredEntry | null {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const entry = byPath.get(pathText(path.slice(0, depth)));
    if (entry !== undefined) return entry;
  }
  return null;
}

/** Values that the declared definition refuses, although the definition on the license accepts them. */
function refusedByDeclared({ desired: before }: Known, desired: Desired, { entries }: Imported): Repairs['whole'] {
  const own = new Set(entries.map(({ address }) => address));
  const declared = new Map<string, DesiredResource>(before.resources.map((each) => [each.address, each]));
  const found = desired.resources.flatMap(({ address, kind, key, spec }): readonly (readonly [Address, string])[] => {
    const { definition } = KINDS[kind];
    const owner = definition === undefined ? undefined : declared.get(definition.of(key));
    const refusal = owner === undefined || !own.has(address) ? null : (definition?.refusal(owner.spec, spec) ?? null);
    if (owner === undefined || refusal?.severity !== 'error') return [];
    return [[address, `${owner.address} refuses it: ${refusal.message}`]];
  });
  return new Map(found);
}

/** Entries that would mean another object, or none, without this ledger. */
function unidentified({ entries }: Imported, desired: Desired, { live }: PlanInput): ReadonlySet<Address> {
  const { bound } = bind(desired, live, new Map(), () => 'left as it is');
  return new Set(
    entries.flatMap(({ address, kind, id, value }) => {
      const isBound = KINDS[kind].id === undefined || (isObject(value) && equalJson(value['id'], id));
      return isBound || bound.get(address)?.object?.id === id ? [] : [address];
    }),
  );
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
    const byPlace = new Map(desired.resources.map((resource) => [resource.place, resource]));
    const whole = problems.map(({ place, message }) => {
      const resource = byPlace.get(place);
      if (resource === undefined || !own.has(resource.address))
        throw new UsageError(`with the imported entries, nothing could be planned: ${message}`, problems);
      return [resource.address, message] as const;
    });
    return { whole: new Map(whole) };
  }
  const whole = new Map<Address, string>();
  const fields = new Map<Address, ReadonlyMap<string, string>>();
  for (const { address, type, change, fields: changes, moved } of plan.resource_changes) {
    // The declared rules decide which rule moves, and whether one does.
    if (!own.has(address) || (changes.length === 0 && (change.actions[0] === 'no-op' || moved !== null))) continue;
    if (KINDS[type].entry === 'value' || changes.length === 0) whole.set(address, changes[0]?.reason ?? UNSTEADY);
    else fields.set(address, new Map(changes.map(({ field, reason }) => [field, reason ?? UNSTEADY])));
  }
  return whole.size + fields.size > 0 ? { whole, fields } : null;
}

const UNSTEADY = 'an apply would change it once it is declared';

/** The ledger after an import, before it records what was applied. */
export function withBindings(ledger: LedgerState, entries: readonly ImportEntry[]): LedgerState {
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
    // A field that is a problem although it is left out is not the only cause.
    const [again] = [...found].filter(([field]) => before.has(field));
    if (again === undefined) fields.set(address, new Map([...before, ...found]));
    else whole.set(address, again[1]);
  }
  return { whole, fields, ids: new Set([...one.ids, ...(more.ids ?? [])]) };
}

/** The desired state that reading the manifest with the entries would give. */
function withEntries(
  { desired, live, bindings }: Known,
  moving: ReadonlySet<Reference>,
  { entries, lookedUp }: Imported,
): Desired {
  const manifest = manifestOf([...entries, ...lookedUp]);
  const { version } = live;
  const { entries: declared } = onDay(declaredEntries(manifest), manifest, {
    version,
    dayIn: () => 0,
    placeAt: nowhere,
    absences: new Map(),
    feeds: new Map(),
  });
  const own = new Set([...entries, ...lookedUp].map(({ address }) => address));
  const added = resolve(
    declared.filter(({ address }) => own.has(address)),
    { clients: [], complete: [], externals: [], people: { rows: new Map(), marked: new Map() }, waiting: new Set() },
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

/** A place object per entry, by which a problem of the planner is matched with its entry. */
function nowhere(): Place {
  return { file: '', line: 1, column: 1, length: 1 };
}
