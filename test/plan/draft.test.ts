// What should happen to each declared resource and to each object that nothing declares any more.

import { describe, expect, it } from 'vitest';
import type { Address, KindName, LedgerState, Live, LiveObject } from '../../src/base/model.ts';
import { makePlan } from '../../src/plan/assemble.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { declare, desiredOf } from '../desired.ts';
import { EVERYTHING } from '../world.ts';
import { ledgerOf, liveOf, object, planOf, stepsOf } from './license.ts';

const ACCESS = { license: { agent: ['read', 'write'] } };

describe('prune', () => {
  it('A published property that is no longer declared is released, because nothing can remove it', () => {
    const live = liveOf(object('property', 'client/tier', { type: 'string', access: ACCESS, publish: ['read'] }));
    const plan = planOf(desiredOf([]), live, ledgerOf({ 'property/client/tier': 'client/tier' }));
    expect(plan.steps).toEqual([]);
    expect(plan.unmanaged).toMatchObject([{ id: 'client/tier', released: 'property/client/tier' }]);
  });

  it('A private property that is no longer declared is removed', () => {
    const live = liveOf(object('property', 'client/tier', { type: 'string', access: ACCESS, publish: [] }));
    const plan = planOf(desiredOf([]), live, ledgerOf({ 'property/client/tier': 'client/tier' }));
    expect(stepsOf(plan)).toEqual({ 'delete property/client/tier': {} });
  });

  it.each<readonly [string, KindName, Address, readonly string[]]>([
    ['The old object of a replacement that was cut off goes', 'webhook', 'webhook/id/7', ['delete webhook/id/7']],
    ['An object that was declared under that address stays', 'group', 'group/id/7', []],
    ['An object under its own address stays', 'webhook', 'webhook/ended', []],
  ])('%s, although its kind is kept', (_, kind, address, steps) => {
    const spec = {
      name: 'Old',
      owner_client_id: 'shop',
      type: 'license',
      action: 'chat_deactivated',
      url: 'https://h',
    };
    const old = withMore(kind, object(kind, 7, spec));
    const plan = planOf(desiredOf([]), old, ledgerOf({ [address]: 7 }), { prune: { [kind]: 'none' } });
    expect(Object.keys(stepsOf(plan))).toEqual(steps);
    expect(plan.unmanaged.map(({ released }) => released)).toEqual(steps.length === 0 ? [address] : []);
  });

  it.each([
    [
      'says so where it takes its bots with it',
      true,
      { owner_client_id: 'client', affect_existing_installations: true },
    ],
    ['names its client alone where they stay', false, { owner_client_id: 'client' }],
  ])('The delete of a template %s', (_, pruneInstalledBots, fields) => {
    const live = liveOf(object('bot_template', 't1', { name: 'Scout', owner_client_id: 'client' }));
    const plan = planOf(desiredOf([]), live, ledgerOf({ 'bot_template/scout': 't1' }), { pruneInstalledBots });
    expect(stepsOf(plan)).toEqual({ 'delete bot_template/scout': fields });
  });
});

describe('protect', () => {
  it.each(['group/sales', 'group/7', 'group/Sales and more'])(
    'An object that is no longer declared stays as %s',
    (name) => {
      const live = liveOf(object('group', 7, { name: 'Sales and more' }));
      const protects = (address: string) => address === name;
      const plan = planOf(desiredOf([]), live, ledgerOf({ 'group/sales': 7 }), { protects });
      expect(plan.steps).toEqual([]);
      expect(plan.unmanaged).toMatchObject([{ released: 'group/sales', reason: '`protect:` covers it' }]);
    },
  );
});

