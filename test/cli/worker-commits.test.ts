// Workers and the commits of runs: processes of the built command in clones of a repository, with a database between them.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { type SharedServer, sharedServer } from '../ledger/postgres/server.ts';
import { IS_FULL } from '../tries.ts';
import { chatform, folder, type Running, start } from './chatform.ts';
import { change, commit, git, repository } from './repository.ts';

const FOUND = await postgresBinaries();

function projectWith(fleet: string): string {
  return `version: 1
manifest: [../manifest.yaml]
ledger_store: { postgres_env: DATABASE_URL }
targets_from: { csv: licenses.csv }
defaults:
  base_url: "emulator:.chatform/\${target.name}.json"
  labels: { ring: "\${row.ring}" }
fleet: ${fleet}
`;
}

const HELD = '{ waves: [{ name: first, select: ring=first, hold: 10m }, { name: rest }] }';

function manifestOf(name: string): string {
  return `version: 1\ngroups: { support: { name: ${name} } }\n`;
}

const FILES = {
  'teams/eu/chatform.yaml': projectWith('{}'),
  'teams/manifest.yaml': manifestOf('One'),
  'teams/eu/licenses.csv': 'name,ring\na,first\nb,rest\nc,rest\n',
  '.gitignore': '.chatform/\n',
};

function seen(cwd: string): readonly string[] {
  const questions = ['rev-parse HEAD', 'for-each-ref', 'status --porcelain=v2 --branch', 'worktree list'];
  return questions.map((question) => git(cwd, ...question.split(' ')));
}

describe.skipIf('missing' in FOUND)('a worker', () => {
  let server: SharedServer;

  beforeAll(async () => {
    server = await sharedServer();
  });

  test('takes the files of each run from its commit, and leaves its own folder as it is', async () => {
    const env = { DATABASE_URL: await server.newDatabase(), CHATFORM_TOKEN: 'dal:hush' };
    const person = await repository(FILES);
    const [remote, own, temporary] = [await folder(), join(await folder(), 'clone'), await folder()];
    git(remote, 'init', '-q', '--bare', '-b', 'main');
    git(person, 'remote', 'add', 'origin', remote);
    git(person, 'push', '-q', '-u', 'origin', 'main');
    git(person, 'clone', '-q', remote, own);
    const asked = (...args: readonly string[]) => chatform(args, { cwd: join(person, 'teams/eu'), env });
    const begin = async (cwd: string): Promise<Running> => {
      const worker = start(['fleet', 'worker', '--ttl', '3s', '--log-level', 'info'], {
        cwd: join(cwd, 'teams/eu'),
        env: { ...env, TMPDIR: temporary },
      });
      await worker.says('stderr', 'Working on 16 targets at once.');
      return worker;
    };
    const committed = async (files: { readonly [name: string]: string }): Promise<void> => {
      await change(person, files);
      commit(person);
    };
    const begun = async (...args: readonly string[]): Promise<string> => {
      const { stdout } = await asked(...args, '--all', '--workers', '--detach');
      return /^Run ([0-9a-f]{8}) began/.exec(stdout)?.[1] ?? stdout;
    };
    const shows = (run: string, text: RegExp): Promise<void> =>
      expect
        .poll(async () => (await asked('fleet', 'status', run)).stdout, { timeout: 30_000, interval: 200 })
        .toMatch(text);
    await asked('ledger', 'migrate');
    const before = seen(own);

    await committed({ 'teams/eu/chatform.yaml': projectWith(HELD) });
    git(person, 'push', '-q');
    const held = await begun('apply', '--yes');
    // Its folder has other files than both runs, and one of them does nothing for ten minutes.
    await change(own, { 'teams/manifest.yaml': 'broken: [' });
    const one = await begin(own);
    await shows(held, /^ {2}first +1 +1 .*\n {2}rest +2 +- /m);
    await committed({ 'teams/eu/chatform.yaml': projectWith('{}'), 'teams/manifest.yaml': manifestOf('Two') });
    git(person, 'push', '-q');
    const next = await begun('apply', '--yes');
    await shows(next, /^Done: /m);
    await one.says('stderr', 'fetched commit');
    await asked('fleet', 'cancel', held);
    git(own, 'checkout', '-q', '--', '.');
    expect(await readdir(join(own, 'teams/eu/.chatform'))).toEqual(['a.json', 'b.json', 'c.json']);
    expect(await asked('plan', '--all', '--workers')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3 in sync'),
    });

    await committed({ 'teams/manifest.yaml': manifestOf('Three') });
    const absent = await begun('plan');
    await shows(absent, /and git cannot fetch it from origin: .*not our ref/);
    const other = await begin(person);
    await shows(absent, /^Done: /m);
    // One of the two workers cannot get these either.
    for (const name of ['Four', 'Five']) {
      await committed({ 'teams/manifest.yaml': manifestOf(name) });
      await shows(await begun('plan'), /^Done: /m);
    }

    for (const worker of [one, other]) {
      worker.kill('SIGTERM');
      expect(await worker.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing is under way') });
    }
    expect(seen(own)).toEqual(before);
    expect(await readdir(temporary)).toEqual([]);
  }, 120_000);

  /** A commit whose table is in no commit, so that only the command finds it; and a worker. */
  async function withoutTable() {
    const env = { DATABASE_URL: await server.newDatabase() };
    const cwd = join(await repository(FILES), 'teams/eu');
    await chatform(['ledger', 'migrate'], { cwd, env });
    await change(cwd, { 'chatform.yaml': projectWith('{}').replace('licenses.csv', 'ignored.csv') });
    await change(cwd, { 'ignored.csv': 'name,ring\na,first\n', '.gitignore': 'ignored.csv\n.chatform/\n' });
    commit(cwd);
    const worker = start(['fleet', 'worker', '--ttl', '3s'], { cwd, env });
    await worker.says('stderr', 'Working on');
    return { cwd, env };
  }

  test('refuses a commit whose project has errors, and says which', async () => {
    const waits = start(['plan', '--all', '--workers'], await withoutTable());
    expect(await waits.says('stderr', 'No worker can do the run yet')).toMatch(
      /at commit [0-9a-f]{8}, chatform\.yaml: ignored\.csv: the file does not exist/,
    );
  }, 60_000);

  // A worker looks again after 20 seconds at a run that it refused.
  test.skipIf(!IS_FULL)(
    'ends a run with such a commit once a person cancels it',
    async () => {
      const place = await withoutTable();
      await chatform(['plan', '--all', '--workers', '--detach'], place);
      const status = async () => (await chatform(['fleet', 'status'], place)).stdout;
      await expect.poll(status, { timeout: 20_000 }).toContain('the file does not exist');
      await chatform(['fleet', 'cancel'], place);
      await expect.poll(status, { timeout: 60_000 }).toMatch(/^Stopped: /m);
    },
    120_000,
  );
});
