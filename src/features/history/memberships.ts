// Memberships that the object at their other end records: of an agent in a group, what a run wrote to the group.

import { equalJson, isObject } from '../../base/json.ts';
import type { Address, Json, JsonObject, KindName, Reference } from '../../base/model.ts';
import { pointing } from '../../kinds/fields.ts';
import { isAddress, KINDS, kindOf } from '../../kinds/index.ts';
import type { Selects } from '../../kinds/selection.ts';
import type { RunChange } from '../../ledger/changes.ts';
import type { FieldOfRun, ObjectOfRun } from './schema.ts';

/** The object with no more than its memberships of what is meant, and their keys; null when the run changed none of them. */
export function withMembers(object: ObjectOfRun, meant: Selects): ObjectOfRun | null {
  const members = new Set<Reference>();
  const fields = pointersOf(object).flatMap(({ name, kind }): readonly FieldOfRun[] => {
    const field = object.fields.find((each) => each.field === name);
    if (field === undefined) return [];
    const [before, after] = [mapIn(field.before), mapIn(field.after)];
    const own = Object.keys({ ...before, ...after }).filter((reference) => {
      const address = addressOf(kind, reference);
      const isSame = field.unknown.length === 0 && equalJson(before[reference] ?? null, after[reference] ?? null);
      return address !== null && meant(address) && !isSame;
    });
    // Whom a killed run took in is not known.
    if (own.length === 0 && !field.unknown.includes('after')) return [];
    for (const reference of own) members.add(reference);
    const narrow = (value: Json, of: JsonObject): Json =>
      value === null ? null : Object.fromEntries(own.flatMap((key) => (key in of ? [[key, of[key] ?? null]] : [])));
    return [{ ...field, before: narrow(field.before, before), after: narrow(field.after, after) }];
  });
  return fields.length === 0 ? null : { ...object, fields, members: [...members] };
}

/** Addresses of the members that the run knew of. */
export function membersOf({ address, before, after }: RunChange): readonly Address[] {
  return pointersOf({ type: kindOf(address) }).flatMap(({ name, kind }) =>
    Object.keys({ ...mapIn(before?.[name] ?? null), ...mapIn(after?.spec[name] ?? null) }).flatMap(
      (reference) => addressOf(kind, reference) ?? [],
    ),
  );
}

/** Fields that are maps by what they point at. */
function pointersOf({
  type,
}: Pick<ObjectOfRun, 'type'>): readonly { readonly name: string; readonly kind: KindName }[] {
  return pointing(KINDS[type]).flatMap(({ name, pointer: { kind, at } }) => (at === 'keys' ? [{ name, kind }] : []));
}

/** Null for an unmanaged object whose id does not name it. */
function addressOf(kind: KindName, reference: Reference): Address | null {
  if (isAddress(reference)) return reference;
  return KINDS[kind].choosesId === true ? `${kind}/${reference}` : null;
}

function mapIn(value: Json): JsonObject {
  return isObject(value) ? value : {};
}
