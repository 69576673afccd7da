// The texts of a manifest and of its overlays in; the composed value, where each member of it is written, and what lies below each overlay, out.
// Reads no disk: the texts are given.

import { isList, isObject } from '../../base/json.ts';
import type { Diagnostic } from '../../base/model.ts';
import { compose } from '../../manifest/compose.ts';
import { overlay } from '../../manifest/overlay.ts';
import { SECTIONS } from '../../manifest/sections.ts';
import type { Mark, Path } from '../../yaml/mark.ts';
import { type Composed, markOf, memberOrigin, type Origin } from '../../yaml/origin.ts';
import type { Parsed } from '../../yaml/parse.ts';
import { parseTree } from '../../yaml/parse-tree.ts';
import { valueAt } from '../edit/edits.ts';

/** A file as it was read, under the name that diagnostics have for it. */
export interface Sheet {
  readonly file: string;
  readonly text: string;
}

/** What is composed: files, and what is laid over them, in that order. */
export interface Sheets {
  readonly files: readonly Sheet[];
  readonly overlays: readonly Sheet[];
}

export interface Layer {
  readonly sheet: Sheet;
  readonly parsed: Parsed;
}

export interface Layers {
  readonly base: readonly Layer[];
  readonly overlays: readonly Layer[];
  readonly composed: Composed;
  /** Composed without the overlay of the same index and those after it. */
  readonly below: readonly Composed[];
  /** Of composing, errors only. */
  readonly errors: readonly Diagnostic[];
}

/** Files that did not change are not parsed again. */
export function layersOf({ files, overlays }: Sheets, before: Layers | null = null): Layers {
  const known = new Map([...(before?.base ?? []), ...(before?.overlays ?? [])].map((layer) => [layer.sheet, layer]));
  const layer = (sheet: Sheet): Layer => known.get(sheet) ?? { sheet, parsed: parseTree(sheet.file, sheet.text) };
  const [base, over] = [files.map(layer), overlays.map(layer)];
  const bottom = compose(base.map(({ parsed }) => parsed));
  const below: Composed[] = [];
  const found: Diagnostic[] = [
    ...bottom.diagnostics,
    ...[...base, ...over].flatMap(({ parsed }) => parsed.diagnostics),
  ];
  let composed: Composed = bottom;
  for (const { parsed } of over) {
    below.push(composed);
    const { diagnostics, ...laid } = overlay(composed, [parsed]);
    found.push(...diagnostics);
    composed = laid;
  }
  const errors = found.filter(({ severity }) => severity === 'error');
  return { base, overlays: over, composed, below, errors };
}

/** The layer of a file. */
export function layerOf({ base, overlays }: Layers, file: string): Layer | undefined {
  return [...base, ...overlays].find(({ sheet }) => sheet.file === file);
}

/** Where a member of the composed value is written. */
export interface Written {
  readonly file: string;
  readonly path: Path;
  /** Index of the overlay; null in the manifest itself. */
  readonly overlay: number | null;
}

export function writtenAt(layers: Layers, path: Path): Written {
  let at: Origin = layers.composed.origin;
  for (const step of path) at = memberOrigin(at, step);
  const { source } = at;
  const index = layers.overlays.findIndex(({ parsed }) => parsed.source === source);
  return { file: source.file, path: at.path, overlay: index < 0 ? null : index };
}

export function markIn({ composed }: Layers, path: Path): Mark {
  return markOf(composed.origin, path, 'value');
}

/** By how many operations an overlay changes the section that the path leads into; each of them is an item of a list in it. */
export function operationsOn(path: Path, layers: Layers, overlay: number | null): number {
  const section = SECTIONS.find(({ name }) => name === path[0]);
  const layer = overlay === null ? undefined : layers.overlays[overlay];
  if (section?.depth !== 0 || layer === undefined) return 0;
  const list = valueAt(layer.parsed.value, [section.name]);
  if (!isList(list)) return 0;
  return list.some((item) => isObject(item) && item['op'] !== undefined) ? list.length : 0;
}
