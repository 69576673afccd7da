// Checks of drift that workers begin by themselves: processes of the built command, with a database between them.

import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { onTerminal, uncoloured } from '../../src/view/paint.ts';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { ask } from '../ledger/postgres/migrated.ts';
import { type SharedServer, sharedServer } from '../ledger/postgres/server.ts';
import { chatform, start } from './chatform.ts';
import { commit, repository } from './repository.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const FOUND = await postgresBinaries();

/** No change is begun at any time. */
const FROZEN = '{ cron: "* * * * *", duration: 1h, zone: UTC }';

const PROJECT = `version: 1
manifest: [manifest.yaml]
ledger_store: { postgres_env: DATABASE_URL }
targets:
  a: { base_url: "emulator:.chatform/a.json" }
  b: { base_url: "emulator:.chatform/b.json" }
  c: { base_url: "emulator:.chatform/c.json" }
defaults:
  notify: [{ webhook: { url_env: HOOK_URL, secret_env: HOOK_SECRET } }]
fleet:
  freeze: [${FROZEN}]
  drift: [{ every: 600h }]
`;

const MANIFEST = 'version: 1\ngroups: { support: { name: Support } }\n';

/** Of a check, or of a run. */
interface Told {
  readonly event?: string;
  readonly target?: string;
  readonly command?: string;
  readonly targets?: readonly { readonly sentence: string }[];
}