describe('fields that no request can write', () => {
  it('A field that this version never takes is unreachable on a new object too', () => {
    const desired = desiredOf([
      declare('agent', 'ann@example.com', { name: 'Ann', avatar_path: 'https://x.example/a' }),
    ]);
    const plan = planOf(desired, liveOf());
    expect(stepsOf(plan)).toEqual({ 'create agent/ann@example.com': { name: 'Ann' } });
    expect(plan.resource_changes[0]?.fields).toContainEqual(
      expect.objectContaining({
        field: 'avatar_path',
        reach: 'unreachable',
        reason: expect.stringContaining('no way to set it'),
      }),
    );
    expect(plan.notes).toMatchObject([
      { address: 'agent/ann@example.com', kind: 'unreachable' },
      { address: 'agent/ann@example.com', kind: 'pending-approval' },
    ]);
  });

  it('A field that this version never takes is unreachable on an existing object', () => {
    const live = liveOf(object('agent', 'ann@example.com', { name: 'Ann' }));
    const plan = planOf(desiredOf([declare('agent', 'ann@example.com', { avatar_path: 'https://x.example/a' })]), live);
    expect(plan.steps).toEqual([]);
    expect(plan.notes).toMatchObject([{ kind: 'unreachable', message: expect.stringContaining('no way to set it') }]);
  });

  it('A published definition is neither changed nor made again', () => {
    const live = liveOf(object('property', 'client/tier', { type: 'string', access: ACCESS, publish: ['read'] }));
    const plan = planOf(desiredOf([declare('property', 'client/tier', { type: 'int', access: ACCESS })]), live);
    expect(plan.steps).toEqual([]);
    expect(plan.notes).toMatchObject([{ kind: 'unreachable', message: expect.stringContaining('published') }]);
  });

  it('An option of how to write is no difference, and no change of what is made', () => {
    const spec = { name: 'Scout', owner_client_id: 'client' };
    const desired = desiredOf([declare('bot_template', 'scout', { ...spec, affect_existing_installations: true })]);
    const there = planOf(desired, liveOf(object('bot_template', 't1', spec)), ledgerOf({ 'bot_template/scout': 't1' }));
    expect(there.steps).toEqual([]);
    const made = planOf(desired, liveOf());
    expect(stepsOf(made)).toEqual({ 'create bot_template/scout': { ...spec, affect_existing_installations: true } });
    expect(made.resource_changes[0]?.fields.map(({ field }) => field)).toEqual(['name', 'owner_client_id']);
  });

  it('The owner of the license can be neither given another role nor suspended', () => {
    const desired = desiredOf([
      declare('agent', 'boss@example.com', { name: 'Boss', role: 'normal', suspended: true }),
    ]);
    const owner = { name: 'Boss', role: 'owner', suspended: false };
    const plan = planOf(desired, liveOf(object('agent', 'boss@example.com', owner, { owner: true })));
    expect(plan.steps).toEqual([]);
    expect(plan.notes.map(({ kind }) => kind)).toEqual(['unreachable', 'unreachable']);
  });
});

describe('a new group that keeps the members whom it does not name', () => {
  it('The plan says its members, and nothing of the others', () => {
    const members = { 'agent/ann@example.com': 'first' };
    const desired = desiredOf([
      declare('agent', 'ann@example.com', { name: 'Ann' }),
      declare('group', 'sales', { name: 'Sales', agent_priorities: { ...members, others: 'keep' } }),
    ]);
    const plan = planOf(desired, liveOf());
    expect(plan.resource_changes[1]?.fields).toMatchObject([{ field: 'name' }, { field: 'agent_priorities' }]);
    expect(plan.resource_changes[1]?.fields[1]?.after).toEqual(members);
  });
});

