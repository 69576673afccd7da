// What an apply sends while it holds the lease of its target, and what it does not send any more when it lost it.

import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import type { Clock } from '../../src/base/model.ts';
import { LICENSE_API, type LicenseAction } from '../../src/kinds/actions.ts';
import type { Lease } from '../../src/ledger/lease.ts';
import { memoryLease } from '../../src/ledger/memory.ts';
import { type Tenure, takeLease } from '../../src/ledger/tenure.ts';
import type { LicenseClient } from '../../src/license/connect.ts';
import { leased } from '../../src/license/connect.ts';
import { localJob } from '../../src/many/jobs.ts';
import type { Exchange } from '../../src/service/exchange.ts';
import { patient } from '../../src/service/patience/retry.ts';
import { systemContext } from '../../src/target/context.ts';
import { whileLocked } from '../../src/target/lock.ts';
import { leaseAt } from '../../src/target/stores.ts';
import { folder } from '../cli/chatform.ts';
import { declare, desiredOf } from '../desired.ts';
import { holderOf, tenureOf } from '../ledger/lease-conformance.ts';
import { seededRandom, type World, world } from '../world.ts';

const group = (key: string, after: readonly string[] = []) =>
  declare('group', key, { name: key, agent_priorities: Object.fromEntries(after.map((each) => [each, 'normal'])) });
const ann = declare('agent', 'ann@example.com', { name: 'Ann' });
const TEAM = desiredOf([ann, group('a', ['agent/ann@example.com']), group('b', ['agent/ann@example.com'])]);

interface Staged {
  readonly made: World;
  readonly client: LicenseClient;
  readonly tenure: Tenure;
  readonly lease: Lease;
}

/** A license, and a run that holds its lease. */
async function staged(wrap: (exchange: Exchange, clock: () => Clock) => Exchange): Promise<Staged> {
  let made: World | null = null;
  const clock = (): Clock => {
    if (made === null) throw new Error('there is no world yet');
    return made.clock;
  };
  made = world({ wrap: (exchange) => wrap(exchange, clock) });
  const lease = memoryLease();
  const claim = { lease, run: 'a', holder: holderOf('ann'), clock: made.clock, ttl: 60_000 };
  const tenure = tenureOf(await takeLease(claim));
  const client = leased(made.client, tenure, 30_000);
  return { made, client, tenure, lease };
}

const isWrite = (url: string): boolean => !/\/(list|get)_/.test(url);

const writesOf = ({ emulator }: World): readonly string[] =>
  Object.keys(emulator.stats()).filter((action) => !/^(list|get)_/.test(action));

test('An expired holder that wakes up writes nothing more, and the report says what was done and why no more', async () => {
  const { made, client, tenure } = await staged((exchange, clock) => async (request) => {
    const reply = await exchange(request);
    if (isWrite(request.url)) await clock().sleep(61_000);
    return reply;
  });
  const plan = await made.plan(TEAM);
  const report = await made.apply(plan, TEAM, { client, refused: tenure.refused });
  expect(writesOf(made)).toEqual(['batch_create_agents']);
  expect(report).toMatchObject({ outcome: 'partial', unsettled: [], failure: null });
  expect(report.results.map(({ outcome }) => outcome.status)).toEqual(['done', 'not-sent', 'not-sent']);
  expect(report.refused).toMatch(/^it ran out at .*, while this process was suspended$/);
});

test('A holder that slept before its first write applied nothing', async () => {
  const { made, client, tenure } = await staged((exchange) => exchange);
  const plan = await made.plan(TEAM);
  await made.clock.sleep(61_000);
  const report = await made.apply(plan, TEAM, { client, refused: tenure.refused });
  expect([writesOf(made), report.outcome]).toEqual([[], 'failed']);
  expect(report.refused).toContain('it ran out');
});

test('A holder whose lease another run took over sends nothing after it', async () => {
  const { made, client, tenure, lease } = await staged((exchange) => async (request) => {
    const reply = await exchange(request);
    const newest = await lease.read();
    if (isWrite(request.url) && newest !== null)
      await lease.replace({ ...newest, generation: newest.generation + 1, run: 'b', holder: holderOf('bob') });
    return reply;
  });
  const report = await made.apply(await made.plan(TEAM), TEAM, { client, refused: tenure.refused });
  expect([writesOf(made), report.outcome]).toEqual([['batch_create_agents'], 'partial']);
  expect(report.refused).toContain('it was taken from this run by bob@build-7');
});

test('A run that keeps its lease has nothing refused', async () => {
  const { made, client, tenure } = await staged((exchange) => exchange);
  const report = await made.apply(await made.plan(TEAM), TEAM, { client, refused: tenure.refused });
  expect(report).toMatchObject({ outcome: 'done', refused: null });
});

test('What may have taken effect before the lease was lost is not reported as never sent', async () => {
  const { made, tenure } = await staged((exchange, clock) => async (request) => {
    if (!request.url.endsWith('/delete_group')) return exchange(request);
    await clock().sleep(61_000);
    return { failure: { phase: 'sent', kind: 'reset', detail: 'ECONNRESET' } };
  });
  const client = patient(leased(made.client, tenure, 30_000), {
    clock: made.clock,
    random: seededRandom(3),
    concurrency: 8,
  });
  await expect(client.call('delete_group', { id: 1 })).rejects.toMatchObject({
    failure: { type: 'connection', ambiguous: true },
  });
});

test('No action that changes anything leaves without the lease, alone or in a batch, and every reading does', async () => {
  const left: string[] = [];
  const raw: LicenseClient = {
    api: LICENSE_API,
    version: '3.6',
    call: async (action) => {
      left.push(action);
      return {};
    },
    batch: async (action) => {
      left.push(action);
      return [];
    },
    requests: () => ({}),
    lag: () => null,
    identity: () => null,
    stage: () => null,
    ahead: () => null,
  };
  const client = leased(raw, { refusal: async () => 'it was lost' }, 30_000);
  const names = Object.keys(LICENSE_API.actions) as readonly LicenseAction[];
  for (const name of names) {
    await client.call(name, {}).catch(() => {});
    await client.batch(name, [{}]).catch(() => {});
  }
  const reads = names.filter((name) => LICENSE_API.actions[name].effect === 'read');
  expect(left).toEqual(reads.flatMap((name) => [name, name]));
  expect(reads.length).toBeLessThan(names.length);
});

test('Work that other processes have done is not done again once the lease is held, and the lease is given back', async () => {
  const ledger = join(await folder({}), 'shop.ledger.ndjson');
  const lock = { subject: 'target shop', ledger, requestTimeout: 1_000 };
  const job = localJob('run-1', async () => {});
  const requireOurs = async (): Promise<void> => {
    expect((await leaseAt(ledger, systemContext()).read())?.until).not.toBeNull();
    throw new UsageError('another worker has this target now');
  };
  const work = vi.fn(async () => ({}));
  const around = { ...systemContext(), job: { ...job, requireOurs } };
  await expect(whileLocked(lock, 'apply', around, work)).rejects.toThrow('another worker has this target now');
  expect(work).not.toHaveBeenCalled();
  expect((await leaseAt(ledger, systemContext()).read())?.until).toBeNull();
});
