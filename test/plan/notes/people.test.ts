// Notes on people: who cannot work, whose address changes, and who is there twice.

import { describe, expect, test } from 'vitest';
import type { Address, Facts, Spec } from '../../../src/base/model.ts';
import { makePlan } from '../../../src/plan/assemble.ts';
import type { PlannerOptions } from '../../../src/plan/input.ts';
import type { Note, Plan } from '../../../src/plan/plan.ts';
import { type Declared, declare, desiredOf } from '../../desired.ts';
import { EVERYTHING } from '../../world.ts';
import { ledgerOf, liveOf, object, planOf } from '../license.ts';

const WAITS = 'waiting for approval, which an ordinary token cannot give; approve it in the application of the service';
const IF_IT_CAN = ', or set `may_approve: true` in chatform.yaml if the token can';
const LEAVES = { by: 'marked-row', file: 'people.csv' } as const;
const PLACE = { file: 'test.yaml', line: 1, column: 1, length: 1 };

function told({ notes }: Plan, ...kinds: readonly Note['kind'][]): readonly string[] {
  return notes.flatMap(({ address, kind, message }) => (kinds.includes(kind) ? [`${address}: ${message}`] : []));
}

/** What is said of Ann, who is there unless she has no facts. */
function ofAnn(wish: Spec, live: { readonly spec?: Spec; readonly facts: Facts } | null, mayApprove = false) {
  const plan = (more: Partial<Declared>, options: Partial<PlannerOptions> = {}) =>
    planOf(
      desiredOf([{ ...declare('agent', 'ann@x.example', { name: 'Ann', ...wish }), ...more }]),
      liveOf(...(live === null ? [] : [object('agent', 'ann@x.example', { name: 'Ann', ...live.spec }, live.facts)])),
      ledgerOf({}),
      { mayApprove, ...options },
    );
  const messages = (made: Plan) =>
    told(made, 'pending-approval', 'suspended').map((text) => text.replace('agent/ann@x.example: ', ''));
  return { declared: messages(plan({})), leaver: messages(plan({ leaves: LEAVES })) };
}

describe('A person who waits for approval', () => {
  const GIVEN = { awaiting_approval: false };
  const WAITING = { facts: { pendingApproval: true } } as const;
  test.each<[string, Spec, boolean, readonly string[]]>([
    ['the token cannot give it', {}, false, [WAITS]],
    ['the token cannot give it, and a file does', GIVEN, false, [`${WAITS}${IF_IT_CAN}`]],
    ['the token can give it', {}, true, ['waiting for approval; declare `awaiting_approval: false` to give it']],
    ['the token gives it', GIVEN, true, []],
  ])('%s', (_, wish, mayApprove, expected) => {
    expect(ofAnn(wish, WAITING, mayApprove)).toEqual({ declared: expected, leaver: [] });
    expect(ofAnn(wish, { facts: {} }, mayApprove).declared).toEqual([]);
  });

  test.each<[string, Spec, boolean, readonly string[]]>([
    ['the token cannot give it', {}, false, ['will wait until a person approves it in the application of the service']],
    [
      'the token cannot give it, and a file does',
      GIVEN,
      false,
      [`will wait until a person approves it in the application of the service${IF_IT_CAN}`],
    ],
    ['the token can give it', {}, true, ['will wait for approval; declare `awaiting_approval: false` to give it']],
    ['the token gives it', GIVEN, true, []],
  ])('is new, and %s', (_, wish, mayApprove, expected) => {
    expect(ofAnn(wish, null, mayApprove)).toEqual({ declared: expected, leaver: [] });
  });
});

test('A person who is suspended is told, unless a file says so or the person leaves', () => {
  const suspended = { spec: { suspended: true }, facts: {} };
  expect(ofAnn({}, suspended)).toEqual({
    declared: [
      'suspended on the license, so no chat is assigned; declare `suspended: false` to end it, or `suspended: true` to keep it',
    ],
    leaver: [],
  });
  expect(ofAnn({ suspended: true }, suspended).declared).toEqual([]);
  expect(ofAnn({ suspended: false }, suspended).declared).toEqual([]);
  const live = liveOf(object('agent', 'ann@x.example', { name: 'Ann', suspended: true }, { pendingApproval: true }));
  const gone = planOf(desiredOf([]), live, ledgerOf({ 'agent/ann@x.example': 'ann@x.example' }), {
    prune: { agent: 'owned' },
  });
  expect(told(gone, 'suspended', 'pending-approval')).toEqual([]);
});

