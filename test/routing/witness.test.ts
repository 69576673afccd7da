// Visitors whom a search must not overlook: what explain says of a page, the lints and the comparison have to know, too.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/model.ts';
import { compareRouting } from '../../src/routing/compare.ts';
import { ruleLints } from '../../src/routing/lint.ts';
import { ASSUMED, programOf, type RoutingRule } from '../../src/routing/rules.ts';
import { spellerOf } from '../../src/routing/spelling.ts';
import { witness } from '../../src/routing/witness.ts';

function rule(name: string, conditions: JsonObject): RoutingRule {
  return { name, groups: [name], conditions };
}

const url = (...values: readonly string[]): JsonObject => ({ url: { values: values.map((value) => ({ value })) } });
const domain = (value: string, exact_match = false): JsonObject => ({ domain: { values: [{ value, exact_match }] } });
const place = (where: JsonObject): JsonObject => ({ geolocation: { values: [where] } });

function lints(...rules: readonly RoutingRule[]): readonly string[] {
  return ruleLints(rules, ASSUMED, () => null).map(({ id, message }) => `${id}: ${message}`);
}

function found(...rules: readonly RoutingRule[]): string {
  const program = programOf(rules, ASSUMED);
  return witness({ match: program.rules, miss: [] }, spellerOf(program.rules, ASSUMED), { left: 1000 }).found;
}

describe('A rule is not called one that nobody reaches', () => {
  test('when it looks for a part of an address, which no letter may stand beside', () => {
    expect(lints(rule('loopback', domain('::1')), rule('net', domain('2001:db8:')))).toEqual([]);
  });

  test('when a letter beside the domain would make a number of it', () => {
    expect(lints(rule('net', { ...domain('192.168.0'), ...url('/faq') }))).toEqual([]);
  });

  test('when it is reached on a port that other rules look for', () => {
    const ports = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => rule(`p${digit}`, url(`:${digit}`)));
    const rules = [rule('page', url('shop.example/')), rule('shop', domain('shop.example', true)), ...ports];
    expect(lints(...rules)).toEqual([]);
  });

  test('when the host ends with several dots', () => {
    expect(lints(rule('dots', domain('shop.example..', true)))).toEqual([]);
  });
});

test('A domain that is written from right to left has visitors', () => {
  expect(found(rule('israel', domain('דוגמה.ישראל')))).toBe('visitor');
  expect(found(rule('misr', domain('xn--wgbh1c')))).toBe('visitor');
});

test('A domain with a port is nobody’s, and that is certain', () => {
  expect(lints(rule('port', domain('shop.example:8080')), rule('exact', domain('shop.example:8080', true)))).toEqual([
    expect.stringMatching(/^never-matches: port/),
    expect.stringMatching(/^never-matches: exact/),
  ]);
});

test('A visitor can have a country that nobody here knows, and a code', () => {
  const [poland, atlantis] = [
    rule('poland', place({ country: 'Poland' })),
    rule('atlantis', place({ country: 'Atlantis' })),
  ];
  for (const [before, after] of [
    [poland, atlantis],
    [atlantis, poland],
  ] as const)
    expect(compareRouting([before, after], [after, before], ASSUMED)).toMatchObject({
      exact: true,
      rerouted: [{ examples: [{ visitor: { country: 'Atlantis', country_code: 'PL' } }] }],
    });
});

test('Half a character, which a browser sends as another one, ends no search in a circle', () => {
  const odd = rule('odd', { url: { exclude_values: [{ value: '\ud800' }] } });
  expect(lints(odd, rule('rest', url('/')))).toEqual([]);
  expect(found(rule('half', url('\ud800')))).toBe('visitor');
});

test('A search that meets nothing but contradictions is given up as well', () => {
  const many = (name: string): RoutingRule =>
    rule(name, {
      ...url(...Array.from({ length: 20 }, (_, index) => `/${name}-${index}`)),
      domain: {
        values: Array.from({ length: 20 }, (_, index) => ({ value: `${name}-${index}.example`, exact_match: true })),
      },
    });
  const { rules } = programOf([many('a'), many('b')], ASSUMED);
  const ask = (left: number) => witness({ match: rules, miss: [] }, spellerOf(rules, ASSUMED), { left }).found;
  expect([ask(10), ask(100_000)]).toEqual(['unknown', 'none']);
});

describe('Each page of a rule is an example of its own', () => {
  const pagesOf = (before: readonly RoutingRule[], after: readonly RoutingRule[]) =>
    compareRouting(before, after, ASSUMED).rerouted.map(({ cause, examples }) => [
      cause.what,
      examples.map(({ on }) => on),
    ]);
  const returns = rule('returns', url('/returns'));

  test('when the groups of the rule change', () => {
    const warranty = rule('warranty', url('/warranty', '/repairs'));
    expect(pagesOf([warranty, returns], [{ ...warranty, groups: ['german'] }, returns])).toEqual([
      ['groups', [['/warranty'], ['/repairs']]],
    ]);
  });

  test('when another rule takes the same pages, in another order', () => {
    const desk = rule('desk', { ...url('/repairs', '/warranty', '/shipping'), ...place({ country: 'Poland' }) });
    const old = rule('old', { ...url('/warranty', '/repairs'), ...place({ country: 'Poland' }) });
    const [first] = pagesOf([old, returns], [desk, returns]);
    expect(first).toEqual(['added', expect.arrayContaining([['/warranty'], ['/repairs']])]);
  });
});
