// What the lints of rules say, and where they say nothing.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/model.ts';
import { ruleLints } from '../../src/routing/lint.ts';
import { ASSUMED, type Assumptions, type RoutingRule } from '../../src/routing/rules.ts';

function rule(name: string, conditions: JsonObject): RoutingRule {
  return { name: `auto_access/${name}`, groups: ['group/sales'], conditions };
}

const url = (...values: readonly string[]): JsonObject => ({ url: { values: values.map((value) => ({ value })) } });
const exactly = (value: string): JsonObject => ({ url: { values: [{ value, exact_match: true }] } });
const domain = (value: string): JsonObject => ({ domain: { values: [{ value }] } });
const country = (...values: readonly string[]): JsonObject => ({
  geolocation: { values: values.map((value) => ({ country: value })) },
});

function told(rules: readonly RoutingRule[], assumptions: Assumptions = ASSUMED): readonly string[] {
  return ruleLints(rules, assumptions, () => null).map(
    ({ id, message, remedy }) => `${id}: ${message}${remedy === null ? '' : `; ${remedy}`}`,
  );
}

describe('a rule that never decides', () => {
  test('and comes after one that no file declares is not told to move before it', () => {
    const byHand = { ...rule('prices', url('/pricing')), name: '5b03', title: '"Promo" (5b03)' };
    expect(told([byHand, rule('plans', url('/pricing/eu'))])).toEqual([
      'unreachable-rule: auto_access/plans never decides: "Promo" (5b03) matches all its visitors first ("/pricing/eu" by "/pricing"); move or delete that rule in the application of the service, or remove this one',
    ]);
  });

  test('is told with the rule that decides before it, and why that matches, too', () => {
    expect(told([rule('prices', url('/pricing')), rule('plans', url('/pricing/eu', '/pricing/us'))])).toEqual([
      'unreachable-rule: auto_access/plans never decides: auto_access/prices matches all its visitors first ("/pricing/eu" by "/pricing"); move it before that rule, or remove it',
    ]);
  });

  test('is told with all the rules that it takes together', () => {
    const rules = [rule('de', country('Germany')), rule('pl', country('Poland')), rule('both', country('PL', 'DE'))];
    expect(told(rules)).toEqual([
      'unreachable-rule: auto_access/both never decides: auto_access/de and auto_access/pl match all its visitors first ("DE" by "Germany", "PL" by "Poland"); move it before those rules, or remove it',
    ]);
  });

  test('on the site of the project, behind one for all of its pages, is told unless a test is about it', () => {
    const rules = [rule('everyone', domain('shop.example')), rule('help', url('/help'))];
    const at = (...tests: readonly { readonly url: string; readonly rule?: string }[]): readonly string[] =>
      ruleLints(rules, ASSUMED, () => null, {
        domain: 'shop.example',
        tests: tests.map(({ url: page, rule: name }) => ({
          when: { url: page },
          expect: ['group/sales'],
          rule: name === undefined ? null : `auto_access/${name}`,
        })),
      }).map(({ id, about, message }) => `${id} ${about.join(' ')}: ${message}`);
    expect(at()).toEqual([
      'unreachable-rule auto_access/help: auto_access/help never decides on shop.example: auto_access/everyone matches all pages of it, and stands before it',
    ]);
    expect(at({ url: 'https://shop.example/help' })).toHaveLength(1);
    expect(at({ url: 'https://other.example/help' })).toEqual([]);
    expect(at({ url: 'https://shop.example/help', rule: 'help' })).toEqual([]);
  });

  test('on the site of the project is not told behind one that leaves pages of it, or in another order', () => {
    const pages = { domain: 'shop.example', tests: [] };
    const found = (...rules: readonly RoutingRule[]) => ruleLints(rules, ASSUMED, () => null, pages);
    expect(found(rule('en', { ...domain('shop.example'), ...country('Poland') }), rule('help', url('/help')))).toEqual(
      [],
    );
    expect(found(rule('help', url('/help')), rule('everyone', domain('shop.example')))).toEqual([]);
    expect(found(rule('everyone', domain('other.example')), rule('help', url('/help')))).toEqual([]);
    expect(found(rule('all', domain('shop.example')), rule('o', { ...domain('o.example'), ...url('/help') }))).toEqual(
      [],
    );
  });

  test('is not told while one place is left', () => {
    expect(told([rule('de', country('Germany')), rule('both', country('PL', 'DE'))])).toEqual([]);
    expect(told([rule('prices', { ...url('/pricing'), ...country('PL') }), rule('all', url('/pricing'))])).toEqual([]);
  });

  test('stands behind one that excludes just what it does not look for', () => {
    const rules = [rule('else', { url: { exclude_values: [{ value: '/shop' }] } }), rule('help', url('/help'))];
    expect(told(rules)).toEqual([]);
    expect(told([...rules, rule('rest', url('/'))])).toEqual([]);
    expect(told([...rules, rule('shop', url('/shop')), rule('rest', url('/'))])).toEqual([
      expect.stringMatching(
        /^unreachable-rule: auto_access\/rest .* auto_access\/else and auto_access\/shop match all/,
      ),
    ]);
  });

  test('is another one where the last rule decides', () => {
    const rules = [rule('prices', url('/pricing')), rule('plans', url('/pricing/eu'))];
    expect(told(rules, { ...ASSUMED, decides: 'last' })).toEqual([]);
    expect(told(rules.toReversed(), { ...ASSUMED, decides: 'last' })).toEqual([
      expect.stringContaining('auto_access/plans never decides'),
    ]);
  });

  test('is another one where capital letters do not count', () => {
    const rules = [rule('prices', url('/pricing')), rule('plans', url('/Pricing/EU'))];
    expect(told(rules)).toEqual([]);
    expect(told(rules, { ...ASSUMED, case: 'ignore' })).toHaveLength(1);
  });
});

