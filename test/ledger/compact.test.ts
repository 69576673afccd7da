import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/base/model.ts';
import { runToUndo } from '../../src/features/undo/read-undo.ts';
import { compact } from '../../src/ledger/compact.ts';
import type { LedgerEvent } from '../../src/ledger/events.ts';
import { footprintOf } from '../../src/ledger/footprint.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { linesOf, writeEvent } from '../../src/ledger/lines.ts';
import { createdSince } from '../../src/license/reading/recent.ts';
import { tries } from '../tries.ts';
import { anyEvent, intent } from './conformance.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-11-01T00:00:00.000Z');
const on = (day: number): string => new Date(START + day * DAY).toISOString();

/** Events of ten days, in their order; each run is of one day. */
const anyLog = fc
  .array(fc.tuple(anyEvent, fc.nat({ max: 10 })), { maxLength: 30 })
  .map((pairs) =>
    pairs
      .toSorted(([, one], [, other]) => one - other)
      .map(
        ([event, day]): LedgerEvent =>
          event.type === 'unknown'
            ? { ...event, event: { ...event.event, at: on(day) } }
            : { ...event, at: on(day), run: `${event.run}-${day}` },
      ),
  );

const bound = (address: Address, id: number, day: number): LedgerEvent => ({
  v: 1,
  run: 'r',
  at: on(day),
  type: 'bound',
  address,
  id,
  origin: 'created',
});