describe('replace', () => {
  const live = liveOf(
    object('property', 'client/tier', {
      type: 'string',
      description: 'How dear they are',
      access: ACCESS,
      domain: ['gold', 'silver'],
      default_value: 'gold',
      publish: [],
    }),
  );
  const ledger = ledgerOf({ 'property/client/tier': 'client/tier' });
  const remade = (spec: Parameters<typeof declare>[2]) =>
    stepsOf(planOf(desiredOf([declare('property', 'client/tier', spec)]), live, ledger))['create property/client/tier'];

  it('A definition that is made again keeps what the manifest does not speak of', () => {
    const access = { license: { agent: ['read', 'write'] }, group: { agent: ['read'] } };
    expect(remade({ access })).toEqual({
      type: 'string',
      description: 'How dear they are',
      access,
      domain: ['gold', 'silver'],
      default_value: 'gold',
    });
  });

  it('A default that the new domain refuses is not kept', () => {
    expect(remade({ domain: ['silver', 'bronze'] })).toEqual({
      type: 'string',
      description: 'How dear they are',
      access: ACCESS,
      domain: ['bronze', 'silver'],
    });
  });

  it('What fits another type is kept, what does not is not', () => {
    expect(remade({ type: 'int', range: { from: 1, to: 3 } })).toEqual({
      type: 'int',
      description: 'How dear they are',
      access: ACCESS,
      range: { from: 1, to: 3 },
    });
    expect(remade({ type: 'tokenized_string' })).toEqual({
      type: 'tokenized_string',
      description: 'How dear they are',
      access: ACCESS,
      domain: ['gold', 'silver'],
      default_value: 'gold',
    });
  });

  it('A declared default that the old domain refuses drops the domain', () => {
    expect(remade({ default_value: 'bronze' })).toEqual({
      type: 'string',
      description: 'How dear they are',
      access: ACCESS,
      default_value: 'bronze',
    });
  });

  it('Nothing is planned when the service would take the definition away and then refuse the new one', () => {
    const chat = object('property', 'client/tier', { type: 'int', access: { chat: { agent: ['read'] } }, publish: [] });
    const desired = desiredOf([declare('property', 'client/tier', { default_value: 3, range: { from: 1, to: 5 } })]);
    const { plan, problems } = makePlan({ desired, live: liveOf(chat), ledger, options: EVERYTHING });
    expect(plan).toBeNull();
    expect(problems).toMatchObject([{ code: 'bad-default', place: { file: 'test.yaml' } }]);
  });

  it('Values are written again with their definition, and a new one says nothing of that', () => {
    const group = { name: 'Sales' };
    const values = [
      declare('license_property', 'client/tier', { value: 'gold' }),
      declare('group_property', 'sales/client/tier', { value: 'silver' }),
    ];
    const there = liveOf(
      ...(live.objects.property ?? []),
      object('group', 7, group),
      object('group_property', '7/client/tier', { value: 'silver' }),
    );
    const reasonsOf = (name: string, description: string) => {
      const declared = [declare('property', 'client/tier', { description }), declare('group', 'sales', { name }, 7)];
      const { resource_changes: changes } = planOf(desiredOf([...declared, ...values]), there, ledger);
      return changes.flatMap(({ address, fields }) =>
        fields.map(({ reason }) => [address, reason ?? 'no reason'].join(': ')),
      );
    };
    expect(reasonsOf('Sales', 'Another')).toEqual([
      'property/client/tier: it can be set only on create, so the property definition is deleted and made again',
      'license_property/client/tier: no reason',
      'group_property/sales/client/tier: property/client/tier is replaced, so it is applied again',
    ]);
    expect(reasonsOf('Trade', 'How dear they are')).toEqual([
      'group/sales: no reason',
      'license_property/client/tier: no reason',
    ]);
  });

  it('A value that is not there and not selected is not made with its definition', () => {
    const desired = desiredOf([
      declare('property', 'client/tier', { description: 'Another' }),
      declare('license_property', 'client/tier', { value: 'gold' }),
    ]);
    const plan = planOf(desired, live, ledger, { selects: (address) => address === 'property/client/tier' });
    expect(Object.keys(stepsOf(plan))).toEqual(['delete property/client/tier', 'create property/client/tier']);
    expect(plan.resource_changes.map(({ address }) => address)).toEqual(['property/client/tier']);
  });

  it('A definition that an interrupted run took away is made again with what it had', () => {
    const had = { type: 'string', access: ACCESS, description: 'How dear they are' };
    const remaking: LedgerState = { ...ledgerOf({}), remaking: new Map([['property/client/tier', had]]) };
    const plan = planOf(desiredOf([declare('property', 'client/tier', { description: 'Tier' })]), liveOf(), remaking);
    expect(stepsOf(plan)).toEqual({ 'create property/client/tier': { ...had, description: 'Tier' } });
  });

  it('A default goes when no location is left for it', () => {
    expect(remade({ access: { chat: { agent: ['read'] } } })).not.toHaveProperty('default_value');
  });

  it('The old webhook goes by the client that it had, and each request serves what it is about', () => {
    const spec = { type: 'license', action: 'chat_deactivated', url: 'https://hooks.example/1' };
    const there = withMore('webhook', object('webhook', 7, { ...spec, owner_client_id: 'shop' }));
    const desired = desiredOf([declare('webhook', 'ended', { ...spec, owner_client_id: 'store' })]);
    const { steps } = planOf(desired, there, ledgerOf({ 'webhook/ended': 7 }));
    expect(steps.map(({ id, fields, serves }) => [id, fields, serves])).toEqual([
      ['create webhook/ended', { ...spec, owner_client_id: 'store' }, ['webhook/ended']],
      ['delete webhook/id/7', { owner_client_id: 'shop' }, ['webhook/id/7']],
    ]);
  });
});

describe('what waits for what', () => {
  it('Webhooks of bots wait for the bots', () => {
    const hook = { owner_client_id: 'shop', type: 'bot', action: 'incoming_chat', url: 'https://hooks.example/1' };
    const desired = desiredOf([
      declare('bot', 'guide', { name: 'Guide', owner_client_id: 'shop' }),
      declare('webhook', 'chats', hook),
    ]);
    expect(waitingIn(planOf(desired, withMore('webhook')))).toEqual({
      'create bot/guide': [],
      'create webhook/chats': ['create bot/guide'],
    });
  });

  it('A definition is made again when the old one is gone', () => {
    const live = liveOf(object('property', 'client/tier', { type: 'string', access: ACCESS, publish: [] }));
    const desired = desiredOf([declare('property', 'client/tier', { type: 'int', access: ACCESS })]);
    expect(waitingIn(planOf(desired, live, ledgerOf({ 'property/client/tier': 'client/tier' })))).toEqual({
      'delete property/client/tier': [],
      'create property/client/tier': ['delete property/client/tier'],
    });
  });

  it('An allowed domain goes only when the new ones are there', () => {
    const there = withMore('allowed_domain', object('allowed_domain', 'old.example', {}));
    const desired = desiredOf(['new.example', 'other.example'].map((name) => declare('allowed_domain', name, {})));
    expect(waitingIn(planOf(desired, there, ledgerOf({ 'allowed_domain/old.example': 'old.example' })))).toEqual({
      'create allowed_domain/new.example': [],
      'create allowed_domain/other.example': [],
      'delete allowed_domain/old.example': ['create allowed_domain/new.example', 'create allowed_domain/other.example'],
    });
  });
});

/** A license whose objects of a kind were read that `liveOf` leaves out. */
function withMore(kind: KindName, ...there: readonly LiveObject[]): Live {
  const live = liveOf();
  return { ...live, objects: { ...live.objects, [kind]: there } };
}

function waitingIn({ steps }: Plan): { readonly [step: string]: readonly string[] } {
  return Object.fromEntries(steps.map(({ id, after }) => [id, after]));
}
