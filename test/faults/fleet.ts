// A project with twenty licenses, its database and its workers: processes of the built command, as people run them.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, type Ran } from '../cli/chatform.ts';
import { commit, git } from '../cli/repository.ts';
import { manifestOf } from '../ledger/postgres/disturbed.ts';
import { ask } from '../ledger/postgres/migrated.ts';
import type { PostgresServer } from '../ledger/postgres/server.ts';
import { type Licenses, startLicenses } from './licenses.ts';
import type { LicensesJob } from './licenses-process.ts';

export const NAMES: readonly string[] = Array.from({ length: 20 }, (_, index) => `l${index}`);

export const TWENTY: FleetProject = {
  names: NAMES,
  canaries: 2,
  manifest: manifestOf(3, 3),
  rest: 16,
  licenses: { half: [10, 40], isOne: false },
  parallel: 4,
};

export interface FleetProject {
  readonly names: readonly string[];
  /** So many of them are a wave before the others. */
  readonly canaries: number;
  readonly manifest: string;
  /** Licenses of the second wave that are under way at once. */
  readonly rest: number;
  /** Between the two waves. */
  readonly hold?: string;
  readonly licenses: LicensesJob;
  /** Licenses that a worker works on at once. */
  readonly parallel: number;
}

const csvOf = ({ names, canaries }: FleetProject): string =>
  `name,ring\n${names.map((name, index) => `${name},${index < canaries ? 'canary' : 'main'}\n`).join('')}`;

const projectAt = (url: string, { rest, hold = '0s' }: FleetProject): string => `version: 1
manifest: [manifest.yaml]
ledger_store: { postgres_env: DATABASE_URL }
targets_from: { csv: licenses.csv }
defaults:
  base_url: "${url}"
  request_timeout: 5s
  labels: { ring: "\${row.ring}" }
fleet:
  waves:
    - { name: canary, select: ring=canary, hold: ${hold}, gate: [no_drift] }
    - { name: rest, parallel: ${rest} }
`;

export interface WorkerProcess {
  readonly process: ChildProcess;
  /** What it sends with each request, as a server sees it. */
  readonly token: string;
  readonly kill: () => Promise<void>;
  /** As `systemctl stop`. */
  readonly stop: () => Promise<Ran>;
  readonly said: () => string;
}

export interface Fleet {
  /** The folder of the project. */
  readonly cwd: string;
  /** Address of the database of the current trial, without a pooler. */
  readonly url: () => string;
  readonly licenses: Licenses;
  /** @param ahead - Milliseconds by which the clock of its machine is ahead. */
  readonly worker: (ahead?: number) => Promise<WorkerProcess>;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
  /** New licenses, and a database with nothing but its tables. `port`: of a pooler in front of it. */
  readonly clear: (port?: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A module that sets the clock of its process. */
function clockAhead(milliseconds: number): string {
  const code = `const Real = Date;
    const now = () => Real.now() + ${milliseconds};
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(now()) : super(...given); }
      static now() { return now(); }
    };`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

export async function fleetOn(server: PostgresServer, project: FleetProject): Promise<Fleet> {
  const { manifest, parallel } = project;
  const cwd = await mkdtemp(join(tmpdir(), 'chatform-faults-'));
  const licenses = await startLicenses(project.licenses);
  const files = {
    'chatform.yaml': projectAt(licenses.url('${target.name}'), project),
    'manifest.yaml': manifest,
    'licenses.csv': csvOf(project),
    '.gitignore': '.chatform/\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  git(cwd, 'init', '-q', '-b', 'main');
  commit(cwd);
  let url = await server.newDatabase();
  let port: number | undefined;
  let processes: ChildProcess[] = [];
  let tokens = 0;
  let databases = 0;

  function start(args: readonly string[], token: string, ahead = 0) {
    const address = new URL(url);
    if (port !== undefined) address.port = String(port);
    const child = spawn(process.execPath, [...(ahead === 0 ? [] : ['--import', clockAhead(ahead)]), CLI, ...args], {
      cwd,
      env: { PATH: process.env['PATH'], DATABASE_URL: address.href, CHATFORM_TOKEN: `dal:${token}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    processes.push(child);
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        printed[stream] += text;
      });
    const ended = once(child, 'close').then(([code]): Ran => ({ code, ...printed }));
    return { child, printed, ended };
  }

  async function run(...args: readonly string[]): Promise<Ran> {
    return start(args, 'command').ended;
  }

  async function killAll(): Promise<void> {
    const living = processes.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    processes = [];
    await Promise.all(
      living.map(async (child) => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }),
    );
  }

  const migrated = await run('ledger', 'migrate');
  if (migrated.code !== 0) throw new Error(migrated.stderr);
  const empty = new URL(url).pathname.slice(1);

  return {
    cwd,
    licenses,
    run,
    url: () => url,
    worker: async (ahead) => {
      tokens += 1;
      const token = `worker${tokens}`;
      const { child, printed, ended } = start(
        ['fleet', 'worker', '--ttl', '3s', '--parallel', String(parallel)],
        token,
        ahead,
      );
      while (!printed.stderr.includes('Working on')) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`the worker ended: ${printed.stderr}`);
        await Promise.race([once(child.stderr, 'data'), ended]);
      }
      return {
        process: child,
        token: `Bearer dal:${token}`,
        kill: async () => {
          child.kill('SIGKILL');
          await ended;
        },
        stop: () => {
          child.kill('SIGTERM');
          return ended;
        },
        said: () => printed.stderr,
      };
    },
    clear: async (through) => {
      await killAll();
      await licenses.clear();
      const before = new URL(url).pathname.slice(1);
      if (before !== empty) await ask(server.url, `drop database ${before} with (force)`);
      databases += 1;
      const name = `${empty}_${databases}`;
      await ask(server.url, `create database ${name} template ${empty}`);
      url = url.replace(/[^/]+$/, name);
      port = through;
    },
    close: async () => {
      await killAll();
      licenses.stop();
      await rm(cwd, { recursive: true, force: true });
    },
  };
}
