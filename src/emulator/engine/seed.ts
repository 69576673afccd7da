// Seeds: licenses described by people. Knows no kind.

import type { EmulatedLicense, Kind } from './license.ts';
import { badSeed, createLicense } from './license.ts';
import { isRefusal } from './refusal.ts';
import type { EngineSettings } from './settings.ts';
import type { Fields, Intersection, ObjectShape } from './shape.ts';
import { object } from './shape.ts';

/** A seed with the members of all these kinds; everything is optional. */
export type SeedOf<K extends Kind> = Intersection<
  K extends { readonly seed: infer F extends Fields } ? ObjectShape<F> : never
>;

/** Checks parsed JSON; throws an Error that names the member which is wrong or not known. */
export function parseSeed(kinds: readonly Kind[], json: unknown): object {
  const fields: Fields = Object.assign({}, ...kinds.map(({ seed }) => seed));
  try {
    return object(fields, true)(json, '');
  } catch (error) {
    if (isRefusal(error)) badSeed(error.message);
    throw error;
  }
}

/** A license whose records are old enough to be read at once. `window`: see createLicense. Throws an Error that names what is wrong. */
export function plant(kinds: readonly Kind[], seed: object, settings: EngineSettings, window: number): EmulatedLicense {
  const license = createLicense(kinds, window);
  for (const kind of kinds) kind.plant?.(license, seed, settings);
  return license;
}
