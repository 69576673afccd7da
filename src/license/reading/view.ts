// Views: which part of the license a manifest and a ledger need to be read.

import type { Address, Desired, KindName, LedgerState, ObjectId, Spec, Version } from '../../base/model.ts';
import { lookOf } from '../../base/unseen.ts';
import { perVersion } from '../../kinds/field.ts';
import { identifiedBy } from '../../kinds/fields.ts';
import { identityOfId, isKind, KIND_NAMES, KINDS, MEMBERSHIP, ORDERED, ownersOf } from '../../kinds/index.ts';
import type { WantedObject } from '../../kinds/kind.ts';
import { splitName } from '../../kinds/namespaced.ts';
import { isAdopted } from '../../plan/binding/claims.ts';
import type { PlannerOptions } from '../../plan/input.ts';

export interface LicenseReading {
  readonly kinds: ReadonlySet<KindName>;
  /** The kinds whose lists cost nothing more, because they are read as well; `kinds` when left out. */
  readonly alongside?: ReadonlySet<KindName>;
  readonly fields: ReadonlyMap<KindName, ReadonlySet<string>>;
  readonly namespaces: readonly string[];
  readonly wanted: ReadonlyMap<KindName, WantedObject>;
  /** Kinds of which the ledger owns objects that are no longer declared, each with the ids of those that chatform did not create. */
  readonly losing: ReadonlyMap<KindName, ReadonlySet<ObjectId>>;
  /** Whether a reading learns of every object who made it: what is imported must not belong to another object. */
  readonly makers?: boolean;
  /** Kinds of which everything undeclared is deleted. */
  readonly complete: ReadonlySet<KindName>;
  /** Kinds that are only read because objects of them go with others: a token that may not read them reads the rest. */
  readonly incidental?: ReadonlySet<KindName>;
}

/**
 * Returns the view of the kinds that the manifest manages or refers to, that the ledger owns objects of, or that must have nothing undeclared. With
 * `whole`, also the fields of undeclared objects that were applied: a plan can show what it deletes, and an undo can make it again. `prune`: as the
 * project says it, where a plan is made of the view. `going`: the objects that the plan may delete, where that is not what `desired` lacks; of these,
 * every field that a list has.
 */
