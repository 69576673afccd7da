// What people get wrong about ledgers in PostgreSQL: a ledger that was not moved, misspelt names, addresses and users.

import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { addressIn } from '../../src/ledger/postgres/address.ts';
import { openDatabase } from '../../src/ledger/postgres/database.ts';
import { beginStoredRun } from '../../src/many/log/postgres.ts';
import { systemClock } from '../../src/service/patience/clock.ts';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { ask, migratedDatabase } from '../ledger/postgres/migrated.ts';
import { type SharedServer, sharedServer } from '../ledger/postgres/server.ts';
import { runOf, spec, wave } from '../many/names.ts';
import { chatform, folder, MANIFEST } from './chatform.ts';

const FOUND = await postgresBinaries();
const STORED = 'ledger_store: { postgres_env: DATABASE_URL }\n';

/** A folder with a project. `lines`: of its target. */
function project(lines = ''): Promise<string> {
  const target = `{ base_url: "emulator:license.json"${lines} }`;
  return folder({
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets: { here: ${target} }\n`,
    'manifest.yaml': MANIFEST,
  });
}

async function storedProject(lines?: string): Promise<string> {
  const cwd = await project(lines);
  await appendFile(join(cwd, 'chatform.yaml'), STORED);
  return cwd;
}

describe.skipIf('missing' in FOUND)('mistakes with ledgers in PostgreSQL', () => {
  let server: SharedServer;
  let url: string;
  let env: { readonly DATABASE_URL: string };

  beforeAll(async () => {
    server = await sharedServer();
    url = await migratedDatabase(server);
    env = { DATABASE_URL: url };
  });

  test('A run in the database is found by `fleet`, whatever else is wrong in chatform.yaml, and never said not to be', async () => {
    const cwd = await storedProject();
    const file = join(cwd, 'chatform.yaml');
    const right = await readFile(file, 'utf8');
    const database = openDatabase({ variable: 'DATABASE_URL', env, clock: systemClock, onWait: () => {} });
    const key = { variable: 'DATABASE_URL', project: 'chatform', kind: 'run', name: 'aaaa' } as const;
    const first = { ...runOf(spec([wave('all', ['here'])])), id: 'aaaa' };
    await beginStoredRun(database, key, { first, schedule: null, request: {}, plans: new Map() });
    await database.close();
    const asked = [['list'], ['cancel'], ['cancel', 'aaaa']];
    for (const wrong of [`${right}fleets: {}\n`, `${right}targets: {`]) {
      await writeFile(file, wrong);
      for (const args of asked)
        expect([args, await chatform(['fleet', ...args], { cwd, env })]).toEqual([
          args,
          { code: 0, stdout: expect.stringContaining('aaaa'), stderr: expect.any(String) },
        ]);
    }
    for (const wrong of [
      right.replace('postgres_env:', 'postgres:'),
      right.replace('URL }', 'URL, project: "${env.NONE}" }'),
    ]) {
      await writeFile(file, wrong);
      for (const args of [...asked, ['status'], ['status', 'aaaa']])
        expect([args, await chatform(['fleet', ...args], { cwd, env })]).toEqual([
          args,
          { code: 1, stdout: '', stderr: expect.stringContaining('chatform.yaml:') },
        ]);
    }
  });

  test('A ledger that was not moved is named, and nothing is planned without it', async () => {
    const cwd = await project();
    expect(await chatform(['apply', '--yes'], { cwd })).toMatchObject({ code: 0 });
    await appendFile(join(cwd, 'chatform.yaml'), STORED);
    const message =
      'the ledger of here is still in .chatform/here.ledger.ndjson, and chatform.yaml names a database for it: move it with `chatform ledger move --to postgres -t here`';
    for (const args of [['plan'], ['apply', '--yes'], ['drift']])
      expect([args, await chatform(args, { cwd, env })]).toEqual([
        args,
        { code: 1, stdout: '', stderr: expect.stringContaining(message) },
      ]);
    expect((await chatform(['doctor'], { cwd, env })).stdout).toContain('is still in .chatform/here.ledger.ndjson');
    expect(await chatform(['ledger', 'move', '--to', 'postgres', '-t', 'here'], { cwd, env })).toMatchObject({
      code: 0,
    });
    expect(await chatform(['plan', '--detailed-exitcode'], { cwd, env })).toMatchObject({ code: 0 });
  });

  test('The ledger of a target that names its file is moved, and is never read as new afterwards', async () => {
    const cwd = await project(', ledger: own.ndjson');
    const stored = 'ledger_store: { postgres_env: DATABASE_URL, project: named }\n';
    await appendFile(join(cwd, 'chatform.yaml'), stored);
    const run = (...args: string[]) => chatform(args, { cwd, env });
    const inSync = { code: 0, stdout: expect.stringContaining('No changes') };
    async function replaceInProject(text: string, by: string): Promise<void> {
      const path = join(cwd, 'chatform.yaml');
      await writeFile(path, (await readFile(path, 'utf8')).replace(text, by));
    }
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await run('ledger', 'move', '--to', 'postgres', '-t', 'here')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^here: moved \d+ events to postgres:DATABASE_URL\/named\/here, and read them back the same\.\n {2}Leave out `ledger: own\.ndjson` of here in chatform\.yaml now: commands refuse to run until then\.\n$/,
      ),
    });
    expect((await run('plan')).stderr).toContain(
      'the ledger own.ndjson was moved to postgres:DATABASE_URL/named/here: name its database as ledger_store in chatform.yaml, and no file as `ledger` of the target',
    );
    await replaceInProject(', ledger: own.ndjson', '');
    expect(await run('plan', '--detailed-exitcode')).toMatchObject(inSync);
    expect((await run('history')).stdout).toContain('apply');
    await replaceInProject(stored, '');
    expect((await run('plan')).stderr).toContain('here.ledger.ndjson was moved to postgres:DATABASE_URL/named/here');
    await replaceInProject('targets:', `${stored}targets:`);
    expect(await run('ledger', 'move', '--to', 'file', '-t', 'here')).toMatchObject({ code: 0 });
    await replaceInProject(stored, '');
    expect(await run('plan', '--detailed-exitcode')).toMatchObject(inSync);
  });

  test.each([[['ledger', 'show']], [['history']], [['ledger', 'lock']], [['ledger', 'compact']]])(
    'A misspelt name is no empty ledger: %o',
    async (args) => {
      const ledger = 'postgres:DATABASE_URL/chatform/heer';
      const { code, stderr } = await chatform([...args, '--ledger', ledger], { cwd: await storedProject(), env });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining(`--ledger ${ledger}: the database has no such ledger`),
      });
    },
  );

  async function planning(address: string): Promise<string> {
    const cwd = await storedProject();
    const { code, stderr } = await chatform(['plan'], { cwd, env: { DATABASE_URL: address } });
    expect(code).toBe(1);
    return stderr;
  }

  test('An address says what is wrong with it', async () => {
    expect(await planning('postgres://me:50%@db/x')).toContain(
      'DATABASE_URL is no address of a PostgreSQL database: write a % in a name or the password as %25',
    );
    // The database that is named like the user.
    expect(await planning(url.replace(/\/[^/]*$/, ''))).toContain('the database postgres (DATABASE_URL) has no tables');
    expect(await planning(`${url}?sslmode=verify-full`)).toContain('does not encrypt connections: turn on ssl there');
  });

  test.each([
    ['?sslmode=require', '?sslmode=verify-full'],
    [
      '?application_name=x&sslmode=prefer&sslrootcert=ca.pem',
      '?application_name=x&sslmode=verify-full&sslrootcert=ca.pem',
    ],
    ['?sslmode=disable', '?sslmode=disable'],
    ['?uselibpqcompat=true&sslmode=require', '?uselibpqcompat=true&sslmode=require'],
    ['', ''],
  ])('An address that asks for TLS has the certificate checked, without a warning of pg: %s', (given, used) => {
    const address = (query: string): string => `postgres://me:p%40ss@db/x${query}`;
    const { address: made } = addressIn({ variable: 'DATABASE_URL', env: { DATABASE_URL: address(given) } });
    expect(made).toBe(address(used));
  });

  test('A statement that the server refuses is explained', async () => {
    await ask(
      url,
      "create role hasty login; grant chatform_read to hasty; alter role hasty set statement_timeout = '200ms'",
    );
    await ask(
      url,
      'create or replace function chatform.slow() returns int language sql as $$ select 1 from pg_sleep(1) $$',
    );
    await ask(url, 'alter table chatform.migration rename to migrations');
    await ask(
      url,
      'create view chatform.migration as select number, chatform.slow() as slow from chatform.migrations where chatform.slow() = 1',
    );
    try {
      await ask(url, 'grant select on chatform.migration to hasty; grant execute on function chatform.slow() to hasty');
      expect(await planning(url.replace('postgres@', 'hasty@'))).toMatch(
        /PostgreSQL at 127\.0\.0\.1:\d+ \(DATABASE_URL\) refused a statement: canceling statement due to statement timeout \(SQLSTATE 57014\); correct this on the server/,
      );
    } finally {
      await ask(url, 'drop view chatform.migration');
      await ask(url, 'alter table chatform.migrations rename to migration');
    }
  });

  test('A user who writes ledgers cannot make a hole in one', async () => {
    await ask(url, 'create role author login; grant chatform_apply to author');
    const writer = url.replace('postgres@', 'author@');
    await ask(writer, "select chatform.replace_lease('chatform', 'ledger', 'hole', 1, 'a', '{}', '1 hour', null)");
    await ask(writer, "select chatform.append('chatform', 'ledger', 'hole', 'a', 0, null, array['{}'])");
    for (const statement of [
      "select chatform.held_log('chatform', 'ledger', 'hole', 'a', 1, null, 5)",
      'delete from chatform.event',
      'update chatform.log set head = 5',
    ])
      await expect(ask(writer, statement)).rejects.toThrow(/^permission denied/);
  });

  test('A user who may not migrate is told who may', async () => {
    const other = await server.newDatabase();
    await ask(url, 'create role guest login; grant chatform_read to guest');
    for (const database of [url, other]) {
      const cwd = await storedProject();
      const guest = database.replace('postgres@', 'guest@');
      const { code, stderr } = await chatform(['ledger', 'migrate'], { cwd, env: { DATABASE_URL: guest } });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          /the user guest of DATABASE_URL may not make or change the tables in test_\d .*permission denied .*let the owner of the database run this/,
        ),
      });
    }
  });
});
