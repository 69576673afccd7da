// A run whose worker is stopped goes on by another one: who follows it waits, and a person can still cancel it.

import { beforeAll, describe, expect, test } from 'vitest';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { type SharedServer, sharedServer } from '../ledger/postgres/server.ts';
import { chatform, start } from './chatform.ts';
import { repository } from './repository.ts';

const FOUND = await postgresBinaries();

const PROJECT = `version: 1
manifest: [manifest.yaml]
ledger_store: { postgres_env: DATABASE_URL }
targets:
  a: { base_url: "emulator:.chatform/a.json" }
  b: { base_url: "emulator:.chatform/b.json" }
fleet:
  waves:
    - { name: first, count: 1, hold: 4s }
    - { name: rest }
`;

describe.skipIf('missing' in FOUND)('a run that is handed over', () => {
  let server: SharedServer;

  beforeAll(async () => {
    server = await sharedServer();
  });

  /** A run whose only worker stopped between two waves, and a command that follows it. */
  async function leftAlone() {
    const env = { DATABASE_URL: await server.newDatabase(), CHATFORM_TOKEN: 'dal:hush' };
    const manifest = 'version: 1\ngroups: { support: { name: Support } }\n';
    const cwd = await repository({
      'chatform.yaml': PROJECT,
      'manifest.yaml': manifest,
      '.gitignore': '.chatform/\n',
    });
    const run = (...args: readonly string[]) => chatform(args, { cwd, env });
    const begin = async () => {
      const worker = start(['fleet', 'worker', '--ttl', '3s'], { cwd, env });
      await worker.says('stderr', 'Working on');
      return worker;
    };
    await run('ledger', 'migrate');
    const worker = await begin();
    const following = start(['apply', '--all', '--yes', '--workers'], { cwd, env });
    await following.says('stderr', 'a: applied');
    worker.kill('SIGTERM');
    await worker.ended;
    return { run, begin, following };
  }

  test('The command that began it follows it to its end', async () => {
    const { begin, following, run } = await leftAlone();
    expect((await run('fleet', 'status')).stdout).toContain('The run waits for a worker. No worker is there');
    await begin();
    expect(await following.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('2 targets: 2 applied') });
  }, 60_000);

  test('A person who waits for it is told, and cancels it meanwhile', async () => {
    const { begin, following, run } = await leftAlone();
    await following.says('stderr', 'No worker is there any more: the run waits for `chatform fleet worker`');
    expect((await run('fleet', 'cancel')).stdout).toContain('begins no other target');
    await begin();
    expect(await following.ended).toMatchObject({ code: 1, stdout: expect.stringContaining('cancelled by') });
    expect((await run('fleet', 'list')).stdout).toMatch(/ apply +1 of 2 +stopped: cancelled by /);
  }, 60_000);
});
