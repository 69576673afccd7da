// Objects of a license that the manifest could declare and does not, each with a key, and those that it cannot declare, with the reason.

import { byText } from '../base/json.ts';
import type { Address, Desired, KindName, Leavers, Live, LiveObject, ObjectId } from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import { caseless, inNfc } from '../base/text.ts';
import { isPersonal, KIND_NAMES, KINDS, kindOf, ORDERED, subjectOf } from '../kinds/index.ts';
import { splitName } from '../kinds/namespaced.ts';
import { isInline } from '../manifest/references.ts';
import { entryPath, outerOf } from '../manifest/sections.ts';
import type { Bindings } from '../plan/binding/bind.ts';
import { readsAsUnset } from '../plan/diff.ts';

/** A license, and which of its objects are declared or owned. */
export interface Known {
  readonly desired: Desired;
  readonly live: Live;
  readonly bindings: Bindings;
}

/** An object that gets an entry. */
export interface Candidate {
  readonly object: LiveObject;
  readonly key: string;
  readonly address: Address;
  /** The ledger has it under this address, and no file declares it any more. */
  readonly isOwned: boolean;
}

/** An object that gets none. */
export interface LeftOut {
  readonly type: KindName;
  readonly id: ObjectId;
  readonly name: string;
  readonly reason: string;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly leftOut: readonly LeftOut[];
}

export function objectKey(kind: KindName, id: ObjectId): string {
  return `${kind} ${id}`;
}

function hasSoleSpelling(address: Address): boolean {
  return KINDS[kindOf(address)].soleSpelling !== undefined;
}

/** Equal for two spellings of one person, and of one name where the license has one spelling of it. */
function subjectIn(address: Address): string {
  return hasSoleSpelling(address) ? caseless(address) : subjectOf(address);
}

/** Keys of the declared objects that exist. */
export function declaredKeys({ desired, bindings }: Known): ReadonlyMap<string, string> {
  const bound = [...bindings.bound.values()].flatMap(({ resource: { kind, key }, object }) =>
    object === null ? [] : [[objectKey(kind, object.id), key] as const],
  );
  return new Map([...lookedUpKeys({ desired, bindings }), ...bound]);
}

/** Keys of the objects that an `external` entry looks up. */
function lookedUpKeys({ desired, bindings }: Pick<Known, 'desired' | 'bindings'>): ReadonlyMap<string, string> {
  const found = desired.externals.flatMap(({ address, kind }) => {
    const key = splitName(address)[1];
    const id = bindings.ids.get(address);
    return id === undefined || isInline(key) ? [] : [[objectKey(kind, id), key] as const];
  });
  return new Map(found);
}

/** Whether an object that the manifest only looks up gets an entry (`taken`) or stays looked up (`left`). */
export type Externals = 'left' | 'taken';

/** An object with an address keeps it. The others get keys in an order that does not depend on the order of live lists. */
export function candidatesOf(known: Known, externals: Externals): Candidates {
  const { desired, live, bindings } = known;
  const compare = readingOrder(live);
  const lookedUp = lookedUpKeys(known);
  const leftOut: LeftOut[] = [];
  const left = ({ kind: type, id, name }: LiveObject, reason: string): void => {
    leftOut.push({ type, id, name, reason });
  };
  const taken = new Set<string>([
    ...[...desired.resources, ...desired.externals].map(({ address }) => address),
    ...bindings.undeclared.keys(),
  ]);
  const candidates: Candidate[] = [];
  // A manifest has each person once, and one spelling of a name where the license has one.
  const subjects = new Map<string, string>([
    ...desired.externals.map(({ address }) => [subjectIn(address), address] as const),
    ...desired.resources.map(({ kind, id, key, address }) => [subjectIn(`${kind}/${id ?? key}`), address] as const),
  ]);
  const sameSubject = (address: Address): string | null => {
    const other = subjects.get(subjectIn(address));
    subjects.set(subjectIn(address), other ?? address);
    if (other === undefined || other === address || !(isPersonal(address) || hasSoleSpelling(address))) return null;
    const meaning = isPersonal(address) ? 'so it is the same person' : 'and the license has one of the two';
    return `it differs only in case from ${other}, ${meaning}`;
  };
  for (const [address, object] of bindings.undeclared) {
    const same = sameSubject(address);
    if (same !== null) left(object, same);
    else if (object.facts.derived === true) left(object, refusal(object) ?? '');
    else if (object.kind === desired.leavers?.kind) left(object, missingRow(desired.leavers));
    else candidates.push({ object, address, key: splitName(address)[1], isOwned: true });
  }
  const keys = new Map(declaredKeys(known));
  for (const { object, key } of candidates) keys.set(objectKey(object.kind, object.id), key);
  for (const object of bindings.unmanaged.toSorted(compare)) {
    const { kind: name, id } = object;
    if (isUnset(object, known)) continue;
    const external = lookedUp.get(objectKey(name, id));
    const same = external === undefined ? sameSubject(`${name}/${id}`) : null;
    const reason = same ?? (external !== undefined && externals === 'left' ? LOOKED_UP : refusal(object));
    const key =
      reason === null ? (external ?? keyOf(object, live, keys, (each) => taken.has(`${name}/${each}`))) : null;
    if (reason !== null) left(object, reason);
    else if (key === null) left(object, 'its group has no entry');
    else if (key !== inNfc(key))
      left(object, `its key \`${key}\` is not in NFC, the spelling in which a manifest is read`);
    else if (key.includes('${')) left(object, 'its key would have a `${`, which begins a variable in a manifest');
    else if (entryPath({ kind: name, key }).includes(NO_KEY))
      left(object, `a manifest cannot have the key \`${NO_KEY}\``);
    else {
      keys.set(objectKey(name, id), key);
      taken.add(`${name}/${key}`);
      candidates.push({ object, key, address: `${name}/${key}`, isOwned: false });
    }
  }
  return { candidates: candidates.sort((one, other) => compare(one.object, other.object)), leftOut };
}