describe('A changed address', () => {
  const move = (from: string, to: string) =>
    ({ from: `agent/${from}@x.example`, to: `agent/${to}@x.example`, place: PLACE }) as const;
  const planned = (there: readonly (readonly [string, Spec])[], ...moved: readonly ReturnType<typeof move>[]) => {
    const live = liveOf(
      ...there.map(([name, spec]) => object('agent', `${name}@x.example`, { name, groups: {}, ...spec })),
      object('group', 7, { name: 'Sales' }),
      object('group', 8, { name: 'Desk' }),
    );
    const declared = moved.map(({ to }) => declare('agent', to.slice('agent/'.length), { name: 'New' }));
    const { plan } = makePlan({ desired: desiredOf(declared), live, ledger: ledgerOf({}), moved, options: EVERYTHING });
    if (plan === null) throw new Error('no plan');
    return told(plan, 'account');
  };
  const OLD = 'history and reports stay there';

  test('is told with the groups of that person', () => {
    const there = [
      ['ann', { groups: { 7: 'first' } }],
      ['bob', { groups: { 8: 'last' } }],
      ['cid', {}],
    ] as const;
    expect(planned(there, move('ann', 'ann2'), move('bob', 'bob2'), move('cid', 'cid2'))).toEqual([
      `agent/ann2@x.example: takes the place of agent/ann@x.example, which is suspended: ${OLD}; it also joins Sales (first), as that one leaves, which no file says`,
      `agent/bob2@x.example: takes the place of agent/bob@x.example, which is suspended: ${OLD}; it also joins Desk (last), as that one leaves, which no file says`,
      `agent/cid2@x.example: takes the place of agent/cid@x.example, which is suspended: ${OLD}`,
    ]);
  });

  test('is told until both accounts are as they are to be', () => {
    const away = { suspended: true };
    const change = move('ann', 'ann2');
    expect(
      planned(
        [
          ['ann2', {}],
          ['ann', {}],
        ],
        change,
      ),
    ).toEqual([`agent/ann2@x.example: takes the place of agent/ann@x.example, which is suspended: ${OLD}`]);
    expect(planned([['ann', away]], change)).toEqual([
      `agent/ann2@x.example: takes the place of agent/ann@x.example, which is suspended: ${OLD}`,
    ]);
    expect(planned([], change)).toEqual([
      'agent/ann2@x.example: takes the place of agent/ann@x.example, which is not on the license',
    ]);
    expect(
      planned(
        [
          ['ann2', {}],
          ['ann', away],
        ],
        change,
      ),
    ).toEqual([]);
    expect(planned([['ann2', {}]], change)).toEqual([]);
  });
});

describe('A new account with the name of one that no file has any more', () => {
  const planned = (fresh: readonly Declared[], gone: readonly (readonly [Address, string])[]) => {
    const live = liveOf(
      ...gone.map(([address, name]) => object(address.startsWith('agent') ? 'agent' : 'bot', address, { name })),
    );
    const ledger = ledgerOf(Object.fromEntries(gone.map(([address]) => [address, address])));
    return told(planOf(desiredOf(fresh), live, ledger, { protects: () => true }), 'account');
  };
  const ann = declare('agent', 'ann@new.example', { name: 'Ann' });
  const bob = declare('agent', 'bob@new.example', { name: 'Bob' });

  test('is probably its new address', () => {
    const message =
      'agent/ann@new.example: is it the new address of agent/ann? Then `moved: [{ from: agent/ann, to: agent/ann@new.example }]` also suspends the old account';
    expect(planned([ann], [['agent/ann', 'Ann']])).toEqual([message]);
    const bot = declare('bot', 'guide', { name: 'Guide' });
    expect(
      planned(
        [ann, bot],
        [
          ['agent/ann', 'Ann'],
          ['bot/old', 'Ann'],
        ],
      ),
    ).toEqual([message]);
  });

  test.each<[string, readonly Declared[], readonly (readonly [Address, string])[]]>([
    ['has no name', [declare('agent', 'ann@new.example', { name: '' })], [['agent/ann', '']]],
    ['has another name', [bob], [['agent/ann', 'Ann']]],
    ['is one of several', [ann, bob], [['agent/ann', 'Ann']]],
    [
      'may be that of several',
      [ann],
      [
        ['agent/ann', 'Ann'],
        ['agent/bob', 'Bob'],
      ],
    ],
    [
      'is one of as many as there are',
      [ann, bob],
      [
        ['agent/ann', 'Ann'],
        ['agent/bob', 'Bob'],
      ],
    ],
    ['is in the place of a bot', [ann], [['bot/ann', 'Ann']]],
    ['is that of a bot', [declare('bot', 'ann', { name: 'Ann' })], [['agent/ann', 'Ann']]],
  ])('proves nothing where it %s', (_, fresh, gone) => {
    expect(planned(fresh, gone)).toEqual([]);
  });
});

test('A person in other capitals, or with a second account, is told where that person is selected', () => {
  const live = liveOf(
    ...['Ann@x.example', 'bob@x.example', 'BOB@x.example', 'cid@x.example'].map((id) =>
      object('agent', id, { name: 'A' }),
    ),
  );
  const desired = desiredOf(['ann', 'bob', 'cid'].map((name) => declare('agent', `${name}@x.example`, { name: 'A' })));
  const notes = (selected: readonly string[]) =>
    told(
      planOf(desired, live, ledgerOf({}), { selects: (address) => selected.some((each) => address.includes(each)) }),
      'alike',
    );
  const ann =
    'agent/ann@x.example: the address on the license differs only in case: it is the same person, and the license keeps its spelling';
  const bob =
    'agent/bob@x.example: the license also has BOB@x.example, which differs only in case from bob@x.example: one person with two accounts, of which only bob@x.example is managed; suspend the other one by hand, or delete it';
  expect(notes(['agent'])).toEqual([ann, bob]);
  expect(notes(['ann', 'cid'])).toEqual([ann]);
  expect(notes(['cid'])).toEqual([]);
});
