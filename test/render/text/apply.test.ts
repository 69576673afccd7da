import { expect, test } from 'vitest';
import type { ApplyReport } from '../../../src/apply/apply.ts';
import { UsageError } from '../../../src/base/errors.ts';
import { causeText } from '../../../src/render/text/apply.ts';

const NOTHING = {
  failure: null,
  refused: null,
  results: [],
  unsettled: [],
  outcome: 'failed',
} as unknown as ApplyReport;
const failed = (address: string): unknown => ({
  step: { address },
  outcome: { status: 'failed', error: new Error('create_group: the token may not do this') },
});

test.each<readonly [string, Partial<Record<keyof ApplyReport, unknown>>]>([
  [
    'the disk of PostgreSQL is full',
    { failure: new UsageError('the disk of PostgreSQL is full'), results: [failed('group/a')] },
  ],
  [
    'group/a: create_group: the token may not do this (and 1 more)',
    { results: [failed('group/a'), failed('group/b')] },
  ],
  ['the lease was lost, so nothing more was sent: it ran out', { refused: 'it ran out' }],
  [
    'group/a: not readable yet: absent',
    { unsettled: [{ address: 'group/a', reading: 'absent' }], outcome: 'unsettled' },
  ],
  ['interrupted', { outcome: 'interrupted' }],
])('Of an apply that failed, the cause in one line: %s', (text, report) => {
  expect(causeText({ ...NOTHING, ...report } as ApplyReport)).toBe(text);
});
