// What every place that keeps a log must do: one suite for all of them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Address, KindName } from '../../src/base/model.ts';
import type { IntentEvent, LedgerEvent } from '../../src/ledger/events.ts';
import type { Backend } from '../../src/ledger/ledger.ts';
import { tries } from '../tries.ts';

export const AT = '2026-11-20T12:00:00.000Z';

const text = fc.string({ unit: 'binary' });
/** Often one of few, so that events meet. */
const address: fc.Arbitrary<Address> = fc.oneof(
  fc.constantFrom('group/a' as const, 'group/b' as const, 'agent/a' as const),
  fc
    .tuple(fc.constantFrom('agent', 'group', 'auto_access'), fc.string({ unit: 'binary', minLength: 1 }))
    .map(([kind, key]): Address => `${kind}/${key}`),
);
const stamp = { v: fc.constant(1 as const), at: fc.constant(AT), run: fc.constantFrom('r1', 'r2') };

const intentId = fc.constantFrom('i1', 'i2', 'i3');

/** Any of its members, also none. */
const starter = fc.record({ user: text, host: text, ci: text, actor: text, request: text }, { requiredKeys: [] });

export const anyEvent: fc.Arbitrary<LedgerEvent> = fc.oneof(
  fc.record({
    ...stamp,
    type: fc.constant('bound' as const),
    address,
    id: fc.oneof(fc.nat(), text),
    origin: fc.constantFrom('created' as const, 'adopted' as const, 'imported' as const),
  }),
  fc.record({
    ...stamp,
    type: fc.constant('applied' as const),
    address,
    spec: fc.dictionary(fc.constantFrom('name', 'groups', 'x'), fc.oneof(text, fc.nat(), fc.constant(null))),
    digests: fc.dictionary(fc.constantFrom('domain', 'avatar'), text),
  }),
  fc.record({ ...stamp, type: fc.constant('forgotten' as const), address }),
  fc.record({
    ...stamp,
    type: fc.constant('moved' as const),
    from: fc.constantFrom('group/a' as const, 'group/b' as const),
    to: fc.constantFrom('group/a' as const, 'group/b' as const, 'group/c' as const),
  }),
  fc
    .tuple(address, intentId, fc.array(fc.oneof(fc.nat(), text)))
    .map(([at, id, seen]): LedgerEvent => ({ ...intent(at, id), seen })),
  fc.record({
    ...stamp,
    type: fc.constant('done' as const),
    intent: intentId,
    outcome: fc.constantFrom('refused' as const, 'unknown' as const),
  }),
  fc.record({
    ...stamp,
    type: fc.constant('done' as const),
    intent: intentId,
    outcome: fc.constant('created' as const),
    created: fc.oneof(fc.nat(), text),
  }),
  fc.record(
    {
      ...stamp,
      type: fc.constant('before' as const),
      address,
      id: fc.oneof(fc.nat(), text, fc.constant(null)),
      spec: fc.oneof(fc.constant(null), fc.dictionary(fc.constantFrom('name', 'groups'), text)),
      account: text,
    },
    { requiredKeys: ['v', 'at', 'run', 'type', 'address', 'id', 'spec'] },
  ),
  fc.record(
    { ...stamp, type: fc.constant('begun' as const), command: text, undoes: fc.constantFrom('r1', 'r2'), by: starter },
    { requiredKeys: ['v', 'at', 'run', 'type', 'command'] },
  ),
  fc.record({
    ...stamp,
    type: fc.constant('order' as const),
    moment: fc.constantFrom('before' as const, 'applied' as const),
    kind: fc.constant('group' as const),
    order: fc.uniqueArray(fc.constantFrom('group/a' as const, 'group/b' as const, 'group/c' as const)),
    ids: fc.array(fc.nat(), { maxLength: 3 }),
  }),
  fc.record({
    ...stamp,
    type: fc.constant('secret' as const),
    address,
    id: fc.oneof(fc.nat(), text),
    state: fc.constantFrom('kept' as const, 'rescued' as const, 'lost' as const),
  }),
  fc.record({
    ...stamp,
    type: fc.constant('license' as const),
    base_url: text,
    identity: fc.oneof(text, fc.constant(null)),
    owner: fc.oneof(text, fc.constant(null)),
    groups: fc.dictionary(fc.constantFrom('1', '2', '3'), text),
  }),
  fc.record({
    ...stamp,
    type: fc.constant('warned' as const),
    lints: fc.array(fc.record({ code: text, message: text }), { maxLength: 2 }),
  }),
  fc.record(
    {
      ...stamp,
      type: fc.constant('run' as const),
      ends: fc.array(fc.constantFrom('r1', 'r2'), { maxLength: 2 }),
      accounts: fc.dictionary(fc.constantFrom('agent/a'), text),
      command: text,
      outcome: fc.constantFrom('done' as const, 'failed' as const, 'partial' as const),
      by: starter,
      target: text,
      changes: fc.dictionary(fc.constantFrom('added', 'changed', 'of_tomorrow'), fc.nat()),
      reduced: fc.constant(AT),
    },
    { requiredKeys: ['v', 'at', 'run', 'type', 'command', 'outcome'] },
  ),
  text.map((note): LedgerEvent => ({ type: 'unknown', event: { v: 1, run: 'r', at: AT, type: 'of_tomorrow', note } })),
);

