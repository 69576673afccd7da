// Which run is undone: the last that changed something, or the one that is named.

import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/base/model.ts';
import { possibleBefore, runToUndo } from '../../../src/features/undo/read-undo.ts';
import type { LedgerEvent, RunOutcome } from '../../../src/ledger/events.ts';
import { footprintOf } from '../../../src/ledger/footprint.ts';

const stamp = { v: 1, at: '2026-11-21T12:00:00Z', run: 'r1' } as const;

/** The first request of a run for a resource. */
function found(
  run: string,
  address: Address,
  spec: { readonly [field: string]: string } | null,
  undoes: string | null = null,
): readonly LedgerEvent[] {
  const purpose = undoes === null ? { command: 'apply' } : { command: 'undo', undoes };
  return [
    { ...stamp, run, type: 'begun', ...purpose },
    { ...stamp, run, type: 'before', address, id: spec === null ? null : 1, spec },
  ];
}

const traced = (events: readonly LedgerEvent[], run: string | null) => footprintOf(events, runToUndo(events, run));

function ended(
  run: string,
  outcome: RunOutcome = 'done',
  command = 'apply',
  ends: readonly string[] = [],
): LedgerEvent {
  return { ...stamp, run, type: 'run', command, outcome, ...(ends.length === 0 ? {} : { ends }) };
}

function applied(run: string, address: Address, name: string): LedgerEvent {
  return { ...stamp, run, type: 'applied', address, spec: { name }, digests: {} };
}

function bound(run: string, address: Address, id: number): LedgerEvent {
  return { ...stamp, run, type: 'bound', address, id, origin: 'created' };
}

function deleted(run: string, address: Address): LedgerEvent {
  return { ...stamp, run, type: 'forgotten', address, because: 'deleted' };
}

/** A run that makes a group. */
const makes = (run: string, address: Address, id: number, name: string): readonly LedgerEvent[] => [
  ...found(run, address, null),
  bound(run, address, id),
  applied(run, address, name),
];

const LATER = '2026-01-06T09:00:00.000Z';

describe('the run that is meant', () => {
  const events = [
    ...makes('aa11', 'group/sales', 1, 'Sales'),
    ended('aa11'),
    ...found('aa22', 'group/sales', { name: 'Sales' }),
    ended('bb33'),
  ];

  test('is the last that left images, and not a later one that changed nothing', () => {
    expect(runToUndo(events, null).run.id).toBe('aa22');
    const failed = [...events, ...found('cc44', 'group/sales', { name: 'Sales' }), ended('cc44', 'failed')];
    expect(runToUndo(failed, null).run.id).toBe('aa22');
    expect(runToUndo(failed, 'cc44').run.id).toBe('cc44');
  });

  test('is not one that an undo took back, so the undo is taken back next, and the run before both after that', () => {
    const first = [...makes('r1', 'group/sales', 1, 'Sales'), ended('r1')];
    const second = [...makes('r2', 'group/vip', 2, 'VIP'), ended('r2')];
    const undo = [
      ...found('u1', 'group/vip', { name: 'VIP' }, 'r2'),
      deleted('u1', 'group/vip'),
      ended('u1', 'done', 'undo'),
    ];
    expect(runToUndo([...first, ...second, ...undo], null).run.id).toBe('u1');
    const redo = [
      ...found('u2', 'group/vip', null, 'u1'),
      bound('u2', 'group/vip', 3),
      applied('u2', 'group/vip', 'VIP'),
      ended('u2', 'done', 'undo'),
      ...found('u3', 'group/vip', { name: 'VIP' }, 'u2'),
      deleted('u3', 'group/vip'),
      ended('u3', 'done', 'undo'),
    ];
    expect(runToUndo([...first, ...second, ...undo, ...redo], null).run.id).toBe('u3');
  });

  test('has a run before it that can be undone', () => {
    const vip = [...makes('r2', 'group/vip', 2, 'VIP'), ended('r2')];
    const both = [...makes('r1', 'group/sales', 1, 'Sales'), ended('r1'), ...vip];
    expect(possibleBefore(both, runToUndo(both, null).run)).toBe('r1');
    expect(possibleBefore(vip, runToUndo(vip, null).run)).toBeNull();
  });

  test('can be one that was killed, and so has no end', () => {
    expect(runToUndo(events, 'aa22').run).toMatchObject({ command: 'apply', outcome: null });
    expect(runToUndo(events, 'aa11').run).toMatchObject({ command: 'apply', outcome: 'done' });
  });

  test('is found by how its id begins, if only one does', () => {
    const long = [...makes('abcd11', 'group/sales', 1, 'Sales'), ended('abcd11')];
    expect(runToUndo(long, 'abcd1').run.id).toBe('abcd11');
    expect(() =>
      runToUndo([...long, ...found('abcd22', 'group/sales', { name: 'Sales' }), ended('abcd22')], 'abcd'),
    ).toThrow('2 runs begin with abcd: write more of the id, one of abcd11, abcd22');
    for (const short of ['a', 'abc'])
      expect(() => runToUndo(long, short)).toThrow(
        `${short} is too short for the beginning of a run's id: write at least 4 characters of it`,
      );
  });

  test('must have left images, and something to take back', () => {
    expect(() => runToUndo(events, 'bb33')).toThrow('run bb33 cannot be undone: it changed nothing on the license');
    expect(() => runToUndo(events, 'cccc')).toThrow('the ledger knows no run cccc');
    expect(() => runToUndo(events, '')).toThrow('the id of the run is empty; `chatform history` lists them');
    expect(() => runToUndo([], null)).toThrow('no run can be undone: the ledger has none yet');
    expect(() => runToUndo([ended('bb33')], null)).toThrow(
      'no run of the ledger can be undone; the last one, bb33: it changed nothing on the license',
    );
    const recovered = [bound('dd44', 'group/sales', 1), ended('dd44')];
    expect(() => runToUndo(recovered, null)).toThrow('the last one, dd44: it changed nothing on the license');
    const [imported] = [
      { ...stamp, run: 'ee55', type: 'bound', address: 'group/sales', id: 1, origin: 'imported' } as const,
    ];
    expect(() => runToUndo([imported, ended('ee55', 'done', 'import')], null)).toThrow(
      'the last one, ee55: it changed nothing on the license',
    );
    const nothing = [...found('r1', 'group/sales', { name: 'Sales' }), ended('r1', 'failed')];
    expect(() => runToUndo(nothing, null)).toThrow(
      'no run of the ledger can be undone; the last one, r1: it changed nothing',
    );
  });
});

