import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONFIGURATION } from '../../src/service/configuration.ts';
import { includesScope, leastScopes } from '../../src/service/scopes.ts';

const everyScope = [
  ...new Set(Object.values(CONFIGURATION.actions).flatMap((action) => [...action.scopes, ...action.ownScopes])),
];
const anyScopes = fc.array(fc.constantFrom(...everyScope));

describe('scopes', () => {
  test.each([
    ['agents--all:rw', 'agents--my:ro'],
    ['agents--all:rw', 'agents--all:ro'],
    ['agents--all:ro', 'agents--my:ro'],
    ['access_rules:rw', 'access_rules:ro'],
    ['tags--all:ro', 'tags--groups:ro'],
    ['tags--groups:rw', 'tags--groups:ro'],
  ])('%s includes %s, and not the other way round', (wider, narrower) => {
    expect(includesScope(wider, narrower)).toBe(true);
    expect(includesScope(narrower, wider)).toBe(false);
  });

  test.each([
    ['agents--all:ro', 'agents--my:rw'],
    ['agents--my:rw', 'agents--all:ro'],
    ['tags--groups:rw', 'tags--all:ro'],
    ['agents--all:rw', 'agents-bot--all:ro'],
    ['accounts--all:rw', 'accounts--all:rc'],
    ['accounts--all:rw', 'accounts.roles.lc--all:rw'],
    ['constructor', 'agents--all:constructor'],
  ])('%s does not include %s', (granted, needed) => {
    expect(includesScope(granted, needed)).toBe(false);
  });

  test('The least scopes grant everything that was asked for, and none of them can be left out', () => {
    fc.assert(
      fc.property(anyScopes, (scopes) => {
        const least = leastScopes(scopes);
        for (const scope of scopes) expect(least.some((granted) => includesScope(granted, scope))).toBe(true);
        for (const scope of least) {
          expect(scopes).toContain(scope);
          expect(least.some((other) => other !== scope && includesScope(other, scope))).toBe(false);
        }
      }),
    );
  });

  test('The least scopes do not depend on the order of asking', () => {
    fc.assert(
      fc.property(anyScopes, (scopes) => {
        expect(leastScopes([...scopes].reverse())).toEqual(leastScopes(scopes));
      }),
    );
  });
});
