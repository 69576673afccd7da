// `npm run bench:workers -- [few] [licenses] [stub]`: one worker and three on PostgreSQL, over 300 licenses of their own; four over 1,000, and over
// 10,000 names of one license.
// Needs Linux, which tells the peak memory of a process.

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Fleet, type FleetProject, fleetOn, type WorkerProcess } from '../../test/faults/fleet.ts';
import { overIn } from '../../test/faults/state.ts';
import { manifestOf } from '../../test/ledger/postgres/disturbed.ts';
import { type PostgresServer, postgresServer } from '../../test/ledger/postgres/server.ts';
import { machineLine } from '../machine.ts';

/** Seconds that a run may take. */
const PATIENCE = 900;

/** Milliseconds that a request takes: half before it is carried out, and half after. */
const HALF = 25;

const namesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `l${index}`);

interface Part {
  readonly project: FleetProject;
  readonly commands: readonly string[];
  /** How many workers: one number after the other. */
  readonly workers: readonly number[];
}

const PARTS: Readonly<Record<string, Part>> = {
  few: {
    project: {
      names: namesOf(300),
      canaries: 2,
      manifest: manifestOf(3, 3),
      rest: 64,
      licenses: { half: [HALF, HALF], isOne: false },
      parallel: 16,
    },
    commands: ['apply', 'plan', 'plan', 'plan'],
    workers: [1, 3],
  },
  licenses: {
    project: {
      names: namesOf(1_000),
      canaries: 2,
      manifest: manifestOf(3, 3),
      rest: 64,
      licenses: { half: [HALF, HALF], isOne: false },
      parallel: 16,
    },
    commands: ['apply', 'plan'],
    workers: [4],
  },
  stub: {
    project: {
      names: namesOf(10_000),
      canaries: 2,
      manifest: manifestOf(3, 3),
      rest: 64,
      licenses: { half: [HALF, HALF], isOne: true },
      parallel: 16,
    },
    commands: ['plan'],
    workers: [4],
  },
};

/** MiB that a process had at most. */
async function peakOf({ process: { pid } }: WorkerProcess): Promise<number> {
  const [, kib] = /^VmHWM:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1_024;
}

async function measured(command: string, fleet: Fleet, workers: readonly WorkerProcess[]): Promise<string> {
  const before = (await fleet.licenses.asked()).length;
  const from = Date.now();
  const flags = command === 'apply' ? ['--yes'] : [];
  const begun = await fleet.run(command, '--all', ...flags, '--workers', '--detach');
  if (begun.code !== 0) throw new Error(begun.stderr);
  const [, run = ''] = /^Run (\w+) began/m.exec(begun.stdout) ?? [];
  const log = await overIn(fleet, run, PATIENCE);
  const seconds = ((log.at(-1)?.at ?? Number.NaN) - from) / 1_000;
  const ends = log.filter(({ event }) => event.type === 'ended' && event.state === 'done').length;
  const requests = (await fleet.licenses.asked()).length - before;
  const peaks = await Promise.all(workers.map(peakOf));
  return `${command} of ${ends} licenses: ${seconds.toFixed(1)} s, ${(ends / seconds).toFixed(0)} licenses/s; ${requests} requests, ${(requests / seconds).toFixed(0)}/s; peak memory of workers so far: ${peaks.map((peak) => peak.toFixed(0)).join(', ')} MiB`;
}

const { positionals } = parseArgs({ allowPositionals: true });
console.log(machineLine(1));
for (const name of positionals.length === 0 ? Object.keys(PARTS) : positionals) {
  const part = PARTS[name];
  if (part === undefined) throw new Error(`${name} is none of ${Object.keys(PARTS).join(', ')}`);
  const server = (await postgresServer({ durable: true })) as PostgresServer;
  const fleet = await fleetOn(server, part.project);
  try {
    for (const count of part.workers) {
      await fleet.clear();
      const workers = await Promise.all(Array.from({ length: count }, () => fleet.worker()));
      for (const command of part.commands)
        console.log(`${name}, ${count} workers: ${await measured(command, fleet, workers)}`);
    }
  } finally {
    await fleet.close();
    await server.stop();
  }
}
