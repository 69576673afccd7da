// The engine with one worker next to a loop in one process, on jobs of 100 ms: `TRIES=all` measures it.

import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { median } from '../../../bench/stats.ts';
import { postgresBinaries } from '../../ledger/postgres/binaries.ts';
import { type PostgresServer, postgresServer } from '../../ledger/postgres/server.ts';
import { tries } from '../../tries.ts';
import { spec, wave } from '../names.ts';
import { eventOf, type Rig, rigOn, workerProgram } from './rig.ts';

const FOUND = await postgresBinaries();
const ROUNDS = 5;
const LEAST = 0.6;
const NAMES = Array.from({ length: 400 }, (_, index) => `t${index}`);
const AT_ONCE = 16;
const TAKES = 100;

/** Jobs a second of a loop that makes the same statements as a worker of the tests. */
async function ofLoop({ pool }: Rig): Promise<number> {
  const limit = pLimit(AT_ONCE);
  const job = async (name: string): Promise<void> => {
    await pool.query('select from call where target = $1', [name]);
    const { rows } = await pool.query<{ id: number }>(
      "insert into call (target, attempt, worker) values ($1, 1, 'loop') returning id",
      [name],
    );
    await pause(TAKES);
    await pool.query('insert into effect values ($1, 1) on conflict do nothing', [name]);
    await pool.query('update call set ended = clock_timestamp() where id = $1', [rows[0]?.id]);
  };
  const from = performance.now();
  await Promise.all(NAMES.map((name) => limit(() => job(name))));
  return (NAMES.length / (performance.now() - from)) * 1_000;
}

async function ofEngine(rig: Rig): Promise<number> {
  const worker = await rig.worker({ takes: [TAKES, TAKES], parallel: AT_ONCE });
  // Until it has set the limit of its queue.
  await pause(1_500);
  const store = await rig.begin(spec([wave('all', NAMES, { parallel: 4 * AT_ONCE })]));
  await eventOf(store, ({ type }) => type === 'done', 120);
  const { rows } = await rig.pool.query<{ seconds: number }>(
    'select extract(epoch from max(ended) - min(began))::float8 as seconds from call',
  );
  await worker.stop();
  return NAMES.length / (rows[0]?.seconds ?? Number.NaN);
}

test.skipIf('missing' in FOUND || tries(1, 0) === 0)(
  `does at least ${LEAST} of what a loop does`,
  async () => {
    const server = (await postgresServer({ durable: true })) as PostgresServer;
    const program = await workerProgram();
    try {
      const rig = await rigOn(await server.newDatabase(), program.path);
      const ratios: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const loop = await ofLoop(rig);
        await rig.clear();
        const engine = await ofEngine(rig);
        await rig.clear();
        ratios.push(engine / loop);
        process.stdout.write(
          `loop ${loop.toFixed(0)}/s, engine ${engine.toFixed(0)}/s: ${(engine / loop).toFixed(2)}\n`,
        );
      }
      await rig.close();
      expect(median(ratios)).toBeGreaterThanOrEqual(LEAST);
    } finally {
      await server.stop();
      await program.remove();
    }
  },
  300_000,
);
