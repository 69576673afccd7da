// The stable version of every API, and versions of the Configuration API in their order: what holds since which of them.

import { VERSIONS, type Version } from './model.ts';

/** The version of each API that is stable, and the default of a project. */
export const STABLE_VERSION = '3.6' satisfies Version;

/** The versions from one on. */
export function since(first: Version): readonly Version[] {
  return VERSIONS.slice(VERSIONS.indexOf(first));
}

/** What holds since each version that is named, until the next one that is. */
export type Since<T> = { readonly '3.3': T } & { readonly [version in Version]?: T };

/** What holds in a version. */
export function inVersion<T>(table: Since<T>, version: Version): T {
  let held = table['3.3'];
  for (const each of VERSIONS.slice(0, VERSIONS.indexOf(version) + 1)) {
    const named = table[each];
    if (named !== undefined) held = named;
  }
  return held;
}

/** The same table with every version named. */
export function inEachVersion<T>(table: Since<T>): { readonly [version in Version]: T } {
  return {
    '3.3': table['3.3'],
    '3.5': inVersion(table, '3.5'),
    '3.6': inVersion(table, '3.6'),
    '3.7': inVersion(table, '3.7'),
  };
}
