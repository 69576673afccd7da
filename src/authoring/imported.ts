// The entries of an import. What a manifest cannot declare is left out, with the reason: a field where possible, otherwise the object.

import { isObject } from '../base/json.ts';
import type { Address, LiveObject } from '../base/model.ts';
import { KINDS, MEMBERSHIP } from '../kinds/index.ts';
import type { Maker } from '../kinds/kind.ts';
import { splitName } from '../kinds/namespaced.ts';
import { outerOf } from '../manifest/sections.ts';
import {
  type Candidate,
  type Candidates,
  declaredKeys,
  type Externals,
  type Known,
  type LeftOut,
  objectKey,
} from './candidates.ts';
import { entryOf, type ImportEntry, isOtherSide, lookedUp, type Naming } from './entry.ts';

/** What earlier rounds found out about single objects. */
export interface Repairs {
  /** Why an object has no entry. */
  readonly whole: ReadonlyMap<Address, string>;
  /** Why a field of an entry is left out. */
  readonly fields: ReadonlyMap<Address, ReadonlyMap<string, string>>;
  /** Objects that only their id distinguishes from others. */
  readonly ids: ReadonlySet<Address>;
}

export const NO_REPAIRS: Repairs = { whole: new Map(), fields: new Map(), ids: new Set() };

export interface ImportChoice {
  /** Whether an object is asked for: by the address that it would get, or by what it is. */
  readonly selects: (address: Address, object: LiveObject) => boolean;
  readonly externals: Externals;
  /** Every entry is bound by `id:`. */
  readonly withIds: boolean;
  readonly maker: Maker;
}

export interface Imported {
  /** In reading order; rules in the order of the license. */
  readonly entries: readonly ImportEntry[];
  /** `external` entries for objects that are not imported, and that entries refer to. */
  readonly lookedUp: readonly ImportEntry[];
  readonly leftOut: readonly LeftOut[];
  /** Of the entries, those of objects that are owned already. */
  readonly owned: ReadonlySet<Address>;
  /** Every address that could be asked for. */
  readonly addresses: readonly Address[];
}

export function importedOf(
  known: Known,
  { candidates, leftOut: refused }: Candidates,
  { selects, withIds, maker }: ImportChoice,
  repairs: Repairs,
): Imported {
  const chosen = candidates.filter(({ address, object }) => selects(address, object) && !repairs.whole.has(address));
  const keys = new Map(declaredKeys(known));
  for (const { object, key } of chosen) keys.set(objectKey(object.kind, object.id), key);
  const { kept, orphaned } = splitByOuter(chosen, keys);
  const names = lookups(candidates, kept, keys);
  for (const { kind, id, key } of names) keys.set(objectKey(kind, id), key);
  const declaring = declaringIn(known);
  const entries = kept.map(({ object, key, address }) =>
    entryOf(object, key, {
      maker,
      keyOf: (kind, id) => keys.get(objectKey(kind, id)) ?? null,
      // A builtin object has the same id on every license.
      withId: withIds || repairs.ids.has(address) || object.facts.builtin === true,
      without: new Map([...contradicted(object, known, declaring), ...explained(object, repairs.fields.get(address))]),
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
      ...orphaned.map(({ object }) => leftOutOf(object, 'the object that it belongs to has no entry')),
    ],
    owned: new Set(kept.flatMap(({ address, isOwned }) => (isOwned ? [address] : []))),
    addresses: candidates.map(({ address }) => address),
  };
}

/** That a field cannot be changed says more than that its value is refused. */
function explained(object: LiveObject, reasons: ReadonlyMap<string, string> = new Map()): Naming['without'] {
  const { fields } = KINDS[object.kind];
  return new Map([...reasons].map(([name, reason]) => [name, fields[name]?.frozen?.(object) ?? reason]));
}

function leftOutOf({ kind: type, id, name }: LiveObject, reason: string): LeftOut {
  return { type, id, name, reason };
}

/** An object that belongs to another one needs the entry of that one. */
function splitByOuter(
  chosen: readonly Candidate[],
  keys: ReadonlyMap<string, string>,
): { readonly kept: readonly Candidate[]; readonly orphaned: readonly Candidate[] } {
  const isKept = ({ object }: Candidate): boolean => {
    const outer = outerOf(KINDS[object.kind]);
    return outer === null || keys.has(objectKey(outer.name, splitName(String(object.id))[0]));
  };
  return { kept: chosen.filter(isKept), orphaned: chosen.filter((candidate) => !isKept(candidate)) };
}

/** `external` entries for objects without an entry that are keys of maps: only an entry gives them a key. */
function lookups(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  keys: ReadonlyMap<string, string>,
): readonly ImportEntry[] {
  const pointed = new Set(chosen.flatMap(({ object }) => pointedAt(object)));
  return candidates.flatMap(({ object: { kind, id }, key }) => {
    const isNeeded = pointed.has(objectKey(kind, id)) && !keys.has(objectKey(kind, id));
    return isNeeded && KINDS[kind].external === true ? [lookedUp(kind, id, key)] : [];
  });
}

/** The objects that the keys of its maps refer to. */
function pointedAt({ kind, spec }: LiveObject): readonly string[] {
  return Object.entries(KINDS[kind].fields).flatMap(([name, field]) => {
    const { references } = field;
    const value = spec[name];
    if (references?.at !== 'keys' || !isObject(value) || isOtherSide(kind, name)) return [];
    return Object.keys(value).map((id) => objectKey(references.kind, id));
  });
}

/** An agent that declares its groups declares all of them. Another group with this agent would contradict it. */
function contradicted({ kind, spec }: LiveObject, known: Known, declaring: ReadonlySet<string>): Naming['without'] {
  const { left, right } = MEMBERSHIP;
  const members = spec[right.field];
  if (kind !== right.kind.name || !isObject(members)) return new Map();
  const references = Object.keys(members).map((id) => known.bindings.referenceTo(left.kind.name, id));
  const other = references.find((reference) => declaring.has(reference));
  return other === undefined
    ? new Map()
    : new Map([[right.field, `${other} declares all of its ${left.field}, without this one`]]);
}

/** Addresses of the agents that declare their groups. */
function declaringIn({ desired }: Known): ReadonlySet<string> {
  const { kind, field } = MEMBERSHIP.left;
  const declaring = desired.resources.filter((each) => each.kind === kind.name && field in each.spec);
  return new Set(declaring.map(({ address }) => address));
}
