// The versions of the Configuration API.

/** A version as it stands in the URL path, without its `v`. */
export type ConfigurationVersion = '3.3' | '3.6';

export type ByVersion<T> = { readonly [version in ConfigurationVersion]: T };

export const BOTH: readonly ConfigurationVersion[] = ['3.3', '3.6'];
export const ONLY_36: readonly ConfigurationVersion[] = ['3.6'];
export const ONLY_33: readonly ConfigurationVersion[] = ['3.3'];

export function isVersion(text: string): text is ConfigurationVersion {
  return text === '3.3' || text === '3.6';
}

/** Makes the same thing once for every version, so that their differences are stated in one place. */
export function byVersion<T>(make: (version: ConfigurationVersion) => T): ByVersion<T> {
  return { '3.3': make('3.3'), '3.6': make('3.6') };
}
