// What a renamed key or a changed address carries over, and where it cannot.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address, Desired, LedgerState, Move, ObjectId } from '../../../src/base/model.ts';
import { ownersMoved, sortedMoves, withFormerAccounts } from '../../../src/plan/binding/accounts.ts';
import { follow, movesOf } from '../../../src/plan/binding/moves.ts';
import { respelled, withLiveIds } from '../../../src/plan/binding/people.ts';
import { declare, desiredOf } from '../../desired.ts';
import { tries } from '../../tries.ts';
import { ledgerOf, liveOf, object } from '../license.ts';

/** Milliseconds; what is quadratic takes minutes. */
const SOON = 20_000;

const PLACE = { file: 'test.yaml', line: 1, column: 1, length: 1 };
const move = (from: Address, to: Address) => ({ from, to, place: PLACE });

function follows(
  bindings: { readonly [address: Address]: ObjectId },
  moves: readonly (readonly [Address, Address])[],
  groups: readonly number[] = [1, 2],
) {
  const live = liveOf(...groups.map((id) => object('group', id, { name: `Group ${id}` })));
  const moved = moves.map(([from, to]) => move(from, to));
  const { ledger, moves: made, problems } = follow(ledgerOf(bindings), moved, live);
  return { made: made.map(({ from, to }) => `${from} ${to}`), bindings: [...ledger.bindings], problems };
}

describe('a renamed key', () => {
  it('is followed along a chain, in whatever order it is written, and once', () => {
    const { made, bindings, problems } = follows({ 'group/a': 1 }, [
      ['group/b', 'group/c'],
      ['group/a', 'group/b'],
    ]);
    expect(made).toEqual(['group/a group/b', 'group/b group/c']);
    expect(bindings).toEqual([['group/c', expect.objectContaining({ id: 1 })]]);
    expect(problems).toEqual([]);
  });

  it('cannot take the name of another object of ours that is there, or that nobody looked at', () => {
    const ours = { 'group/a': 1, 'group/b': 2, 'agent/a@x.example': 'a@x.example', 'agent/b@x.example': 'b@x.example' };
    const { made, problems } = follows(ours, [['group/a', 'group/b']]);
    expect(made).toEqual([]);
    expect(problems).toMatchObject([
      {
        code: 'contradiction',
        message: expect.stringMatching(/`group\/a` cannot become `group\/b`: they are group 1 and 2/),
        remedy: expect.stringContaining('chatform ledger forget group/b'),
      },
    ]);
    const unread = follow(ledgerOf(ours), [move('group/a', 'group/b')], { ...liveOf(), objects: {} });
    expect(unread.problems).toHaveLength(1);
  });

  it('takes the name of an object that is gone, and of the same object', () => {
    expect(follows({ 'group/a': 1, 'group/b': 3 }, [['group/a', 'group/b']])).toMatchObject({
      made: ['group/a group/b'],
      bindings: [['group/b', { id: 1 }]],
      problems: [],
    });
    expect(follows({ 'group/a': 1, 'group/b': 1 }, [['group/a', 'group/b']])).toMatchObject({
      made: ['group/a group/b'],
      problems: [],
    });
  });

  it('is nobody’s problem when nothing has the old name', () => {
    expect(follows({ 'group/b': 2 }, [['group/a', 'group/b']])).toMatchObject({ made: [], problems: [] });
  });

  it('keeps what was in flight and the place in the order under the new name', () => {
    const known: LedgerState = {
      ...ledgerOf({ 'auto_access/a': 'r1', 'auto_access/b': 'r9' }),
      intents: new Map([
        ['i', { address: 'auto_access/a', operation: 'create', identity: '{}', seen: [], at: '' }],
        ['j', { address: 'auto_access/c', operation: 'create', identity: '{}', seen: [], at: '' }],
      ]),
      orders: new Map([
        ['auto_access', { before: [], order: ['auto_access/b', 'auto_access/a', 'auto_access/c'], at: '' }],
      ]),
    };
    const { ledger } = follow(known, [move('auto_access/a', 'auto_access/b')], liveOf());
    expect([...ledger.intents].map(([id, { address }]) => [id, address])).toEqual([
      ['i', 'auto_access/b'],
      ['j', 'auto_access/c'],
    ]);
    expect(ledger.orders.get('auto_access')?.order).toEqual(['auto_access/b', 'auto_access/c']);
  });

  const key = fc.constantFrom<Address>('group/a', 'group/b', 'group/c', 'group/d', 'group/e');
  const license = fc.record({
    ids: fc.dictionary(key, fc.integer({ min: 1, max: 6 })),
    living: fc.uniqueArray(fc.integer({ min: 1, max: 6 })),
    order: fc.uniqueArray(key),
    intent: key,
    members: fc.uniqueArray(key),
    secrets: fc.uniqueArray(key),
    moved: fc.array(
      fc.tuple(key, key).filter(([from, to]) => from !== to),
      { maxLength: 8 },
    ),
  });

  it('is the same among others as one after another', () => {
    fc.assert(
      fc.property(license, ({ ids, living, order, intent, members, secrets, moved }) => {
        const groups = Object.fromEntries(members.map((group) => [group.slice('group/'.length), 'normal']));
        const known: LedgerState = {
          ...ledgerOf(ids, { 'agent/kim@x.example': { spec: { groups } }, 'group/b': { spec: { name: 'B' } } }),
          secrets: new Map(secrets.map((address) => [address, { id: 1, at: '' }])) as unknown as LedgerState['secrets'],
          intents: new Map([['i', { address: intent, operation: 'create', identity: '{}', seen: [], at: '' }]]),
          orders: new Map([['group', { before: [], order, at: '' }]]),
        };
        const live = liveOf(...living.map((id) => object('group', id, { name: `Group ${id}` })));
        const made: { readonly from: Address; readonly to: Address }[] = [];
        let ledger = known;
        const open = moved.map(([from, to]) => move(from, to));
        for (let next = 0; next < open.length; next += 1) {
          const one = open[next];
          const after = one === undefined ? null : follow(ledger, [one], live);
          if (after === null || after.moves.length === 0) continue;
          ledger = after.ledger;
          made.push(...after.moves);
          open.splice(next, 1);
          next = -1;
        }
        const together = follow(
          known,
          moved.map(([from, to]) => move(from, to)),
          live,
        );
        expect(together.moves).toEqual(made);
        expect(together.ledger).toEqual(ledger);
        expect(together.problems.length).toBe(open.flatMap((one) => follow(ledger, [one], live).problems).length);
      }),
      { numRuns: tries(20_000, 300) },
    );
  });

  it('takes no longer for each the more there are, also in a chain that is written from its end', {
    timeout: SOON,
  }, () => {
    const count = 20_000;
    const chain = Array.from({ length: count }, (_, index) => index);
    const shifted = ledgerOf(Object.fromEntries(chain.map((index) => [`group/${index}`, index])));
    const live = liveOf(...chain.map((id) => object('group', id, { name: `Group ${id}` })));
    const up = chain.map((index) => move(`group/${index}`, `group/${index + 1}`));
    for (const moved of [up, up.toReversed()]) {
      const { moves, ledger } = follow(shifted, moved, live);
      expect([moves.length, ledger.bindings.get(`group/${count}`)?.id]).toEqual([count, count - 1]);
    }
    const far = chain.map((index) => move(`group/${index}`, `group/far-${index}`));
    expect(follow(shifted, far, live).moves).toHaveLength(count);
  });
});

