// Commands of a project that keeps its ledgers in PostgreSQL.

import { execFile } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { ask } from '../ledger/postgres/migrated.ts';
import { type SharedServer, sharedServer } from '../ledger/postgres/server.ts';
import { chatform, folder } from './chatform.ts';

const FOUND = await postgresBinaries();
let server: SharedServer;

const STORED = 'ledger_store: { postgres_env: DATABASE_URL }\n';

const PROJECT = `version: 1
manifest: [manifest.yaml]
targets:
  eu: { base_url: "emulator:.chatform/eu.json" }
  us: { base_url: "emulator:.chatform/us.json" }
default_target: eu
`;

const MANIFEST = `version: 1
agents:
  ann@example.com: { name: Ann }
groups:
  support: { name: Support, agent_priorities: { ann@example.com: normal } }
`;

function project(settings = STORED): Promise<string> {
  return folder({ 'chatform.yaml': `${PROJECT}${settings}`, 'manifest.yaml': MANIFEST });
}

describe.skipIf('missing' in FOUND)('ledgers in PostgreSQL', () => {
  let env: { readonly DATABASE_URL: string; readonly CHATFORM_TOKEN: string };

  beforeAll(async () => {
    server = await sharedServer();
    env = { DATABASE_URL: await server.newDatabase(), CHATFORM_TOKEN: 'dal:hush' };
  });

  test('before `ledger migrate`, a command says that it is missing; it can be run twice', async () => {
    const cwd = await project();
    const before = await chatform(['plan'], { cwd, env });
    expect(before).toMatchObject({ code: 1 });
    expect(before.stderr).toContain('has no tables of chatform: run `chatform ledger migrate`');
    const first = await chatform(['ledger', 'migrate'], { cwd, env });
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The tables in DATABASE_URL have version 1 now.\n'),
    });
    const second = await chatform(['ledger', 'migrate', '--json'], { cwd, env });
    expect(JSON.parse(second.stdout)).toMatchObject({ database: 'DATABASE_URL', before: 1, after: 1 });
  });

  test('two checkouts of a project share ledger and lease', async () => {
    const [one, other] = [await project(), await project()];
    expect(await chatform(['apply', '--yes'], { cwd: one, env })).toMatchObject({ code: 0 });
    expect(await readdir(join(one, '.chatform'))).toEqual(['eu.json']);
    const shown = await chatform(['ledger', 'show', '--json'], { cwd: other, env });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      ledger: 'postgres:DATABASE_URL/chatform/eu',
      resources: [{ address: 'agent/ann@example.com' }, { address: 'group/support' }],
    });
    const lease = await chatform(['ledger', 'lock', '--ledger', 'postgres:DATABASE_URL/chatform/eu'], {
      cwd: other,
      env,
    });
    expect(lease.stdout).toMatch(/^Ledger postgres:DATABASE_URL\/chatform\/eu is free: .*released it/);
    expect(await chatform(['history'], { cwd: other, env })).toMatchObject({ code: 0 });
    expect(await chatform(['doctor'], { cwd: one, env })).toMatchObject({ code: 0 });
    expect(await chatform(['drift'], { cwd: one, env })).toMatchObject({ code: 0 });
  });

  test('the ledger of a target that is gone is named, but not by a command that asks nobody', async () => {
    const own = 'ledger_store: { postgres_env: DATABASE_URL, project: former }\n';
    const cwd = await project(own);
    await chatform(['apply', '--all', '--yes', '-q'], { cwd, env });
    const file = join(cwd, 'chatform.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/ {2}us: .*\n/, ''));
    for (const command of ['plan', 'drift']) {
      const { stdout, stderr } = await chatform([command, '--all', '--json', '-q'], { cwd, env });
      expect(JSON.parse(stdout).orphaned).toEqual(['us']);
      expect(stderr).toContain('chatform.yaml:6:15: warning orphaned-target: target us is orphaned');
    }
    const { stdout } = await chatform(['validate', '--all', '--json'], { cwd, env: {} });
    expect(JSON.parse(stdout)).toMatchObject({ orphaned: [] });
  });

  test('a move that fails in the middle says what moved before', async () => {
    const files = await project('');
    await chatform(['apply', '--all', '--yes', '-q'], { cwd: files, env });
    const cwd = await project('ledger_store: { postgres_env: DATABASE_URL, project: halfway }\n');
    await cp(join(files, '.chatform'), join(cwd, '.chatform'), { recursive: true });
    await writeFile(join(cwd, '.chatform/us.ledger.ndjson'), 'no ledger\n');
    expect(await chatform(['ledger', 'move', '--to', 'postgres', '--all'], { cwd, env })).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^eu: moved \d+ events to /),
      stderr: expect.stringContaining('us.ledger.ndjson'),
    });
  });

  test('ledgers move to the database and back, and each place that one left says where it is', async () => {
    const files = await project('');
    await chatform(['apply', '--all', '--yes'], { cwd: files, env });
    const path = join(files, '.chatform/us.ledger.ndjson');
    const before = await readFile(path, 'utf8');
    const store = 'ledger_store: { postgres_env: DATABASE_URL, project: moved }\n';
    const cwd = await project(store);
    await cp(join(files, '.chatform'), join(cwd, '.chatform'), { recursive: true });
    const moved = await chatform(['ledger', 'move', '--to', 'postgres', '--all'], { cwd, env });
    expect(moved).toMatchObject({ code: 0 });
    expect(moved.stdout).toContain('us: moved');
    const left = await chatform(['ledger', 'show', '--ledger', '.chatform/us.ledger.ndjson'], { cwd, env });
    expect(left.stderr).toContain(
      'the ledger .chatform/us.ledger.ndjson was moved to postgres:DATABASE_URL/moved/us: name its database as ledger_store',
    );
    expect(await chatform(['plan', '--all', '-q'], { cwd, env })).toMatchObject({ code: 0 });
    const again = await chatform(['ledger', 'move', '--to', 'postgres', '-t', 'us'], { cwd, env });
    expect(again.stdout).toContain('us: nothing to move');
    expect(await chatform(['ledger', 'move', '--to', 'file', '--all'], { cwd, env })).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, '.chatform/us.ledger.ndjson'), 'utf8')).toBe(before);
    const gone = await chatform(['plan', '-t', 'us'], { cwd, env });
    expect(gone.stderr).toContain('was moved to .chatform/us.ledger.ndjson: leave out ledger_store');
  });

  test('people read what happened with SQL', async () => {
    const rows = await ask(
      env.DATABASE_URL,
      "select target, by ->> 'user' as who, event ->> 'command' as command from chatform.history where type = 'run' and project = 'chatform'",
    );
    expect(rows).toContainEqual({ target: 'eu', who: expect.any(String), command: 'apply' });
  });

  test('no table has the token of a run', async () => {
    const { stdout } = await promisify(execFile)(join(server.bin, 'pg_dump'), [env.DATABASE_URL], {
      maxBuffer: 2 ** 28,
    });
    expect(stdout).toContain('COPY chatform.event');
    expect(stdout).toContain('ann@example.com');
    expect(stdout).not.toContain('hush');
  });

  test.each([
    [{}, 'DATABASE_URL is not set: set it to the address of the database, such as postgres://'],
    [{ DATABASE_URL: 'mysql://root:hush@db/x' }, 'DATABASE_URL is no address of a PostgreSQL database'],
    [{ DATABASE_URL: 'postgres://me:hush@127.0.0.1:9/x' }, 'no PostgreSQL answers at 127.0.0.1:9 (DATABASE_URL)'],
  ])('a wrong address is refused, without its password: %o', async (wrong, message) => {
    const { code, stderr } = await chatform(['plan'], { cwd: await project(), env: wrong });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain('hush');
  });
});
