// A license and what is known of it in; the entries that make a manifest of the rest, out. Whatever a manifest cannot say is left out, with its
// reason: the smallest part of an object that is to blame.

import { isObject } from '../../base/json.ts';
import type { Address, LiveObject } from '../../base/model.ts';
import { KINDS, MEMBERSHIP } from '../../kinds/index.ts';
import type { Maker } from '../../kinds/kind.ts';
import { splitName } from '../../kinds/namespaced.ts';
import {
  type Candidate,
  type Candidates,
  declaredKeys,
  type Externals,
  type Known,
  type LeftOut,
  objectKey,
} from './candidates.ts';
import { type Entry, entryOf, isOtherSide, lookedUp, type Naming } from './entry.ts';
import { outerOf } from './manifest-value.ts';

/** What was found out about single objects, while their entries were tried. */
export interface Repairs {
  /** Why an object has no entry. */
  readonly whole: ReadonlyMap<Address, string>;
  /** Why an entry has not this field. */
  readonly fields: ReadonlyMap<Address, ReadonlyMap<string, string>>;
  /** Objects that only their id tells from others. */
  readonly ids: ReadonlySet<Address>;
}

export const NO_REPAIRS: Repairs = { whole: new Map(), fields: new Map(), ids: new Set() };

export interface Choice {
  /** What is asked for: by the address that it would get, or by what it is. */
  readonly selects: (address: Address, object: LiveObject) => boolean;
  readonly externals: Externals;
  /** Every entry says its `id:`. */
  readonly withIds: boolean;
  readonly maker: Maker;
}

export interface Imported {
  /** In reading order; rules in the order of the license. */
  readonly entries: readonly Entry[];
  /** Objects that are not imported, and that entries refer to. */
  readonly lookedUp: readonly Entry[];
  readonly leftOut: readonly LeftOut[];
  /** Of the entries: those of objects that are ours already. */
  readonly ours: ReadonlySet<Address>;
  /** Every address that could be asked for. */
  readonly addresses: readonly Address[];
}

export function importedOf(
  known: Known,
  { candidates, leftOut: refused }: Candidates,
  { selects, withIds, maker }: Choice,
  repairs: Repairs,
): Imported {
  const chosen = candidates.filter(({ address, object }) => selects(address, object) && !repairs.whole.has(address));
  const keys = new Map(declaredKeys(known));
  for (const { object, key } of chosen) keys.set(objectKey(object.kind, object.id), key);
  const { kept, orphaned } = hung(chosen, keys);
  const names = lookups(candidates, kept, keys);
  for (const { kind, id, key } of names) keys.set(objectKey(kind, id), key);
  const telling = tellingIn(known);
  const entries = kept.map(({ object, key, address }) =>
    entryOf(object, key, {
      maker,
      keyOf: (kind, id) => keys.get(objectKey(kind, id)) ?? null,
      withId: withIds || repairs.ids.has(address) || isSameEverywhere(object),
      without: new Map([...contradicted(object, known, telling), ...explained(object, repairs.fields.get(address))]),
    }),
  );
  const whole = candidates.flatMap(({ object, address }) => {
    const reason = selects(address, object) ? repairs.whole.get(address) : undefined;
    return reason === undefined ? [] : [leftOutOf(object, reason)];
  });
  return {
    entries,
    lookedUp: names,
    leftOut: [
      ...refused,
      ...whole,
      ...orphaned.map(({ object }) => leftOutOf(object, 'what it hangs on gets no entry')),
    ],
    ours: new Set(kept.flatMap(({ address, isOurs }) => (isOurs ? [address] : []))),
    addresses: candidates.map(({ address }) => address),
  };
}

/** That it could not be changed says more than that its value is none that can be given. */
function explained(object: LiveObject, reasons: ReadonlyMap<string, string> = new Map()): Naming['without'] {
  const { fields } = KINDS[object.kind];
  return new Map([...reasons].map(([name, reason]) => [name, fields[name]?.frozen?.(object) ?? reason]));
}

function leftOutOf({ kind: type, id, name }: LiveObject, reason: string): LeftOut {
  return { type, id, name, reason };
}

/** What comes with every license has the same id on each. */
function isSameEverywhere({ facts }: LiveObject): boolean {
  return facts.builtin === true;
}

/** An entry that stands in another one needs that one. */
function hung(
  chosen: readonly Candidate[],
  keys: ReadonlyMap<string, string>,
): { readonly kept: readonly Candidate[]; readonly orphaned: readonly Candidate[] } {
  const isKept = ({ object }: Candidate): boolean => {
    const outer = outerOf(KINDS[object.kind]);
    return outer === null || keys.has(objectKey(outer.name, splitName(String(object.id))[0]));
  };
  return { kept: chosen.filter(isKept), orphaned: chosen.filter((candidate) => !isKept(candidate)) };
}

/** Keys for the objects without an entry that a map refers to: only an entry gives them one. */
function lookups(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  keys: ReadonlyMap<string, string>,
): readonly Entry[] {
  const pointed = new Set(chosen.flatMap(({ object }) => pointedAt(object)));
  return candidates.flatMap(({ object: { kind, id }, key }) => {
    const isNeeded = pointed.has(objectKey(kind, id)) && !keys.has(objectKey(kind, id));
    return isNeeded && KINDS[kind].external === true ? [lookedUp(kind, id, key)] : [];
  });
}

/** What the keys of its maps stand for. */
function pointedAt({ kind, spec }: LiveObject): readonly string[] {
  return Object.entries(KINDS[kind].fields).flatMap(([name, field]) => {
    const { references } = field;
    const value = spec[name];
    if (references?.at !== 'keys' || !isObject(value) || isOtherSide(kind, name)) return [];
    return Object.keys(value).map((id) => objectKey(references.kind, id));
  });
}

/** A member that says itself where it belongs says it completely: a group that is not among that has no say in it. */
function contradicted({ kind, spec }: LiveObject, known: Known, telling: ReadonlySet<string>): Naming['without'] {
  const { left, right } = MEMBERSHIP;
  const members = spec[right.field];
  if (kind !== right.kind.name || !isObject(members)) return new Map();
  const references = Object.keys(members).map((id) => known.bindings.referenceTo(left.kind.name, id));
  const other = references.find((reference) => telling.has(reference));
  return other === undefined
    ? new Map()
    : new Map([[right.field, `${other} declares all of its ${left.field}, and this one is not among them`]]);
}

/** Addresses of those who say themselves where they belong. */
function tellingIn({ desired }: Known): ReadonlySet<string> {
  const { kind, field } = MEMBERSHIP.left;
  const telling = desired.resources.filter((each) => each.kind === kind.name && field in each.spec);
  return new Set(telling.map(({ address }) => address));
}
