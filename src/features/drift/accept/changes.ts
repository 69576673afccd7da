// Changes of the manifest that accept one difference: afterwards it declares what the license has. Or why no manifest can declare that.

import type { Edit } from '../../../authoring/edit/edits.ts';
import { assertNever } from '../../../base/errors.ts';
import { equalJson, isList, isObject, valueAt } from '../../../base/json.ts';
import type { Json, KindName, Reference } from '../../../base/model.ts';
import { oncePer } from '../../../base/once-per.ts';
import { isMembership, KINDS, MEMBERSHIP, subjectOf } from '../../../kinds/index.ts';
import { scheduleNameIn } from '../../../kinds/scheduler.ts';
import { weekIn } from '../../../kinds/week-form.ts';
import { type Pointer, pointersOf } from '../../../manifest/references.ts';
import { addressOf, type DeclaredEntry } from '../../../manifest/sections.ts';
import { escaped, variablesIn } from '../../../manifest/substitute.ts';
import type { Difference } from '../../../plan/differences/difference.ts';
import type { Path } from '../../../yaml/places.ts';
import { asAuthored } from './authored.ts';
import { isNotAccepted, type NotAccepted, notAccepted } from './change.ts';
import { type Declarations, variableLost } from './declarations.ts';
import type { Declaring } from './declaring.ts';
import { keyFor, keyIn, withItems } from './external.ts';
import { markIn, writtenAt } from './layers.ts';

export function changesOf(
  item: Difference,
  declared: Declarations,
  declaring: Declaring,
): readonly Edit[] | NotAccepted {
  const changes = changesFor(item, declared, declaring);
  return isNotAccepted(changes) ? changes : outsideVariables(changes, declared);
}

function changesFor(item: Difference, declared: Declarations, declaring: Declaring): readonly Edit[] | NotAccepted {
  switch (item.kind) {
    case 'changed':
      return item.path.length === 0 ? notAccepted('it names no field') : changedField(item, declared);
    case 'missing':
      return missing(item, declared);
    case 'unmanaged':
      return declaring.changesFor(item, declared);
    case 'reordered':
      return reordered(item, declared);
    case 'pending-approval':
      if (item.path.length > 0) return changedField(item, declared);
      return notAccepted('a manifest cannot declare an approval: give it on the service');
    case 'unreadable':
      return notAccepted('the service does not show the value');
    case 'due':
      return notAccepted('only the date changed: there is nothing to accept');
    default:
      return assertNever(item.kind);
  }
}

function changedField(item: Difference, declared: Declarations): readonly Edit[] | NotAccepted {
  const entry = declared.entries.get(item.address);
  const [name = '', member] = item.path;
  const field = entry?.kind.fields[name];
  if (entry === undefined || field === undefined) return notAccepted('nothing declares it');
  const path = entry.kind.entry === 'value' ? entry.path : [...entry.path, name];
  if (name === entry.kind.serving?.hours) {
    const named = scheduleNameIn(valueAt(declared.inserted, path));
    if (named !== null) {
      const reason = `the hours are those of the schedule \`${named}\`, which others may have: change the schedule, or write the hours here`;
      return notAccepted(reason, markIn(declared.layers, path));
    }
    if (member !== undefined) return weekday(item, entry, path, declared);
  }
  if (member === undefined) return wholeField(item, entry, path, declared);
  if (isMembership(entry.kind.name, name)) return edge(item, entry, declared);
  const { references } = field;
  if (references?.at !== 'keys') return memberOf(path, member, item.live, [], declared);
  const named = keyFor(references.kind, member, declared);
  return memberOf(path, named.key, item.live, item.live === null ? [] : named.declaring, declared);
}

/** A field that the license does not have is declared as empty, or removed. */
function wholeField(
  { path: [name = ''], live, desired }: Difference,
  entry: DeclaredEntry,
  path: Path,
  declared: Declarations,
) {
  const { kind } = entry;
  const field = kind.fields[name];
  const inserted = valueAt(declared.inserted, path);
  const raw = valueAt(declared.layers.composed.value, path);
  const value = live ?? field?.absent ?? null;
  const isUndeclared = inserted === undefined && raw === undefined && desired === null;
  if (field !== undefined && isUndeclared && live !== null)
    return guarded([{ op: 'set', path, value: live }], declared);
  if (field === undefined || inserted === undefined || raw === undefined) return notAccepted('nothing declares it');
  if (value === null) return guarded([{ op: 'remove', path }], declared);
  const whole = withItems(field, value, inserted, declared);
  // Only the members that the author wrote, unless they are no longer valid alone: hours need a time zone.
  const part = field.align?.(whole, inserted, declared.version) ?? whole;
  const written = [part, whole].find((each) => isValid(entry, name, each, declared)) ?? part;
  return guarded(
    [{ op: 'set', path, value: asAuthored(kind, name, { raw, inserted }, written, declared.version) }],
    declared,
  );
}

