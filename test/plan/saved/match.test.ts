// What was approved against a plan of now, after somebody was at the license: what goes on, what does not, and what is said of it.

import { describe, expect, test } from 'vitest';
import type { Address, Desired, Json, JsonObject } from '../../../src/base/model.ts';
import { kindOf } from '../../../src/kinds/index.ts';
import { compare } from '../../../src/plan/compare.ts';
import type { FieldChange, Plan } from '../../../src/plan/plan.ts';
import { manifestDigest, readDigests } from '../../../src/plan/saved/digests.ts';
import { effectsOf } from '../../../src/plan/saved/effects.ts';
import { isCovered, letGo, type Mismatch, mismatchOf } from '../../../src/plan/saved/match.ts';
import { type NewRules, newRules } from '../../../src/plan/saved/new-rules.ts';
import { overtaken, overtakenRules } from '../../../src/plan/saved/overtaken.ts';
import type { Effect, SavedPlan, Veto } from '../../../src/plan/saved/saved-plan.ts';
import { readSavedPlan } from '../../../src/plan/saved/text.ts';
import { ASSUMED } from '../../../src/routing/rules.ts';
import { declare, desiredOf } from '../../desired.ts';
import { callByHand } from '../../laws/edits.ts';
import { TRIED_VERSIONS } from '../../tries.ts';
import { EVERYTHING } from '../../world.ts';
import { ledgerOf, liveOf, object, planOf } from '../license.ts';
import { AFTER, BEFORE, begun, saved } from './example.ts';

type Edit = readonly [action: string, body: JsonObject];

const withMore = (desired: Desired, ...more: Parameters<typeof declare>[]): Desired => {
  const added = desiredOf(more.map((each) => declare(...each)));
  return { ...desired, resources: [...desired.resources, ...added.resources] };
};

const ADA = withMore(AFTER, ['agent', 'ada@example.com', { name: 'Ada' }]);
const FRESH = withMore(AFTER, [
  'group',
  'fresh',
  { name: 'Fresh', agent_priorities: { 'agent/ann@example.com': 'normal' } },
]);