export function intent(address: Address, id: string): IntentEvent {
  const kind = address.slice(0, address.indexOf('/')) as KindName;
  return {
    v: 1,
    run: 'r',
    at: AT,
    type: 'intent',
    id,
    address,
    kind,
    operation: 'create',
    identity: '{"name":"A"}',
    seen: [1],
  };
}

export const forgotten = (key: string): LedgerEvent => ({
  v: 1,
  run: 'r',
  at: AT,
  type: 'forgotten',
  address: `agent/${key}`,
});

/** `make` gives a place for one log that does not exist yet; `open` may be called more than once for it. */
export function describeLedger(name: string, make: () => Promise<{ readonly open: () => Backend }>): void {
  describe(`${name} keeps a log`, () => {
    test('A log that does not exist yet has no events', async () => {
      const { open } = await make();
      expect(await open().read()).toEqual([]);
    });

    test('What was appended is read back as it was, oldest first, by whoever opens the log next', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(anyEvent, { maxLength: 4 }), { maxLength: 4 }), async (appends) => {
          const { open } = await make();
          for (const events of appends) await open().append(events);
          expect(await open().read()).toEqual(appends.flat());
        }),
        { numRuns: tries(50) },
      );
    });

    test('Appends that run together keep their events together and in the order they were asked for', async () => {
      const { open } = await make();
      const ledger = open();
      const batches = Array.from({ length: 20 }, (_, batch) => [forgotten(`${batch}-a`), forgotten(`${batch}-b`)]);
      await Promise.all(batches.map((events) => ledger.append(events)));
      expect(await ledger.read()).toEqual(batches.flat());
    });

    test('A read sees the append that was asked for before it', async () => {
      const { open } = await make();
      const ledger = open();
      const appended = ledger.append([forgotten('a')]);
      expect(await ledger.read()).toEqual([forgotten('a')]);
      await appended;
    });

    test('A log that is rewritten has what was made of its events, and whatever is appended then', async () => {
      const { open } = await make();
      await open().append([forgotten('a'), forgotten('b')]);
      await open().rewrite((events) => events.slice(1));
      await open().append([forgotten('c')]);
      expect(await open().read()).toEqual([forgotten('b'), forgotten('c')]);
      await open().rewrite(() => []);
      expect(await open().read()).toEqual([]);
    });

    test('A log that does not exist yet can be rewritten too', async () => {
      const { open } = await make();
      await open().rewrite((events) => events);
      expect(await open().read()).toEqual([]);
      await open().rewrite(() => [forgotten('a')]);
      expect(await open().read()).toEqual([forgotten('a')]);
    });

    test('Nothing that is appended beside a rewriting is lost', async () => {
      const { open } = await make();
      const ledger = open();
      const keys = ['a', 'b', 'c', 'd'];
      await Promise.all(
        keys.flatMap((key) => [ledger.append([forgotten(key)]), ledger.rewrite((events) => [...events])]),
      );
      expect(await ledger.read()).toEqual(keys.map(forgotten));
    });

    test('A rewriting that fails leaves the log as it was', async () => {
      const { open } = await make();
      const ledger = open();
      await ledger.append([forgotten('a')]);
      const failing = ledger.rewrite(() => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await ledger.read()).toEqual([forgotten('a')]);
    });

    test('A list that was read does not change when the log grows', async () => {
      const { open } = await make();
      const ledger = open();
      await ledger.append([forgotten('a')]);
      const before = await ledger.read();
      await ledger.append([forgotten('b')]);
      expect(before).toEqual([forgotten('a')]);
    });
  });
}
