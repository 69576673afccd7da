// The wishes of the laws: what is never drawn is never tried.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DRAWINGS } from './kinds/index.ts';
import { wanted } from './wanted.ts';
import { wish } from './wish.ts';

const DRAWS = { numRuns: 40, seed: 1 };

/** Paths of which some draw has a value, without the indexes of lists. */
function drawnIn(value: unknown, path: string, found: Set<string>): Set<string> {
  if (value === null || value === undefined) return found;
  found.add(path);
  if (Array.isArray(value)) for (const item of value) drawnIn(item, `${path}[]`, found);
  else if (typeof value === 'object')
    for (const [name, member] of Object.entries(value)) drawnIn(member, `${path}.${name}`, found);
  return found;
}

test('a wish has members, values, and an object of each kind in some draws', () => {
  const found = new Set(fc.sample(wish, DRAWS).flatMap((each) => [...drawnIn(each, '', new Set())]));
  const each = ['.agents[]', '.groups[]', '.edges[][]', '.bots[]', '.bots[].groups[]', '.templates[]', '.rules[]'];
  const drawn = DRAWINGS.map(({ kind }) => `.drawn.${kind}[]`);
  const paths = [...each, ...drawn, '.definitions[]', '.licenseValues[]', '.groupValues[][]'];
  expect(paths.filter((path) => !found.has(path))).toEqual([]);
});

test('a manifest of a history has each of its parts in some draws, and in some it has not', () => {
  const draws = fc.sample(wanted, DRAWS);
  const isThere = (part: unknown): boolean =>
    Array.isArray(part) ? part.length > 0 : part !== null && part !== undefined && part !== false;
  const names = Object.keys(draws[0] ?? {}) as (keyof (typeof draws)[number])[];
  for (const name of names) {
    const values = draws.map((draw) => draw[name]);
    expect([name, values.some(isThere)]).toEqual([name, true]);
    // An empty list of a tag, a bot, says something.
    expect([name, values.some((value) => value === null || !isThere(value))]).toEqual([name, true]);
  }
});
