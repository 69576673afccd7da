// Accepting differences: which ones, and the texts of the files that then declare what the license has. Writes nothing.

import { assertNever } from '../../base/errors.ts';
import { equalJson } from '../../base/json.ts';
import type { Live, Version } from '../../base/model.ts';
import type { Variables } from '../../manifest/substitute.ts';
import type { Difference } from '../drift/report.ts';
import { editYaml } from '../edit/edit.ts';
import {
  changedValue,
  editsFor,
  type FileEdit,
  isNotAccepted,
  type NotAccepted,
  notAccepted,
  type ValueChange,
} from './change.ts';
import { changesOf } from './changes.ts';
import { type Declarations, declarationsOf } from './declarations.ts';
import type { Declaring } from './declaring.ts';
import { type Layers, layerOf, layersOf, type Sheet, type Sheets } from './layers.ts';

export interface ChosenDifferences<Item extends Difference> {
  readonly items: readonly Item[];
  readonly left: readonly (NotAccepted & { readonly item: Item })[];
}

/** The differences to accept. `isNamed`: null when no address is named, which accepts what changed only on the license and is not ignored. */
export function chosen<Item extends Difference & { readonly ignored: unknown }>(
  all: readonly Item[],
  isNamed: ((address: string) => boolean) | null,
): ChosenDifferences<Item> {
  const asked = all.filter(({ address, ignored }) => (isNamed === null ? ignored === null : isNamed(address)));
  const reasoned = asked.map((item) => ({ item, reason: refusal(item, isNamed !== null) }));
  return {
    items: reasoned.flatMap(({ item, reason }) => (reason === null ? [item] : [])),
    left: reasoned.flatMap(({ item, reason }) =>
      reason === null || (isNamed === null && !isExpected(item)) ? [] : [{ item, reason, mark: null }],
    ),
  };
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
}

export interface Accepted {
  readonly sheets: Sheets;
  readonly taken: readonly Difference[];
  readonly left: readonly (NotAccepted & { readonly item: Difference })[];
}

/** One difference after the other. One that cannot be accepted changes no text. */
export function acceptAll(
  items: readonly Difference[],
  { sheets, variables, version, live, declaring }: AcceptInput,
): Accepted {
  const declarationsIn = (layers: Layers): Declarations =>
    declarationsOf(layers, variables, { version, live, newKey: declaring.keyOf });
  let declared = declarationsIn(layersOf(sheets));
  const taken: Difference[] = [];
  const left: Accepted['left'][number][] = [];
  for (const item of inOrder(items)) {
    const changes = changesOf(item, declared, declaring);
    const next = isNotAccepted(changes) ? changes : withChanges(declared.layers, changes);
    if ('reason' in next) left.push({ ...next, item });
    else {
      declared = declarationsIn(next);
      taken.push(item);
    }
  }
  const sheetsOf = (all: Layers['base']): readonly Sheet[] => all.map(({ sheet }) => sheet);
  const { base, overlays } = declared.layers;
  return { sheets: { files: sheetsOf(base), overlays: sheetsOf(overlays) }, taken, left };
}

/** New entries come first, because other changes refer to them. Removed entries come last, when nothing refers to them any more. */
function inOrder(items: readonly Difference[]): readonly Difference[] {
  const rank = ({ kind }: Difference): number => (kind === 'unmanaged' ? 0 : kind === 'missing' ? 2 : 1);
  return items.toSorted((a, b) => rank(a) - rank(b));
}

function withChanges(layers: Layers, changes: readonly ValueChange[]): Layers | NotAccepted {
  let current = layers;
  for (const change of changes) {
    const meant = changedValue(current.composed.value, change);
    const next = withEdits(current, editsFor(change, current));
    if ('reason' in next) return next;
    const [error] = next.errors.filter(
      ({ code, message }) => !layers.errors.some((known) => known.code === code && known.message === message),
    );
    if (error !== undefined) return notAccepted(error.message, { place: error.place, excerpt: error.excerpt });
    if (!equalJson(next.composed.value, meant)) {
      return notAccepted('no edit of the files changes only this: change them by hand');
    }
    current = next;
  }
  return current;
}

function withEdits(layers: Layers, edits: readonly FileEdit[]): Layers | NotAccepted {
  const edited = new Map<string, string>();
  for (const { file, edit } of edits) {
    const text = edited.get(file) ?? layerOf(layers, file)?.sheet.text;
    if (text === undefined) return notAccepted(`${file} is not one of the files`);
    const outcome = editYaml(file, text, [edit]);
    if ('refused' in outcome) {
      const { mark, message, remedy } = outcome.refused;
      return notAccepted(remedy === null ? message : `${message}: ${remedy}`, mark);
    }
    edited.set(file, outcome.text);
  }
  if (edited.size === 0) return layers;
  const renewed = ({ sheet }: { readonly sheet: Sheet }): Sheet => {
    const text = edited.get(sheet.file);
    return text === undefined || text === sheet.text ? sheet : { ...sheet, text };
  };
  return layersOf({ files: layers.base.map(renewed), overlays: layers.overlays.map(renewed) }, layers);
}
