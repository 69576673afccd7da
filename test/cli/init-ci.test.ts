// `chatform init --ci`: what it writes for one target and for many, a second run, and what it does to a remote.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WORKFLOWS } from '../docs/recipes.ts';
import { chatform, folder } from './chatform.ts';
import { served } from './served.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const FROM = `OWNER/chatform@${'0123456789'.repeat(4)}`;
const ROOT = new URL('../../', import.meta.url);

const ledgers = 'defaults: { base_url: https://api.example.com, ledger: "ledger/${target.name}.ndjson"';
const projectOf = (names: readonly string[]): string =>
  names.length === 1
    ? `version: 1\nmanifest: [m.yaml]\n${ledgers} }\ntargets: { ${names[0]}: {} }\n`
    : `version: 1\nmanifest: [m.yaml]\n${ledgers}, token_env: "TOKEN_\${target.env_name}" }\ntargets:\n${names.map((name) => `  ${name}: {}\n`).join('')}`;

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd, encoding: 'utf8' });

/** A repository with a project, and a bare remote. */
async function project(names: readonly string[], { at = '.' } = {}) {
  const root = await folder();
  const [remote, repository] = [join(root, 'remote.git'), join(root, 'repository')];
  git(root, 'init', '--quiet', '--bare', remote);
  git(root, 'init', '--quiet', '--initial-branch', 'main', repository);
  git(repository, 'remote', 'add', 'origin', remote);
  git(repository, 'config', 'user.name', 't');
  git(repository, 'config', 'user.email', 't@example.com');
  const cwd = join(repository, at);
  mkdirSync(cwd, { recursive: true });
  const write = (path: string, text: string): void => writeFileSync(join(cwd, path), text);
  write('m.yaml', 'version: 1\n');
  write('chatform.yaml', projectOf(names));
  const read = (name: string): string => readFileSync(join(repository, '.github/workflows', name), 'utf8');
  const branches = (): string => git(remote, 'branch', '--format', '%(refname:short) %(contents:subject)');
  return { cwd, repository, remote, write, read, branches };
}

const NAMES = Array.from({ length: 30 }, (_, index) => `shop-${index + 10}`);
const FILES = ['plan.yml', 'apply.yml', 'watch.yml', 'daily.yml'];
const GITHUB = ['init', '--ci', 'github', '--from', FROM];

