// "Ask a visitor": the sentences of the page, and that data which went through the page answer as `explain` does.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, type RoutingSide } from '../../../src/features/explain/answer.ts';
import { ask } from '../../../src/features/ui/ask.ts';
import type { AskedRules } from '../../../src/features/ui/rules-at.ts';
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
  target: 'shop',
  domain: 'shop.example',
  called: {
    'group/french': 'Service français',
    'group/sales': 'Sales',
    'group/0': 'Everyone',
    'auto_access/returns': 'if the URL contains /returns',
  },
  places: { 'auto_access/returns': 'rules.yaml:4' },
  readAt: NOW,
  usual: {},
  isOfFiles: true,
  past: {
    rules: [
      {
        name: 'auto_access/returns',
        title: 'if the URL contains /retouren',
        groups: ['group/sales'],
        conditions: { url: { values: [{ value: '/retouren' }] } },
      },
      { name: '77', title: 'the rule 77, which is gone', groups: [], conditions: {} },
    ],
    lists: [
      {
        from: Date.parse('2026-11-02T08:00:00Z'),
        ranges: [
          [3, 3],
          [1, 2],
        ],
        open: [],
        isAssumed: false,
      },
      { from: Date.parse('2026-11-10T08:00:00Z'), ranges: null, open: [], isAssumed: false },
      {
        from: Date.parse('2026-11-12T08:00:00Z'),
        ranges: [
          [4, 4],
          [0, 2],
        ],
        open: ['77'],
        isAssumed: true,
      },
    ],
  },
};

const EMPTY = { url: '', country: '', region: '', city: '', time: '' };

function asked(question: Partial<typeof EMPTY>, side: AskedRules = RULES) {
  return ask(JSON.parse(JSON.stringify(side)) as AskedRules, { ...EMPTY, ...question }, NOW);
}

describe('A visitor', () => {
  test('is told the rule with its place, the group, who could take the chat, the greeting, and what would match later', () => {
    expect(asked({ url: '/returns/1', country: 'France', city: 'Lyon' })).toEqual({
      lines: [
        ['Page', 'https://shop.example/returns/1'],
        ['Rule', '1 of 3, if the URL contains /returns (rules.yaml:4)'],
        ['Group', 'Service français'],
        ['Who answers in Service français', 'Ann'],
        ['Greeting', 'Bonjour'],
        ['Next rules that match', '3. auto_access/rest'],
      ],
      message:
        'License shop: a visitor of https://shop.example/returns/1 from Lyon, France reaches Service français by the rule auto_access/returns (rules.yaml:4). Please: send them to [group].',
    });
  });

  test('whom no rule sends anywhere reaches the general group', () => {
    expect(asked({ url: 'https://other.example/careers' })).toMatchObject({
      lines: [
        ['Rule', 'none of the 3 rules matches'],
        ['Group', 'the general group (Everyone): no rule says where it goes'],
        ['Next rules that match', 'no other rule'],
      ],
    });
  });

  test('of a time in the past meets the rules that a run had left, and is told what is of now', () => {
    const past = asked({ url: '/retouren', time: '2026-11-04T10:00' });
    expect(past).toMatchObject({
      lines: [
        ['Rules', 'as the run of 2026-11-02 09:00 left them; people, hours and greetings are those of now'],
        ['Page', 'https://shop.example/retouren'],
        ['Rule', '1 of 3, if the URL contains /retouren (rules.yaml:4)'],
        ['Group', 'Sales'],
        ['Who answers in Sales', 'nobody'],
        ['Next rules that match', '3. auto_access/rest'],
      ],
    });
    expect(asked({ url: '/returns', country: 'France', time: '2026-11-20T10:00' })).toMatchObject({
      lines: expect.arrayContaining([
        ['Rule', '2 of 4, if the URL contains /returns (rules.yaml:4)'],
        [
          'Rules',
          'as the run of 2026-11-12 09:00 left them; rules that no run wrote, people, hours and greetings are those of now',
        ],
        ['Not certain', 'not all is known of the rule 77, which is gone: it may have decided otherwise'],
      ]),
    });
  });

  test('of a time whose rules are not known is told from when on they are', () => {
    const unknown = (time: string, more: Partial<AskedRules> = {}) => asked({ url: '/x', time }, { ...RULES, ...more });
    expect(unknown('2026-11-01T10:00')).toEqual({
      wrong: 'The page has no rules of that time: they are known from 2026-11-02 09:00 on',
    });
    expect(unknown('2026-11-11T10:00')).toEqual({
      wrong:
        'The page has no rules of that time: the ledger does not tell what the run of 2026-11-10 09:00 left; they are known from 2026-11-12 09:00 on',
    });
    expect(unknown('2026-11-11T10:00', { past: { rules: [], lists: [] } })).toEqual({
      wrong: 'The page has no rules of that time: no run left a list of them',
    });
    expect(unknown('2026-11-30T10:00')).toMatchObject({ lines: expect.anything() });
  });

  test('from nowhere, on no page or at no time is refused with what is right', () => {
    expect(asked({ url: '/x', country: 'Frankreich' })).toEqual({
      wrong: expect.stringContaining('There is no country Frankreich'),
    });
    const [whole, short] = ['https://shop.example/returns', 'shop.example/returns'].map((url) =>
      asked({ url, country: 'France' }),
    );
    expect(short).toEqual({
      ...whole,
      lines: [
        ['Page', 'https://shop.example/returns'],
        ...(whole !== undefined && 'lines' in whole ? whole.lines : []),
      ],
    });
    expect(asked({ url: 'pricing' })).toEqual({ wrong: 'pricing is no page: begin it with / or with https://' });
    expect(asked({ url: '/x', city: 'Lyon' })).toEqual({
      wrong: 'Fill in the country of Lyon: a rule compares it first',
    });
    expect(asked({ url: '/x', time: 'soon' })).toEqual({ wrong: 'soon is no time such as 2026-11-30T14:00' });
    expect(asked({ url: '/x' }, { ...RULES, domain: null })).toEqual({
      wrong: '/x is no page: begin it with https://',
    });
  });

  test('of a region that the rules spell otherwise is told their spelling', () => {
    const near = ['Region', 'no rule names Québec: did you mean Quebec?'];
    expect(asked({ url: '/returns', country: 'Canada', region: 'Québec' })).toMatchObject({
      lines: expect.arrayContaining([near]),
    });
    const right = asked({ url: '/returns', country: 'Canada', region: 'quebec' });
    expect('lines' in right && right.lines.map(([about]) => about)).not.toContain('Region');
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
