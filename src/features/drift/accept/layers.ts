// The texts of a manifest and its overlays, composed: the value, where each member is written, and the value below each overlay.

import { type EditableText, readText } from '../../../authoring/edit/edit.ts';
import { isList, isObject, valueAt } from '../../../base/json.ts';
import type { Diagnostic } from '../../../base/model.ts';
import { compose } from '../../../manifest/compose.ts';
import { type Composed, markOf, originOf } from '../../../manifest/origin.ts';
import { overlay } from '../../../manifest/overlay.ts';
import { SECTIONS } from '../../../manifest/sections.ts';
import type { Path, PlaceMark } from '../../../yaml/places.ts';

/** The text of a file, with the name that diagnostics use. */
export interface Sheet {
  readonly file: string;
  readonly text: string;
}

/** The files of a manifest, and its overlays in their order. */
export interface Sheets {
  readonly files: readonly Sheet[];
  readonly overlays: readonly Sheet[];
}

export interface Layer {
  readonly sheet: Sheet;
  readonly parsed: EditableText;
}

export interface Layers {
  readonly base: readonly Layer[];
  readonly overlays: readonly Layer[];
  readonly composed: Composed;
  /** By overlay, the value without it and those after it. */
  readonly below: readonly Composed[];
  /** Errors of parsing and composing. */
  readonly errors: readonly Diagnostic[];
}

/** `known`: sheets that were parsed before. */
export function layersOf({ files, overlays }: Sheets, known: readonly Layer[] = []): Layers {
  const parsed = new Map(known.map((layer) => [layer.sheet, layer]));
  const layer = (sheet: Sheet): Layer => parsed.get(sheet) ?? { sheet, parsed: readText(sheet.file, sheet.text) };
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
export interface WrittenLayer {
  readonly file: string;
  readonly path: Path;
  /** Index of the overlay; null for a file of the manifest. */
  readonly overlay: number | null;
}

export function writtenAt(layers: Layers, path: Path): WrittenLayer {
  const { source, path: written } = originOf(layers.composed.origin, path);
  const index = layers.overlays.findIndex(({ parsed }) => parsed.source === source);
  return { file: source.file, path: written, overlay: index < 0 ? null : index };
}

export function markIn({ composed }: Layers, path: Path): PlaceMark {
  return markOf(composed.origin, path, 'value');
}

/** How many operations an overlay has for the section of the path; 0 when it has a list of items, or nothing. */
export function operationsOn(path: Path, layers: Layers, overlay: number | null): number {
  const section = SECTIONS.find(({ name }) => name === path[0]);
  const layer = overlay === null ? undefined : layers.overlays[overlay];
  if (section?.depth !== 0 || layer === undefined) return 0;
  const list = valueAt(layer.parsed.value, [section.name]);
  if (!isList(list)) return 0;
  return list.some((item) => isObject(item) && item['op'] !== undefined) ? list.length : 0;
}
