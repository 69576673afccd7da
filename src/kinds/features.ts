// What versions of the Configuration API have and others have not, where no field, limit or action says it by itself.

import { inVersion, type Since } from '../base/api-versions.ts';
import { VERSIONS, type Version } from '../base/model.ts';

/** Specification: "Versioning"; today/configuration.md, "Versions". */
const FEATURES = {
  /** Hours are a list, with their zone; before, a day has one span, a bot's zone stands next to them, and an agent has none. */
  weeklyHours: { '3.3': false, '3.5': true },
  /** A bearer token may say whose a new bot is. */
  ownersOfBots: { '3.3': false, '3.5': true },
} as const satisfies { readonly [name: string]: Since<boolean> };

/** `3.5 or later`, or all of them. */
export function anyOf(versions: readonly Version[]): string {
  const [first] = versions;
  return versions.length > 1 && versions.at(-1) === VERSIONS.at(-1) ? `${first} or later` : versions.join(' or ');
}

/** Whether a version has a feature. */
export function hasFeature(name: keyof typeof FEATURES, version: Version): boolean {
  return inVersion<boolean>(FEATURES[name], version);
}
