// What a snapshot shows of ids that name people: the id itself, or a number. Not a digest: a reader who guesses an address could confirm it.

import { byText } from '../../base/json.ts';
import type { Address, Desired, KindName, LedgerState, Live, ObjectId, Reference, Spec } from '../../base/model.ts';
import { personOf } from '../../base/person.ts';
import { mapReferences } from '../../kinds/fields.ts';
import { isKind, KIND_NAMES, KINDS, kindOf, MEMBERSHIP } from '../../kinds/index.ts';
import { splitName } from '../../kinds/namespaced.ts';

/** Whether the manifest chooses the ids of the kind, such as the address of an agent, and not the service. */
export function isCalledByUs(kind: KindName): boolean {
  return KINDS[kind].choosesId === true;
}

/** How ids, addresses and references are shown. */
export interface ShownNames {
  readonly id: (kind: KindName, id: ObjectId) => ObjectId;
  readonly address: (address: Address) => Address;
  /** A spec with its references as they are shown. */
  readonly spec: (kind: KindName, spec: Spec) => Spec;
  /** Entries of a membership map, which may have bots in it. */
  readonly members: (members: { readonly [id: string]: string }) => { readonly [id: string]: string };
  readonly isNameless: (kind: KindName, id: ObjectId) => boolean;
}

/** Identities that the files name, so their readers know them. `more`: ids that chatform.yaml names. */
export function declaredNames({ resources, externals }: Desired, more: Iterable<string>): ReadonlySet<string> {
  const names = [
    ...resources.filter(({ kind }) => isCalledByUs(kind)).flatMap(({ id, key }) => [String(id ?? key), key]),
    ...externals.filter(({ kind }) => isCalledByUs(kind)).flatMap(({ id }) => (id === null ? [] : [String(id)])),
    ...more,
  ];
  return new Set(names.map(personOf));
}

export const UNCHANGED: ShownNames = {
  id: (_, id) => id,
  address: (address) => address,
  spec: (_, spec) => spec,
  members: (members) => members,
  isNameless: () => false,
};

/** Names with a number for every id whose identity is not in `shown`. Numbered in the order of the ids, so the same license gives the same numbers. */
export function namesIn(live: Live, { bindings, applied }: LedgerState, shown: ReadonlySet<string>): ShownNames {
  const found = new Set<string>();
  const note = (text: string): string => {
    if (!shown.has(personOf(text))) found.add(text);
    return text;
  };
  const others = new Set(
    KIND_NAMES.filter((kind) => !isCalledByUs(kind)).flatMap((kind) =>
      KINDS[kind].id === 'string' ? (live.objects[kind] ?? []).map(({ id }) => String(id)) : [],
    ),
  );
  const noting = namesBy(note, others);
  for (const objects of Object.values(live.objects))
    for (const { kind, id, spec, facts } of objects) {
      noting.id(kind, id);
      noting.spec(kind, spec);
      noting.members(facts.members ?? {});
    }
  for (const [address, { id }] of bindings) {
    noting.address(address);
    noting.id(kindOf(address), id);
  }
  for (const [address, { spec }] of applied) noting.spec(kindOf(address), spec);
  const numbers = new Map([...found].sort(byText).map((text, index) => [text, `withheld:${index + 1}`]));
  return namesBy((text) => numbers.get(text) ?? text, others);
}

function namesBy(name: (text: string) => string, others: ReadonlySet<string>): ShownNames {
  const id: ShownNames['id'] = (kind, given) => (isCalledByUs(kind) ? name(String(given)) : given);
  const address: ShownNames['address'] = (given) => {
    const kind = kindOf(given);
    return isCalledByUs(kind) ? `${kind}/${name(splitName(given)[1])}` : given;
  };
  const reference = (given: Reference, target: string): Reference => {
    if (!isKind(target) || !isCalledByUs(target)) return given;
    return given.startsWith(`${target}/`) ? address(given as Address) : others.has(given) ? given : name(given);
  };
  return {
    id,
    address,
    spec: (kind, spec) => mapReferences(KINDS[kind], spec, reference),
    members: (members) =>
      Object.fromEntries(
        Object.entries(members).map(([member, value]) => [reference(member, MEMBERSHIP.left.kind.name), value]),
      ),
    isNameless: (kind, given) => id(kind, given) !== given,
  };
}