/** One weekday of hours that also have dates: the dates stay as they are. */
function weekday(
  { path: [name = '', member = ''], live }: Difference,
  entry: DeclaredEntry,
  path: Path,
  declared: Declarations,
) {
  const [inserted, raw] = [declared.inserted, declared.layers.composed.value].map((value) => valueAt(value, path));
  if (!isObject(inserted) || !isObject(raw)) return notAccepted('nothing declares it');
  if (member === 'timezone') return memberOf(path, member, live, [], declared);
  const items = weekIn(inserted['schedule']) ?? [];
  const others = items.filter((item) => !isObject(item) || item['day'] !== member);
  const hours: Json = { ...inserted, schedule: [...others, ...(isList(live) ? live : [])] };
  const written = asAuthored(entry.kind, name, { raw, inserted }, hours, declared.version);
  const schedule = isObject(written) ? written['schedule'] : undefined;
  if (schedule === undefined) return notAccepted('nothing declares it');
  return guarded([{ op: 'set', path: [...path, 'schedule'], value: schedule }], declared);
}

function isValid({ kind, value }: DeclaredEntry, name: string, written: Json, { version }: Declarations): boolean {
  if (!isObject(value)) return true;
  let valid = true;
  kind.check?.(
    { ...value, [name]: written },
    ([at], _code, _message, _remedy, severity) => {
      if (at === name && severity !== 'warning') valid = false;
    },
    version,
  );
  return valid;
}

function memberOf(path: Path, name: string, live: Json, declaring: readonly Edit[], declared: Declarations) {
  const whole = [...path, name];
  const written = valueAt(declared.inserted, whole);
  // The days of a membership stay as they are.
  const at = isObject(written) && 'priority' in written && live !== null ? [...whole, 'priority'] : whole;
  if (equalJson(valueAt(declared.inserted, at) ?? null, live)) return [];
  if (live === null) return guarded([{ op: 'remove', path: at }], declared);
  return guarded([...declaring, { op: 'set', path: at, value: escaped(live) }], declared);
}

/** A membership is written on every side that declares its memberships. */
function edge({ path: [field = '', reference = ''], live }: Difference, entry: DeclaredEntry, declared: Declarations) {
  const isLeftSide = MEMBERSHIP.left.field === field && MEMBERSHIP.left.kind === entry.kind;
  const [own, other] = isLeftSide ? [MEMBERSHIP.left, MEMBERSHIP.right] : [MEMBERSHIP.right, MEMBERSHIP.left];
  const named = keyFor(other.kind.name, reference, declared);
  const at = [...entry.path, own.field];
  const key = spelledIn(at, other.kind.name, named.key, declared);
  const here = memberOf(at, key, live, live === null ? [] : named.declaring, declared);
  const there = declared.entries.get(reference);
  const declaresThere = there !== undefined && isObject(there.value) && isObject(there.value[other.field]);
  if (!declaresThere || isNotAccepted(here)) return here;
  const opposite = [...there.path, other.field];
  const more = memberOf(opposite, spelledIn(opposite, own.kind.name, entry.key, declared), live, [], declared);
  return isNotAccepted(more) ? more : [...here, ...more];
}

/** The key by which a mapping has an object: that of a person may have other capitals than the entry. */
function spelledIn(path: Path, kind: KindName, key: string, { inserted }: Declarations): string {
  const members = valueAt(inserted, path);
  if (!isObject(members) || Object.hasOwn(members, key)) return key;
  const subject = subjectOf(addressOf(kind, key));
  return Object.keys(members).find((each) => subjectOf(addressOf(kind, each)) === subject) ?? key;
}

/** A value from a variable is not replaced: other places and other targets use the variable as well. */
function guarded(changes: readonly Edit[], declared: Declarations): readonly Edit[] | NotAccepted {
  for (const change of changes) {
    const now = change.op === 'set' ? change.value : undefined;
    const path = variableLost(valueAt(declared.layers.composed.value, change.path), now, change.path);
    if (path !== null) return fromVariable(path, declared);
  }
  return changes;
}

/** A list or a mapping that a variable stands for has no members that could be changed here. */
function outsideVariables(changes: readonly Edit[], declared: Declarations): readonly Edit[] | NotAccepted {
  const { value } = declared.layers.composed;
  for (const { op, path } of changes) {
    const depths = [...path.keys()].filter((depth) => depth > 0);
    const at = [...depths, ...(op === 'remove' ? [] : [path.length])].map((depth) => path.slice(0, depth));
    const from = at.find((above) => isReference(valueAt(value, above)));
    if (from !== undefined) return fromVariable(from, declared);
  }
  return changes;
}

