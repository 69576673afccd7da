// `npm run bench:fleet`: one command over many licenses, and the local driver next to a bare loop of the same work. Ends with 1 when something that is
// wanted does not hold.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { driveFleet } from '../../src/many/drive.ts';
import { fileStore } from '../../src/many/log/file-store.ts';
import { systemClock } from '../../src/service/patience/clock.ts';
import { machineLine } from '../machine.ts';
import { age, chatform, projectFile, write } from '../place.ts';
import { type Measured, run } from '../run.ts';
import { type Service, startService } from '../service/service.ts';
import { filesOf, sized } from '../sizes/license.ts';
import { median, ratio } from '../stats.ts';

/** Milliseconds that a request takes. */
const LATENCY = 50;

const AGENTS = 50;

const AT_ONCE = 16;

const SECRETS = 'secrets: { file: .chatform/secrets.json }';

const WANTED = { ratio: 0.9, seconds: 40, memory: 200, times: 3, growth: 1.1 };

const nameOf = (index: number): string => `license-${String(index + 1).padStart(5, '0')}`;

/** Projects over one license of the service, which is as the manifest says: only the first of them was ever applied, and all have its ledger. */
async function project(service: Service, root: string, ledger: string, count: number): Promise<string> {
  const folder = join(root, `of-${count}`);
  const names = Array.from({ length: count }, (_, index) => nameOf(index));
  await write(
    folder,
    new Map([
      ...filesOf(sized(AGENTS)),
      [
        'chatform.yaml',
        `version: 1\nmanifest: [manifest]\ntargets_from: { csv: licenses.csv }\ndefaults:\n  base_url: ${service.url}\n  token_env: "TOKEN_\${target.env_name}"\n  secrets: { file: ".chatform/\${target.name}.secrets.json" }\n  ledger: "ledgers/\${target.name}.ndjson"\n`,
      ],
      ['licenses.csv', `name\n${names.map((name) => `${name}\n`).join('')}`],
    ]),
  );
  await mkdir(join(folder, 'ledgers'));
  for (const name of names) await writeFile(join(folder, 'ledgers', `${name}.ndjson`), ledger);
  return folder;
}

/** A token for each license: with one token, they would be one. */
async function tokens(folder: string): Promise<{ readonly [name: string]: string }> {
  const names = (await readFile(join(folder, 'licenses.csv'), 'utf8')).trim().split('\n').slice(1);
  return Object.fromEntries(names.map((name) => [`TOKEN_${name.toUpperCase().replaceAll('-', '_')}`, `dal:${name}`]));
}

async function appliedLedger(service: Service, root: string): Promise<string> {
  const folder = join(root, 'first');
  await write(folder, new Map([['chatform.yaml', projectFile(service.url, [SECRETS])], ...filesOf(sized(AGENTS))]));
  await service.begin({}, new Map());
  await run(chatform(folder, 'apply', '--yes', '-q'));
  await age(folder);
  return readFile(join(folder, '.chatform/here.ledger.ndjson'), 'utf8');
}

/** Jobs of the driver's ratio, how many of them there are at a time, and how often both sides run. */
const JOBS = 400;
const ROUNDS = 5;

/** Milliseconds of a bare loop, and of the local driver with its log on disk, for the same work. */
async function driverRounds(root: string): Promise<{ readonly bare: number[]; readonly driver: number[] }> {
  const targets = Array.from({ length: JOBS }, (_, index) => nameOf(index));
  const times = { bare: [] as number[], driver: [] as number[] };
  const wave = { name: 'all', targets, parallel: AT_ONCE, hold: 0, gates: [], maxFailures: null, maxUnreachable: null };
  const by = { user: 'bench', host: 'here', pid: process.pid };
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = performance.now();
    const limit = pLimit(AT_ONCE);
    await Promise.all(targets.map((target) => limit(() => work(target))));
    times.bare.push(performance.now() - bare);
    const store = fileStore(join(root, `run-${round}.ndjson`));
    const spec = { waves: [wave], maxFailures: null, maxUnreachable: null };
    const at = new Date().toISOString();
    await store.append([{ v: 1, at, type: 'run', id: `run-${round}`, command: 'apply', spec, digest: null, by }]);
    const driver = performance.now();
    const signal = new AbortController().signal;
    await driveFleet(
      store,
      { work: async (target) => work(target), check: async () => ({ passed: true, message: null }) },
      { clock: systemClock, signal, by },
    );
    times.driver.push(performance.now() - driver);
  }
  return times;
}