test('examples/ci is what it writes for one target', async () => {
  const { cwd, read, branches } = await project(['production']);
  const { code, stdout, stderr } = await chatform([...GITHUB, '--yes'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  const paths = WORKFLOWS.filter((path) => path.includes('/github/'));
  expect(paths.map((path) => path.replace(/.*\//, '')).toSorted()).toEqual([...FILES, 'forks.yml'].toSorted());
  for (const path of paths)
    expect(read(path.replace(/.*\//, '')).replaceAll(`@${'0123456789'.repeat(4)}`, '@COMMIT')).toBe(
      readFileSync(new URL(path, ROOT), 'utf8'),
    );
  expect(stdout).toContain('CHATFORM_READ_TOKEN: secrets of the repository, tokens that read\n');
  expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toMatch(/^ledger\/\nchatform-ci\/$/m);
  expect(branches()).toBe('chatform-ledger Begin the ledgers\n');
  expect((await chatform([...GITHUB, '--yes'], { cwd })).stdout).toMatch(
    /^(kept .*\n)+\nThe branch .* is on the remote/,
  );
});

test.each([1, 3, 30, 100])(
  'Of %i targets, no file has more than 40 lines, and each token is passed by its name',
  async (count) => {
    const names = Array.from({ length: count }, (_, index) => `shop-${index + 100}`);
    const { cwd, read } = await project(names);
    expect((await chatform([...GITHUB, '--yes'], { cwd })).code).toBe(0);
    for (const name of FILES) {
      expect(read(name).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
      expect(read(name)).not.toMatch(/#\?|OWNER\/chatform@|FOLDER|BRANCH|TARGET\b/);
    }
    const passed = read('apply.yml').match(/TOKEN_SHOP_\d+=\$\{\{ secrets\.TOKEN_SHOP_\d+ \}\}/g) ?? [];
    expect(passed).toHaveLength(count === 3 || count === 30 ? count : 0);
    expect(read('watch.yml')).toContain(
      count === 1
        ? 'secrets.CHATFORM_READ_TOKEN }}'
        : count === 100
          ? 'secrets.CHATFORM_READ_TOKENS }}'
          : 'TOKEN_SHOP_101=${{ secrets.READ_TOKEN_SHOP_101 }}',
    );
  },
);

test.each([1, 3, 30])(
  'GitLab: the file names no token, so it is the same for %i targets, but for forks',
  async (count) => {
    const { cwd, repository, branches } = await project(NAMES.slice(0, count));
    const first = await chatform(['init', '--ci', 'gitlab', '--yes'], { cwd });
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('--from GROUP/chatform@COMMIT')]);
    const from = `tools/ours/chatform@${'0123456789'.repeat(4)}`;
    const { code, stdout } = await chatform(['init', '--ci', 'gitlab', '--from', from, '--yes'], { cwd });
    expect([code, branches()]).toEqual([0, 'chatform-ledger Begin the ledgers\n']);
    const written = readFileSync(join(repository, '.gitlab-ci.yml'), 'utf8');
    const example = readFileSync(new URL('examples/ci/gitlab/.gitlab-ci.yml', ROOT), 'utf8');
    const filled = example
      .replaceAll('OWNER/chatform', 'tools/ours/chatform')
      .replaceAll('@COMMIT', `@${'0123456789'.repeat(4)}`)
      .replace('production', NAMES[0] ?? '');
    expect(written).toBe(count === 1 ? filled : filled.replace(/ {2}- component: \S+\/forks@[\s\S]*$/, ''));
    expect(stdout).toContain(
      'glab schedule create --ref main --cron "41 3 * * *" --description pages --variable CHATFORM_PAGE:1',
    );
    // The pin is that of the file.
    const lacks = await chatform(['doctor', '--ci', 'gitlab'], { cwd });
    expect([lacks.code, lacks.stdout]).toEqual([1, expect.stringContaining('it does not have chatform as a file')]);
    expect(stdout).toContain('package.json: it does not have chatform as a file: run `npm install');
    writeFileSync(join(cwd, 'package.json'), '{ "dependencies": { "chatform": "file:vendor/chatform-0.1.0.tgz" } }');
    const partly = await chatform(['init', '--ci', 'gitlab', '--yes'], { cwd });
    for (const path of ['vendor/chatform-0.1.0.tgz', 'package-lock.json'])
      expect(partly.stdout).toContain(`${path}: it is not there: run `);
    mkdirSync(join(cwd, 'vendor'));
    for (const path of ['vendor/chatform-0.1.0.tgz', 'package-lock.json']) writeFileSync(join(cwd, path), '');
    const again = await chatform(['doctor', '--ci', 'gitlab'], { cwd });
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining(`with ${from}`)]);
  },
);

test('A target that is added changes a line of each file; what a person edited is shown, and stays without a yes', async () => {
  const { cwd, read, write } = await project(NAMES.slice(0, 3));
  await chatform([...GITHUB, '--yes'], { cwd });
  write('chatform.yaml', projectOf(NAMES.slice(0, 4)));
  writeFileSync(join(cwd, '.github/workflows/daily.yml'), read('daily.yml').replace('cron: "5', 'cron: "9'));
  const before = read('plan.yml');
  // The pin is that of the files.
  const asked = await chatform(['init', '--ci', 'github'], { cwd });
  expect(asked.code).toBe(1);
  expect(read('plan.yml')).toBe(before);
  const line = (secret: string) => `+        TOKEN_SHOP_13=\${{ secrets.${secret} }}\n`;
  expect(asked.stderr).toMatch(/^\.github\/workflows\/plan\.yml\n@@ .*\n .*\n/);
  expect(asked.stderr).toContain(line('READ_TOKEN_SHOP_13'));
  expect(asked.stderr).toMatch(/^-.*cron: "9 \* \* \* \*".*$/m);
  const { terminal, said } = fakeTerminal('replace', { PATH: process.env['PATH'] ?? '' });
  const home = process.cwd();
  const code = await atTerminal(['-C', cwd, 'init', '--ci', 'github'], terminal).finally(() => process.chdir(home));
  expect([code, said()]).toEqual([0, expect.stringContaining('changed  .github/workflows/plan.yml')]);
  expect(read('apply.yml')).toContain('TOKEN_SHOP_13=${{ secrets.TOKEN_SHOP_13 }}');
});

test('A project in a folder has its workflows at the root of the repository', async () => {
  const { cwd, read } = await project(NAMES.slice(0, 2), { at: 'chat/desk' });
  const { stdout } = await chatform([...GITHUB, '--yes'], { cwd });
  expect(stdout).toContain('created  ../../.github/workflows/plan.yml\n');
  for (const name of FILES) expect(read(name)).toContain('working-directory: chat/desk\n');
});

test('Without a terminal, the branch of the ledgers is a command that is said; it begins with the ledgers that are here', async () => {
  const { cwd, branches, remote, write } = await project(['production']);
  mkdirSync(join(cwd, 'ledger'));
  for (const name of ['production.ndjson', 'production.ndjson.lease.1']) write(`ledger/${name}`, `${name}\r\n`);
  const { code, stdout, stderr } = await chatform(GITHUB, { cwd });
  expect([code, stderr, branches()]).toEqual([0, '', '']);
  expect(stdout).toContain('use --yes to push without asking.\n');
  const command = /(git push origin .*)$/m.exec(stdout)?.[1] ?? '';
  execFileSync('bash', ['-ec', command], { cwd, stdio: 'ignore' });
  expect(branches()).toBe('chatform-ledger Begin the ledgers\n');
  expect(git(remote, 'ls-tree', '--name-only', 'chatform-ledger')).toBe('production.ndjson\n');
  expect(git(remote, 'show', 'chatform-ledger:production.ndjson')).toBe('production.ndjson\r\n');
});

test('A person who types push has the branch pushed; each other answer leaves the command', async () => {
  const { cwd, branches } = await project(['production']);
  const home = process.cwd();
  for (const [answer, pushed] of [
    ['yes', ''],
    ['push', 'chatform-ledger Begin the ledgers\n'],
  ] as const) {
    const { terminal, asked } = fakeTerminal(answer, { PATH: process.env['PATH'] ?? '' });
    const code = await atTerminal(['-C', cwd, ...GITHUB], terminal).finally(() => process.chdir(home));
    expect([code, asked.length, branches()]).toEqual([0, 1, pushed]);
  }
});

test('The jobs are for the branch that the remote says, else for the one that is checked out', async () => {
  const { cwd, repository, remote, read } = await project(['production']);
  git(repository, 'symbolic-ref', 'HEAD', 'refs/heads/trunk');
  const first = await chatform([...GITHUB, '--yes'], { cwd });
  expect(first.stdout).toContain('A request into trunk is planned, and applied once it is merged.\n');
  expect(read('plan.yml')).toContain('branches: [trunk]');
  // As a host does with the first branch that it gets.
  git(remote, 'symbolic-ref', 'HEAD', 'refs/heads/chatform-ledger');
  expect((await chatform(['doctor', '--ci', 'github'], { cwd })).stdout).toContain('for the branch trunk, with');
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '-m', 'all');
  git(repository, 'push', '--quiet', 'origin', 'HEAD:master');
  git(remote, 'symbolic-ref', 'HEAD', 'refs/heads/master');
  const doctor = await chatform(['doctor', '--ci', 'github'], { cwd });
  expect(doctor.stdout.replaceAll(/\s+/g, ' ')).toContain('now for the branch master');
});

test('Without a remote, it says how to add one, and doctor has a problem', async () => {
  const { cwd, repository } = await project(['production']);
  git(repository, 'remote', 'remove', 'origin');
  const { code, stdout, stderr } = await chatform([...GITHUB, '--yes'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(
    'There is no remote: run `git remote add origin URL`, then `chatform init --ci github` again.\n',
  );
  expect(stdout).not.toContain('git push');
  const doctor = await chatform(['doctor', '--ci', 'github'], { cwd });
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('there is no remote')]);
  git(repository, 'remote', 'add', 'origin', join(cwd, 'nowhere'));
  expect((await chatform([...GITHUB, '--yes'], { cwd })).stdout).toMatch(/gives no answer\.\nMake .*: git push/);
});

test('A second target leaves the workflow for forks behind: it is named until it is removed', async () => {
  const { cwd, write } = await project(NAMES.slice(0, 1));
  await chatform([...GITHUB, '--yes'], { cwd });
  write('chatform.yaml', projectOf(NAMES.slice(0, 2)));
  const { stdout } = await chatform([...GITHUB, '--yes'], { cwd });
  expect(stdout).toContain('one target: remove .github/workflows/forks.yml\n');
  expect((await chatform(['doctor', '--ci', 'github'], { cwd })).code).toBe(1);
  rmSync(join(cwd, '.github/workflows/forks.yml'));
  expect((await chatform(['doctor', '--ci', 'github'], { cwd })).code).toBe(0);
});

test('A ledger that git has would stop each job: doctor says so, and init takes it out of git with a yes', async () => {
  const { cwd, repository, branches, write } = await project(['production'], { at: 'desk' });
  mkdirSync(join(cwd, 'ledger'));
  write('ledger/production.ndjson', 'kept\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '-m', 'all');
  const doctor = async () => (await chatform(['doctor', '--ci', 'github'], { cwd })).stdout;
  expect((await chatform(GITHUB, { cwd })).stdout).toContain(
    'run git rm -r --cached --quiet ledger, and commit that\n',
  );
  expect(git(cwd, 'ls-files', 'ledger')).toBe('ledger/production.ndjson\n');
  expect(await doctor()).toMatch(/folder ledger.*problem|problem.*folder ledger/);
  const { stdout } = await chatform([...GITHUB, '--yes'], { cwd });
  expect(stdout).toContain('Took ledger/production.ndjson out of git: commit that.\n');
  expect([git(cwd, 'ls-files', 'ledger'), branches()]).toEqual(['', 'chatform-ledger Begin the ledgers\n']);
  expect(readFileSync(join(cwd, 'ledger/production.ndjson'), 'utf8')).toBe('kept\n');
  expect(await doctor()).not.toContain('folder ledger');
});

test('doctor --ci checks the files, the branch, and the tokens that are set here, and names what to set', async () => {
  const { cwd, write } = await project(NAMES.slice(0, 2));
  const { emulator, url } = await served({ seed: { tokens: [{ token: 'reads', scopes: ['groups--all:ro'] }] } });
  write('m.yaml', 'version: 1\ngroups: { a: { name: A } }\n');
  write('chatform.yaml', projectOf(NAMES.slice(0, 2)).replace('https://api.example.com', url));
  const check = async (env = {}) => {
    const { code, stdout } = await chatform(['doctor', '--ci', 'github', '--json'], { cwd, env });
    return { code, checks: JSON.parse(stdout).checks as readonly { name: string; status: string; message: string }[] };
  };
  expect((await chatform(['doctor', '--ci', 'github'], { cwd })).stderr).toContain('--from OWNER/chatform@COMMIT');
  await chatform([...GITHUB, '--yes'], { cwd });
  const first = await check();
  const files = FILES.map((name) => [`.github/workflows/${name}`, 'ok']);
  expect([first.code, first.checks.slice(0, 5).map(({ name, status }) => [name, status])]).toEqual([
    0,
    [...files, ['branch chatform-ledger', 'ok']],
  ]);
  expect(first.checks.slice(5).map(({ name }) => name)).toEqual([
    'READ_TOKEN_SHOP_10, READ_TOKEN_SHOP_11',
    'TOKEN_SHOP_10, TOKEN_SHOP_11',
    'TOKEN_SHOP_10, TOKEN_SHOP_11',
    'CHATFORM_BASE_URLS',
    'CHATFORM_DAILY',
  ]);
  expect(emulator.stats()).toEqual({});
  const { checks } = await check({ TOKEN_SHOP_11: 'reads', READ_TOKEN_SHOP_10: 'reads' });
  expect(checks.filter(({ name }) => name.includes(' of shop-')).map(({ name, status }) => [name, status])).toEqual([
    ['READ_TOKEN_SHOP_10 of shop-10: credential', 'ok'],
    ['READ_TOKEN_SHOP_10 of shop-10: read scopes', 'ok'],
    ['TOKEN_SHOP_11 of shop-11: credential', 'ok'],
    ['TOKEN_SHOP_11 of shop-11: read scopes', 'ok'],
    ['TOKEN_SHOP_11 of shop-11: write scopes', 'unchecked'],
  ]);
  write('.github/workflows/plan.yml', 'on: push\n');
  rmSync(join(cwd, '.github/workflows/daily.yml'));
  const last = await check();
  expect([last.code, last.checks.slice(0, 4).map(({ status }) => status)]).toEqual([
    1,
    ['warning', 'ok', 'ok', 'problem'],
  ]);
  expect((await chatform(['doctor', '--ci', 'github'], { cwd })).stdout).toMatch(/it is not there/);
});

test('Without --from, it pins the commit that the tag of this version names; where there is none, it says so', async () => {
  const { cwd, read, remote } = await project(['production']);
  const env = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${remote}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://github.com/chatform/chatform.git',
  };
  const none = await chatform(['init', '--ci', 'github'], { cwd, env });
  expect([none.code, none.stderr]).toEqual([
    1,
    expect.stringMatching(/the release v\d\S+ of chatform\/chatform cannot be found: .*--from/),
  ]);
  const tag = /the release (v\S+) of/.exec(none.stderr)?.[1] ?? '';
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '-m', 'release');
  git(cwd, 'tag', '-a', '-m', 'release', tag);
  git(cwd, 'push', '--quiet', 'origin', tag);
  expect((await chatform(['init', '--ci', 'github', '--yes'], { cwd, env })).code).toBe(0);
  expect(read('plan.yml')).toContain(
    `chatform/chatform/.github/workflows/plan.yml@${git(cwd, 'rev-parse', 'HEAD').trim()}\n`,
  );
});

test.each([
  ['{ base_url: "emulator:x.json", ledger: ledger/a.ndjson }', /have no license of an emulator: remove .* \(a\)/],
  [
    '{ base_url: "https://api.example.com", ledger: ledgers/a.ndjson }',
    /move the ledgers of these targets there.* \(a\)/,
  ],
  [
    '{ base_url: "https://api.example.com", ledger: ledger/a.ndjson, token_env: SECRET }',
    /with TOKEN in them: change `token_env` .* \(a\)/,
  ],
])('A target that jobs cannot run is refused: %s', async (target, says) => {
  const { cwd, write } = await project(['a']);
  write('chatform.yaml', `version: 1\nmanifest: [m.yaml]\ntargets:\n  a: ${target}\n`);
  const { code, stderr } = await chatform(GITHUB, { cwd });
  expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
});

test('Outside of a repository, with a pin that is none, or without --ci, it says what to do', async () => {
  const { cwd } = await project(['production']);
  expect((await chatform(['init', '--ci', 'github', '--from', 'chatform@v1'], { cwd })).stderr).toMatch(
    /write it as OWNER\/chatform@COMMIT/,
  );
  expect((await chatform(['init', '--from', FROM], { cwd })).stderr).toMatch(/--from: only with --ci/);
  const bare = await folder({ 'chatform.yaml': projectOf(['production']), 'm.yaml': 'version: 1\n' });
  expect((await chatform(GITHUB, { cwd: bare })).stderr).toMatch(/no git repository here: run `git init`/);
});
