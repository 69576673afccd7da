// `verify` of several targets by workers: the operation of one target, with the table and the text of all.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { type SharedServer, sharedServer } from '../ledger/postgres/server.ts';
import { chatform, start } from './chatform.ts';
import { commit, repository } from './repository.ts';

const FOUND = await postgresBinaries();

const PROJECT = `version: 1
manifest: [manifest.yaml]
ledger_store: { postgres_env: DATABASE_URL }
targets:
  a: { base_url: "emulator:.chatform/a.json" }
  b: { base_url: "emulator:.chatform/b.json" }
`;

const MANIFEST = 'version: 1\ngroups: { support: { name: Support, language_code: en } }\n';

describe.skipIf('missing' in FOUND)('verify on workers', () => {
  let server: SharedServer;

  beforeAll(async () => {
    server = await sharedServer();
  });

  test('says what differs, once for targets for which it is the same', async () => {
    const env = { DATABASE_URL: await server.newDatabase(), CHATFORM_TOKEN: 'dal:hush' };
    const files = { 'chatform.yaml': PROJECT, 'manifest.yaml': MANIFEST, '.gitignore': '.chatform/\n' };
    const cwd = await repository(files);
    const run = (...args: readonly string[]) => chatform(args, { cwd, env });
    await run('ledger', 'migrate');
    expect(await run('apply', '--all', '--yes', '-q')).toMatchObject({ code: 0 });
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('code: en', 'code: pl'));
    commit(cwd);
    const worker = start(['fleet', 'worker', '--ttl', '3s', '--parallel', '2'], { cwd, env });
    await worker.says('stderr', 'Working on');
    const { code, stdout } = await run('test', '--on', 'customer', '--all', '--workers');
    expect([code, stdout]).toEqual([2, expect.stringContaining('speaks en; language_code says pl')]);
    expect(stdout).toMatch(/^2 targets: 2 differs/m);
  }, 120_000);
});
