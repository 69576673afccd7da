// One difference between a license and what is declared, and what is declared, in; what has to change for the files to say what the license says out,
// or why that cannot be said in files.

import { assertNever } from '../../base/errors.ts';
import { equalJson, isList, isObject } from '../../base/json.ts';
import type { Json, KindName, Reference } from '../../base/model.ts';
import { isMembership, KINDS, MEMBERSHIP } from '../../kinds/index.ts';
import { pointersOf } from '../../manifest/references.ts';
import type { Declared } from '../../manifest/sections.ts';
import type { Mark, Path } from '../../yaml/mark.ts';
import { escaped, variablesIn } from '../../yaml/substitute.ts';
import type { Difference } from '../drift/report.ts';
import { valueAt } from '../edit/edits.ts';
import { asAuthored } from './authored.ts';
import type { Change } from './change.ts';
import type { Declaring } from './declaring.ts';
import { keyIn, nameFor, withItems } from './external.ts';
import { markIn, writtenAt } from './layers.ts';
import { type Scene, variableLost } from './scene.ts';

/** Why a difference is not taken over. */
export interface Left {
  /** One sentence without a full stop. */
  readonly reason: string;
  /** What has to change first; null when that is no line of a file. */
  readonly mark: Mark | null;
}

export function isLeft(changes: readonly Change[] | Left): changes is Left {
  return 'reason' in changes;
}

function left(reason: string, mark: Mark | null = null): Left {
  return { reason, mark };
}

export function changesOf(item: Difference, scene: Scene, declaring: Declaring): readonly Change[] | Left {
  switch (item.kind) {
    case 'changed':
      return item.path.length === 0 ? left('it names no field') : changedField(item, scene);
    case 'missing':
      return missing(item, scene);
    case 'unmanaged':
      return declaring.changesFor(item, scene);
    case 'reordered':
      return reordered(item, scene);
    case 'pending-approval':
      if (item.path.length > 0) return changedField(item, scene);
      return left('an approval is given on the service, and declared nowhere');
    case 'unreadable':
      return left('the service does not say what the value is');
    default:
      return assertNever(item.kind);
  }
}

function changedField(item: Difference, scene: Scene): readonly Change[] | Left {
  const entry = scene.entries.get(item.address);
  const [name = '', member] = item.path;
  const field = entry?.kind.fields[name];
  if (entry === undefined || field === undefined) return left('nothing declares it');
  const path = entry.kind.entry === 'value' ? entry.path : [...entry.path, name];
  if (member === undefined) return wholeField(item, entry, path, scene);
  if (isMembership(entry.kind.name, name)) return edge(item, entry, scene);
  const { references } = field;
  if (references?.at !== 'keys') return memberOf(path, member, item.live, [], scene);
  const named = nameFor(references.kind, member, scene);
  return memberOf(path, named.key, item.live, item.live === null ? [] : named.declaring, scene);
}

/** A field that the license has nothing of is declared to be empty, or not at all. */
function wholeField({ path: [name = ''], live }: Difference, entry: Declared, path: Path, scene: Scene) {
  const { kind } = entry;
  const field = kind.fields[name];
  const inserted = valueAt(scene.inserted, path);
  const raw = valueAt(scene.layers.composed.value, path);
  const value = live ?? field?.absent ?? null;
  if (field === undefined || inserted === undefined || raw === undefined) return left('nothing declares it');
  if (value === null) return guarded([{ op: 'remove', path }], scene);
  const whole = withItems(field, value, inserted, scene);
  // As far as the author spoke of it, unless that can no longer be said alone: hours need a time zone.
  const spoken = field.align?.(whole, inserted, scene.version) ?? whole;
  const said = [spoken, whole].find((each) => isFit(entry, name, each, scene)) ?? spoken;
  return guarded([{ op: 'set', path, value: asAuthored(kind, name, { raw, inserted }, said) }], scene);
}

function isFit({ kind, value }: Declared, name: string, said: Json, { version }: Scene): boolean {
  if (!isObject(value)) return true;
  let fits = true;
  kind.check?.(
    { ...value, [name]: said },
    ([at], _code, _message, _remedy, severity) => {
      if (at === name && severity !== 'warning') fits = false;
    },
    version,
  );
  return fits;
}

