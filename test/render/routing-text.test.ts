// What a person reads of the visitors whom a plan sends elsewhere: each sentence once.

import { describe, expect, test } from 'vitest';
import type { Exposed } from '../../src/plan/order/course.ts';
import type { PlannedRouting } from '../../src/plan/plan.ts';
import { uncoloured } from '../../src/render/paint.ts';
import { routingLines } from '../../src/render/routing-text.ts';
import type { Cause, Example, Rerouted } from '../../src/routing/compare.ts';
import type { Decision } from '../../src/routing/list.ts';
import type { Visitor } from '../../src/routing/visitor.ts';

const NOBODY: PlannedRouting = { rerouted: [], exact: true, way: 'safe', exposed: [], longer: null };

const NONE: Decision = { rule: null, groups: [] };

function by(rule: string, ...groups: readonly string[]): Decision {
  return { rule: `auto_access/${rule}`, groups: groups.map((group) => `group/${group}`) };
}

function example(on: readonly string[], where: Partial<Visitor> = {}): Example {
  return { visitor: { url: `https://example.com${on[0] ?? ''}`, ...where }, on };
}

function rerouted(what: Cause['what'], made: Partial<Rerouted> = {}): Rerouted {
  return {
    before: by('home', 'desk'),
    after: by('prices', 'sales'),
    cause: { what, rule: 'auto_access/prices' },
    examples: [example(['/pricing'])],
    ...made,
  };
}

function text(routing: Partial<PlannedRouting>): readonly string[] {
  return routingLines({ ...NOBODY, ...routing }, uncoloured);
}

describe('A plan that sends nobody elsewhere', () => {
  test('says so', () => {
    expect(text({})).toEqual(["Visitors: nobody's chats go to other groups.", '']);
  });

  test('does not claim it when it could not be decided', () => {
    expect(text({ exact: false })).toEqual([
      'Visitors: none is known whose chats go to other groups; not every pair of rules could be decided.',
      '',
    ]);
  });

  test('says nothing when it writes no rule', () => {
    expect(routingLines(null, uncoloured)).toEqual([]);
  });
});

describe('The cause', () => {
  test.each([
    [rerouted('reordered'), 'desk -> sales (rule prices now precedes home)'],
    [rerouted('reordered', { before: NONE }), 'no rule -> sales (rule prices moved)'],
    [rerouted('reordered', { before: by('prices', 'sales'), after: NONE }), 'sales -> no rule (rule prices moved)'],
    [rerouted('added'), 'desk -> sales (rule prices is new)'],
    [rerouted('removed', { after: NONE }), 'desk -> no rule (rule prices is gone)'],
    [rerouted('conditions'), 'desk -> sales (the conditions of rule prices change)'],
    [
      rerouted('groups', { after: by('home', 'sales', 'desk') }),
      'desk -> sales + desk (the groups of rule prices change)',
    ],
    [rerouted('removed', { cause: { what: 'removed', rule: 'r17' } }), '(rule r17 is gone)'],
    [rerouted('added', { before: { rule: 'r17', groups: ['12'] } }), 'group 12 -> sales'],
  ])('is told with the groups', (each, fragment) => {
    expect(text({ rerouted: [each] })[1]).toContain(fragment);
  });
});

describe('Who it is', () => {
  const who = (...examples: readonly Example[]) =>
    text({ rerouted: [rerouted('added', { examples })] })[1]?.split(': ')[0];

  test.each([
    [[example(['/pricing'])], '  visitors on /pricing'],
    [[example([])], '  visitors of any other page'],
    [[example([], { country: 'Poland' })], '  visitors from Poland'],
    [[example(['shop', '/a', '/b'])], '  visitors on shop with /a and /b'],
    [[example(['/a']), example(['/b'])], '  visitors on /a or /b'],
    [
      [example(['/a']), example(['/b']), example(['/c']), example(['/d']), example(['/e'])],
      '  visitors on /a, /b, /c or 2 others',
    ],
    [
      [example(['/a'], { country_code: 'PL', city: 'Lodz', region: 'Mazovia' })],
      '  visitors from Lodz, Mazovia, PL on /a',
    ],
  ])('is told in few words', (examples, expected) => {
    expect(who(...examples)).toBe(expected);
  });

  test('of several places is told of the first, for the texts of another are not its', () => {
    const told = who(example(['/a'], { country: 'Poland' }), example(['/b'], { country: 'Germany' }));
    expect(told).toBe('  visitors from Poland on /a');
  });

  test('is shown by one of them in full', () => {
    const examples = [example(['/pricing'], { country: 'Poland' }), example(['/plans'], { country: 'Poland' })];
    expect(text({ rerouted: [rerouted('added', { examples })] })[2]).toBe(
      '    such as https://example.com/pricing from Poland',
    );
  });

  test('is told with the country and the code where the rules ask for both', () => {
    expect(who(example([], { country: 'Atlantis', country_code: 'PL' }))).toBe('  visitors from Atlantis, PL');
  });

  test('cannot write on the terminal', () => {
    expect(who(example(['/\u001b[2Ja']))).not.toContain('\u001b');
  });
});

