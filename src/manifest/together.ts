// Rules about all entries together: unique keys, ids and names, limits of a license, references, memberships and property definitions.

import { isList, isObject } from '../base/json.ts';
import type { JsonObject, KindName } from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import { personOf } from '../base/person.ts';
import { clear, oneOf } from '../base/text.ts';
import { pointing } from '../kinds/fields.ts';
import { isMembership, KINDS, subjectOf } from '../kinds/index.ts';
import type { KindLimits } from '../kinds/limits.ts';
import { keepsOthers, NOT_IN, namedMembers } from '../kinds/priority.ts';
import { at, type Emit, repeated } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';
import type { ReferenceCheck } from './dangling.ts';
import { externalOf, isExternal, type Pointer, pointersOf, specOf } from './references.ts';
import { accountOf, addressOf, type DeclaredEntry } from './sections.ts';

export function checkTogether(
  entries: readonly DeclaredEntry[],
  limits: KindLimits,
  dangling: ReferenceCheck,
  emit: Emit,
): void {
  checkKeys(entries, emit);
  checkIds(entries, emit);
  checkNames(entries, emit);
  checkCapacities(entries, limits, emit);
  checkReferences(entries, dangling, emit);
  checkMemberships(entries, emit);
  checkDefinitions(entries, emit);
}

/** Items of a list have their key in a field. Keys of mappings are unique already. */
function checkKeys(entries: readonly DeclaredEntry[], emit: Emit): void {
  const items = entries.filter(({ kind, key }) => kind.at.includes('#') && key !== '');
  for (const { item, first } of repeated(items, ({ address }) => address)) {
    const message = `another ${item.kind.noun.one} has the key \`${item.key}\``;
    emit({
      ...at([...item.path, 'key'], 'value', 'duplicate-key', message, 'use another key'),
      related: [{ path: [...first.path, 'key'], part: 'value', message: 'the first one' }],
    });
  }
}

/** The id of an object that an entry is bound to, and where it is written. */
interface BoundId {
  readonly entry: DeclaredEntry;
  readonly id: string;
  readonly path: Path;
  readonly part: 'key' | 'value';
}

function boundIdOf(entry: DeclaredEntry): BoundId | null {
  const { kind, key, value, path } = entry;
  if (!isObject(value)) return null;
  const external = isExternal(entry);
  const id = external ? externalOf(value).id : value['id'];
  if (typeof id === 'string' || typeof id === 'number') {
    return { entry, id: String(id), path: [...path, ...(external ? ['external'] : []), 'id'], part: 'value' };
  }
  return kind.choosesId === true && !external ? { entry, id: key, path, part: 'key' } : null;
}

/** What a kind may refuse: the key, or where the manifest chooses the id of a new object, that id. Null where it chooses nothing. */
function chosenName(entry: DeclaredEntry): Omit<BoundId, 'entry'> | null {
  if (entry.kind.choosesId === true) return boundIdOf(entry);
  return { id: entry.key, path: entry.path, part: 'key' };
}

function checkIds(entries: readonly DeclaredEntry[], emit: Emit): void {
  const bound = entries.flatMap((entry) => boundIdOf(entry) ?? []);
  for (const { item, first } of repeated(bound, ({ entry, id }) => `${entry.kind.name} ${accountOf(entry) ?? id}`)) {
    const message =
      item.id === first.id
        ? `the id \`${item.id}\` already belongs to \`${first.entry.address}\``
        : `\`${item.id}\` differs only in case from \`${first.id}\`, so both are one person`;
    emit({
      ...at(item.path, item.part, 'duplicate-id', message, 'keep one entry per object'),
      related: [{ path: first.path, part: 'key', message: 'the first one' }],
    });
  }
}

/** An entry without an id is found by its name, so that only one may have the name. */
function checkNames(entries: readonly DeclaredEntry[], emit: Emit): void {
  const unbound = entries.filter((entry) => !isExternal(entry) && boundIdOf(entry) === null);
  const nameOf = ({ kind, value }: DeclaredEntry): string | null => {
    const members = (kind.unique ?? []).map((field) => {
      const member = (isObject(value) ? value[field] : undefined) ?? kind.fields[field]?.default ?? null;
      return isList(member) ? (member[0] ?? null) : member;
    });
    return typeof members[0] === 'string' ? JSON.stringify([kind.name, ...members]) : null;
  };
  for (const { item, first } of repeated(unbound, nameOf)) {
    const field = item.kind.unique?.[0] ?? '';
    const message = `\`${first.address}\` has the same \`${field}\``;
    const remedy = `${oneOf(item.kind.noun.one)} without \`id\` is found by its \`${field}\`: change it, or add \`id\` to all of them but one`;
    emit({
      ...at([...item.path, field], 'value', 'duplicate-name', message, remedy),
      related: [{ path: [...first.path, field], part: 'value', message: 'the first one' }],
    });
  }
}

/** More entries than a license, or a namespace of it, can hold. Specification: "Limits". Unmanaged objects are counted by the plan only. */
function checkCapacities(entries: readonly DeclaredEntry[], limits: KindLimits, emit: Emit): void {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const { kind, key, path } = entry;
    if (kind.capacity === undefined || isExternal(entry)) continue;
    const { limit, per, among = [] } = kind.capacity;
    const spec = per === 'license' && among.length === 0 ? {} : specOf(entry);
    const namespace = per === 'license' ? null : (kind.namespace?.({ key, spec }) ?? null);
    if (per === 'namespace' && namespace === null) continue;
    const shared = among.map((field) => clear(spec[field] ?? null));
    const holder = JSON.stringify([kind.name, namespace, ...shared]);
    const count = (counts.get(holder) ?? 0) + 1;
    counts.set(holder, count);
    const most = limits[limit];
    if (count !== most + 1) continue;
    const where = namespace === null ? 'the license' : `\`${[namespace, ...shared].join(' ')}\``;
    const remedy = `declare at most ${most}, or raise \`limits: { ${limit} }\` in chatform.yaml`;
    emit(at(path, 'key', 'too-many', `${where} can have at most ${most} ${kind.noun.many}`, remedy));
  }
}

