// `chatform fleet worker`: a process that works on the runs of its project, from its start to its end by a signal.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { milliseconds } from '../../base/duration.ts';
import { keepHeapSmall } from '../../base/heap.ts';
import { type Result, showRemark } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { serverClock } from '../../ledger/postgres/clock.ts';
import { commitsHere } from '../../many/git/checkout.ts';
import { startWorker, TTL, type Worker } from '../../many/workers/worker.ts';
import { createDatabases } from '../../target/stores.ts';
import { commandDocument } from '../../view/documents.ts';
import { uncoloured } from '../../view/paint.ts';
import { storeOf } from '../ledger/operation.ts';
import { openPort } from './worker-port.ts';
import { abilityFor } from './worker-runs.ts';
import { dueChecks, lostRuns } from './worker-schedule.ts';

export interface WorkerFlags {
  readonly parallel?: number;
  readonly port?: number;
  /** A duration, as in chatform.yaml. */
  readonly ttl?: string;
}

/** Targets that a worker works on at once, where no flag says otherwise. */
const PARALLEL = 16;

/** Milliseconds between two comparisons of the clock of this machine with that of the database. */
const COMPARED = 1_000;

/** Works until a signal, and then ends what is under way. */
export async function work(
  { parallel = PARALLEL, port, ttl: given }: WorkerFlags,
  terminal: Terminal,
): Promise<Result> {
  keepHeapSmall(100);
  const { store } = await storeOf(terminal);
  const { log, self } = terminal;
  const own = terminal.databases.at(store.variable, terminal);
  // Workers on machines whose clocks disagree share their runs, ledgers and leases.
  const clock = await serverClock(own, terminal.clock);
  const databases = createDatabases(clock);
  const compared = terminal.every(COMPARED, () => void clock.compare().catch(() => {}));
  // What was begun is finished, and each target has its line in the log.
  const finishing = {
    ...terminal,
    clock,
    databases,
    signal: new AbortController().signal,
    err: () => {},
    notice: () => {},
    // No person sees the result of a check here, so the channels are told also where a person started the worker.
    paintOut: uncoloured,
  };
  const ttl = milliseconds(given ?? '') ?? TTL;
  const scratch = await mkdtemp(join(tmpdir(), 'chatform-worker-'));
  try {
    const diskAt = await commitsHere(join(scratch, 'commits'), 'fleet worker', terminal);
    const lost = lostRuns({ store }, finishing);
    const due = dueChecks({ store, diskAt }, finishing);
    const worker = await startWorker({
      url: await own.address(),
      id: randomUUID(),
      holder: { ...self, command: 'fleet worker' },
      project: store.project,
      parallel,
      ttl,
      clock,
      log: (level, message) => log(level, message),
      work: (run) => abilityFor(run, { store, diskAt }, finishing),
      schedule: async () => {
        await lost();
        await due();
      },
    });
    const watched = { status: worker.status, now: clock.now, ttl };
    await untilSignal(worker, port === undefined ? null : () => openPort(port, watched), terminal, () =>
      showRemark(`Working on ${parallel} targets at once.\n`, terminal),
    );
    const { ended, broken } = worker.status();
    return {
      code: 0,
      document: () => commandDocument({ ended, broken }),
      text: () => `Stopped: ${ended} ended here, and nothing is under way.\n`,
    };
  } finally {
    compared();
    await databases.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Stops the worker also when its port cannot be opened. */
async function untilSignal(
  worker: Worker,
  open: (() => ReturnType<typeof openPort>) | null,
  terminal: Terminal,
  begun: () => void,
): Promise<void> {
  const { signal } = terminal;
  try {
    const opened = await open?.();
    if (opened !== undefined)
      showRemark(`Watch it at http://127.0.0.1:${opened.port}/metrics and /health.\n`, terminal);
    begun();
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await opened?.close();
  } finally {
    await worker.stop();
  }
}
