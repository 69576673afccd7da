// Law 7 of the design with real processes: one is killed before and after any request that it sends, and the next one ends at desired, with no
// duplicate, no orphan, and a reset offered for exactly the secrets that were in flight. A sample, unless `npm run test:all` asks for all.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Version } from '../../src/base/model.ts';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import type { KillPoint } from './lane.ts';
import { buildChild } from './process.ts';
import { openTrials, prepare } from './trials.ts';

const DELAYS = [0, 120_000];
/** Kill points of a sample. */
const SAMPLE = 1;
/** Processes at the same time. */
const LANES = 2;

let root = '';
let program = '';
let tried = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'chatform-crash-'));
  program = join(root, 'child.mjs');
  await buildChild(program);
});

afterAll(async () => {
  process.stdout.write(`${tried} kill points tried in all\n`);
  await rm(root, { recursive: true, force: true });
});

function killPoints(requests: number): readonly KillPoint[] {
  const all = Array.from(
    { length: requests * 2 },
    (_, index): KillPoint => ({
      at: Math.floor(index / 2),
      moment: index % 2 === 0 ? 'before' : 'after',
    }),
  );
  const stride = tries(1, Math.ceil(all.length / SAMPLE));
  return all.filter((_, index) => index % stride === Math.floor(stride / 2));
}

async function matrix(version: Version, propagationDelay: number): Promise<void> {
  const folder = await mkdtemp(join(root, 'square-'));
  const prepared = await prepare({ version, propagationDelay, program, root: folder });
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, lane) => openTrials(prepared, `lane-${lane}`)));
  try {
    const undisturbed = await lanes[0]?.undisturbed();
    if (undisturbed === undefined) throw new Error('there are no lanes');
    const { requests, reference } = undisturbed;
    const points = killPoints(requests.length).values();
    const failures: string[] = [];
    let killed = 0;
    let resets = 0;
    await Promise.all(
      lanes.map(async ({ kill }) => {
        for (const point of points) {
          try {
            const lost = await kill(point, reference);
            if (lost === null) continue;
            resets += lost.length;
          } catch (error) {
            failures.push(error instanceof Error ? error.message : String(error));
          }
          killed += 1;
        }
      }),
    );
    const delay = propagationDelay / 1000;
    process.stdout.write(
      `version ${version}, readings lag by ${delay} s: ${requests.length} requests, ${killed} kill points tried, ${resets} resets offered\n`,
    );
    tried += killed;
    expect(failures).toEqual([]);
    expect(killed).toBeGreaterThan(0);
  } finally {
    await Promise.all(lanes.map(({ close }) => close()));
  }
}

describe.each(TRIED_VERSIONS)('a process that is killed, in version %s,', (version) => {
  it.each(DELAYS)(
    'leaves nothing that the next one does not end, with readings that lag by %i ms',
    (delay) => matrix(version, delay),
    3_600_000,
  );
});
