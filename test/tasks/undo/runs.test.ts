// Which run is undone: the last that changed something, or the one that is named.

import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/base/model.ts';
import type { LedgerEvent, RunOutcome } from '../../../src/ledger/events.ts';
import { footprintOf } from '../../../src/tasks/undo/footprint.ts';
import { runToUndo } from '../../../src/tasks/undo/runs.ts';

const stamp = { v: 1, at: '2026-11-21T12:00:00Z' } as const;

function found(run: string, address: Address, spec: { readonly [field: string]: string } | null): LedgerEvent {
  return { ...stamp, type: 'before', run, address, id: spec === null ? null : 1, spec };
}

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
    expect(runToUndo(events, null).id).toBe('aa22');
  });

  test('can be one that was killed, and so has no end', () => {
    expect(runToUndo(events, 'aa22')).toMatchObject({ command: null, outcome: null });
    expect(runToUndo(events, 'aa11')).toMatchObject({ command: 'apply', outcome: 'done' });
  });

  test('is found by how its id begins, if only one does', () => {
    expect(runToUndo(events, 'aa1').id).toBe('aa11');
    expect(() => runToUndo(events, 'aa')).toThrow('2 runs begin with aa: aa11, aa22');
  });

  test('must have left images', () => {
    expect(() => runToUndo(events, 'bb3')).toThrow(/run bb3 cannot be undone: .*no image/);
    expect(() => runToUndo(events, 'cc')).toThrow('the ledger knows no run cc');
    expect(() => runToUndo([ended('bb33')], null)).toThrow(/no run of the ledger can be undone: .*no image/);
  });
});

describe('the footprint of a run', () => {
  test('is what was there before the first request for a resource, and what was applied last', () => {
    const { traces } = footprintOf(
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

  test('says of a run that was killed what the next run found', () => {
    const killed = [found('r1', 'group/sales', { name: 'Old' }), found('r1', 'group/vip', null)];
    const next = [found('r2', 'group/sales', { name: 'New' }), applied('group/sales', 'Newer'), ended('r2')];
    expect(footprintOf([...killed, ...next], 'r1').traces.map(({ left }) => left)).toEqual([
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
    const { traces } = footprintOf([found('r1', 'group/sales', null), image, ended('r1'), moved, again], 'r1');
    expect(traces.map(({ address, before: was }) => [address, was])).toEqual([
      ['group/store', null],
      ['auto_access/a', { access: { groups: ['group/store'] } }],
    ]);
  });
});