/** Requests of an apply of one change: a reading, a write, and two readings that prove it; and the milliseconds that each answer takes to be read. */
const REQUESTS = 4;
const READING = 1;

async function work(target: string) {
  let spent = 0;
  for (let request = 0; request < REQUESTS; request += 1) {
    await pause(LATENCY);
    const end = performance.now() + READING;
    while (performance.now() < end) spent += target.length;
  }
  return { state: 'done', code: 0, message: null, requests: REQUESTS, summary: { spent: spent > 0 } } as const;
}

async function main(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  const service = await startService();
  const misses: string[] = [];
  const tell = (line: string): void => console.log(line);
  const plan = async (folder: string, ...flags: readonly string[]): Promise<Measured> =>
    run({ ...chatform(folder, 'plan', '--all', '-q', ...flags), env: await tokens(folder) });
  const shown = ({ wall, cpu, memory }: Measured): string =>
    `${(wall / 1000).toFixed(1)} s, ${((cpu ?? 0) / 1000).toFixed(1)} s of processor time, ${memory?.toFixed(0) ?? '?'} MiB`;
  try {
    tell(machineLine(1));
    const ledger = await appliedLedger(service, root);
    await service.slow(LATENCY, 0);
    const uses = new Map<number, Measured>();
    for (const count of [1, 30, 1_000, 5_000]) {
      const folder = await project(service, root, ledger, count);
      const usual = count <= 30 ? [] : ['--parallel', String(AT_ONCE * 2)];
      const runs: Measured[] = [];
      for (let time = 0; time < (count <= 30 ? 3 : 1); time += 1) runs.push(await plan(folder, ...usual));
      const middle = runs.toSorted((a, b) => a.wall - b.wall)[Math.floor(runs.length / 2)];
      if (middle === undefined) continue;
      uses.set(count, middle);
      tell(`plan of ${count} unchanged licenses, ${LATENCY} ms a request: ${shown(middle)}`);
    }
    const [one, thirty, thousand, most] = [1, 30, 1_000, 5_000].map((count) => uses.get(count));
    const times = (thirty?.wall ?? 0) / (one?.wall ?? 1);
    tell(`30 licenses take ${times.toFixed(2)} times as long as one`);
    if (times > WANTED.times) misses.push(`30 licenses take ${times.toFixed(2)} times as long as one`);
    if ((thousand?.wall ?? 0) > WANTED.seconds * 1000) misses.push(`1,000 licenses take more than ${WANTED.seconds} s`);
    if ((thousand?.memory ?? 0) > WANTED.memory) misses.push(`1,000 licenses take more than ${WANTED.memory} MiB`);
    const growth = (most?.memory ?? 0) / (thousand?.memory ?? 1);
    tell(`memory of 5,000 over that of 1,000: ${growth.toFixed(2)}`);
    if (growth > WANTED.growth) misses.push(`memory grows ${growth.toFixed(2)} times from 1,000 to 5,000 licenses`);
    const { bare, driver } = await driverRounds(root);
    const share = ratio(bare, driver);
    tell(
      `local driver over a bare loop, ${JOBS} jobs, ${AT_ONCE} at a time: ${share.toFixed(3)} (${median(bare).toFixed(0)} and ${median(driver).toFixed(0)} ms)`,
    );
    if (share < WANTED.ratio) misses.push(`the local driver reaches ${share.toFixed(3)} of a bare loop`);
  } finally {
    service.stop();
    await rm(root, { recursive: true, force: true });
  }
  for (const miss of misses) tell(`Missed: ${miss}.`);
  if (misses.length === 0) tell('Everything that is wanted holds.');
  else process.exitCode = 1;
}

await main();
