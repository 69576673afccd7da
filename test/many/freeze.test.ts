// Freeze windows, also where clocks change.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frozenUntil } from '../../src/many/freeze.ts';
import type { FreezeWindow } from '../../src/project/fleet-settings.ts';
import { tries } from '../tries.ts';

const HOUR = 3_600_000;

const WEEKEND: FreezeWindow = {
  cron: '0 16 * * 5',
  duration: 64 * HOUR,
  zone: 'Europe/Berlin',
  reason: 'weekend',
};

async function untilOf(windows: readonly FreezeWindow[], now: string): Promise<string | null> {
  const found = (await frozenUntil(windows))(Date.parse(now));
  return found === null ? null : new Date(found.until).toISOString();
}

test.each([
  ['before it begins', '2026-11-20T14:59:59.999Z', null],
  ['when it begins', '2026-11-20T15:00:00.000Z', '2026-11-23T07:00:00.000Z'],
  ['in the middle', '2026-11-22T03:04:05.678Z', '2026-11-23T07:00:00.000Z'],
  ['just before its end', '2026-11-23T06:59:59.999Z', '2026-11-23T07:00:00.000Z'],
  ['at its end', '2026-11-23T07:00:00.000Z', null],
  ['when the clocks go forward on Sunday', '2026-03-28T12:00:00.000Z', '2026-03-30T06:00:00.000Z'],
  ['when the clocks go back on Sunday', '2026-10-24T12:00:00.000Z', '2026-10-26T07:00:00.000Z'],
])('A window on the weekend, %s', async (_, now, until) => {
  expect(await untilOf([WEEKEND], now)).toBe(until);
});

test.each([
  ['begins in an hour that does not exist', 1, '2026-03-29T01:10:00.000Z', '2026-03-29T02:00:00.000Z'],
  ['begins in an hour that comes twice', 1, '2026-10-25T00:40:00.000Z', '2026-10-25T02:30:00.000Z'],
  ['ends in an hour that comes twice', 0.25, '2026-10-25T00:40:00.000Z', '2026-10-25T00:45:00.000Z'],
])('A window that %s', async (_, hours, now, until) => {
  const window = { ...WEEKEND, cron: '30 2 * * *', duration: hours * HOUR };
  expect(await untilOf([window], now)).toBe(until);
});

test('Windows that follow each other are one, and the reason is that of the first one that holds now', async () => {
  const night = { ...WEEKEND, cron: '0 22 * * *', duration: 10 * HOUR, reason: 'night' };
  const frozen = await frozenUntil([WEEKEND, night]);
  // Sunday 23:00 in Berlin: until Monday 8:00, by both.
  expect(frozen(Date.parse('2026-11-22T22:00:00Z'))?.reason).toBe('weekend');
  const friday = { ...WEEKEND, cron: '0 8 * * 5', duration: 8 * HOUR, reason: 'sale' };
  const found = (await frozenUntil([WEEKEND, friday]))(Date.parse('2026-11-20T08:00:00Z'));
  expect(found).toEqual({ until: Date.parse('2026-11-23T07:00:00Z'), reason: 'sale' });
});

test('A time to wait for holds like a window, and until the end of the window that it is in', async () => {
  const frozen = await frozenUntil([WEEKEND], Date.parse('2026-11-21T00:00:00Z'));
  const monday = Date.parse('2026-11-23T07:00:00Z');
  expect(frozen(Date.parse('2026-11-19T00:00:00Z'))).toEqual({ until: monday, reason: 'weekend' });
  expect(frozen(monday)).toBeNull();
  const alone = await frozenUntil([], monday);
  expect([alone(monday - 1), alone(monday)]).toEqual([{ until: monday, reason: '--not-before' }, null]);
});

test('Windows without an end are told about a year ahead; without windows there is no freeze', async () => {
  const always = { ...WEEKEND, cron: '0 0 * * *', duration: 24 * HOUR, zone: 'UTC' };
  const now = Date.parse('2026-11-23T12:00:00Z');
  const until = (await frozenUntil([always]))(now)?.until ?? 0;
  expect(until - now).toBeGreaterThan(365 * 24 * HOUR);
  expect((await frozenUntil([]))(now)).toBeNull();
});

test('A time is frozen if and only if a window that began in the hours before lasts until then, minute by minute', async () => {
  const anyWindow = fc.record({
    minute: fc.nat(59),
    hour: fc.nat(23),
    hours: fc.integer({ min: 1, max: 30 }),
    zone: fc.constantFrom('UTC', 'Asia/Kolkata', 'Asia/Tokyo'),
    now: fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-01-01') }),
  });
  const property = fc.asyncProperty(anyWindow, async ({ minute, hour, hours, zone, now }) => {
    const frozen = await frozenUntil([{ cron: `${minute} ${hour} * * *`, duration: hours * HOUR, zone, reason: null }]);
    // These zones never change their clocks, so every day is alike.
    const offset = { UTC: 0, 'Asia/Kolkata': 5.5, 'Asia/Tokyo': 9 }[zone] ?? 0;
    const sinceStart = (now + offset * HOUR - (hour * HOUR + minute * 60_000)) % (24 * HOUR);
    expect(frozen(now) !== null).toBe(hours >= 24 || sinceStart < hours * HOUR);
  });
  await fc.assert(property, { numRuns: tries(2_000, 100) });
});
