// Runs of a fleet for tests: targets with short names, and a clock that leaps over every wait.

import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/base/model.ts';
import type { FleetEvent, FleetRunEvent, FleetSpec, RunMaker, Wave } from '../../src/many/log/events.ts';

export const START = Date.parse('2026-11-23T12:00:00Z');

export const ANN: RunMaker = { user: 'ann', host: 'build-7', pid: 7 };

export const stampAt = (now: number) => ({ v: 1, at: new Date(now).toISOString() }) as const;

export function wave(name: string, targets: readonly string[], more: Partial<Wave> = {}): Wave {
  return { name, targets, parallel: 2, hold: 0, gates: [], maxFailures: null, maxUnreachable: null, ...more };
}

export function spec(waves: readonly Wave[], more: Partial<FleetSpec> = {}): FleetSpec {
  return { waves, maxFailures: 0, maxUnreachable: null, ...more };
}

export function runOf(made: FleetSpec): FleetRunEvent {
  return { ...stampAt(START), type: 'run', id: 'r1', command: 'apply', spec: made, digest: null, by: ANN };
}

export const started = (target: string, now = START, attempt = 1): FleetEvent => ({
  ...stampAt(now),
  type: 'started',
  target,
  attempt,
});

export const ended = (
  target: string,
  state: 'done' | 'failed' | 'unreachable' = 'done',
  now = START,
  attempt = 1,
): FleetEvent => ({
  ...stampAt(now),
  type: 'ended',
  target,
  attempt,
  state,
  code: state === 'done' ? 0 : 1,
  message: state === 'done' ? null : 'no',
  requests: 1,
  seconds: 1,
  summary: {},
});

/** Leaps to the end of the earliest wait once nothing else can be done. `isBusy`: whether something outside of this process is waited for. */
export function leapingClock(start = START, isBusy = () => false): Clock {
  let time = start;
  const waits = new Set<{ readonly end: number; readonly wake: () => void }>();
  let leaping = false;

  async function leap(): Promise<void> {
    leaping = true;
    while (waits.size > 0) {
      for (let turns = 0; turns < 3; turns = isBusy() ? 0 : turns + 1) await turn();
      const [earliest] = [...waits].sort((a, b) => a.end - b.end);
      if (earliest === undefined) break;
      time = Math.max(time, earliest.end);
      earliest.wake();
    }
    leaping = false;
  }

  return {
    now: () => time,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          waits.delete(wait);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const wait = { end: time + milliseconds, wake };
        if (signal?.aborted === true) return resolve();
        signal?.addEventListener('abort', wake);
        waits.add(wait);
        if (!leaping) void leap();
      }),
  };
}
