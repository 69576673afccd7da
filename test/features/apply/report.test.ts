import { expect, test } from 'vitest';
import { causeText, type EndedApply } from '../../../src/features/apply/report.ts';

const NOTHING: EndedApply = {
  outcome: 'failed',
  message: null,
  stopped_by: null,
  verified: true,
  results: [],
  unsettled: [],
  kept_forms: [],
  rewritten: [],
  lost_secrets: [],
  rescued_secrets: [],
  duration_ms: 0,
};

const failed = (address: 'group/a' | 'group/b'): EndedApply['results'][number] => ({
  step: `create ${address}`,
  address,
  status: 'failed',
  id: null,
  error: { action: 'create_group', type: 'authorization', message: 'the token may not do this', debug_id: null },
  because: null,
});

test.each<readonly [string, Partial<EndedApply>]>([
  [
    'the disk of PostgreSQL is full',
    { stopped_by: 'error', message: 'the disk of PostgreSQL is full', results: [failed('group/a')] },
  ],
  [
    'group/a: create_group: authorization: the token may not do this (and 1 more)',
    { results: [failed('group/a'), failed('group/b')] },
  ],
  [
    'the lease was lost: it ran out, so nothing more was sent',
    { stopped_by: 'lease', message: 'the lease was lost: it ran out' },
  ],
  [
    'group/a: not readable yet: absent',
    { unsettled: [{ address: 'group/a', reading: 'absent' }], outcome: 'unsettled' },
  ],
  ['interrupted', { outcome: 'interrupted' }],
])('Of an apply that failed, the cause in one line: %s', (text, report) => {
  expect(causeText({ ...NOTHING, ...report })).toBe(text);
});
