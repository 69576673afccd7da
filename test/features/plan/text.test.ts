// Plans as text: each changed object is named or counted, each changed field is there, and dangers name their objects.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/base/model.ts';
import { planView } from '../../../src/features/plan/view.ts';
import { planAnswer } from '../../../src/many/plans/plans.ts';
import type { Plan, PlannedRouting, ResourceChange } from '../../../src/plan/plan.ts';
import { reviewed } from '../../../src/plan/review/plan-result.ts';
import { onTerminal, type Paint, uncoloured } from '../../../src/view/paint.ts';
import { columnsOf, fitted } from '../../../src/view/terminal/narrow.ts';
import { terminalText } from '../../../src/view/writers/terminal.ts';
import { type Declared, declare, desiredOf } from '../../desired.ts';
import { withFewChats } from '../../laws/version.ts';
import { agentSpec, groupSpec } from '../../laws/wish.ts';
import { ledgerOf, liveOf, object, planOf } from '../../plan/license.ts';
import { tries } from '../../tries.ts';
import { dangerous } from './dangerous.ts';

const LOST_COVER: Diagnostic = {
  code: 'lost-cover',
  severity: 'warning',
  message: 'group/sales loses all cover',
  remedy: null,
  excerpt: null,
  place: { file: 'manifest.yaml', line: 1, column: 1, length: 1 },
  related: [],
};

const reroute = (page: string, ...groups: readonly string[]): PlannedRouting['rerouted'][number] => ({
  before: { rule: 'auto_access/a', groups },
  after: { rule: 'auto_access/b', groups: ['group/sales'] },
  cause: { what: 'conditions', rule: 'auto_access/b' },
  examples: [{ visitor: { url: 'https://example.com/' }, on: page === '' ? [] : [page] }],
});

function outlined(plan: Plan): string {
  return terminalText(planView(reviewed(plan, [], null)), uncoloured);
}

/** What a person must have seen, and the counts. */
function closing(plan: Plan, paint: Paint = uncoloured, details = false): string {
  return terminalText({ ...planView(reviewed(plan, [], null)), body: [] }, paint, { details });
}

const agents = (count: number, spec: object = {}): readonly Declared[] =>
  Array.from({ length: count }, (_, index) =>
    declare('agent', `a${index}@example.com`, { name: `Agent ${index}`, ...spec }),
  );

const livePeople = (declared: readonly Declared[], spec: object) =>
  declared.map(({ key, spec: wanted }) => object('agent', key, { ...wanted, ...spec }));

