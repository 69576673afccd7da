// Which targets a change can touch: those whose settings differ from before, and those that open a changed file.

import { canonicalJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/model.ts';

/** What changed, by path in the repository. */
export interface ChangedPaths {
  readonly has: (path: string) => boolean;
  readonly deleted: ReadonlySet<string>;
}

/** What chatform.yaml says of each target; null for a file that was not there, or had errors. */
export type WrittenTargets = ReadonlyMap<string, JsonObject> | null;

/** Targets whose settings are others than before, or that are new. Without anything to compare with, all. */
export function settingsDiffer(name: string, before: WrittenTargets, now: ReadonlyMap<string, JsonObject>): boolean {
  const [was, is] = [before?.get(name), now.get(name)];
  return was === undefined || is === undefined || canonicalJson(was) !== canonicalJson(is);
}

/** Targets that chatform.yaml had before, by name. */
export function goneTargets(before: WrittenTargets, now: ReadonlyMap<string, JsonObject>): readonly string[] {
  return [...(before?.keys() ?? [])].filter((name) => !now.has(name)).sort();
}

/**
 * The changed path because of which a target is touched; null when none of those that it looked at changed. A path above it that changed is a
 * submodule or a link. A file that is gone counts for the folder that was looked at.
 */
export function changedAmong(looked: Iterable<string>, changed: ChangedPaths): string | null {
  const folders = new Map(Array.from(changed.deleted, (path) => [folderOf(path), path]));
  for (const path of looked) {
    for (let name = path; name !== ''; name = folderOf(name)) if (changed.has(name)) return name;
    const gone = folders.get(path);
    if (gone !== undefined) return gone;
  }
  return null;
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
