// A license for tests: an emulator, a client, a ledger and a clock that only moves when somebody waits. No network, no disk, no real time.

import { randomUUID } from 'node:crypto';
import { type ApplyReport, apply } from '../src/apply/apply.ts';
import { givenSecrets } from '../src/apply/given-secrets.ts';
import type { ApplyEvent } from '../src/apply/input.ts';
import type { Address, Clock, Desired, Live, Move, ObjectId, Place, Version } from '../src/base/model.ts';
import { seededRandom } from '../src/emulator/engine/random.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../src/emulator/index.ts';
import { LICENSE_API } from '../src/kinds/actions.ts';
import { foldLedger, type Ledger } from '../src/ledger/ledger.ts';
import { memoryLedger } from '../src/ledger/memory.ts';
import type { LicenseClient } from '../src/license/connect.ts';
import { type Ask, askAhead } from '../src/license/reading/live.ts';
import { planSettled, SETTLE_WINDOW, type SettledPlan } from '../src/license/reading/settled.ts';
import { declaredView } from '../src/license/reading/view.ts';
import type { Planned } from '../src/plan/assemble.ts';
import { compare } from '../src/plan/compare.ts';
import type { Difference } from '../src/plan/differences/difference.ts';
import { differencesOf } from '../src/plan/differences/differences.ts';
import type { PlannerOptions } from '../src/plan/input.ts';
import type { Plan } from '../src/plan/plan.ts';
import { secretStandings } from '../src/planning/secret-standings.ts';
import { createClient, readsOnly } from '../src/service/client.ts';
import type { Credential } from '../src/service/credential.ts';
import type { Exchange } from '../src/service/exchange.ts';
import { patient } from '../src/service/patience/retry.ts';
import type { Rescue } from '../src/target/secrets/rescue.ts';
import type { SecretsSink, TokenSink } from '../src/target/secrets/secrets.ts';
import { wireExchange } from './wire.ts';

export { seededRandom };

export interface World {
  readonly version: Version;
  readonly emulator: Emulator;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly client: LicenseClient;
  /** Secrets that manifests name. */
  readonly env: { [name: string]: string };
  readonly kept: Map<string, string>;
  readonly sink: SecretsSink;
  readonly settled: (
    desired: Desired,
    options?: Partial<PlannerOptions>,
    moved?: readonly Move[],
  ) => Promise<SettledPlan>;
  /** What a drift would tell. */
  readonly differences: (
    desired: Desired,
    options?: Partial<PlannerOptions>,
    moved?: readonly Move[],
  ) => Promise<readonly Difference[]>;
  readonly planned: (desired: Desired, options?: Partial<PlannerOptions>, moved?: readonly Move[]) => Promise<Planned>;
  readonly plan: (desired: Desired, options?: Partial<PlannerOptions>) => Promise<Plan>;
  readonly apply: (plan: Plan, desired: Desired, how?: Partial<ApplyHow>) => Promise<ApplyReport>;
}

export interface ApplyHow {
  readonly propagationTimeout: number | null;
  readonly window: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ApplyEvent) => void;
  readonly options: Partial<PlannerOptions>;
  readonly client: LicenseClient;
  readonly ledger: Ledger;
  readonly sink: SecretsSink;
  readonly rescue: Rescue;
  readonly refused: () => string | null;
  readonly placeOf: (address: Address, field: string) => Place | null;
  readonly run: string;
  readonly command: string;
  readonly undoes: string;
  readonly isWhole: boolean;
  readonly live: Live;
}

export const EVERYTHING: PlannerOptions = {
  target: 'test',
  selects: () => true,
  protects: () => false,
  prune: { agent: 'none' },
  maxDeletes: Number.POSITIVE_INFINITY,
  maxDeletePercent: 100,
  acknowledged: new Set(['deletes', 'empty-manifest']),
  hasSink: true,
  batchSize: 100,
  // The emulator takes any token for one with every scope.
  mayApprove: true,
};

/** Sleeping takes no time and moves the clock. */
export function virtualClock(start = Date.UTC(2026, 0, 5, 9)): Clock {
  let now = start;
  return {
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
  };
}

