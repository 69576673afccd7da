// What happened in which run, also in a run that was killed.

import { expect, test } from 'vitest';
import type { LedgerEvent } from '../../src/ledger/events.ts';
import { historyOf } from '../../src/ledger/history.ts';

const at = (minute: number) => ({ v: 1, at: `2026-11-21T12:0${minute}:00Z` }) as const;

const image = (run: string, minute: number): LedgerEvent => ({
  ...at(minute),
  type: 'before',
  run,
  address: 'group/sales',
  id: null,
  spec: null,
});
const bound = (origin: 'created' | 'adopted', minute: number): LedgerEvent => ({
  ...at(minute),
  type: 'bound',
  address: 'group/sales',
  id: 1,
  origin,
});
const ended = (id: string, minute: number): LedgerEvent => ({
  ...at(minute),
  type: 'run',
  id,
  command: 'apply',
  outcome: 'done',
});

const told = (events: readonly LedgerEvent[]) =>
  historyOf(events, null).map(({ run, event }) => [
    run,
    event.type === 'killed' ? [event.at, event.finished_by] : event.type,
  ]);

test('a killed run has its own events, and says who finished it', () => {
  const events = [image('k1', 1), bound('created', 2), image('r2', 3), bound('created', 4), ended('r2', 5)];
  expect(told(events)).toEqual([
    ['k1', 'before'],
    ['k1', 'bound'],
    ['k1', ['2026-11-21T12:02:00Z', 'r2']],
    ['r2', 'before'],
    ['r2', 'bound'],
    ['r2', 'run'],
  ]);
});

test('an adoption begins the next run', () => {
  expect(told([image('k1', 1), bound('adopted', 2), image('r2', 3), ended('r2', 4)])).toEqual([
    ['k1', 'before'],
    ['k1', ['2026-11-21T12:01:00Z', 'r2']],
    ['r2', 'bound'],
    ['r2', 'before'],
    ['r2', 'run'],
  ]);
});

test('a killed run at the end is finished by none', () => {
  expect(told([bound('adopted', 1), ended('r1', 1), image('k1', 2), bound('created', 3)])).toEqual([
    ['r1', 'bound'],
    ['r1', 'run'],
    ['k1', 'before'],
    ['k1', 'bound'],
    ['k1', ['2026-11-21T12:03:00Z', null]],
  ]);
});

test('the history of an address has no killed runs, as it has no ends of runs', () => {
  const events = [image('k1', 1), image('r2', 3), ended('r2', 5)];
  expect(historyOf(events, () => true).map(({ event }) => event.type)).toEqual(['before', 'before']);
});
