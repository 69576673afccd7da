// What the ledger is told before a create leaves.

import { expect, test } from 'vitest';
import type { KindName } from '../../src/model.ts';
import { declare, desiredOf } from '../desired.ts';
import { world } from '../world.ts';

test('An intent names the objects that the new one could be mistaken for, and no others', async () => {
  const { plan, apply, ledger } = world();
  const desired = (key: string) =>
    desiredOf([
      ...['0', key].map((each) => declare('agent', `a${each}@example.com`, { name: 'A' })),
      ...['0', key].map((each) => declare('group', `g${each}`, { name: `G${each}` })),
    ]);
  const [first, second] = [desired('1'), desired('2')];
  await apply(await plan(first), first);
  await apply(await plan(second, { prune: { agent: 'none', group: 'none' } }), second);
  const seenOf = async (kind: KindName) =>
    (await ledger.read()).flatMap((event) => (event.type === 'intent' && event.kind === kind ? [event.seen] : []));
  expect(await seenOf('agent')).toEqual([[], [], []]);
  expect((await seenOf('group')).map((ids) => new Set(ids))).toEqual([new Set(), new Set(), new Set([1, 2])]);
});
