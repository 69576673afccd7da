// A second reading of the specification, which shares no code with src/routing: every visitor of a small world, and the rule that decides for
// each. Texts are plain ASCII, so that nothing has to be normalised. Specification: "Auto access rule".

import fc from 'fast-check';
import type { RoutingRule } from '../../src/routing/rules.ts';
import type { Visitor } from '../../src/routing/visitor.ts';

interface Match {
  readonly value: string;
  readonly exact_match?: boolean;
}

interface TextCondition {
  readonly values?: readonly Match[];
  readonly exclude_values?: readonly Match[];
}

interface Item {
  readonly country?: string;
  readonly country_code?: string;
  readonly region?: string;
  readonly city?: string;
}

interface Conditions {
  readonly url?: TextCondition;
  readonly domain?: TextCondition;
  readonly geolocation?: { readonly values: readonly Item[] };
}

const NAMES: { readonly [name: string]: string } = { Poland: 'PL', Germany: 'DE' };

function textMatches(text: string, { values, exclude_values }: TextCondition): boolean {
  const has = ({ value, exact_match }: Match): boolean =>
    exact_match === true ? text === value : text.includes(value);
  return values === undefined ? !(exclude_values ?? []).some(has) : values.some(has);
}

function placeMatches(visitor: Visitor, item: Item): boolean {
  const country = visitor.country_code ?? NAMES[visitor.country ?? ''];
  if (item.country !== undefined && NAMES[item.country] !== country) return false;
  if (item.country_code !== undefined && item.country_code !== country) return false;
  if (item.region !== undefined && item.region !== visitor.region) return false;
  return item.city === undefined || item.city === visitor.city;
}

export function oracleMatches(rule: RoutingRule, visitor: Visitor, conditions: 'all' | 'any' = 'all'): boolean {
  const { url, domain, geolocation } = rule.conditions as Conditions;
  const parsed = new URL(visitor.url);
  const answers = [
    ...(url === undefined ? [] : [textMatches(decodeURIComponent(parsed.href), url)]),
    ...(domain === undefined ? [] : [textMatches(parsed.hostname, domain)]),
    ...(geolocation === undefined ? [] : [geolocation.values.some((item) => placeMatches(visitor, item))]),
  ];
  return conditions === 'all' ? answers.every((answer) => answer) : answers.some((answer) => answer);
}

/** The rule that decides, in the words of the specification: the first that matches. */
export function oracleDecides(
  rules: readonly RoutingRule[],
  visitor: Visitor,
  conditions: 'all' | 'any' = 'all',
): RoutingRule | null {
  return rules.find((rule) => oracleMatches(rule, visitor, conditions)) ?? null;
}

export function groupsFor(rule: RoutingRule | null): string {
  return [...new Set(rule?.groups ?? [])].sort().join('+');
}

const DOMAINS = ['a.b', 'ab.c', 'b.a', 'c', 'z.z', 'zabz'];
const PATHS = [
  '',
  'a',
  'b',
  'c',
  'z',
  'ab',
  'ba',
  'bc',
  'azb',
  'bza',
  'azbzc',
  'abzc',
  'a/b',
  'aa',
  'czb',
  'z?a',
  'zabcz',
];
const PLACES: readonly Item[] = [
  {},
  { country: 'Poland', country_code: 'PL' },
  { country: 'Germany', country_code: 'DE' },
  { country: 'Poland', country_code: 'PL', city: 'X' },
  { country: 'Germany', country_code: 'DE', city: 'X', region: 'R' },
  { city: 'X' },
];

/** Everybody who lives in the small world. */
export const VISITORS: readonly Visitor[] = DOMAINS.flatMap((domain) =>
  PATHS.flatMap((path) => PLACES.map((place) => ({ url: `https://${domain}/${path}`, ...place }))),
);

const urlText = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      value: fc.constantFrom('a', 'b', 'c', 'ab', 'bc', '/a', '/b', 'a/', 'b.', 'abc', '/', 'ht', 's:', ':/', '?'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      value: fc.constantFrom('https://a.b/', 'https://a.b/a', 'https://c/ab', 'https://z.z/', 'a'),
      exact_match: fc.constant(true),
    }),
  },
);
const domainText = fc.oneof(
  { weight: 4, arbitrary: fc.record({ value: fc.constantFrom('a', 'b', 'c', 'ab', '.', 'a.', '.b', 'z') }) },
  {
    weight: 2,
    arbitrary: fc.record({ value: fc.constantFrom('a.b', 'ab.c', 'c', 'q.q'), exact_match: fc.constant(true) }),
  },
);
function condition(text: fc.Arbitrary<Match>): fc.Arbitrary<TextCondition> {
  const some = fc.array(text, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ values: some }) },
    { weight: 1, arbitrary: fc.record({ exclude_values: some }) },
  );
}
const item = fc
  .record(
    {
      country: fc.constantFrom('Poland', 'Germany'),
      country_code: fc.constantFrom('PL', 'DE'),
      city: fc.constantFrom('X', 'Y'),
      region: fc.constant('R'),
    },
    { requiredKeys: [] },
  )
  .filter((made) => Object.keys(made).length > 0);

const conditions = fc
  .record(
    {
      url: condition(urlText),
      domain: condition(domainText),
      geolocation: fc.record({ values: fc.array(item, { minLength: 1, maxLength: 2 }) }),
    },
    { requiredKeys: [] },
  )
  .filter((made) => Object.keys(made).length > 0);

/** A rule whose name is its own. */
function ruleCalled(name: string): fc.Arbitrary<RoutingRule> {
  return fc.record({
    name: fc.constant(name),
    groups: fc.subarray(['g', 'h', 'i'], { minLength: 1, maxLength: 2 }),
    conditions: conditions as fc.Arbitrary<RoutingRule['conditions']>,
  });
}

export function ruleLists(maxLength: number): fc.Arbitrary<readonly RoutingRule[]> {
  return fc
    .integer({ min: 0, max: maxLength })
    .chain((length) => fc.tuple(...Array.from({ length }, (_, index) => ruleCalled(`r${index}`))));
}

/** A list and what somebody made of it: other places, rules less, rules more, rules changed. */
export const edits: fc.Arbitrary<readonly [before: readonly RoutingRule[], after: readonly RoutingRule[]]> = ruleLists(
  6,
).chain((before) =>
  fc
    .tuple(
      fc.shuffledSubarray([...before], { minLength: Math.max(0, before.length - 2) }),
      fc.array(fc.tuple(fc.nat(), ruleCalled('changed')), { maxLength: 2 }),
      fc.array(fc.tuple(fc.nat(), ruleCalled('new')), { maxLength: 2 }),
    )
    .map(([kept, changed, added]) => {
      const after = [...kept];
      for (const [at, rule] of changed) {
        const index = at % Math.max(1, after.length);
        const old = after[index];
        if (old !== undefined) after[index] = { ...rule, name: old.name };
      }
      for (const [index, [at, rule]] of added.entries())
        after.splice(at % (after.length + 1), 0, { ...rule, name: `new${index}` });
      return [before, after] as const;
    }),
);
