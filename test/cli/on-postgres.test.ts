// Runs over several targets that workers carry out: processes of the built command, with a database between them.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresBinaries } from '../postgres/binaries.ts';
import { type PostgresServer, postgresServer } from '../postgres/server.ts';
import { chatform, folder, type Running, start } from './chatform.ts';
import { git } from './repository.ts';

const FOUND = await postgresBinaries();

const PROJECT = `version: 1
manifest: [manifest.yaml]
ledger_store: { postgres_env: DATABASE_URL }
targets_from: { csv: licenses.csv }
defaults:
  base_url: "emulator:.chatform/\${target.name}.json"
  labels: { ring: "\${row.ring}" }
fleet:
  waves:
    - { name: canary, select: ring=canary, gate: [no_drift] }
    - { name: rest, parallel: 4 }
`;

const MANIFEST = `version: 1
agents: { ann@example.com: { name: Ann } }
groups: { support: { name: Support, agent_priorities: { ann@example.com: normal } } }
`;

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

async function agency(): Promise<string> {
  const rows = NAMES.map((name, index) => `${name},${index < 2 ? 'canary' : 'main'}\n`);
  const cwd = await folder({
    'chatform.yaml': PROJECT,
    'manifest.yaml': MANIFEST,
    'licenses.csv': `name,ring\n${rows.join('')}`,
    '.gitignore': '.chatform/\nplans/\n',
    '.chatform/note': '',
  });
  git(cwd, 'init', '-q');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '-qm', 'Begin');
  return cwd;
}

describe.skipIf('missing' in FOUND)('workers', () => {
  let server: PostgresServer;
  let env: { readonly DATABASE_URL: string; readonly CI: string };
  let cwd: string;
  const workers: Running[] = [];

  beforeAll(async () => {
    server = (await postgresServer()) as PostgresServer;
    env = { DATABASE_URL: await server.newDatabase(), CI: '' };
    cwd = await agency();
  });

  afterAll(async () => {
    for (const { child } of workers) child.kill('SIGKILL');
    await server.stop();
  });

  async function begin(...flags: readonly string[]): Promise<Running> {
    const worker = start(['fleet', 'worker', ...flags], { cwd, env });
    workers.push(worker);
    await worker.says('Working on');
    return worker;
  }

  test('are needed for a run, which waits for them', async () => {
    expect(await chatform(['ledger', 'migrate'], { cwd, env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The tables of the engine are ready for `--on postgres`.'),
    });
    const detached = await chatform(['apply', '--all', '--yes', '--on', 'postgres', '--detach'], { cwd, env });
    expect(detached).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Run [0-9a-f]{8} began with 0 workers\./) });
    expect(detached.stderr).toContain('No worker is there: the run waits for `chatform fleet worker`');
    const waiting = await chatform(['fleet', 'status'], { cwd, env });
    expect(waiting.stdout).toContain('The run waits for a worker. No worker is there.');
    await begin('--parallel', '2');
    await begin('--parallel', '2', '--port', '0');
    await expect
      .poll(async () => (await chatform(['fleet', 'status'], { cwd, env })).stdout, { timeout: 30_000, interval: 500 })
      .toMatch(/begun .*: done\n/);
  });
});
