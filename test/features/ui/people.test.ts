// The people of a license: their hours, and what of the next weeks is not as usual.

import { expect, test } from 'vitest';
import type { Desired } from '../../../src/base/model.ts';
import { dayOf } from '../../../src/base/week.ts';
import { workingPeople } from '../../../src/features/ui/people.ts';
import { type Placed, staffOf } from '../../../src/routing/staff/staff.ts';

const ZONE = 'Europe/Warsaw';
const PLACE = { file: 'm.yaml', line: 1, column: 1, length: 1 };

const day = (text: string): number => dayOf(text) ?? 0;

const shift = (name: string, start: string, end: string) => ({ day: name, enabled: true, start, end });

const person = (name: string, spec: Placed['spec']): Placed => ({
  reference: `agent/${name}`,
  kind: 'agent',
  name,
  spec,
  decides: [],
});

const PLACED = [
  person('ann', {
    max_chats_count: 3,
    work_scheduler: {
      timezone: ZONE,
      schedule: ['monday', 'tuesday', 'wednesday'].map((each) => shift(each, '09:00', '17:00')),
    },
  }),
  person('bob', { work_scheduler: { timezone: 'America/New_York', schedule: [shift('friday', '08:00', '12:00')] } }),
  person('carl', { work_scheduler: { timezone: ZONE, schedule: [] } }),
  person('dora', {}),
];

const DESIRED = {
  dated: new Map([
    [
      'agent/ann',
      {
        day: 0,
        hours: {
          timezone: ZONE,
          ordinary: [],
          keepsClosed: false,
          exceptions: [
            { from: day('2026-12-24'), to: day('2026-12-26'), hours: null, place: PLACE },
            { from: day('2026-12-01'), to: day('2026-12-01'), hours: [{ start: '10:00', end: '14:00' }], place: PLACE },
            { from: day('2026-11-01'), to: day('2026-11-02'), hours: null, place: PLACE },
            { from: day('2027-06-01'), to: day('2027-06-02'), hours: null, place: PLACE },
            {
              from: day('2026-12-02'),
              to: day('2026-12-02'),
              hours: { without: [{ start: '12:00', end: '13:00' }] },
              place: PLACE,
            },
          ],
        },
      },
    ],
  ]),
  coming: [
    { address: 'group/sales', member: 'bob', change: 'begins', day: day('2026-12-03') },
    { address: 'agent/carl', member: null, change: 'ends', day: day('2026-12-04') },
    { address: 'agent/carl', member: null, change: 'away', day: day('2026-12-02') },
  ].map((each) => ({ ...each, timezone: ZONE, place: PLACE })),
} as unknown as Desired;

test('Each person has hours, the zone where it is another one, and what is not as usual in the next weeks, in order', () => {
  const staff = staffOf(PLACED, { zone: ZONE, version: '3.6', isRead: true });
  expect(workingPeople(staff, DESIRED, ZONE, day('2026-11-30'))).toEqual({
    'agent/ann': {
      slots: 3,
      hours: ['Mon-Wed 09:00-17:00'],
      ahead: [
        'Tue 1 December 2026 10:00-14:00',
        'Wed 2 December 2026 without 12:00-13:00',
        'Thu 24 December 2026 to Sat 26 December 2026 off',
      ],
    },
    'agent/bob': {
      slots: null,
      hours: ['Fri 08:00-12:00', 'America/New_York'],
      ahead: ['joins group/sales on Thu 3 December 2026'],
    },
    'agent/carl': { slots: null, hours: ['at any time'], ahead: ['ends on Fri 4 December 2026'] },
    'agent/dora': { slots: null, hours: ['not known'], ahead: [] },
  });
});
