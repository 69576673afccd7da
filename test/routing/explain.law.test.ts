// An explanation against the oracle: it names the rule that decides, and every condition that it tells of a rule before that one is one that fails.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explain } from '../../src/routing/explain.ts';
import { runRoutes } from '../../src/routing/route-tests.ts';
import { ASSUMED, programOf } from '../../src/routing/rules.ts';
import { seen } from '../../src/routing/visitor.ts';
import { tries } from '../tries.ts';
import { edits, oracleDecides, oracleMatches, VISITORS } from './oracle.ts';

test.each(['all', 'any'] as const)('Where %s conditions of a rule must hold', (conditions) => {
  const assumptions = { ...ASSUMED, conditions };
  fc.assert(
    fc.property(edits, fc.nat(), ([rules], nth) => {
      const visitor = VISITORS[nth % VISITORS.length];
      if (visitor === undefined) return;
      const decider = oracleDecides(rules, visitor, conditions)?.name ?? null;
      const program = programOf(rules, assumptions);
      const found = seen(visitor, assumptions);
      if ('wrong' in found) throw new Error(found.wrong);
      const { decided_by, asked, not_asked } = explain(program, found);
      expect(decided_by).toBe(decider);
      expect(asked.length + not_asked).toBe(rules.length);
      for (const { rule, looks, matches } of asked) {
        const isMatching = conditions === 'all' ? looks.every(({ holds }) => holds) : looks.some(({ holds }) => holds);
        expect([rule, matches, isMatching]).toEqual([rule, rule === decider, rule === decider]);
        const known = rules.find(({ name }) => name === rule);
        expect(known !== undefined && oracleMatches(known, visitor, conditions)).toBe(matches);
      }
      const groups = [...new Set(rules.find(({ name }) => name === decider)?.groups ?? [])].sort();
      const [result] = runRoutes([{ name: null, when: visitor, expect: groups, rule: decider }], program);
      expect(result?.outcome).toBe('passed');
    }),
    { numRuns: tries(500) },
  );
});
