// What happened in which run, also in a run that was killed.

import { expect, test } from 'vitest';
import type { LedgerEvent } from '../../src/ledger/events.ts';
import { historyOf } from '../../src/ledger/history.ts';

const at = (run: string, minute: number) => ({ v: 1, at: `2026-11-21T12:0${minute}:00Z`, run }) as const;

const image = (run: string, minute: number): LedgerEvent => ({
  ...at(run, minute),
  type: 'before',
  address: 'group/sales',
  id: null,
  spec: null,
});
const bound = (run: string, minute: number): LedgerEvent => ({
  ...at(run, minute),
  type: 'bound',
  address: 'group/sales',
  id: 1,
  origin: 'created',
});
const ended = (run: string, minute: number, ends: readonly string[] = []): LedgerEvent => ({
  ...at(run, minute),
  type: 'run',
  command: 'apply',
  outcome: 'done',
  ...(ends.length === 0 ? {} : { ends }),
});

const told = (events: readonly LedgerEvent[]) =>
  historyOf(events, null).map(({ run, event }) => [
    run,
    event.type === 'killed' ? [event.at, event.finished_by] : event.type,
  ]);

test('a killed run has its own events, and says who ended it', () => {
  const events = [image('k1', 1), bound('k1', 2), image('r2', 3), bound('r2', 4), ended('r2', 5, ['k1'])];
  expect(told(events)).toEqual([
    ['k1', 'before'],
    ['k1', 'bound'],
    ['k1', ['2026-11-21T12:02:00Z', 'r2']],
    ['r2', 'before'],
    ['r2', 'bound'],
    ['r2', 'run'],
  ]);
});

test('a run that does not say so ends no other', () => {
  expect(told([image('k1', 1), ended('r2', 4)])).toEqual([
    ['k1', 'before'],
    ['k1', ['2026-11-21T12:01:00Z', null]],
    ['r2', 'run'],
  ]);
});

test('what is learned on the way is no run', () => {
  const license = { ...at('v1', 1), type: 'customer', client_id: 'c', entity_id: 'e' } as const;
  expect(told([license, ended('r1', 2)])).toEqual([
    ['v1', 'customer'],
    ['r1', 'run'],
  ]);
});

test('the history of an address has no killed runs, as it has no ends of runs', () => {
  const events = [image('k1', 1), image('r2', 3), ended('r2', 5)];
  expect(historyOf(events, () => true).map(({ event }) => event.type)).toEqual(['before', 'before']);
});
