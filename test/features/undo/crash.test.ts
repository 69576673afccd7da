// The undo of a run that was killed while the answer to a create was on its way.

import { expect, test } from 'vitest';
import { parseSeed } from '../../../src/emulator/index.ts';
import { identityOf } from '../../../src/kinds/fields.ts';
import { KINDS } from '../../../src/kinds/index.ts';
import type { LedgerEvent } from '../../../src/ledger/events.ts';
import { world } from '../../world.ts';
import { applyImaged, undoOf } from './imaged.ts';

const stamp = { v: 1, at: '2026-11-20T12:00:00Z', run: 'r1' } as const;
const identity = identityOf(KINDS.group, { name: 'VIP' }, (reference) => reference);
const KILLED: readonly LedgerEvent[] = [
  { ...stamp, type: 'begun', command: 'apply' },
  { ...stamp, type: 'before', address: 'group/vip', id: null, spec: null },
  { ...stamp, type: 'intent', id: 'i1', address: 'group/vip', kind: 'group', operation: 'create', identity, seen: [0] },
];

async function killed(...groups: readonly number[]) {
  const license = world({ seed: parseSeed({ groups: groups.map((id) => ({ id, name: 'VIP' })) }) });
  await license.ledger.append(KILLED);
  return license;
}

test('What it made is deleted', async () => {
  const license = await killed(7);
  const { plan, desired, options, resources } = await undoOf(license, null);
  expect(resources).toEqual([{ address: 'group/vip', outcome: 'reversible', reasons: [] }]);
  expect(plan.steps.map(({ id }) => id)).toEqual(['delete group/vip']);
  await applyImaged(license, plan, desired, options);
  expect((await undoOf(license, 'r1')).plan.steps).toEqual([]);
});

test('What it did not make needs nothing', async () => {
  const { plan, resources } = await undoOf(await killed(), null);
  expect([plan.steps, resources]).toEqual([[], [{ address: 'group/vip', outcome: 'as_before', reasons: [] }]]);
});

test('Of two that it may have made none is deleted', async () => {
  const { plan, resources } = await undoOf(await killed(7, 8), null);
  expect([plan.steps, resources]).toMatchObject([
    [],
    [{ outcome: 'left_out', reasons: [expect.stringContaining('not known')] }],
  ]);
});
