// What was approved against a plan of now, after somebody was at the license: what goes on, what does not, and what is said of it.

import { describe, expect, test } from 'vitest';
import type { Desired, JsonObject } from '../../../src/base/model.ts';
import { manifestDigest, readDigests } from '../../../src/plan/saved/digests.ts';
import { effectsOf } from '../../../src/plan/saved/effects.ts';
import { type Mismatch, mismatchOf } from '../../../src/plan/saved/match.ts';
import { newRules } from '../../../src/plan/saved/new-rules.ts';
import { readSavedPlan } from '../../../src/plan/saved/text.ts';
import { ASSUMED } from '../../../src/routing/rules.ts';
import { declare, desiredOf } from '../../desired.ts';
import { callByHand } from '../../laws/edits.ts';
import { TRIED_VERSIONS } from '../../tries.ts';
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
