// A worker as a process of its own, with the log of each run in the database, as `chatform fleet worker` has it. Its work is that of a spec.

import { hostname } from 'node:os';
import type { Clock } from '../../src/base/model.ts';
import type { Drive } from '../../src/engine/abilities.ts';
import { startWorker } from '../../src/engine/worker.ts';
import type { FleetEvent } from '../../src/fleet/events.ts';
import { logKey } from '../../src/ledger/place.ts';
import { storedRequest } from '../../src/postgres/fleet-store.ts';
import { recoverFleet } from '../../src/run/fleet.ts';
import { createDatabases, fleetStoreAt } from '../../src/run/stores.ts';
import { systemSurroundings } from '../../src/run/surroundings.ts';
import { systemClock } from '../../src/service/patience/clock.ts';
import { labelOf, scripted } from '../fleet/drivers/script.ts';
import { SPECS } from '../fleet/drivers/specs.ts';
import { logOf, type SpecRequest, VARIABLE } from './driver-runs.ts';
import type { WorkerJob } from './worker-process.ts';

const job = JSON.parse(process.argv[2] ?? '') as WorkerJob;
const here = {
  ...systemSurroundings(),
  env: { [VARIABLE]: job.url },
  self: { user: 'ann', host: hostname(), pid: process.pid },
};

async function openRun(run: string) {
  const log = logOf(run);
  const request = (await storedRequest(here.databases.at(VARIABLE, here), logKey(log))) as SpecRequest | null;
  const spec = SPECS[request?.spec ?? -1];
  if (request === null || spec === undefined) throw new Error(`the run ${run} has no spec`);
  const { ahead } = request;
  const clock: Clock = ahead === 0 ? systemClock : { ...systemClock, now: () => systemClock.now() + ahead };
  // The lease of the run must go by its clock, too.
  const around = ahead === 0 ? here : { ...here, clock, databases: createDatabases(clock) };
  return { log, spec, around, store: fleetStoreAt(log, around) };
}

const worker = await startWorker({
  url: job.url,
  id: job.id,
  parallel: job.parallel,
  ttl: job.ttl,
  holder: { ...here.self, command: 'fleet worker' },
  clock: systemClock,
  log: (level, message) => process.stderr.write(`${level} ${message}\n`),
  work: async (run) => {
    const { log, spec, store, around } = await openRun(run);
    const { work, check } = scripted(spec, store, around.clock);
    const freeze = spec.freeze === undefined ? [] : [spec.freeze];
    const drive: Drive = async (does, stop) => {
      const isFirst = (await store.read()).length === 1;
      const onEvent = (event: FleetEvent): void => {
        if (isFirst && labelOf(event) === spec.rounds[0]?.kill) process.kill(process.pid, 'SIGKILL');
      };
      return recoverFleet(log, does, { freeze, onEvent }, { ...around, signal: stop });
    };
    return { apply: work, check, drive };
  },
  project: 'chatform',
  schedule: async () => {},
});

process.once('SIGTERM', () => {
  void worker.stop().then(async () => {
    await here.databases.close();
    process.exit();
  });
});
process.stdout.write('ready\n');
