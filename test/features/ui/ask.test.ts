// "Ask a visitor": the sentences of the page, and that data which went through the page answer as `explain` does.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, type RoutingSide } from '../../../src/features/explain/answer.ts';
import { type AskedRules, ask } from '../../../src/features/ui/ask.ts';
import { ASSUMED } from '../../../src/routing/rules.ts';
import { type Placed, staffOf } from '../../../src/routing/staff/staff.ts';
import { seen, type Visitor } from '../../../src/routing/visitor.ts';
import { tries } from '../../tries.ts';

const NOW = Date.parse('2026-11-30T09:00:00Z');

const PLACED: readonly Placed[] = [
  { reference: 'group/french', kind: 'group', name: 'Service français', spec: {}, decides: [] },
  { reference: 'group/sales', kind: 'group', name: 'Sales', spec: {}, decides: [] },
  {
    reference: 'agent/ann@example.com',
    kind: 'agent',
    name: 'Ann',
    spec: {
      max_chats_count: 3,
      suspended: false,
      awaiting_approval: false,
      groups: { 'group/french': 'first' },
      work_scheduler: {},
    },
    decides: [],
  },
];

const SIDE: RoutingSide = {
  rules: [
    {
      name: 'auto_access/returns',
      groups: ['group/french'],
      conditions: {
        url: { values: [{ value: '/returns' }] },
        geolocation: { values: [{ country: 'France' }, { country_code: 'CA', region: 'Quebec' }] },
      },
    },
    {
      name: 'auto_access/host',
      groups: ['group/sales'],
      conditions: { domain: { values: [{ value: 'bücher.example', exact_match: true }] } },
    },
    {
      name: 'auto_access/rest',
      groups: ['group/sales'],
      conditions: { url: { exclude_values: [{ value: '/careers' }] } },
    },
  ],
  open: [],
  assumptions: ASSUMED,
  timezone: 'Europe/Warsaw',
  staff: staffOf(PLACED, { zone: 'Europe/Warsaw', version: '3.6', isRead: true }),
  general: ['group/0'],
  greetings: [{ greeting: 'greeting/help', group: 'group/french', spec: { name: 'Bonjour', active: true, rules: [] } }],
};

const RULES: AskedRules = {
  ...SIDE,
  domain: 'shop.example',
  called: {
    'group/french': 'Service français',
    'group/sales': 'Sales',
    'auto_access/returns': 'if the URL contains /returns',
  },
  places: { 'auto_access/returns': 'rules.yaml:4' },
};

const EMPTY = { url: '', country: '', region: '', city: '', time: '' };

function asked(question: Partial<typeof EMPTY>, side: AskedRules = RULES) {
  return ask(JSON.parse(JSON.stringify(side)) as AskedRules, { ...EMPTY, ...question }, NOW);
}

describe('A visitor', () => {
  test('is told the rule with its place, the group, who could take the chat, the greeting, and what would match later', () => {
    expect(asked({ url: '/returns/1', country: 'France', city: 'Lyon' })).toEqual({
      lines: [
        ['Rule', '1 of 3, if the URL contains /returns (rules.yaml:4)'],
        ['Group', 'Service français'],
        ['Who answers in Service français', 'Ann'],
        ['Greeting', 'Bonjour'],
        ['Would match later', '3. auto_access/rest'],
      ],
      message:
        'A visitor of https://shop.example/returns/1 from Lyon, France reaches Service français by the rule auto_access/returns (rules.yaml:4). They should reach: ',
    });
  });

  test('whom no rule sends anywhere reaches the general group', () => {
    expect(asked({ url: 'https://other.example/careers' })).toMatchObject({
      lines: [
        ['Rule', 'none of the 3 rules matches'],
        ['Group', 'the general group: no rule says where it goes'],
        ['Greeting', 'none'],
        ['Would match later', 'no other rule'],
      ],
    });
  });

  test('from nowhere, on no page or at no time is refused with what is right', () => {
    expect(asked({ url: '/x', country: 'Frankreich' })).toEqual({
      wrong: expect.stringContaining('There is no country Frankreich'),
    });
    expect(asked({ url: 'pricing' })).toEqual({ wrong: expect.stringContaining('a whole URL') });
    expect(asked({ url: '/x', time: 'soon' })).toEqual({ wrong: 'soon is no time such as 2026-11-30T14:00' });
    expect(asked({ url: '/x' }, { ...RULES, domain: null })).toEqual({ wrong: expect.stringContaining('a whole URL') });
  });
});

test('The data of a page answer for any visitor as the rules themselves do', () => {
  const visitor = fc.record(
    {
      url: fc
        .tuple(
          fc.constantFrom('https://shop.example', 'https://bücher.example', 'https://xn--bcher-kva.example'),
          fc.constantFrom('/', '/returns', '/careers', '/a%20b'),
        )
        .map(([host, path]) => host + path),
      country: fc.constantFrom('France', 'Canada', 'Poland'),
      region: fc.constantFrom('Quebec', 'Ontario'),
    },
    { requiredKeys: ['url'] },
  );
  fc.assert(
    fc.property(visitor, fc.integer({ min: 0, max: 7 * 86_400_000 }), (described: Visitor, later) => {
      const compared = seen(described, ASSUMED);
      if ('wrong' in compared) throw new Error(compared.wrong);
      const how = { described, compared, at: NOW + later };
      expect(answerOf(JSON.parse(JSON.stringify(SIDE)) as RoutingSide, how)).toEqual(answerOf(SIDE, how));
    }),
    { numRuns: tries(500, 50) },
  );
});
