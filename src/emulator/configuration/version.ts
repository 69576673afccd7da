// The versions of the Configuration API.

/** A version as it stands in the URL path, without its `v`. */
export type ConfigurationVersion = '3.3' | '3.6';

export const BOTH: readonly ConfigurationVersion[] = ['3.3', '3.6'];
export const ONLY_36: readonly ConfigurationVersion[] = ['3.6'];
export const ONLY_33: readonly ConfigurationVersion[] = ['3.3'];
