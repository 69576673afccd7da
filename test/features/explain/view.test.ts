// What a person reads of one visitor: the rule that decides, why the others do not, and who gets the chat.

import { expect, test } from 'vitest';
import { explained } from '../../../src/features/explain/read-explain.ts';
import type { ExplainedSide } from '../../../src/features/explain/schema.ts';
import { decisionsTable, explainedView } from '../../../src/features/explain/view.ts';
import { explain } from '../../../src/routing/explain.ts';
import { ASSUMED, programOf, type RoutingRule } from '../../../src/routing/rules.ts';
import { type ComparedVisitor, seen, type Visitor } from '../../../src/routing/visitor.ts';
import { plainText } from '../../../src/view/blocks.ts';
import { onTerminal, uncoloured } from '../../../src/view/paint.ts';
import { tableCsv } from '../../../src/view/writers/csv.ts';
import { markdownText } from '../../../src/view/writers/markdown.ts';
import { terminalText } from '../../../src/view/writers/terminal.ts';

const RULES: readonly RoutingRule[] = [
  {
    name: 'auto_access/trade',
    groups: ['group/trade'],
    conditions: { domain: { values: [{ value: 'trade.shop.example', exact_match: true }] } },
  },
  {
    name: 'auto_access/pages',
    groups: ['group/sales'],
    conditions: {
      url: { values: [{ value: '/pricing' }, { value: '/plans' }, { value: 'https://a.example/', exact_match: true }] },
    },
  },
  {
    name: 'auto_access/dach',
    groups: ['group/german', 'group/sales'],
    conditions: {
      url: { exclude_values: [{ value: '/careers' }] },
      geolocation: { values: [{ country_code: 'DE' }, { country: 'Austria', city: 'Vienna' }] },
    },
  },
  { name: 'auto_access/rest', groups: ['group/desk'], conditions: { domain: { values: [{ value: 'shop.example' }] } } },
];

const HOME: Visitor = { url: 'https://shop.example/', country: 'Poland' };

function see(visitor: Visitor): ComparedVisitor {
  const found = seen(visitor, ASSUMED);
  if ('wrong' in found) throw new Error(found.wrong);
  return found;
}

function sideOf(visitor: Visitor, more: Partial<ExplainedSide> = {}, rules = RULES): ExplainedSide {
  return {
    on: 'files',
    ...explain(programOf(rules, ASSUMED), see(visitor)),
    source: null,
    greetings: [],
    reached: [],
    ...more,
  };
}

function answer(visitor: Visitor, ...sides: readonly ExplainedSide[]) {
  const about = { target: 'production', visitor, seen: see(visitor), at: '2026-11-23T09:00:00+01:00' };
  return explained(about, sides.length === 0 ? [sideOf(visitor)] : sides);
}

function text(visitor: Visitor, ...sides: readonly ExplainedSide[]): string {
  return terminalText(explainedView(answer(visitor, ...sides)), uncoloured);
}

const AGENT = {
  type: 'agent',
  priority: 'normal',
  barred: null,
  may_be_barred: null,
  at_work: null,
  slots: 2,
} as const;

const REACHED: ExplainedSide['reached'] = [
  {
    group: 'group/desk',
    name: 'Front desk',
    complete: false,
    no_agent: null,
    members: [
      { ...AGENT, reference: 'agent/a', name: 'A', priority: 'first', barred: 'suspended', at_work: true },
      { ...AGENT, reference: 'agent/b', name: 'B', at_work: true, slots: 1 },
      { ...AGENT, reference: 'agent/c', name: 'C', at_work: false },
      { ...AGENT, reference: 'bot/d', type: 'bot', name: 'D', priority: 'last', may_be_barred: 'offline' },
      { ...AGENT, reference: 'agent/e', name: 'E', priority: 'last', slots: null },
    ],
  },
  { group: 'group/desk', name: 'desk', complete: true, no_agent: null, members: [] },
  { group: 'group 7', name: null, complete: false, no_agent: null, members: [] },
  {
    group: 'group/night',
    name: 'night',
    complete: true,
    no_agent: { until: '2026-11-24T08:00:00+01:00' },
    members: [{ ...AGENT, reference: 'agent/c', name: 'C', at_work: false }],
  },
];