function memberOf(path: Path, name: string, live: Json, declaring: readonly Change[], scene: Scene) {
  const at = [...path, name];
  if (equalJson(valueAt(scene.inserted, at) ?? null, live)) return [];
  if (live === null) return guarded([{ op: 'remove', path: at }], scene);
  return guarded([...declaring, { op: 'set', path: at, value: escaped(live) }], scene);
}

/** An edge is said on every side that declares its edges. */
function edge({ path: [field = '', reference = ''], live }: Difference, entry: Declared, scene: Scene) {
  const isLeftSide = MEMBERSHIP.left.field === field && MEMBERSHIP.left.kind === entry.kind;
  const [own, other] = isLeftSide ? [MEMBERSHIP.left, MEMBERSHIP.right] : [MEMBERSHIP.right, MEMBERSHIP.left];
  const named = nameFor(other.kind.name, reference, scene);
  const here = memberOf([...entry.path, own.field], named.key, live, live === null ? [] : named.declaring, scene);
  const there = scene.entries.get(reference);
  const declaresThere = there !== undefined && isObject(there.value) && isObject(there.value[other.field]);
  if (!declaresThere || isLeft(here)) return here;
  const more = memberOf([...there.path, other.field], entry.key, live, [], scene);
  return isLeft(more) ? more : [...here, ...more];
}

/** A value that a variable gives is not changed where it stands: other places and other targets share the variable. */
function guarded(changes: readonly Change[], { layers }: Scene): readonly Change[] | Left {
  for (const change of changes) {
    const now = change.op === 'set' ? change.value : undefined;
    const path = variableLost(valueAt(layers.composed.value, change.path), now, change.path);
    if (path === null) continue;
    const names = variablesIn(String(valueAt(layers.composed.value, path))).join(' and ');
    return left(`the value comes from \`${names}\`: change that, or write the value out here`, markIn(layers, path));
  }
  return changes;
}

/** The entry goes, and with it what refers to it: the service has no reference to what is not there. */
function missing({ address }: Difference, scene: Scene): readonly Change[] | Left {
  const entry = scene.entries.get(address);
  if (entry === undefined) return [];
  const referring = [...scene.entries.values()].flatMap((other) =>
    other.address === address ? [] : withoutReferences(other, entry, scene),
  );
  return [...referring, { op: 'remove', path: entry.path }];
}

function withoutReferences(other: Declared, gone: Declared, { layers }: Scene): readonly Change[] {
  const to = pointersOf(other).filter(({ kind, to: key }) => kind === gone.kind.name && key === gone.key);
  const lists = new Map<string, { readonly path: Path; readonly indexes: Set<number> }>();
  const members: Change[] = [];
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
  const filtered = [...lists.values()].map(({ path, indexes }): Change => {
    const items = valueAt(layers.composed.value, path);
    return { op: 'set', path, value: isList(items) ? items.filter((_, index) => !indexes.has(index)) : [] };
  });
  return [...members, ...filtered];
}

/** Items that are not in both orders keep their places. */
function reordered(item: Difference, scene: Scene): readonly Change[] | Left {
  const kind = KINDS[item.type];
  const path: Path = kind.at.slice(0, 1);
  const items = valueAt(scene.layers.composed.value, path);
  if (!isList(items)) return left('nothing declares the list');
  const wanted = keysOf(item.live, kind.name);
  const indexes = new Map(
    [...scene.entries.values()]
      .filter((entry) => entry.kind === kind)
      .map(({ key, path: at }) => [key, Number(at.at(-1))]),
  );
  const moving = wanted.flatMap((key) => indexes.get(key) ?? []);
  const slots = moving.toSorted((a, b) => a - b);
  const order = [...items.keys()];
  for (const [at, slot] of slots.entries()) order[slot] = moving[at] ?? slot;
  const stray = strayIn(path, order, scene);
  if (stray === null) return [{ op: 'order', path, order }];
  const mark = markIn(scene.layers, [...path, stray]);
  return left('the items of the list come from several files, or from operations: order them by hand', mark);
}

/** Of the items that move, one that does not stand in the same list of the same file as they do, and in its order. */
function strayIn(path: Path, order: readonly number[], { layers }: Scene): number | null {
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