export function viewOf(
  desired: Desired,
  ledger: LedgerState,
  version: Version,
  {
    whole = false,
    prune = {},
    protectsKind = () => false,
    going = null,
  }: {
    readonly whole?: boolean;
    readonly prune?: PlannerOptions['prune'];
    readonly protectsKind?: PlannerOptions['protectsKind'];
    readonly going?: ReadonlySet<Address> | null;
  } = {},
): LicenseReading {
  const touched = new Map<KindName, { fields: Set<string>; ids: Set<ObjectId>; looks: Set<string> }>();
  const touch = (kind: KindName) => {
    const known = touched.get(kind) ?? { fields: new Set(), ids: new Set(), looks: new Set() };
    touched.set(kind, known);
    return known;
  };
  const namespaces = new Set(desired.namespaces);
  const addNamespace = (kind: KindName, key: string, spec: Spec): void => {
    const namespace = KINDS[kind].namespace?.({ key, spec }) ?? null;
    if (namespace !== null) namespaces.add(namespace);
  };
  for (const { address, kind, key, id, spec } of desired.resources) {
    const { fields, ids, looks } = touch(kind);
    for (const name of Object.keys(spec)) {
      // Once for each field: the other resources that declare it add nothing.
      if (fields.has(name)) continue;
      fields.add(name);
      const target = KINDS[kind].fields[name]?.references?.kind;
      if (target !== undefined) touch(target);
    }
    const chosen = KINDS[kind].choosesId === true ? key : null;
    for (const known of [id, chosen, ledger.bindings.get(address)?.id])
      if (known !== undefined && known !== null) ids.add(identityOfId(kind, known));
    if (typeof spec['name'] === 'string' && chosen === null) looks.add(lookOf(spec['name']));
    addNamespace(kind, key, spec);
    for (const parent of KINDS[kind].parents?.(key) ?? [])
      if (parent.startsWith(`${MEMBERSHIP.right.kind.name}/`)) touch(MEMBERSHIP.right.kind.name);
  }
  for (const { kind } of desired.externals) touch(kind);
  for (const kind of desired.complete) touch(kind);
  const declared = new Set(desired.resources.map(({ address }) => address));
  const losing = new Map<KindName, Set<ObjectId>>();
  const lose = (kind: KindName): Set<ObjectId> => {
    const found = losing.get(kind) ?? new Set();
    losing.set(kind, found);
    if (going !== null) for (const name of listed(kind, version)) touch(kind).fields.add(name);
    return found;
  };
  for (const [address, binding] of ledger.bindings) {
    const [kind, key] = splitName(address);
    if (!isKind(kind)) continue;
    const { fields } = touch(kind);
    const applied = ledger.applied.get(address)?.spec ?? {};
    if (going === null ? !declared.has(address) : going.has(address)) {
      const found = lose(kind);
      if (isAdopted(binding)) found.add(binding.id);
      if (whole) for (const name of Object.keys(applied)) fields.add(name);
    }
    addNamespace(kind, key, applied);
  }
  for (const intent of ledger.intents.values()) {
    const [kind, key] = splitName(intent.address);
    if (!isKind(kind)) continue;
    const spec = identifiedBy(intent.identity);
    const { fields, looks } = touch(kind);
    if (going?.has(intent.address) === true) lose(kind);
    for (const field of Object.keys(spec)) fields.add(field);
    if (typeof spec['name'] === 'string') looks.add(lookOf(spec['name']));
    addNamespace(kind, key, spec);
  }
  // A rule may route to an object that is deleted, an unmanaged rule included.
  if (Object.values(ORDERED.fields).some(({ references }) => references !== undefined && losing.has(references.kind)))
    touch(ORDERED.name);
  // A group may lose the last agent or bot that gets its chats.
  const goes = (kind: KindName): boolean =>
    desired.complete.includes(kind) ||
    (losing.has(kind) && (whole || going !== null || (prune[kind] ?? KINDS[kind].prune) === 'owned'));
  if (KIND_NAMES.some((kind) => KINDS[kind].serving !== undefined && goes(kind)))
    for (const { kind } of Object.values(MEMBERSHIP)) touch(kind.name);
  for (const side of Object.values(MEMBERSHIP)) {
    if (touched.get(side.kind.name)?.fields.has(side.field) === true)
      for (const both of Object.values(MEMBERSHIP)) touch(both.kind.name);
  }
  // The service deletes with an object what belongs to it, declared or not. What is protected must be known, and an owner may be made again.
  const taken = KIND_NAMES.filter((name) => {
    if (touched.has(name)) return false;
    const mayGo = (owner: KindName): boolean =>
      goes(owner) || (touched.has(owner) && KINDS[owner].replacing !== undefined);
    return protectsKind(name)
      ? ownersOf(KINDS[name]).some(mayGo)
      : KINDS[name].goesWith !== undefined && ownersOf(KINDS[name]).some(goes);
  });
  const incidental = taken.filter((name) => !protectsKind(name));
  for (const name of taken) touch(name);
  return {
    incidental: new Set(incidental),
    kinds: new Set(KIND_NAMES.filter((name) => touched.has(name) && KINDS[name].versions.includes(version))),
    fields: new Map([...touched].map(([name, { fields }]) => [name, fields])),
    wanted: new Map([...touched].map(([name, { ids, looks }]) => [name, { ids, looks }])),
    losing,
    complete: new Set(desired.complete),
    namespaces: [...namespaces].sort(),
  };
}

/** The fields of a kind that its list has. */
function listed(kind: KindName, version: Version): readonly string[] {
  const { fields } = KINDS[kind];
  return Object.keys(fields).filter((name) => {
    const field = fields[name];
    return field !== undefined && field.option !== true && perVersion(field.readable, version) === 'list';
  });
}

/** Returns what a plan reads whatever the ledger says. */
export function declaredView(desired: Desired, version: Version): LicenseReading {
  return viewOf(desired, NOTHING_KNOWN, version);
}

const NOTHING_KNOWN: LedgerState = {
  bindings: new Map(),
  applied: new Map(),
  secrets: new Map(),
  orders: new Map(),
  intents: new Map(),
  remaking: new Map(),
  administrators: null,
};

/** Returns the view of the lists of these kinds, and of nothing else than `more` says. */
export function listsOf(kinds: Iterable<KindName>, more: Partial<Omit<LicenseReading, 'kinds'>> = {}): LicenseReading {
  return {
    kinds: new Set(kinds),
    fields: new Map(),
    namespaces: [],
    wanted: new Map(),
    losing: new Map(),
    complete: new Set(),
    ...more,
  };
}

/** Returns the view of the whole license, as far as a manifest could declare it: every kind, field and object. */
export function wholeView(desired: Desired, ledger: LedgerState, version: Version): LicenseReading {
  const { losing, complete, namespaces } = viewOf(desired, ledger, version);
  const kinds = KIND_NAMES.filter((name) => KINDS[name].versions.includes(version));
  return listsOf(kinds, {
    fields: new Map(kinds.map((name) => [name, new Set(Object.keys(KINDS[name].fields))])),
    wanted: new Map(kinds.map((name) => [name, 'all'])),
    losing,
    complete,
    namespaces,
  });
}
