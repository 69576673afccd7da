// Examples on pages that a project names: which domains and paths they are built from, and which are called made up.

import { expect, test } from 'vitest';
import { compareRouting } from '../../src/routing/compare.ts';
import { knownPages, NO_PAGES, type ProjectPages, pageWith } from '../../src/routing/pages.ts';
import { ASSUMED, programOf, type RoutingRule } from '../../src/routing/rules.ts';

const rule = (name: string, conditions: object): RoutingRule => ({
  name,
  groups: [`of ${name}`],
  conditions: conditions as RoutingRule['conditions'],
});
const url = (...texts: readonly string[]) => ({ url: { values: texts.map((value) => ({ value })) } });
const domain = (value: string, exact = true) => ({ domain: { values: [{ value, exact_match: exact }] } });

const visit = (page: string, ...expected: readonly string[]) => ({ when: { url: page }, expect: expected });

function firstPages(before: readonly RoutingRule[], after: readonly RoutingRule[], pages: ProjectPages = NO_PAGES) {
  return compareRouting(before, after, ASSUMED, pages).rerouted.map(({ examples, made_up }) => {
    const page = examples[0]?.visitor.url;
    return made_up === true ? `made up: ${page}` : page;
  });
}

test('The domain of the settings comes first, then the one that tests and rules name most', () => {
  const { rules } = programOf(
    [rule('a', domain('de.shop.example')), rule('b', url('https://help.example/x', 'shop.example/y', '/z'))],
    ASSUMED,
  );
  const tests = [visit('https://shop.example/', 'g'), visit('https://other.example/')];
  expect(knownPages(rules, { domain: null, tests }).domains).toEqual([
    'shop.example',
    'de.shop.example',
    'help.example',
  ]);
  expect(knownPages(rules, { domain: 'www.shop.example', tests }).domains[0]).toBe('www.shop.example');
  expect(knownPages(rules, { domain: null, tests }).urls).toEqual(['https://other.example/', 'https://shop.example/']);
});

test('A path is shown on the domain of the project, and a text that is no path on a page of a test', () => {
  const tests = [visit('https://shop.example/en/prices?from=mail', 'g')];
  expect(firstPages([], [rule('a', url('/pricing'))], { domain: null, tests })).toEqual([
    'https://shop.example/pricing',
  ]);
  expect(firstPages([], [rule('a', url('from=mail'))], { domain: null, tests })).toEqual([
    'https://shop.example/en/prices?from=mail',
  ]);
  expect(firstPages([], [rule('a', url('from=mail'))], { domain: 'b.example', tests: [] })).toEqual([
    'https://b.example/?from=mail',
  ]);
  expect(firstPages([], [rule('a', url('/pricing'))])).toEqual(['https://example.com/pricing']);
});

test('A subdomain stands for a part of a domain whose known domains all go elsewhere', () => {
  const shop = [rule('shop', domain('shop.example')), rule('all', domain('shop.example', false))];
  expect(
    firstPages(shop, [...shop.slice(0, 1), { ...rule('all', domain('shop.example', false)), groups: ['x'] }]),
  ).toEqual(['https://www.shop.example']);
});

test('Two texts on one page, are made up, unless a test names the page, and come last however broad they are', () => {
  const before = [rule('shop', domain('shop.example')), rule('help', url('/help'))];
  const after = [rule('sale', url('/sale')), ...before];
  expect(firstPages(before, after)).toEqual([
    'https://www.shop.example/sale',
    'https://shop.example/sale',
    'made up: https://example.com/help/sale',
  ]);
  const tests = [visit('https://faq.example/help/sale', 'g')];
  expect(firstPages(before, after, { domain: null, tests })).toEqual([
    'https://faq.example/sale',
    'https://shop.example/sale',
    'https://faq.example/help/sale',
  ]);
});

test('What fewer conditions ask for comes before what more ask for', () => {
  const place = { geolocation: { values: [{ country_code: 'CA', region: 'Quebec' }] } };
  const after = [
    rule('both', { ...url('/cart'), ...place }),
    rule('exact', { url: { values: [{ value: 'https://a.example/sale', exact_match: true }] } }),
    rule('place', place),
    rule('query', url('?from=mail')),
    rule('path', url('/pricing')),
    rule('domain', domain('a.example')),
    rule('rest', { url: { exclude_values: [{ value: '/careers' }] } }),
  ];
  const order = compareRouting([], after, ASSUMED).rerouted.map((each) => each.after.rule);
  expect(order).toEqual(['rest', 'domain', 'path', 'query', 'place', 'both', 'exact']);
});

test('A text with an equals sign goes into the query', () => {
  expect(pageWith('https://a.example', ['lang=de'])).toBe('https://a.example/?lang=de');
  expect(pageWith('https://a.example', ['/x', 'lang=de', 'b=1'])).toBe('https://a.example/x?lang=de&b=1');
});
