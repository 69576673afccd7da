// The scripts of action.yml with a program in the place of chatform: what inputs become, what a cancelled job does, how an end is told.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { folder } from '../cli/chatform.ts';
import type { Step } from './github-job.ts';
import { bash } from './site.ts';

const { runs } = parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8')) as {
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
    INPUT_ARGS: '',
    INPUT_PLAN: 'plan.json',
    INPUT_AGAINST: '',
    INPUT_WORKFLOW: '',
    INPUT_RUN: '',
    INPUT_TOKEN: '',
    DEFAULT_BRANCH: 'main',
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
    '--only=group/*',
    `  two words ${hostile}`,
    '',
  ]);
});

test.each([0, 1, 3, 4, 5, 6])('Exit code %i is told, and is how the action ends', async (code) => {
  const { cwd, env, output } = await runner(`exit ${code}`);
  expect(await bash(script('run chatform'), { cwd, env })).toMatchObject({ code: 0 });
  expect(output()).toContain(`exit-code=${code}\n`);
  const ended = await bash(script('end as chatform did'), { cwd, env: { ...env, CODE: String(code) } });
  expect(ended).toEqual({ code, said: expect.stringMatching(/^::error title=chatform::/) });
});

test('A job that is cancelled tells chatform once, and waits for it', async () => {
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
  child.kill('SIGTERM');
  writeFileSync(join(cwd, 'go'), '');
  expect(await ended).toBe(0);
  expect(readFileSync(join(cwd, 'signals'), 'utf8')).toBe('1\n');
  expect(output()).toContain('exit-code=130\n');
});

test('chatform is installed at the version of the action, outside of the repository, and runs nothing while it is', async () => {
  const { cwd, env } = await runner('exit 0');
  const npm = join(cwd, 'npm');
  writeFileSync(npm, '#!/bin/bash\nprintf "%s\\n" "$PWD" "$@" > "$RUNNER_TEMP/npm.txt"\n', { mode: 0o755 });
  writeFileSync(join(cwd, 'package.json'), '{ "version": "1.2.3" }');
  const temp = join(cwd, 'temp');
  mkdirSync(temp);
  const given = { ...env, PATH: `${cwd}:${env.PATH}`, RUNNER_TEMP: temp, INPUT_VERSION: '', INPUT_PACKAGE: '' };
  for (const [more, wanted] of [
    [{}, 'chatform@1.2.3'],
    [{ INPUT_VERSION: '2.0.0' }, 'chatform@2.0.0'],
    [{ INPUT_PACKAGE: '/packages/chatform.tgz' }, '/packages/chatform.tgz'],
  ] as const) {
    expect(await bash(script('install chatform'), { cwd, env: { ...given, ...more } })).toMatchObject({ code: 0 });
    const [where, ...args] = readFileSync(join(temp, 'npm.txt'), 'utf8').trimEnd().split('\n');
    expect(where).toBe(join(temp, 'chatform'));
    expect(args).toContain('--ignore-scripts');
    expect(args.slice(-2)).toEqual(['--', wanted]);
  }
  const wrong = await bash(script('install chatform'), { cwd, env: { ...given, INPUT_COMMAND: 'destroy' } });
  expect(wrong).toMatchObject({ code: 1, said: expect.stringContaining('::error') });
});
