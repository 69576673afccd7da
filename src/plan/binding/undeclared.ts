// Live objects and ledger entries that no declaration binds: which objects may go, which stay, and what is gone.

import { byText } from '../../base/json.ts';
import type { Address, Binding, Desired, Live, LiveObject, ObjectId } from '../../base/model.ts';
import { caseless } from '../../base/text.ts';
import { identityOfId, KIND_NAMES, KINDS, kindOf, subjectOf } from '../../kinds/index.ts';
import { isAdopted, type KindTable } from './claims.ts';

/** Why an undeclared object stays; null when it goes. */
export type Stays = (object: LiveObject, address: Address) => string | null;

export interface Undeclared {
  /** Objects that may go: owned ones, and unmanaged ones of a kind that must have nothing undeclared (a complete kind). */
  readonly undeclared: ReadonlyMap<Address, LiveObject>;
  /** Those of them that the ledger never owned. */
  readonly neverOwned: ReadonlySet<Address>;
  /** Addresses in the ledger that are neither declared nor live, sorted. */
  readonly gone: readonly Address[];
  /** Objects of whose name a selected resource is another spelling, each with that resource: they have to go before it is made. */
  readonly inTheWay: ReadonlyMap<LiveObject, Address>;
  /** Objects that are not owned and stay. */
  readonly unmanaged: readonly LiveObject[];
  /** Why an unmanaged object stays although its kind is complete, or an owned one that chatform did not create although it is undeclared. */
  readonly keptBecause: ReadonlyMap<LiveObject, string>;
}

/** The addresses that the ledger owns and the manifest does not declare. */
export function undeclaredIn(
  ledger: ReadonlyMap<Address, Binding>,
  { resources, externals }: Desired,
): readonly Address[] {
  const declared = new Set(resources.map(({ address }) => address));
  const lookedUp = new Set(externals.map(({ address }) => subjectOf(address)));
  return [...ledger.keys()].filter((address) => !declared.has(address) && !lookedUp.has(subjectOf(address)));
}

/** What is bound so far. */
interface BoundObjects {
  /** Of everything declared that exists, external objects included. */
  readonly ids: ReadonlyMap<Address, ObjectId>;
  readonly tables: ReadonlyMap<string, KindTable>;
}

export function undeclaredObjects(
  desired: Desired,
  live: Live,
  ledger: ReadonlyMap<Address, Binding>,
  stays: Stays,
  selects: (address: Address) => boolean,
  { ids, tables }: BoundObjects,
): Undeclared {
  const owned = new Map<Address, LiveObject>();
  const keptBecause = new Map<LiveObject, string>();
  const gone: Address[] = [];
  const samePerson = personCheck(tables);
  for (const address of undeclaredIn(ledger, desired).toSorted(byText)) {
    const table = tables.get(kindOf(address));
    const binding = ledger.get(address);
    if (table === undefined || binding === undefined) continue;
    const object = table.objects.get(binding.id);
    if (object === undefined || table.claims.has(object.id)) gone.push(address);
    else {
      owned.set(address, object);
      const other = samePerson(object);
      if (other !== null) keptBecause.set(object, other);
      else if (isAdopted(binding) && object.facts.spared !== undefined) keptBecause.set(object, object.facts.spared);
    }
  }
  const isOwned = new Set(owned.values());
  const others = KIND_NAMES.flatMap((name) => live.objects[name] ?? []).filter(
    (object) => !isOwned.has(object) && tables.get(object.kind)?.claims.has(object.id) !== true,
  );
  const leaving = new Map<Address, LiveObject>();
  const inTheWay = otherSpellings(desired, selects, { ids, tables });
  if (desired.complete.length + inTheWay.size > 0) {
    const ownReason = reasonsIn(desired, ids, stays);
    const reasonToStay: Stays = (object, address) => samePerson(object) ?? ownReason(object, address);
    const taken = new Set<Address>([...desired.resources, ...desired.externals].map(({ address }) => address));
    for (const address of ledger.keys()) taken.add(address);
    for (const object of others) {
      if (!desired.complete.includes(object.kind) && !inTheWay.has(object)) continue;
      const address = freeAddress(object, taken);
      const reason = inTheWay.has(object) ? null : reasonToStay(object, address);
      if (reason === null) leaving.set(address, object);
      else keptBecause.set(object, reason);
    }
  }
  const isLeaving = new Set(leaving.values());
  return {
    undeclared: new Map([...owned, ...leaving]),
    neverOwned: new Set(leaving.keys()),
    gone,
    inTheWay,
    unmanaged: isLeaving.size === 0 ? others : others.filter((object) => !isLeaving.has(object)),
    keptBecause,
  };
}

/** The objects whose names differ only in case from a resource that does not exist yet, where the license has one spelling of a name. */
function otherSpellings(
  { resources }: Desired,
  selects: (address: Address) => boolean,
  { ids, tables }: BoundObjects,
): ReadonlyMap<LiveObject, Address> {
  const found = new Map<LiveObject, Address>();
  for (const { kind, objects } of tables.values()) {
    if (kind.soleSpelling === undefined) continue;
    const fresh = resources.filter(
      ({ kind: name, address }) => name === kind.name && !ids.has(address) && selects(address),
    );
    const wanted = new Map(fresh.map(({ key, address }) => [caseless(key), address]));
    if (wanted.size === 0) continue;
    for (const object of objects.values()) {
      const address = wanted.get(caseless(String(object.id)));
      if (address !== undefined) found.set(object, address);
    }
  }
  return found;
}

/** Makes a check of other accounts of people who are declared: those whose ids differ only in case. Null for all other objects. */
function personCheck(tables: ReadonlyMap<string, KindTable>): (object: LiveObject) => string | null {
  const people = new Map<string, ReadonlyMap<ObjectId, Address>>();
  return ({ kind, id }) => {
    const table = tables.get(kind);
    if (table === undefined || KINDS[kind].choosesId !== true) return null;
    const claimed =
      people.get(kind) ?? new Map([...table.claims].map(([own, address]) => [identityOfId(kind, own), address]));
    people.set(kind, claimed);
    const other = claimed.get(identityOfId(kind, id));
    return other === undefined ? null : `it differs only in case from ${other}, so it is the same person`;
  };
}

function reasonsIn(desired: Desired, ids: ReadonlyMap<Address, ObjectId>, stays: Stays): Stays {
  const lookedUp = new Set(desired.externals.map(({ kind, address }) => `${kind} ${ids.get(address)}`));
  const needed = new Set(desired.resources.flatMap(({ kind, key }) => KINDS[kind].parents?.(key) ?? []));
  return (object, address) =>
    (lookedUp.has(`${object.kind} ${object.id}`) ? 'the manifest refers to it as `external`' : null) ??
    (needed.has(address) ? 'declared values hang on it' : null) ??
    object.facts.spared ??
    (object.facts.preset === true ? 'it came with the license' : null) ??
    stays(object, address);
}

/** `<kind>/<id>`; where that is taken, `<kind>/id/<id>`, which only a key with a slash could be. */
function freeAddress({ kind, id }: LiveObject, taken: ReadonlySet<Address>): Address {
  let key = String(id);
  while (taken.has(`${kind}/${key}`)) key = `id/${key}`;
  return `${kind}/${key}`;
}
