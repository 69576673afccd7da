// What the executor makes of refusals, interruptions and lost replies: who fails, who is skipped because of whom, what is sent again, and whether the
// report tells the truth.

import { describe, expect, it } from 'vitest';
import type { ApplyReport } from '../../src/apply/apply.ts';
import type { ApplyEvent } from '../../src/apply/input.ts';
import { UsageError } from '../../src/base/errors.ts';
import type { Desired } from '../../src/base/model.ts';
import { foldLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { memoryLedger } from '../../src/ledger/memory.ts';
import type { Exchange, ExchangeReply, ExchangeRequest } from '../../src/service/exchange.ts';
import type { Rescue } from '../../src/target/secrets/rescue.ts';
import type { SecretsSink } from '../../src/target/secrets/secrets.ts';
import { type Declared, declare, desiredOf } from '../desired.ts';
import { type World, world } from '../world.ts';

const [ANN, BOB] = ['agent/ann@example.com', 'agent/bob@example.com'];
const ann = declare('agent', 'ann@example.com', { name: 'Ann' });
const bob = declare('agent', 'bob@example.com', { name: 'Bob' });
const group = (key: string, members: readonly string[] = []): Declared =>
  declare('group', key, {
    name: key,
    agent_priorities: Object.fromEntries(members.map((member) => [member, 'normal'])),
  });
const rule = (key: string, to: string): Declared =>
  declare('auto_access', key, {
    access: { groups: [`group/${to}`] },
    conditions: { url: { values: [{ value: `/${key}` }] } },
  });
const triage = declare('bot', 'triage', { name: 'Triage' });

/** Step -> what became of it; the error's type, or the step that is to blame, after a colon. */
function told({ results }: ApplyReport): { readonly [step: string]: string } {
  return Object.fromEntries(
    results.map(({ step, outcome }) => {
      switch (outcome.status) {
        case 'failed':
          return [step.id, `failed: ${outcome.error.failure.type}`];
        case 'skipped':
          return [step.id, `skipped: ${outcome.because}`];
        default:
          return [step.id, outcome.status];
      }
    }),
  );
}

const actionOf = ({ url }: ExchangeRequest): string => url.slice(url.lastIndexOf('/') + 1);

const refusal = (status: number, type: string): ExchangeReply => ({
  status,
  headers: {},
  body: JSON.stringify({ error: { type, message: 'as the test wants it' } }),
});

type Answer = (request: ExchangeRequest, exchange: Exchange) => ReturnType<Exchange> | null;

/** A service that leaves a request to `answer` first. */
function answering(answer: Answer): (exchange: Exchange) => Exchange {
  return (exchange) => (request) => answer(request, exchange) ?? exchange(request);
}

/** The first requests for an action end like this, the others as always. */
function first(times: number, action: string, end: Awaited<ReturnType<Exchange>>): (exchange: Exchange) => Exchange {
  let left = times;
  return answering((request) => {
    if (actionOf(request) !== action || left === 0) return null;
    left -= 1;
    return Promise.resolve(end);
  });
}

async function bindingsOf({ ledger }: World): Promise<readonly string[]> {
  return [...foldLedger(await ledger.read()).bindings.keys()].sort();
}

async function run(made: World, desired: Desired, how: Parameters<World['apply']>[2] = {}): Promise<ApplyReport> {
  return made.apply(await made.plan(desired), desired, how);
}

describe('a batch in which one slot fails', () => {
  const twin = { agents: [{ id: 'bob@example.com', name: 'Somebody' }] };

  it('fails the resource of that slot alone; its dependents are skipped and name it, and all others go on', async () => {
    const made = world();
    const desired = desiredOf([ann, bob, group('with', [ANN, BOB]), group('without', [ANN]), rule('a', 'with')]);
    const plan = await made.plan(desired);
    await made.client.call('create_agent', { id: twin.agents[0]?.id ?? '', name: 'Somebody' });
    const report = await made.apply(plan, desired);
    expect(told(report)).toEqual({
      [`create ${ANN}`]: 'done',
      [`create ${BOB}`]: 'failed: already_exists',
      'create group/with': `skipped: create ${BOB}`,
      'create group/without': 'done',
      'create auto_access/a': `skipped: create ${BOB}`,
    });
    expect(report).toMatchObject({ outcome: 'partial', unsettled: [], failure: null });
    expect(await bindingsOf(made)).toEqual([ANN, 'group/without']);
    expect([...foldLedger(await made.ledger.read()).applied.keys()].sort()).toEqual([ANN, 'group/without']);
  });

  it('leaves a plan of exactly what is missing', async () => {
    const made = world();
    const desired = desiredOf([ann, bob, group('with', [ANN, BOB]), rule('a', 'with')]);
    const plan = await made.plan(desired);
    await made.client.call('create_agent', { id: 'bob@example.com', name: 'Bob' });
    await made.apply(plan, desired);
    expect(await run(made, desired)).toMatchObject({ outcome: 'done' });
    expect((await made.plan(desired)).steps).toEqual([]);
  });
});

describe('a request that is lost or refused', () => {
  const groups = desiredOf([group('a')]);

  it.each([
    ['refused for the rate', refusal(429, 'too_many_requests')],
    ['never connected', { failure: { phase: 'connect', kind: 'refused', detail: 'ECONNREFUSED' } }],
    ['out of time before it was connected', { failure: { phase: 'connect', kind: 'timeout', detail: 'ETIMEDOUT' } }],
  ] as const)('is sent again, a create too, when it was %s', async (_, end) => {
    const made = world({ wrap: first(2, 'create_group', end) });
    expect(await run(made, groups)).toMatchObject({ outcome: 'done' });
    expect(made.emulator.stats()['create_group']).toBe(1);
  });

  it.each([
    ['the reply to it was lost', { failure: { phase: 'sent', kind: 'reset', detail: 'ECONNRESET' } }],
    ['the service failed in the middle', refusal(500, 'internal')],
    ['the service was away', refusal(503, 'service_unavailable')],
    ['a gateway answered for the service', { status: 429, headers: {}, body: 'slow down' }],
  ] as const)(
    'is sent again when it is a create that has made nothing by the time it would show: %s',
    async (_, end) => {
      const made = world({ wrap: first(1, 'create_group', end) });
      expect(told(await run(made, groups))).toEqual({ 'create group/a': 'done' });
      expect(made.client.requests()['create_group']).toBe(2);
      expect(made.emulator.stats()['create_group']).toBe(1);
      expect(await bindingsOf(made)).toEqual(['group/a']);
    },
  );

  it.each([
    ['the service says that it is away', refusal(503, 'service_unavailable')],
    ['a gateway answers with a page', { status: 429, headers: {}, body: 'slow down' }],
    ['a gateway refuses', { status: 403, headers: {}, body: '<html>forbidden</html>' }],
    ['the error is of an unknown type', refusal(500, 'brand_new')],
  ] as const)('is not sent again when it is a create that took effect: %s', async (_, end) => {
    const bot = declare('bot', 'triage', { name: 'Triage', owner_client_id: 'client-1' });
    const left = new Set(['create_group', 'create_bot', 'batch_create_bots', 'add_auto_access']);
    const wrap = answering((request, exchange) =>
      left.delete(actionOf(request)) ? exchange(request).then(() => end) : null,
    );
    const made = world({ wrap });
    const desired = desiredOf([group('a'), bot, rule('x', 'a')]);
    const report = await run(made, desired);
    expect(Object.values(told(report))).toEqual(['done', 'done', 'done']);
    const { create_group, batch_create_bots, add_auto_access } = made.emulator.stats();
    expect([create_group, batch_create_bots, add_auto_access]).toEqual([1, 1, 1]);
    expect((await made.plan(desired)).steps).toEqual([]);
  });

  it('is not sent again when a gateway refuses a create, and nothing was made', async () => {
    const page = { status: 403, headers: {}, body: '<html>forbidden</html>' };
    const made = world({ wrap: first(99, 'create_group', page) });
    const report = await run(made, groups);
    expect(told(report)).toEqual({ 'create group/a': 'failed: protocol' });
    expect(report.outcome).toBe('failed');
    expect(made.client.requests()['create_group']).toBe(1);
  });

  it('is not said to have done nothing when that is not known', async () => {
    const away = world({ wrap: first(99, 'update_group', refusal(503, 'service_unavailable')) });
    await run(away, groups);
    expect(await run(away, desiredOf([declare('group', 'a', { name: 'renamed' })]))).toMatchObject({
      outcome: 'partial',
    });
  });

  it('is sent again when it is an update or a delete that may have arrived', async () => {
    const lost = { failure: { phase: 'sent', kind: 'reset', detail: 'ECONNRESET' } } as const;
    const swallowed = new Set<string>();
    // The request takes effect, and its reply is lost.
    const wrap = answering((request, exchange) => {
      if (!/^(update_group|delete_group)$/.test(actionOf(request)) || swallowed.has(actionOf(request))) return null;
      swallowed.add(actionOf(request));
      return exchange(request).then(() => lost);
    });
    const made = world({ wrap });
    await run(made, desiredOf([group('a'), group('b')]));
    const after = desiredOf([declare('group', 'a', { name: 'renamed' })]);
    expect(await run(made, after)).toMatchObject({ outcome: 'done', unsettled: [] });
    expect(swallowed.size).toBe(2);
    expect(await bindingsOf(made)).toEqual(['group/a']);
  });

  it('is sent again when it is a create that names what it makes: what it meets then is its own', async () => {
    const lost = { failure: { phase: 'sent', kind: 'reset', detail: 'ECONNRESET' } } as const;
    let left = 1;
    const wrap = answering((request, exchange) => {
      if (actionOf(request) !== 'batch_create_agents' || left === 0) return null;
      left -= 1;
      return exchange(request).then(() => lost);
    });
    const made = world({ wrap });
    const desired = desiredOf([ann, bob, group('a', [ANN])]);
    expect(await run(made, desired)).toMatchObject({ outcome: 'done', unsettled: [] });
    expect(made.emulator.stats()['batch_create_agents']).toBe(2);
    expect(await bindingsOf(made)).toEqual([ANN, BOB, 'group/a']);
    expect((await made.plan(desired)).steps).toEqual([]);
  });

  it('is done when it is a transition whose first attempt took effect after all', async () => {
    let left = 1;
    const wrap = answering((request, exchange) => {
      if (actionOf(request) !== 'batch_suspend_agents' || left === 0) return null;
      left -= 1;
      return exchange(request).then(() => ({ failure: { phase: 'sent', kind: 'reset', detail: 'ECONNRESET' } }));
    });
    const made = world({ wrap, settings: { repeatedTransition: 'validation' } });
    const suspended = declare('agent', 'ann@example.com', { name: 'Ann', suspended: true });
    expect(await run(made, desiredOf([suspended]))).toMatchObject({ outcome: 'done', unsettled: [] });
  });

  it('is given up after ten times, and says why', async () => {
    const made = world({ wrap: first(99, 'create_group', refusal(429, 'too_many_requests')) });
    expect(told(await run(made, groups))).toEqual({ 'create group/a': 'failed: too_many_requests' });
    expect(made.client.requests()['create_group']).toBe(10);
  });
});

describe('a budget of requests that cannot be asked', () => {
  /** Its requests for an action get no turn, as where the budget is in a database that does not come back. */
  function unaskable({ client }: World, action: string): World['client'] {
    return {
      ...client,
      call: async (asked, body, options) => {
        if (asked === action) throw new UsageError('the server did not come back');
        return client.call(asked, body, options);
      },
    };
  }

  it('ends the run, and what waited for its turn counts as not sent', async () => {
    const made = world();
    const desired = desiredOf([group('a'), rule('a', 'a')]);
    const client = unaskable(made, 'create_group');
    const report = await run(made, desired, { client });
    expect(told(report)).toEqual({ 'create group/a': 'not-sent', 'create auto_access/a': 'not-sent' });
    expect(report).toMatchObject({ outcome: 'failed', failure: { message: 'the server did not come back' } });
    expect(await run(made, desired)).toMatchObject({ outcome: 'done', unsettled: [] });
  });
});

describe('an interruption', () => {
  /** Aborts with the first request for an action, which still goes through. */
  function interruptedAt(action: string, controller: AbortController): (exchange: Exchange) => Exchange {
    return answering((request, exchange) => {
      if (actionOf(request) === action) controller.abort();
      return exchange(request);
    });
  }

  it('in the middle of a wave waits for what is in flight, sends nothing more, and reports both', async () => {
    const controller = new AbortController();
    const made = world({ wrap: interruptedAt('batch_create_agents', controller) });
    const report = await run(made, desiredOf([ann, group('a', [ANN]), rule('a', 'a')]), { signal: controller.signal });
    expect(told(report)).toEqual({
      [`create ${ANN}`]: 'done',
      'create group/a': 'not-sent',
      'create auto_access/a': 'not-sent',
    });
    expect(report.outcome).toBe('interrupted');
    expect(made.emulator.stats()['create_group']).toBeUndefined();
    expect(await bindingsOf(made)).toEqual([ANN]);
    expect((await made.ledger.read()).at(-1)).toMatchObject({ type: 'run', outcome: 'interrupted' });
  });

  it('keeps what waits for its turn among many from being sent', async () => {
    const controller = new AbortController();
    const made = world({ wrap: interruptedAt('create_group', controller) });
    const names = Array.from({ length: 30 }, (_, index) => `group-${index}`);
    const report = await run(made, desiredOf(names.map((name) => group(name))), { signal: controller.signal });
    const done = report.results.filter(({ outcome }) => outcome.status === 'done');
    expect(made.emulator.stats()['create_group']).toBe(done.length);
    expect(done.length).toBeLessThanOrEqual(8);
    expect(report.results.filter(({ outcome }) => outcome.status === 'not-sent')).toHaveLength(30 - done.length);
    expect(await bindingsOf(made)).toHaveLength(done.length);
  });

  it('before the first request sends nothing, and the next run does it all', async () => {
    const made = world();
    const desired = desiredOf([ann, group('a', [ANN])]);
    const report = await run(made, desired, { signal: AbortSignal.abort() });
    expect(new Set(Object.values(told(report)))).toEqual(new Set(['not-sent']));
    expect(report.outcome).toBe('interrupted');
    expect(await run(made, desired)).toMatchObject({ outcome: 'done' });
  });
});

describe('a place that fails to keep what it is given', () => {
  const failingSink: SecretsSink = {
    probe: async () => {},
    store: async () => {
      throw new UsageError('the disk is full');
    },
  };

  it('loses the secret of a bot: the bot is ours, the report names it, and the run is not done', async () => {
    const made = world();
    const report = await run(made, desiredOf([triage]), { sink: failingSink });
    expect(report).toMatchObject({
      outcome: 'partial',
      lostSecrets: [{ address: 'bot/triage', reason: 'the disk is full' }],
    });
    expect(await bindingsOf(made)).toEqual(['bot/triage']);
  });

  it('has the secret rescued where there is a place for that, and the run is not done', async () => {
    const made = world();
    const rescued: unknown[] = [];
    const rescue: Rescue = {
      store: async (entries) => {
        rescued.push(...entries);
        return 'the place';
      },
    };
    const report = await run(made, desiredOf([triage]), { sink: failingSink, rescue });
    expect(report).toMatchObject({
      outcome: 'partial',
      lostSecrets: [],
      rescuedSecrets: [{ address: 'bot/triage', path: 'the place', reason: 'the disk is full' }],
    });
    expect(rescued).toMatchObject([{ address: 'bot/triage', secret: expect.any(String) }]);
    const { store } = failingSink;
    const lost = await run(world(), desiredOf([triage]), {
      sink: failingSink,
      rescue: { store: () => store([]).then(() => '') },
    });
    expect(lost.lostSecrets).toMatchObject([{ reason: 'the disk is full, and the disk is full' }]);
  });

  it('refuses before anything is created when the sink knows beforehand', async () => {
    const made = world();
    const sink: SecretsSink = {
      ...failingSink,
      probe: async () => {
        throw new UsageError('there is no such folder');
      },
    };
    await expect(run(made, desiredOf([triage, group('a')]), { sink })).rejects.toThrow('there is no such folder');
    expect(made.emulator.stats()['create_group']).toBeUndefined();
  });

  /** A ledger that fails at the append of an event of this type. */
  function fullAt(type: string): Ledger {
    const kept = memoryLedger();
    return {
      read: kept.read,
      append: async (events) => {
        if (events.some((event) => event.type === type)) throw new UsageError('the ledger cannot be written: ENOSPC');
        await kept.append(events);
      },
    };
  }

  it('stops the run when it is the ledger, keeps the secret, and reports what was done and what was not', async () => {
    const made = world();
    const desired = desiredOf([triage, group('a'), rule('a', 'a')]);
    const report = await run(made, desired, { ledger: fullAt('bound') });
    expect(report).toMatchObject({ outcome: 'failed', lostSecrets: [] });
    expect(report.failure?.message).toBe('the ledger cannot be written: ENOSPC');
    expect(told(report)).toEqual({
      'create bot/triage': 'done',
      'create group/a': 'done',
      'create auto_access/a': 'not-sent',
    });
    expect([...made.kept.keys()]).toEqual(['bot/triage']);
  });

  it.each(['applied', 'run'])(
    'does not take the report with it when it is the ledger at the end (%s)',
    async (type) => {
      const made = world();
      const report = await run(made, desiredOf([group('a')]), { ledger: fullAt(type) });
      expect(told(report)).toEqual({ 'create group/a': 'done' });
      expect(report.outcome).toBe('failed');
      expect(report.failure?.message).toContain('ENOSPC');
    },
  );
});

it('shows the secret of a bot to the sink alone: no event, report or ledger holds it', async () => {
  const made = world();
  const events: ApplyEvent[] = [];
  const report = await run(made, desiredOf([triage]), { onEvent: (event) => events.push(event) });
  const secret = made.kept.get('bot/triage') ?? '';
  expect(secret).not.toBe('');
  expect(JSON.stringify([events, report, await made.ledger.read()])).not.toContain(secret);
});

describe('deleting', () => {
  it('is done when the object is gone already, and the ledger lets it go', async () => {
    const made = world();
    await run(made, desiredOf([group('a'), triage, group('b')]));
    const less = desiredOf([group('b')]);
    const plan = await made.plan(less);
    for (const { operation, type, object } of plan.steps)
      if (operation === 'delete')
        await made.client.call(type === 'bot' ? 'delete_bot' : 'delete_group', { id: object });
    const report = await made.apply(plan, less);
    expect(told(report)).toEqual({ 'delete group/a': 'done', 'delete bot/triage': 'done' });
    expect(report.outcome).toBe('done');
    expect(await bindingsOf(made)).toEqual(['group/b']);
  });

  it('that is refused leaves the object ours, and the next run tries again', async () => {
    const made = world({ wrap: first(1, 'delete_group', refusal(403, 'authorization')) });
    await run(made, desiredOf([group('a'), group('b')]));
    const less = desiredOf([group('b')]);
    expect(told(await run(made, less))).toEqual({ 'delete group/a': 'failed: authorization' });
    expect(await bindingsOf(made)).toEqual(['group/a', 'group/b']);
    expect(told(await run(made, less))).toEqual({ 'delete group/a': 'done' });
    expect((await made.plan(less)).steps).toEqual([]);
  });

  it('of a rule waits for the rule that takes over, and leaves the old one standing when that one fails', async () => {
    let refused = 1;
    const busy = { now: 0, most: 0 };
    const made = world({
      wrap: answering(async (request, exchange) => {
        if (!/^(add|update|delete)_auto_access$/.test(actionOf(request))) return exchange(request);
        busy.most = Math.max(busy.most, ++busy.now);
        const isRefused = request.body.includes('/new') && refused-- > 0;
        const end = isRefused ? refusal(403, 'limit_reached') : await exchange(request);
        busy.now -= 1;
        return end;
      }),
    });
    await run(made, desiredOf([group('a'), rule('old', 'a'), rule('older', 'a'), rule('kept', 'a')]));
    const after = desiredOf([group('a'), rule('new', 'a'), rule('kept', 'a')]);
    expect(told(await run(made, after))).toEqual({
      'create auto_access/new': 'failed: limit_reached',
      'delete auto_access/old': 'skipped: create auto_access/new',
      'delete auto_access/older': 'skipped: create auto_access/new',
    });
    expect(await run(made, after)).toMatchObject({ outcome: 'done' });
    expect((await made.plan(after)).steps).toEqual([]);
    expect(busy.most).toBe(1);
  });

  it('prunes what is ours and no longer declared, and nothing else', async () => {
    const made = world();
    await made.client.call('create_group', { name: 'by hand', agent_priorities: {} });
    await run(made, desiredOf([ann, group('a', [ANN]), rule('a', 'a'), rule('b', 'a')]));
    const report = await run(made, desiredOf([]));
    expect(told(report)).toEqual({
      'delete auto_access/a': 'done',
      'delete auto_access/b': 'done',
      'delete group/a': 'done',
    });
    expect(await bindingsOf(made)).toEqual([ANN]);
    const left = await made.client.call('list_groups', {});
    expect(left).toMatchObject([{ id: 0 }, { name: 'by hand' }]);
  });
});
