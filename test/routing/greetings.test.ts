import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import type { Json, JsonObject } from '../../src/base/model.ts';
import { contradictionIn, meaningOf } from '../../src/routing/greeting-clauses.ts';
import {
  combined,
  conditionText,
  greetedBy,
  greetedElsewhere,
  type ShowCondition,
  type Showing,
  showing,
} from '../../src/routing/greetings.ts';
import { ASSUMED } from '../../src/routing/rules.ts';
import { seen, type Visitor } from '../../src/routing/visitor.ts';
import { tries } from '../tries.ts';

const rule = (type: string, operator: string, value: string | number, condition = 'and'): JsonObject => ({
  condition,
  type,
  operator,
  value,
});
const variable = (name: string, value: string, condition = 'and'): JsonObject => ({
  condition,
  type: 'custom_variable',
  session_field: { [name]: value },
});

function shown(rules: readonly JsonObject[], visitor: Visitor): boolean | string {
  const compared = seen(visitor, ASSUMED);
  if ('wrong' in compared) throw new Error(compared.wrong);
  const found = showing({ rules }, { described: visitor, compared, assumptions: ASSUMED });
  return typeof found === 'boolean' ? found : conditionText(found);
}

const PRICING = { url: 'https://shop.example/pricing' };
const IS_PRICING = rule('url_current', 'contains', '/pricing');
const AFTER = rule('visit_time_page', 'greater_or_equal', 30);

test('A greeting of a group that hides it while offline shows on that condition also, and one that cannot show says why', () => {
  const compared = seen(PRICING, ASSUMED);
  if ('wrong' in compared) throw new Error(compared.wrong);
  const source = (...rules: readonly JsonObject[]) => ({
    greeting: 'greeting/help',
    group: 'group/sales',
    spec: { rules },
    hidesOffline: true as const,
  });
  const sources = [source(IS_PRICING), source(IS_PRICING, AFTER), source(rule('url_current', 'contains', '/cart'))];
  const visitor = { described: PRICING, compared, assumptions: ASSUMED };
  expect(greetedBy(sources, ['group/sales'], visitor, null).map(({ shows, why }) => [shows, why])).toEqual([
    ['if', 'while a member of its group accepts chats'],
    ['if', 'after 30 s on the page and while a member of its group accepts chats'],
    ['no', 'not so: URL contains /cart'],
  ]);
  const atNight = greetedBy(sources, ['group/sales'], visitor, 0, () => true);
  expect(atNight.map(({ shows, why }) => [shows, why])).toEqual(
    sources.map(() => ['no', 'no member of its group is at work then']),
  );
});

test('A greeting for a page whose visitors go to another group says so', () => {
  const compared = seen(PRICING, ASSUMED);
  if ('wrong' in compared) throw new Error(compared.wrong);
  const source = (greeting: string, ...rules: readonly JsonObject[]) => ({
    greeting,
    group: 'group/support',
    spec: { name: greeting, rules },
  });
  const sources = [
    source('here', IS_PRICING, AFTER),
    source('any page', AFTER),
    source('other pages', rule('url_current', 'doesnt_contain', '/cart')),
    source('cart', rule('url_current', 'contains', '/cart')),
    source('visitors who are excluded', IS_PRICING, rule('url_current', 'contains', '/cart')),
  ];
  const visitor = { described: PRICING, compared, assumptions: ASSUMED };
  expect(greetedElsewhere(sources, ['group/support'], visitor, null)).toEqual([]);
  expect(greetedElsewhere(sources, ['group/sales'], visitor, null)).toEqual([
    {
      greeting: 'here',
      name: 'here',
      shows: 'no',
      why: 'it belongs to group/support, which does not get this visitor',
    },
  ]);
});

