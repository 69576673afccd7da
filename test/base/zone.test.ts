import { expect, test } from 'vitest';
import { DAY, HOUR, instantOf, isTimezone, offsetAt, stretchesOf } from '../../src/base/zone.ts';

/** The offset that a formatter shows, to the second. */
function shown(zone: string, instant: number): number {
  const options = { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' } as const;
  const name = new Intl.DateTimeFormat('en', options).formatToParts(instant).at(-1)?.value ?? '';
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

test.each(['UTC', 'Europe/Warsaw', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca'])(
  'The offset of %s is the one that Intl shows, also to the millisecond of each change',
  (zone) => {
    const [from, to] = [Date.UTC(2011, 11, 1), Date.UTC(2013, 5, 1)];
    const stretches = stretchesOf(zone, { from, to });
    expect([stretches[0]?.from, stretches.at(-1)?.to]).toEqual([from, to]);
    for (const { from: begin, to: end, offset } of stretches)
      for (const at of [begin, begin + 1, (begin + end) / 2, end - 1]) {
        expect(offsetAt(zone, at)).toBe(offset);
        expect(shown(zone, at)).toBe(offset);
      }
    for (let at = from; at < to; at += 5 * HOUR) expect(offsetAt(zone, at)).toBe(shown(zone, at));
  },
);

test('A zone of centuries ago, or in the first century, has its offset to the second', () => {
  const offset = (9 * 60 + 21) * 1000;
  expect(offsetAt('Europe/Paris', Date.UTC(1850, 0, 1))).toBe(offset);
  expect(offsetAt('Europe/Paris', new Date(0).setUTCFullYear(33, 3, 3))).toBe(offset);
  expect(offsetAt('UTC', 253_402_300_800_000 - DAY / 8)).toBe(0);
});

test('A time that the clock jumps over is the instant after the jump', () => {
  const jumped = Date.UTC(2026, 2, 29, 2, 30);
  expect(instantOf('Europe/Warsaw', jumped)).toBe(Date.UTC(2026, 2, 29, 1));
});

test('A zone has its own letters, and no offset for a name', () => {
  const names = ['Europe/Warsaw', 'UTC', 'US/Pacific', 'europe/warsaw', 'us/pacific', '+05:00', 'Nowhere', ''];
  expect(names.filter(isTimezone)).toEqual(['Europe/Warsaw', 'UTC', 'US/Pacific']);
});
