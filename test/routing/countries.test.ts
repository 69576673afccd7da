// What a country is called, by the service, by a rule, by a person, by Intl.

import { expect, test } from 'vitest';
import { countryCode } from '../../src/routing/countries.ts';

test.each([
  ['Poland', 'PL'],
  ['  poland ', 'PL'],
  ['PL', 'PL'],
  ['pl', 'PL'],
  ['United States of America', 'US'],
  ['uk', 'GB'],
  ['Türkiye', 'TR'],
  ['Turkey', 'TR'],
  ['Co\u0302te d’Ivoire', 'CI'],
  ['Ivory Coast', 'CI'],
])('%s is %s', (name, code) => {
  expect(countryCode(name)).toBe(code);
});

test.each(['', 'Atlantis', 'ZZ', 'BU', 'Burma'])('%j is no country', (name) => {
  expect(countryCode(name)).toBeUndefined();
});

test('What the Intl of any node calls a country is never another one here', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const known = codes.filter((code) => countryCode(code) === code);
  expect(known.length).toBeGreaterThan(250);
  for (const code of known) expect([code, undefined]).toContain(countryCode(names.of(code) ?? code));
});
