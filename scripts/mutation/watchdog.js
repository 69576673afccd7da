// Thread of a test process, which ends the process when a test runs for too long with a mutant, also in a loop that never waits.

import { appendFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const { log, running } = workerData;

setInterval(() => {
  const [until, mutant] = running;
  if (until === 0 || Date.now() < until) return;
  appendFileSync(log, `${JSON.stringify({ is: 'killed', mutant: String(mutant), by: 'the time limit' })}\n`);
  process.kill(process.pid, 'SIGKILL');
}, 500);
