// What apply says about the time until its writes can be read.

import { describe, expect, it } from 'vitest';
import type { ApplyEvent } from '../../src/apply/input.ts';
import { ApiError } from '../../src/base/errors.ts';
import type { External, JsonObject } from '../../src/base/model.ts';
import type { LicenseAction } from '../../src/kinds/actions.ts';
import type { Exchange } from '../../src/service/exchange.ts';
import { declare, desiredOf } from '../desired.ts';
import { world } from '../world.ts';

const PLACE = { file: 'test.yaml', line: 1, column: 1, length: 1 };

describe('verification', () => {
  it.each([
    { id: 0, name: null },
    { id: null, name: 'General' },
  ])('A rule that points at an external group settles although no group is read (%o)', async (known) => {
    const general: External = { address: 'group/general', kind: 'group', place: PLACE, ...known };
    const rule = declare('auto_access', 'all', {
      access: { groups: ['group/general'] },
      conditions: { url: { values: [{ value: '/' }] } },
    });
    const desired = desiredOf([rule], [general]);
    const { plan, apply, emulator } = world();
    const planned = await plan(desired);
    emulator.resetStats();
    const report = await apply(planned, desired);
    expect(report.outcome).toBe('done');
    expect(emulator.stats()).toEqual({ add_auto_access: 1, list_auto_accesses: 1 });
  });

  const sales = declare('group', 'sales', { name: 'Sales' });
  const ann = declare('agent', 'ann@example.com', { name: 'Ann', job_title: 'Lead' });
  const rules = ['a', 'b'].map((key) =>
    declare('auto_access', key, {
      access: { groups: ['group/sales'] },
      conditions: { url: { values: [{ value: `/${key}` }] } },
    }),
  );
  const all = desiredOf([sales, ann, ...rules]);

  it('tells an equal object that is new as well, at once', async () => {
    const wrap =
      (exchange: Exchange): Exchange =>
      async (request) => {
        if (request.url.endsWith('create_group')) await exchange(request);
        return exchange(request);
      };
    const made = world({ wrap, seed: { groups: [{ id: 5, name: 'Support' }] } });
    const report = await made.apply(await made.plan(all), all);
    expect(report.outcome).toBe('unsettled');
    expect(report.unsettled).toEqual([
      {
        address: 'group/sales',
        fields: [],
        reading: expect.stringMatching(
          /^exists more than once: \d+ \(Sales\) is new and equal, and not managed; delete/,
        ),
      },
    ]);
    expect(report.duration).toBeLessThan(1_000);
  });

  it('waits for a propagation of 5 s, says so on the way, and ends done', async () => {
    const made = world({ propagationDelay: 5_000 });
    const waits: ApplyEvent[] = [];
    const report = await made.apply(await made.plan(all), all, {
      onEvent: (event) => {
        if (event.type === 'waiting') waits.push(event);
      },
    });
    expect(report).toMatchObject({ outcome: 'done', unsettled: [] });
    expect(report.duration).toBeGreaterThanOrEqual(5_000);
    expect(report.duration).toBeLessThan(10_000);
    expect(waits.length).toBeGreaterThan(0);
  });

  it.each([200, 1_000, 3_700, 12_345, 60_000, 120_000])(
    'sees what shows after %i ms at most a fifth later, or a second, in looks that grow with the logarithm of the wait',
    async (delay) => {
      const made = world({ propagationDelay: delay });
      const lone = desiredOf([ann]);
      const plan = await made.plan(lone);
      made.emulator.resetStats();
      const report = await made.apply(plan, lone);
      expect(report.outcome).toBe('done');
      expect(report.duration).toBeGreaterThanOrEqual(delay);
      expect(report.duration).toBeLessThanOrEqual(Math.max(delay * 1.2, delay + 1_000));
      expect(made.emulator.stats()['list_agents']).toBeLessThanOrEqual(
        2 + Math.min(delay, 5_000) / 1_000 + Math.max(0, Math.log(delay / 5_000) / Math.log(1.2)),
      );
    },
  );

  it('ends unsettled when the deadline is shorter than the delay, and names all that has not settled', async () => {
    const made = world({ propagationDelay: 5_000 });
    const report = await made.apply(await made.plan(all), all, { propagationTimeout: 3_000 });
    expect(report.outcome).toBe('unsettled');
    expect(report.unsettled.map(({ address }) => address).sort()).toEqual([
      'agent/ann@example.com',
      'auto_access/a',
      'auto_access/b',
      'group/sales',
    ]);
    expect(report.duration).toBe(3_000);
    expect((await made.ledger.read()).at(-1)).toMatchObject({ type: 'run', outcome: 'unsettled' });
  });

  it('names the field, the place and the object that are still read as they were', async () => {
    const made = world({ propagationDelay: 5_000 });
    expect((await made.apply(await made.plan(all), all)).outcome).toBe('done');
    const moved = desiredOf([{ ...ann, spec: { name: 'Ann', job_title: 'Boss' } }, sales, ...rules.toReversed()]);
    const report = await made.apply(await made.plan(moved), moved, { propagationTimeout: 1_000 });
    const readings = Object.fromEntries(report.unsettled.map(({ address, reading }) => [address, reading]));
    expect(Object.keys(readings).sort()).toEqual(['agent/ann@example.com', 'auto_access/a']);
    expect(readings['agent/ann@example.com']).toContain('"Lead"');
    expect(readings['auto_access/a']).toContain('place 1');
  });

  it('names what was deleted and is still listed', async () => {
    const made = world({ propagationDelay: 5_000 });
    expect((await made.apply(await made.plan(all), all)).outcome).toBe('done');
    const less = desiredOf([ann, sales]);
    const report = await made.apply(await made.plan(less), less, { propagationTimeout: 1_000 });
    expect(report.unsettled.map(({ address }) => address).sort()).toEqual(['auto_access/a', 'auto_access/b']);
    expect(report.outcome).toBe('unsettled');
  });

  it('polls one list at a time, the one written last', async () => {
    const made = world({ propagationDelay: 5_000 });
    const plan = await made.plan(all);
    made.emulator.resetStats();
    expect((await made.apply(plan, all)).outcome).toBe('done');
    const { list_agents: agents, list_groups: groups, list_auto_accesses: rulesRead = 0 } = made.emulator.stats();
    expect({ agents, groups }).toEqual({ agents: 1, groups: 1 });
    expect(rulesRead).toBeGreaterThan(1);
  });

  /** A service that answers its lists with this as soon as something was written. */
  const unreadableAfterwards = (status: number, type: string) => {
    let written = false;
    return (exchange: Exchange): Exchange =>
      async (request) => {
        const isRead = /\/(list|get)_/.test(request.url);
        written ||= !isRead;
        const body = JSON.stringify({ error: { type, message: 'try later' } });
        return isRead && written ? { status, headers: {}, body } : exchange(request);
      };
  };

  it('keeps the report of what was done when the license cannot be read any more, and says that it cannot prove it', async () => {
    const made = world({ wrap: unreadableAfterwards(500, 'internal') });
    const report = await made.apply(await made.plan(all), all, { propagationTimeout: 10_000 });
    expect(report.outcome).toBe('unsettled');
    expect(report.results.map(({ outcome }) => outcome.status)).toEqual(['done', 'done', 'done', 'done']);
    expect(report.unsettled.map(({ address }) => address).sort()).toEqual([
      'agent/ann@example.com',
      'auto_access/a',
      'auto_access/b',
      'group/sales',
    ]);
    for (const { reading } of report.unsettled)
      expect(reading).toMatch(/^cannot be proven: list_\w+: internal: try later$/);
    expect((await made.ledger.read()).at(-1)).toMatchObject({ type: 'run', outcome: 'unsettled' });
  });

  it('proves what it can read when one of the other lists cannot be read any more', async () => {
    let written = false;
    const made = world({
      wrap: (exchange) => async (request) => {
        written ||= request.url.endsWith('add_auto_access');
        if (!written || !request.url.endsWith('list_agents')) return exchange(request);
        return { status: 403, headers: {}, body: JSON.stringify({ error: { type: 'authorization', message: 'no' } }) };
      },
    });
    const report = await made.apply(await made.plan(all), all);
    expect(report.unsettled).toMatchObject([
      { address: 'agent/ann@example.com', reading: 'cannot be proven: list_agents: authorization: no' },
    ]);
  });

  it('reads what was not written last together, each list once', async () => {
    const made = world();
    const template = declare('bot_template', 'partner', { name: 'Partner', owner_client_id: 'shop-client' });
    const bot = declare('bot', 'triage', { name: 'Triage' });
    const more = desiredOf([sales, ann, ...rules, template, bot]);
    const plan = await made.plan(more);
    made.emulator.resetStats();
    expect((await made.apply(plan, more)).outcome).toBe('done');
    const reads = Object.entries(made.emulator.stats()).filter(([action]) => action.startsWith('list_'));
    expect(reads.length).toBeGreaterThan(3);
    expect(reads.map(([, times]) => times)).toEqual(reads.map(() => 1));
  });

  it('names what it deleted when it cannot look', async () => {
    const made = world();
    expect((await made.apply(await made.plan(all), all)).outcome).toBe('done');
    const less = desiredOf([ann, sales]);
    const plan = await made.plan(less);
    const denied = new ApiError({
      action: 'list_auto_accesses',
      type: 'authorization',
      message: 'no',
      status: 403,
      ambiguous: false,
      debugId: null,
      retryAfter: null,
      data: null,
    });
    const client = {
      ...made.client,
      call: async (action: LicenseAction, body: JsonObject) => {
        if (action.startsWith('list_')) throw denied;
        return made.client.call(action, body);
      },
    };
    const report = await made.apply(plan, less, { client });
    expect(report.unsettled.map(({ address }) => address).sort()).toEqual(['auto_access/a', 'auto_access/b']);
    expect(report.duration).toBe(0);
  });

  it('looks again when a look failed that may succeed later', async () => {
    let failures = 7;
    const made = world({
      wrap: (exchange) => async (request) => {
        if (!request.url.endsWith('list_auto_accesses') || made.emulator.stats()['add_auto_access'] === undefined)
          return exchange(request);
        failures -= 1;
        return failures < 0 ? exchange(request) : { status: 503, headers: {}, body: '' };
      },
    });
    expect(await made.apply(await made.plan(all), all)).toMatchObject({ outcome: 'done', unsettled: [] });
  });

  it('does not wait for a value whose deletion cannot be seen, because it is the default', async () => {
    const access = { license: { agent: ['read', 'write'] } };
    const tier = declare('property', 'client/tier', { type: 'string', access, default_value: 'gold' });
    const value = declare('license_property', 'client/tier', { value: 'gold' });
    for (const listPropertyDetails of [true, false]) {
      const made = world({ settings: { listPropertyDetails } });
      const both = desiredOf([tier, value]);
      expect((await made.apply(await made.plan(both), both)).outcome).toBe('done');
      const only = desiredOf([tier]);
      const plan = await made.plan(only);
      expect(plan.requests.by_action).toEqual({ delete_license_properties: 1 });
      expect(await made.apply(plan, only)).toMatchObject({ outcome: 'done', unsettled: [] });
    }
  });

  it('nor for one whose default the manifest no longer says, as the ledger knows it', async () => {
    const access = { license: { agent: ['read', 'write'] } };
    const tier = { type: 'string', access };
    const first = desiredOf([
      declare('property', 'client/tier', { ...tier, default_value: 'gold' }),
      declare('license_property', 'client/tier', { value: 'silver' }),
    ]);
    const made = world({ settings: { listPropertyDetails: false } });
    expect((await made.apply(await made.plan(first), first)).outcome).toBe('done');
    const next = desiredOf([declare('property', 'client/tier', tier)]);
    const plan = await made.plan(next);
    expect(plan.requests.by_action).toEqual({ delete_license_properties: 1 });
    expect(await made.apply(plan, next)).toMatchObject({ outcome: 'done', unsettled: [] });
  });

  it('nor for one that reads otherwise than what was deleted, where the ledger does not know the default either', async () => {
    const access = { license: { agent: ['read', 'write'] } };
    const valued = (value: string) =>
      desiredOf([
        declare('property', 'client/tier', { type: 'string', access, default_value: 'gold' }),
        declare('license_property', 'client/tier', { value }),
      ]);
    for (const [value, outcome] of [
      ['silver', 'done'],
      ['gold', 'unsettled'],
    ] as const) {
      const made = world({ settings: { listPropertyDetails: false } });
      expect((await made.apply(await made.plan(valued(value)), valued(value))).outcome).toBe('done');
      const at = new Date(made.clock.now()).toISOString();
      await made.ledger.append([{ v: 1, run: 'r', at, type: 'forgotten', address: 'property/client/tier' }]);
      const next = { ...desiredOf([]), namespaces: ['client'] };
      const options = { acknowledged: new Set(['deletes', 'empty-manifest']) };
      const plan = await made.plan(next, options);
      expect(plan.requests.by_action).toEqual({ delete_license_properties: 1 });
      expect((await made.apply(plan, next, { options })).outcome).toBe(outcome);
    }
  });
});