describe.each(TRIED_VERSIONS)('Version %s', (version) => {
  /** Ids on the license of `begun`: groups are made in the order in which their requests are sent. */
  const [OLD, SALES] = version === '3.3' ? [2, 1] : [1, 2];

  async function mismatchAfter(edits: readonly Edit[], desired = AFTER, now = desired): Promise<Mismatch | null> {
    const license = await begun(version);
    await license.clock.sleep(86_400_000);
    const approved = readSavedPlan((await saved(license, desired)).text, 'plan.json');
    for (const [action, body] of edits)
      expect([action, await callByHand(license.emulator, action, body)]).toEqual([action, true]);
    const { planned, live, compared } = await license.settled(now);
    if (planned.plan === null) throw new Error(planned.problems.map(({ message }) => message).join('; '));
    const { plan } = planned;
    const current = { plan, effects: effectsOf(plan), manifest: manifestDigest(now), read: readDigests(live) };
    return mismatchOf(approved, current, newRules(approved, current, compared, ASSUMED));
  }

  const update = (id: number, fields: JsonObject): Edit => ['update_group', { id, ...fields }];

  /** An unmanaged rule behind all others. */
  const added = (value: string, group: number): Edit => [
    'add_auto_access',
    { access: { groups: [group] }, conditions: { url: { values: [{ value }] } } },
  ];

  describe('an unmanaged rule that is new', () => {
    /** Only the groups of one rule change: no rule moves. */
    const REROUTED = {
      ...BEFORE,
      resources: BEFORE.resources.map((each) =>
        each.address === 'auto_access/rest'
          ? { ...each, spec: { ...each.spec, access: { groups: ['group/old'] } } }
          : each,
      ),
    };

    test('holds nothing up when an approved rule takes all its visitors', async () => {
      expect(await mismatchAfter([added('/demo/all', 0)])).toBeNull();
      expect(await mismatchAfter([added('/demo', OLD)], REROUTED)).toBeNull();
    });

    test('stops a plan that moves rules, and one that only changes a rule, when a visitor would go elsewhere', async () => {
      const order = { unapproved: [{ now: { effect: 'order' } }] };
      expect(await mismatchAfter([added('/x', SALES)])).toMatchObject(order);
      expect(await mismatchAfter([added('/x', SALES)], REROUTED)).toMatchObject(order);
    });

    test('stops it when another rule changed as well, because the saved plan does not say what that one was', async () => {
      const other = added('/walk-in', 0);
      const license = await begun(version);
      expect(await callByHand(license.emulator, ...other)).toBe(true);
      await license.clock.sleep(86_400_000);
      const approved = readSavedPlan((await saved(license, AFTER)).text, 'plan.json');
      const then = await license.settled(AFTER);
      const unmanaged = then.live.objects.auto_access?.find(({ spec }) => JSON.stringify(spec).includes('/walk-in'));
      expect(await callByHand(license.emulator, ...added('/demo/all', 0))).toBe(true);
      const conditions = { url: { values: [{ value: '/walk' }] } };
      const change = { id: unmanaged?.id ?? '', conditions };
      expect(await callByHand(license.emulator, 'update_auto_access', change)).toBe(true);
      await license.clock.sleep(86_400_000);
      const { planned, live, compared } = await license.settled(AFTER);
      if (planned.plan === null) throw new Error('no plan');
      const { plan } = planned;
      const current = { plan, effects: effectsOf(plan), manifest: manifestDigest(AFTER), read: readDigests(live) };
      const appeared = newRules(approved, current, compared, ASSUMED);
      expect([appeared.rules.size, appeared.areHarmless]).toEqual([1, false]);
      expect(mismatchOf(approved, current, appeared)).not.toBeNull();
    });
  });

  test.each<[string, readonly Edit[], Desired?]>([
    ['nobody was there', []],
    ['a part of it was done by hand', [update(SALES, { name: 'Sales team' }), ['delete_group', { id: OLD }]]],
    [
      'something that nothing declares was made or changed',
      [['create_group', { name: 'Walk-ins', agent_priorities: { 'bob@example.com': 'normal' } }]],
    ],
    ['an agent was made under the very name', [['create_agent', { id: 'ada@example.com', name: 'Ada' }]], ADA],
  ])('goes on when %s', async (_, edits, desired) => {
    expect(await mismatchAfter(edits, desired)).toBeNull();
  });

  /** Of what a saved plan can hold, what another person may change meanwhile: neither as it was, nor as it was approved to be. */
  test.each<[string, readonly Edit[], object, Desired?]>([
    [
      'a value',
      [['update_agent', { id: 'ann@example.com', max_chats_count: 7 }]],
      {
        effect: { effect: 'value', address: 'agent/ann@example.com', field: 'max_chats_count', value: 5 },
        before: 3,
        live: 7,
      },
    ],
    [
      'a value of an object that is only renamed',
      [update(SALES, { name: 'Sales of Bob' })],
      { effect: { effect: 'value', address: 'group/sales', field: 'name' }, before: 'Sales', live: 'Sales of Bob' },
    ],
    [
      'a membership',
      [update(SALES, { agent_priorities: { 'ann@example.com': 'normal', 'bob@example.com': 'last' } })],
      {
        effect: { effect: 'edge', ends: ['agent/bob@example.com', 'group/sales'], value: 'first' },
        before: null,
        live: 'last',
      },
    ],
    [
      'what is to go',
      [update(OLD, { name: 'Older' })],
      { effect: { effect: 'gone', address: 'group/old' }, field: 'name', before: 'Old', live: 'Older' },
    ],
    [
      'who is in what is to go',
      [update(OLD, { agent_priorities: { 'bob@example.com': 'normal', 'ann@example.com': 'first' } })],
      { effect: { effect: 'gone', address: 'group/old' }, field: 'agent_priorities' },
    ],
    [
      'an object that the plan was to make',
      [['create_agent', { id: 'ada@example.com', name: 'Ada', max_chats_count: 9 }]],
      { effect: { effect: 'value', address: 'agent/ada@example.com', field: 'max_chats_count', value: 4 }, live: 9 },
      withMore(AFTER, ['agent', 'ada@example.com', { name: 'Ada', max_chats_count: 4 }]),
    ],
  ])('does not go on after another person changed %s', async (_, edits, expected, desired) => {
    expect((await mismatchAfter(edits, desired))?.overtaken).toMatchObject([expected]);
  });

  describe('the rules, which have a meaning only among each other', () => {
    /** Three rules of nobody, behind those of the manifest. */
    async function withRules(edit: (ids: readonly string[]) => readonly Edit[], desired = AFTER) {
      const license = await begun(version);
      for (const value of ['/one', '/two', '/three']) await callByHand(license.emulator, ...added(value, 0));
      await license.clock.sleep(86_400_000);
      const approved = readSavedPlan((await saved(license, desired)).text, 'plan.json');
      const ids = approved.plan.live_order;
      for (const [action, body] of edit(ids.filter((each) => !each.includes('/'))))
        expect([action, await callByHand(license.emulator, action, body)]).toEqual([action, true]);
      await license.clock.sleep(86_400_000);
      const { planned, live, compared } = await license.settled(desired);
      if (planned.plan === null) throw new Error('no plan');
      const { plan } = planned;
      const current = { plan, effects: effectsOf(plan), manifest: manifestDigest(desired), read: readDigests(live) };
      return mismatchOf(approved, current, newRules(approved, current, compared, ASSUMED));
    }
    const CHATS = {
      ...BEFORE,
      resources: [BEFORE, AFTER].flatMap(({ resources }, at) =>
        resources.filter(({ kind }) => (kind === 'agent') === (at === 1)),
      ),
    };

    test.each<[string, (ids: readonly string[]) => readonly Edit[], object]>([
      [
        'changed',
        ([one]) => [['update_auto_access', { id: one ?? '', access: { groups: [SALES] } }]],
        { rules: [{ what: 'changed' }] },
      ],
      ['went', ([, two]) => [['delete_auto_access', { id: two ?? '' }]], { rules: [{ what: 'gone' }] }],
      [
        'moved',
        ([one, , three]) => [['update_auto_access', { id: three ?? '', next_id: one ?? '' }]],
        { overtaken: [{ effect: { effect: 'order' } }] },
      ],
    ])('an unmanaged one %s: named where the plan writes rules, and no matter elsewhere', async (_, edit, expected) => {
      expect(await withRules(edit)).toMatchObject(expected);
      expect(await withRules(edit, CHATS)).toBeNull();
    });

    test('none of them was touched', async () => {
      expect(await withRules(() => [])).toBeNull();
    });
  });

  test.each<[string, readonly Edit[], object, Desired?]>([
    [
      'somebody who joined',
      [update(SALES, { agent_priorities: { 'ann@example.com': 'normal', 'owner@example.com': 'last' } })],
      {
        unapproved: [
          { now: { effect: 'edge', ends: ['owner@example.com', 'group/sales'], value: null }, approved: [] },
        ],
      },
    ],
    [
      'an object by the name of one that is to be made',
      [['create_group', { name: 'Fresh', agent_priorities: { 'ann@example.com': 'normal' } }]],
      {
        unapproved: [{ now: { effect: 'ours', address: 'group/fresh' }, approved: [] }],
        since: expect.arrayContaining([{ object: 'group/3', address: 'group/fresh', what: 'appeared' }]),
      },
      FRESH,
    ],
    [
      'a group that was deleted',
      [['delete_group', { id: SALES }]],
      { since: expect.arrayContaining([{ object: `group/${SALES}`, address: 'group/sales', what: 'gone' }]) },
    ],
    [
      'a rule among those that move',
      [['add_auto_access', { access: { groups: [0] }, conditions: { url: { values: [{ value: '/x' }] } } }]],
      { unapproved: [{ now: { effect: 'order' }, approved: [{ effect: 'order' }] }] },
    ],
  ])('does not go on after %s', async (_, edits, mismatch, desired) => {
    expect(await mismatchAfter(edits, desired)).toMatchObject(mismatch);
  });

  test('does not go on for another wish, and names the manifest', async () => {
    const other = withMore(AFTER, [
      'group',
      'extra',
      { name: 'Extra', agent_priorities: { 'agent/ann@example.com': 'normal' } },
    ]);
    expect(await mismatchAfter([], AFTER, other)).toMatchObject({ manifest_changed: true, since: [] });
  });

  test('goes on for less', async () => {
    expect(await mismatchAfter([], ADA, AFTER)).toBeNull();
  });

  test('an approved delete is no approval to delete what has its address now', async () => {
    const license = await begun(version);
    const { text } = await saved(license, AFTER);
    const approved = readSavedPlan(text, 'plan.json');
    const effects = approved.effects.map((effect) => (effect.effect === 'gone' ? { ...effect, id: 77 } : effect));
    const { unapproved } = mismatchOf(approved, { ...approved, effects }) ?? {};
    expect(unapproved).toMatchObject([{ now: { effect: 'gone', id: 77 }, approved: [{ effect: 'gone', id: OLD }] }]);
  });

  test('an approved replacing is no approval of a delete', async () => {
    const license = await begun(version);
    const approved = readSavedPlan((await saved(license, AFTER)).text, 'plan.json');
    const renewed = approved.effects.find(({ effect }) => effect === 'renewed');
    const effects = [{ ...renewed, effect: 'gone' } as (typeof approved.effects)[number]];
    expect(mismatchOf(approved, { ...approved, effects })?.unapproved).toHaveLength(1);
  });

  test('an address that stands for another object stops it', async () => {
    const license = await begun(version);
    const approved = readSavedPlan((await saved(license, AFTER)).text, 'plan.json');
    const references = { ...approved.plan.references, 'group/sales': 99 };
    const mismatch = mismatchOf(approved, { ...approved, plan: { ...approved.plan, references } });
    expect(mismatch?.rebound).toEqual([{ address: 'group/sales', approved: SALES, now: 99 }]);
    expect(mismatchOf(approved, { ...approved, effects: [], plan: { ...approved.plan, references } })).toBeNull();
  });
});

