// Which live object a create has made whose answer was lost: never a stranger's, never one of two.

import { describe, expect, test } from 'vitest';
import type {
  Address,
  Desired,
  KindName,
  LedgerState,
  LiveObject,
  ObjectId,
  OpenIntent,
  Spec,
} from '../../../src/base/model.ts';
import { identityOf } from '../../../src/kinds/fields.ts';
import { KINDS } from '../../../src/kinds/index.ts';
import { makePlan } from '../../../src/plan/assemble.ts';
import { afterRecovery, type Recovery, recover, withRecovered } from '../../../src/plan/binding/recover.ts';
import { declare, desiredOf } from '../../desired.ts';
import { EVERYTHING } from '../../world.ts';
import { ledgerOf, liveOf, object } from '../license.ts';

const AT = '2026-11-21T12:00:00.000Z';
const NOBODY = new Map<Address, ObjectId>();

function intent(address: Address, spec: Spec, seen: readonly ObjectId[] = []): OpenIntent {
  const kind = KINDS[address.slice(0, address.indexOf('/')) as KindName];
  return { address, operation: 'create', identity: identityOf(kind, spec, (reference) => reference), seen, at: AT };
}

function ledger(
  intents: { readonly [id: string]: OpenIntent },
  bindings: { readonly [address: Address]: ObjectId } = {},
): LedgerState {
  return { ...ledgerOf(bindings), intents: new Map(Object.entries(intents)) };
}

const group = (id: number, name: string): LiveObject =>
  object('group', id, { name, language_code: 'en', agent_priorities: {} });
const rule = (id: string, path: string, description = ''): LiveObject =>
  object('auto_access', id, {
    description,
    access: { groups: ['7'] },
    conditions: { url: { values: [{ value: path, exact_match: false }] } },
  });
const asked = (path: string, description?: string): Spec => ({
  access: { groups: ['7'] },
  conditions: { url: { values: [{ value: path }] } },
  ...(description === undefined ? {} : { description }),
});

