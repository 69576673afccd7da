// Runs over several targets that workers carry out: processes of the built command, with a database between them.

import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { migratedDatabase } from '../ledger/postgres/migrated.ts';
import { type SharedServer, sharedServer } from '../ledger/postgres/server.ts';
import { chatform, type Running, start } from './chatform.ts';
import { commit, repository } from './repository.ts';

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

function agency(): Promise<string> {
  const rows = NAMES.map((name, index) => `${name},${index < 2 ? 'canary' : 'main'}\n`);
  return repository({
    'chatform.yaml': PROJECT,
    'manifest.yaml': MANIFEST,
    'licenses.csv': `name,ring\n${rows.join('')}`,
    '.gitignore': '.chatform/\nplans/\n',
  });
}

describe.skipIf('missing' in FOUND)('workers', () => {
  let server: SharedServer;
  let env: { readonly DATABASE_URL: string; readonly CHATFORM_TOKEN: string };

  beforeAll(async () => {
    server = await sharedServer();
    env = { DATABASE_URL: await server.newDatabase(), CHATFORM_TOKEN: 'dal:hush' };
  });

  test('carry out a run in its waves; it stops, is resumed, and a person sees all of it', async () => {
    const cwd = await agency();
    const begin = async (...flags: readonly string[]): Promise<Running> => {
      const worker = start(['fleet', 'worker', '--ttl', '3s', ...flags], { cwd, env });
      await worker.says('stderr', 'Working on');
      return worker;
    };
    const run = (...args: readonly string[]) => chatform(args, { cwd, env });
    expect((await run('ledger', 'migrate')).stdout).toContain('The tables of the engine are ready for `--workers`.');

    const dropped = await run('plan', '--all', '--workers', '--detach');
    const [cancelled = ''] = /(?<=^Run )[0-9a-f]{8}/.exec(dropped.stdout) ?? [];
    await run('fleet', 'cancel', cancelled);
    expect((await run('fleet', 'status', cancelled)).stdout).toContain('\nCancelled; the next worker ends it: ');

    const detached = await run('apply', '--all', '--yes', '--workers', '--detach');
    expect(detached).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Run [0-9a-f]{8} began with 0 workers\./),
    });
    expect(detached.stderr).toContain('No worker is there: the run waits for `chatform fleet worker`');
    expect((await run('fleet', 'status')).stdout).toContain('The run waits for a worker. No worker is there');
    const [first, second] = [await begin('--parallel', '2'), await begin('--parallel', '2', '--port', '0')];
    await expect
      .poll(async () => (await run('fleet', 'status')).stdout, { timeout: 60_000, interval: 300 })
      .toContain('\nDone: 6 of 6 targets.\n');
    expect((await run('fleet', 'status', cancelled)).stdout).toMatch(
      /Not begun\n {2}all +6 .* 6\n[\s\S]*\nStopped: cancelled by /,
    );
    expect(await run('drift', '--all', '--workers', '-q')).toMatchObject({ code: 0 });

    const said = await second.says('stderr', '/health');
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? '';
    expect(await (await fetch(`${address}/health`)).text()).toBe('ok\n');
    expect(await (await fetch(`${address}/metrics`)).text()).toMatch(/^chatform_worker_targets_working 0$/m);

    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('name: Support', 'name: Help'));
    const unsaved = await run('apply', '--all', '--yes', '--workers');
    expect(unsaved.stderr).toContain(
      'these differ from it: manifest.yaml; commit them, or put what is not of the project into .gitignore',
    );
    commit(cwd);
    expect(await run('plan', '--all', '--workers')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('6 targets: 6 with changes'),
    });
    for (const worker of [first, second]) {
      worker.kill('SIGTERM');
      expect(await worker.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing is under way') });
    }
    await begin();

    expect(await run('plan', '--all', '--out', 'plans', '-q')).toMatchObject({ code: 0 });
    const license = join(cwd, '.chatform/d.json');
    const before = await readFile(license, 'utf8');
    await writeFile(license, 'broken');
    const stopped = await run('apply', 'plans', '--workers');
    expect(stopped).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/6 targets: .*1 failed.*--resume [0-9a-f]{8} --retry failed/s),
    });
    await writeFile(license, before);
    const id = /--resume ([0-9a-f]{8})/.exec(stopped.stdout)?.[1] ?? '';
    const resumed = await run('apply', '--resume', id, '--retry', 'failed');
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('6 targets: 6 applied') });
    expect(await run('plan', '--all', '--workers', '-q')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('6 in sync'),
    });

    const dump = await promisify(execFile)(join(server.bin, 'pg_dump'), [env.DATABASE_URL], { maxBuffer: 2 ** 28 });
    expect(dump.stdout).toContain('COPY dbos.workflow_status');
    expect(dump.stdout).not.toContain('hush');

    await rm(join(cwd, '.chatform'), { recursive: true });
    expect((await run('fleet', 'list')).stdout).toMatch(new RegExp(`^${id} .* 6 of 6 +done$`, 'm'));
  }, 240_000);

  test.each([
    [{}, 'DATABASE_URL is not set: set it to the address of the database'],
    [{ DATABASE_URL: 'postgres://127.0.0.1:9/none' }, 'no PostgreSQL answers at 127.0.0.1:9 (DATABASE_URL): start it'],
  ])('a worker with the environment %j says what is wrong with it', async (wrong, message) => {
    const { code, stderr } = await chatform(['fleet', 'worker'], { cwd: await agency(), env: wrong });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  });

  test('a run that cannot be offered, because the engine has no tables, is not begun', async () => {
    const cwd = await agency();
    const own = { ...env, DATABASE_URL: await migratedDatabase(server) };
    const { code, stderr } = await chatform(['drift', '--all', '--workers'], { cwd, env: own });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('run `chatform ledger migrate`') });
    expect((await chatform(['fleet', 'list'], { cwd, env: own })).stdout).toContain('No run over several targets yet');
  });

  test.each([
    [['plan', '--all', '--detach'], '--detach leaves a run to workers: give it with `--workers`'],
    [['plan', '--all', '--workers', '--out', 'plans'], '--out: only for one target'],
  ])('%s is refused', async (args, message) => {
    const { code, stderr } = await chatform(args, { cwd: await agency(), env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  });
});
