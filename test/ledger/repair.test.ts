import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerEvent } from '../../src/ledger/events.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { linesOf, writeEvent } from '../../src/ledger/lines.ts';
import { bytesOf, repair } from '../../src/ledger/repair.ts';
import { tries } from '../tries.ts';
import { anyEvent } from './conformance.ts';

const anyDamage = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
  fc.tuple(anyEvent, fc.nat()).map(([event, cut]) => {
    const line = Buffer.from(writeEvent(event));
    return line.subarray(0, cut % line.length);
  }),
);

const at = (minute: number): string => `2026-11-20T12:0${minute}:00.000Z`;
const bound = (id: number, minute: number): LedgerEvent => ({
  v: 1,
  run: 'r',
  at: at(minute),
  type: 'bound',
  address: 'group/a',
  id,
  origin: 'adopted',
});
const gone = (minute: number): LedgerEvent => ({
  v: 1,
  run: 'r',
  at: at(minute),
  type: 'forgotten',
  address: 'group/a',
});
const logOf = (...lines: readonly (LedgerEvent | string)[]): Buffer =>
  Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : writeEvent(line)}\n`).join(''));
const eventsOf = (log: Buffer) => linesOf(log).map(({ read }) => read);

describe('the repair of a log', () => {
  test('Whatever damage stands between them, every event is kept, and the rest is what was damaged', () => {
    const anyLine = fc.oneof(
      anyEvent.map((event) => ({ event, bytes: Buffer.from(writeEvent(event)) })),
      anyDamage.map((bytes) => ({ event: null, bytes })),
    );
    fc.assert(
      fc.property(fc.array(anyLine), (lines) => {
        const log = Buffer.concat(lines.flatMap(({ bytes }) => [bytes, Buffer.from('\n')]));
        const { kept, damaged } = repair(log);
        const events = lines.flatMap(({ event }) => (event === null ? [] : [event]));
        const read = eventsOf(bytesOf(kept));
        expect(read.filter((each) => typeof each === 'string' && each !== 'newer')).toEqual([]);
        // Some damage happens to be an event: it is kept as well, so what was written is a part of what is read.
        let next = 0;
        for (const each of read) if (JSON.stringify(each) === JSON.stringify(events[next])) next += 1;
        expect(next).toBe(events.length);
        expect(kept.length + damaged.length).toBe(linesOf(log).length);
      }),
      { numRuns: tries(300) },
    );
  });

  test('A log that can be read needs none, even where its last line is torn', () => {
    const log = Buffer.concat([logOf(bound(1, 0)), Buffer.from('{"v":1,')]);
    expect(repair(log)).toMatchObject({ damaged: [], kept: [{ read: bound(1, 0) }] });
  });

  test('A torn last line beside other damage is no event either', () => {
    const { kept, damaged } = repair(Buffer.concat([logOf('{', bound(1, 0)), Buffer.from('{"v":1,')]));
    expect([kept.length, damaged.map(({ number }) => number)]).toEqual([1, [1, 3]]);
  });

  test('Lines of a newer format stay', () => {
    const newer = '{"v":2,"what":"ever"}';
    expect(repair(logOf('7', newer)).kept.map(({ bytes }) => bytes.toString())).toEqual([newer]);
  });

  test('Both sides of a merge are kept in the order of their times, and what both have once', () => {
    const both = bound(5, 1);
    const log = logOf(
      bound(1, 0),
      '<<<<<<< HEAD',
      both,
      bound(7, 3),
      '||||||| 1f2e3d4',
      '=======',
      both,
      gone(2),
      '>>>>>>> other',
      bound(8, 4),
    );
    const { kept, damaged } = repair(log);
    expect(kept.map(({ read }) => read)).toEqual([bound(1, 0), both, gone(2), bound(7, 3), bound(8, 4)]);
    expect(damaged.map(({ number }) => number)).toEqual([2, 5, 6, 9]);
  });

  test('What the later side let go is not ours again because the earlier side stands below', () => {
    const log = logOf('<<<<<<< HEAD', bound(7, 1), gone(3), '=======', bound(7, 2), '>>>>>>> other');
    const events = repair(log).kept.flatMap(({ read }) => (typeof read === 'object' ? [read] : []));
    expect(foldLedger(events).bindings.size).toBe(0);
  });

  test('A merge without its last mark is kept as it stands', () => {
    const { kept } = repair(logOf('<<<<<<< HEAD', bound(7, 3), '=======', gone(2)));
    expect(kept.map(({ read }) => read)).toEqual([bound(7, 3), gone(2)]);
  });
});
