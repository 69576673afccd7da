// A process that begins a fleet run and does not outlive one of its appends. The work on a license is a line in a file of its own.

import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { driveFleet, type FleetWork } from '../../src/many/drive.ts';
import type { FleetSpec } from '../../src/many/log/events.ts';
import { fileStore } from '../../src/many/log/file-store.ts';
import type { FleetStore } from '../../src/many/log/store.ts';
import { systemContext } from '../../src/target/context.ts';
import { whileLocked } from '../../src/target/lock.ts';

export interface FleetJob {
  readonly file: string;
  /** Where the licenses are. */
  readonly folder: string;
  readonly spec: FleetSpec;
  /** The append that is not outlived, counted from 0. */
  readonly at: number;
  readonly moment: 'before' | 'torn' | 'after';
}

/** Works like an apply: a license that is done stays as it is. */
export function workIn(folder: string): FleetWork {
  return {
    work: async (target) => {
      const path = join(folder, target);
      write(path, 'begun\n');
      await pause(Math.random() * 4);
      if (!readFileSync(path, 'utf8').includes('done\n')) write(path, 'done\n');
      return { state: 'done', code: 0, message: null, requests: 1, summary: {} };
    },
    check: async (gate, target) => ({ passed: gate === 'tests' && existsSync(join(folder, target)), message: null }),
  };
}

function write(path: string, line: string): void {
  const file = openSync(path, 'a');
  writeSync(file, line);
  fsyncSync(file);
  closeSync(file);
}

function mortal({ file, at, moment }: FleetJob): FleetStore {
  const store = fileStore(file);
  let count = 0;
  const die = (): void => void process.kill(process.pid, 'SIGKILL');
  return {
    ...store,
    append: async (events) => {
      const isLast = count === at;
      count += 1;
      if (isLast && moment === 'before') die();
      if (isLast && moment === 'torn') {
        const line = JSON.stringify(events[0]);
        appendFileSync(file, line.slice(0, 1 + Math.floor(Math.random() * (line.length - 1))));
        die();
      }
      await store.append(events);
      if (isLast) die();
    },
  };
}

async function run(job: FleetJob): Promise<void> {
  const context = systemContext();
  const { clock, signal, self } = context;
  const { user, host, pid } = self;
  const by = { user, host, pid };
  const lock = { subject: 'fleet run', ledger: job.file, requestTimeout: 0 };
  await whileLocked(lock, 'apply', context, async () => {
    const store = mortal(job);
    const at = new Date(clock.now()).toISOString();
    await store.append([{ v: 1, at, type: 'run', id: 'r1', command: 'apply', spec: job.spec, digest: null, by }]);
    return driveFleet(store, workIn(job.folder), { clock, signal, by });
  });
}

const [, , given] = process.argv;
if (process.env['FLEET_CHILD'] === '1' && given !== undefined) await run(JSON.parse(given));
