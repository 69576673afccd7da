// Where a visitor is, or a rule wants him to be, in; the members that are compared out. A country has one code and several names, and which of
// them the service sends or a rule names is the same to a person, so it is the same here.

/** Spellings that are in use beside the one that Intl has. */
const OTHER_NAMES: readonly (readonly [name: string, code: string])[] = [
  ['united states of america', 'US'],
  ['usa', 'US'],
  ['great britain', 'GB'],
  ['uk', 'GB'],
  ['czech republic', 'CZ'],
  ['russian federation', 'RU'],
  ['turkey', 'TR'],
  ['korea, republic of', 'KR'],
  ['republic of korea', 'KR'],
  ['viet nam', 'VN'],
  ['hong kong', 'HK'],
  ['macao', 'MO'],
  ['macau', 'MO'],
  ['ivory coast', 'CI'],
  ['macedonia', 'MK'],
  ['holland', 'NL'],
];

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

let codes: ReadonlyMap<string, string> | null = null;

/** Which code a country's English name has. */
function codesByName(): ReadonlyMap<string, string> {
  if (codes !== null) return codes;
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const found = letters.flatMap((first) =>
    letters.flatMap((second): readonly (readonly [string, string])[] => {
      const name = isInUse(first + second) ? names.of(first + second) : undefined;
      return name === undefined ? [] : [[spelled(name), first + second]];
    }),
  );
  codes = new Map([...found, ...OTHER_NAMES]);
  return codes;
}

/** A code of old, such as BU, has the name of the one that took its place. */
function isInUse(code: string): boolean {
  return Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
}

/** How a country is called in English; its code where there is no name. */
export function countryName(code: string): string {
  return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;
}

function spelled(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

/** Null when the members contradict each other, so that nobody is there: the name of one country, the code of another. */
export function placeOf({ country, country_code, region, city }: Geography): Place | null {
  const given = country_code === undefined || country_code === '' ? undefined : country_code.trim().toUpperCase();
  const name = country === undefined || country === '' ? undefined : spelled(country);
  const known = name === undefined ? undefined : (codesByName().get(name) ?? codeInPlaceOfName(name));
  if (given !== undefined && known !== undefined && given !== known) return null;
  const code = given ?? known;
  return {
    ...(code === undefined ? {} : { code }),
    ...(name === undefined || known !== undefined ? {} : { name }),
    ...(region === undefined || region === '' ? {} : { region: spelled(region) }),
    ...(city === undefined || city === '' ? {} : { city: spelled(city) }),
  };
}

/** `country: PL` means Poland. */
function codeInPlaceOfName(name: string): string | undefined {
  const code = name.toUpperCase();
  return /^[A-Z]{2}$/.test(code) && countryName(code) !== code ? code : undefined;
}
