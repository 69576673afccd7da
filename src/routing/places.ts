// Places of visitors and rules in the form in which they are compared. A country has one code and several names, which all mean the same.

import { countryCode, spelled } from './countries.ts';

/** As a rule or a visitor gives it; every member may be missing. Specification: "Auto access rule", geolocation_object. */
export interface Geography {
  readonly country?: string;
  readonly country_code?: string;
  readonly region?: string;
  readonly city?: string;
}

/** Compared member by member: a member that a rule leaves out is not compared, a member that a visitor lacks equals nothing. */
export interface ComparedPlace {
  /** Two capital letters. */
  readonly code?: string;
  /** Only of a country whose code is not known. */
  readonly name?: string;
  readonly region?: string;
  readonly city?: string;
}

export const PLACE_MEMBERS = ['code', 'name', 'region', 'city'] as const satisfies readonly (keyof ComparedPlace)[];

/** Null when the members contradict each other: the name of one country, the code of another. */
export function placeOf({ country, country_code, region, city }: Geography): ComparedPlace | null {
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
