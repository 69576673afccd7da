// What docs/how-to/route-visitors.md says of URLs, domains and places, by rules that match or do not.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/model.ts';
import { runRoutes } from '../../src/routing/route-tests.ts';
import { ASSUMED, type Assumptions, programOf } from '../../src/routing/rules.ts';
import { pageUrl } from '../../src/routing/text.ts';
import { seen, type Visitor } from '../../src/routing/visitor.ts';

function matching(conditions: JsonObject, when: Visitor, assumptions: Partial<Assumptions> = {}): boolean {
  const program = programOf([{ name: 'r', groups: ['g'], conditions }], { ...ASSUMED, ...assumptions });
  return runRoutes([{ name: null, when, expect: ['g'], rule: 'r' }], program)[0]?.outcome === 'passed';
}

const url = (value: string, exact_match = false): JsonObject => ({ url: { values: [{ value, exact_match }] } });
const domain = (value: string, exact_match = false): JsonObject => ({ domain: { values: [{ value, exact_match }] } });

describe('A rule matches', () => {
  test.each([
    ['an exact URL as a browser spells it', url('HTTPS://Shop.Example:443/a/../b', true), 'https://shop.example/b'],
    ['the same with the default port of http', url('http://shop.example:80/a', true), 'http://shop.example/a'],
    ['a page without its default port', url('shop.example/a'), 'https://shop.example:443/a'],
    ['a port that is the default one of the other scheme', url('shop.example:443/'), 'http://shop.example:443/'],
    ['without a user name', url('https://shop.example/', true), 'https://ann:secret@shop.example/'],
    ['without the dot at the end of the host', url('https://shop.example/x', true), 'https://shop.example./x'],
    ['percent-escapes as what they mean', url('/café'), 'https://shop.example/caf%C3%A9'],
    ['the same the other way round', url('/caf%C3%A9'), 'https://shop.example/café'],
    ['an international domain', domain('café.example', true), 'https://xn--caf-dma.example/'],
    ['the same the other way round, in the URL', url('xn--caf-dma.example'), 'https://café.example/'],
    ['an international domain in the query', url('xn--caf-dma.example'), 'https://a.example/?from=xn--caf-dma.example'],
    ['an escape that is no character as it stands', url('%E9'), 'https://shop.example/caf%E9'],
    ['a port that is not the default one', url('shop.example:8443/'), 'https://shop.example:8443/'],
    ['a domain without its port', domain('shop.example', true), 'https://shop.example:8443/'],
    ['capital letters of a domain', domain('SHOP'), 'https://shop.example/'],
    ['the query', url('utm=spring'), 'https://shop.example/?utm=spring'],
    ['what follows the number sign', url('#prices'), 'https://shop.example/#prices'],
  ])('%s', (_, conditions, page) => {
    expect(matching(conditions, { url: page })).toBe(true);
  });
});

describe('A rule does not match', () => {
  test.each([
    ['a part of an exact URL', url('https://shop.example/', true), 'https://shop.example/a'],
    ['a part of an exact domain', domain('shop.example', true), 'https://de.shop.example/'],
    ['capital letters of a path', url('/Pricing'), 'https://shop.example/pricing'],
    ['a user name', url('ann'), 'https://ann@shop.example/'],
    ['the default port', url(':443'), 'https://shop.example:443/'],
    ['a part with the default port', url('https://shop.example:443/a'), 'https://shop.example/a'],
    ['the default port of the other scheme', url('http://shop.example:443/', true), 'http://shop.example/'],
  ])('%s', (_, conditions, page) => {
    expect(matching(conditions, { url: page })).toBe(false);
  });

  test('an item that contradicts itself', () => {
    const nowhere = { geolocation: { values: [{ country: 'Poland', country_code: 'DE' }] } };
    expect(matching(nowhere, { url: 'https://a.example/', country: 'Poland' })).toBe(false);
  });

  test('what nobody knows of a visitor', () => {
    const vienna = { geolocation: { values: [{ city: 'Vienna' }] } };
    expect(matching(vienna, { url: 'https://a.example/', country: 'Austria' })).toBe(false);
    expect(matching(vienna, { url: 'https://a.example/', city: 'vienna' })).toBe(true);
  });

  test('nobody at all, without a condition', () => {
    expect(matching({}, { url: 'https://a.example/' })).toBe(false);
  });
});

test('A country is one under each of its names and its code', () => {
  for (const item of [{ country: 'Poland' }, { country_code: 'PL' }, { country: 'poland ' }, { country: 'PL' }])
    for (const where of [{ country: 'Poland' }, { country_code: 'pl' }])
      expect(matching({ geolocation: { values: [item] } }, { url: 'https://a.example/', ...where })).toBe(true);
});

test('Capital letters of URLs can be told to mean nothing', () => {
  expect(matching(url('/Pricing'), { url: 'https://shop.example/PRICING' }, { case: 'ignore' })).toBe(true);
});

test('A page with an accent is a page however often it is asked about', () => {
  // Long enough for the engine to compile the way there, which is when URL.canParse of Node 20 begins to refuse such texts.
  const refused = Array.from({ length: 20_000 }, (_, index) =>
    pageUrl(index % 2 === 0 ? 'https://café.example/' : 'https://a.example/'),
  ).filter((page) => page === null);
  expect(refused).toEqual([]);
});

test.each(['ftp://shop.example/', '/pricing', 'shop.example', 'about:blank', 'https://'])(
  'Nobody is on the page %s',
  (page) => {
    expect(seen({ url: page }, ASSUMED)).toMatchObject({ member: 'url' });
  },
);
