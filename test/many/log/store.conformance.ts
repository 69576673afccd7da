// What every place that keeps the log of a fleet run must do: one suite for all of them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FleetEvent } from '../../../src/many/log/events.ts';
import type { FleetStore } from '../../../src/many/log/store.ts';
import { GATES } from '../../../src/project/fleet-settings.ts';
import { tries } from '../../tries.ts';
import { ANN, ended, runOf, START, spec, stampAt, started, wave } from '../names.ts';

const text = fc.string({ unit: 'binary' });
const target = fc.oneof(fc.constantFrom('a', 'b'), text);
const stamp = { v: fc.constant(1 as const), at: fc.constant(stampAt(START).at) };
const maker = fc.record({ user: text, host: text, pid: fc.nat() });

export const anyFleetEvent: fc.Arbitrary<FleetEvent> = fc.oneof(
  fc.record({ ...stamp, type: fc.constant('started' as const), target, attempt: fc.nat() }),
  fc.record({
    ...stamp,
    type: fc.constant('ended' as const),
    target,
    attempt: fc.nat(),
    state: fc.constantFrom('done' as const, 'failed' as const, 'unreachable' as const),
    code: fc.nat(),
    message: fc.option(text),
    requests: fc.nat(),
    seconds: fc.integer({ min: 0, max: 1e6 }).map((thousandths) => thousandths / 1000),
    summary: fc.dictionary(text, fc.oneof(text, fc.nat())).map((members) => ({ ...members })),
  }),
  fc.record({
    ...stamp,
    type: fc.constant('gate' as const),
    wave: text,
    gate: fc.constantFrom(...GATES),
    target,
    passed: fc.boolean(),
    message: fc.option(text),
  }),
  fc.record({ ...stamp, type: fc.constant('resumed' as const), by: maker }),
  fc.record({ ...stamp, type: fc.constant('retry' as const), targets: fc.array(target) }),
  fc.record({ ...stamp, type: fc.constant('cancel' as const), by: maker }),
  fc.record({
    ...stamp,
    type: fc.constant('stopped' as const),
    because: fc.oneof(
      fc.constant({ kind: 'interrupted' as const }),
      fc.record({
        kind: fc.constantFrom('failures' as const, 'unreachable' as const),
        wave: fc.option(text),
        count: fc.nat(),
        limit: fc.nat(),
      }),
    ),
  }),
  fc.record({ ...stamp, type: fc.constant('done' as const) }),
);

/** @param make - Makes an empty place; `open` opens it again, as another process does. */
export function describeStore(name: string, make: () => Promise<{ readonly open: () => FleetStore }>): void {
  describe(`${name} as the store of a fleet run`, () => {
    test('A store that was never written to has no event and no request to cancel', async () => {
      const { open } = await make();
      expect(await open().read()).toEqual([]);
      expect(await open().cancelled()).toBeNull();
    });

    test('Every event is read as it was appended', async () => {
      const property = fc.asyncProperty(fc.array(fc.array(anyFleetEvent)), async (batches) => {
        const { open } = await make();
        const first = runOf(spec([wave('all', ['a', 'b'])]));
        await open().append([first]);
        for (const events of batches) await open().append(events);
        expect(await open().read()).toEqual([first, ...batches.flat()]);
      });
      await fc.assert(property, { numRuns: tries(200, 10) });
    });

    test('Appends that run together keep their events together and in the order of their calls', async () => {
      const { open } = await make();
      const store = open();
      const batches = Array.from({ length: 20 }, (_, number) => [started(`${number}`), ended(`${number}`)]);
      await Promise.all(batches.map((events) => store.append(events)));
      expect(await store.read()).toEqual(batches.flat());
    });

    test('A list that was read does not change when the log grows', async () => {
      const { open } = await make();
      const store = open();
      await store.append([started('a')]);
      const before = await store.read();
      await store.append([started('b')]);
      expect(before).toEqual([started('a')]);
    });

    test('A request to cancel is seen by others and is no event; it can be taken back, also when there is none', async () => {
      const { open } = await make();
      const driver = open();
      await driver.append([started('a')]);
      const request = { ...stampAt(START), type: 'cancel', by: ANN } as const;
      await open().cancel(request);
      expect(await driver.cancelled()).toEqual(request);
      await open().cancel({ ...request, by: { ...ANN, user: 'bob' } });
      expect(await driver.cancelled()).toMatchObject({ by: { user: 'bob' } });
      await driver.cancel(null);
      await driver.cancel(null);
      expect(await open().cancelled()).toBeNull();
      expect(await open().read()).toEqual([started('a')]);
    });
  });
}
