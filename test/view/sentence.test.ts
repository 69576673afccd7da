// A difference as a sentence, for who runs the desk: who or what, how it was changed, and what the files say.

import { expect, test } from 'vitest';
import type { Difference } from '../../src/plan/differences/difference.ts';
import { sentenceOf } from '../../src/view/words/sentence.ts';
import { ITEMS } from '../features/drift/example.ts';

const ANN = {
  ...(ITEMS[0] as Difference),
  type: 'agent',
  kind: 'changed',
  status: 'drift',
  address: 'agent/ann@example.com',
  name: 'Ann',
  id: 'ann@example.com',
} as const;

const HOURS = (start: string, enabled = true) => ({
  timezone: 'Europe/Warsaw',
  schedule: [{ day: 'monday', enabled, start, end: '17:00' }],
});

test.each<readonly [Partial<Difference>, string]>([
  [
    { path: ['suspended'], live: true, desired: false },
    'Ann is now suspended: changed in the application; the files say otherwise',
  ],
  [
    { path: ['suspended'], live: false, desired: true, status: 'pending' },
    'Ann is not suspended on the license; the files say otherwise',
  ],
  [
    { path: ['max_chats_count'], live: 4, desired: 6, status: 'conflict' },
    'Ann: changed in the application: max chats count is now 4; the files say 6',
  ],
  [
    { path: ['job_title'], live: 'Lead', desired: null },
    'Ann: changed in the application: job title is now Lead; no file says so',
  ],
  [
    { path: ['work_scheduler'], live: HOURS('10:00'), desired: HOURS('09:00') },
    'Ann: changed in the application: Mon 10:00-17:00, in the files 09:00-17:00',
  ],
  [
    { path: ['work_scheduler'], live: HOURS('10:00', false), desired: HOURS('09:00') },
    'Ann: changed in the application: Mon off, in the files 09:00-17:00',
  ],
  [
    { path: ['work_scheduler'], live: HOURS('10:00', false), desired: HOURS('09:00', false) },
    'Ann: changed in the application: Mon off 10:00-17:00, in the files off 09:00-17:00',
  ],
  [
    { path: ['groups', 'group/sales'], live: null, desired: 'first' },
    'Changed in the application: Ann in sales: no member; the files say first',
  ],
  [
    {
      type: 'group',
      name: 'Sales',
      path: ['agent_priorities', 'agent/ann@example.com'],
      live: 'last',
      desired: null,
      status: 'pending',
    },
    'ann@example.com in Sales: last; the files say no member',
  ],
  [{ kind: 'missing', path: [] }, 'The agent Ann was deleted in the application; the files have it'],
  [{ kind: 'missing', path: [], status: 'pending' }, 'The agent Ann is in the files and not on the license yet'],
  [{ kind: 'unmanaged', path: [] }, 'The agent Ann is on the license, and no file has it'],
  [
    { kind: 'unmanaged', path: [], status: 'pending' },
    'The agent Ann is no longer in the files, and still on the license',
  ],
  [
    {
      kind: 'reordered',
      type: 'auto_access',
      address: 'auto_access',
      id: null,
      path: [],
      live: ['auto_access/home', 'auto_access/rest', 'auto_access/prices'],
      desired: ['auto_access/home', 'auto_access/prices', 'auto_access/rest'],
    },
    'The order of the rules was changed in the application: rest now comes before prices',
  ],
  [
    {
      type: 'canned_response',
      name: 'hello',
      path: ['text'],
      live: 'Hi',
      desired: 'Hello',
      changed_by: 'bob@example.com',
    },
    'hello: changed in the application by bob@example.com: text is now Hi; the files say Hello',
  ],
  [
    { kind: 'unmanaged', path: [], changed_by: 'bob@example.com' },
    'The agent Ann is on the license, and no file has it; changed last by bob@example.com',
  ],
  [{ kind: 'unreadable', path: ['login_status'] }, 'login status of Ann cannot be read back'],
  [{ kind: 'pending-approval', path: [] }, 'Ann waits for approval'],
  [{ kind: 'due', path: ['work_scheduler'] }, 'The hours of Ann are those of an earlier date'],
])('%j', (difference, sentence) => {
  expect(sentenceOf({ ...ANN, ...difference })).toBe(sentence);
});

test('A membership is told with the names of both where they are known', () => {
  const names = new Map([
    ['agent/ann@example.com', 'Ann'],
    ['group/sales', 'Sales EU'],
  ]);
  const named = (address: string): string => names.get(address) ?? address;
  const ends = { live: null, desired: 'last' } as const;
  const ofGroup = { type: 'group', name: 'Sales EU', path: ['agent_priorities', 'agent/ann@example.com'] } as const;
  const says = 'Changed in the application: Ann in Sales EU: no member; the files say last';
  expect(sentenceOf({ ...ANN, ...ofGroup, ...ends }, named)).toBe(says);
  expect(sentenceOf({ ...ANN, path: ['groups', 'group/sales'], ...ends }, named)).toBe(says);
});
