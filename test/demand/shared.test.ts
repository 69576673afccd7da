// The load that groups put on agents whom they share: nothing is lost or counted twice, and it is spread as evenly as memberships allow.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sharedLoad } from '../../src/demand/shared.ts';
import type { Team } from '../../src/routing/staff/teams.ts';
import { tries } from '../tries.ts';

const team = (slots: number, ...groups: readonly string[]): Team => ({ groups, lent: [], slots });
const loads = (of: { readonly [group: string]: number }): ReadonlyMap<string, number> => new Map(Object.entries(of));

describe('The load on the members of a group', () => {
  test('is that of the group alone where they serve no other', () => {
    expect(sharedLoad('a', [team(6, 'a'), team(4, 'b')], loads({ a: 3, b: 9 }))).toEqual({ load: 3, slots: 6 });
  });

  test('is that of all groups where they serve the same ones', () => {
    const { load, slots } = sharedLoad('a', [team(6, 'a', 'b')], loads({ a: 3, b: 2 }));
    expect([load, slots]).toEqual([expect.closeTo(5, 2), 6]);
  });

  test('has of another group what its own members cannot take as well', () => {
    // Six chats of b on two slots of its own and four shared ones: as even as on all six.
    const teams = [team(4, 'a', 'b'), team(2, 'b')];
    expect(sharedLoad('b', teams, loads({ a: 0, b: 6 })).load).toBeCloseTo(6, 2);
    expect(sharedLoad('a', teams, loads({ a: 0, b: 6 })).load).toBeCloseTo(4, 2);
    // With two chats of a, those of b move to their own members.
    expect(sharedLoad('a', teams, loads({ a: 2, b: 4 })).load).toBeCloseTo(4, 2);
    expect(sharedLoad('a', teams, loads({ a: 3, b: 1 })).load).toBeCloseTo(3, 2);
  });

  test('has chats of the default group, which any agent may take; its own are on its members', () => {
    const teams = [{ groups: ['a'], lent: ['0'], slots: 4 }, team(4, '0')];
    expect(sharedLoad('a', teams, loads({ a: 1, 0: 5 })).load).toBeCloseTo(3, 2);
    expect(sharedLoad('0', teams, loads({ a: 1, 0: 5 })).load).toBeCloseTo(5, 2);
  });

  test('is none of a group without members at work', () => {
    expect(sharedLoad('a', [team(4, 'b')], loads({ a: 2, b: 1 }))).toEqual({ load: 2, slots: 0 });
  });
});

const GROUPS = ['a', 'b', 'c', 'd'];
const anyTeam = fc.record({
  groups: fc.subarray(GROUPS, { minLength: 1 }),
  lent: fc.constant([]),
  slots: fc.integer({ min: 1, max: 20 }),
});
const anyLoads = fc.tuple(...GROUPS.map(() => fc.double({ min: 0, max: 30, noNaN: true })));

test('Loads stay between those of the group and those of all, grow with each group, and shrink with slots that others get', () => {
  fc.assert(
    fc.property(fc.array(anyTeam, { minLength: 1, maxLength: 6 }), anyLoads, (teams, each) => {
      const all = new Map(GROUPS.map((group, index) => [group, each[index] ?? 0]));
      const sum = each.reduce((one, other) => one + other, 0);
      for (const group of GROUPS) {
        const { load, slots } = sharedLoad(group, teams, all);
        const own = teams.filter(({ groups }) => groups.includes(group));
        expect(slots).toBe(own.reduce((count, one) => count + one.slots, 0));
        expect(load).toBeGreaterThanOrEqual((all.get(group) ?? 0) - 1e-6);
        expect(load).toBeLessThanOrEqual(sum + 1e-6);
        const more = new Map([...all, ['b', (all.get('b') ?? 0) + 5]]);
        expect(sharedLoad(group, teams, more).load).toBeGreaterThanOrEqual(load - 0.1);
        const helped = [...teams, team(10, ...GROUPS.filter((other) => other !== group))];
        expect(sharedLoad(group, helped, all).load).toBeLessThanOrEqual(load + 0.1);
      }
    }),
    { numRuns: tries(2000, 200) },
  );
});
