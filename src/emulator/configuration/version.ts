// The versions of the interface, and one value made for each of them. Knows nothing of what differs between them.

/** A version as it stands in the URL path, without its `v`. */
export type Version = '3.3' | '3.6';

export type PerVersion<T> = { readonly [version in Version]: T };

export const BOTH: readonly Version[] = ['3.3', '3.6'];
export const ONLY_36: readonly Version[] = ['3.6'];
export const ONLY_33: readonly Version[] = ['3.3'];

export function isVersion(text: string): text is Version {
  return text === '3.3' || text === '3.6';
}

/** Makes the same thing once for every version, so that what differs is said at one place. */
export function perVersion<T>(make: (version: Version) => T): PerVersion<T> {
  return { '3.3': make('3.3'), '3.6': make('3.6') };
}
