// The order of rule writes by example: what is found, what is exposed, and when the search is given up. Rules are written in short, as
// `name:page>group`.

import { describe, expect, test } from 'vitest';
import { findOrder, isSafe, walk } from '../../../src/plan/rerouting/write-order.ts';
import { changeOf, linesOf, searchFor } from './rule-change.ts';

/** Rule a takes another page while b goes: every order of the two writes exposes visitors. */
const EXPOSED = { before: 'a:/c>g b:/a>h', after: 'a:/b>g' };

/** The exposed change behind `count` rules that change their groups, which can be written at any time, and in front of unchanged rules. */
function changeBehind(count: number, unchanged = 0) {
  const front = Array.from({ length: count }, (_, at) => `f${at}:/f${at}`);
  const back = Array.from({ length: unchanged }, (_, at) => `u${at}:/u${at}>g`);
  const before = [...front.map((rule) => `${rule}>g`), EXPOSED.before, ...back];
  const after = [...front.map((rule) => `${rule}>h`), EXPOSED.after, ...back];
  return changeOf(before.join(' '), after.join(' '));
}

describe('an order of the same writes', () => {
  test.each([
    ['deletes before the change that would expose a visitor', 'a:/>g b:/a>i', 'a:/c>i', ['delete b', 'update a']],
    [
      'creates a rule before the change that would expose a visitor, and deletes in between',
      'a:/c>i b:/c>h',
      'a:/b>g n:/c>i',
      ['create n last', 'delete b', 'update a'],
    ],
    [
      'begins at the front where the plan begins at the end',
      'a:/c>g b:/c>i c:/c>g',
      'b:/>h n:/b>g c:/>i',
      ['update b', 'create n before c', 'update c', 'delete a'],
    ],
  ])('%s', (_, before, after, lines) => {
    const search = searchFor(changeOf(before, after));
    const order = findOrder(search);
    expect(linesOf(order.writes)).toEqual(lines);
    expect(order).toMatchObject({ verdict: 'safe', exposed: [] });
    expect(isSafe(order.writes, search)).toBe(true);
    expect(isSafe(search.transition.writes, search)).toBe(false);
  });

  test('has a place for each write that needs one, and for no other', () => {
    expect(findOrder(searchFor(changeOf('a:/c>i b:/c>h', 'a:/b>g n:/c>i'))).writes).toEqual([
      { key: 'n', op: 'create', position: { last: true } },
      { key: 'b', op: 'delete' },
      { key: 'a', op: 'update', position: null },
    ]);
  });
});

describe('exposed visitors', () => {
  const search = searchFor(changeOf('a:/c>g b:/a>i c:/>h', 'b:/a>h a:/>i n:/>g'));
  const { writes, verdict, exposed } = findOrder(search);

  test('are reported for each list that exposes one, with the number of writes sent', () => {
    expect(verdict).toBe('exposed');
    expect(linesOf(writes)).toEqual(['create n last', 'update a before n', 'update b', 'delete c']);
    expect(exposed.map((each) => [each.writes, each.visitor.url])).toEqual([
      [2, 'https://example.com/c/a'],
      [3, 'https://example.com/c'],
    ]);
  });

  test('have the rule and the groups of each time', () => {
    expect(exposed[1]).toMatchObject({
      before: { rule: 'a', groups: ['g'] },
      meanwhile: { rule: 'c', groups: ['h'] },
      after: { rule: 'a', groups: ['i'] },
    });
  });

  test('are not looked for further when enough are found', () => {
    expect(walk(writes, search, 1)).toEqual({ verdict: 'exposed', exposed: exposed.slice(0, 1) });
  });
});

describe('a search', () => {
  test('may try 100,000 visitors', () => {
    expect(searchFor(changeOf(EXPOSED.before, EXPOSED.after)).effort).toEqual({ left: 100_000 });
  });

  test('that may try no visitor finds the order of the plan, and does not know whether it is safe', () => {
    const search = { ...searchFor(changeOf('a:/>g b:/a>i', 'a:/c>i')), effort: { left: -1 } };
    const { writes } = search.transition;
    expect(findOrder(search)).toEqual({ writes, verdict: 'unknown', exposed: [] });
    expect(walk(writes, search, 1)).toEqual({ verdict: 'unknown', exposed: [] });
    expect(isSafe(writes, search)).toBe(false);
  });

  test('examines each list once, so that it can try every order of nine writes', () => {
    const search = searchFor(changeBehind(7));
    expect(findOrder(search).verdict).toBe('exposed');
    expect(search.effort.left).toBeGreaterThan(98_000);
  });

  test('is given up after 500 lists, and tells what the order of the plan exposes', () => {
    const search = searchFor(changeBehind(8));
    const { writes, verdict, exposed } = findOrder(search);
    expect(verdict).toBe('unknown');
    expect(writes).toBe(search.transition.writes);
    expect(exposed.map((each) => each.writes)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('is given up earlier for a long list', () => {
    expect(findOrder(searchFor(changeBehind(7, 61))).verdict).toBe('unknown');
  });
});
