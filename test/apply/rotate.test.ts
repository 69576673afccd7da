// Resets of secrets against the emulator: what is kept, what the ledger learns, and what is said when nobody heard the answer.

import { describe, expect, test } from 'vitest';
import { ApiError, UsageError } from '../../src/base/errors.ts';
import type { Address } from '../../src/base/model.ts';
import { type Rotation, rotate } from '../../src/features/secrets/rotate-operation.ts';
import { KINDS } from '../../src/kinds/index.ts';
import { foldLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { memoryLedger } from '../../src/ledger/memory.ts';
import type { Exchange } from '../../src/service/exchange.ts';
import type { SecretsSink, StoredSecret } from '../../src/target/secrets/secrets.ts';
import { declare, desiredOf } from '../desired.ts';
import { type World, world } from '../world.ts';

type End = Awaited<ReturnType<Exchange>>;

const LOST: End = { failure: { phase: 'sent', kind: 'reset', detail: 'ECONNRESET' } };
const BUSY: End = { status: 429, headers: {}, body: '{"error":{"type":"too_many_requests","message":"later"}}' };
const FORBIDDEN: End = { status: 403, headers: {}, body: '{"error":{"type":"authorization","message":"no"}}' };

/** How the answers to the resets end: as they are, after they took effect or instead, the last of them for good. */
type Script = readonly ('as it is' | { readonly after: End } | { readonly instead: End })[];

interface Scene {
  readonly made: World;
  readonly rotations: readonly Rotation[];
  /** Whether the service takes this for the secret of that bot. */
  readonly holds: (address: Address, secret: string | undefined) => Promise<boolean>;
  readonly sent: () => number;
}

async function scene(script: Script = ['as it is'], keys: readonly string[] = ['triage']): Promise<Scene> {
  let sent = 0;
  const wrap =
    (exchange: Exchange): Exchange =>
    async (request) => {
      if (!request.url.endsWith('/reset_bot_secret')) return exchange(request);
      const how = script[Math.min(sent, script.length - 1)] ?? 'as it is';
      sent += 1;
      if (how === 'as it is') return exchange(request);
      if ('instead' in how) return how.instead;
      await exchange(request);
      return how.after;
    };
  const made = world({ wrap });
  const desired = desiredOf(keys.map((key) => declare('bot', key, { name: key })));
  await made.apply(await made.plan(desired), desired);
  const { bindings } = foldLedger(await made.ledger.read());
  const { reset } = KINDS.bot.secret ?? {};
  if (reset === undefined) throw new Error('bots have no secrets');
  const rotations = [...bindings].map(([address, { id }]): Rotation => {
    return { address, id, call: reset.call(id, { owner: null, installations: false }), of: reset.of };
  });
  const holds: Scene['holds'] = async (address, secret = '') => {
    const bot_id = String(bindings.get(address)?.id);
    const body = { bot_id, client_id: 'emulator-client', organization_id: 'o', bot_secret: secret };
    return made.client.call('issue_bot_token', body).then(
      () => true,
      () => false,
    );
  };
  return { made, rotations, holds, sent: () => sent };
}

interface How {
  readonly sink?: SecretsSink;
  readonly rescue?: (entries: readonly StoredSecret[]) => Promise<string>;
  readonly ledger?: Ledger;
  readonly signal?: AbortSignal;
}

async function run({ made, rotations }: Scene, { sink, rescue, ledger, signal }: How = {}) {
  const pauses: number[] = [];
  const kept: SecretsSink = {
    probe: async () => {},
    store: async (entries) => {
      for (const { address, secret } of entries) made.kept.set(address, secret);
    },
  };
  const report = await rotate({
    run: 'r',
    rotations,
    client: made.client,
    ledger: ledger ?? made.ledger,
    sink: sink ?? kept,
    rescue: { store: rescue ?? (() => Promise.reject(new UsageError('no place'))) },
    clock: made.clock,
    signal: signal ?? new AbortController().signal,
    onPause: (_, milliseconds) => pauses.push(milliseconds),
  });
  return { ...report, pauses };
}

const stateOf = async ({ made }: Scene, address: Address = 'bot/triage') =>
  foldLedger(await made.ledger.read()).secrets.get(address);

const failing: SecretsSink = {
  probe: async () => {},
  store: () => Promise.reject(new UsageError('the vault is away')),
};

test('The new secret is kept, the old one ends, and the ledger knows', async () => {
  const set = await scene();
  const old = set.made.kept.get('bot/triage');
  expect(await run(set)).toMatchObject({ outcome: 'done', failure: null, results: [{ state: 'kept' }] });
  const secret = set.made.kept.get('bot/triage');
  expect([await set.holds('bot/triage', secret), await set.holds('bot/triage', old)]).toEqual([true, false]);
  expect(await stateOf(set)).toBe('kept');
  expect((await set.made.ledger.read()).at(-1)).toMatchObject({
    type: 'run',
    command: 'secrets rotate',
    outcome: 'done',
  });
  expect(JSON.stringify(await set.made.ledger.read())).not.toContain(secret);
});

test('While a reset is under way the ledger says that nobody knows the secret, for whoever comes after a kill', async () => {
  const set = await scene();
  const seen: unknown[] = [];
  const sink: SecretsSink = {
    probe: async () => {},
    store: async () => {
      seen.push(await stateOf(set));
    },
  };
  await run(set, { sink });
  expect(seen).toEqual(['lost']);
});

describe('a sink that fails', () => {
  test('has the secret rescued, and no further one is reset', async () => {
    const set = await scene(['as it is'], ['a', 'b']);
    const rescued: StoredSecret[] = [];
    const report = await run(set, {
      sink: failing,
      rescue: async (entries) => {
        rescued.push(...entries);
        return 'the place';
      },
    });
    expect(report).toMatchObject({
      outcome: 'partial',
      results: [
        { address: 'bot/a', state: 'rescued', path: 'the place', reason: 'the vault is away' },
        { address: 'bot/b', state: 'not-sent' },
      ],
    });
    expect(set.sent()).toBe(1);
    expect(await set.holds('bot/a', rescued[0]?.secret)).toBe(true);
    expect(await stateOf(set, 'bot/a')).toBe('rescued');
    expect(JSON.stringify(report)).not.toContain(rescued[0]?.secret);
  });

  test('and a rescue that fails, too, lose it, and both say why', async () => {
    const set = await scene();
    expect((await run(set, { sink: failing })).results).toMatchObject([
      { state: 'lost', reason: 'the vault is away, and no place' },
    ]);
    expect(await stateOf(set)).toBe('lost');
  });
});

describe('a reset that nobody heard the answer of', () => {
  test.each([
    ['took effect', { after: LOST }],
    ['did not arrive', { instead: LOST }],
  ] as const)('and that %s is followed by another when it cannot take effect any more', async (_, first) => {
    const set = await scene([first, 'as it is']);
    const report = await run(set);
    expect([report.outcome, report.pauses, set.sent()]).toEqual(['done', [15_000], 2]);
    expect(await set.holds('bot/triage', set.made.kept.get('bot/triage'))).toBe(true);
  });

  test('three times leaves a secret that nobody knows, and says so', async () => {
    const set = await scene([{ after: LOST }]);
    const old = set.made.kept.get('bot/triage');
    const report = await run(set);
    expect(report).toMatchObject({ outcome: 'partial', results: [{ state: 'lost' }], pauses: [15_000, 15_000] });
    expect(await set.holds('bot/triage', old)).toBe(false);
    expect(await stateOf(set)).toBe('lost');
  });

  test('is not made certain by a refusal of the next one', async () => {
    const set = await scene([{ after: LOST }, { instead: FORBIDDEN }]);
    expect((await run(set)).results).toMatchObject([{ state: 'lost' }]);
  });

  test('is the last when the run is stopped', async () => {
    const set = await scene([{ after: LOST }]);
    const stop = new AbortController();
    const clock = { ...set.made.clock, sleep: async () => stop.abort() };
    const report = await run({ ...set, made: { ...set.made, clock } }, { signal: stop.signal });
    expect([report.outcome, set.sent()]).toEqual(['partial', 1]);
  });
});

test('What was refused before it was looked at is sent again at once', async () => {
  const set = await scene([{ instead: BUSY }, 'as it is']);
  expect(await run(set)).toMatchObject({ outcome: 'done', pauses: [] });
});

test('A refusal leaves the old secret as it is, and the ledger too', async () => {
  const set = await scene([{ instead: FORBIDDEN }]);
  const report = await run(set);
  expect(report).toMatchObject({
    outcome: 'failed',
    results: [{ state: 'refused', failure: { type: 'authorization' } }],
  });
  expect(await set.holds('bot/triage', set.made.kept.get('bot/triage'))).toBe(true);
});

test('A refusal restores what the ledger knew', async () => {
  const set = await scene([{ instead: FORBIDDEN }]);
  const [rotation] = set.rotations;
  if (rotation === undefined) throw new Error('no bot');
  const { address, id } = rotation;
  await set.made.ledger.append([
    { v: 1, run: 'r', at: '2026-11-21T12:00:00Z', type: 'secret', address, id, state: 'kept' },
  ]);
  await run(set);
  expect(await stateOf(set)).toBe('kept');
});

test('A reply without a secret ends the old one, and is no failure of the run but of that secret', async () => {
  for (const body of ['{}', '[]', '"x"']) {
    const set = await scene([{ after: { status: 200, headers: {}, body } }]);
    expect((await run(set)).results).toMatchObject([{ state: 'lost', reason: 'the reply did not contain it' }]);
  }
});

test('Once it is stopped, nothing is reset', async () => {
  const set = await scene();
  expect(await run(set, { signal: AbortSignal.abort() })).toMatchObject({
    outcome: 'interrupted',
    results: [{ state: 'not-sent' }],
  });
  expect(set.sent()).toBe(0);
});

describe('a ledger that cannot be written', () => {
  const full = (from: number): Ledger => {
    const log = memoryLedger();
    let appends = 0;
    return {
      read: log.read,
      append: async (events) => {
        appends += 1;
        if (appends >= from) throw new UsageError('the ledger cannot be written: ENOSPC');
        await log.append(events);
      },
    };
  };

  test('lets nothing be reset', async () => {
    const set = await scene();
    const report = await run(set, { ledger: full(1) });
    expect(report).toMatchObject({ outcome: 'failed', results: [{ state: 'not-sent' }] });
    expect([report.failure?.message, set.sent()]).toEqual([expect.stringContaining('ENOSPC'), 0]);
  });

  test('takes neither the secret nor the report with it', async () => {
    const set = await scene(['as it is'], ['a', 'b']);
    const report = await run(set, { ledger: full(2) });
    expect(report).toMatchObject({
      outcome: 'partial',
      results: [
        { address: 'bot/a', state: 'kept' },
        { address: 'bot/b', state: 'not-sent' },
      ],
    });
    expect(await set.holds('bot/a', set.made.kept.get('bot/a'))).toBe(true);
  });
});

test('A lease that is lost is no refusal of the service', async () => {
  const set = await scene();
  const aborted = { type: 'aborted', message: 'not sent without the lease', ambiguous: false, status: null };
  const failure = { ...aborted, action: 'reset_bot_secret', debugId: null, retryAfter: null, data: null };
  const client = { ...set.made.client, call: () => Promise.reject(new ApiError(failure)) };
  expect(await run({ ...set, made: { ...set.made, client } })).toMatchObject({
    outcome: 'failed',
    results: [{ state: 'not-sent', reason: 'not sent without the lease' }],
  });
});
