// Entries in; the value of a manifest that has them out, and where each of them stands in it. Knows no text.

import { isObject } from '../../base/json.ts';
import type { Json, JsonObject, KindName } from '../../base/model.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { splitName } from '../../kinds/namespaced.ts';
import { MANIFEST_VERSION } from '../../manifest/compose.ts';
import { ALL_KINDS } from '../../manifest/sections.ts';
import type { Path } from '../../yaml/mark.ts';
import type { Entry } from './entry.ts';

/** The kind whose entries the entries of this one stand in; null for a kind with a section of its own. */
export function outerOf(kind: Kind): Kind | null {
  const outer = ALL_KINDS.find(
    ({ at }) => at.length < kind.at.length && at.every((part, depth) => part === kind.at[depth]),
  );
  return outer ?? null;
}

/** The name of the section that an entry stands in. */
export function sectionOf(kind: KindName): string {
  return KINDS[kind].at[0] ?? '';
}

/** Where an entry with a key of its own stands; of an item of a list, where the list stands. */
export function pathOf({ kind, key }: Pick<Entry, 'kind' | 'key'>): Path {
  let rest = key;
  const parts = KINDS[kind].at.filter((part) => part !== '#');
  const last = parts.lastIndexOf('*');
  return parts.map((part, depth) => {
    if (part !== '*') return part;
    if (depth === last) return rest;
    const [first, others] = splitName(rest);
    rest = others;
    return first;
  });
}

export function isListed(kind: KindName): boolean {
  return KINDS[kind].at.includes('#');
}

/** Sections, and the entries in them, in the order in which people read a license; those of a list in the order given. */
export function manifestOf(entries: readonly Entry[]): JsonObject {
  const manifest: Record<string, Json> = { version: MANIFEST_VERSION };
  for (const { name } of ALL_KINDS) for (const entry of entries) if (entry.kind === name) put(manifest, entry);
  return manifest;
}

function put(manifest: Record<string, Json>, entry: Entry): void {
  const path = pathOf(entry);
  const [section = ''] = path;
  if (isListed(entry.kind))
    manifest[section] = [...((manifest[section] as readonly Json[] | undefined) ?? []), entry.value];
  else manifest[section] = withMember(manifest[section], path.slice(1), entry.value);
}

/** An object of which members are written already keeps them: a value may stand in an entry that comes later. */
function withMember(holder: Json | undefined, path: Path, value: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return isObject(holder) && isObject(value) ? { ...value, ...holder } : value;
  const members: JsonObject = isObject(holder) ? holder : {};
  return { ...members, [step]: withMember(members[step], rest, value) };
}
