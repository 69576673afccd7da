// Parsed files in; one value, section by section, with the origin of each entry out. Overlays, variables and the schema come later.

import { isList, isObject } from '../base/json.ts';
import type { Diagnostic, Json, JsonObject } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { blankSource, diagnose, type Path, type Source } from '../yaml/mark.ts';
import { type Composed, markOf, type Origin, originAt } from '../yaml/origin.ts';
import type { Parsed } from '../yaml/parse.ts';
import { HEADERS, JOINED, SECTIONS, SHELF } from './sections.ts';

/** The one version of the manifest's notation. */
export const MANIFEST_VERSION = 1;

/** A mapping that grows as files are merged into it. */
interface Draft {
  readonly value: Record<string, Json>;
  readonly members: Map<string | number, Origin>;
  /** Mappings in it. One that a single file has, as most are, stays as it is there. */
  readonly parts: Map<string, Draft | Composed>;
}

function emptyDraft(): Draft {
  return { value: {}, members: new Map(), parts: new Map() };
}

/** Merges the files; the result does not depend on their order. */
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

/** The sections of one file; what is wrong with its first level is found here, where every file still has its own. */
function rootOf(value: Json, source: Source, found: Diagnostic[]): JsonObject {
  if (value !== null && !isObject(value)) {
    found.push(notAMapping(source));
    return {};
  }
  const sections = knownSections(value ?? {}, source, found);
  if (sections['version'] === undefined) {
    found.push(
      diagnose(source.mark([], 'key'), {
        code: 'missing-field',
        message: 'the manifest does not say its `version`',
        remedy: `begin the file with \`version: ${MANIFEST_VERSION}\``,
      }),
    );
  }
  return sections;
}

export function notAMapping(source: Source): Diagnostic {
  return diagnose(source.mark([], 'value'), {
    code: 'wrong-type',
    message: 'a manifest is a mapping of sections',
    remedy: `begin it with \`version: ${MANIFEST_VERSION}\``,
  });
}

/** What is left of the first level without shelves, misspelt names and a wrong `version`. */
export function knownSections(value: JsonObject, source: Source, found: Diagnostic[]): JsonObject {
  const names: readonly string[] = [...HEADERS, ...SECTIONS.map(({ name }) => name)];
  const kept: Record<string, Json> = {};
  for (const [name, section] of Object.entries(value)) {
    if (SHELF.test(name)) continue;
    if (names.includes(name)) kept[name] = section;
    else
      found.push(
        diagnose(source.mark([name], 'key'), {
          code: 'unknown-field',
          message: `a manifest has no section \`${name}\``,
          remedy: rightNames(name, names),
        }),
      );
  }
  if (kept['version'] !== undefined && kept['version'] !== MANIFEST_VERSION) {
    found.push(
      diagnose(source.mark(['version'], 'value'), {
        code: 'not-allowed',
        message: `\`${JSON.stringify(kept['version'])}\` is not a version of the manifest that is known here`,
        remedy: `write \`version: ${MANIFEST_VERSION}\``,
      }),
    );
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
  const members = new Map<string | number, Origin>(earlier);
  for (const index of items.keys()) members.set(before.length + index, originAt(source, [name, index]));
  setMember(root, name, [...before, ...items], originAt(source, [name], members));
}

function setMember(draft: Draft, name: string, value: Json, origin: Origin): void {
  draft.value[name] = value;
  draft.members.set(name, origin);
}

/** Merges one member into a draft: a mapping of entries member by member, an entry as a whole. */
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

/** What a single file had until now, as a draft. */
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
  return diagnose(source.mark(path, 'key'), {
    code: 'duplicate-declaration',
    message: `\`${path.join('.')}\` is declared in two files`,
    remedy: 'keep it in one of them; an overlay can change what a manifest says',
    related: first === undefined ? [] : [{ mark: markOf(first, [], 'key'), message: 'the other declaration' }],
  });
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
