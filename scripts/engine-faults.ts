// Runs on PostgreSQL whose workers are killed, suspended and stopped, and whose server dies, at many moments: npm run test:engine -- [PART ...] [--moments N]
// Each run must end with every target done once. The last part compares the engine with a loop in one process.

import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import type { FleetEvent } from '../src/fleet/events.ts';
import {
  coordinatorOf,
  counted,
  eventOf,
  type Rig,
  rigOn,
  type WorkerProcess,
  type WorkerSettings,
  workerProgram,
} from '../test/engine/rig.ts';
import { threeWaves } from '../test/engine/waves.ts';
import { spec, wave } from '../test/fleet/names.ts';
import { postgresServer } from '../test/postgres/server.ts';

const TARGETS = 20;
const SETTINGS: WorkerSettings = { takes: [100, 400], ttl: 3_000 };

/** Milliseconds from the start of a run to its last moment of harm. */
const SPAN = 3_000;

interface Harm {
  readonly workers: readonly WorkerProcess[];
  readonly coordinator: WorkerProcess;
  readonly other: WorkerProcess;
  readonly restart: () => Promise<void>;
  readonly away: () => Promise<void>;
  readonly replace: () => Promise<unknown>;
}

const HARMS: Readonly<Record<string, (harm: Harm) => Promise<unknown>>> = {
  worker: ({ other }) => other.kill(),
  coordinator: ({ coordinator }) => coordinator.kill(),
  both: async ({ workers, replace }) => {
    await Promise.all(workers.map(({ kill }) => kill()));
    await replace();
  },
  suspended: async ({ other }) => other.process.kill('SIGSTOP'),
  'coordinator suspended': async ({ coordinator }) => coordinator.process.kill('SIGSTOP'),
  stopped: ({ coordinator }) => coordinator.stop(),
  server: ({ restart }) => restart(),
  'server away': ({ away }) => away(),
};

/** Seconds that a server is away. */
const AWAY = 30;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { moments: { type: 'string', default: '20' } },
});
const moments = Number(values.moments);
const parts = positionals.length === 0 ? [...Object.keys(HARMS), 'ratio'] : positionals;

const found = await postgresServer({ durable: true });
if ('missing' in found) throw new Error(found.missing);
const server = found;
const program = await workerProgram();
let failures = 0;

/** Seconds from the harm, or from the end of its outage, to the next end of a target, and to the end of the run. */
async function harmed(rig: Rig, part: string, moment: number): Promise<readonly [moves: number, ends: number] | null> {
  const workers = await Promise.all([rig.worker(SETTINGS), rig.worker(SETTINGS)]);
  const store = await rig.begin(threeWaves());
  const from = Date.now();
  let id = await coordinatorOf(rig.pool).catch(() => null);
  while (id === null) id = await coordinatorOf(rig.pool).catch(() => null);
  await pause(Math.max(0, from + (SPAN * moment) / moments - Date.now()));
  const [coordinator, other] = workers[0].id === id ? workers : [workers[1], workers[0]];
  const before = (await store.read()).filter(isEnd).length;
  const restart = () => server.restart('immediate');
  const away = async (): Promise<void> => {
    await server.pause('immediate');
    await pause(AWAY * 1_000);
    await server.start();
    at = Date.now();
  };
  let at = Date.now();
  await HARMS[part]?.({ workers, coordinator, other, restart, away, replace: () => rig.worker(SETTINGS) });
  try {
    if (before < TARGETS) await eventOf(store, (_, all) => all.filter(isEnd).length > before, 60);
    const moves = (Date.now() - at) / 1_000;
    const events = await eventOf(store, ({ type }) => type === 'done', 60);
    const ends = (Date.now() - at) / 1_000;
    for (const worker of workers) worker.process.kill('SIGCONT');
    const ended = events.flatMap((event) => (event.type === 'ended' ? [event.target] : []));
    const { effects, overlaps, calls } = await counted(rig.pool);
    const isGood = ended.length === TARGETS && new Set(ended).size === TARGETS && effects === TARGETS;
    if (!isGood) throw new Error(`ended ${ended.length}, effects ${effects}`);
    if (overlaps > 0 || calls > TARGETS) console.log(`  ${part} ${moment}: ${calls} calls, ${overlaps} at once`);
    return [moves, ends];
  } catch (error) {
    failures += 1;
    console.log(`  ${part} ${moment}: ${error instanceof Error ? error.message.slice(0, 300) : error}`);
    for (const { id: worker, log } of workers) console.log(`${worker}: ${log().slice(-1_000)}`);
    return null;
  } finally {
    await rig.clear();
  }
}

function isEnd({ type }: FleetEvent): boolean {
  return type === 'ended';
}

function summary(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  return `median ${at(0.5)} s, most ${at(1)} s`;
}

async function compare(rig: Rig): Promise<void> {
  const count = 400;
  const names = Array.from({ length: count }, (_, index) => `t${index}`);
  const ratios: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const limit = pLimit(16);
    const from = Date.now();
    const loop = async (name: string): Promise<void> => {
      await rig.pool.query('select from call where target = $1', [name]);
      const { rows } = await rig.pool.query<{ id: number }>(
        "insert into call (target, attempt, worker) values ($1, 1, 'loop') returning id",
        [name],
      );
      await pause(100);
      await rig.pool.query('insert into effect values ($1, 1) on conflict do nothing', [name]);
      await rig.pool.query('update call set ended = clock_timestamp() where id = $1', [rows[0]?.id]);
    };
    await Promise.all(names.map((name) => limit(() => loop(name))));
    const bare = (count / (Date.now() - from)) * 1_000;
    await rig.clear();
    const worker = await rig.worker({ takes: [100, 100], parallel: 16 });
    await pause(1_500);
    const store = await rig.begin(spec([wave('all', names, { parallel: 64 })]));
    await eventOf(store, ({ type }) => type === 'done', 120);
    const { rows } = await rig.pool.query<{ seconds: number }>(
      'select extract(epoch from max(ended) - min(began))::float8 as seconds from call',
    );
    const engine = count / (rows[0]?.seconds ?? 1);
    ratios.push(engine / bare);
    console.log(`  loop ${bare.toFixed(0)}/s, engine ${engine.toFixed(0)}/s: ${(engine / bare).toFixed(2)}`);
    await worker.stop();
    await rig.clear();
  }
  console.log(`ratio: median ${(ratios.toSorted((a, b) => a - b)[2] ?? 0).toFixed(2)}`);
}

try {
  const rig = await rigOn(await server.newDatabase(), program.path);
  for (const part of parts) {
    if (part === 'ratio') {
      await compare(rig);
      continue;
    }
    const times: (readonly [number, number])[] = [];
    for (let moment = 1; moment <= moments; moment += 1) {
      const time = await harmed(rig, part, moment);
      if (time !== null) times.push(time);
    }
    const moves = summary(times.map(([first]) => first));
    console.log(
      `${part}: ${times.length} of ${moments}; work moves: ${moves}; run ends: ${summary(times.map(([, last]) => last))}`,
    );
  }
  await rig.close();
} finally {
  await server.stop();
  await program.remove();
}
process.exitCode = failures === 0 ? 0 : 1;
