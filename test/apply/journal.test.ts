// What the ledger is told before a request leaves, and when that is on disk.

import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import type { KindName } from '../../src/base/model.ts';
import type { LedgerEvent } from '../../src/ledger/events.ts';
import { foldLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { type Declared, declare, desiredOf } from '../desired.ts';
import { callByHand } from '../laws/edits.ts';
import { type World, world } from '../world.ts';

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

/** Each rule waits for the one behind it. */
const rules = desiredOf([
  declare('group', 'sales', { name: 'Sales' }),
  ...['a', 'b', 'c'].map((key) =>
    declare('auto_access', key, {
      access: { groups: ['group/sales'] },
      conditions: { url: { values: [{ value: `/${key}` }] } },
    }),
  ),
]);

test('What is gone from the license loses nothing when what it named is deleted', async () => {
  const { plan, apply, emulator, ledger } = world();
  await apply(await plan(rules), rules);
  const { bindings } = foldLedger(await ledger.read());
  await callByHand(emulator, 'delete_auto_access', { id: bindings.get('auto_access/a')?.id ?? '' });
  const none = desiredOf([]);
  const options = { acknowledged: new Set(['deletes', 'empty-manifest']) };
  await apply(await plan(none, options), none, { options });
  const events = (await ledger.read()).filter((event) => 'address' in event && event.address === 'auto_access/a');
  expect(events.map(({ type }) => type)).toEqual(['before', 'intent', 'bound', 'applied', 'forgotten']);
});

describe('what has ended', () => {
  /** A ledger whose appends take a while, and what is being written to it. */
  function slow({ ledger }: World): { readonly ledger: Ledger; readonly writing: Set<readonly LedgerEvent[]> } {
    const writing = new Set<readonly LedgerEvent[]>();
    const append: Ledger['append'] = async (events) => {
      writing.add(events);
      await new Promise((resolve) => setImmediate(resolve));
      await ledger.append(events);
      writing.delete(events);
    };
    return { ledger: { ...ledger, append }, writing };
  }

  test('is asked to be written with what departs next, and nothing leaves before both are', async () => {
    const made = world();
    const { ledger, writing } = slow(made);
    let together = 0;
    const report = await made.apply(await made.plan(rules), rules, {
      ledger: {
        ...ledger,
        append: (events) => {
          const isDeparture = events.some(({ type }) => type === 'intent');
          const ended = [...writing].some((others) => others.some(({ type }) => type === 'bound'));
          if (isDeparture && ended) together += 1;
          return ledger.append(events);
        },
      },
      client: {
        ...made.client,
        call: (action, body, options) =>
          made.client.call(action, body, {
            ...options,
            leaving: async (open) => {
              await options?.leaving?.(open);
              expect(writing.size).toBe(0);
            },
          }),
      },
    });
    expect(report).toMatchObject({ outcome: 'done', failure: null });
    expect(together).toBe(3);
  });

  test('and cannot be written stops the run for good, although the ledger can be written again', async () => {
    const made = world();
    let isFull = true;
    const ledger: Ledger = {
      ...made.ledger,
      append: async (events) => {
        const isTaken = !isFull || events.every(({ type }) => type !== 'bound');
        if (isTaken) return made.ledger.append(events);
        isFull = false;
        throw new UsageError('the ledger cannot be written: ENOSPC');
      },
    };
    const report = await made.apply(await made.plan(rules), rules, { ledger });
    expect(report).toMatchObject({ outcome: 'failed', failure: { message: expect.stringContaining('ENOSPC') } });
    expect(made.emulator.stats()['create_auto_access']).toBeUndefined();
  });

  test.each([null, 1_000])('and was the last, is missed too when it cannot be written (looking: %s)', async (look) => {
    const made = world();
    const append: Ledger['append'] = async (events) => {
      if (events.some(({ type }) => type === 'bound')) throw new UsageError('the ledger cannot be written: ENOSPC');
      await made.ledger.append(events);
    };
    const desired = desiredOf([declare('group', 'sales', { name: 'Sales' })]);
    const report = await made.apply(await made.plan(desired), desired, {
      ledger: { ...made.ledger, append },
      propagationTimeout: look,
    });
    expect(report).toMatchObject({ outcome: 'failed', failure: { message: expect.stringContaining('ENOSPC') } });
    expect((await made.ledger.read()).at(-1)).toMatchObject({ type: 'run', outcome: 'failed' });
  });
});

test('What goes with a deleted object is recorded under the names that the run gives', async () => {
  const made = world();
  const rule = (key: string, ...groups: readonly string[]) =>
    declare('auto_access', key, { access: { groups }, conditions: { url: { values: [{ value: '/a' }] } } });
  const [a, b] = ['a', 'b'].map((key) => declare('group', key, { name: key })) as [Declared, Declared];
  const first = desiredOf([a, b, rule('r', 'group/a', 'group/b')]);
  await made.apply(await made.plan(first), first);
  const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
  const second = desiredOf([a, rule('r2', 'group/a')]);
  const { plan } = await made.planned(second, {}, [{ from: 'auto_access/r', to: 'auto_access/r2', place }]);
  if (plan === null) throw new Error('no plan');
  expect(await made.apply(plan, second)).toMatchObject({ outcome: 'done' });
  const { bindings, applied } = foldLedger(await made.ledger.read());
  expect([...applied.keys()].sort()).toEqual([...bindings.keys()].sort());
});
