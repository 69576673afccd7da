// Accepting differences: which ones, and the texts of the files that then declare what the license has. Writes nothing.

import { editYaml } from '../../../authoring/edit/edit.ts';
import type { Edit } from '../../../authoring/edit/edits.ts';
import { assertNever } from '../../../base/errors.ts';
import { grouped } from '../../../base/grouped.ts';
import { equalJson, valueAt } from '../../../base/json.ts';
import type { Json, Live, Version } from '../../../base/model.ts';
import type { Variables } from '../../../manifest/substitute.ts';
import type { Difference } from '../../../plan/differences/difference.ts';
import { pathIndex, pathText } from '../../../yaml/places.ts';
import {
  type AcceptInto,
  changedValue,
  editsInto,
  type FileEdit,
  isNotAccepted,
  type NotAccepted,
  notAccepted,
} from './change.ts';
import { changesOf } from './changes.ts';
import { type Declarations, declarationsOf } from './declarations.ts';
import type { Declaring } from './declaring.ts';
import { type Layer, type Layers, layerOf, layersOf, type Sheet, type Sheets } from './layers.ts';

export interface ChosenDifferences<Item extends Difference> {
  readonly items: readonly Item[];
  readonly left: readonly (NotAccepted & { readonly item: Item })[];
}

/**
 * The differences to accept.
 * @param isNamed - Null when no address is named: that accepts what changed only on the license, and is neither ignored nor usual.
 */
export function chosen<Item extends Difference & { readonly ignored: unknown }>(
  all: readonly Item[],
  isNamed: ((address: string) => boolean) | null,
): ChosenDifferences<Item> {
  const named = all.filter(({ address, ignored, usual }) =>
    isNamed === null ? ignored === null && !usual : isNamed(address),
  );
  // Next to what the files can declare, an approval is not what was asked for.
  const others = new Set(named.flatMap((item) => (isWaiting(item) ? [] : [item.address])));
  const asked = named.filter((item) => !isWaiting(item) || !others.has(item.address));
  const reasoned = asked.map((item) => ({ item, reason: refusal(item, isNamed !== null) }));
  return {
    items: reasoned.flatMap(({ item, reason }) => (reason === null ? [item] : [])),
    left: reasoned.flatMap(({ item, reason }) =>
      reason === null || (isNamed === null && !isExpected(item)) ? [] : [{ item, reason, mark: null }],
    ),
  };
}

function isWaiting({ kind, path }: Difference): boolean {
  return kind === 'pending-approval' && path.length === 0;
}

/** A difference that was not named gets a reason only when the license changed. */
function isExpected({ status }: Difference): boolean {
  return status === 'drift' || status === 'conflict';
}

function refusal(item: Difference, isNamed: boolean): string | null {
  switch (item.status) {
    case 'drift':
      return acceptable(item);
    case 'conflict':
      return isNamed ? acceptable(item) : 'both sides changed: name the address to accept the value of the license';
    case 'pending':
      if (isWaiting(item)) return 'a manifest cannot declare an approval: give it on the service';
      return 'only the manifest changed: there is nothing to accept';
    case 'converged':
      return 'both sides changed to the same value: there is nothing to accept';
    case 'unknown':
      return 'the service does not show the value';
    default:
      return assertNever(item.status);
  }
}

function acceptable({ ways_out: ways, reason }: Difference): string | null {
  return ways.includes('accept') ? null : (reason ?? 'a manifest cannot declare it');
}

export interface AcceptInput {
  readonly sheets: Sheets;
  readonly variables: Variables;
  readonly version: Version;
  readonly live: Live;
  readonly declaring: Declaring;
  readonly into: AcceptInto;
}

export interface Accepted {
  readonly sheets: Sheets;
  readonly taken: readonly Difference[];
  readonly left: readonly (NotAccepted & { readonly item: Difference })[];
}

/** As many differences at once as do not depend on each other, in their order. One that cannot be accepted changes no text. */
export function acceptAll(
  items: readonly Difference[],
  { sheets, variables, version, live, declaring, into }: AcceptInput,
): Accepted {
  const declarationsIn = (layers: Layers): Declarations =>
    declarationsOf(layers, variables, { version, live, newKey: declaring.keyOf });
  let declared = declarationsIn(layersOf(sheets));
  const taken: Difference[] = [];
  const left: Accepted['left'][number][] = [];
  let pending = inOrder(items, declaring);
  let most = pending.length;
  while (pending.length > 0) {
    const group = groupOf(pending.slice(0, most), declared, declaring);
    const items = group.map(({ item }) => item);
    const next = withGroup(declared.layers, group, into);
    if ('reason' in next && group.length > 1) {
      // One of them cannot be accepted: half of them find it sooner than one after the other.
      most = group.length >> 1;
      continue;
    }
    for (const item of items) {
      if ('reason' in next) left.push({ ...next, item });
      else taken.push(item);
    }
    if (!('reason' in next) && next !== declared.layers) declared = declarationsIn(next);
    pending = pending.slice(group.length);
    most *= 2;
  }
  const sheetsOf = (all: Layers['base']): readonly Sheet[] => all.map(({ sheet }) => sheet);
  const { base, overlays } = declared.layers;
  return { sheets: { files: sheetsOf(base), overlays: sheetsOf(overlays) }, taken, left };
}

/** New entries come first, because other changes refer to them. Removed entries come last, when nothing refers to them any more. */
function inOrder(items: readonly Difference[], { placeOf }: Declaring): readonly Difference[] {
  const rank = ({ kind }: Difference): number => (kind === 'unmanaged' ? 0 : kind === 'missing' ? 2 : 1);
  const ranked = items.map((item) => ({
    item,
    rank: rank(item),
    place: item.kind === 'unmanaged' ? placeOf(item) : 0,
  }));
  return ranked.toSorted((a, b) => a.rank - b.rank || a.place - b.place).map(({ item }) => item);
}

