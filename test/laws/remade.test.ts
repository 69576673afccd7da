// A definition that is replaced is for a moment not there, and what it was is then only in the ledger: a run that is killed in that moment must not cost
// anybody what he did not declare, nor a second loss of values.

import { describe, expect, test } from 'vitest';
import type { Desired, Version } from '../../src/base/model.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import type { Exchange } from '../../src/service/exchange.ts';
import { declare, desiredOf } from '../desired.ts';
import { TRIED_VERSIONS } from '../tries.ts';
import { type World, world } from '../world.ts';
import { doomed, type Moment } from './crash.ts';
import { CLIENT } from './upheaval.ts';

const DAY = 86_400_000;
const ACCESS = { license: { agent: ['read', 'write'] } };
const KEY = `${CLIENT}/tier`;
const options = { acknowledged: new Set([`property/${KEY}`]) };

function described(description: string, more: object = {}): Desired {
  return desiredOf([declare('property', KEY, { type: 'string', description, ...more })]);
}

async function begun(version: Version, first: Desired, more: Parameters<typeof world>[0] = {}): Promise<World> {
  const made = world({ version, seed: { installed_clients: [CLIENT] }, ...more });
  await made.apply(await made.plan(first), first);
  await made.clock.sleep(DAY);
  return made;
}

async function killed(made: World, desired: Desired, at: number, moment: Moment): Promise<number> {
  const { effects, ...how } = doomed(made, at, moment);
  const plan = await made.plan(desired, options);
  await made.apply(plan, desired, { ...how, options }).catch(() => {});
  await made.clock.sleep(DAY);
  return effects().length;
}

async function found({ client }: World): Promise<unknown> {
  const { tier } = (await client.call('list_properties', { owner_client_id: CLIENT })) as { readonly tier?: unknown };
  return tier;
}

describe.each(TRIED_VERSIONS)('Version %s', (version) => {
  test.each(['before', 'after'] as const)(
    'what is left undeclared of a replaced definition outlives a run that is killed %s any of its effects',
    async (moment) => {
      const wanted = described('how much they pay');
      const first = described('tier', { access: ACCESS });
      const count = await killed(await begun(version, first), wanted, Number.POSITIVE_INFINITY, moment);
      expect(count).toBeGreaterThan(4);
      for (let at = 0; at < count; at += 1) {
        const made = await begun(version, first);
        await killed(made, wanted, at, moment);
        const plan = await made.plan(wanted, options);
        expect([
          at,
          (await made.apply(plan, wanted, { options })).results.map(({ outcome }) => outcome.status),
        ]).toEqual([at, plan.steps.map(() => 'done')]);
        expect([at, await found(made)]).toMatchObject([at, { description: 'how much they pay', access: ACCESS }]);
        expect((await made.plan(wanted)).steps).toEqual([]);
      }
    },
  );

  test('a definition that is made again stays ours, whatever effect the run is killed at', async () => {
    const first = described('tier', { access: ACCESS });
    const wanted = described('how much they pay', { access: ACCESS });
    const count = await killed(await begun(version, first), wanted, Number.POSITIVE_INFINITY, 'after');
    for (let at = 0; at < count; at += 1) {
      const made = await begun(version, first);
      await killed(made, wanted, at, 'after');
      await made.apply(await made.plan(wanted, options), wanted, { options });
      const { bindings } = foldLedger(await made.ledger.read());
      expect([at, bindings.get(`property/${KEY}`)?.origin]).toEqual([at, 'created']);
    }
  });

  test.each([0, 120_000])(
    'a definition that is made again is found although no answer says so, with readings that lag by %i ms',
    async (propagationDelay) => {
      let isAway = false;
      const away = { status: 503, headers: {}, body: '{"error":{"type":"service_unavailable","message":""}}' };
      const wrap =
        (exchange: Exchange): Exchange =>
        async (request) => {
          const reply = await exchange(request);
          return isAway && request.url.endsWith('/register_property') ? away : reply;
        };
      const made = await begun(version, described('tier', { access: ACCESS }), { wrap, propagationDelay });
      isAway = true;
      const wanted = described('how much they pay', { access: ACCESS });
      const report = await made.apply(await made.plan(wanted, options), wanted, { options });
      expect(report.results.map(({ outcome }) => outcome.status)).toEqual(['done', 'done']);
      expect(report.outcome).toBe('done');
    },
  );

  test('a definition that is deleted and not made again is not taken for the new one, although readings lag', async () => {
    let isAway = false;
    const away = { status: 503, headers: {}, body: '{"error":{"type":"service_unavailable","message":""}}' };
    const wrap =
      (exchange: Exchange): Exchange =>
      async (request) =>
        isAway && request.url.endsWith('/register_property') ? away : exchange(request);
    const first = described('tier', { access: ACCESS });
    const made = await begun(version, first, { wrap, propagationDelay: 60_000 });
    isAway = true;
    const wanted = described('how much they pay', { access: ACCESS });
    const report = await made.apply(await made.plan(wanted, options), wanted, { options });
    expect(report.results.map(({ outcome }) => outcome.status)).toEqual(['done', 'failed']);
  });

  test('a definition that was taken away, and made by a run that was killed, is not made a third time', async () => {
    const first = described('tier', { access: ACCESS, domain: ['gold'] });
    const wanted = described('tier', { access: ACCESS, domain: ['gold', 'silver'] });
    for (let at = 0; at < 6; at += 1) {
      const made = await begun(version, first);
      await made.client.call('unregister_property', { owner_client_id: CLIENT, name: 'tier' });
      await killed(made, wanted, at, 'after');
      const before = made.emulator.stats()['unregister_property'];
      await made.apply(await made.plan(wanted, options), wanted, { options });
      expect([at, made.emulator.stats()['unregister_property']]).toEqual([at, before]);
    }
  });
});
