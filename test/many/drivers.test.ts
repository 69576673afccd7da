// The specs of the drivers on the local driver, with its log in memory and in a file, and a clock that leaps over every wait.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import type { Clock } from '../../src/base/model.ts';
import { driveFleet } from '../../src/many/drive.ts';
import { frozenUntil } from '../../src/many/freeze.ts';
import type { FleetEvent } from '../../src/many/log/events.ts';
import { fileStore } from '../../src/many/log/file-store.ts';
import { type FleetStore, memoryStore } from '../../src/many/log/store.ts';
import { beginOf, CANCEL, labelOf, scripted } from './drivers/script.ts';
import type { DriverSpec, Round } from './drivers/spec.ts';
import { SPECS } from './drivers/specs.ts';
import { endText, expectAsSpecified } from './drivers.conformance.ts';
import { ANN, leapingClock, runOf, stampAt } from './names.ts';

const root = await mkdtemp(join(tmpdir(), 'chatform-drivers-'));
afterAll(() => rm(root, { recursive: true }));

/** Once it is dead, nothing that it asks for is answered. */
interface Life {
  readonly store: FleetStore;
  readonly clock: Clock;
  readonly kill: () => void;
  readonly killed: Promise<null>;
}

function lifeOn(store: FleetStore, clock: Clock): Life {
  let isDead = false;
  let end: (nothing: null) => void;
  const killed = new Promise<null>((resolve) => {
    end = resolve;
  });
  const never = new Promise<never>(() => {});
  const alive =
    <A extends readonly unknown[], R>(ask: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      if (isDead) return never;
      const answer = await ask(...given);
      return isDead ? never : answer;
    };
  return {
    store: {
      read: alive(store.read),
      append: alive(store.append),
      cancel: alive(store.cancel),
      cancelled: alive(store.cancelled),
    },
    clock: { now: clock.now, sleep: alive(clock.sleep) },
    kill: () => {
      isDead = true;
      end(null);
    },
    killed,
  };
}

async function endOfRound(spec: DriverSpec, round: Round, store: FleetStore, clock: Clock): Promise<string | null> {
  const { by = 'person', retry, approved, cancel, kill, stop } = round;
  const stopping = new AbortController();
  const life = lifeOn(store, clock);
  const frozen = await frozenUntil(spec.freeze === undefined ? [] : [spec.freeze]);
  const onEvent = (event: FleetEvent): void => {
    const label = labelOf(event);
    // Once what was begun is under way.
    if (label === cancel) void clock.sleep(1).then(() => store.cancel(CANCEL));
    if (label === stop) stopping.abort();
    if (label === kill) life.kill();
  };
  const begin = () =>
    driveFleet(life.store, scripted(spec, life.store, life.clock), {
      clock: life.clock,
      signal: stopping.signal,
      by: ANN,
      isRecovered: by === 'engine',
      frozen,
      onEvent,
      ...(retry === undefined ? {} : { retry }),
      ...(approved === undefined ? {} : { approved }),
    });
  if (cancel === 'before') await store.cancel(CANCEL);
  if (cancel === 'later') void clock.sleep(2_500).then(() => store.cancel(CANCEL));
  try {
    const end = await Promise.race([begin(), life.killed]);
    return end === null || stop !== undefined ? null : endText(end.stopped);
  } catch (error) {
    return `broken: ${error instanceof Error ? error.message : error}`;
  }
}

async function conforms(spec: DriverSpec, store: FleetStore): Promise<void> {
  const clock = leapingClock(beginOf(spec));
  await store.append([{ ...runOf(spec.run), ...stampAt(clock.now()) }]);
  const ends: (string | null)[] = [];
  for (const round of spec.rounds) ends.push(await endOfRound(spec, round, store, clock));
  await expectAsSpecified(spec, ends, await store.read());
}

const NAMED = SPECS.map((spec) => [spec.title, spec] as const);

describe('The local driver', () => {
  test.each(NAMED)('with its log in memory: %s', (_, spec) => conforms(spec, memoryStore()));

  test.each(NAMED)('with its log in a file: %s', (_, spec) =>
    conforms(spec, fileStore(join(root, `${SPECS.indexOf(spec)}.ndjson`))),
  );
});
