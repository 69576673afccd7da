// Which run is undone: the last that changed something, or the one that is named.

import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/base/model.ts';
import type { LedgerEvent, RunOutcome } from '../../../src/ledger/events.ts';
import { footprintOf } from '../../../src/tasks/undo/footprint.ts';
import { runToUndo } from '../../../src/tasks/undo/runs.ts';

const stamp = { v: 1, at: '2026-11-21T12:00:00Z' } as const;

function found(
  run: string,
  address: Address,
  spec: { readonly [field: string]: string } | null,
  undoes: string | null = null,
): LedgerEvent {
  const image = { ...stamp, type: 'before', run, address, id: spec === null ? null : 1, spec } as const;
  return undoes === null ? image : { ...image, undoes };
}

const traced = (events: readonly LedgerEvent[], run: string | null) => footprintOf(events, runToUndo(events, run));

function ended(id: string, outcome: RunOutcome = 'done', command = 'apply'): LedgerEvent {
  return { ...stamp, type: 'run', id, command, outcome };
}

function applied(address: Address, name: string): LedgerEvent {
  return { ...stamp, type: 'applied', address, spec: { name }, digests: {} };
}

describe('the run that is meant', () => {
  const events = [
    found('aa11', 'group/sales', null),
    ended('aa11'),
    found('aa22', 'group/sales', { name: 'Sales' }),
    ended('bb33'),
  ];

  test('is the last that left images, and not a later one that changed nothing', () => {
    expect(runToUndo(events, null).run.id).toBe('aa22');
  });

  test('can be one that was killed, and so has no end', () => {
    expect(runToUndo(events, 'aa22').run).toMatchObject({ command: null, outcome: null });
    expect(runToUndo(events, 'aa11').run).toMatchObject({ command: 'apply', outcome: 'done' });
  });

  test('is found by how its id begins, if only one does', () => {
    expect(runToUndo(events, 'aa1').run.id).toBe('aa11');
    expect(() => runToUndo(events, 'aa')).toThrow('2 runs begin with aa: write more of the id, one of aa11, aa22');
  });

  test('must have left images', () => {
    expect(() => runToUndo(events, 'bb3')).toThrow(/run bb3 cannot be undone: .*no values/);
    expect(() => runToUndo(events, 'cc')).toThrow('the ledger knows no run cc');
    expect(() => runToUndo(events, '')).toThrow('the id of the run is empty; `chatform history` lists them');
    expect(() => runToUndo([], null)).toThrow('no run can be undone: the ledger has none yet');
    expect(() => runToUndo([ended('bb33')], null)).toThrow(/no run of the ledger can be undone: .*no values/);
  });
});

describe('the footprint of a run', () => {
  test('is what was there before the first request for a resource, and what was applied last', () => {
    const { traces } = traced(
      [
        applied('group/sales', 'Old'),
        found('r1', 'group/sales', { name: 'Old' }),
        found('r1', 'group/sales', { name: 'Half' }),
        applied('group/sales', 'New'),
        ended('r1'),
        applied('group/sales', 'Newer'),
      ],
      'r1',
    );
    expect(traces).toMatchObject([
      {
        before: { name: 'Old' },
        known: { spec: { name: 'Old' } },
        left: { state: 'applied', spec: { name: 'New' } },
      },
    ]);
  });

  test('says of a run that was killed what the next run found, when that did not finish it', () => {
    const killed = [found('r1', 'group/sales', { name: 'Old' }), found('r1', 'group/vip', null)];
    const next = [found('r2', 'group/sales', { name: 'New' }, 'r0'), applied('group/sales', 'Newer'), ended('r2')];
    expect(traced([...killed, ...next], 'r1').traces.map(({ left }) => left)).toEqual([
      { state: 'applied', spec: { name: 'New' }, digests: {} },
      { state: 'unknown' },
    ]);
  });

  test('follows the names that resources have had since, in what refers to them too', () => {
    const image: LedgerEvent = {
      ...stamp,
      type: 'before',
      run: 'r1',
      address: 'auto_access/a',
      id: 'x',
      spec: { access: { groups: ['group/sales'] } },
    };
    const moved: LedgerEvent = { ...stamp, type: 'moved', from: 'group/sales', to: 'group/shop' };
    const again: LedgerEvent = { ...stamp, type: 'moved', from: 'group/shop', to: 'group/store' };
    const { traces } = traced([found('r1', 'group/sales', null), image, ended('r1'), moved, again], 'r1');
    expect(traces.map(({ address, before: was }) => [address, was])).toEqual([
      ['group/store', null],
      ['auto_access/a', { access: { groups: ['group/store'] } }],
    ]);
  });

  test('of a run that was killed at the very end of the ledger has its last event', () => {
    const events = [found('r1', 'group/sales', { name: 'Old' }), applied('group/sales', 'New')];
    expect(traced(events, null).traces).toMatchObject([{ left: { state: 'applied', spec: { name: 'New' } } }]);
  });

  test('is the order of all rules around it', () => {
    const order = { ...stamp, type: 'order', run: 'r1', kind: 'auto_access', order: ['auto_access/a'] } as const;
    const events: readonly LedgerEvent[] = [
      { ...order, moment: 'before', ids: ['a', 7] },
      { ...order, moment: 'applied', ids: ['7', 'a'] },
      ended('r1'),
    ];
    const owned = ['auto_access/a'];
    expect(traced(events, null).order).toEqual({
      before: { owned, ids: ['a', '7'] },
      left: { owned, ids: ['7', 'a'] },
    });
  });
});

