// Warnings about countries in the conditions of rules that no list of countries has, and about codes in small letters.

import { isList, isObject } from '../base/json.ts';
import { rightNames } from '../base/nearest.ts';
import { ORDERED } from '../kinds/index.ts';
import { COUNTRY_NAMES, countryCode, isCountryCode } from '../routing/countries.ts';
import { at, type Emit } from '../yaml/diagnostics.ts';
import type { DeclaredEntry } from './sections.ts';

/** A warning and no error: the service may know other names. */
export function checkCountries(entries: readonly DeclaredEntry[], emit: Emit): void {
  for (const { kind, value, path } of entries) {
    const conditions = kind === ORDERED && isObject(value) ? value['conditions'] : undefined;
    const geolocation = isObject(conditions) ? conditions['geolocation'] : undefined;
    const places = isObject(geolocation) ? geolocation['values'] : undefined;
    for (const [index, place] of (isList(places) ? places : []).entries()) {
      if (!isObject(place)) continue;
      const { country, country_code: code } = place;
      const here = [...path, 'conditions', 'geolocation', 'values', index];
      if (typeof country === 'string' && country !== '' && countryCode(country) === undefined) {
        const message = `no country is known by the name ${JSON.stringify(country)}`;
        emit({
          ...at([...here, 'country'], 'value', 'not-allowed', message, nameRemedy(country)),
          severity: 'warning',
        });
      }
      if (typeof code === 'string' && code !== '' && code !== code.toUpperCase() && isCountryCode(code)) {
        const message = `the country code ${JSON.stringify(code)} is in small letters`;
        const remedy = `write \`${code.trim().toUpperCase()}\`, as chatform compares and sends it`;
        emit({ ...at([...here, 'country_code'], 'value', 'bad-format', message, remedy), severity: 'warning' });
      } else if (typeof code === 'string' && code !== '' && !isCountryCode(code)) {
        const message = `no country has the code ${JSON.stringify(code)}`;
        emit({
          ...at([...here, 'country_code'], 'value', 'not-allowed', message, codeRemedy(code)),
          severity: 'warning',
        });
      }
    }
  }
}

function nameRemedy(country: string): string {
  const [meant] = rightNames(country, COUNTRY_NAMES).match(/^did you mean `[^`]+`\?/) ?? [];
  return meant ?? 'write its English name, such as `Poland`, or use `country_code`';
}

function codeRemedy(code: string): string {
  const meant = countryCode(code);
  return meant === undefined ? 'write the two letters of ISO 3166-1, such as `PL`' : `write \`${meant}\``;
}