export function world(
  options: Partial<EmulatorOptions> & {
    readonly version?: Version;
    readonly credential?: Credential;
    readonly wrap?: (exchange: Exchange) => Exchange;
  } = {},
): World {
  const clock = virtualClock();
  const {
    version = '3.6',
    credential = { kind: 'bearer', token: 'test-token' },
    wrap = (exchange: Exchange) => exchange,
    ...emulated
  } = options;
  const emulator = createEmulator({ now: clock.now, random: seededRandom(7), ...emulated });
  const raw = createClient(LICENSE_API, {
    baseUrl: 'http://emulator.test',
    version,
    credential,
    exchange: wrap(wireExchange(emulator.handle)),
    clock,
  });
  const client = patient(raw, { clock, random: seededRandom(11), concurrency: 8 });
  const ledger = memoryLedger();
  const kept = new Map<string, string>();
  const keptFor = new Map<string, ObjectId>();
  const env = { HOOK_SECRET: 'one', OTHER_HOOK_SECRET: 'other' };
  const sink: SecretsSink & Pick<TokenSink, 'secretOf'> = {
    probe: async () => {},
    secretOf: async (address, id) => (keptFor.get(address) === id ? (kept.get(address) ?? null) : null),
    store: async (entries) => {
      for (const { address, id, secret } of entries) {
        kept.set(address, secret);
        keptFor.set(address, id);
      }
    },
  };

  const settled: World['settled'] = async (desired, more = {}, moved = []) => {
    const reader = readsOnly(client);
    const ask: Ask = (action, body, ends) => reader.call(action, body, ends);
    return planSettled({
      ask,
      ahead: askAhead(ask, declaredView(desired, version), version, clock.now()),
      desired,
      events: await ledger.read(),
      moved,
      options: optionsOf(more),
      version,
      clock,
      delay: () => ({ window: client.lag() ?? SETTLE_WINDOW, underWay: 30_000 }),
      signal: new AbortController().signal,
      secretOf: async (address, id) => (keptFor.get(address) === id ? 'kept' : 'lost'),
      onWait: () => {},
    });
  };
  const optionsOf = (more: Partial<PlannerOptions>): PlannerOptions => ({
    ...EVERYTHING,
    standingOf: secretStandings(env),
    credential: credential.kind,
    ...more,
  });
  const planned: World['planned'] = async (...wanted) => (await settled(...wanted)).planned;
  return {
    version,
    emulator,
    ledger,
    clock,
    client,
    env,
    kept,
    sink,
    settled,
    planned,
    differences: async (desired, more = {}, moved = []) => {
      const { live, recovery } = await settled(desired, more, moved);
      const options = optionsOf(more);
      const compared = compare({ desired, live, ledger: foldLedger(await ledger.read()), moved, recovery, options });
      return differencesOf(compared, options.selects);
    },
    plan: async (desired, more) => {
      const result = await planned(desired, more);
      if (result.plan === null) throw new Error(result.problems.map(({ message }) => message).join('; '));
      return result.plan;
    },
    apply: async (plan, desired, how = {}) =>
      apply({
        given: await givenSecrets(plan, env, sink),
        run: how.run ?? randomUUID(),
        isWhole: how.isWhole ?? true,
        ...(how.command === undefined ? {} : { command: how.command }),
        ...(how.undoes === undefined ? {} : { undoes: how.undoes }),
        ...(how.live === undefined ? {} : { live: how.live }),
        plan,
        desired,
        options: optionsOf(how.options ?? {}),
        client: how.client ?? client,
        ledger: how.ledger ?? ledger,
        sink: how.sink ?? sink,
        rescue: how.rescue ?? null,
        clock,
        signal: how.signal ?? new AbortController().signal,
        window: how.window ?? client.lag() ?? SETTLE_WINDOW,
        propagationTimeout: how.propagationTimeout === undefined ? 150_000 : how.propagationTimeout,
        onEvent: how.onEvent ?? (() => {}),
        ...(how.refused === undefined ? {} : { refused: how.refused }),
        ...(how.placeOf === undefined ? {} : { placeOf: how.placeOf }),
      }),
  };
}