describe('the footprint of a run', () => {
  test('is what was there before the first request for a field, and what was applied last', () => {
    const { traces } = traced(
      [
        bound('r0', 'group/sales', 1),
        applied('r0', 'group/sales', 'Old'),
        ...found('r1', 'group/sales', { name: 'Old' }),
        ...found('r1', 'group/sales', { name: 'Half', language_code: 'en' }),
        applied('r1', 'group/sales', 'New'),
        ended('r1'),
        applied('r2', 'group/sales', 'Newer'),
      ],
      'r1',
    );
    expect(traces).toMatchObject([
      {
        before: { name: 'Old', language_code: 'en' },
        known: { spec: { name: 'Old' } },
        left: { state: 'applied', spec: { name: 'New' } },
        boundBy: null,
      },
    ]);
  });

  test('has nothing of a request that certainly changed nothing', () => {
    const failed = [...found('r1', 'group/sales', { name: 'Old' }), ended('r1', 'partial')];
    expect(traced(failed, 'r1').traces).toEqual([]);
  });

  test('says of a run that was killed what the next run found, when that did not end it', () => {
    const killed = [...found('r1', 'group/sales', { name: 'Old' }), ...found('r1', 'group/vip', null)];
    const next = [
      ...found('r2', 'group/sales', { name: 'New' }, 'r0'),
      applied('r2', 'group/sales', 'Newer'),
      ended('r2'),
    ];
    expect(traced([...killed, ...next], 'r1').traces.map(({ left }) => left)).toEqual([
      { state: 'applied', spec: { name: 'New' }, digests: {} },
      { state: 'unknown' },
    ]);
  });

  const image: LedgerEvent = {
    ...stamp,
    type: 'before',
    address: 'auto_access/a',
    id: 'x',
    spec: { access: { groups: ['group/sales'] } },
  };

  test('follows the names that resources have had since, in what refers to them too', () => {
    const moved: LedgerEvent = { ...stamp, run: 'r2', type: 'moved', from: 'group/sales', to: 'group/shop' };
    const again: LedgerEvent = { ...stamp, run: 'r2', type: 'moved', from: 'group/shop', to: 'group/store' };
    const { traces } = traced(
      [
        ...makes('r1', 'group/sales', 1, 'Sales'),
        image,
        applied('r1', 'auto_access/a', 'a'),
        ended('r1'),
        moved,
        again,
      ],
      'r1',
    );
    expect(traces.map(({ address, before: was, boundBy }) => [address, was, boundBy])).toEqual([
      ['group/store', null, null],
      ['auto_access/a', { access: { groups: ['group/store'] } }, null],
    ]);
  });

  test('says who has bound another object to an address since, and names such an object by its id', () => {
    const events = [
      bound('r0', 'group/sales', 1),
      ...found('r1', 'group/sales', { name: 'Old' }),
      image,
      applied('r1', 'group/sales', 'New'),
      applied('r1', 'auto_access/a', 'a'),
      ended('r1'),
      deleted('r2', 'group/sales'),
      bound('r3', 'group/sales', 2),
    ];
    expect(traced(events, 'r1').traces).toMatchObject([
      { address: 'group/sales', boundBy: 'r3' },
      { address: 'auto_access/a', boundBy: null, before: { access: { groups: ['1'] } } },
    ]);
  });

  test('has the fields that later runs wrote, without what was taken back', () => {
    const changes = (run: string, from: string, to: string, undoes: string | null = null): readonly LedgerEvent[] => [
      ...found(run, 'group/sales', { name: from }, undoes),
      applied(run, 'group/sales', to),
      ended(run, 'done', undoes === null ? 'apply' : 'undo'),
    ];
    const events = [...makes('r0', 'group/sales', 1, 'A'), ended('r0'), ...changes('r1', 'A', 'B')];
    const rewritten = (...more: readonly (readonly LedgerEvent[])[]): readonly string[] => [
      ...(traced([...events, ...more.flat()], 'r0').traces[0]?.rewritten ?? []),
    ];
    const [back, put] = [changes('u1', 'B', 'A', 'r1'), changes('r2', 'B', 'A')];
    const failed = [...found('r3', 'group/sales', { name: 'A' }), ended('r3', 'failed')];
    expect([rewritten(put), rewritten(back), rewritten(back, failed)]).toEqual([['name'], [], []]);
    expect(rewritten(put, changes('u2', 'A', 'B', 'r2'), back)).toEqual([]);
    expect(rewritten(back, changes('u2', 'A', 'B', 'u1'), changes('u3', 'B', 'A', 'u2'))).toEqual([]);
    expect(rewritten(back, changes('u2', 'A', 'B', 'u1'), put)).toEqual(['name']);
  });

  test('of a run that was killed at the very end of the ledger has its last event', () => {
    const events = [...found('r1', 'group/sales', { name: 'Old' }), applied('r1', 'group/sales', 'New')];
    expect(traced(events, null).traces).toMatchObject([{ left: { state: 'applied', spec: { name: 'New' } } }]);
  });

  test('is the order of all rules around it', () => {
    const order = { ...stamp, type: 'order', kind: 'auto_access', order: ['auto_access/a'] } as const;
    const events: readonly LedgerEvent[] = [
      { ...stamp, type: 'begun', command: 'apply' },
      { ...order, moment: 'before', ids: ['a', 7] },
      { ...order, moment: 'applied', ids: ['7', 'a'] },
      ended('r1'),
    ];
    const owned = ['auto_access/a'];
    expect(traced(events, 'r1').order).toEqual({
      before: { owned, ids: ['a', '7'] },
      left: { owned, ids: ['7', 'a'] },
      isRewritten: false,
    });
    const isMoved = (ids: readonly (readonly string[])[], undoes: string | null = null): boolean | undefined => {
      const purpose = undoes === null ? { command: 'apply' } : { command: 'undo', undoes };
      const later = ids.flatMap(([first = '', second = ''], index): readonly LedgerEvent[] => [
        ...(index === 0 ? [{ ...stamp, run: 'r2', type: 'begun', ...purpose } as const] : []),
        { ...order, run: 'r2', moment: index === 0 ? 'before' : 'applied', ids: [first, second] },
      ]);
      return traced([...events, ...later, ended('r2')], 'r1').order?.isRewritten;
    };
    const [left, moved] = [
      ['7', 'a'],
      ['a', '7'],
    ] as const;
    expect([isMoved([left, left]), isMoved([left, moved]), isMoved([left])]).toEqual([false, true, true]);
    expect(isMoved([left, moved], 'r1')).toBe(false);
  });
});

