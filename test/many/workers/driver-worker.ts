// A worker as a process of its own, with the log of each run in the database, as `chatform fleet worker` has it. Its work is that of a spec.

import { hostname } from 'node:os';
import { logKey } from '../../../src/ledger/place.ts';
import { serverClock } from '../../../src/ledger/postgres/clock.ts';
import { fleetJobs } from '../../../src/many/jobs.ts';
import { recoverFleet } from '../../../src/many/local.ts';
import type { FleetEvent } from '../../../src/many/log/events.ts';
import { storedRequest } from '../../../src/many/log/postgres.ts';
import { fleetStoreAt } from '../../../src/many/log/stores.ts';
import type { Drive, RunWork } from '../../../src/many/workers/abilities.ts';
import { startWorker } from '../../../src/many/workers/worker.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { systemContext } from '../../../src/target/context.ts';
import { createDatabases } from '../../../src/target/stores.ts';
import { labelOf, scripted } from '../drivers/script.ts';
import { SPECS } from '../drivers/specs.ts';
import { logOf, type SpecRequest, VARIABLE } from './driver-runs.ts';
import type { WorkerJob } from './worker-process.ts';

const job = JSON.parse(process.argv[2] ?? '') as WorkerJob;
const machine = {
  ...systemContext(),
  env: { [VARIABLE]: job.url },
  self: { user: 'ann', host: hostname(), pid: process.pid },
};
const clock = await serverClock(machine.databases.at(VARIABLE, machine), {
  ...systemClock,
  now: () => systemClock.now() + job.ahead,
});
const here = { ...machine, clock, databases: createDatabases(clock) };

async function openRun(run: string) {
  const log = logOf(run);
  const request = (await storedRequest(here.databases.at(VARIABLE, here), logKey(log))) as SpecRequest | null;
  const spec = SPECS[request?.spec ?? -1];
  if (request === null || spec === undefined) throw new Error(`the run ${run} has no spec`);
  return { log, spec, store: fleetStoreAt(log, here) };
}

const worker = await startWorker({
  url: job.url,
  id: job.id,
  parallel: job.parallel,
  ttl: job.ttl,
  holder: { ...here.self, command: 'fleet worker' },
  clock,
  log: (level, message) => process.stderr.write(`${level} ${message}\n`),
  work: async (run) => {
    const { log, spec, store } = await openRun(run);
    const { work, check } = scripted({ ...spec, slots: Number.POSITIVE_INFINITY }, store, clock);
    const jobs = fleetJobs(log, spec.run, here);
    const apply: RunWork['apply'] = async (target, attempt) => {
      const { begin } = jobs.job(target, attempt, async () => {});
      const end = await work(target, attempt, begin);
      await jobs.ended(target, attempt, end);
      return end;
    };
    const freeze = spec.freeze === undefined ? [] : [spec.freeze];
    const drive: Drive = async (does, stop) => {
      const isFirst = (await store.read()).length === 1;
      const onEvent = (event: FleetEvent): void => {
        if (isFirst && labelOf(event) === spec.rounds[0]?.kill) process.kill(process.pid, 'SIGKILL');
      };
      return recoverFleet(log, does, { freeze, onEvent }, { ...here, signal: stop });
    };
    return { apply, check, drive };
  },
  project: 'chatform',
  schedule: async () => {},
});

process.once('SIGTERM', () => {
  void worker.stop().then(async () => {
    await Promise.all([here.databases.close(), machine.databases.close()]);
    process.exit();
  });
});
process.stdout.write('ready\n');