describe('Of a selection', () => {
  const moves = [
    { from: 'group/b', to: 'group/c' },
    { from: 'group/a', to: 'group/b' },
    { from: 'group/x', to: 'group/y' },
  ] as const;

  it.each([
    ['an old name', 'group/x', ['group/x']],
    ['a new name', 'group/y', ['group/x']],
    ['a name that another one has to leave first', 'group/a', ['group/b', 'group/a']],
    ['none of them', 'group/z', []],
  ])('%s renames nothing else', (_, selected, made) => {
    expect(movesOf(moves, (address) => address === selected).map(({ from }) => from)).toEqual(made);
  });
});

describe('A changed address', () => {
  const bob = { 'agent/bob@x.example': 'bob@x.example', 'group/sales': 7 } as const;
  const sorted = (desired: Desired, ...moved: readonly ReturnType<typeof move>[]) => {
    const { renames, accounts } = sortedMoves(moved, desired, ledgerOf(bob));
    const told = (moves: readonly Move[]) => moves.map(({ from, to }) => `${from} -> ${to}`);
    return { renames: told(renames), accounts: told(accounts) };
  };
  const NEW = move('agent/bob@x.example', 'agent/rob@x.example');

  it('is told from a rename, also of another kind in the same list', () => {
    const desired = desiredOf([declare('agent', 'rob@x.example', {}), declare('group', 'trade', { name: 'Trade' })]);
    expect(sorted(desired, move('group/sales', 'group/trade'), NEW)).toEqual({
      renames: ['group/sales -> group/trade'],
      accounts: ['agent/bob@x.example -> agent/rob@x.example'],
    });
  });

  it('may be that of an account that is only looked up, and is a rename where no file has it', () => {
    const address = 'agent/rob@x.example' as const;
    const external = { address, kind: 'agent', id: 'rob@x.example', name: null, place: PLACE } as const;
    expect(sorted(desiredOf([], [external]), NEW).accounts).toHaveLength(1);
    expect(sorted(desiredOf([], [{ ...external, id: null, name: 'Rob' }]), NEW).renames).toHaveLength(1);
    expect(sorted(desiredOf([]), NEW).renames).toHaveLength(1);
  });

  it('suspends the old account, unless the files have it for another person', () => {
    const accounts = [{ ...NEW, former: null }];
    const rob = declare('agent', 'rob@x.example', {});
    const addresses = (desired: Desired) =>
      withFormerAccounts(desired, accounts).resources.map(({ address, spec }) => [address, spec['suspended']]);
    expect(addresses(desiredOf([rob]))).toEqual([
      ['agent/rob@x.example', undefined],
      ['agent/bob@x.example', true],
    ]);
    expect(addresses(desiredOf([rob, declare('agent', 'BOB@x.example', {})]))).toEqual([
      ['agent/BOB@x.example', undefined],
      ['agent/rob@x.example', undefined],
    ]);
  });

  it('cannot be that of the owner', () => {
    const live = liveOf(
      object('agent', 'ann@x.example', { name: 'Ann' }),
      object('agent', 'Bob@x.example', { name: 'Bob' }, { owner: true }),
    );
    expect(ownersMoved([{ ...NEW, former: null }], live)).toMatchObject([
      {
        code: 'not-allowed',
        place: PLACE,
        message:
          '`agent/bob@x.example` cannot become `agent/rob@x.example`: it is the owner of the license, who cannot be suspended',
        remedy: 'change the address in the application of the service, then the key here',
      },
    ]);
    expect(ownersMoved([{ ...move('agent/ann@x.example', 'agent/rob@x.example'), former: null }], live)).toEqual([]);
    expect(ownersMoved([{ ...NEW, former: null }], { ...live, objects: {} })).toEqual([]);
  });
});