describe('a run that was cut short', () => {
  const first = makes('k1', 'group/sales', 1, 'Sales');
  const second = makes('k2', 'group/vip', 2, 'VIP');

  test.each([
    ['was killed', []],
    ['was interrupted', [ended('k1', 'interrupted')]],
  ])('is one change with the run that finished it: it %s', (_, end) => {
    const events = [...first, ...end, ...second, ended('k2', 'done', 'apply', ['k1'])];
    expect(
      runToUndo(
        events.map((event) => (event.type !== 'unknown' && event.run === 'k2' ? { ...event, at: LATER } : event)),
        null,
      ).run.at,
    ).toBe(LATER);
    for (const wanted of [null, 'k1', 'k2'])
      expect(runToUndo(events, wanted).run).toMatchObject({ id: 'k2', outcome: 'done', finished: ['k1'] });
    expect(traced(events, null).traces.map(({ address, before }) => [address, before])).toEqual([
      ['group/sales', null],
      ['group/vip', null],
    ]);
  });

  test('may be one of several, and what the first of them found counts', () => {
    const third = [...found('k3', 'group/sales', { name: 'Sales' }), applied('k3', 'group/sales', 'Shop')];
    const events = [...first, ...second, ...third, ended('k3', 'done', 'apply', ['k1', 'k2'])];
    expect(runToUndo(events, null).run).toMatchObject({ id: 'k3', finished: ['k1', 'k2'] });
    expect(traced(events, null).traces).toMatchObject([
      { address: 'group/sales', before: null, left: { state: 'applied', spec: { name: 'Shop' } } },
      { address: 'group/vip', before: null },
    ]);
  });

  test.each([
    ['a run that changed nothing ended it', [ended('idle', 'done', 'apply', ['k1'])], 'k2'],
    ['the next run did not say that it ended it', [], 'k2'],
  ])('is a change of its own when %s', (_, between, id) => {
    const events = [...first, ...between, ...second, ended('k2')];
    expect(runToUndo(events, null).run).toMatchObject({ id, finished: [] });
    expect(runToUndo(events, 'k1').run).toMatchObject({ id: 'k1', finished: [] });
  });

  test('is no part of a run of another purpose, nor of one with another change in between', () => {
    const other = [...second, ended('k2', 'partial')];
    const third = [...makes('k3', 'group/new', 3, 'New'), ended('k3', 'done', 'apply', ['k1'])];
    expect(runToUndo([...first, ...other, ...third], null).run).toMatchObject({ id: 'k3', finished: [] });
    const destroy: LedgerEvent[] = [
      { ...stamp, run: 'd1', type: 'begun', command: 'destroy' },
      { ...stamp, run: 'd1', type: 'before', address: 'group/sales', id: 1, spec: { name: 'Sales' } },
      deleted('d1', 'group/sales'),
      ended('d1', 'done', 'destroy', ['k1']),
    ];
    expect(runToUndo([...first, ...destroy], null).run).toMatchObject({ id: 'd1', finished: [] });
  });

  test('is not finished by its undo', () => {
    const events = [
      ...first,
      ...found('u1', 'group/sales', { name: 'Sales' }, 'k1'),
      deleted('u1', 'group/sales'),
      ended('u1', 'done', 'undo', ['k1']),
    ];
    expect(runToUndo(events, null).run).toMatchObject({ id: 'u1', finished: [] });
    expect(runToUndo(events, 'k1')).toMatchObject({ run: { id: 'k1', finished: [] }, begun: null });
  });
});

