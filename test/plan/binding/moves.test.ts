// What a renamed key carries over, and where it cannot.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address, LedgerState, ObjectId } from '../../../src/base/model.ts';
import { follow, movesOf } from '../../../src/plan/binding/moves.ts';
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