/** Differences whose changes do not depend on each other, or a single one. */
type Group = readonly { readonly item: Difference; readonly changes: readonly Edit[] | NotAccepted }[];

/** How many steps lead from the root to an entry, or to what holds it. */
const ENTRY_DEPTH = 2;

/** The first differences, up to one that depends on those before it. New items of one list are together. */
function groupOf(items: readonly Difference[], declared: Declarations, declaring: Declaring): Group {
  const group: Group[number][] = [];
  const paths = pathIndex();
  for (const item of items) {
    const changes = changesOf(item, declared, declaring);
    const list = listOf(changes);
    const isListed = list !== null && listOf(group[0]?.changes ?? []) === list;
    const isAlone = isNotAccepted(changes) || (!isListed && !isApart(item, changes, paths, declared));
    const mayStay = group.length === 0 || (!isAlone && (isListed || listOf(group[0]?.changes ?? []) === null));
    if (!mayStay) return group;
    group.push({ item, changes });
    if (isAlone && list === null) return group;
  }
  return group;
}

/** The list that one new item is all of the change of; null for other changes. */
function listOf(changes: Group[number]['changes']): string | null {
  if (isNotAccepted(changes)) return null;
  const [only, ...others] = changes;
  return only?.op === 'insert' && others.length === 0 ? pathText(only.path) : null;
}

/** The changes, with the new items of one list in one step for each place: the last place first, so that the others stay. */
function joined(changes: readonly Edit[]): readonly Edit[] {
  const inserts = changes.filter((change) => change.op === 'insert');
  if (inserts.length < changes.length) return changes;
  const byPlace = new Map<string, (typeof inserts)[number] & { readonly items: Json[] }>();
  for (const change of inserts) {
    const place = pathText([...change.path, change.index]);
    const known = byPlace.get(place);
    if (known === undefined) byPlace.set(place, { ...change, items: [...change.items] });
    else known.items.push(...change.items);
  }
  return [...byPlace.values()].sort((one, other) => other.index - one.index);
}

/** Adds the changes to the paths. False where they depend on earlier ones, or later ones on them: items of a list move, and a new entry may get the key of another. */
function isApart(
  { kind }: Difference,
  changes: readonly Edit[],
  paths: ReturnType<typeof pathIndex>,
  { layers }: Declarations,
): boolean {
  return changes.every(({ op, path }) => {
    const isListed = op === 'insert' || op === 'order' || (op === 'remove' && typeof path.at(-1) === 'number');
    const makesEntry = kind !== 'unmanaged' && valueAt(layers.composed.value, path.slice(0, ENTRY_DEPTH)) === undefined;
    if (isListed || makesEntry || !paths.isApart(path)) return false;
    paths.add(path);
    return true;
  });
}

function withGroup(layers: Layers, group: Group, into: AcceptInto): Layers | NotAccepted {
  const [first, ...others] = group;
  if (first === undefined) return layers;
  const { changes } = first;
  if (isNotAccepted(changes)) return changes;
  if (others.length > 0)
    return withChange(
      layers,
      layers,
      joined(group.flatMap((each) => (isNotAccepted(each.changes) ? [] : each.changes))),
      into,
    );
  let current = layers;
  for (const change of changes) {
    const next = withChange(current, layers, [change], into);
    if ('reason' in next) return next;
    current = next;
  }
  return current;
}

/** The layers after changes that do not depend on each other. `before` has the errors that are not new. */
function withChange(current: Layers, before: Layers, changes: readonly Edit[], into: AcceptInto): Layers | NotAccepted {
  const meant = changedValue(current.composed.value, changes);
  const edits: FileEdit[] = [];
  for (const change of changes) {
    const own = editsInto(into, change, current);
    if ('reason' in own) return own;
    for (const edit of own) edits.push(edit);
  }
  const next = withEdits(current, edits);
  if ('reason' in next) return next;
  const [error] = next.errors.filter(
    ({ code, message }) => !before.errors.some((known) => known.code === code && known.message === message),
  );
  if (error !== undefined) return notAccepted(error.message, { place: error.place, excerpt: error.excerpt });
  if (!equalJson(next.composed.value, meant))
    return notAccepted('no edit of the files changes only this: change them by hand');
  return next;
}

function withEdits(layers: Layers, edits: readonly FileEdit[]): Layers | NotAccepted {
  const edited: Layer[] = [];
  for (const [file, own] of grouped(edits.map(({ file, edit }) => [file, edit]))) {
    const layer = layerOf(layers, file);
    if (layer === undefined) return notAccepted(`${file} is not one of the files`);
    const outcome = editYaml(file, layer.sheet.text, own, layer.parsed);
    if ('refused' in outcome) {
      const { mark, message, remedy } = outcome.refused;
      return notAccepted(remedy === null ? message : `${message}: ${remedy}`, mark);
    }
    const { text, parsed } = outcome;
    if (text !== layer.sheet.text) edited.push({ sheet: { ...layer.sheet, text }, parsed });
  }
  if (edited.length === 0) return layers;
  const renewed = ({ sheet }: Layer): Sheet => edited.find((layer) => layer.sheet.file === sheet.file)?.sheet ?? sheet;
  return layersOf({ files: layers.base.map(renewed), overlays: layers.overlays.map(renewed) }, [
    ...layers.base,
    ...layers.overlays,
    ...edited,
  ]);
}
