// Notes on people who became administrators of the license past the files.

import { expect, test } from 'vitest';
import type { LedgerState } from '../../../src/base/model.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../license.ts';

const address = (name: string): string => `${name}@example.com`;
const person = (name: string, role = 'administrator') => object('agent', address(name), { name, role, groups: {} });

/** Bob is not managed, no file says the role of Cid, a file says that of Dan, Fay is deleted, and Eve administers nothing. */
const LIVE = liveOf(...['ann', 'bob', 'cid', 'dan', 'fay'].map((name) => person(name)), person('eve', 'normal'));
const DESIRED = desiredOf([
  declare('agent', address('cid'), { name: 'cid' }),
  declare('agent', address('dan'), { name: 'dan', role: 'administrator' }),
]);

function notesWith(administrators: LedgerState['administrators']) {
  const ledger = { ...ledgerOf({ [`agent/${address('fay')}`]: address('fay') }), administrators };
  const { notes } = planOf(DESIRED, LIVE, ledger, { prune: { agent: 'owned' } });
  return Object.fromEntries(
    notes.flatMap((note) => (note.kind === 'administrator' ? [[note.address, note.message]] : [])),
  );
}

test('A plan names people who administer the license since the last apply, and of whom no file says so', () => {
  expect(notesWith(new Set([address('ann')]))).toEqual({
    'agent/bob@example.com':
      'administers the license, is not managed, and did not at the last apply; an apply accepts it',
    'agent/cid@example.com':
      'administers the license, no file says so, and did not at the last apply; an apply accepts it',
  });
});

test('A ledger that never recorded the administrators tells nothing of them', () => {
  expect(notesWith(null)).toEqual({});
});