describe('an undo that was cut short', () => {
  const undone = found('u1', 'group/sales', { name: 'Sales' }, 'r1');
  const events = [...makes('r1', 'group/sales', 1, 'Sales'), ended('r1'), ...undone];

  test.each([null, 'u1', 'r1'])('is gone on with, and not taken back (%s)', (wanted) => {
    expect(runToUndo(events, wanted)).toMatchObject({ run: { id: 'r1' }, begun: { id: 'u1' } });
    expect(runToUndo([...events, ended('u1', 'interrupted', 'undo')], wanted)).toMatchObject({ run: { id: 'r1' } });
  });

  test('is one change with the undo that finished it, and that can be taken back', () => {
    const finished = [
      ...events,
      deleted('u1', 'group/sales'),
      ...found('u2', 'group/vip', null, 'r1'),
      bound('u2', 'group/vip', 2),
      ended('u2', 'done', 'undo', ['u1']),
    ];
    expect(runToUndo(finished, null)).toMatchObject({ run: { id: 'u2', finished: ['u1'] }, begun: null });
  });

  test('is not gone on with once an apply has found everything as it is declared', () => {
    const ends = [...events, ended('idle', 'done', 'apply', ['u1'])];
    expect(runToUndo(ends, null)).toMatchObject({ run: { id: 'u1' }, begun: null });
    expect(runToUndo(ends, 'r1')).toMatchObject({ run: { id: 'r1' }, begun: null });
    const later = [...ends, ...makes('r2', 'group/vip', 2, 'VIP'), ended('r2')];
    expect(runToUndo(later, null)).toMatchObject({ run: { id: 'r2', finished: [] }, begun: null });
  });

  test('of a run that is compacted away cannot be gone on with', () => {
    expect(() => runToUndo(undone, null)).toThrow('run r1, which run u1 began to undo, cannot be undone');
  });

  test('leaves what it did, not what the run did', () => {
    const forgotten = deleted('u1', 'group/sales');
    expect(traced([...events, forgotten], null).traces).toMatchObject([{ before: null, left: { state: 'deleted' } }]);
    const again = bound('u1', 'group/sales', 9);
    expect(traced([...events, forgotten, again], null).traces).toMatchObject([{ left: { state: 'unknown' } }]);
  });

  test('leaves what others bound between the run and it', () => {
    const made = [
      ...makes('r1', 'group/sales', 1, 'Sales'),
      ...found('r1', 'group/vip', null),
      bound('r1', 'group/vip', 2),
    ];
    const others = [deleted('r2', 'group/sales'), ...makes('r3', 'group/sales', 3, 'Sales'), ended('r3')];
    const begun = [...found('u1', 'group/vip', { name: 'VIP' }, 'r1'), deleted('u1', 'group/vip')];
    expect(traced([...made, ended('r1'), ...others, ...begun], null).traces).toMatchObject([
      { address: 'group/sales', boundBy: 'r3' },
      { address: 'group/vip', boundBy: null },
    ]);
  });

  test('leaves an order that is neither of the two', () => {
    const order = { ...stamp, type: 'order', kind: 'auto_access', order: [], ids: ['7'] } as const;
    const began: readonly LedgerEvent[] = [
      { ...stamp, type: 'begun', command: 'apply' },
      { ...order, moment: 'before' },
      { ...order, moment: 'applied' },
      ended('r1'),
      { ...stamp, run: 'u1', type: 'begun', command: 'undo', undoes: 'r1' },
      { ...order, run: 'u1', moment: 'before' },
    ];
    expect(traced(began, null).order?.left).toBeNull();
  });
});

