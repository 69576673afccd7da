// The scripts of ci/action/action.yml with a program in the place of chatform: what inputs become, what a cancelled job does, how an end is told.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { folder } from '../cli/chatform.ts';
import type { Step } from './github-job.ts';
import { bash } from './site.ts';

const { runs } = parse(readFileSync(new URL('../../ci/action/action.yml', import.meta.url), 'utf8')) as {
  readonly runs: { readonly steps: readonly Step[] };
};

function script(name: string): string {
  const found = runs.steps.find((step) => step.name === name)?.run;
  if (found === undefined) throw new Error(`the action has no step ${name}`);
  return found;
}

/** A runner on which `chatform` is this shell script. */
async function runner(program: string) {
  const cwd = await folder();
  const bin = join(cwd, 'chatform/node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'chatform'), `#!/bin/bash\n${program}\n`, { mode: 0o755 });
  const env = {
    PATH: process.env['PATH'] ?? '',
    RUNNER_TEMP: cwd,
    GITHUB_OUTPUT: join(cwd, 'output'),
    GITHUB_STEP_SUMMARY: join(cwd, 'summary'),
    ACTION: cwd,
    INPUT_COMMAND: 'apply',
    INPUT_TARGET: '',
    INPUT_TARGETS: '',
    INPUT_ARGS: '',
    INPUT_PLAN: 'plan.json',
    INPUT_AGAINST: '',
    INPUT_APPROVED: '',
    INPUT_BASE_URL: '',
    INPUT_BASE_URLS: '',
  };
  return { cwd, env, output: () => readFileSync(env.GITHUB_OUTPUT, 'utf8') };
}

test('An input is one argument, whatever stands in it', async () => {
  const { cwd, env } = await runner('printf "%s\\n" "$@" > arguments');
  const hostile = '"; touch made; $(touch made) `touch made` * \\';
  const given = {
    ...env,
    INPUT_TARGET: hostile,
    INPUT_ARGS: `--only=group/*\n\n  two words ${hostile}`,
    INPUT_PLAN: hostile,
  };
  expect(await bash(script('run chatform'), { cwd, env: given })).toMatchObject({ code: 0 });
  expect(readFileSync(join(cwd, 'arguments'), 'utf8').split('\n')).toEqual([
    'apply',
    hostile,
    '--target',
    hostile,
    '--report',
    `json=${cwd}/chatform-ci/customers.json`,
    '--only=group/*',
    `  two words ${hostile}`,
    '',
  ]);
});

/** What a job may have in its environment; the names are those that GitHub documents. */
const JOB_TOKENS = {
  GITHUB_TOKEN: 'job-secret-1',
  GH_TOKEN: 'job-secret-2',
  ACTIONS_RUNTIME_TOKEN: 'job-secret-3',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job-secret-4',
  ACTIONS_ID_TOKEN_REQUEST_URL: 'https://job-secret-5',
};

test.each(['plan', 'apply', 'drift', 'snapshot'])(
  'chatform %s sees no token of the job, and that of the service',
  async (command) => {
    const { cwd, env } = await runner('env > environment');
    const given = { ...env, ...JOB_TOKENS, CHATFORM_TOKEN: 'dal:service', INPUT_COMMAND: command };
    expect(await bash(script('run chatform'), { cwd, env: given })).toMatchObject({ code: 0 });
    const seen = readFileSync(join(cwd, 'environment'), 'utf8');
    expect([seen.includes('job-secret'), seen.includes('dal:service')]).toEqual([false, true]);
  },
);

test('The token of the job is given only to steps that ask the host', () => {
  const names = runs.steps.flatMap(({ name, env = {} }) =>
    Object.values(env).some((value) => /github-token|ledger-token|github\.token/.test(value)) ? [name] : [],
  );
  expect(names).toEqual([
    'fetch the ledger',
    'comment that the apply has started',
    'claim the target',
    'find the run',
    'store the ledger',
    'comment',
  ]);
});

test.each([0, 1, 2, 3, 4, 5, 6])('Exit code %i is told, and is how the action ends', async (code) => {
  const { cwd, env, output } = await runner(`exit ${code}`);
  expect(await bash(script('run chatform'), { cwd, env })).toMatchObject({ code: 0 });
  expect(output()).toContain(`exit-code=${code}\n`);
  const ended = await bash(script('end as chatform did'), { cwd, env: { ...env, CODE: String(code) } });
  expect(ended).toEqual({ code, said: expect.stringMatching(/^::error title=chatform::/) });
});

// A signal at the moment at which chatform ends must not lose the exit code, so it is tried again and again.
test.each([1, 2, 3])('A job that is cancelled tells chatform once, and waits for it (%i)', async () => {
  const { cwd, env, output } = await runner(
    'count=0; trap "count=\\$((count + 1)); echo told" TERM\necho begun; until [ -e go ]; do sleep 0.02; done; echo "$count" > signals; exit 130',
  );
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script('run chatform')], { cwd, env });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const says = (text: string): Promise<void> =>
    new Promise((resolve) => {
      child.stdout.on('data', (data: Buffer) => {
        if (data.toString().includes(text)) resolve();
      });
    });
  await says('begun');
  const told = says('told');
  child.kill('SIGINT');
  await told;
  writeFileSync(join(cwd, 'go'), '');
  const again = setInterval(() => child.kill('SIGTERM'), 1);
  expect(await ended).toBe(0);
  clearInterval(again);
  expect(readFileSync(join(cwd, 'signals'), 'utf8')).toBe('1\n');
  expect(output()).toContain('exit-code=130\n');
});

