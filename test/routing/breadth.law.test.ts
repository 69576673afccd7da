// The order of effects on visitors: a broader effect never comes after a narrower one, and pages only change the examples.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareRouting, type Rerouted } from '../../src/routing/compare.ts';
import type { ProjectPages } from '../../src/routing/pages.ts';
import { ASSUMED } from '../../src/routing/rules.ts';
import type { Visitor } from '../../src/routing/visitor.ts';
import { tries } from '../tries.ts';
import { edits, oracleDecides, VISITORS } from './oracle.ts';

const numRuns = tries(400);

const pages: fc.Arbitrary<ProjectPages> = fc.record({
  domain: fc.constantFrom(null, 'a.b', 'c'),
  tests: fc.array(fc.record({ when: fc.constantFrom(...VISITORS), expect: fc.constantFrom([], ['g']) }), {
    maxLength: 4,
  }),
});

/** What a visitor must have for the first example: texts, and members of the place. */
function needsOf({ examples: [first] }: Rerouted): ReadonlySet<string> {
  const { url: _, country, country_code, ...place }: Visitor = first?.visitor ?? { url: '' };
  const inCountry = country === undefined && country_code === undefined ? [] : ['country'];
  const members = Object.entries(place).map(([member, value]) => `${member} ${value}`);
  // Every page has such a text.
  const texts = (first?.on ?? []).filter((text) => !'https://'.includes(text));
  return new Set([...texts.map((text) => `on ${text}`), ...inCountry, ...members]);
}

type Rules = Parameters<typeof compareRouting>[0];

/** Texts that rules ask for in URLs and in domains: an example does not say in which, and a domain is less to ask for. */
function doubtful(rules: Rules): ReadonlySet<string> {
  const textsOf = (on: 'url' | 'domain') =>
    rules.flatMap(({ conditions }) => JSON.stringify(conditions?.[on] ?? {}).match(/(?<="value":")[^"]*/g) ?? []);
  const domains = textsOf('domain');
  return new Set(textsOf('url').flatMap((text) => (domains.includes(text) ? [`on ${text}`] : [])));
}

function isBroader(one: Rerouted, other: Rerouted, doubts: ReadonlySet<string>): boolean {
  const [few, many] = [needsOf(one), needsOf(other)];
  return few.size < many.size && [...few].every((need) => many.has(need) && !doubts.has(need));
}

test('a broader effect never comes after a narrower one, and made-up pages come last', () => {
  let compared = 0;
  fc.assert(
    fc.property(edits, pages, ([before, after], named) => {
      const { rerouted } = compareRouting(before, after, ASSUMED, named);
      const doubts = doubtful([...before, ...after]);
      const likely = rerouted.filter((each) => each.made_up !== true);
      const madeUp = rerouted.filter((each) => each.made_up === true);
      expect(rerouted).toEqual([...likely, ...madeUp]);
      for (const list of [likely, madeUp])
        for (const [index, later] of list.entries())
          for (const earlier of list.slice(0, index)) {
            compared += 1;
            expect(isBroader(later, earlier, doubts), JSON.stringify([earlier, later])).toBe(false);
          }
    }),
    { numRuns },
  );
  expect(compared).toBeGreaterThan(numRuns);
});

test('pages change neither which effects there are nor whether all were found, and every example is one', () => {
  const name = ({ before, after, cause }: Rerouted): string => JSON.stringify([before, after, cause]);
  fc.assert(
    fc.property(edits, pages, ([before, after], named) => {
      const plain = compareRouting(before, after, ASSUMED);
      const told = compareRouting(before, after, ASSUMED, named);
      expect(told.exact).toBe(plain.exact);
      expect(told.rerouted.map(name).sort()).toEqual(plain.rerouted.map(name).sort());
      for (const each of told.rerouted)
        for (const { visitor } of each.examples)
          expect(
            [before, after].map((rules) => oracleDecides(rules, visitor)?.name ?? null),
            JSON.stringify(visitor),
          ).toEqual([each.before.rule, each.after.rule]);
    }),
    { numRuns },
  );
});
