// Notes on people who became administrators of the license past the files.

import { expect, test } from 'vitest';
import type { LedgerState } from '../../../src/base/model.ts';
import { cautionsOf } from '../../../src/plan/guards/cautions.ts';
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

function planWith(administrators: LedgerState['administrators']) {
  const ledger = { ...ledgerOf({ [`agent/${address('fay')}`]: address('fay') }), administrators };
  return planOf(DESIRED, LIVE, ledger, { prune: { agent: 'owned' } });
}

function notesWith(administrators: LedgerState['administrators']) {
  const { notes } = planWith(administrators);
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

test('They are dangers of the plan: unmanaged people by their name, declared ones by address and place in the files', () => {
  const found = cautionsOf(planWith(new Set([address('ann')]))).filter(({ what }) => what === 'access');
  expect(found).toEqual([
    {
      what: 'access',
      message: 'administers the license, is not managed, and did not at the last apply; an apply accepts it',
      address: 'agent/bob@example.com',
      type: 'agent',
      name: 'bob',
      source: null,
      referred_by: [],
    },
    {
      what: 'access',
      message: 'administers the license, no file says so, and did not at the last apply; an apply accepts it',
      address: 'agent/cid@example.com',
      type: 'agent',
      name: 'agent/cid@example.com',
      source: { file: 'test.yaml', line: 1, column: 1 },
      referred_by: [],
    },
  ]);
});

test('A ledger that never recorded the administrators tells nothing of them', () => {
  expect(notesWith(null)).toEqual({});
});
