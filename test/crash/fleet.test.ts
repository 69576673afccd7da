// A fleet run over 20 licenses, killed at every one of its appends: before it, in the middle of its line, and after it. The next process goes on, and
// each license is done exactly once. A sample, unless `npm run test:all` asks for all.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileLease } from '../../src/ledger/lease-file.ts';
import { beginFleet, resumeFleet } from '../../src/many/local.ts';
import { fileStore } from '../../src/many/log/file-store.ts';
import { resultsOf } from '../../src/many/log/log.ts';
import { systemContext } from '../../src/target/context.ts';
import { spec, wave } from '../many/names.ts';
import { tries } from '../tries.ts';
import { type FleetJob, workIn } from './fleet-child.ts';

const NAMES = Array.from({ length: 20 }, (_, index) => `license-${index}`);
const SPEC = spec([
  wave('canary', NAMES.slice(0, 2), { gates: ['tests'] }),
  wave('tenth', NAMES.slice(2, 6), { parallel: 3 }),
  wave('rest', NAMES.slice(6), { parallel: 5 }),
]);
/** The run, a start and an end of each license, two gates, the end of the run. */
const APPENDS = 1 + 2 * NAMES.length + 2 + 1;
/** Milliseconds after which the lease of a killed process is open. */
const LATER = 120_000;

let root = '';
let program = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'chatform-fleet-crash-'));
  program = join(root, 'child.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('fleet-child.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: program,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
});

afterAll(() => rm(root, { recursive: true, force: true }));

function later() {
  const context = systemContext();
  const { now, sleep } = context.clock;
  return { ...context, clock: { now: () => now() + LATER, sleep } };
}

/** Begins the run in a process of its own. @returns by which signal it ended */
async function killed(job: FleetJob): Promise<string | null> {
  const child = spawn(process.execPath, [program, JSON.stringify(job)], {
    env: { PATH: process.env['PATH'], FLEET_CHILD: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  return signal;
}

async function linesOf(folder: string, name: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

async function trial(at: number, moment: FleetJob['moment']): Promise<void> {
  const folder = join(root, `${at}-${moment}`);
  await mkdir(folder);
  const file = join(root, `${at}-${moment}.ndjson`);
  expect(await killed({ file, folder, spec: SPEC, at, moment })).toBe('SIGKILL');
  const before = await fileStore(file).read();
  const isEnded = new Set(before.flatMap((event) => (event.type === 'ended' ? [event.target] : [])));
  if (before.length === 0) {
    // Not even the run is on disk: it never began.
    expect(await readdir(folder)).toEqual([]);
    const run = { id: 'r1', command: 'apply', spec: SPEC, digest: null };
    expect(await beginFleet(file, run, workIn(folder), { freeze: [] }, later())).toMatchObject({ stopped: null });
  } else expect(await resumeFleet(file, workIn(folder), { freeze: [] }, later())).toMatchObject({ stopped: null });
  const events = await fileStore(file).read();
  const results = resultsOf(events);
  expect(results.finished).toBe(true);
  for (const name of NAMES) {
    expect(results.targets.get(name)).toMatchObject({ state: 'done', attempt: 1 });
    const lines = await linesOf(folder, name);
    expect(
      lines.filter((line) => line === 'done'),
      name,
    ).toHaveLength(1);
    const begun = lines.filter((line) => line === 'begun').length;
    expect(begun, name).toBeLessThanOrEqual(isEnded.has(name) ? 1 : 2);
    expect(events.filter((event) => event.type === 'ended' && event.target === name)).toHaveLength(1);
  }
  const [gates, second] = [events.findLastIndex(({ type }) => type === 'gate'), NAMES[2]];
  expect(gates).toBeLessThan(events.findIndex((event) => event.type === 'started' && event.target === second));
  expect((await fileLease(file).read())?.until).toBeNull();
  expect(await stat(`${file}.cancel`).catch(() => null)).toBeNull();
}

const POINTS = Array.from({ length: APPENDS }, (_, at) => at).flatMap((at) =>
  (['before', 'torn', 'after'] as const).map((moment) => ({ at, moment })),
);
const STRIDE = tries(1, 13);

test(`A run that is killed at any of ${APPENDS} appends is ended by the next process, with each license done once`, {
  timeout: 1_200_000,
}, async () => {
  for (const [index, { at, moment }] of POINTS.entries()) if (index % STRIDE === 0) await trial(at, moment);
});
