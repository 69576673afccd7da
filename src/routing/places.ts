// Where a visitor is, or a rule wants him to be, in; the members that are compared out. A country has one code and several names, and which of
// them the service sends or a rule names is the same to a person, so it is the same here.

import { countryCode, spelled } from './countries.ts';

/** As a rule or a visitor gives it; every member may be missing. Specification: "Auto access rule", geolocation_object. */
export interface Geography {
  readonly country?: string;
  readonly country_code?: string;
  readonly region?: string;
  readonly city?: string;
}

/** What is compared, member by member; one that is missing in a rule is not looked at, one that is missing in a visitor equals nothing. */
export interface Place {
  /** Two capital letters. */
  readonly code?: string;
  /** Only of a country whose code nobody here knows. */
  readonly name?: string;
  readonly region?: string;
  readonly city?: string;
}

export const PLACE_MEMBERS = ['code', 'name', 'region', 'city'] as const satisfies readonly (keyof Place)[];

/** Null when the members contradict each other, so that nobody is there: the name of one country, the code of another. */
export function placeOf({ country, country_code, region, city }: Geography): Place | null {
  const given = country_code === undefined || country_code === '' ? undefined : country_code.trim().toUpperCase();
  const name = country === undefined || country === '' ? undefined : spelled(country);
  const known = name === undefined ? undefined : countryCode(name);
  if (given !== undefined && known !== undefined && given !== known) return null;
  const code = given ?? known;
  return {
    ...(code === undefined ? {} : { code }),
    ...(name === undefined || known !== undefined ? {} : { name }),
    ...(region === undefined || region === '' ? {} : { region: spelled(region) }),
    ...(city === undefined || city === '' ? {} : { city: spelled(city) }),
  };
}
