// One manifest from its files, merged section by section and entry by entry, with the origin of each entry.

import { isList, isObject } from '../base/json.ts';
import type { Diagnostic, Json, JsonObject } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import type { Parsed } from '../yaml/parse.ts';
import { blankSource, type Path, type Source } from '../yaml/places.ts';
import { type Composed, markOf, originAt, type ValueOrigin } from './origin.ts';
import { HEADERS, JOINED, SECTIONS, SHELF } from './sections.ts';

/** The only version of the manifest's notation. */
export const MANIFEST_VERSION = 1;

/** A mapping that grows as files are merged into it. */
interface Draft {
  readonly value: Record<string, Json>;
  readonly members: Map<string | number, ValueOrigin>;
  /** Mappings in it. Most are from a single file, and stay as they are there. */
  readonly parts: Map<string, Draft | Composed>;
}

function emptyDraft(): Draft {
  return { value: {}, members: new Map(), parts: new Map() };
}

/** The result does not depend on the order of the files. */
export function compose(files: readonly Parsed[]): Composed & { readonly diagnostics: readonly Diagnostic[] } {
  const found: Diagnostic[] = [];
  const root = emptyDraft();
  root.value['version'] = MANIFEST_VERSION;
  for (const { value, source, whole } of files) {
    const sections = whole ? rootOf(value, source, found) : {};
    const { version: _, ...rest } = sections;
    for (const [name, section] of Object.entries(rest)) mergeSection(root, name, section, source, found);
  }
  return { ...finished(root, files[0]?.source ?? blankSource(''), []), diagnostics: found };
}

/** The sections of one file. Its first level is checked here, because merging makes one of the first levels of all files. */
function rootOf(value: Json, source: Source, found: Diagnostic[]): JsonObject {
  if (value !== null && !isObject(value)) {
    found.push(notAMapping(source));
    return {};
  }
  const sections = knownSections(value ?? {}, source, found);
  if (sections['version'] === undefined) {
    const remedy = `begin the file with \`version: ${MANIFEST_VERSION}\``;
    const message = 'the manifest has no `version`';
    found.push(diagnose(source.mark([], 'key'), { code: 'missing-field', message, remedy }));
  }
  return sections;
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
  const names: readonly string[] = [...HEADERS, ...SECTIONS.map(({ name }) => name)];
  const kept: Record<string, Json> = {};
  for (const [name, section] of Object.entries(value)) {
    if (SHELF.test(name)) continue;
    if (names.includes(name)) {
      kept[name] = section;
      continue;
    }
    const message = `a manifest has no section \`${name}\``;
    const remedy = rightNames(name, names);
    found.push(diagnose(source.mark([name], 'key'), { code: 'unknown-field', message, remedy }));
  }
  if (kept['version'] !== undefined && kept['version'] !== MANIFEST_VERSION) {
    const message = `this chatform does not know version ${JSON.stringify(kept['version'])} of the manifest`;
    const remedy = `write \`version: ${MANIFEST_VERSION}\``;
    found.push(diagnose(source.mark(['version'], 'value'), { code: 'not-allowed', message, remedy }));
  }
  return kept;
}

function mergeSection(root: Draft, name: string, section: Json, source: Source, found: Diagnostic[]): void {
  if (JOINED.some((list) => list === name)) joinList(root, name, section, source);
  else mergeMember(root, name, section, [name], depthOf(name), source, found);
}

function depthOf(name: string): number {
  return SECTIONS.find((section) => section.name === name)?.depth ?? 0;
}

function joinList(root: Draft, name: string, items: Json, source: Source): void {
  const before = root.value[name] ?? [];
  if (!isList(items) || !isList(before)) {
    if (isList(before)) setMember(root, name, items, originAt(source, [name]));
    return;
  }
  const earlier = root.members.get(name)?.members ?? new Map();
  const members = new Map<string | number, ValueOrigin>(earlier);
  for (const index of items.keys()) members.set(before.length + index, originAt(source, [name, index]));
  setMember(root, name, [...before, ...items], originAt(source, [name], members));
}

function setMember(draft: Draft, name: string, value: Json, origin: ValueOrigin): void {
  draft.value[name] = value;
  draft.members.set(name, origin);
}

/** Merges one member into a draft: mappings of entries are merged, entries are not. */
function mergeMember(
  draft: Draft,
  name: string,
  value: Json,
  path: Path,
  depth: number,
  source: Source,
  found: Diagnostic[],
): void {
  if (value === null && path.length === 1) return;
  if (depth > 0 && isObject(value)) {
    const origin = originAt(source, path);
    if (!draft.members.has(name)) draft.members.set(name, origin);
    const before = draft.parts.get(name);
    if (before === undefined && depth === 1) {
      draft.parts.set(name, { value, origin });
      return;
    }
    const part = growing(before);
    draft.parts.set(name, part);
    for (const [key, item] of Object.entries(value)) {
      mergeMember(part, key, item, [...path, key], depth - 1, source, found);
    }
  } else if (!Object.hasOwn(draft.value, name)) {
    setMember(draft, name, value, originAt(source, path));
  } else {
    found.push(declaredTwice(draft, name, path, source));
  }
}

/** A part as a draft that others can be merged into. */
function growing(part: Draft | Composed | undefined): Draft {
  if (part !== undefined && 'parts' in part) return part;
  const draft = emptyDraft();
  if (part === undefined) return draft;
  const { source, path } = part.origin;
  for (const [key, item] of Object.entries(part.value)) setMember(draft, key, item, originAt(source, [...path, key]));
  return draft;
}

function declaredTwice(draft: Draft, name: string, path: Path, source: Source): Diagnostic {
  const first = draft.members.get(name);
  return diagnose(
    source.mark(path, 'key'),
    {
      code: 'duplicate-declaration',
      message: `\`${path.join('.')}\` is declared in two files`,
      remedy: 'keep one of the two declarations; to change a value for one target, use an overlay',
    },
    first === undefined ? [] : [{ mark: markOf(first, [], 'key'), message: 'the other declaration' }],
  );
}

function finished(draft: Draft, source: Source, path: Path): Composed {
  const value: Record<string, Json> = { ...draft.value };
  const members = new Map(draft.members);
  for (const [name, part] of draft.parts) {
    const origin = draft.members.get(name);
    if (Object.hasOwn(value, name) || origin === undefined) continue;
    const whole = 'parts' in part ? finished(part, origin.source, origin.path) : part;
    value[name] = whole.value;
    members.set(name, whole.origin);
  }
  return { value, origin: originAt(source, path, members) };
}
