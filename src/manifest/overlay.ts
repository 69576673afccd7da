// Overlays on a composed manifest, in their order. A mapping is a JSON Merge Patch (RFC 7396). An ordered list is replaced by a list, or changed by
// a JSON Patch (RFC 6902).

import { isList, isObject, valueAt } from '../base/json.ts';
import type { Diagnostic, Json, JsonObject, Place } from '../base/model.ts';
import { personOf } from '../base/person.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import type { Parsed, Path } from '../yaml/places.ts';
import { knownSections, notAMapping } from './compose.ts';
import { type Composed, memberOrigin, originAt, type ValueOrigin } from './origin.ts';
import { patchList } from './patch.ts';
import { PATCHABLE } from './sections.ts';
import { variablesIn } from './substitute.ts';

export function overlay(
  base: Composed,
  files: readonly Parsed[],
): Composed & { readonly diagnostics: readonly Diagnostic[] } {
  const found: Diagnostic[] = [];
  let composed = base;
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
  const patches = PATCHABLE.flatMap((patchable) => {
    const operations = sections[patchable.name];
    return isPatch(operations) ? [{ patchable, operations }] : [];
  });
  const patched = new Set(patches.map(({ patchable }) => patchable.name));
  const merged = Object.fromEntries(Object.entries(sections).filter(([name]) => !patched.has(name)));
  let result = mergeObject(base, merged, originAt(source, []), found);
  for (const { patchable, operations } of patches) {
    const { name } = patchable;
    const { value: members, origin } = result;
    const list = { value: members[name] ?? [], origin: memberOrigin(origin, name) };
    const after = patchList(list, operations, patchable, source, found);
    result = {
      value: { ...members, [name]: after.value },
      origin: originAt(origin.source, origin.path, new Map([...origin.members, [name, after.origin]])),
    };
  }
  return result;
}

/** Whether a list is one of operations, and not one of items. */
function isPatch(section: Json | undefined): section is readonly Json[] {
  return isList(section) && section.some((item) => isObject(item) && item['op'] !== undefined);
}

/** RFC 7396, section 2, for a patch that is a mapping. `from`: where the patch is written. */
function mergeObject(
  { value: before, origin }: Composed,
  patch: JsonObject,
  from: ValueOrigin,
  found: Diagnostic[],
): Composed {
  const value = new Map<string, Json>(Object.entries(before));
  const members = new Map(origin.members);
  for (const [name, change] of Object.entries(patch)) {
    const at = memberOrigin(from, name);
    if (change === null) {
      if (!value.delete(name)) found.push(nothingToDelete(at, personIn(value.keys(), name)));
      continue;
    }
    const member = value.get(name);
    if (isObject(change) && typeof member === 'string' && variablesIn(member).length > 0)
      found.push(variableReplaced(member, at));
    const after =
      isObject(member) && isObject(change)
        ? mergeObject({ value: member, origin: memberOrigin(origin, name) }, change, at, found)
        : { value: withoutNulls(change), origin: at };
    value.set(name, after.value);
    members.set(name, after.origin);
  }
  return { value: Object.fromEntries(value), origin: originAt(origin.source, origin.path, members) };
}

/** The value of a patch where nothing was before: its `null` members delete nothing. */
function withoutNulls(value: Json): Json {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}

/** An author who writes members expects that the others stay. */
function variableReplaced(below: string, { source, path }: ValueOrigin): Diagnostic {
  return diagnose(source.mark(path, 'key'), {
    code: 'overlay-patch',
    severity: 'warning',
    message: `below this overlay stands \`${below}\`: the mapping here replaces all of it`,
    remedy: 'give the variable another value, or write all members in place of the reference',
  });
}

/** `person`: the key that is probably meant, because it differs only in case. */
function nothingToDelete({ source, path }: ValueOrigin, person: string | null): Diagnostic {
  return diagnose(source.mark(path, 'key'), {
    code: 'overlay-patch',
    severity: person === null ? 'warning' : 'error',
    message: `\`${path.join('.')}\` is deleted here, but nothing below this overlay has it`,
    remedy: person === null ? 'remove the line, or correct the name' : `write \`${person}\``,
  });
}

function personIn(keys: Iterable<string>, name: string): string | null {
  if (!name.includes('@')) return null;
  return [...keys].find((key) => personOf(key) === personOf(name)) ?? null;
}

/** Finds where the last overlay that removes an entry does so; null where none does. `path`: of the entry, or with a `key`, of the list that has it. */
export type RemovalAt = (path: Path, key?: string) => Place | null;

/** Lays the overlays again to know it, so it is asked for an entry that is missing. */
export function removalsOf(base: Composed, files: readonly Parsed[]): RemovalAt {
  let layers: readonly Composed[] | null = null;
  return (path, key) => {
    layers ??= layersOf(base, files);
    const has = (layer: Composed | undefined): boolean => hasEntry(layer?.value, path, key);
    const nth = layers.findLastIndex((layer, index) => index > 0 && !has(layer) && has(layers?.[index - 1]));
    const file = files[nth - 1];
    return file === undefined ? null : file.source.mark([...path, ...removing(file, path, key)], 'key').place;
  };
}

/** The base, and the result of each overlay. */
function layersOf(base: Composed, files: readonly Parsed[]): readonly Composed[] {
  const layers = [base];
  for (const file of files) layers.push(withOverlay(layers.at(-1) ?? base, file, []));
  return layers;
}

function hasEntry(value: Json | undefined, path: Path, key: string | undefined): boolean {
  const there = valueAt(value, path);
  if (key === undefined) return there !== undefined;
  return isList(there) && there.some((item) => isObject(item) && item['key'] === key);
}

/** The index of the operation that removes an item of a list; empty for an overlay that replaces the list. */
function removing({ value }: Parsed, [section = '']: Path, key: string | undefined): readonly number[] {
  const operations = isObject(value) ? value[section] : undefined;
  if (key === undefined || !isList(operations)) return [];
  const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const index = operations.findIndex((each) => isObject(each) && each['op'] === 'remove' && each['path'] === pointer);
  return index < 0 ? [] : [index];
}