test('Nothing is left to approve when all is done', async () => {
  const license = await begun('3.6');
  expect(effectsOf((await saved(license, BEFORE)).plan)).toEqual([]);
});

test('What a delete takes along is no value of its object', () => {
  const live = liveOf(object('bot_template', 'tpl-1', { name: 'Scout', owner_client_id: 'client-1' }));
  const ledger = ledgerOf({ 'bot_template/scout': 'tpl-1' });
  const plan = planOf(desiredOf([]), live, ledger, { pruneInstalledBots: true });
  expect(plan.steps.map(({ operation, fields }) => [operation, fields])).toEqual([
    ['delete', { affect_existing_installations: true, owner_client_id: 'client-1' }],
  ]);
  expect(effectsOf(plan)).toEqual([{ effect: 'gone', address: 'bot_template/scout', id: 'tpl-1' }]);
});

/** Plans of a few effects and values, which no license has to make. */
describe('Effect by effect', () => {
  type Parts = Partial<Pick<SavedPlan, 'effects' | 'manifest' | 'read'>> & { readonly plan?: Partial<Plan> };
  const EMPTY = planOf(desiredOf([]), liveOf());
  const made = ({ plan, ...parts }: Parts): SavedPlan =>
    ({ effects: [], manifest: 'a', read: {}, ...parts, plan: { ...EMPTY, ...plan } }) as unknown as SavedPlan;
  const mismatch = (approved: Parts, now: Parts, appeared?: NewRules) =>
    mismatchOf(made(approved), made(now), appeared);

  const value = (id: string | number | null, is: Json, field = 'name') =>
    ({ effect: 'value', address: 'group/sales', id, field, value: is }) as const;
  const edge = (ends: readonly [string, string], priority: string | null) =>
    ({ effect: 'edge', ends, value: priority }) as const;
  const order = (...rules: readonly string[]) => ({ effect: 'order', type: 'auto_access', order: rules }) as const;
  const is = (effect: 'there' | 'gone' | 'renewed' | 'ours', address: Address, id: string | number | null) =>
    ({ effect, address, id }) as const;
  const renamed = (from: Address, to: Address) => ({ effect: 'renamed', from, to }) as const;
  const ENDS = ['agent/ann', 'group/sales'] as const;

  test.each<[string, Effect, Effect]>([
    ['the same value', value(7, 'Sales'), value(7, 'Sales')],
    ['a value of an object that was to be made', value(7, 'Sales'), value(null, 'Sales')],
    ['the same membership', edge(ENDS, 'first'), edge(ENDS, 'first')],
    ['the same order', order('a', 'b'), order('a', 'b')],
    ['an order without rules that are gone', order('a', 'c'), order('a', 'b', 'c')],
    ['the same delete', is('gone', 'group/sales', 7), is('gone', 'group/sales', 7)],
    ['an adoption of what was to be made', is('ours', 'group/sales', 7), is('ours', 'group/sales', null)],
    ['the same rename', renamed('group/a', 'group/b'), renamed('group/a', 'group/b')],
    ['the old object of a replacement', is('gone', 'webhook/id/w1', 'w1'), is('renewed', 'webhook/chats', 'w1')],
    ['a second replacement', is('renewed', 'webhook/chats', 'w2'), is('renewed', 'webhook/chats', 'w1')],
    ['a replacement of what was made', is('renewed', 'webhook/chats', 'w2'), is('there', 'webhook/chats', null)],
  ])('Approved: %s', (_, now, approved) => {
    expect(mismatch({ effects: [approved, is('gone', 'tag/old', 'old')] }, { effects: [now] })).toBeNull();
  });

  test.each<[string, Effect, Effect, boolean]>([
    ['another value', value(7, 'Shop'), value(7, 'Sales'), true],
    ['the value of another object', value(8, 'Sales'), value(7, 'Sales'), true],
    ['a value of a new object in the place of one that was there', value(null, 'Sales'), value(7, 'Sales'), true],
    ['another field', value(7, 'pl', 'language_code'), value(7, 'pl'), false],
    ['another priority', edge(ENDS, 'last'), edge(ENDS, 'first'), true],
    ['another member', edge(['agent/bob', 'group/sales'], 'first'), edge(ENDS, 'first'), false],
    ['rules the other way round', order('b', 'a'), order('a', 'b'), true],
    ['a rule more', order('a', 'b', 'c'), order('a', 'b'), true],
    ['another rule', order('x'), order('a', 'b'), true],
    ['a delete of what was to be made', is('gone', 'group/sales', 7), is('there', 'group/sales', 7), true],
    ['a delete of what was to be adopted', is('gone', 'group/sales', 7), is('ours', 'group/sales', 7), false],
    ['another name', renamed('group/a', 'group/c'), renamed('group/a', 'group/b'), true],
    ['a rename of another object', renamed('group/x', 'group/b'), renamed('group/a', 'group/b'), false],
    ['another old object', is('gone', 'webhook/id/w2', 'w2'), is('renewed', 'webhook/chats', 'w1'), false],
    ['an old object of another kind', is('gone', 'webhook/id/w1', 'w1'), is('renewed', 'bot/chats', 'w1'), false],
    [
      'a delete where another was approved',
      is('gone', 'webhook/id/w1', 'w1'),
      is('gone', 'webhook/chats', 'w1'),
      false,
    ],
    ['a replacement that loses data', is('renewed', 'property/a/b', 'a/b'), is('there', 'property/a/b', null), true],
    ['a replacement of another one', is('renewed', 'webhook/other', 'w2'), is('there', 'webhook/chats', null), false],
    [
      'a delete of a webhook that was to be made',
      is('gone', 'webhook/chats', 'w2'),
      is('there', 'webhook/chats', null),
      true,
    ],
  ])('Not approved: %s', (_, now, approved, isAboutTheSame) => {
    expect(mismatch({ effects: [approved] }, { effects: [now] })).toEqual({
      unapproved: [{ now, live: null, approved: isAboutTheSame ? [approved] : [] }],
      rebound: [],
      overtaken: [],
      rules: [],
      since: [],
      manifest_changed: false,
    });
  });

  test('A value that was not approved is told with the one on the license, where the object is there', () => {
    const change = (before: object | null, field: string) =>
      ({
        address: 'group/sales',
        change: { before },
        fields: [{ field, before: 'Shop', reach: 'unreachable' }],
      }) as const;
    const liveOfValue = (...changes: readonly object[]) =>
      mismatch({}, { effects: [value(7, 'Sales')], plan: { resource_changes: changes as never } })?.unapproved[0]?.live;
    expect(liveOfValue(change({ name: 'Shop' }, 'name'))).toEqual({ value: 'Shop' });
    expect(liveOfValue(change(null, 'name'))).toBeNull();
    expect(liveOfValue(change({ name: 'Shop' }, 'language_code'))).toBeNull();
    expect(liveOfValue({ ...change({ name: 'Shop' }, 'name'), address: 'group/other' })).toBeNull();
  });

  test('New rules have a place in an approved order only where they route no visitor otherwise', () => {
    const [harmless, harmful] = [true, false].map((areHarmless) => ({ rules: new Set(['r9']), areHarmless }));
    const approved = { effects: [order('a', 'b')] };
    const moved = { effects: [order('a', 'r9', 'b')] };
    expect(mismatch(approved, moved, harmless)).toBeNull();
    expect(mismatch(approved, moved, harmful)?.unapproved).toMatchObject([{ now: order('a', 'r9', 'b') }]);
    const routing = { way: 'safe', rerouted: [], exposed: [], longer: null };
    const still = { plan: { live_order: ['a', 'r9'], routing: routing as never } };
    expect(mismatch({ plan: still.plan }, still, harmful)?.unapproved).toEqual([
      { now: order('a', 'r9'), live: null, approved: [] },
    ]);
    expect(mismatch({ plan: still.plan }, still, harmless)).toBeNull();
    expect(mismatch({}, { plan: { live_order: ['a', 'r9'] } }, harmful)).toBeNull();
  });

  describe('A new rule behind one that takes all visitors is harmless', () => {
    const rule = (url: string) => ({
      description: 'x',
      access: { groups: [7] },
      conditions: { url: { values: [{ value: url }] } },
    });
    const live = liveOf(
      object('group', 7, { name: 'Sales' }),
      object('auto_access', 'r1', rule('/')),
      object('auto_access', 'r9', rule('/new')),
    );
    const compared = compare({ desired: desiredOf([]), live, ledger: ledgerOf({}), options: EVERYTHING });
    const visitor = (writes: number) => ({ url: '/', writes });
    const routing = (way: string, ...exposed: readonly object[]) => ({ way, exposed, rerouted: [], longer: null });
    const [BEFORE_IT, WITH_IT] = [['r1'], ['r1', 'r9']];
    const planned = (rules: readonly string[], how: object | null, more: Parts = {}) =>
      made({ ...more, plan: { live_order: rules, routing: how as never } });
    const isHarmless = (approved: SavedPlan, now: SavedPlan) => {
      const { rules, areHarmless } = newRules(approved, now, compared, ASSUMED);
      expect([...rules]).toEqual(['r9']);
      return areHarmless;
    };

    test.each<[string, object | null, object | null, boolean]>([
      ['where no rule is written', null, null, true],
      ['where the rules are written safely', null, routing('safe'), true],
      [
        'where as many visitors are exposed as was approved',
        routing('exposed', visitor(1)),
        routing('exposed', visitor(1)),
        true,
      ],
      ['but not where other ones are', routing('exposed', visitor(1)), routing('exposed', visitor(2)), false],
      ['but not where some are and none was approved', routing('safe'), routing('exposed', visitor(1)), false],
      ['but not where no rule was to be written', null, routing('exposed', visitor(1)), false],
      ['but not where it is unknown by now', routing('exposed'), routing('unknown'), false],
    ])('%s', (_, approved, now, expected) => {
      expect(isHarmless(planned(BEFORE_IT, approved), planned(WITH_IT, now))).toBe(expected);
    });

    test('where all other rules are as they were, whatever else changed', () => {
      const read = (ofRule: string, ofAgent: string) => ({ 'auto_access/r1': ofRule, 'agent/ann': ofAgent });
      const approved = planned(BEFORE_IT, null, { read: read('a', 'a') });
      expect(isHarmless(approved, planned(WITH_IT, null, { read: read('a', 'b') }))).toBe(true);
      expect(isHarmless(approved, planned(WITH_IT, null, { read: read('b', 'a') }))).toBe(false);
    });

    test('where the plan only deletes another rule', () => {
      const effects = [is('gone', 'auto_access/old', 'r0')];
      const [approved, now] = [BEFORE_IT, WITH_IT].map((rules) =>
        planned(['auto_access/old', ...rules], null, { effects }),
      );
      expect(approved !== undefined && now !== undefined && isHarmless(approved, now)).toBe(true);
      const gone = planned(WITH_IT, null, { effects });
      expect(approved !== undefined && isHarmless(approved, gone)).toBe(true);
    });
  });

  test('An order that another person changed is told with the one that is written', () => {
    const routing = { way: 'safe', rerouted: [], exposed: [], longer: null } as never;
    const rules = (live_order: readonly string[], effects: readonly Effect[] = []) =>
      made({ effects, plan: { live_order, routing } });
    const taken = (approved: SavedPlan, now: SavedPlan) => overtaken(approved, now);
    const said = { field: null, before: ['a', 'b'], live: ['b', 'a'] };
    expect(taken(rules(['a', 'b']), rules(['b', 'a'], [order('b', 'a', 'c')]))).toEqual([
      { effect: order('b', 'a', 'c'), ...said },
    ]);
    expect(taken(rules(['a', 'b'], [order('c', 'a', 'b')]), rules(['b', 'a']))).toEqual([
      { effect: order('c', 'a', 'b'), ...said },
    ]);
    expect(taken(rules(['a', 'b'], [value(7, 'Sales')]), rules(['b', 'a']))).toEqual([
      { effect: order('a', 'b'), ...said },
    ]);
    expect(taken(rules(['a', 'b']), rules(['a', 'x']))).toEqual([]);
    expect(taken(rules(['a', 'b']), made({ plan: { live_order: ['b', 'a'] } }))).toEqual([]);
  });

  test('Of what nothing declares, only rules that the approver saw matter where rules are written', () => {
    const routing = { way: 'safe', rerouted: [], exposed: [], longer: null } as never;
    const unmanaged = [
      { type: 'group', id: 7, name: 'Walk-ins' },
      { type: 'auto_access', id: 'r1', name: 'a' },
      { type: 'auto_access', id: 'r2', name: 'b' },
      { type: 'auto_access', id: 'r3', name: 'c' },
    ] as never;
    const approved = made({
      plan: { unmanaged },
      read: { 'group/7': 'a', 'auto_access/r1': 'a', 'auto_access/r2': 'a', 'auto_access/r3': 'a' },
    });
    const read = { 'group/7': 'b', 'auto_access/r1': 'b', 'auto_access/r3': 'a' };
    expect(overtakenRules(approved, made({ plan: { routing }, read }))).toEqual([
      { id: 'r1', name: 'a', what: 'changed' },
      { id: 'r2', name: 'b', what: 'gone' },
    ]);
    expect(overtakenRules(approved, made({ read }))).toEqual([]);
  });

  test('An address that means another object stops a plan, unless the plan made it again', () => {
    const [effects, other] = [[value(7, 'Sales')], [is('renewed', 'group/sales', 7)]];
    const references = (id: number) => ({ references: { 'group/sales': id } });
    const rebound = (approved: Parts, now: Parts) => mismatch(approved, now)?.rebound ?? [];
    expect(rebound({ effects, plan: references(7) }, { effects, plan: references(8) })).toEqual([
      { address: 'group/sales', approved: 7, now: 8 },
    ]);
    expect(rebound({ effects, plan: references(7) }, { effects, plan: references(7) })).toEqual([]);
    expect(rebound({ effects }, { effects, plan: references(8) })).toEqual([]);
    expect(rebound({ effects, plan: references(7) }, { plan: references(8) })).toEqual([]);
    expect(rebound({ effects: other, plan: references(7) }, { effects, plan: references(8) })).toEqual([]);
    expect(rebound({ effects: other, plan: references(6) }, { effects, plan: references(8) })).toHaveLength(1);
  });

  test('A mismatch tells what changed meanwhile, in the order of names', () => {
    const read = { 'group/2': 'a', 'group/1': 'a', 'group/4': 'a' };
    const plan = { references: { 'group/old': 1, 'group/sales': 2 } };
    const now = {
      effects: [value(2, 'Sales')],
      read: { 'group/3': 'a', 'group/2': 'b', 'group/4': 'a' },
      manifest: 'b',
    };
    expect(mismatch({ read, plan }, now)).toMatchObject({
      since: [
        { object: 'group/1', address: 'group/old', what: 'gone' },
        { object: 'group/2', address: 'group/sales', what: 'changed' },
        { object: 'group/3', address: null, what: 'appeared' },
      ],
      manifest_changed: true,
    });
  });

  describe('what another person changed', () => {
    type Field = Partial<FieldChange> & Pick<FieldChange, 'field'>;
    const changed = (
      address: Address,
      fields: readonly Field[],
      before: JsonObject | null = {},
      actions = ['update'],
    ) => ({
      address,
      type: kindOf(address),
      id: 7,
      change: { actions, before, after: {} },
      fields: fields.map((field) => ({ before: null, after: null, reach: 'write', reason: null, ...field })),
    });
    const taken = (approved: Parts, ...changes: readonly object[]) =>
      overtaken(made(approved), made({ plan: { resource_changes: changes as never } })).map(
        ({ field, before, live }) => ({ field, before, live }),
      );
    const saw = (...changes: readonly object[]): Parts => ({ plan: { resource_changes: changes as never } });
    const chats = (before: Json, more: Partial<FieldChange> = {}) =>
      changed('agent/ann', [{ field: 'max_chats_count', before, after: 5, ...more }]);

    test('A value is neither as the approver saw it nor as it is to be', () => {
      expect(taken(saw(chats(3)), chats(7))).toEqual([{ field: null, before: 3, live: 7 }]);
      expect(taken(saw(chats(3)), chats(3))).toEqual([]);
      expect(taken(saw(chats(3)), chats(5))).toEqual([]);
      expect(taken(saw(), chats(7))).toEqual([]);
      expect(taken(saw(chats(3)), chats(7, { reach: 'unreachable' }))).toEqual([]);
      const unchanged = changed('agent/ann', [], { max_chats_count: 5 });
      expect(taken(saw(unchanged), chats(7))).toEqual([{ field: null, before: 5, live: 7 }]);
      expect(taken(saw(unchanged), chats(5, { after: 9 }))).toEqual([]);
    });

    test('A value that was not set yet is no change where the plan makes the object, or one that it hangs on', () => {
      const there = (address: Address): Parts => ({ ...saw(chats(3)), effects: [is('there', address, null)] });
      expect(taken(there('agent/ann'), chats(null))).toEqual([]);
      expect(taken(there('agent/ann'), chats(8))).toHaveLength(1);
      expect(taken(there('agent/bob'), chats(null))).toHaveLength(1);
      const tier = (before: Json) =>
        changed('group_property/sales/app/tier', [{ field: 'value', before, after: 'gold' }]);
      expect(taken({ ...saw(tier('old')), effects: [is('renewed', 'group/sales', 7)] }, tier(null))).toEqual([]);
      expect(taken({ ...saw(tier('old')), effects: [is('gone', 'group/sales', 7)] }, tier(null))).toHaveLength(1);
    });

    test('A membership is compared at either end', () => {
      const group = (before: Json, after: Json) =>
        changed('group/sales', [{ field: 'agent_priorities', before, after }]);
      const agent = (before: Json, after: Json) => changed('agent/ann', [{ field: 'groups', before, after }]);
      const approved = saw(group({ 'agent/ann': 'last' }, { 'agent/ann': 'first' }), agent({}, {}));
      const became = (live: string) => group({ 'agent/ann': live }, { 'agent/ann': 'first' });
      expect(taken(approved, became('normal'))).toEqual([{ field: null, before: 'last', live: 'normal' }]);
      expect(taken(approved, became('last'))).toEqual([]);
      expect(taken(approved, group({}, { 'agent/ann': 'first' }))).toEqual([]);
      expect(taken(approved, group({ 'agent/bob': 'normal' }, {}))).toEqual([]);
      expect(taken(approved, agent({ 'group/sales': 'normal' }, { 'group/sales': 'first' }))).toEqual([
        { field: null, before: 'last', live: 'normal' },
      ]);
    });

    test('What goes is as the approver saw it, but for what goes with it', () => {
      const gone = (before: JsonObject) => changed('group/old', [], before, ['delete']);
      expect(taken(saw(gone({ name: 'Old' })), gone({ name: 'Older' }))).toEqual([
        { field: 'name', before: 'Old', live: 'Older' },
      ]);
      expect(taken(saw(gone({ name: 'Old' })), gone({ name: 'Old', language_code: 'pl' }))).toEqual([]);
      const members = (...names: readonly string[]) => ({
        agent_priorities: Object.fromEntries(names.map((name) => [`agent/${name}`, 'first'])),
      });
      const both = saw(gone(members('ann', 'bob')));
      expect(taken(both, gone(members('ann')))).toHaveLength(1);
      expect(taken({ ...both, effects: [is('gone', 'agent/bob', 'bob')] }, gone(members('ann')))).toEqual([]);
      const leaves = changed('agent/bob', [{ field: 'groups', before: { 'group/old': 'first' }, after: {} }]);
      expect(taken(saw(gone(members('ann', 'bob')), leaves), gone(members('ann')))).toEqual([]);
      const again = (before: JsonObject) => changed('group/old', [], before, ['delete', 'create']);
      expect(taken(saw(again({ name: 'Old' })), again({ name: 'Older' }))).toEqual([]);
    });
  });

  test('The vetoes that an approver let go are those that stand again without the acknowledgement', () => {
    const ids = { 'group/a': 1, 'group/b': 2, 'group/c': 3, 'group/d': 4 };
    const live = liveOf(...Object.values(ids).map((id) => object('group', id, { name: `Group ${id}` })));
    const desired = desiredOf([3, 4].map((id) => declare('group', id === 3 ? 'c' : 'd', { name: `Group ${id}` })));
    const letGoBy = (...acknowledged: readonly string[]) => {
      const options = { ...EVERYTHING, maxDeletes: 1, acknowledged: new Set(acknowledged) };
      return letGo(compare({ desired, live, ledger: ledgerOf(ids), options }), options, new Set());
    };
    const addresses = ['group/a', 'group/b'];
    expect(letGoBy('deletes')).toEqual([
      { guard: 'max_deletes', addresses },
      { guard: 'most-of-kind', addresses },
    ]);
    expect(letGoBy()).toEqual([]);
  });

  test('A veto is covered only where the approver saw it about the same address', () => {
    const veto = (...addresses: readonly Address[]): Veto => ({ guard: 'max_deletes', addresses });
    expect(isCovered([veto('group/a')], [veto('group/a', 'group/b')])).toBe(true);
    expect(isCovered([veto('group/a', 'group/c')], [veto('group/a')])).toBe(false);
    expect(isCovered([veto('group/a')], [{ ...veto('group/a'), guard: 'adopted' }])).toBe(false);
    expect(isCovered([], [])).toBe(true);
  });
});