describe('A person in other capitals', () => {
  const owned = (...ids: readonly string[]) => ledgerOf(Object.fromEntries(ids.map((id) => [`agent/${id}`, id])));

  it('is renamed, in the order of the new names', () => {
    const desired = desiredOf(['ANN@x.example', 'BOB@x.example'].map((key) => declare('agent', key, {})));
    expect(respelled(desired, owned('bob@x.example', 'ann@x.example')).map(({ from, to }) => [from, to])).toEqual([
      ['agent/ann@x.example', 'agent/ANN@x.example'],
      ['agent/bob@x.example', 'agent/BOB@x.example'],
    ]);
  });

  it('is not renamed to an entry that has an account of its own', () => {
    const desired = desiredOf([declare('agent', 'ann@x.example', {})]);
    expect(respelled(desired, owned('ann@x.example', 'ANN@x.example'))).toEqual([]);
    const numbered = desiredOf([declare('group', '7', { name: 'Seven' })]);
    expect(respelled(numbered, ledgerOf({ 'group/old': 7 }))).toEqual([]);
  });

  it('is moved as the files and the ledger write it', () => {
    const moved = [
      move('agent/ANN@x.example', 'agent/BOB@x.example'),
      move('agent/Cid@x.example', 'agent/Dan@x.example'),
    ];
    const desired = desiredOf([declare('agent', 'bob@x.example', {})]);
    const { accounts, renames } = sortedMoves(moved, desired, owned('ann@x.example'));
    expect([...accounts, ...renames].map(({ from, to }) => [from, to])).toEqual([
      ['agent/ann@x.example', 'agent/bob@x.example'],
      ['agent/Cid@x.example', 'agent/Dan@x.example'],
    ]);
    const [one] = sortedMoves(moved, desired, owned('ANN@x.example', 'ann@x.example')).accounts;
    expect(one?.from).toBe('agent/ANN@x.example');
  });

  it('has the id that the license writes, unless there are two', () => {
    const live = liveOf(
      ...['Ann@x.example', 'bob@x.example', 'Cid@x.example', 'CID@x.example'].map((id) =>
        object('agent', id, { name: id }),
      ),
    );
    const ids = ['ann', 'bob', 'cid', 'dan'].map((name) => `${name}@x.example`);
    const known = ledgerOf({
      ...Object.fromEntries(ids.map((id) => [`agent/${id}`, id])),
      'bot/guide': 'ann@x.example',
    });
    const { bindings } = withLiveIds(known, live);
    expect([...bindings.values()].map(({ id }) => id)).toEqual(['Ann@x.example', ...ids.slice(1), 'ann@x.example']);
    expect(withLiveIds(known, { ...live, objects: {} })).toEqual(known);
  });
});
