// A version and a delay in; a license behind a port and a process that works on it, which is killed at one of its requests, out.

import type { Clock } from '../../src/base/model.ts';
import { seededRandom } from '../../src/emulator/engine/random.ts';
import { createEmulator, type Emulator, listen } from '../../src/emulator/index.ts';
import type { Moment } from '../laws/crash.ts';
import { CLIENT } from '../laws/upheaval.ts';
import type { Ended, Job } from './child.ts';
import { createClockFile, sharedClock } from './clock.ts';
import { type Worker, worker } from './process.ts';

/** Which request a process does not outlive, counted from 0: `before` it is carried out, or `after`, and before it is answered. */
export interface KillPoint {
  readonly at: number;
  readonly moment: Moment;
}

/** Outlives everything. */
export const NEVER: KillPoint = { at: Number.POSITIVE_INFINITY, moment: 'after' };

export interface Lane {
  readonly emulator: Emulator;
  readonly clock: Clock;
  /** By how many milliseconds its clock is ahead. */
  readonly ahead: () => number;
  /** `ended` is null for a process that was killed. `requests` are the actions that arrived until then. */
  readonly run: (
    command: Job['command'],
    folder: string,
    point: KillPoint,
  ) => Promise<{ readonly ended: Ended | null; readonly requests: readonly string[] }>;
  readonly close: () => Promise<void>;
}

export interface LaneOptions {
  readonly propagationDelay: number;
  /** The program of the process. */
  readonly program: string;
  readonly clockFile: string;
  readonly ahead: number;
}

export async function openLane({ propagationDelay, program, clockFile, ahead }: LaneOptions): Promise<Lane> {
  createClockFile(clockFile, ahead);
  const { clock } = sharedClock(clockFile);
  const seed = { installed_clients: [CLIENT] };
  const emulator = createEmulator({ now: clock.now, random: seededRandom(7), propagationDelay, seed });
  const process: Worker = worker(program);
  let arrived: string[] = [];
  let fatal = NEVER;

  const handle: Emulator['handle'] = async (asked) => {
    const number = arrived.push(asked.target.split('/').at(-1) ?? '') - 1;
    const { at, moment } = fatal;
    // What was on its way at that moment arrives, or does not, like the request itself.
    if (number >= at && moment === 'before') {
      await process.kill();
      throw new Error('never arrived');
    }
    const answer = await emulator.handle(asked);
    if (number < at) return answer;
    await process.kill();
    throw new Error('nobody waits for the answer');
  };

  const server = await listen({ handle }, { port: 0, host: '127.0.0.1' });
  return {
    emulator,
    clock,
    ahead: () => clock.now() - Date.now(),
    run: async (command, folder, point) => {
      arrived = [];
      fatal = point;
      const ended = await process.run({ command, folder, baseUrl: server.url, clockFile });
      const requests = arrived.slice(0, point.at + 1);
      fatal = NEVER;
      return { ended, requests };
    },
    close: async () => {
      await process.kill();
      await server.close();
    },
  };
}
