// Strangers of kinds that are to have nothing undeclared in; which of them go, each by an address of its own, and why the others stay, out.

import type { Address, Binding, Desired, LiveObject, ObjectId } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';

export interface Intrusion {
  readonly desired: Desired;
  readonly strangers: readonly LiveObject[];
  /** Of everything declared, looked up included, that exists. */
  readonly ids: ReadonlyMap<Address, ObjectId>;
  readonly ledger: ReadonlyMap<Address, Binding>;
  /** Why an undeclared object stays whoever made it; null when it goes. */
  readonly stays: (object: LiveObject, address: Address) => string | null;
}

export interface Intruders {
  readonly leaving: ReadonlyMap<Address, LiveObject>;
  readonly spared: ReadonlyMap<LiveObject, string>;
}

export function intruders({ desired, strangers, ids, ledger, stays }: Intrusion): Intruders {
  if (desired.complete.length === 0) return { leaving: new Map(), spared: new Map() };
  const complete = new Set(desired.complete);
  const taken = new Set<Address>([...desired.resources, ...desired.externals].map(({ address }) => address));
  for (const address of ledger.keys()) taken.add(address);
  const lookedUp = new Set(desired.externals.map(({ kind, address }) => `${kind} ${ids.get(address)}`));
  const needed = new Set(desired.resources.flatMap(({ kind, key }) => KINDS[kind].parents?.(key) ?? []));
  const leaving = new Map<Address, LiveObject>();
  const spared = new Map<LiveObject, string>();
  for (const object of strangers) {
    if (!complete.has(object.kind)) continue;
    const address = freeAddress(object, taken);
    const reason =
      (lookedUp.has(`${object.kind} ${object.id}`) ? 'the manifest refers to it as `external`' : null) ??
      (needed.has(address) ? 'declared values hang on it' : null) ??
      object.facts.spared ??
      stays(object, address);
    if (reason === null) leaving.set(address, object);
    else spared.set(object, reason);
  }
  return { leaving, spared };
}

/** `<kind>/<id>`; where that is the address of something else, `<kind>/id/<id>`, which only a key with a slash could be. */
function freeAddress({ kind, id }: LiveObject, taken: ReadonlySet<Address>): Address {
  let key = String(id);
  while (taken.has(`${kind}/${key}`)) key = `id/${key}`;
  return `${kind}/${key}`;
}