test('The rule that decides comes first, then why none before it does, then who gets the chat', () => {
  const side = sideOf(HOME, {
    source: { file: 'manifest.yaml', line: 9, column: 1 },
    depends_on: 'auto_access/rest',
    reached: REACHED,
  });
  expect(text(HOME, side)).toMatchInlineSnapshot(`
    "auto_access/rest decides: group/desk  manifest.yaml:9
      the domain contains "shop.example"
      not certain: the files do not declare all conditions or groups of auto_access/rest

    Rules before it that do not match:
      Place  Rule               Why not
          1  auto_access/trade  the domain is not "trade.shop.example"
          2  auto_access/pages  the URL contains none of "/pricing", "/plans" and is not "https://a.example/"
          3  auto_access/dach   the visitor is not in DE or Vienna, Austria

    Who gets the chat in group/desk (Front desk), at 2026-11-23 09:00 +01:00:
      Priority  Who      Name  Availability
      first     agent/a  A     gets no chats: suspended
      normal    agent/b  B     at work, 1 chat at a time
      normal    agent/c  C     not at work
      last      bot/d    D     no hours are known, 2 chats at a time, if its routing status is set
      last      agent/e  E     no hours are known

      and possibly others: the files do not declare all of its members

    Who gets the chat in group/desk, at 2026-11-23 09:00 +01:00:
      no members

    Who gets the chat in group 7, at 2026-11-23 09:00 +01:00:
      not known: the files do not declare its members

    Who gets the chat in group/night, at 2026-11-23 09:00 +01:00:
      no agent until Tue 08:00

    https://shop.example/ from Poland: group/desk by auto_access/rest, by the rules of the files.
    "
  `);
});

test('What is excluded is said to be, all that holds is told of the rule that decides, and the rest is counted', () => {
  expect(text({ url: 'https://shop.example/careers', country: 'Germany' })).toContain(
    'the URL contains "/careers", which the rule excludes',
  );
  const decided = text({ url: 'https://shop.example/', country: 'Germany' });
  expect(decided).toMatch(/decides: group\/german, group\/sales\n {2}the URL does not .*\n {2}the visitor is in DE\n/);
  expect(decided).toContain('Later rules that would match:\n  4. auto_access/rest: group/desk\n');
  expect(text({ url: 'https://trade.shop.example/careers' })).toContain('\n  2 later rules do not match.\n');
});

test('Where no rule matches, all of them say why', () => {
  const said = text({ url: 'https://elsewhere.example/' });
  expect(said).toMatch(/^No rule matches\.\n\nRules that do not match:\n/);
  expect(said).toMatch(/https:\/\/elsewhere\.example\/: no rule matches, by the rules of the files\.\n$/);
});

test('Two sides are compared in the result', () => {
  const live = (more: Partial<ExplainedSide>) => answer(HOME, sideOf(HOME), sideOf(HOME, { on: 'live', ...more }));
  const result = (more: Partial<ExplainedSide>) => plainText(explainedView(live(more)).result);
  expect(result({})).toBe('The files and the license agree: group/desk by auto_access/rest.');
  const [asked] = sideOf(HOME).asked;
  const byHand = asked === undefined ? [] : [{ ...asked, rule: 'r2', title: '"Promo" (r2)' }];
  expect(result({ decided_by: 'r2', asked: byHand })).toBe(
    'The files and the license send this visitor to the same groups, by different rules. By the files: group/desk by auto_access/rest; the license: group/desk by "Promo" (r2).',
  );
  expect(result({ decided_by: null, groups: [] })).toMatch(/to different groups\..*; the license: no rule matches\.$/);
});

test('A narrow terminal has the reason in lines of its own column', () => {
  const narrow = terminalText(explainedView(answer(HOME)), onTerminal(uncoloured, 60));
  expect(Math.max(...narrow.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(60);
  expect(narrow).toMatch(/auto_access\/pages {2}the URL contains .*\n {20,}\S/);
});

test('CSV has a row for each side, and a comment the same as the terminal', () => {
  const about = answer(HOME, sideOf(HOME, { reached: REACHED }), sideOf(HOME, { on: 'live', decided_by: 'r2' }));
  expect(tableCsv(decisionsTable(about)).split('\r\n')).toEqual([
    'visitor,side,decided_by,file,line,groups,depends_on,at,at_work',
    'https://shop.example/ from Poland,files,auto_access/rest,,,group/desk,,2026-11-23T09:00:00+01:00,1',
    'https://shop.example/ from Poland,live,r2,,,group/desk,,2026-11-23T09:00:00+01:00,0',
    '',
  ]);
  expect(markdownText(explainedView(about))).toMatch(/^### Routing of `https:.*` in `production`: different rules\n/);
});
