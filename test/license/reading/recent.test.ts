import { describe, expect, test } from 'vitest';
import type { Address, Spec } from '../../../src/base/model.ts';
import type { LedgerEvent } from '../../../src/ledger/events.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import { recentOf } from '../../../src/license/reading/recent.ts';

const START = Date.parse('2026-11-01T00:00:00.000Z');
const stamp = (second: number) => ({ v: 1, run: 'r', at: new Date(START + second * 1000).toISOString() }) as const;
const at = (second: number): number => START + second * 1000;

const imaged = (second: number, address: Address, spec: Spec | null, run = 'r1'): LedgerEvent => ({
  ...stamp(second),
  type: 'before',
  run,
  address,
  id: spec === null ? null : 7,
  spec,
});
const ended = (second: number, unsure: readonly Address[] = [], run = 'r1'): LedgerEvent => ({
  ...stamp(second),
  type: 'run',
  run,
  command: 'apply',
  outcome: 'partial',
  unsure,
});
const bound = (second: number, address: Address, id: number): LedgerEvent => ({
  ...stamp(second),
  type: 'bound',
  address,
  id,
  origin: 'created',
});
const gone = (second: number, address: Address, because?: string): LedgerEvent => ({
  ...stamp(second),
  type: 'forgotten',
  address,
  ...(because === undefined ? {} : { because }),
});
const order = (second: number, moment: 'before' | 'applied', list: readonly Address[]): LedgerEvent => ({
  ...stamp(second),
  type: 'order',
  moment,
  kind: 'auto_access',
  order: list,
  ids: [],
});
const applied = (second: number, address: Address, name: string): LedgerEvent => ({
  ...stamp(second),
  type: 'applied',
  address,
  spec: { name },
  digests: {},
});

describe('what a ledger knows of the last moments', () => {
  test('A request that left is in flight, with the first image and the last time of its run, until it is recorded how it ended', () => {
    const events = [imaged(1, 'group/a', { name: 'A' }), imaged(5, 'group/a', { name: 'half' })];
    expect([...recentOf(events, START).inFlight]).toEqual([['group/a', { run: 'r1', spec: { name: 'A' }, at: at(5) }]]);
    expect(recentOf([...events, applied(6, 'group/a', 'B')], START).inFlight.size).toBe(0);
    expect(recentOf([...events, gone(6, 'group/a')], START).inFlight.size).toBe(0);
  });

  test('A run that ended answers for all of its requests but those it is not sure of, and for no other run', () => {
    const events = [imaged(1, 'group/a', null), imaged(1, 'group/b', null), imaged(1, 'group/c', null, 'r0')];
    const { inFlight } = recentOf([...events, ended(2, ['group/b'])], START);
    expect([...inFlight.keys()]).toEqual(['group/b', 'group/c']);
  });

  test('The next run replaces the image of one that was killed', () => {
    const events = [imaged(1, 'group/a', { name: 'A' }, 'r0'), imaged(9, 'group/a', { name: 'B' })];
    expect(recentOf(events, START).inFlight.get('group/a')?.spec).toEqual({ name: 'B' });
  });

  test('An object that we deleted is known by its id, also when it was moved before, unless it was made again or only let go', () => {
    const events = [
      bound(1, 'group/a', 7),
      { ...stamp(2), type: 'moved', from: 'group/a', to: 'group/b' } as const,
      gone(3, 'group/b', 'deleted'),
      bound(1, 'group/c', 8),
      gone(3, 'group/c'),
      bound(1, 'group/d', 9),
      gone(3, 'group/d', 'deleted'),
      bound(4, 'group/d', 9),
    ];
    expect(recentOf(events, START).deleted.get('group')).toEqual([{ id: 7, at: at(3) }]);
  });

  test('A stranger that we deleted is known by its id as well, although it was never bound', () => {
    const image = { ...stamp(1), type: 'before', run: 'r', address: 'auto_access/old', id: 'old', spec: {} } as const;
    const events = [image, gone(2, 'auto_access/old', 'deleted')];
    expect(recentOf(events, START).deleted.get('auto_access')).toEqual([{ id: 'old', at: at(2) }]);
  });

  test('An order that a run began to change is in flight until one was applied', () => {
    const events = [order(1, 'before', ['auto_access/a', 'auto_access/b'])];
    expect(recentOf(events, START).ordersInFlight.get('auto_access')).toEqual({
      order: ['auto_access/a', 'auto_access/b'],
      at: at(1),
    });
    const now = recentOf([...events, order(2, 'applied', ['auto_access/b', 'auto_access/a'])], START);
    expect(now.ordersInFlight.size).toBe(0);
    expect(now.orders.get('auto_access')?.order).toEqual(['auto_access/b', 'auto_access/a']);
  });

  test('What is older than the moment is left out', () => {
    const events = [
      bound(1, 'group/a', 7),
      applied(1, 'group/a', 'A'),
      imaged(1, 'group/b', null),
      order(1, 'applied', []),
      bound(1, 'group/c', 8),
      gone(1, 'group/c', 'deleted'),
    ];
    const { created, applied: specs, deleted, inFlight, orders } = recentOf(events, at(2));
    expect([created.size, specs.size, inFlight.size, orders.size]).toEqual([0, 0, 0, 0]);
    expect(deleted.get('group') ?? []).toEqual([]);
  });
});

describe('the fold of secrets and orders', () => {
  const secret = (second: number, id: number): LedgerEvent => ({
    ...stamp(second),
    type: 'secret',
    address: 'bot/a',
    id,
    state: 'lost',
  });

  test('What became of a secret counts for the object it was told of, wherever its address is moved', () => {
    const events = [bound(1, 'bot/a', 1), secret(2, 1)];
    expect([...foldLedger(events).secrets]).toEqual([['bot/a', 'lost']]);
    expect(foldLedger([...events, bound(3, 'bot/a', 2)]).secrets.size).toBe(0);
    expect(foldLedger([bound(1, 'bot/a', 1), secret(2, 9)]).secrets.size).toBe(0);
    const moved = { ...stamp(3), type: 'moved', from: 'bot/a', to: 'bot/b' } as const;
    expect([...foldLedger([...events, moved]).secrets]).toEqual([['bot/b', 'lost']]);
  });

  test('An order speaks of its resources by the names they have now', () => {
    const events = [
      bound(1, 'auto_access/a', 1),
      order(2, 'applied', ['auto_access/a', 'auto_access/b']),
      { ...stamp(3), type: 'moved', from: 'auto_access/a', to: 'auto_access/c' } as const,
    ];
    expect(foldLedger(events).orders.get('auto_access')?.order).toEqual(['auto_access/c', 'auto_access/b']);
  });
});
