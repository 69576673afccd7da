// Longer orders of rule writes, each with the order of the fewest writes that it replaces. Rules are written in short, as `name:page>group`.

import { describe, expect, test } from 'vitest';
import { longerOrder } from '../../../src/plan/rerouting/routing.ts';
import { findOrder } from '../../../src/plan/rerouting/write-order.ts';
import { changeOf, linesOf, searchFor } from './rule-change.ts';

interface Golden {
  readonly before: string;
  readonly after: string;
  readonly fixed?: string;
  readonly minimal: readonly string[];
  readonly longer: readonly string[];
}

function ordersFor({ before, after, fixed }: Golden) {
  const change = changeOf(before, after, fixed);
  const minimal = findOrder(searchFor(change));
  return { minimal, longer: longerOrder(searchFor(change)) };
}

describe('an order that begins at the front', () => {
  test.each<readonly [string, Golden]>([
    [
      'moves an unchanged rule before the changed one, and deletes last',
      {
        before: 'a:/c>i b:/b>g c:/a>g',
        after: 'c:/a>g a:/b>i',
        minimal: ['update a last', 'delete b'],
        longer: ['update c before a', 'update a', 'delete b'],
      },
    ],
    [
      'moves a rule away from before one that may not be written, to where it belongs',
      {
        before: 'a:/c>h b:/b>g c:/>g d:/b>g',
        after: 'b:/b>g a:/>i n:/a>g d:/b>g',
        fixed: 'b d',
        minimal: ['create n before d', 'update a before n', 'delete c'],
        longer: ['update a before c', 'create n before c', 'delete c'],
      },
    ],
    [
      'deletes what stands before a rule that may not be written, and creates a rule after it',
      {
        before: 'a:/b>g b:/c>h c:/>g d:/c>h e:/>i',
        after: 'd:/c>i a:/>g e:/>i n:/a>i',
        fixed: 'e',
        minimal: ['create n last', 'update a before e', 'update d', 'delete c', 'delete b'],
        longer: ['update d before a', 'update a', 'delete b', 'delete c', 'create n last'],
      },
    ],
  ])('%s', (_, golden) => {
    const { minimal, longer } = ordersFor(golden);
    expect(minimal.verdict).toBe('exposed');
    expect(linesOf(minimal.writes)).toEqual(golden.minimal);
    expect(longer?.rekeyed).toEqual([]);
    expect(linesOf(longer?.writes ?? [])).toEqual(golden.longer);
  });
});

describe('an order that creates rules under new keys', () => {
  test.each<readonly [string, Golden, readonly string[]]>([
    [
      'deletes the old rule after every other write',
      {
        before: 'a:/c>g b:/a>h',
        after: 'a:/b>g',
        minimal: ['update a', 'delete b'],
        longer: ['create a/new last', 'delete b', 'delete a'],
      },
      ['a'],
    ],
    [
      'gives no new key to a rule of which only the groups change',
      {
        before: 'a:/c>i b:/b>i c:/>h d:/b>i',
        after: 'a:/c>g b:/a>g d:/b>i',
        minimal: ['update b', 'update a', 'delete c'],
        longer: ['create b/new before d', 'update a', 'delete c', 'delete b'],
      },
      ['b'],
    ],
    [
      'places the new rules around those that may not be written',
      {
        before: 'a:/c>h b:/c>g c:/a>g d:/b>g e:/>g',
        after: 'b:/b>i c:/a>g d:/b>g a:/>h',
        fixed: 'c d',
        minimal: ['update a last', 'update b', 'delete e'],
        longer: ['create a/new last', 'create b/new before c', 'delete e', 'delete b', 'delete a'],
      },
      ['a', 'b'],
    ],
  ])('%s', (_, golden, rekeyed) => {
    const { minimal, longer } = ordersFor(golden);
    expect(minimal.verdict).toBe('exposed');
    expect(linesOf(minimal.writes)).toEqual(golden.minimal);
    expect(longer?.rekeyed).toEqual(rekeyed);
    expect(linesOf(longer?.writes ?? [])).toEqual(golden.longer);
  });
});