test('chatform is built from the commit of the action, with what its lock file pins, out of reach of tokens and of the repository', async () => {
  const { cwd, env } = await runner('exit 0');
  const [action, temp, bin] = ['action', 'temp', 'bin'].map((name) => join(cwd, name)) as [string, string, string];
  for (const each of [join(action, 'dist'), join(action, 'src'), temp, bin]) mkdirSync(each, { recursive: true });
  writeFileSync(join(action, 'package.json'), '{ "name": "chatform" }');
  writeFileSync(join(action, 'dist/cli.cjs'), '#!/bin/bash\necho built\n');
  const npm =
    '#!/bin/bash\nprintf "%s\\n" "$PWD $* ${CHATFORM_TOKEN-none}" >> "$RUNNER_TEMP/npm.txt"\nenv >> "$RUNNER_TEMP/seen.txt"\n';
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 });
  const given = { ...env, ACTION: action, PATH: `${bin}:${env.PATH}`, RUNNER_TEMP: temp, INPUT_PACKAGE: '' };
  const install = (more: Readonly<Record<string, string>>) =>
    bash(script('install chatform'), {
      cwd,
      env: { ...given, ...JOB_TOKENS, SLACK_URL: 'job-secret', CHATFORM_TOKEN: 'token', ...more },
    });
  const asked = () => readFileSync(join(temp, 'npm.txt'), 'utf8').trimEnd().split('\n');

  const unbuilt = await install({ INPUT_PACKAGE: 'git+https://example.com/chatform.git' });
  expect(unbuilt).toMatchObject({ code: 1, said: expect.stringContaining('is not built') });
  expect(asked().at(-1)).toMatch(/ install .*--ignore-scripts -- git\+https:\S+ none$/);

  expect(await install({})).toMatchObject({ code: 0 });
  const copy = join(temp, 'chatform/action');
  expect(asked().slice(1)).toEqual([
    `${copy} ci --ignore-scripts --include=dev --no-audit --no-fund none`,
    `${copy} run -s build none`,
  ]);
  expect(await bash('"$RUNNER_TEMP/chatform/node_modules/.bin/chatform"', { cwd, env: given })).toEqual({
    code: 0,
    said: 'built\n',
  });
  expect(await install({})).toMatchObject({ code: 0 });
  expect(asked()).toHaveLength(3);
  const seen = readFileSync(join(temp, 'seen.txt'), 'utf8');
  expect([seen.includes('job-secret'), /^(PATH|RUNNER_TEMP)=/m.test(seen)]).toEqual([false, true]);
  expect(await install({ INPUT_COMMAND: 'destroy' })).toMatchObject({
    code: 1,
    said: expect.stringContaining('::error'),
  });
});

test('A release runs as it is: npm is not asked, and no package of others is there', async () => {
  const { cwd, env } = await runner('exit 0');
  const [action, temp, bin] = ['action', 'temp', 'bin'].map((name) => join(cwd, name)) as [string, string, string];
  const checkout = fileURLToPath(new URL('../../', import.meta.url));
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/release.ts', action], { cwd: checkout });
  for (const each of [temp, bin]) mkdirSync(each);
  writeFileSync(join(bin, 'npm'), '#!/bin/bash\ntouch "$RUNNER_TEMP/asked"\n', { mode: 0o755 });
  const given = { ...env, ACTION: action, PATH: `${bin}:${env.PATH}`, RUNNER_TEMP: temp, INPUT_PACKAGE: '' };
  expect(await bash(script('install chatform'), { cwd, env: given })).toEqual({ code: 0, said: '' });
  const begun = await bash('"$RUNNER_TEMP/chatform/node_modules/.bin/chatform" init', { cwd, env: given });
  expect(begun).toMatchObject({ code: 0, said: expect.stringContaining('Next: chatform plan') });
  const manifest = JSON.parse(readFileSync(join(action, 'package.json'), 'utf8')) as object;
  expect(Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name))).toEqual([]);
  const there = [
    'ci/action/action.yml',
    '.github/workflows/plan.yml',
    'ci/github/plan.yml',
    'ci/find.mjs',
    'ci/ledger.sh',
    'node_modules',
  ].map((name) => existsSync(join(action, name)));
  expect([...there, existsSync(join(temp, 'asked'))]).toEqual([true, true, true, true, true, false, false]);
});

