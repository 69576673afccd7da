// A composed manifest and parsed overlay files in; the manifest with the overlays laid over it, in their order, out.
// Mappings are JSON Merge Patches (RFC 7396); an ordered list is replaced by a list, or changed by a JSON Patch (RFC 6902).

import { isList, isObject } from '../base/json.ts';
import type { Diagnostic, Json, JsonObject } from '../base/model.ts';
import { diagnose, type Path, type Source } from '../yaml/mark.ts';
import { type Composed, memberOrigin, type Origin, originAt } from '../yaml/origin.ts';
import type { Parsed } from '../yaml/parse.ts';
import { knownSections, notAMapping } from './compose.ts';
import { patchList } from './patch-list.ts';
import { PATCHABLE } from './sections.ts';

export type Overlaid = Composed & { readonly diagnostics: readonly Diagnostic[] };

/** A value and where it and its members come from. */
export interface Sourced {
  readonly value: Json;
  readonly origin: Origin;
}

export function overlay(base: Composed, files: readonly Parsed[]): Overlaid {
  const found: Diagnostic[] = [];
  let composed: Composed = base;
  for (const file of files) composed = withOverlay(composed, file, found);
  return { ...composed, diagnostics: found };
}

function withOverlay(base: Composed, { value, source, whole }: Parsed, found: Diagnostic[]): Composed {
  if (value === null || !whole) return base;
  if (!isObject(value)) {
    found.push(notAMapping(source));
    return base;
  }
  const { version: _, ...sections } = knownSections(value, source, found);
  const patched = PATCHABLE.filter(({ name }) => isPatch(sections[name]));
  const merged = Object.fromEntries(
    Object.entries(sections).filter((entry) => !patched.some(({ name }) => name === entry[0])),
  );
  let { value: result, origin } = mergeObject(base.value, base.origin, merged, { source, path: [] }, found);
  for (const patchable of patched) {
    const { name } = patchable;
    const operations = sections[name];
    if (!isPatch(operations)) continue;
    const list: Sourced = { value: result[name] ?? [], origin: memberOrigin(origin, name) };
    const after = patchList(list, operations, patchable, source, found);
    result = { ...result, [name]: after.value };
    origin = originAt(origin.source, origin.path, new Map([...origin.members, [name, after.origin]]));
  }
  return { value: result, origin };
}

/** Whether a list is one of operations rather than one of items. */
function isPatch(section: Json | undefined): section is readonly Json[] {
  return isList(section) && section.some((item) => isObject(item) && item['op'] !== undefined);
}

interface PatchAt {
  readonly source: Source;
  readonly path: Path;
}

/** RFC 7396, section 2, for a patch that is a mapping. */
function mergeObject(
  target: JsonObject,
  origin: Origin,
  patch: JsonObject,
  from: PatchAt,
  found: Diagnostic[],
): { readonly value: JsonObject; readonly origin: Origin } {
  const value = new Map<string, Json>(Object.entries(target));
  const members = new Map(origin.members);
  for (const [name, change] of Object.entries(patch)) {
    const at: PatchAt = { source: from.source, path: [...from.path, name] };
    if (change === null) {
      if (!value.delete(name)) found.push(nothingToDelete(at));
      continue;
    }
    const before = value.get(name);
    const after = isObject(before)
      ? mergeValue({ value: before, origin: memberOrigin(origin, name) }, change, at, found)
      : { value: withoutNulls(change), origin: originAt(at.source, at.path) };
    value.set(name, after.value);
    members.set(name, after.origin);
  }
  return { value: Object.fromEntries(value), origin: originAt(origin.source, origin.path, members) };
}

function mergeValue(
  before: { value: JsonObject; origin: Origin },
  change: Json,
  at: PatchAt,
  found: Diagnostic[],
): Sourced {
  return isObject(change)
    ? mergeObject(before.value, before.origin, change, at, found)
    : { value: change, origin: originAt(at.source, at.path) };
}

/** What a patch adds where nothing was: its own `null` members say nothing. */
function withoutNulls(value: Json): Json {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}

function nothingToDelete({ source, path }: PatchAt): Diagnostic {
  return diagnose(source.mark(path, 'key'), {
    code: 'overlay-patch',
    severity: 'warning',
    message: `\`${path.join('.')}\` is deleted here, but nothing below this overlay has it`,
    remedy: 'remove the line, or correct the name',
  });
}