/** An entry would keep a person whom an incomplete table has lost, and collide with the row that comes back. */
function missingRow({ table }: Leavers): string {
  return `no row of ${table} has it any more, so an apply suspends it: add the row`;
}

/** The key that no mapping of a manifest can have: programs take it for something else. */
const NO_KEY = '__proto__';

/** Whether the value reads like one that was never set. */
function isUnset(object: LiveObject, { desired }: Known): boolean {
  return KINDS[object.kind].definition !== undefined && readsAsUnset(String(object.id), object, desired);
}

const LOOKED_UP = 'the manifest looks it up as `external`; to make an entry of it, use chatform import --externals';

function refusal({ kind: name, facts }: LiveObject): string | null {
  if (facts.derived === true) return 'a bot template makes it';
  if (facts.spared !== undefined) return facts.spared;
  if (facts.builtin === true && KINDS[name].id === undefined) return 'every license has it';
  return null;
}

/** By kind, then by id. Objects of an ordered list come in its order. */
export function readingOrder({ ruleOrder }: Live): (one: LiveObject, other: LiveObject) => number {
  const places = new Map(ruleOrder.map((id, place) => [id, place]));
  const place = ({ kind, id }: LiveObject): number => {
    if (kind === ORDERED.name) return places.get(String(id)) ?? 0;
    return typeof id === 'number' ? id : 0;
  };
  return (one, other) =>
    KIND_NAMES.indexOf(one.kind) - KIND_NAMES.indexOf(other.kind) ||
    place(one) - place(other) ||
    byText(String(one.id), String(other.id));
}

/** Null when it would be inside of the entry of an object that has no entry. */
function keyOf(
  object: LiveObject,
  live: Live,
  keys: ReadonlyMap<string, string>,
  isTaken: (key: string) => boolean,
): string | null {
  const kind = KINDS[object.kind];
  const outer = outerOf(kind);
  if (outer !== null) {
    const [id, rest] = splitName(String(object.id));
    const key = keys.get(objectKey(outer.name, id));
    return key === undefined ? null : `${key}/${rest}`;
  }
  if (kind.id === undefined) return String(object.id);
  return ownKey(object, live, isTaken);
}

/** The id, for a kind whose ids the manifest chooses; otherwise made from the name of the object. */
export function ownKey(object: LiveObject, live: Live, isTaken: (key: string) => boolean): string {
  const kind = KINDS[object.kind];
  const id = inNfc(String(object.id));
  if (kind.choosesId === true && !id.includes('${') && id !== NO_KEY) return freeKey(id, isTaken);
  const nameOf = (name: KindName, wanted: ObjectId): string =>
    namesIn(live).get(objectKey(name, wanted)) ?? String(wanted);
  const base = slug(kind.describe?.(object, nameOf) ?? object.name);
  return freeKey(base === '' ? slug(`${kind.noun.one} ${id}`) : base, isTaken);
}

const namesIn = oncePer(
  ({ objects }: Live): ReadonlyMap<string, string> =>
    new Map(
      KIND_NAMES.flatMap((kind) => (objects[kind] ?? []).map(({ id, name }) => [objectKey(kind, id), name] as const)),
    ),
);

/** Latin letters that Unicode does not decompose into a plain letter. */
const LETTERS: { readonly [letter: string]: string } = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

const LONGEST = 50;

/** `Zespół Łódź` -> `zespol-lodz`. Letters that are not Latin stay. Empty when the name has no letter and no digit. */
export function slug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{L}/gu, (letter) => LETTERS[letter] ?? letter);
  const words = plain.replace(/['’]/g, '').split(/[^\p{L}\p{N}\p{M}]+/u);
  return shortened(words.filter((word) => word !== ''));
}

/** As many whole words as fit. */
function shortened(words: readonly string[]): string {
  const [first = '', ...others] = words;
  let key = [...first].slice(0, LONGEST).join('');
  for (const word of others) {
    if (key.length + word.length >= LONGEST) break;
    key += `-${word}`;
  }
  return key;
}

/** The base, or one of `base-2`, `base-3`, ... that is free, and the one before it is taken. */
export function freeKey(base: string, isTaken: (key: string) => boolean): string {
  const isFree = (number: number): boolean => !isTaken(number === 1 ? base : `${base}-${number}`);
  if (isFree(1)) return base;
  // Thousands of objects may have one name: doubling, and then halving, asks about few of their keys.
  let [taken, free] = [1, 2];
  while (!isFree(free)) [taken, free] = [free, free * 2];
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (isFree(middle)) free = middle;
    else taken = middle;
  }
  return `${base}-${free}`;
}
