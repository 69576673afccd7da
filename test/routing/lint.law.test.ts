// Shadowing against an oracle that asks every visitor of a small world.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ruleLints } from '../../src/routing/lint.ts';
import { ASSUMED, programOf } from '../../src/routing/rules.ts';
import { spellerOf } from '../../src/routing/spelling.ts';
import { witness } from '../../src/routing/witness.ts';
import { tries } from '../tries.ts';
import { oracleDecides, ruleLists, VISITORS } from './oracle.ts';

const RUNS = tries(600);

const DEAD = new Set(['unreachable-rule', 'duplicate-rule', 'never-matches']);

test.each(['all', 'any'] as const)(
  'exactly the rules that decide for nobody are told, where %s conditions of a rule must hold',
  (conditions) => {
    const assumptions = { ...ASSUMED, conditions };
    let dead = 0;
    fc.assert(
      fc.property(ruleLists(8), (rules) => {
        const names = new Map(rules.map((rule, index) => [rule.name, index]));
        const placeOf = (name: string) => ({ file: 'a.yaml', line: 1 + (names.get(name) ?? 0), column: 1, length: 1 });
        const told = ruleLints(rules, assumptions, placeOf).filter(({ id }) => DEAD.has(id));
        const lines = new Set(told.map(({ place }) => place?.line));
        expect(lines.size).toBe(told.length);
        dead += told.length;

        const decides = new Set(VISITORS.map((visitor) => oracleDecides(rules, visitor, conditions)));
        const program = programOf(rules, assumptions);
        const speller = spellerOf(program.rules, assumptions);
        for (const [index, rule] of rules.entries()) {
          if (lines.has(index + 1)) {
            expect(decides.has(rule), rule.name).toBe(false);
            continue;
          }
          // A rule that is not told has a visitor, and the oracle says so.
          const read = program.rules[index];
          const found =
            read && witness({ match: [read], miss: program.rules.slice(0, index) }, speller, { left: 10_000 });
          if (found?.found !== 'visitor') throw new Error(`${rule.name} is not told, and has no visitor`);
          expect(oracleDecides(rules, found.visitor, conditions), JSON.stringify(found.visitor)).toBe(rule);
        }
      }),
      { numRuns: RUNS },
    );
    expect(dead).toBeGreaterThan(RUNS / 2);
  },
);
