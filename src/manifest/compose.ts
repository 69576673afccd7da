// One manifest from its files, merged section by section and entry by entry, with the origin of each entry.

import { grouped } from '../base/grouped.ts';
import { isList, isObject } from '../base/json.ts';
import type { Diagnostic, Json, JsonObject } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import type { Parsed } from '../yaml/places.ts';
import { blankSource, type Source } from '../yaml/places.ts';
import { type Composed, itemsOf, markOf, membersOf, originAt, withItems, withMembers } from './origin.ts';
import { JOINED, MAPPINGS, SHELF, TOP_LEVEL } from './sections.ts';

/** The only version of the manifest's notation. */
export const MANIFEST_VERSION = 1;

type Parts = readonly [Composed<Json>, ...Composed<Json>[]];

/** The result does not depend on the order of the files. */
export function compose(files: readonly Parsed[]): Composed & { readonly diagnostics: readonly Diagnostic[] } {
  const found: Diagnostic[] = [];
  const sections = grouped(
    files.flatMap(({ value, source, whole }) => (whole ? sectionsOf(value, source, found) : [])),
  );
  const merged = [...sections].map(([name, parts]) => {
    const isJoined = JOINED.some((list) => list === name);
    const depth = MAPPINGS.find((section) => section.name === name)?.depth ?? 0;
    return [name, isJoined ? joined(parts) : mergedParts(parts, depth, found)] as const;
  });
  const { value, origin } = withMembers(originAt(files[0]?.source ?? blankSource(''), []), merged);
  return { value: { version: MANIFEST_VERSION, ...value }, origin, diagnostics: found };
}

/** The sections of one file. Its first level is checked here, because merging makes one of the first levels of all files. */
function sectionsOf(value: Json, source: Source, found: Diagnostic[]): readonly (readonly [string, Composed<Json>])[] {
  if (value !== null && !isObject(value)) {
    found.push(notAMapping(source));
    return [];
  }
  const { version, ...sections } = knownSections(value ?? {}, source, found);
  if (version === undefined) {
    const remedy = `begin the file with \`version: ${MANIFEST_VERSION}\``;
    const message = 'the manifest has no `version`';
    found.push(diagnose(source.mark([], 'key'), { code: 'missing-field', message, remedy }));
  }
  return membersOf({ value: sections, origin: originAt(source, []) }).filter(([, section]) => section.value !== null);
}

export function notAMapping(source: Source): Diagnostic {
  return diagnose(source.mark([], 'value'), {
    code: 'wrong-type',
    message: 'a manifest must be a mapping of sections',
    remedy: `begin it with \`version: ${MANIFEST_VERSION}\``,
  });
}

/** The sections without shelves and unknown names. Reports the unknown names and a wrong `version`. */
export function knownSections(value: JsonObject, source: Source, found: Diagnostic[]): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [name, section] of Object.entries(value)) {
    if (SHELF.test(name)) continue;
    if (TOP_LEVEL.includes(name)) {
      kept[name] = section;
      continue;
    }
    const message = `a manifest has no section \`${name}\``;
    const remedy = rightNames(name, TOP_LEVEL);
    found.push(diagnose(source.mark([name], 'key'), { code: 'unknown-field', message, remedy }));
  }
  if (kept['version'] !== undefined && kept['version'] !== MANIFEST_VERSION) {
    const message = `this chatform does not know version ${JSON.stringify(kept['version'])} of the manifest`;
    const remedy = `write \`version: ${MANIFEST_VERSION}\``;
    found.push(diagnose(source.mark(['version'], 'value'), { code: 'not-allowed', message, remedy }));
  }
  return kept;
}

/** One list of the items of all parts. A part that is no list takes its place, so that the schema can refuse it. */
function joined(parts: Parts): Composed<Json> {
  const wrong = parts.find(({ value }) => !isList(value));
  return wrong ?? withItems(parts[0].origin, parts.flatMap(itemsOf));
}

/** Mappings merged down to the entries, which only one part may have. A part that is no mapping takes its place, so that the schema can refuse it. */
function mergedParts(parts: Parts, depth: number, found: Diagnostic[]): Composed<Json> {
  const [first, ...others] = parts;
  if (others.length === 0) return first;
  const [wrong, ...more] = parts.filter(({ value }) => depth === 0 || !isObject(value));
  if (wrong !== undefined) {
    for (const part of more) found.push(declaredTwice(wrong, part));
    return wrong;
  }
  const members = grouped(parts.flatMap(membersOf));
  return withMembers(
    first.origin,
    [...members].map(([name, own]) => [name, mergedParts(own, depth - 1, found)] as const),
  );
}

function declaredTwice({ origin: first }: Composed<Json>, { origin: { source, path } }: Composed<Json>): Diagnostic {
  return diagnose(
    source.mark(path, 'key'),
    {
      code: 'duplicate-declaration',
      message: `\`${path.join('.')}\` is declared in two files`,
      remedy: 'keep one of the two declarations; to change a value for one target, use an overlay',
    },
    [{ mark: markOf(first, [], 'key'), message: 'the other declaration' }],
  );
}
