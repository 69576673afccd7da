// Which declared resource is which live object.

import { describe, expect, it } from 'vitest';
import type { Address, Binding } from '../../../src/base/model.ts';
import { bind } from '../../../src/plan/binding/bind.ts';
import { resolver } from '../../../src/plan/binding/claims.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf, stepsOf } from '../license.ts';

describe('bind', () => {
  it('A person who is looked up by an id that is between those of two accounts has to be told apart', () => {
    const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
    const [id, address] = ['ANN@example.com', 'agent/ANN@example.com'] as const;
    const desired = desiredOf([], [{ address, kind: 'agent', id, name: null, place }]);
    const accounts = ['Ann@example.com', 'ann@example.com'].map((each) => object('agent', each, { name: 'Ann' }));
    expect(bind(desired, liveOf(...accounts), new Map(), () => null).problems).toMatchObject([
      {
        code: 'ambiguous-match',
        message: '2 live agents are `ANN@example.com`: Ann@example.com (Ann), ann@example.com (Ann)',
        remedy: 'write the `id` as the license writes one of them',
      },
    ]);
  });

  it('A person who is looked up by the id of one of two accounts is that one', () => {
    const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
    const [id, address] = ['ann@example.com', 'agent/ann@example.com'] as const;
    const desired = desiredOf([], [{ address, kind: 'agent', id, name: null, place }]);
    const accounts = ['Ann@example.com', 'ann@example.com'].map((each) => object('agent', each, { name: 'Ann' }));
    const { ids, problems } = bind(desired, liveOf(...accounts), new Map(), () => null);
    expect([...ids, ...problems]).toEqual([['agent/ann@example.com', 'ann@example.com']]);
  });

  it('A person in other capitals is referred to by the account, unless there are two', () => {
    const live = liveOf(
      ...['Ann@example.com', 'ann@example.com', 'bob@example.com', 'cid@example.com'].map((id) =>
        object('agent', id, { name: 'A' }),
      ),
    );
    const desired = desiredOf(['ann@example.com', 'Cid@example.com'].map((key) => declare('agent', key, {})));
    const { referenceTo } = bind(desired, live, new Map(), () => null);
    const ids = ['ANN@example.com', 'ann@example.com', 'BOB@example.com', 'CID@example.com'];
    expect(ids.map((id) => referenceTo('agent', id))).toEqual([
      'ANN@example.com',
      'agent/ann@example.com',
      'bob@example.com',
      'agent/Cid@example.com',
    ]);
  });

  it('Two declarations of one object are an error that names both', () => {
    const desired = desiredOf([
      declare('group', 'sales', { name: 'A' }, 7),
      declare('group', 'trade', { name: 'B' }, 7),
    ]);
    const live = liveOf(object('group', 7, { name: 'Sales' }));
    expect(bind(desired, live, new Map(), () => null).problems).toMatchObject([
      {
        code: 'ambiguous-match',
        place: { line: 2 },
        message: 'group/trade and group/sales are both group 7',
        remedy: 'remove one of the two declarations, or give them different `id:`s',
      },
    ]);
    const twice = desiredOf(
      ['ANN@example.com', 'ann@example.com'].map((key) => declare('agent', key, { name: 'Ann' })),
    );
    const ann = liveOf(object('agent', 'ann@example.com', { name: 'Ann' }));
    expect(bind(twice, ann, new Map(), () => null).problems.map(({ message }) => message)).toEqual([
      'agent/ann@example.com and agent/ANN@example.com are both agent ann@example.com',
    ]);
  });

  it('What the ledger owns is known whatever its name is by now, and so is who made it', () => {
    const desired = desiredOf(['made', 'found'].map((key) => declare('group', key, { name: key })));
    const live = liveOf(object('group', 7, { name: 'Sales' }), object('group', 8, { name: 'made' }));
    const ledger = new Map<Address, Binding>([
      ['group/made', { id: 7, origin: 'created' }],
      ['group/found', { id: 8, origin: 'adopted' }],
    ]);
    const { bound } = bind(desired, live, ledger, () => null);
    expect([...bound.values()].map(({ resource, object: own, made }) => [resource.key, own?.id, made])).toEqual([
      ['found', 8, false],
      ['made', 7, true],
    ]);
  });

  it('A new key of an owned object is a rename, and adopts nothing', () => {
    const live = liveOf(object('group', 7, { name: 'Sales' }));
    const plan = planOf(
      desiredOf([declare('group', 'trade', { name: 'Sales' })]),
      live,
      ledgerOf({ 'group/sales': 7 }),
    );
    expect(plan.bindings).toMatchObject({ move: [{ from: 'group/sales', to: 'group/trade' }], adopt: [] });
  });

  it('A webhook that was made again is the new one, although its `id:` is the old one', () => {
    const spec = { owner_client_id: 'app', action: 'incoming_chat', type: 'license', url: 'https://example.com/a' };
    const live = { ...liveOf(), objects: { webhook: [object('webhook', 'w2', spec)] } };
    const desired = desiredOf([declare('webhook', 'chats', spec, 'w1')]);
    const { ids, problems } = bind(desired, live, ledgerOf({ 'webhook/chats': 'w2' }).bindings, () => null);
    expect([...ids, ...problems]).toEqual([['webhook/chats', 'w2']]);
    expect(bind(desired, live, new Map(), () => null).problems.map(({ message }) => message)).toEqual([
      'there is no webhook with id w1 on the license',
    ]);
  });

  it('Of several objects in the place of one that is gone, the error says so', () => {
    const desired = desiredOf([declare('group', 'sales', { name: 'Sales' })]);
    const live = liveOf(object('group', 8, { name: 'Sales' }), object('group', 9, { name: 'Sales' }));
    const { bindings } = ledgerOf({ 'group/sales': 7 });
    expect(bind(desired, live, bindings, () => null).problems.map(({ message }) => message)).toEqual([
      'group/sales was group 7, which is gone, and could be any of 2 live groups: 8 (Sales), 9 (Sales)',
    ]);
  });

  it('A bot that a template made is not adopted, and the second of two equal declarations adopts nothing', () => {
    const made = object('bot', 'b1', { name: 'Scout' }, { derived: true });
    const scout = desiredOf([declare('bot', 'scout', { name: 'Scout' })]);
    expect(bind(scout, liveOf(made), new Map(), () => null).ids.size).toBe(0);
    const both = desiredOf(['a', 'b'].map((key) => declare('bot', key, { name: 'Scout' })));
    const { ids, problems } = bind(both, liveOf(object('bot', 'b2', { name: 'Scout' })), new Map(), () => null);
    expect([...ids, ...problems]).toEqual([['bot/a', 'b2']]);
  });

  it('Another spelling of a tag is in the way of a new tag that may be made, and of nothing else', () => {
    const groups = ['vip', '7'].map((key) => declare('group', key, { name: key }));
    const desired = desiredOf([declare('tag', 'sales', {}), ...groups]);
    const tags = ['Sales', 'VIP', 'null'].map((name) => object('tag', name, { name }));
    const live = { ...liveOf(), objects: { tag: tags, group: [object('group', 7, { name: 'Seven' })] } };
    const { inTheWay } = bind(
      desired,
      live,
      new Map(),
      () => null,
      () => true,
    );
    expect([...inTheWay].map(([{ id }, address]) => [id, address])).toEqual([['Sales', 'tag/sales']]);
    expect(bind(desired, live, new Map(), () => null).inTheWay.size).toBe(0);
  });

  it('An owned object that is not declared stays where its kind says so, unless chatform made it', () => {
    const text = object('bot', 'b1', { name: 'Guide' }, { spared: 'it is someone else’s' });
    const owned = (origin: Binding['origin']) => new Map([['bot/guide', { id: 'b1', origin }]] as const);
    const keptOf = (origin: Binding['origin']) => [
      ...bind(desiredOf([]), liveOf(text), owned(origin), () => null).keptBecause.values(),
    ];
    expect(keptOf('adopted')).toEqual(['it is someone else’s']);
    expect(keptOf('created')).toEqual([]);
    const plain = liveOf(object('bot', 'b1', { name: 'Guide' }));
    expect(bind(desiredOf([]), plain, owned('adopted'), () => null).keptBecause.size).toBe(0);
  });

  it('An object that is named by its `id:` is adopted once, and listed until it is recorded what was applied', () => {
    const desired = desiredOf([declare('group', 'sales', { name: 'Sales' }, 7)]);
    const live = liveOf(object('group', 7, { name: 'Sales' }));
    expect(planOf(desired, live).bindings.adopt).toEqual([{ address: 'group/sales', id: 7 }]);
    const again = planOf(desired, live, ledgerOf({ 'group/sales': 7 }));
    expect(again.bindings.adopt).toEqual([]);
    expect(again.resource_changes.map(({ change }) => change.actions)).toEqual([['no-op']]);
    const known = ledgerOf({ 'group/sales': 7 }, { 'group/sales': { spec: { name: 'Sales' } } });
    expect(planOf(desired, live, known).resource_changes).toEqual([]);
  });

  it('An `id:` beats the ledger, and the address is bound anew', () => {
    const desired = desiredOf([declare('group', 'sales', { name: 'Sales' }, 8)]);
    const live = liveOf(object('group', 7, { name: 'Sales' }), object('group', 8, { name: 'Trade' }));
    const plan = planOf(desired, live, ledgerOf({ 'group/sales': 7 }));
    expect(plan.bindings.adopt).toEqual([{ address: 'group/sales', id: 8 }]);
    expect(plan.steps.map(({ object: id }) => id)).toEqual([8]);
  });

  it('An agent whose `id:` was changed is not taken for the one that the ledger knows', () => {
    const desired = desiredOf([declare('agent', 'ann', { name: 'Ann' }, 'new@example.com')]);
    const live = liveOf(object('agent', 'old@example.com', { name: 'Ann' }));
    const plan = planOf(desired, live, ledgerOf({ 'agent/ann': 'old@example.com' }));
    expect(stepsOf(plan)).toEqual({ 'create agent/ann': { name: 'Ann' } });
    expect(plan.steps[0]?.chosen_id).toBe('new@example.com');
  });

  it('A value of a group that is bound to another object belongs to that object', () => {
    const desired = desiredOf([
      declare('group', 'sales', { name: 'Sales' }, 8),
      declare('group_property', 'sales/client/tier', { value: 'gold' }),
    ]);
    const live = liveOf(
      object('group', 7, { name: 'Sales' }),
      object('group', 8, { name: 'Sales' }),
      object('group_property', '7/client/tier', { value: 'gold' }),
    );
    const ledger = ledgerOf({ 'group/sales': 7, 'group_property/sales/client/tier': '7/client/tier' });
    expect(stepsOf(planOf(desired, live, ledger))).toEqual({
      'create group_property/sales/client/tier': { value: 'gold' },
    });
  });

  it('Of a kind that was not read, the ledger, the `id:` and keys that are ids by themselves are believed, and nothing else', () => {
    const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
    const desired = desiredOf(
      [
        declare('agent', 'ann@example.com', { name: 'Ann' }),
        declare('group', 'known', { name: 'Known' }),
        declare('group', 'told', { name: 'Told' }, 8),
        declare('group', 'new', { name: 'New' }),
      ],
      [
        { address: 'group/there', kind: 'group', id: 9, name: null, place },
        { address: 'group/once', kind: 'group', id: null, name: 'Once', place },
        { address: 'group/never', kind: 'group', id: null, name: 'Never', place },
      ],
    );
    const plan = planOf(desired, { ...liveOf(), objects: {} }, ledgerOf({ 'group/known': 7, 'group/once': 10 }));
    expect(plan.steps).toEqual([]);
    expect(plan.references).toEqual({
      'agent/ann@example.com': 'ann@example.com',
      'group/known': 7,
      'group/told': 8,
      'group/there': 9,
      'group/once': 10,
    });
  });

  it('An id with a slash in it is no address unless a kind stands before the slash', () => {
    const resolve = resolver(new Map([['group/sales', 7]]));
    expect(['group/sales', 'group/shop'].map(resolve)).toEqual([7, null]);
    const ids = ['constructor/ann@example.com', '__proto__/x', 'guild/ann@example.com', '/ann@example.com', '7'];
    expect(ids.map(resolve)).toEqual(ids);
  });
});