test.each<[string, readonly JsonObject[], Visitor, boolean | string]>([
  ['no rule', [], PRICING, true],
  ['a page and a time', [IS_PRICING, AFTER], PRICING, 'after 30 s on the page'],
  ['another page', [IS_PRICING, AFTER], { url: 'https://shop.example/' }, false],
  [
    'another page or a time',
    [IS_PRICING, { ...AFTER, condition: 'or' }],
    { url: 'https://shop.example/' },
    'after 30 s on the page',
  ],
  ['a whole URL', [rule('url_current', 'equals', 'https://SHOP.example/pricing')], PRICING, true],
  ['none of a part', [rule('url_current', 'doesnt_contain', '/pricing')], PRICING, false],
  ['a variable that is not said', [variable('tier', 'gold')], PRICING, 'if custom variable tier is gold'],
  ['a variable that is said', [variable('tier', 'gold')], { ...PRICING, variables: { tier: 'gold' } }, true],
  ['another value', [variable('tier', 'gold')], { ...PRICING, variables: { tier: 'iron' } }, false],
  ['a place that is not said', [rule('geolocation', 'equals', 'Poland')], PRICING, 'if place is Poland'],
  ['a place', [rule('geolocation', 'equals', 'poland')], { ...PRICING, country: 'Poland' }, true],
  ['another city', [rule('geolocation', 'equals', 'Warsaw')], { ...PRICING, city: 'Gdynia' }, false],
  ['not a place', [rule('geolocation', 'doesnt_equal', 'Warsaw')], { ...PRICING, city: 'Gdynia' }, true],
  [
    'several that depend on history',
    [
      rule('visits_number', 'greater_than', 2),
      rule('visit_time_site', 'greater_than', 10),
      { ...AFTER, condition: 'or' },
    ],
    PRICING,
    '(if visits above 2 and after more than 10 s on the site) or after 30 s on the page',
  ],
])('A visitor is greeted by the rules: %s', (_, rules, visitor, expected) => {
  expect(shown(rules, visitor)).toBe(expected);
});

const conditions = fc.array(
  fc.record({ condition: fc.constantFrom('and', 'or'), type: fc.constantFrom('a', 'b', 'c', 'd') }),
  { maxLength: 10 },
);
const chains = fc.constantFrom<'in-order' | 'and-first'>('in-order', 'and-first');
const known = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.boolean());
const values = fc.record({ a: fc.boolean(), b: fc.boolean(), c: fc.boolean(), d: fc.boolean() });

function holds(condition: ShowCondition, value: (name: string) => boolean): boolean {
  if (typeof condition === 'string') return value(condition);
  return 'all' in condition
    ? condition.all.every((each) => holds(each, value))
    : condition.any.some((each) => holds(each, value));
}

test('What is known and the conditions that are left give the same as all rules at once, in their order', () => {
  fc.assert(
    fc.property(conditions, known, values, chains, (rules, said, rest, chain) => {
      const value = (name: string): boolean => said[name] ?? rest[name as 'a'];
      const answer = ({ type }: JsonObject): Showing => said[String(type)] ?? String(type);
      const found = combined(rules, chain, answer);
      let expected = rules.length === 0;
      let alternative = true;
      for (const [index, { condition, type }] of rules.entries()) {
        const isNew = index === 0 || condition === 'or';
        alternative = isNew ? value(type) : alternative && value(type);
        if (chain === 'and-first') {
          const next = rules[index + 1];
          if (next === undefined || next.condition === 'or') expected ||= alternative;
        } else expected = index === 0 ? value(type) : isNew ? expected || value(type) : expected && value(type);
      }
      expect(typeof found === 'boolean' ? found : holds(found, value)).toBe(expected);
    }),
    { numRuns: tries(500) },
  );
});