test('Ten created objects of a kind have a line each, and more share one', () => {
  expect(outlined(planOf(desiredOf(agents(10)), liveOf())).match(/^ {2}\+ agent\//gm)).toHaveLength(10);
  expect(outlined(planOf(desiredOf(agents(12)), liveOf()))).toMatch(
    /^ {2}\+ 12 agents: Agent 0, (?:Agent \d+, ){3}Agent \d+ and 7 more$/m,
  );
});

test('The equal change of several objects is one block, and another change stays apart', () => {
  const wanted = agents(5, { notifications: ['incoming_chat', 'ticket'], max_chats_count: 4 });
  const live = livePeople(wanted, { notifications: ['incoming_chat'] });
  const [first, ...others] = live;
  const odd = object('agent', 'a0@example.com', { ...first?.spec, max_chats_count: 2 });
  const text = outlined(planOf(desiredOf(wanted), liveOf(odd, ...others)));
  expect(text).toContain(
    '  ~ agent/a0@example.com  Agent 0, adopted\n      max_chats_count 2 -> 4\n      notifications +ticket\n' +
      '  ~ 4 agents with the same change, adopted: Agent 1, Agent 2, Agent 3, Agent 4\n' +
      '      notifications +ticket\n\n',
  );
});

test('Members have their names, and those of the same name their keys', () => {
  const people = [declare('agent', 'ann@x.com', { name: 'Ann' }), declare('agent', 'bob@x.com', { name: 'Bob' })];
  const twin = declare('agent', 'bob@y.com', { name: 'Bob' });
  const members = { 'agent/ann@x.com': 'first', 'agent/bob@x.com': 'normal', 'agent/bob@y.com': 'last' };
  const team = declare('group', 'team', { name: 'Team', agent_priorities: members });
  expect(outlined(planOf(desiredOf([...people, twin, team]), liveOf()))).toContain(
    '+ group/team  Team, Ann (first), bob@x.com (normal), bob@y.com (last)\n',
  );
});

test('Members who do not change have their names too, but for those of the same name', () => {
  const people = [
    object('agent', 'ann@x.com', { name: 'Ann' }),
    object('agent', 'bob@x.com', { name: 'Bob' }),
    object('agent', 'bob@y.com', { name: 'Bob' }),
  ];
  const team = object('group', 7, { name: 'Team', agent_priorities: { 'ann@x.com': 'first', 'bob@x.com': 'last' } });
  const ann = declare('agent', 'ann@x.com', { name: 'Ann' });
  const wanted = declare('group', 'team', { name: 'Team', agent_priorities: { 'agent/ann@x.com': 'normal' } });
  const ledger = ledgerOf(
    { 'group/team': 7, 'agent/ann@x.com': 'ann@x.com' },
    { 'agent/ann@x.com': { spec: { name: 'Ann' } } },
  );
  const plan = planOf(desiredOf([ann, wanted]), liveOf(...people, team), ledger);
  expect(plan.resource_changes.map(({ address }) => address)).toEqual(['group/team']);
  expect(outlined(plan)).toContain('      agent_priorities Ann (first) -> (normal), -bob@x.com (last)\n');
  expect(plan.names).toEqual({ 'agent/ann@x.com': 'Ann' });
});

test('Who waits for approval is named in the plan that creates or adopts them, and counted afterwards', () => {
  const [ann] = agents(1);
  const waiting = object('agent', 'a0@example.com', { name: 'Agent 0' }, { pendingApproval: true });
  const of = (live: ReturnType<typeof liveOf>, bindings: Parameters<typeof ledgerOf>[0] = {}): string =>
    outlined(planOf(desiredOf(ann === undefined ? [] : [ann]), live, ledgerOf(bindings)));
  const named = /^Good to know:\n {2}agent\/a0@example\.com: (?:will wait for|waiting for)/m;
  const counted = /^Waiting for approval: 1 agent$/m;
  expect(of(liveOf())).toMatch(named);
  expect(of(liveOf(waiting))).toMatch(named);
  expect(of(liveOf(waiting))).not.toMatch(counted);
  const later = of(liveOf(waiting), { 'agent/a0@example.com': 'a0@example.com' });
  expect(later).toMatch(counted);
  expect(later).not.toContain('Good to know');
});

const CLIENT = 'b1946ac92492d2347c6235b4d2611184';

/** The lines of the objects, on a terminal of 80 columns. */
function narrow(...declared: readonly Declared[]): readonly string[] {
  const plan = planOf(desiredOf(declared), liveOf());
  const text = terminalText(planView(reviewed(plan, [], null)), onTerminal(uncoloured, 80));
  return fitted(text, 80)
    .split('\n')
    .filter((line) => /^ {2}\+ /.test(line));
}

test('On a terminal a created object has one line: fewer names, short ids, and a cut only after a word', () => {
  const members = Object.fromEntries(agents(9).map(({ key }) => [`agent/${key}`, 'normal']));
  const values = ['first_reply_target', 'support_tier', 'escalation_contact'].map((name) =>
    declare('license_property', `${CLIENT}/${name}`, { value: 'a rather long value' }),
  );
  const type = {
    type: 'string',
    access: { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } },
  };
  const definition = declare('property', `${CLIENT}/escalation_contact_of_a_group`, type);
  const lines = narrow(
    ...agents(9),
    declare('group', 'team', { name: 'A team with a long name', language_code: 'en', agent_priorities: members }),
    definition,
    ...values,
  );
  for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(80);
  expect(lines.slice(9)).toEqual([
    '  + group/team  A team with a long name, en, Agent 0 (normal) and 8 more',
    '  + property/b1946ac9…/escalation_contact_of_a_group  string, license.agent…',
    '  + license_property/b1946ac9…  escalation_contact and 2 more',
  ]);
});

describe('Dangers', () => {
  test('name every object, however many share a line', () => {
    const plan = planOf(desiredOf(agents(40, { role: 'administrator' })), liveOf());
    const text = closing(plan);
    expect(text).toMatch(
      /^Dangers:\n {2}more access: .*: is made with the right to change the configuration\n\nPlan: /,
    );
    for (const { address } of plan.resource_changes) expect(text).toContain(address);
  });

  test('take two lines on a terminal, with people by their names, and are whole with details', () => {
    const plan = planOf(desiredOf(agents(40, { role: 'administrator' })), liveOf());
    const on = onTerminal(uncoloured, 80);
    const [, ...lines] = fitted(closing(plan, on), 80).split('\n');
    expect(lines.slice(0, 2).join('\n')).toMatch(
      /^ {2}more access: Agent 0, (?:Agent\s+\d+,\s+)+Agent\s+\d+\s+and\s+\d+\s+more:[\s\S]*right to change the configuration$/,
    );
    expect(lines[2]).toBe('');
    const whole = closing(plan, on, true);
    for (const { address } of plan.resource_changes) expect(whole).toContain(address);
    const twins = planOf(desiredOf(agents(2, { name: 'Ann', role: 'administrator' })), liveOf());
    expect(closing(twins, on)).toContain('more access: agent/a0@example.com, agent/a1@example.com: ');
  });

  test('are unmanaged administrators who were none at the last apply', () => {
    const live = liveOf(
      object('agent', 'ann@x.com', { name: 'Ann', role: 'administrator' }),
      object('agent', 'eve@x.com', { name: 'Eve', role: 'administrator' }),
      object('agent', 'bob@x.com', { name: 'Bob', role: 'normal' }),
    );
    const desired = desiredOf(agents(1));
    const closingOf = (administrators: ReadonlySet<string> | null): string =>
      closing(planOf(desired, live, { ...ledgerOf({}), administrators }));
    expect(closingOf(new Set(['ann@x.com']))).toMatch(
      /^Dangers:\n {2}more access: agent\/eve@x.com: administers the license, is not managed, and did not at the last apply; an apply accepts it\n\n/,
    );
    for (const known of [null, new Set(['ann@x.com', 'eve@x.com'])]) expect(closingOf(known)).toMatch(/^Plan: /);
  });

  test('are what is destroyed, and a group that loses its last member', () => {
    const owned = ledgerOf({ 'group/old': 7, 'group/team': 8 });
    const live = liveOf(
      object('agent', 'ann@x.com', { name: 'Ann' }),
      object('group', 7, { name: 'Old' }),
      object('group', 8, { name: 'Team', agent_priorities: { 'ann@x.com': 'first' } }),
    );
    const plan = planOf(desiredOf([declare('group', 'team', { name: 'Team', agent_priorities: {} })]), live, owned);
    const text = outlined(plan);
    expect(text).toMatch(/\nDangers:\n {2}destroyed: group\/old: .*\n {2}no member left: group\/team: .*\n\nPlan: /);
    expect(text).toContain('  - group/old  Old\n');
  });

  test('are reroutes of ordinary visitors, and of many kinds of them', () => {
    const closingOf = (...rerouted: PlannedRouting['rerouted']): string => {
      const routing = { rerouted, exact: true, way: 'safe', exposed: [], longer: null } as const;
      const plan = { ...planOf(desiredOf(agents(1)), liveOf()), routing };
      return closing(plan);
    };
    for (const page of ['', '/'])
      expect(closingOf(reroute(page, 'group/desk'))).toMatch(
        /^Dangers:\n {2}routing: visitors on .* go from desk to sales /,
      );
    expect(closingOf(reroute('/jobs', 'group/desk'), reroute('/'))).not.toContain('Dangers');
    const pages = ['/a', '/b', '/c', '/d'].map((page) => reroute(page, 'group/desk'));
    expect(closingOf(...pages)).toContain(
      'routing: 1 more kind of visitors goes elsewhere; `chatform plan --details` shows each',
    );
    expect(closingOf(...pages, reroute('/new'))).toContain(
      'routing: 2 more kinds of visitors go elsewhere, 1 of them had no group before; `chatform plan --details` shows each',
    );
  });

  test('have one number: in the summary, above their list, and in a table of several targets', () => {
    const rerouted = ['/a', '/b', '/c', '/d', '/e'].map((page) => reroute(page, 'group/desk'));
    const routing = { rerouted, exact: true, way: 'exposed', exposed: [], longer: null } as const;
    const of = reviewed({ ...dangerous(), routing }, [LOST_COVER], null);
    const sections = (planView(of).urgent ?? []).flatMap((block) => (block.type === 'section' ? [block] : []));
    const counted = sections.flatMap(({ body }) =>
      body.flatMap((block) => (block.type === 'counts' ? block.counts : [])),
    );
    const [, inSummary] = counted.find(([says]) => says === 'dangers') ?? [];
    expect(inSummary).toBe(of.cautions.length + 1 + rerouted.length + 1);
    expect(sections.find(({ id }) => id === 'dangers')?.count).toBe(inSummary);
    expect(planAnswer(of).figures).toMatchObject({ dangers: inSummary });
  });

  test('are absent where there are none', () => {
    expect(outlined(planOf(desiredOf(agents(1)), liveOf()))).not.toContain('Dangers');
  });
});

test('Thousands of created objects are less than a hundred lines', () => {
  const count = tries(20_000, 2000);
  const text = outlined(planOf(desiredOf(agents(count)), liveOf()));
  expect(text.split('\n').length).toBeLessThan(100);
  expect(text).toContain(`${count} agents`);
});

/** A license and a wish for it. Few different specs, so that some objects change alike. */
const planned: fc.Arbitrary<Plan> = fc
  .tuple(
    fc.array(agentSpec.map(withFewChats), { minLength: 1, maxLength: 3 }),
    fc.array(groupSpec, { minLength: 1, maxLength: 2 }),
  )
  .chain(([people, groups]) => {
    const fate = fc.record({
      live: fc.option(fc.nat(2)),
      wanted: fc.option(fc.nat(2)),
      isGroup: fc.boolean(),
      isOwned: fc.boolean(),
    });
    return fc.array(fate, { maxLength: 30 }).map((fates) => {
      const specs = fates.map(({ isGroup, live, wanted, isOwned }, index) => {
        const of = isGroup ? groups : people;
        const spec = (at: number | null) => (at === null ? null : { name: `N ${index}`, ...of[at % of.length] });
        const kind = isGroup ? ('group' as const) : ('agent' as const);
        return {
          kind,
          key: isGroup ? `g${index}` : `a${index}@x.com`,
          id: index,
          live: spec(live),
          wanted: spec(wanted),
          isOwned,
        };
      });
      const idOf = ({ kind, key, id }: (typeof specs)[number]) => (kind === 'group' ? id : key);
      return planOf(
        desiredOf(specs.flatMap(({ kind, key, wanted }) => (wanted === null ? [] : [declare(kind, key, wanted)]))),
        liveOf(...specs.flatMap((each) => (each.live === null ? [] : [object(each.kind, idOf(each), each.live)]))),
        ledgerOf(
          Object.fromEntries(
            specs.filter(({ isOwned }) => isOwned).map((each) => [`${each.kind}/${each.key}`, idOf(each)]),
          ),
        ),
        { maxDeletes: 100, maxDeletePercent: 100 },
      );
    });
  });

const SIGNS: { readonly [action: string]: string } = { create: '+', update: '~', delete: '-' };

function signOf({ change: { actions } }: ResourceChange): string | undefined {
  return SIGNS[actions[0]];
}

test('Every changed object is named or counted, and every changed field is below its object', () => {
  fc.assert(
    fc.property(planned, (plan) => {
      const text = outlined(plan);
      const entries = text.split(/\n(?= {2}\S)|^(?= {2}\S)/m).filter((entry) => /^ {2}[-+~] /.test(entry));
      for (const sign of Object.values(SIGNS)) {
        const own = entries.filter((entry) => entry.startsWith(`  ${sign} `));
        const told = own.reduce((sum, entry) => sum + Number(/^ {2}[-+~] (\d+) /.exec(entry)?.[1] ?? 1), 0);
        expect([sign, told]).toEqual([sign, plan.resource_changes.filter((each) => signOf(each) === sign).length]);
      }
      for (const change of plan.resource_changes) {
        const entry = entries.find((each) =>
          each
            .split('\n')[0]
            ?.split(/[ ,:]+/)
            .includes(change.address),
        );
        if (entry === undefined) continue;
        const names = change.change.actions[0] === 'update' ? change.fields.map(({ field }) => field) : [];
        for (const name of names) expect(entry).toMatch(new RegExp(`^ {6}(?:! )?${name}:? `, 'm'));
      }
      for (const line of fitted(text, 80).split('\n'))
        if (line.length > 80) expect(line.trim().replace(/^[-+~^=!] /, '')).not.toContain(' ');
    }),
    { numRuns: tries(500, 40) },
  );
});