describe.skipIf('missing' in FOUND)('checks that workers begin', () => {
  let server: SharedServer;

  beforeAll(async () => {
    server = await sharedServer();
  });

  /** Whom the channels tell: the targets that arrived. */
  async function receiver() {
    const told: string[] = [];
    const listener = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { event, target, command, targets = [] } = JSON.parse(body) as Told;
      told.push(command === undefined ? `${target} ${event}` : `${command} ${targets.map((each) => each.sentence)}`);
      response.end();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      listener.closeAllConnections();
      listener.close();
    });
    return { told, url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/hook` };
  }

  test('Two workers make one check of a period; each channel is told once, also by a later check', async () => {
    const { told, url: hook } = await receiver();
    const url = await server.newDatabase();
    const env = { DATABASE_URL: url, CHATFORM_TOKEN: 'dal:hush', HOOK_URL: hook, HOOK_SECRET: 'sixteen characters' };
    const cwd = await repository({
      'chatform.yaml': PROJECT,
      'manifest.yaml': MANIFEST,
      '.gitignore': '.chatform/\n',
    });
    const run = (...args: readonly string[]) => chatform(args, { cwd, env });
    await run('ledger', 'migrate');
    expect(await run('apply', '--all', '--yes', '-q', '--through-freeze', 'test')).toMatchObject({ code: 0 });
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('Support', 'Help'));
    commit(cwd);

    for (const parallel of ['1', '2']) {
      const worker = start(['fleet', 'worker', '--ttl', '3s', '--parallel', parallel], { cwd, env });
      await worker.says('stderr', 'Working on');
    }
    await expect
      .poll(async () => (await run('fleet', 'list')).stdout, { timeout: 60_000, interval: 300 })
      .toMatch(/ drift +3 of 3 +done\n/);
    const [drift] = JSON.parse((await run('fleet', 'list', '--json')).stdout).runs;
    const status = await run('fleet', 'status', drift.id);
    expect(status.stdout).toMatch(
      /^Run [0-9a-f]{8}: drift, begun .* by .*\n[\s\S]*\nDiffers:\n {2}Target .*\n {2}a .*\n {2}b .*\n {2}c .*\n[\s\S]*\nDone: 3 of 3 targets\./,
    );
    expect(told.toSorted()).toEqual(['a drift', 'b drift', 'c drift']);
    expect(await run('drift', '--all', '--workers', '-q')).toMatchObject({ code: 2 });
    expect(told).toHaveLength(3);
    expect(await ask(url, 'select schedule from chatform.log where kind = $1 order by id', ['run'])).toEqual([
      { schedule: '{"every":"600h","select":[]}' },
      { schedule: null },
    ]);
  }, 120_000);

  test('An apply that is left to workers is told once, by the one that drives it', async () => {
    const { told, url: hook } = await receiver();
    const url = await server.newDatabase();
    const env = { DATABASE_URL: url, CHATFORM_TOKEN: 'dal:hush', HOOK_URL: hook, HOOK_SECRET: 'sixteen characters' };
    const [project = ''] = PROJECT.split('fleet:');
    const cwd = await repository({
      'chatform.yaml': project.replace('HOOK_SECRET }', 'HOOK_SECRET, about: [apply] }'),
      'manifest.yaml': MANIFEST,
      '.gitignore': '.chatform/\n',
    });
    const run = (...args: readonly string[]) => chatform(args, { cwd, env });
    await run('ledger', 'migrate');
    for (const parallel of ['1', '2']) {
      const worker = start(['fleet', 'worker', '--ttl', '3s', '--parallel', parallel], { cwd, env });
      await worker.says('stderr', 'Working on');
    }
    expect(await run('apply', '--all', '--yes', '--workers', '-q')).toMatchObject({ code: 0 });
    const all = ['a', 'b', 'c'].map((name) => `${name} was changed: 1 added`);
    await expect.poll(() => told, { timeout: 20_000 }).toEqual([`apply ${all}`]);
  }, 120_000);

  test.each([
    [80, [], { isSeen: true }],
    [80, ['--detach'], {}],
    [80, ['--notify', 'on-change'], { isSeen: true, notify: 'on-change' }],
    [undefined, [], {}],
  ])(
    'Where a person at a terminal sees the result, no worker tells a channel: %s columns, %j',
    async (width, more, options) => {
      const url = await server.newDatabase();
      const env = { PATH: process.env['PATH'], DATABASE_URL: url, CHATFORM_TOKEN: 'dal:hush' };
      const cwd = await repository({ 'chatform.yaml': PROJECT, 'manifest.yaml': MANIFEST });
      await chatform(['ledger', 'migrate'], { cwd, env: { DATABASE_URL: url } });
      const home = process.cwd();
      process.chdir(cwd);
      try {
        const { terminal } = fakeTerminal(null, env);
        const paintOut = width === undefined ? uncoloured : onTerminal(uncoloured, width);
        // Ctrl-C leaves the run to workers.
        const seat = { ...terminal, paintOut, signal: AbortSignal.abort() };
        await atTerminal(['drift', '--all', '--workers', ...more], seat);
      } finally {
        process.chdir(home);
      }
      const asked = await ask(
        url,
        "select request -> 'flags' -> 'options' as options from chatform.log where kind = 'run'",
      );
      expect(asked).toEqual([{ options }]);
    },
  );

  test('A cancelled run is ended by a worker with the files of another commit', async () => {
    const url = await server.newDatabase();
    const env = { DATABASE_URL: url, CHATFORM_TOKEN: 'dal:hush' };
    const project = PROJECT.replace(/ {2}drift: .*\n$/, '').replace(/defaults:\n.*\n/, '');
    const cwd = await repository({ 'chatform.yaml': project, 'manifest.yaml': MANIFEST, '.gitignore': '.chatform/\n' });
    const run = (...args: readonly string[]) => chatform(args, { cwd, env });
    await run('ledger', 'migrate');
    expect(await run('drift', '--all', '--workers', '--detach')).toMatchObject({ code: 0 });
    commit(cwd);
    expect(await run('fleet', 'cancel')).toMatchObject({ code: 0 });
    const worker = start(['fleet', 'worker', '--ttl', '3s'], { cwd, env });
    await worker.says('stderr', 'Working on');
    await expect
      .poll(async () => (await run('fleet', 'list')).stdout, { timeout: 30_000, interval: 300 })
      .toMatch(/ drift +0 of 3 +stopped: cancelled by /);
  }, 60_000);
});