const numeric = fc.record({
  condition: fc.constantFrom('and', 'or'),
  type: fc.constantFrom('visit_time_page', 'visits_number'),
  operator: fc.constantFrom(
    'equals',
    'doesnt_equal',
    'lower_than',
    'lower_or_equal',
    'greater_than',
    'greater_or_equal',
  ),
  value: fc.nat(3).map(String),
});
const textual = fc.record({
  condition: fc.constantFrom('and', 'or'),
  type: fc.constantFrom('url_current'),
  operator: fc.constantFrom('equals', 'doesnt_equal', 'contains', 'doesnt_contain'),
  value: fc.constantFrom('a', 'b', 'ab', 'ba'),
});
const TEXTS = [
  '',
  ...['a', 'b'].flatMap((one) => [one, ...['a', 'b'].flatMap((two) => [one + two, `${one + two}a`, `${one + two}b`])]),
];

/** Every visitor of a small world. */
const WORLD = [0, 1, 2, 3, 4, 5].flatMap((time) =>
  [1, 2, 3, 4, 5].flatMap((visits) =>
    TEXTS.map((url) => ({ visit_time_page: time, visits_number: visits, url_current: url })),
  ),
);

function meets({ type, operator, value }: JsonObject, visitor: (typeof WORLD)[number]): boolean {
  const has = Object.entries(visitor).find(([name]) => name === type)?.[1] ?? '';
  const sought = typeof has === 'number' ? Number(value) : String(value);
  switch (operator) {
    case 'equals':
      return has === sought;
    case 'doesnt_equal':
      return has !== sought;
    case 'lower_than':
      return has < sought;
    case 'lower_or_equal':
      return has <= sought;
    case 'greater_than':
      return has > sought;
    case 'greater_or_equal':
      return has >= sought;
    case 'contains':
      return String(has).includes(String(sought));
    default:
      return !String(has).includes(String(sought));
  }
}

const greets = (rules: readonly JsonObject[], visitor: (typeof WORLD)[number]): boolean =>
  rules.reduce((before, each, index) => {
    if (index === 0) return meets(each, visitor);
    return each['condition'] === 'or' ? before || meets(each, visitor) : before && meets(each, visitor);
  }, true);

const drawn = fc.array(fc.oneof(numeric, textual), { maxLength: 4 });

test('No visitor of a small world sees a greeting that is said never to show', () => {
  fc.assert(
    fc.property(drawn, (rules) => {
      if (contradictionIn({ rules }, 'in-order') !== null)
        expect(WORLD.filter((visitor) => greets(rules, visitor))).toEqual([]);
    }),
    { numRuns: tries(200) },
  );
});

test('Two greetings that are said to show together show to the same visitors', () => {
  fc.assert(
    fc.property(drawn, fc.integer(), (rules, turn) => {
      const [first, ...rest] = rules;
      const others =
        first === undefined ? [] : turn % 2 === 0 ? [first, ...rest.toReversed()] : [first, first, ...rest];
      if (meaningOf({ rules }, 'in-order') === meaningOf({ rules: others }, 'in-order'))
        for (const visitor of WORLD) expect(greets(rules, visitor)).toBe(greets(others, visitor));
    }),
    { numRuns: tries(100) },
  );
});

test.each<[readonly JsonObject[], boolean]>([
  [[rule('visit_time_page', 'greater_than', 30), rule('visit_time_page', 'lower_than', 30)], true],
  [[rule('visit_time_page', 'greater_than', 30), rule('visit_time_page', 'lower_than', 32)], false],
  [[rule('visits_number', 'lower_than', 1)], true],
  [[IS_PRICING, rule('url_current', 'doesnt_contain', '/pricing/old')], false],
  [[rule('url_current', 'contains', '/pricing/old'), rule('url_current', 'doesnt_contain', '/pricing')], true],
  [[rule('url_visited', 'equals', '/a'), rule('url_visited', 'equals', '/b')], false],
  [[rule('url_current', 'equals', '/a'), rule('url_current', 'equals', '/b', 'or')], false],
])('Rules that contradict each other are found', (rules, isNever) => {
  const found = contradictionIn({ rules }, 'in-order');
  expect(found === null ? false : found.every((each: Json) => isObject(each))).toBe(isNever);
});
