import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, soundEvents } from '../../src/ledger/lines.ts';

const AT = '2026-01-02T03:04:05.000Z';
const EVENT = JSON.stringify({
  v: 1,
  at: AT,
  run: 'r',
  type: 'bound',
  address: 'group/ä',
  id: 7,
  origin: 'created',
  more: [1],
});

/** What `linesOf` makes of the same bytes. */
function slowly(log: Buffer): readonly unknown[] | null {
  const read = linesOf(log).map((line) => line.read);
  return read.every((each) => typeof each === 'object') ? read : null;
}

describe('the events of a sound log', () => {
  it('are those that its lines are read as, and none when one of them is no event', () => {
    const line = fc.constantFrom(
      ...[EVENT, EVENT, EVENT, ` ${EVENT} \r`, '', ' \t\r', '{}', 'null', '"damaged"', '\u{feff}', `${EVENT}${EVENT}`],
      ...[EVENT.slice(0, 20), EVENT.replace('"v":1', '"v":2'), EVENT.replace('created', 'found'), '{"__proto__":1}'],
      ...[EVENT.replace('bound', 'later'), EVENT.replace(AT, 'today'), EVENT.replace('group/', 'team/')],
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom('', '\n', '\n{"v":1'), (lines, end) => {
        const log = Buffer.from(lines.join('\n') + end);
        const marked = Buffer.from(`\ufeff${log}`);
        expect(soundEvents(marked)).toEqual(slowly(marked));
        expect(soundEvents(log)).toEqual(slowly(log));
      }),
    );
  });

  it('are none when bytes are no text', () => {
    const log = Buffer.from(`${EVENT}\n${EVENT}\n`);
    log[log.indexOf('ä')] = 0xff;
    expect(soundEvents(log)).toBeNull();
  });

  it('are all read of a log that is longer than one piece of it', () => {
    const log = Buffer.from(`${EVENT}\n`.repeat(24_000));
    expect(log.length).toBeGreaterThan(2 * 1024 * 1024);
    expect(soundEvents(log)).toHaveLength(24_000);
  });
});