function checkReferences(entries: readonly DeclaredEntry[], dangling: ReferenceCheck, emit: Emit): void {
  for (const entry of entries) {
    const pointers = pointersOf(entry);
    for (const { kind, path, part, to } of pointers) {
      if (typeof to === 'string') emit(dangling(kind, to, path, part) ?? []);
    }
    const people = pointers.filter(({ kind, to }) => typeof to === 'string' && KINDS[kind].choosesId === true);
    const personIn = ({ field, to }: Pointer): string => `${field} ${personOf(String(to))}`;
    for (const { item, first } of repeated(people, personIn)) {
      const message = `\`${String(item.to)}\` differs only in case from \`${String(first.to)}\`, so both are one person`;
      emit({
        ...at(item.path, item.part, 'duplicate-key', message, 'keep one of them'),
        related: [{ path: first.path, part: first.part, message: 'the first one' }],
      });
    }
  }
}

/** One declared side of the membership relation: all memberships of one entry. DESIGN: "Membership is one relation". */
interface DeclaredSide {
  readonly entry: DeclaredEntry;
  readonly field: string;
  readonly points: KindName;
  readonly members: JsonObject;
}

function checkMemberships(entries: readonly DeclaredEntry[], emit: Emit): void {
  const sides = new Map<string, DeclaredSide>();
  for (const entry of entries) {
    const side = sideOf(entry);
    if (side !== null) sides.set(subjectOf(entry.address), side);
  }
  for (const side of sides.values()) {
    for (const [key, priority] of namedMembers(side.members)) {
      const other = sides.get(subjectOf(addressOf(side.points, key)));
      if (other !== undefined) compareSides(side, key, priority, other, emit);
    }
  }
}

function sideOf(entry: DeclaredEntry): DeclaredSide | null {
  const { kind, value } = entry;
  for (const { name, pointer } of pointing(kind)) {
    const members = isObject(value) ? value[name] : undefined;
    if (isMembership(kind.name, name) && isObject(members))
      return { entry, field: name, points: pointer.kind, members };
  }
  return null;
}

/** Person -> how the members of a map write the address. */
const spellingsIn = oncePer(
  (members: JsonObject): ReadonlyMap<string, string> =>
    new Map(Object.keys(members).map((key) => [personOf(key), key])),
);

/** What a complete side does not name, it denies. `priority`: null for none. */
function compareSides(side: DeclaredSide, key: string, priority: string | null, other: DeclaredSide, emit: Emit): void {
  const { address, key: own } = side.entry;
  const inOtherCapitals =
    side.entry.kind.choosesId === true ? spellingsIn(other.members).get(personOf(own)) : undefined;
  const spelled = Object.hasOwn(other.members, own) ? own : inOtherCapitals;
  const same = spelled === undefined ? undefined : namedMembers(other.members).get(spelled);
  // Two priorities that differ are found from both sides, and reported once.
  if (same === priority || (same !== undefined && address > other.entry.address)) return;
  if (same === undefined && (priority === null || keepsOthers(other.members))) return;
  const path = [...side.entry.path, side.field, key];
  const there = [...other.entry.path, other.field];
  const others = `the \`${other.field}\` of \`${other.entry.address}\``;
  const [part, message, remedy, opposite] =
    same === undefined
      ? ([
          'key',
          `${others} do not have \`${own}\``,
          `add \`${own}: ${priority}\` to ${others}, or remove \`${key}\` here: a side that is declared is complete`,
          there,
        ] as const)
      : ([
          'value',
          `the priority is ${quoted(priority)} here and ${quoted(same)} on the other side`,
          'write the same priority on both sides, or declare the membership on one side only',
          [...there, spelled ?? own],
        ] as const);
  emit({
    ...at(path, part, 'contradiction', message, remedy),
    related: [{ path: opposite, part, message: 'the other side' }],
  });
}

function quoted(priority: string | null): string {
  return JSON.stringify(priority ?? NOT_IN);
}

/** Definitions that no manifest can declare, and values that their definition refuses: one of the service, or a declared one. Others accept every value. */
export function checkDefinitions(entries: readonly DeclaredEntry[], emit: Emit): void {
  const byAddress = new Map<string, DeclaredEntry>(entries.map((entry) => [entry.address, entry]));
  for (const entry of entries) {
    const { definition, refusedKey } = entry.kind;
    const chosen = chosenName(entry);
    const refused = chosen === null ? null : (refusedKey?.(chosen.id) ?? null);
    const isRefused = refused !== null && (refused.severity === 'error' || !isExternal(entry));
    if (chosen !== null && isRefused) emit({ path: chosen.path, part: chosen.part, ...refused });
    const builtin = definition?.builtin(entry.key, specOf(entry));
    if (builtin === null) continue;
    const declared = definition === undefined ? undefined : byAddress.get(definition.of(entry.key));
    const isSaid = builtin?.severity === 'error' || declared === undefined;
    if (builtin !== undefined && isSaid) emit({ path: entry.path, part: 'value', ...builtin });
    if (builtin?.severity === 'error') continue;
    if (definition === undefined || declared === undefined) continue;
    const refusal = definition.refusal(specOf(declared), specOf(entry));
    if (refusal === null) continue;
    const related = [{ path: declared.path, part: 'key', message: 'the definition' }] as const;
    emit({ path: entry.path, part: 'value', ...refusal, related });
  }
}