describe('a run over several targets', () => {
  const part = (run: string, address: Address, fleetRun: string): readonly LedgerEvent[] =>
    [...found(run, address, { name: 'Before' }), applied(run, address, run)].map((event) =>
      event.type === 'begun' ? { ...event, fleet_run: fleetRun } : event,
    );
  const tried = [
    ...part('aa11', 'group/a', 'fleet-1'),
    ended('aa11', 'partial'),
    ...part('bb22', 'group/b', 'fleet-1'),
  ];

  test('is named by its id, and what another attempt did is the same change', () => {
    const { run } = runToUndo([...tried, ended('bb22'), ...makes('cc33', 'group/c', 3, 'C'), ended('cc33')], 'flee');
    expect(run).toMatchObject({ id: 'bb22', finished: ['aa11'], fleetRun: 'fleet-1' });
  });

  test('that changed the target twice, with another run between, means the last change that can be undone', () => {
    const between = [...tried.slice(0, 4), ...makes('cc33', 'group/c', 3, 'C'), ended('cc33'), ...tried.slice(4)];
    const events = [...between, ended('bb22')];
    expect(runToUndo(events, 'fleet-1').run).toMatchObject({ id: 'bb22', finished: [] });
    const undone = [...found('dd44', 'group/b', { name: 'bb22' }, 'bb22'), applied('dd44', 'group/b', 'Before')];
    expect(runToUndo([...events, ...undone, ended('dd44', 'done', 'undo')], 'fleet-1').run.id).toBe('aa11');
  });
});
