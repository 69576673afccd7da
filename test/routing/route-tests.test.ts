// Routing tests on programs: what passes, what fails, what nobody can say yet, and how long a large list takes.

import { expect, test } from 'vitest';
import { type RouteTest, runRoutes } from '../../src/routing/route-tests.ts';
import { ASSUMED, type Assumptions, programOf, type RoutingRule } from '../../src/routing/rules.ts';
import type { Visitor } from '../../src/routing/visitor.ts';

function url(name: string, value: string, ...groups: readonly string[]): RoutingRule {
  return { name, groups, conditions: { url: { values: [{ value }] } } };
}

function from(name: string, country: string, ...groups: readonly string[]): RoutingRule {
  return { name, groups, conditions: { geolocation: { values: [{ country }] } } };
}

function expecting(when: Visitor, expect: readonly string[], rule: string | null = null): RouteTest {
  return { name: null, when, expect, rule };
}

const RULES = [
  url('pricing', '/pricing', 'sales'),
  from('poland', 'Poland', 'warsaw', 'support'),
  url('all', 'https', 'support'),
];

const PRICING: Visitor = { url: 'https://shop.example/pricing', country_code: 'PL' };
const HOME: Visitor = { url: 'https://shop.example/', country: 'Poland' };

function outcomes(tests: readonly RouteTest[], assumptions: Partial<Assumptions> = {}, open: readonly string[] = []) {
  const program = programOf(RULES, { ...ASSUMED, ...assumptions });
  return runRoutes(tests, program, new Set(open)).map(({ outcome, decidedBy, dependsOn }) => [
    outcome,
    decidedBy,
    ...(dependsOn === null ? [] : [dependsOn]),
  ]);
}

test('A test passes when exactly its groups are reached, by its rule if it names one', () => {
  expect(
    outcomes([
      expecting(PRICING, ['sales']),
      expecting(PRICING, ['sales'], 'pricing'),
      expecting(PRICING, ['sales'], 'poland'),
      expecting(HOME, ['support', 'warsaw']),
      expecting(HOME, ['support']),
      expecting({ url: 'http://plain.example' }, []),
      expecting({ url: 'http://plain.example' }, ['support']),
      expecting(HOME, []),
    ]),
  ).toEqual([
    ['passed', 'pricing'],
    ['passed', 'pricing'],
    ['failed', 'pricing'],
    ['passed', 'poland'],
    ['failed', 'poland'],
    ['passed', null],
    ['failed', null],
    ['failed', 'poland'],
  ]);
});

test('A project that says the last rule decides gets another answer', () => {
  expect(outcomes([expecting(PRICING, ['support'])], { decides: 'last' })).toEqual([['passed', 'all']]);
});

test('What comes to a rule that is not wholly known is open, and what is decided before is not', () => {
  const rules = [
    url('pricing', '/pricing', 'sales'),
    { name: 'bound', groups: ['vip'], conditions: {} },
    url('all', 'https', 'support'),
  ];
  const program = programOf(rules, ASSUMED);
  const tests = [
    expecting(PRICING, ['sales']),
    expecting(HOME, ['support']),
    expecting({ url: 'http://a.example' }, []),
  ];
  expect(runRoutes(tests, program, new Set(['bound'])).map(({ outcome, dependsOn }) => [outcome, dependsOn])).toEqual([
    ['passed', null],
    ['open', 'bound'],
    ['open', 'bound'],
  ]);
});

test('A rule of which only the groups are unknown leaves those open whom it decides, and nobody else', () => {
  expect(outcomes([expecting(PRICING, ['sales']), expecting(HOME, ['support'])], {}, ['poland'])).toEqual([
    ['passed', 'pricing'],
    ['open', 'poland', 'poland'],
  ]);
});

test('200 rules and 1,000 tests take less than 200 ms', () => {
  const rules = Array.from({ length: 200 }, (_, index): RoutingRule => {
    const conditions = {
      url: { values: [{ value: `/section-${index}/` }, { value: `campaign=${index}` }] },
      ...(index % 3 === 0 ? { domain: { exclude_values: [{ value: `shop-${index}.example` }] } } : {}),
      ...(index % 5 === 0
        ? { geolocation: { values: [{ country: 'Poland' }, { country_code: 'DE', city: 'Berlin' }] } }
        : {}),
    };
    return { name: `rule-${index}`, groups: [`group-${index % 80}`], conditions };
  });
  const tests = Array.from({ length: 1000 }, (_, index): RouteTest => {
    const url = `https://shop-${index % 7}.example/section-${(index * 37) % 260}/item?campaign=${index % 400}`;
    return expecting({ url, country: index % 2 === 0 ? 'Poland' : 'Germany', city: 'Berlin' }, [`group-${index % 80}`]);
  });
  const began = process.cpuUsage();
  const results = runRoutes(tests, programOf(rules, ASSUMED));
  const took = process.cpuUsage(began).user / 1000;
  expect(results.filter(({ decidedBy }) => decidedBy !== null).length).toBeGreaterThan(500);
  // Machines that build for many people at the same time are slower.
  expect(took).toBeLessThan(process.env['CI'] === undefined ? 200 : 1000);
});
