// Differences of a license, the texts of its files and what is known of the target in; the texts that say what the license says out, and for each
// difference that is not taken over the reason. Pure: who calls decides what is written.

import { equalJson } from '../../base/json.ts';
import type { Live, Version } from '../../base/model.ts';
import type { Variables } from '../../yaml/substitute.ts';
import type { Difference } from '../drift/report.ts';
import { editYaml } from '../edit/edit.ts';
import { type Change, changedValue, editsFor, type FileEdit } from './change.ts';
import { changesOf, isLeft, type Left } from './changes.ts';
import type { Declaring } from './declaring.ts';
import { type Layers, layerOf, layersOf, type Sheet, type Sheets } from './layers.ts';
import { type Scene, sceneOf } from './scene.ts';

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
  readonly left: readonly (Left & { readonly item: Difference })[];
}

/** One difference after the other: one that cannot be taken over leaves the texts as they are. */
export function acceptAll(
  items: readonly Difference[],
  { sheets, variables, version, live, declaring }: AcceptInput,
): Accepted {
  const sceneIn = (layers: Layers): Scene => sceneOf(layers, variables, { version, live, newKey: declaring.keyOf });
  let scene = sceneIn(layersOf(sheets));
  const taken: Difference[] = [];
  const left: Accepted['left'][number][] = [];
  for (const item of inOrder(items)) {
    const changes = changesOf(item, scene, declaring);
    const next = isLeft(changes) ? changes : withChanges(scene.layers, changes);
    if ('reason' in next) left.push({ ...next, item });
    else {
      scene = sceneIn(next);
      taken.push(item);
    }
  }
  const sheetsOf = (all: Layers['base']): readonly Sheet[] => all.map(({ sheet }) => sheet);
  const { base, overlays } = scene.layers;
  return { sheets: { files: sheetsOf(base), overlays: sheetsOf(overlays) }, taken, left };
}

/** What becomes declared comes first, because others refer to it; what goes is last, when nothing refers to it any more. */
function inOrder(items: readonly Difference[]): readonly Difference[] {
  const rank = ({ kind }: Difference): number => (kind === 'unmanaged' ? 0 : kind === 'missing' ? 2 : 1);
  return items.toSorted((a, b) => rank(a) - rank(b));
}

function withChanges(layers: Layers, changes: readonly Change[]): Layers | Left {
  let current = layers;
  for (const change of changes) {
    const meant = changedValue(current.composed.value, change);
    const next = withEdits(current, editsFor(change, current));
    if ('reason' in next) return next;
    const [error] = next.errors.filter(
      ({ code, message }) => !layers.errors.some((known) => known.code === code && known.message === message),
    );
    if (error !== undefined) return { reason: error.message, mark: { place: error.place, excerpt: error.excerpt } };
    if (!equalJson(next.composed.value, meant)) {
      return {
        reason: 'the files cannot say this without saying something else, too: change them by hand',
        mark: null,
      };
    }
    current = next;
  }
  return current;
}

function withEdits(layers: Layers, edits: readonly FileEdit[]): Layers | Left {
  const edited = new Map<string, string>();
  for (const { file, edit } of edits) {
    const text = edited.get(file) ?? layerOf(layers, file)?.sheet.text;
    if (text === undefined) return { reason: `${file} is not among the files`, mark: null };
    const outcome = editYaml(file, text, [edit]);
    if ('refused' in outcome) {
      const { mark, message, remedy } = outcome.refused;
      return { reason: remedy === null ? message : `${message}: ${remedy}`, mark };
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