/** As they are told, and in which order. */
const told = (events: readonly LedgerEvent[]) =>
  Object.values(foldLedger(events)).map((entries: ReadonlyMap<string, unknown> | ReadonlySet<unknown> | null) => [
    ...(entries ?? []),
  ]);

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

  test('Of runs one event is left, and nothing of what was let go and of what is decided; a moved object has its last name and its first day', () => {
    const events: readonly LedgerEvent[] = [
      bound('group/a', 1, 0),
      bound('group/b', 2, 0),
      { v: 1, run: 'r', at: on(1), type: 'forgotten', address: 'group/b' },
      { v: 1, run: 'r', at: on(1), type: 'moved', from: 'group/a', to: 'group/c' },
      { ...intent('bot/a', 'i1'), at: on(2) },
      { ...intent('bot/b', 'i2'), at: on(2) },
      { v: 1, run: 'r', at: on(2), type: 'done', intent: 'i1', outcome: 'refused' },
      { v: 1, run: 'r', at: on(2), type: 'run', command: 'apply', outcome: 'failed' },
    ];
    expect(compact(events, START + 3 * DAY)).toEqual([
      bound('group/c', 1, 0),
      { ...intent('bot/b', 'i2'), at: on(2) },
      { ...events.at(-1), compacted: { began: on(0), changes: { added: 2 }, values: false } },
    ]);
  });

  test('A member that only a newer chatform knows is kept', () => {
    const event = { ...bound('group/a', 1, 0), because: 'of this' };
    const end = { v: 1, run: 'r', at: on(0), type: 'run', command: 'apply', outcome: 'done' } as const;
    expect(compact([event, event, end], START + DAY)[0]).toEqual(event);
  });

  test('The cut is inside of no run, and not between a run that was cut short and the one that ended it', () => {
    const end = { v: 1, run: 'r2', at: on(3), type: 'run', command: 'apply', outcome: 'done' } as const;
    const first: readonly LedgerEvent[] = [bound('group/a', 1, 0), bound('group/a', 1, 0)];
    const second: readonly LedgerEvent[] = [{ ...bound('group/b', 2, 1), run: 'r2' } as LedgerEvent, end];
    expect(compact([...first, ...second], START + 2 * DAY).slice(-2)).toEqual(second);
    const both = [...first, ...second.slice(0, 1), { ...end, ends: ['r'] }];
    expect(compact(both, START + 2 * DAY)).toBe(both);
  });

  describe('of many runs within the days that are kept', () => {
    const AGENTS = 100;
    const HOURS = 3_600_000;
    const spec = (run: number) => ({
      name: 'Ann of the Second Line',
      role: 'normal',
      job_title: `Title ${run}`,
      max_chats_count: run % 20,
      notifications: ['incoming_chat', 'incoming_message_for_focused_chat', 'returning_visitor'],
      work_scheduler: {
        timezone: 'Europe/Warsaw',
        schedule: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => ({
          day,
          enabled: true,
          start: '09:00',
          end: '17:00',
        })),
      },
    });
    /** One apply that changes every agent; one that is killed has no end. */
    const run = (number: number, isKilled = false): readonly LedgerEvent[] => {
      const run = `run-${number}`;
      const stamp = { v: 1, at: new Date(START + number * HOURS).toISOString(), run } as const;
      const agents = Array.from({ length: AGENTS }, (_, index): Address => `agent/agent${index}@example.com`);
      const before = agents.map((address): LedgerEvent => {
        const { job_title, max_chats_count } = spec(number - 1);
        return {
          ...stamp,
          type: 'before',
          address,
          id: address.slice('agent/'.length),
          spec: number === 0 ? null : { job_title, max_chats_count },
        };
      });
      const begun: LedgerEvent = { ...stamp, type: 'begun', command: 'apply' };
      if (isKilled) return [begun, ...before];
      const ends = number === 3 ? { ends: ['run-2'] } : {};
      return [
        begun,
        ...before,
        ...(number > 0
          ? []
          : agents.map(
              (address): LedgerEvent => ({
                ...stamp,
                type: 'bound',
                address,
                id: address.slice('agent/'.length),
                origin: 'created',
              }),
            )),
        ...agents.map(
          (address): LedgerEvent => ({ ...stamp, type: 'applied', address, spec: spec(number), digests: {} }),
        ),
        { ...stamp, type: 'run', command: 'apply', outcome: 'done', ...ends },
      ];
    };
    const bytes = (events: readonly LedgerEvent[]): number =>
      events.reduce((sum, event) => sum + Buffer.byteLength(`${writeEvent(event)}\n`), 0);
    const runsIn = (events: readonly LedgerEvent[]) => events.filter(({ type }) => type === 'run').length;
    const recent = START + 300 * HOURS;

    test('200 applies of 100 agents end in less than 2 MB: what is true, every end of a run, and the newest runs whole', () => {
      const events = Array.from({ length: 200 }, (_, number) => run(number)).flat();
      expect(bytes(events)).toBeGreaterThan(15_000_000);
      const shorter = compact(events, START, { most: 1_000_000, recent });
      expect(bytes(shorter)).toBeLessThan(2_000_000);
      expect(told(shorter)).toEqual(told(events));
      expect(runsIn(shorter)).toBe(200);
      // Undo has both sides of the last runs.
      for (const number of [199, 198]) {
        const { traces } = footprintOf(shorter, runToUndo(shorter, `run-${number}`));
        expect(traces).toHaveLength(AGENTS);
        expect(traces[0]).toMatchObject({ before: { job_title: `Title ${number - 1}` }, left: { spec: spec(number) } });
      }
      expect(compact(shorter, START, { most: 1_000_000, recent })).toBe(shorter);
    });

    test('The last run that changed something stays whatever its size, with what it finished, and so does what is recent', () => {
      const events = [...run(0), ...run(1), ...run(2, true), ...run(3)];
      const most = 1000;
      const last = compact(events, START, { most, recent });
      expect(last.slice(-run(3).length - run(2, true).length)).toEqual([...run(2, true), ...run(3)]);
      expect(runToUndo(last, null).run.finished).toEqual(['run-2']);
      const unchanged = { ...run(3).at(-1), run: 'run-4' } as LedgerEvent;
      const idle = compact([...events, unchanged], START, { most, recent });
      expect(runToUndo(idle, null).run.id).toBe('run-3');
      expect(compact(events, START, { most, recent: START })).toBe(events);
    });
  });
});
