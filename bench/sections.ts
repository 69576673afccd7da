// One part of the bench and a running service in, its tables out.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Contender, FORMER, ours } from './contenders.ts';
import { wholeExample } from './example.ts';
import { changing, creating, type Job, moving, nothingToDo, reversing } from './jobs.ts';
import type { Options, Section } from './options.ts';
import { CLI, prepare } from './place.ts';
import type { Table } from './results.ts';
import { plainTurn, takeTurns, turnAt } from './rounds.ts';
import type { Service } from './service/service.ts';

/** What every section needs. */
export interface Bench {
  readonly service: Service;
  readonly contenders: readonly Contender[];
  readonly options: Options;
  /** A folder for everything that is written. */
  readonly root: string;
}

const EXAMPLE = fileURLToPath(new URL('../examples/support-team', import.meta.url));
const GROWTH = [1_000, 10_000, 50_000];
/** Milliseconds a request, as that section has it. */
export const LATENCY = 50;
/** Milliseconds an item, in the section about batches. */
const ITEM = 5;
/** Starting is short, and so differs more from time to time. */
const STARTS_A_ROUND = 3;

async function start({ options }: Bench): Promise<readonly Table[]> {
  const node = (name: string, ...args: readonly string[]) =>
    plainTurn(name, { argv: [process.execPath, ...args], cwd: EXAMPLE });
  const turns = [
    node('node -e 0', '-e', '0'),
    node('chatform --version', CLI, '--version'),
    node('chatform --help', CLI, '--help'),
    node('chatform validate', CLI, 'validate'),
  ];
  const entries = await takeTurns(turns, options.rounds * STARTS_A_ROUND);
  return [{ id: 'start', title: 'start-up; `validate` of examples/support-team', latency: 0, entries }];
}

async function jobTables(bench: Bench, job: Job, latencies = bench.options.latencies): Promise<readonly Table[]> {
  const { service, contenders, options, root } = bench;
  const place = await prepare(job, service, root);
  const tables: Table[] = [];
  for (const latency of latencies) {
    await service.slow(latency, 0);
    const present = contenders.filter(({ only = latency }) => only === latency);
    const turns = present.flatMap((contender) => turnAt(place, contender) ?? []);
    tables.push({ id: job.id, title: job.title, latency, entries: await takeTurns(turns, options.rounds) });
  }
  await service.slow(0, 0);
  await rm(place.folder, { recursive: true, force: true });
  return tables;
}

/** Scripts by hand say nothing about growth that the floor does not. */
async function growth(bench: Bench): Promise<readonly Table[]> {
  const contenders = bench.contenders.filter(({ name }) => ['floor', 'chatform', FORMER, 'decK'].includes(name));
  const tables: Table[] = [];
  for (const agents of GROWTH) {
    const job = { ...nothingToDo(agents), id: `B-${agents}` };
    tables.push(...(await jobTables({ ...bench, contenders }, job, [LATENCY])));
  }
  return tables;
}

async function batches({ service, options, root }: Bench): Promise<readonly Table[]> {
  const many = await prepare(creating(1_000), service, root);
  const one = await prepare({ ...creating(1_000, ['batch_size: 1000']), id: 'A-one' }, service, root);
  await service.slow(0, ITEM);
  const turns = [turnAt(one, ours, 'one batch of 1,000'), turnAt(many, ours)].flatMap((turn) => turn ?? []);
  const entries = await takeTurns(turns, Math.min(2, options.rounds));
  await service.slow(0, 0);
  return [{ id: 'batches', title: `create 1,000 agents, ${ITEM} ms an item`, latency: 0, entries }];
}

async function section(bench: Bench, name: Section): Promise<readonly Table[]> {
  const { agents } = bench.options;
  switch (name) {
    case 'start':
      return start(bench);
    case 'A':
      return jobTables(bench, creating(agents));
    case 'B':
      return jobTables(bench, nothingToDo(agents));
    case 'C':
      return jobTables(bench, changing(agents, Math.floor(agents / 10)));
    case 'D-reverse':
      return jobTables(bench, reversing(200));
    case 'D-move':
      return jobTables(bench, moving(200, 5));
    case 'E':
      return jobTables(bench, await wholeExample());
    case 'growth':
      return growth(bench);
    case 'batches':
      return batches(bench);
  }
}

/** All that the options ask for; `tell` is told of each table as it comes. */
export async function tablesOf(bench: Omit<Bench, 'root'>, tell: (table: Table) => void): Promise<readonly Table[]> {
  const root = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  try {
    const tables: Table[] = [];
    for (const name of bench.options.sections) {
      const found = await section({ ...bench, root }, name);
      found.forEach(tell);
      tables.push(...found);
    }
    return tables;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