describe('a run that was cut short', () => {
  const [first, second, third] = [
    found('k1', 'group/sales', null),
    found('k2', 'group/vip', null),
    found('k3', 'group/sales', { name: 'Sales' }),
  ];

  test.each([
    ['was killed', []],
    ['was interrupted', [ended('k1', 'interrupted')]],
  ])('is one change with the run that finished it: it %s', (_, end) => {
    const events = [first, ...end, second, ended('k2')];
    for (const wanted of [null, 'k1', 'k2'])
      expect(runToUndo(events, wanted).run).toMatchObject({ id: 'k2', outcome: 'done', finished: ['k1'] });
    expect(traced(events, null).traces.map(({ address, before }) => [address, before])).toEqual([
      ['group/sales', null],
      ['group/vip', null],
    ]);
  });

  test('may be one of several, and what the first of them found counts', () => {
    const events = [first, second, third, applied('group/sales', 'Shop'), ended('k3')];
    expect(runToUndo(events, null).run).toMatchObject({ id: 'k3', finished: ['k1', 'k2'] });
    expect(traced(events, null).traces).toMatchObject([
      { address: 'group/sales', before: null, left: { state: 'applied', spec: { name: 'Shop' } } },
      { address: 'group/vip', before: null },
    ]);
  });

  test('is not finished by a run after one that failed in part', () => {
    const events = [first, ended('k1', 'partial'), second, ended('k2')];
    expect(runToUndo(events, null).run).toMatchObject({ id: 'k2', finished: [] });
  });

  test.each([
    ['this chatform', found('u1', 'group/sales', { name: 'Sales' }, 'k1')],
    ['an older one', found('u1', 'group/sales', { name: 'Sales' })],
  ])('is not finished by its undo, by %s', (_, image) => {
    const events = [first, image, ended('u1', 'done', 'undo')];
    expect(runToUndo(events, null).run).toMatchObject({ id: 'u1', finished: [] });
    expect(runToUndo(events, 'k1')).toMatchObject({ run: { id: 'k1', finished: [] }, begun: null });
  });
});

describe('an undo that was cut short', () => {
  const undone = found('u1', 'group/sales', { name: 'Sales' }, 'r1');
  const events = [found('r1', 'group/sales', null), applied('group/sales', 'Sales'), ended('r1'), undone];

  test.each([null, 'u1', 'r1'])('is gone on with, and not taken back (%s)', (wanted) => {
    expect(runToUndo(events, wanted)).toMatchObject({ run: { id: 'r1' }, begun: { id: 'u1' } });
    expect(runToUndo([...events, ended('u1', 'interrupted', 'undo')], wanted)).toMatchObject({ run: { id: 'r1' } });
  });

  test('is one change with the undo that finished it, and that can be taken back', () => {
    const finished = [...events, found('u2', 'group/vip', null, 'r1'), ended('u2', 'done', 'undo')];
    expect(runToUndo(finished, null)).toMatchObject({ run: { id: 'u2', finished: ['u1'] }, begun: null });
  });

  test('of a run that is compacted away cannot be gone on with', () => {
    expect(() => runToUndo([undone], null)).toThrow('run r1, which run u1 began to undo, cannot be undone');
  });

  test('leaves what it did, not what the run did', () => {
    const forgotten: LedgerEvent = { ...stamp, type: 'forgotten', address: 'group/sales', because: 'deleted' };
    expect(traced([...events, forgotten], null).traces).toMatchObject([{ before: null, left: { state: 'deleted' } }]);
    const bound: LedgerEvent = { ...stamp, type: 'bound', address: 'group/sales', id: 9, origin: 'created' };
    expect(traced([...events, forgotten, bound], null).traces).toMatchObject([{ left: { state: 'unknown' } }]);
  });

  test('leaves an order that is neither of the two', () => {
    const order = { ...stamp, type: 'order', kind: 'auto_access', order: [], ids: ['7'] } as const;
    const [before, left]: readonly LedgerEvent[] = [
      { ...order, run: 'r1', moment: 'before' },
      { ...order, run: 'r1', moment: 'applied' },
    ];
    const began: LedgerEvent = { ...order, run: 'u1', moment: 'before', undoes: 'r1' };
    expect(traced([before, left, ended('r1'), began] as LedgerEvent[], null).order?.left).toBeNull();
  });
});
