import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/base/model.ts';
import type { LedgerEvent } from '../../src/ledger/events.ts';
import { compact, foldLedger } from '../../src/ledger/ledger.ts';
import { linesOf, writeEvent } from '../../src/ledger/lines.ts';
import { createdSince } from '../../src/reading/recent.ts';
import { tries } from '../tries.ts';
import { anyEvent, intent } from './conformance.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-11-01T00:00:00.000Z');
const on = (day: number): string => new Date(START + day * DAY).toISOString();

/** Events of ten days, in their order. */
const anyLog = fc
  .array(fc.tuple(anyEvent, fc.nat({ max: 10 })), { maxLength: 30 })
  .map((pairs) =>
    pairs
      .toSorted(([, one], [, other]) => one - other)
      .map(
        ([event, day]): LedgerEvent =>
          event.type === 'unknown' ? { ...event, event: { ...event.event, at: on(day) } } : { ...event, at: on(day) },
      ),
  );

const bound = (address: Address, id: number, day: number): LedgerEvent => ({
  v: 1,
  at: on(day),
  type: 'bound',
  address,
  id,
  origin: 'created',
});

/** As they are told, and in which order. */
const told = (events: readonly LedgerEvent[]) =>
  Object.values(foldLedger(events)).map((entries: ReadonlyMap<string, unknown>) => [...entries]);

describe('a compacted log', () => {
  test('It folds to what the whole log folds to, says what was just created, and compacts no further', () => {
    fc.assert(
      fc.property(anyLog, fc.nat({ max: 11 }), (events, day) => {
        const since = START + day * DAY;
        const shorter = compact(events, since);
        expect(told(shorter)).toEqual(told(events));
        expect(createdSince(shorter, START)).toEqual(createdSince(events, START));
        expect(shorter.length).toBeLessThanOrEqual(events.length);
        expect(compact(shorter, since)).toBe(shorter);
      }),
      { numRuns: tries(500) },
    );
  });

  test('It is one that can be read again', () => {
    fc.assert(
      fc.property(anyLog, (events) => {
        const shorter = compact(events, START + 11 * DAY);
        const log = Buffer.from(shorter.map((event) => `${writeEvent(event)}\n`).join(''));
        expect(linesOf(log).map(({ read }) => read)).toEqual(shorter);
      }),
    );
  });

  test('What happened since then, and what only a newer chatform understands, stays as it is with all after it', () => {
    fc.assert(
      fc.property(anyLog, fc.nat({ max: 11 }), (events, day) => {
        const first = events.findIndex(
          (event) => event.type === 'unknown' || Date.parse(event.at) >= START + day * DAY,
        );
        const kept = first === -1 ? [] : events.slice(first);
        expect(compact(events, START + day * DAY).slice(-kept.length || Infinity)).toEqual(kept);
      }),
    );
  });

  test('Nothing is left of runs, of what was let go and of what is decided; a moved object has its last name and its first day', () => {
    const events: readonly LedgerEvent[] = [
      bound('group/a', 1, 0),
      bound('group/b', 2, 0),
      { v: 1, at: on(1), type: 'forgotten', address: 'group/b' },
      { v: 1, at: on(1), type: 'moved', from: 'group/a', to: 'group/c' },
      { ...intent('bot/a', 'i1'), at: on(2) },
      { ...intent('bot/b', 'i2'), at: on(2) },
      { v: 1, at: on(2), type: 'done', intent: 'i1', outcome: 'refused' },
      { v: 1, at: on(2), type: 'run', id: 'r', command: 'apply', outcome: 'failed' },
    ];
    expect(compact(events, START + 3 * DAY)).toEqual([bound('group/c', 1, 0), { ...intent('bot/b', 'i2'), at: on(2) }]);
  });

  test('A member that only a newer chatform knows is kept', () => {
    const event = { ...bound('group/a', 1, 0), because: 'of this' };
    const events = [event, { v: 1, at: on(0), type: 'run', id: 'r', command: 'apply', outcome: 'done' } as const];
    expect(compact(events, START + DAY)).toEqual([event]);
  });
});