function isReference(value: Json | undefined): boolean {
  return typeof value === 'string' && variablesIn(value).length > 0;
}

function fromVariable(path: Path, { layers }: Declarations): NotAccepted {
  const names = variablesIn(String(valueAt(layers.composed.value, path))).join(' and ');
  return notAccepted(
    `the value comes from \`${names}\`: change the variable, or write the value here`,
    markIn(layers, path),
  );
}

/** Removes the entry and all references to it. */
function missing({ address }: Difference, declared: Declarations): readonly Edit[] | NotAccepted {
  const entry = declared.entries.get(address);
  if (entry === undefined) return [];
  const pointing = pointersTo(declared.entries).get(subjectOf(address)) ?? new Map<DeclaredEntry, readonly Pointer[]>();
  const referring = [...pointing].flatMap(([other, pointers]) =>
    other === entry ? [] : withoutReferences(pointers, declared),
  );
  return [...referring, { op: 'remove', path: entry.path }];
}

/** By the address that they mean, and by the entry that they are in. */
const pointersTo = oncePer(
  (entries: Declarations['entries']): ReadonlyMap<string, ReadonlyMap<DeclaredEntry, readonly Pointer[]>> => {
    const found = new Map<string, Map<DeclaredEntry, Pointer[]>>();
    for (const entry of entries.values()) {
      for (const pointer of pointersOf(entry)) {
        if (typeof pointer.to !== 'string') continue;
        const address = subjectOf(addressOf(pointer.kind, pointer.to));
        const from = found.get(address) ?? new Map<DeclaredEntry, Pointer[]>();
        const pointers = from.get(entry) ?? [];
        pointers.push(pointer);
        found.set(address, from.set(entry, pointers));
      }
    }
    return found;
  },
);

function withoutReferences(to: readonly Pointer[], { layers }: Declarations): readonly Edit[] {
  const lists = new Map<string, { readonly path: Path; readonly indexes: Set<number> }>();
  const members: Edit[] = [];
  for (const { path, part } of to) {
    const index = path.at(-1);
    if (part === 'key' || typeof index !== 'number') {
      members.push({ op: 'remove', path });
      continue;
    }
    const list = path.slice(0, -1);
    const known = lists.get(list.join('\0')) ?? { path: list, indexes: new Set<number>() };
    lists.set(list.join('\0'), { ...known, indexes: known.indexes.add(index) });
  }
  const filtered = [...lists.values()].map(({ path, indexes }): Edit => {
    const items = valueAt(layers.composed.value, path);
    return { op: 'set', path, value: isList(items) ? items.filter((_, index) => !indexes.has(index)) : [] };
  });
  return [...members, ...filtered];
}

/** Items that are in one of the orders only keep their places. */
function reordered(item: Difference, declared: Declarations): readonly Edit[] | NotAccepted {
  const kind = KINDS[item.type];
  const path: Path = kind.at.slice(0, 1);
  const items = valueAt(declared.layers.composed.value, path);
  if (!isList(items)) return notAccepted('nothing declares the list');
  const wanted = keysOf(item.live, kind.name);
  const indexes = new Map(
    [...declared.entries.values()]
      .filter((entry) => entry.kind === kind)
      .map(({ key, path: at }) => [key, Number(at.at(-1))]),
  );
  const moving = wanted.flatMap((key) => indexes.get(key) ?? []);
  const slots = moving.toSorted((a, b) => a - b);
  const order = [...items.keys()];
  for (const [at, slot] of slots.entries()) order[slot] = moving[at] ?? slot;
  const stray = strayIn(path, order, declared);
  if (stray === null) return [{ op: 'order', path, order }];
  const mark = markIn(declared.layers, [...path, stray]);
  return notAccepted('the items of the list are from several files, or from operations: order them by hand', mark);
}

/** Of the items that move, the first that is in another list or file than those before it, or before them. */
function strayIn(path: Path, order: readonly number[], { layers }: Declarations): number | null {
  const moving = order.flatMap((from, to) => (from === to ? [] : [to]));
  const places = moving.map((index) => writtenAt(layers, [...path, index]));
  const stray = places.findIndex(({ file, path: at }, index) => {
    const before = places[index - 1];
    if (at.length !== path.length + 1) return true;
    return before !== undefined && (file !== before.file || Number(at.at(-1)) <= Number(before.path.at(-1)));
  });
  return moving[stray] ?? null;
}

function keysOf(order: Json, kind: KindName): readonly string[] {
  return isList(order) ? order.flatMap((reference) => keyIn(kind, String(reference) as Reference) ?? []) : [];
}
