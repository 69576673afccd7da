// Spellings of people in a ledger and in `moved:`: an address in other capitals is the same person, so it takes the spelling that the plan goes by.

import { grouped } from '../../base/grouped.ts';
import { byText } from '../../base/json.ts';
import type { Address, Binding, Desired, LedgerState, Live, LiveObject, Move, ObjectId } from '../../base/model.ts';
import { identityOfId, KIND_NAMES, KINDS, kindOf, subjectOf } from '../../kinds/index.ts';
import { undeclaredIn } from './undeclared.ts';

const PEOPLE = KIND_NAMES.filter((kind) => KINDS[kind].choosesId === true);

/** The live objects of a kind of people by the identity of their ids. A license may have several accounts of one person. */
export function accountsIn(objects: readonly LiveObject[]): ReadonlyMap<ObjectId, readonly LiveObject[]> {
  return grouped(objects.map((object) => [identityOfId(object.kind, object.id), object]));
}

/** The ledger with the ids of people as the license writes them, as far as their kinds were read. */
export function withLiveIds(ledger: LedgerState, { objects }: Live): LedgerState {
  const changed = new Map<Address, Binding>();
  for (const kind of PEOPLE) {
    const listed = objects[kind] ?? [];
    const ids = new Set(listed.map(({ id }) => id));
    const missing = [...ledger.bindings].filter(([address, { id }]) => kindOf(address) === kind && !ids.has(id));
    if (missing.length === 0) continue;
    const accounts = accountsIn(listed);
    for (const [address, binding] of missing) {
      const [only, ...others] = accounts.get(identityOfId(kind, binding.id)) ?? [];
      if (only !== undefined && others.length === 0) changed.set(address, { ...binding, id: only.id });
    }
  }
  return changed.size === 0 ? ledger : { ...ledger, bindings: new Map([...ledger.bindings, ...changed]) };
}

/** Renames of owned people whom the manifest writes in other capitals: nothing else about them has changed. */
export function respelled(desired: Desired, { bindings }: LedgerState): readonly Move[] {
  const undeclared = undeclaredIn(bindings, desired);
  if (undeclared.length === 0) return [];
  const people = desired.resources.filter(({ kind, address }) => PEOPLE.includes(kind) && !bindings.has(address));
  const wanted = new Map(people.map((each) => [`${each.kind} ${identityOfId(each.kind, each.id ?? each.key)}`, each]));
  const moves = new Map<Address, Move>();
  for (const from of undeclared) {
    const kind = kindOf(from);
    const meant = wanted.get(`${kind} ${identityOfId(kind, bindings.get(from)?.id ?? '')}`);
    if (meant !== undefined && !moves.has(meant.address))
      moves.set(meant.address, { from, to: meant.address, place: meant.place });
  }
  return [...moves.values()].toSorted((one, other) => byText(one.to, other.to));
}

/** Renames with each person as the manifest or the ledger writes the address. */
export function inOneSpelling(moved: readonly Move[], desired: Desired, { bindings }: LedgerState): readonly Move[] {
  if (moved.length === 0) return moved;
  const known = [...moved.flatMap(({ from, to }) => [from, to]), ...bindings.keys()];
  const addresses = new Set([...known, ...desired.resources.map(({ address }) => address)]);
  const spelled = new Map([...addresses].map((address) => [subjectOf(address), address]));
  const exact = new Set<Address>([...bindings.keys(), ...desired.resources.map(({ address }) => address)]);
  const spell = (address: Address): Address =>
    exact.has(address) ? address : (spelled.get(subjectOf(address)) ?? address);
  return moved.map(({ from, to, place }) => ({ from: spell(from), to: spell(to), place }));
}
