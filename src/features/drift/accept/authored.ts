// A value of the license in the spelling of the manifest's author: order and notation stay wherever they mean the same.

import { canonicalJson, equalJson, isList, isObject } from '../../../base/json.ts';
import type { Json, JsonObject, Version } from '../../../base/model.ts';
import { normalise } from '../../../kinds/fields.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { escaped } from '../../../manifest/substitute.ts';

/** One value as the author wrote it, and with its variables inserted. */
export interface Authored {
  readonly raw: Json;
  readonly inserted: Json;
}

/** The live value of a field, with keys for references, as the author would write it. */
export function asAuthored(kind: Kind, name: string, authored: Authored, live: Json, version: Version): Json {
  const canonical = (value: Json): Json => normalise(kind, { [name]: value })[name] ?? null;
  const wanted = canonical(live);
  const said = canonical(authored.inserted);
  const { authored: asWritten = (value: Json) => value, align } = kind.fields[name] ?? {};
  const inForm = isSameShape(authored.inserted, wanted) ? (value: Json) => value : asWritten;
  const merged = merge(authored, inForm(said), inForm(wanted));
  const result = canonical(merged.inserted);
  return equalJson(align?.(wanted, result, version) ?? wanted, result) ? merged.raw : escaped(live);
}

/** Whether what both have is a list in both, or a mapping in both. */
function isSameShape(one: Json, other: Json): boolean {
  if (isList(one) !== isList(other) || isObject(one) !== isObject(other)) return false;
  if (!isObject(one) || !isObject(other)) return true;
  return Object.entries(one).every(([name, member]) => {
    const same = other[name];
    return same === undefined || isSameShape(member, same);
  });
}

function fresh(value: Json): Authored {
  return { raw: escaped(value), inserted: value };
}

function merge(authored: Authored, said: Json, wanted: Json): Authored {
  if (equalJson(said, wanted)) return authored;
  const { raw, inserted } = authored;
  if (isObject(raw) && isObject(inserted) && isObject(wanted)) {
    return mergeMembers(raw, inserted, isObject(said) ? said : {}, wanted);
  }
  if (isList(raw) && isList(inserted) && isList(wanted)) return mergeItems(raw, inserted, wanted);
  return fresh(wanted);
}

/** A member that the normalised value does not have, such as a default, stays. One that the license no longer has is removed. */
function mergeMembers(raw: JsonObject, inserted: JsonObject, said: JsonObject, wanted: JsonObject): Authored {
  const kept = Object.entries(raw).flatMap(([name, member]): readonly (readonly [string, Authored])[] => {
    const authored: Authored = { raw: member, inserted: inserted[name] ?? null };
    const value = wanted[name];
    if (value === undefined) return Object.hasOwn(said, name) ? [] : [[name, authored]];
    return [[name, merge(authored, said[name] ?? null, value)]];
  });
  const added = Object.entries(wanted).filter(([name]) => !Object.hasOwn(raw, name));
  const members = [...kept, ...added.map(([name, value]) => [name, fresh(value)] as const)];
  return {
    raw: Object.fromEntries(members.map(([name, member]) => [name, member.raw])),
    inserted: Object.fromEntries(members.map(([name, member]) => [name, member.inserted])),
  };
}

/** Items that stay keep the author's order. A new one comes after the item that it follows on the license. */
function mergeItems(raw: readonly Json[], inserted: readonly Json[], wanted: readonly Json[]): Authored {
  const free = new Set(wanted.keys());
  const taking = (isSame: (item: Json) => boolean): number | null => {
    for (const index of free) if (isSame(wanted[index] ?? null)) return free.delete(index) ? index : null;
    return null;
  };
  const staying = inserted.map((item) => {
    const texts = [canonicalJson(item), canonicalJson(plain(item))];
    return taking((other) => texts.includes(canonicalJson(other)));
  });
  const items = inserted.flatMap((item, index): readonly (Authored & { readonly from: number })[] => {
    const authored: Authored = { raw: raw[index] ?? null, inserted: item };
    const same = staying[index] ?? null;
    if (same !== null) return [{ ...authored, from: same }];
    const from = taking((other) => beginAlike(item, other));
    return from === null ? [] : [{ ...merge(authored, plain(item), wanted[from] ?? null), from }];
  });
  for (const from of free) {
    const place = items.findIndex((other) => other.from === from - 1);
    items.splice(from === 0 ? 0 : place < 0 ? items.length : place + 1, 0, { ...fresh(wanted[from] ?? null), from });
  }
  return { raw: items.map((item) => item.raw), inserted: items.map((item) => item.inserted) };
}

/** Whether two items begin with the same member, such as a key or a day, which tells items apart. */
function beginAlike(item: Json, other: Json): boolean {
  const [first] = isObject(item) ? Object.entries(item) : [];
  return first !== undefined && isObject(other) && equalJson(first[1], other[first[0]]);
}

/** Without members that mean the same as none. */
function plain(item: Json): Json {
  if (!isObject(item)) return item;
  return Object.fromEntries(
    Object.entries(item).filter(([, value]) => value !== false && value !== '' && value !== null),
  );
}