describe('a create whose answer was lost', () => {
  test('It made the one new object that it is known by', () => {
    const state = ledger({ i: intent('group/sales', { name: 'Sales' }, [3]) });
    const { recovered, missing } = recover(state, liveOf(group(3, 'Support'), group(8, 'Sales')), NOBODY);
    expect(recovered).toEqual([{ intent: 'i', address: 'group/sales', id: 8, secret: null }]);
    expect(missing).toEqual([]);
  });

  test('An object that was there before is not its own, however alike', () => {
    const state = ledger({ i: intent('group/sales', { name: 'Sales' }, [8]) });
    expect(recover(state, liveOf(group(8, 'Sales')), NOBODY)).toMatchObject({
      recovered: [],
      missing: [{ intent: 'i', address: 'group/sales' }],
    });
  });

  test('An object that another address owns is not its own', () => {
    const state = ledger({ i: intent('group/sales', { name: 'Sales' }) }, { 'group/other': 8 });
    expect(recover(state, liveOf(group(8, 'Sales')), NOBODY).missing).toHaveLength(1);
  });

  test('What came with the license, or was made by a template, is nobody’s creation', () => {
    const state = ledger({ i: intent('group/sales', { name: 'Sales' }) });
    const general = object('group', 0, { name: 'Sales' }, { builtin: true });
    expect(recover(state, liveOf(general), NOBODY).missing).toHaveLength(1);
    const bots = ['b1', 'b2'].map((id) => object('bot', id, { name: 'Guide' }, id === 'b1' ? { derived: true } : {}));
    const guide = ledger({ i: intent('bot/guide', { name: 'Guide' }) });
    expect(recover(guide, liveOf(...bots), NOBODY).recovered).toMatchObject([{ id: 'b2' }]);
  });

  test('An object of another name is not its own, and of two spellings the same one comes first', () => {
    const state = ledger({ i: intent('group/sales', { name: 'Sales' }) });
    expect(recover(state, liveOf(group(8, 'Support')), NOBODY).missing).toHaveLength(1);
    expect(recover(state, liveOf(group(8, ' sales'), group(9, 'Sales')), NOBODY).recovered).toMatchObject([{ id: 9 }]);
    expect(recover(state, liveOf(group(8, 'sales'), group(9, 'Support')), NOBODY).recovered).toMatchObject([{ id: 8 }]);
    const shop = ledger({ i: intent('auto_access/shop', asked('https://Shop.example/a')) });
    const rules = liveOf(rule('r1', 'https://shop.example/a'), rule('r2', 'https://shop.example/b'));
    expect(recover(shop, rules, NOBODY).recovered).toMatchObject([{ id: 'r1' }]);
  });

  test('Two creates of one address made one object', () => {
    const asks = intent('group/sales', { name: 'Sales' });
    const { recovered, missing } = recover(ledger({ i: asks, j: asks }), liveOf(group(8, 'Sales')), NOBODY);
    expect([recovered, missing].map((each) => each.map((create) => create.intent))).toEqual([['i'], ['j']]);
  });

  test('A replacement is the new one, and the former one is still to go where it is there', () => {
    const spec = { owner_client_id: 'app', action: 'incoming_chat', type: 'license', url: 'https://example.com/a' };
    const state = ledger({ i: intent('webhook/chats', spec, ['w1']) }, { 'webhook/chats': 'w1' });
    const readings = (...ids: readonly string[]) => ({
      ...liveOf(),
      objects: { webhook: ids.map((id) => object('webhook', id, spec)) },
    });
    const made = { intent: 'i', address: 'webhook/chats', id: 'w2', secret: 'lost' } as const;
    expect(recover(state, readings('w1', 'w2'), NOBODY).recovered).toEqual([{ ...made, former: 'w1' }]);
    expect(recover(state, readings('w2', 'w3'), NOBODY).undecided).toHaveLength(1);
    expect(recover(state, readings('w2'), NOBODY).recovered).toEqual([made]);
    expect([...withRecovered(state, [{ ...made, former: 'w1' }]).bindings]).toEqual([
      ['webhook/chats', { id: 'w2', origin: 'created' }],
      ['webhook/id/w1', { id: 'w1', origin: 'created' }],
    ]);
    const recorded = ledger({ i: intent('webhook/chats', spec) }, { 'webhook/chats': 'w2' });
    expect(recover(recorded, readings('w2'), NOBODY).recovered).toEqual([made]);
    const renamed = ledger({ i: intent('group/sales', { name: 'Sales' }, [8]) }, { 'group/sales': 8 });
    expect(recover(renamed, liveOf(group(8, 'Support'), group(9, 'Sales')), NOBODY).recovered).toEqual([
      { intent: 'i', address: 'group/sales', id: 9, secret: null },
    ]);
    const bare = ledger({ i: intent('webhook/chats', spec) });
    expect(recover(bare, readings('w2'), NOBODY).recovered).toEqual([made]);
  });

  test('Of several, a person has to choose, and an `id:` is such a choice', () => {
    const state = ledger({ i: intent('group/sales', { name: 'Sales' }) });
    const live = liveOf(group(8, 'Sales'), group(9, 'Sales'));
    const { recovered, undecided } = recover(state, live, NOBODY);
    expect(recovered).toEqual([]);
    expect(undecided.map(({ candidates }) => candidates.map(({ id }) => id))).toEqual([[8, 9]]);
    expect(recover(state, live, new Map([['group/sales', 9]])).recovered).toMatchObject([{ id: 9 }]);
  });

  test('A plan with several candidates is an error that names them, at the declaration', () => {
    const state = ledger({ i: intent('group/sales', { name: 'Sales' }) });
    const live = liveOf(group(8, 'Sales'), group(9, 'Sales'));
    const desired = desiredOf([
      declare('group', 'other', { name: 'Other' }),
      declare('group', 'sales', { name: 'Sales' }),
    ]);
    const problemsWith = (wish: Desired) =>
      makePlan({ desired: wish, live, ledger: state, recovery: recover(state, live, NOBODY), options: EVERYTHING })
        .problems;
    expect(problemsWith(desired)[0]).toMatchObject({
      code: 'ambiguous-match',
      severity: 'error',
      place: { file: 'test.yaml', line: 2 },
      message: expect.stringContaining('8 (Sales), 9 (Sales)'),
      remedy: expect.stringContaining('`id:`'),
      related: [],
    });
    expect(problemsWith(desiredOf([]))).toMatchObject([
      { place: { file: '' }, remedy: expect.stringContaining('chatform ledger forget group/sales') },
    ]);
  });

  test('Equal creates made equal objects: each gets one, and none is left over', () => {
    const spec = asked('/a');
    const state = ledger({ i: intent('auto_access/a', spec), j: intent('auto_access/b', spec) });
    const both = recover(state, liveOf(rule('r1', '/a'), rule('r2', '/a')), NOBODY);
    expect(both.recovered.map(({ address, id }) => [address, id])).toEqual([
      ['auto_access/a', 'r1'],
      ['auto_access/b', 'r2'],
    ]);
    const one = recover(state, liveOf(rule('r1', '/a')), NOBODY);
    expect(one.recovered.map(({ address }) => address)).toEqual(['auto_access/a']);
    expect(one.missing.map(({ address }) => address)).toEqual(['auto_access/b']);
    const three = recover(state, liveOf(rule('r1', '/a'), rule('r2', '/a'), rule('r3', '/a')), NOBODY);
    expect(three.undecided.map(({ address }) => address)).toEqual(['auto_access/a', 'auto_access/b']);
    const others = ledger({ i: intent('auto_access/a', spec), j: intent('auto_access/b', asked('/b')) });
    expect(recover(others, liveOf(rule('r1', '/a'), rule('r2', '/a')), NOBODY)).toMatchObject({
      undecided: [{ address: 'auto_access/a' }],
      missing: [{ address: 'auto_access/b' }],
    });
  });

  test('What the service fills in makes no match fail, and the description tells equal rules apart', () => {
    const state = ledger({ i: intent('auto_access/a', asked('/a', 'mine')) });
    const live = liveOf(rule('r1', '/a', 'theirs'), rule('r2', '/a', 'mine'));
    expect(recover(state, live, NOBODY).recovered).toMatchObject([{ id: 'r2' }]);
    const bare = ledger({ i: intent('auto_access/a', asked('/a')) });
    expect(recover(bare, liveOf(rule('r1', '/a'), rule('r2', '/a', 'theirs')), NOBODY).recovered).toMatchObject([
      { id: 'r1' },
    ]);
  });

  test('A template is known by its name and owner, whatever of it cannot be read; its secret is lost', () => {
    const state = ledger({
      i: intent('bot_template/chef', { name: 'Chef', owner_client_id: 'c1', max_chats_count: 4 }),
    });
    const live = liveOf(
      object('bot_template', 't1', { name: 'Chef', avatar: '', owner_client_id: 'c2' }),
      object('bot_template', 't2', { name: 'Chef', avatar: '', owner_client_id: 'c1' }),
    );
    expect(recover(state, live, NOBODY).recovered).toEqual([
      { intent: 'i', address: 'bot_template/chef', id: 't2', secret: 'lost' },
    ]);
  });

  test('An object whose binding was recorded and whose end was not is its own', () => {
    const state = ledger({ i: intent('group/sales', { name: 'Sales' }) }, { 'group/sales': 8 });
    expect(recover(state, liveOf(group(8, 'Sales'), group(9, 'Sales')), NOBODY).recovered).toMatchObject([{ id: 8 }]);
  });

  test('What it never made is closed in the ledger by the plan that saw nothing', () => {
    const state = ledger({ i: intent('group/sales', { name: 'Sales' }) });
    const given = { live: liveOf(), ledger: state, recovery: recover(state, liveOf(), NOBODY), options: EVERYTHING };
    expect(makePlan({ ...given, desired: desiredOf([]) }).plan?.bindings).toMatchObject({ recover: [], absent: ['i'] });
  });

  test('The ledger is told what it made: ours, made by us, its secret lost, and nothing applied to it yet', () => {
    const state: LedgerState = {
      ...ledger(
        {
          i: intent('bot_template/chef', { name: 'Chef', owner_client_id: 'c1' }),
          j: intent('group/a', { name: 'A' }),
        },
        { 'bot_template/chef': 't0', 'group/a': 7 },
      ),
      applied: new Map(
        (['bot_template/chef', 'group/a'] as const).map((address) => [address, { spec: {}, digests: {}, at: AT }]),
      ),
    };
    const told = withRecovered(state, [
      { intent: 'i', address: 'bot_template/chef', id: 't2', secret: 'lost' },
      { intent: 'j', address: 'group/a', id: 7, secret: null },
    ]);
    expect(told.bindings.get('bot_template/chef')).toEqual({ id: 't2', origin: 'created' });
    expect([...told.secrets]).toEqual([['bot_template/chef', 'lost']]);
    expect([...told.applied.keys()]).toEqual(['group/a']);
    expect(told.intents.size).toBe(0);
  });

  test('What was applied to the former object of the same name does not count for the new one', () => {
    const at = '2026-11-20T12:00:00.000Z';
    const state: LedgerState = {
      ...ledger({ i: intent('tag/vip', {}) }, { 'tag/vip': 'vip' }),
      applied: new Map([['tag/vip', { spec: {}, digests: {}, at }]]),
    };
    const told = withRecovered(state, [{ intent: 'i', address: 'tag/vip', id: 'vip', secret: null }]);
    expect([told.applied.size, told.secrets.size]).toEqual([0, 0]);
  });

  test('After it the ledger waits only for creates that are not decided', () => {
    const spec = { name: 'Sales' };
    const state = ledger({ i: intent('group/a', spec), j: intent('group/b', spec), k: intent('group/c', spec) });
    const [made, gone] = [
      { intent: 'i', address: 'group/a', id: 7, secret: null },
      { intent: 'j', address: 'group/b', at: AT },
    ] as const;
    const left = (recovery: Pick<Recovery, 'recovered' | 'missing'>) => {
      const { bindings, intents } = afterRecovery(state, { ...recovery, undecided: [] });
      return [[...bindings.keys()], [...intents.keys()]];
    };
    expect(left({ recovered: [made], missing: [gone] })).toEqual([['group/a'], ['k']]);
    expect(left({ recovered: [made], missing: [] })).toEqual([['group/a'], ['j', 'k']]);
  });

  test('A kind that was not read says nothing about it', () => {
    const state = ledger({ i: intent('group/sales', { name: 'Sales' }) });
    const live = { ...liveOf(), objects: {} };
    expect(recover(state, live, NOBODY)).toEqual({ recovered: [], missing: [], undecided: [] });
  });

  test('A recovered object is ours: it is not adopted, and deleted when nothing declares it any more', () => {
    const state = ledger({ i: intent('group/sales', { name: 'Sales' }) });
    const live = liveOf(group(8, 'Sales'));
    const given = { live, ledger: state, recovery: recover(state, live, NOBODY), options: EVERYTHING };
    const declared = makePlan({ ...given, desired: desiredOf([declare('group', 'sales', { name: 'Sales' })]) }).plan;
    expect(declared).toMatchObject({ steps: [], summary: { adopt: 0 }, bindings: { recover: [{ id: 8 }] } });
    expect(declared?.notes).toEqual([
      {
        address: 'group/sales',
        kind: 'recovered',
        message: 'created as 8 by a run that was cut off, so it is owned and is not created again',
      },
    ]);
    const gone = makePlan({ ...given, desired: desiredOf([]) }).plan;
    expect(gone?.steps.map(({ id }) => id)).toEqual(['delete group/sales']);
  });
});

describe('the identity of a kind', () => {
  test.each(Object.values(KINDS).map((kind) => [kind.name, kind] as const))(
    'what %s is recognised by is enough for one of its natural keys, and is declared where the service makes the id',
    (_, kind) => {
      const makesId = kind.id !== undefined && kind.choosesId === undefined;
      expect(kind.identity !== undefined).toBe(makesId);
      for (const field of kind.identity ?? []) expect(kind.fields).toHaveProperty(field);
    },
  );
});
