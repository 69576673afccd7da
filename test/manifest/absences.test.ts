// Absences from a table: the hours of each day, and what is told of the coming weeks.

import { expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import type { Desired, Json } from '../../src/base/model.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { memoryDisk } from './memory-disk.ts';

const TEXT = `version: 1
absences: { csv: leave.csv }
schedules: { office: { timezone: Europe/Warsaw, schedule: { mon-fri: 09:00-17:00 } } }
agents:
  ann@example.com: { name: Ann, work_scheduler: { schedule: office, except: [{ date: 2026-12-02, hours: 10:00-12:00 }] } }
  bob@example.com: { name: Bob, work_scheduler: office }
  cid@example.com: { name: Cid, work_scheduler: office }
`;

const TABLE = `who,from,to,hours
bob@example.com,2026-12-05,2026-12-05,08:00-09:00;10:00-11:00
ann@example.com,2026-12-02,2026-12-03,
bob@example.com,2026-12-04,2026-12-06,
bob@example.com,2027-02-01,2027-02-02,
`;

async function desiredOn(date: string, table = TABLE): Promise<Desired> {
  const io = memoryDisk({ 'm.yaml': TEXT, 'leave.csv': table });
  const day = Date.parse(`${date}T00:00:00Z`);
  const { desired, diagnostics } = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', day, io });
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  return desired;
}

/** `wednesday off`, `saturday 08:00-09:00`: what differs from nine to five on a weekday. */
function unusual({ resources }: Desired, key: string): readonly string[] {
  const hours = resources.find((each) => each.key === key)?.spec['work_scheduler'];
  const schedule = isObject(hours) && Array.isArray(hours['schedule']) ? (hours['schedule'] as readonly Json[]) : [];
  return schedule.filter(isObject).flatMap(({ day, enabled, start, end }) => {
    if (enabled === false) return [`${String(day)} off`];
    return start === '09:00' && end === '17:00' ? [] : [`${String(day)} ${String(start)}-${String(end)}`];
  });
}

test('an absence counts more than a date of the person, and a row with hours more than an absence', async () => {
  const desired = await desiredOn('2026-11-30');
  expect(unusual(desired, 'ann@example.com')).toEqual(['wednesday off', 'thursday off']);
  expect(unusual(desired, 'bob@example.com')).toEqual(['friday off', 'saturday 08:00-09:00', 'saturday 10:00-11:00']);
  expect(unusual(desired, 'cid@example.com')).toEqual([]);
  expect(desired.dated?.has('agent/cid@example.com')).toBe(false);
});

test('absences of the coming weeks are told, and what is over is not', async () => {
  const told = ({ coming = [] }: Desired) =>
    coming.map(({ address, change, day }) => `${new Date(day).toISOString().slice(5, 10)} ${address} ${change}`);
  expect(told(await desiredOn('2026-11-30'))).toEqual([
    '12-02 agent/ann@example.com away',
    '12-04 agent/ann@example.com back',
    '12-04 agent/bob@example.com away',
    '12-07 agent/bob@example.com back',
  ]);
  expect(told(await desiredOn('2026-12-05'))).toEqual(['12-07 agent/bob@example.com back']);
  expect(told(await desiredOn('2026-12-07'))).toEqual([]);
});

test('an event of a calendar is an absence, and one with times takes these hours', async () => {
  const calendar = `BEGIN:VCALENDAR
BEGIN:VEVENT
DTSTART;VALUE=DATE:20261202
DTEND;VALUE=DATE:20261204
ATTENDEE:mailto:ann@example.com
END:VEVENT
BEGIN:VEVENT
DTSTART:20261127T120000Z
DTEND:20261127T200000Z
RRULE:FREQ=WEEKLY
SUMMARY:bob@example.com: Friday afternoons
END:VEVENT
END:VCALENDAR
`;
  const io = memoryDisk({ 'm.yaml': TEXT.replace('csv: leave.csv', 'ics: leave.ics'), 'leave.ics': calendar });
  const day = Date.parse('2026-11-30T00:00:00Z');
  const { desired, diagnostics } = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', day, io });
  expect(diagnostics).toEqual([]);
  if (desired === null) return;
  expect(unusual(desired, 'ann@example.com')).toEqual(['wednesday off', 'thursday off']);
  expect(unusual(desired, 'bob@example.com')).toEqual(['friday 09:00-13:00']);
  expect(desired.coming?.map(({ address, change }) => `${address} ${change}`)).toEqual([
    'agent/ann@example.com away',
    'agent/ann@example.com back',
  ]);
});