test.each([
  ['0', 'success', '--state applied'],
  ['5', 'success', '--state failed --exit-code 5'],
  ['0', 'failure', '--state failed --exit-code 1'],
  ['', 'skipped', '--state failed --exit-code 1'],
])('Of an apply that ended with %j and whose ledger is a %s, the comment says %s', async (code, stored, wanted) => {
  const { cwd, env } = await runner('printf "%s" "$*" > arguments');
  writeFileSync(join(cwd, 'plan.json'), '{}');
  const given = { ...env, CODE: code, STORED: stored, INPUT_COMMENT: 'true' };
  expect(await bash(script('comment'), { cwd, env: given })).toMatchObject({ code: 0 });
  expect(readFileSync(join(cwd, 'arguments'), 'utf8')).toBe(`ci comment ${wanted} --plan plan.json`);
});

test('The comment of an apply has what customers see, but not what an earlier apply left in the folder', async () => {
  const { cwd, env } = await runner(
    'printf "%s\n" "$*" >> arguments; [ "$1" != apply ] || [ -e silent ] || touch chatform-ci/customers.json',
  );
  writeFileSync(join(cwd, 'plan.json'), '{}');
  const given = { ...env, CODE: '2', STORED: 'success', INPUT_COMMENT: 'true' };
  const comments = async (): Promise<string | undefined> => {
    expect(await bash(script('run chatform'), { cwd, env: given })).toMatchObject({ code: 0 });
    expect(await bash(script('comment'), { cwd, env: given })).toMatchObject({ code: 0 });
    return readFileSync(join(cwd, 'arguments'), 'utf8').trimEnd().split('\n').at(-1);
  };
  const told = 'ci comment --state failed --exit-code 2';
  expect(await comments()).toBe(`${told} --results chatform-ci/customers.json --plan plan.json`);
  writeFileSync(join(cwd, 'silent'), '');
  expect(await comments()).toBe(`${told} --plan plan.json`);
});

test('The tokens of many licenses are one secret: each is hidden in the log, and no line is anything but a token', async () => {
  const { cwd, env, output } = await runner('env > environment; printf "%s\\n" "$@" > arguments');
  const given = {
    ...env,
    INPUT_COMMAND: 'drift',
    INPUT_TARGETS: '-l region=eu -t *',
    INPUT_BASE_URLS: 'https://a https://b',
  };
  const ran = (tokens: string) => bash(script('run chatform'), { cwd, env: { ...given, INPUT_TOKENS: tokens } });
  expect(await ran('TOKEN_ACME=dal:one%0A\r\n\n TOKEN_BRAVO=a=b\n')).toEqual({
    code: 0,
    said: '::add-mask::dal:one%250A\n::add-mask::a=b\n',
  });
  const seen = readFileSync(join(cwd, 'environment'), 'utf8');
  expect(seen).toContain('\nTOKEN_ACME=dal:one%0A\n');
  expect(seen).toContain('\nTOKEN_BRAVO=a=b\n');
  expect(seen).not.toContain('INPUT_TOKENS');
  expect(seen).toContain('\nCHATFORM_BASE_URLS=https://a https://b\n');
  expect(readFileSync(join(cwd, 'arguments'), 'utf8')).toMatch(/^drift\n-l\nregion=eu\n-t\n\*\n--report\n/);
  for (const line of [
    'PATH=/tmp',
    'LD_PRELOAD=x',
    'GITHUB_TOKEN=x',
    'NODE_TOKEN=x',
    'TOKEN_A',
    'TOKEN_A=',
    'b',
    'TOKEN_A=\u00e9',
    '$(touch made)',
  ]) {
    writeFileSync(join(cwd, 'arguments'), '');
    const { said } = await ran(`TOKEN_OK=hidden\n${line}`);
    expect([line, said.split('\n').slice(1)]).toEqual([
      line,
      [expect.stringMatching(/^::error title=chatform::the token/), ''],
    ]);
    expect(said.replace('::add-mask::hidden', '')).not.toContain('hidden');
    expect(readFileSync(join(cwd, 'arguments'), 'utf8')).toBe('');
    expect(output()).toMatch(/exit-code=1\n$/);
  }
  expect(existsSync(join(cwd, 'made'))).toBe(false);
});

test('Of an apply of several targets, the end names the worst, and an empty folder needs none', async () => {
  const { cwd, env, output } = await runner('exit 3');
  mkdirSync(join(cwd, 'approved/plans'), { recursive: true });
  writeFileSync(join(cwd, 'approved/targets.json'), '{}');
  const given = { ...env, INPUT_PLAN: 'approved/plans', INPUT_APPROVED: 'run=1 digest=' };
  expect(await bash(script('run chatform'), { cwd, env: given })).toMatchObject({ code: 0 });
  expect(output()).toBe('exit-code=0\n');
  writeFileSync(join(cwd, 'approved/plans/acme.json'), '{}');
  expect(await bash(script('run chatform'), { cwd, env: given })).toMatchObject({ code: 0 });
  expect(output()).toContain('exit-code=3\n');
  const ended = await bash(script('end as chatform did'), { cwd, env: { ...given, CODE: '3' } });
  expect(ended).toEqual({ code: 3, said: expect.stringContaining('the worst of all targets') });
});