describe('More than a person reads', () => {
  const many = (count: number) => Array.from({ length: count }, () => rerouted('added'));

  test('is counted', () => {
    expect(text({ rerouted: many(10) }).at(-2)).toMatch(/such as/);
    expect(text({ rerouted: many(12) }).at(-2)).toBe('  and 2 more');
  });

  test('is counted as what it is when there may be others', () => {
    expect(text({ rerouted: many(12), exact: false }).at(-2)).toBe('  and at least 2 more');
    expect(text({ rerouted: many(2), exact: false }).at(-2)).toMatch(/and perhaps others: not every pair of rules/);
  });
});

describe('Somebody who is exposed on the way', () => {
  const exposed = (writes: number): Exposed => ({
    visitor: { url: 'https://example.com/a', country: 'Poland' },
    before: by('home', 'desk'),
    meanwhile: NONE,
    after: by('prices', 'sales'),
    writes,
  });
  const lines = (routing: Partial<PlannedRouting>) =>
    text({ way: 'exposed', exposed: [exposed(1)], ...routing }).slice(2);

  test('is told with the write after which, and that nothing is known to avoid it', () => {
    expect(lines({})).toEqual([
      "While the rules are written, somebody's chats go where they neither went nor shall go:",
      '  after 1 write https://example.com/a from Poland reaches no rule, and neither desk nor sales',
      '  no order of the writes is known that avoids it',
      '',
    ]);
    expect(lines({ exposed: [exposed(2)] })[1]).toMatch(/^ {2}after 2 writes /);
  });

  test.each([
    [{ requests: 1, anew: [] }, '  `routing: { reorder: safe }` in chatform.yaml avoids it, with 1 request more'],
    [{ requests: 0, anew: [] }, '  `routing: { reorder: safe }` in chatform.yaml avoids it, with no request more'],
    [
      { requests: 1, anew: ['auto_access/a'] },
      '  a new key for rule a avoids it, with 1 request more: then it is made before',
    ],
    [
      { requests: 2, anew: ['auto_access/a', 'auto_access/b'] },
      '  new keys for the rules a, b avoid it, with 2 requests more: then each is made before',
    ],
  ])('is told with a longer way that avoids it', (longer, expected) => {
    expect(lines({ longer }).at(-2)).toContain(expected);
  });

  test('is counted after ten', () => {
    const told = lines({ exposed: Array.from({ length: 13 }, (_, index) => exposed(index + 1)) });
    expect(told.filter((line) => line.includes('reaches'))).toHaveLength(10);
    expect(told).toContain('  and 3 more');
  });

  test('is nobody for certain only where that is so', () => {
    expect(text({ way: 'unknown' }).at(-2)).toContain('too many rules to tell whether anybody');
    expect(text({ way: 'unknown', exposed: [exposed(1)] }).join('\n')).toContain('neither desk nor sales');
    expect(text({ way: 'safe' })).toHaveLength(2);
  });
});

test('A rule and a group that nobody declares are told by their names and ids', () => {
  const stranger = { rule: '3aad', groups: ['7'] };
  const lines = routingLines(
    {
      ...NOBODY,
      rerouted: [
        {
          before: { rule: 'auto_access/a', groups: ['group/sales'] },
          after: stranger,
          cause: { what: 'reordered', rule: '3aad' },
          examples: [{ visitor: { url: 'https://example.com/a' }, on: ['/a'] }],
        },
      ],
    },
    uncoloured,
    [
      { type: 'auto_access', id: '3aad', name: 'Winter boots', released: null, reason: null },
      { type: 'group', id: 7, name: 'Gear', released: null, reason: null },
    ],
  );
  expect(lines[1]).toBe('  visitors on /a: sales -> group "Gear" (7) (rule "Winter boots" (3aad) now precedes a)');
});
