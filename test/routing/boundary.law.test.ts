// Explain against everything that searches: words are cut out of the URLs of some visitors, across the boundaries of scheme, host, port and path,
// and whoever is rerouted, decided for or exposed among these visitors has to be known to the comparison, the lints and the exposure.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/model.ts';
import { compareRouting } from '../../src/routing/compare.ts';
import { exposureOf } from '../../src/routing/exposure.ts';
import { ruleLints } from '../../src/routing/lint.ts';
import { listOf } from '../../src/routing/list.ts';
import { decides } from '../../src/routing/match.ts';
import { ASSUMED, type Assumptions, type Program, programOf, type RoutingRule } from '../../src/routing/rules.ts';
import { spellerOf } from '../../src/routing/spelling.ts';
import { type ComparedVisitor, seen, type Visitor } from '../../src/routing/visitor.ts';
import { tries } from '../tries.ts';

const RUNS = tries(80);

const HOSTS = ['a.b', 'b', 'A.b.', 'café.b', '[::1]', '127.0.0.1', 'a_b', 'q.b', 'אב.b', '1.a..b'];
const PORTS = ['', ':8', ':80', ':81', ':443'];
const PATHS = [
  '',
  'a',
  'b:8',
  'https://a.b:',
  '.b/',
  'a.b/',
  '%2F',
  '%C3%A9',
  '%E9',
  '%2561',
  '?a',
  './#b',
  'xn--caf-dma',
  '~q',
];
const PLACES = [
  {},
  { country: 'Poland' },
  { country: 'Atlantis', country_code: 'PL' },
  { country_code: 'DE', city: 'x' },
];
const VISITORS: readonly Visitor[] = ['https', 'http'].flatMap((scheme) =>
  HOSTS.flatMap((host) =>
    PORTS.flatMap((port) =>
      PATHS.flatMap((path) => PLACES.map((place) => ({ url: `${scheme}://${host}${port}/${path}`, ...place }))),
    ),
  ),
);

function asSeen(visitor: Visitor, assumptions: Assumptions): ComparedVisitor {
  const found = seen(visitor, assumptions);
  if ('wrong' in found) throw new Error(`${JSON.stringify(visitor)}: ${found.wrong}`);
  return found;
}

/** What is seen of a visitor depends on nothing else that is assumed. */
const SEEN = {
  exact: VISITORS.map((visitor) => asSeen(visitor, ASSUMED)),
  ignore: VISITORS.map((visitor) => asSeen(visitor, { ...ASSUMED, case: 'ignore' })),
};

const piece = (texts: readonly string[]): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...texts), fc.nat(), fc.integer({ min: 1, max: 7 }))
        .map(([text, from, length]) => ({ value: text.slice(from % text.length).slice(0, length) })),
    },
    { weight: 1, arbitrary: fc.constantFrom(...texts).map((value) => ({ value, exact_match: true })) },
  );
const text = (texts: readonly string[]): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      fc.constantFrom('values', 'values', 'exclude_values'),
      fc.array(piece(texts), { minLength: 1, maxLength: 3 }),
    )
    .map(([wants, words]) => ({ [wants]: words }));
const conditions = fc
  .record(
    {
      url: text(VISITORS.map((visitor) => visitor.url)),
      domain: text([...HOSTS, 'a.b:8']),
      geolocation: fc.record({
        values: fc.array(fc.constantFrom(...PLACES.slice(1), { country: 'Atlantis' }), { minLength: 1, maxLength: 2 }),
      }),
    },
    { requiredKeys: [] },
  )
  .filter((made) => Object.keys(made).length > 0);
const list = (prefix: string, maxLength: number): fc.Arbitrary<readonly RoutingRule[]> =>
  fc
    .array(fc.tuple(fc.constantFrom('g', 'h', 'i'), conditions), { maxLength })
    .map((rules) => rules.map(([group, made], at) => ({ name: `${prefix}${at}`, groups: [group], conditions: made })));
const assumed: fc.Arbitrary<Assumptions> = fc.record({
  decides: fc.constantFrom('first', 'last'),
  conditions: fc.constantFrom('all', 'any'),
  case: fc.constantFrom('exact', 'ignore'),
  greetings: fc.constant('in-order'),
});
/** A list, one that is made of it and of new rules, and one that both meet in. */
const changes = fc
  .tuple(list('r', 5), list('n', 2))
  .chain(([before, made]) =>
    fc.tuple(
      fc.constant(before),
      fc.shuffledSubarray([...before, ...made]),
      fc.shuffledSubarray([...before, ...made]),
      assumed,
    ),
  );

const DEAD = new Set(['unreachable-rule', 'duplicate-rule', 'never-matches']);

function deciders(program: Program, visitors: readonly ComparedVisitor[]) {
  return visitors.map((visitor) => {
    const rule = decides(program, visitor);
    return { name: rule?.name ?? null, to: rule?.groups[0] ?? null };
  });
}

test('whoever is rerouted, decided for or exposed is known to whatever searches', () => {
  fc.assert(
    fc.property(changes, ([before, meanwhile, after, assumptions]) => {
      const visitors = SEEN[assumptions.case];
      const programs = [before, meanwhile, after].map((rules) => programOf(rules, assumptions)) as [
        Program,
        Program,
        Program,
      ];
      const [was, now, is] = programs.map((program) => deciders(program, visitors)) as [
        Decider[],
        Decider[],
        Decider[],
      ];

      const told = compareRouting(before, after, assumptions);
      const pairs = new Set(told.rerouted.map((each) => `${each.before.rule} -> ${each.after.rule}`));
      for (const [at, visitor] of VISITORS.entries())
        if (told.exact && was[at]?.to !== is[at]?.to)
          expect(pairs, JSON.stringify(visitor)).toContain(`${was[at]?.name} -> ${is[at]?.name}`);
      for (const { before: old, after: next, examples } of told.rerouted)
        for (const { visitor } of examples) {
          const deciding = [programs[0], programs[2]].map(
            (each) => decides(each, asSeen(visitor, assumptions))?.name ?? null,
          );
          expect(deciding, JSON.stringify(visitor)).toEqual([old.rule, next.rule]);
        }

      const dead = ruleLints(before, assumptions, () => null).filter(({ id }) => DEAD.has(id));
      const deciding = new Set(was.map(({ name }) => name));
      for (const { message } of dead) expect(deciding, message).not.toContain(message.split(' ')[0]);

      const speller = spellerOf(
        programs.flatMap(({ rules }) => rules),
        assumptions,
      );
      const ends = { before: listOf(programs[0].rules), after: listOf(programs[2].rules) };
      const exposure = exposureOf(ends, listOf(programs[1].rules), speller, { left: 100_000 });
      const astray = VISITORS.filter((_, at) => now[at]?.to !== was[at]?.to && now[at]?.to !== is[at]?.to);
      if (exposure === null) expect(astray).toEqual([]);
      if (exposure === null || exposure === 'unknown') return;
      const [old, mean, next] = programs.map(
        (each) => decides(each, asSeen(exposure.visitor, assumptions))?.groups[0] ?? null,
      );
      expect([old, next], JSON.stringify(exposure.visitor)).not.toContain(mean);
    }),
    { numRuns: RUNS },
  );
});

type Decider = ReturnType<typeof deciders>[number];
