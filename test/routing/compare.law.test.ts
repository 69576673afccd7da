// The semantic comparison against an oracle that asks every visitor of a small world.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareRouting } from '../../src/routing/compare.ts';
import type { Decision } from '../../src/routing/list.ts';
import { ASSUMED } from '../../src/routing/rules.ts';
import { tries } from '../tries.ts';
import { edits, groupsFor, oracleDecides, VISITORS } from './oracle.ts';

const RUNS = tries(600);

function pair(before: string | null, after: string | null): string {
  return `${before} -> ${after}`;
}

function groupsOf({ groups }: Decision): string {
  return groups.join('+');
}

test.each([
  ['all', RUNS],
  ['any', tries(150)],
] as const)(
  'exactly the visitors whose group changes are told, where %s conditions of a rule must hold',
  (conditions, numRuns) => {
    const assumptions = { ...ASSUMED, conditions };
    let changed = 0;
    fc.assert(
      fc.property(edits, ([before, after]) => {
        const told = compareRouting(before, after, assumptions);
        expect(told.exact).toBe(true);
        const pairs = new Set(told.rerouted.map((each) => pair(each.before.rule, each.after.rule)));
        for (const visitor of VISITORS) {
          const was = oracleDecides(before, visitor, conditions);
          const is = oracleDecides(after, visitor, conditions);
          if (groupsFor(was) === groupsFor(is)) continue;
          changed += 1;
          expect(pairs, JSON.stringify(visitor)).toContain(pair(was?.name ?? null, is?.name ?? null));
        }
        for (const each of told.rerouted)
          for (const { visitor } of each.examples) {
            const was = oracleDecides(before, visitor, conditions);
            const is = oracleDecides(after, visitor, conditions);
            expect([was?.name ?? null, is?.name ?? null], JSON.stringify(visitor)).toEqual([
              each.before.rule,
              each.after.rule,
            ]);
            expect([groupsFor(was), groupsFor(is)]).toEqual([groupsOf(each.before), groupsOf(each.after)]);
            expect(groupsFor(was)).not.toBe(groupsFor(is));
          }
      }),
      { numRuns },
    );
    expect(changed).toBeGreaterThan(numRuns);
  },
);