test('a finding is about the rule that never decides', () => {
  const about = (...rules: readonly RoutingRule[]) =>
    ruleLints(rules, ASSUMED, () => null).map(({ id, about: names }) => `${id} ${names.join(' ')}`);
  expect(about(rule('pl', country('Poland')), rule('twin', country('PL')))).toEqual([
    'duplicate-rule auto_access/twin',
  ]);
  expect(about(rule('none', exactly('/pricing')))).toEqual(['never-matches auto_access/none']);
});

test('conditions that are the same, however they are written, are told as the same', () => {
  const rules = [
    rule('pl', country('Poland', 'Germany')),
    rule('twin', { geolocation: { values: [{ country_code: 'de' }, { country: 'PL' }] } }),
  ];
  expect(told(rules)).toEqual([
    'duplicate-rule: auto_access/twin never decides: it has the same conditions as auto_access/pl, which is asked before it; remove one of them',
  ]);
});

describe('a rule that matches no visitor', () => {
  const whole = 'write the whole URL, or leave out `exact_match` to match each URL that contains the text';
  const change = 'change its conditions, or remove it';

  test.each([
    ['an exact URL that is no URL', exactly('/pricing'), 'no URL is "/pricing"', whole],
    ['an exact URL of no page', exactly('mailto:ann@example.com'), 'no URL is "mailto:ann@example.com"', whole],
    [
      'a path in a domain',
      domain('example.com/pricing'),
      'no domain is "example.com/pricing"',
      'write `example.com`, and `/pricing` as a text of `url`',
    ],
    [
      'a scheme in a domain',
      domain('https://example.com/'),
      'no domain is "https://example.com/"',
      'write `example.com`',
    ],
    ['a port in a domain', domain('localhost:3000'), 'no domain is "localhost:3000"', change],
    [
      'a country and the code of another',
      { geolocation: { values: [{ country: 'Poland', country_code: 'DE' }] } },
      'its country and its country code contradict each other',
      change,
    ],
    [
      'conditions that exclude each other',
      { ...exactly('https://example.com/'), ...domain('example.org') },
      'no visitor can meet all of its conditions',
      change,
    ],
  ])('is told for %s', (_, conditions, why, remedy) => {
    expect(told([rule('a', conditions)])).toContainEqual(
      `never-matches: auto_access/a matches no visitor: ${why}; ${remedy}`,
    );
  });
});

describe('a part of a URL with a default port', () => {
  const part = (value: string): JsonObject => ({ url: { values: [{ value }] } });

  test.each([
    ['https://shop.example:443/pricing', 'https://shop.example/pricing'],
    ['http://shop.example:80', 'http://shop.example'],
    ['shop.example:443/pricing', 'shop.example/pricing'],
  ])('is told: %s', (value, right) => {
    expect(told([rule('home', part(value))])).toEqual([
      `unlike-a-browser: auto_access/home looks for "${value}", which a browser reports as "${right}"; write ${right}`,
    ]);
  });

  test.each([
    'http://shop.example:443/',
    'https://shop.example:8443/',
    'shop.example:4430',
    '/a:443',
    ':443',
    '?at=a.b:443',
  ])('is none, or may be found: %s', (value) => {
    expect(told([rule('home', part(value))])).toEqual([]);
  });
});

describe('an exact URL', () => {
  test('is told when a browser spells it otherwise', () => {
    expect(told([rule('home', exactly('https://Example.com'))])).toEqual([
      'unlike-a-browser: auto_access/home looks for exactly "https://Example.com", which a browser reports as "https://example.com/"; write https://example.com/',
    ]);
  });

  test('is fine as a browser spells it, escapes and all', () => {
    expect(told([rule('home', exactly('https://example.com/caf%C3%A9?a=1#b'))])).toEqual([]);
  });
});
