// The image: built and run where a builder is, else its steps in a folder; and the examples for Kubernetes, by its published schemas.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Deployment } from 'kubernetes-models/apps/v1';
import { CronJob } from 'kubernetes-models/batch/v1';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONTAINERFILE = readFileSync(join(ROOT, 'Containerfile'), 'utf8');
const context = mkdtempSync(join(tmpdir(), 'chatform-image-'));

beforeAll(() => {
  const quiet = { cwd: ROOT, stdio: 'ignore' } as const;
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', context], quiet);
});
afterAll(() => rmSync(context, { recursive: true }));

/** Instructions with their arguments, a line each. */
const steps = CONTAINERFILE.replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .flatMap((line) => (/^[A-Z]/.test(line) ? [line.split(/ (.*)/s).slice(0, 2) as [string, string]] : []));
const argumentOf = (instruction: string): string | undefined => steps.findLast(([name]) => name === instruction)?.[1];

const base = argumentOf('FROM') ?? '';
const builder = ['docker', 'podman'].find((name) => spawnSync(name, ['image', 'inspect', base]).status === 0);

test.skipIf(builder === undefined)(`The image is built and run (where a builder has ${base})`, () => {
  const run = (...args: readonly string[]) => execFileSync(String(builder), args, { encoding: 'utf8' });
  run('build', '--quiet', '--file', join(ROOT, 'Containerfile'), '--tag', 'chatform-test', context);
  expect(run('run', '--rm', 'chatform-test', '--version').trim()).toMatch(/^\d+\.\d+\.\d+$/);
  expect(run('run', '--rm', '--entrypoint', 'id', 'chatform-test', '--user', '--name').trim()).toBe('node');
});

test('Its steps, carried out in a folder, make the command that it starts', () => {
  const [install = ''] = steps.flatMap(([name, text]) =>
    name === 'RUN' && text.startsWith('npm install') ? [text] : [],
  );
  const [npm = ''] = install.split(' && ');
  const prefix = join(context, 'root');
  execFileSync('sh', ['-c', npm.replace('/tmp/', `${context}/`)], {
    cwd: context,
    env: { PATH: process.env['PATH'], npm_config_prefix: prefix, npm_config_offline: 'true', ENGINE: '' },
    stdio: 'ignore',
  });
  const [entry = ''] = JSON.parse(argumentOf('ENTRYPOINT') ?? '[]') as readonly string[];
  expect(execFileSync(join(prefix, 'bin', entry), ['--version'], { encoding: 'utf8' }).trim()).toMatch(/^\d+\.\d+/);
  expect(readdirSync(join(prefix, 'lib/node_modules'))).toEqual(['chatform']);
});

test('It runs as an unprivileged user, in a folder that this user may write', () => {
  expect([argumentOf('USER'), argumentOf('WORKDIR')]).toEqual(['node', '/project']);
  expect(CONTAINERFILE).toContain('install --directory --owner=node --group=node /project');
});

test.each([
  ['drift.yaml', CronJob],
  ['workers.yaml', Deployment],
] as const)('The example %s is what Kubernetes takes', (name, Kind) => {
  const object = parse(readFileSync(join(ROOT, 'examples/kubernetes', name), 'utf8'));
  expect(() => new Kind(object).validate()).not.toThrow();
  // The check can fail.
  expect(() => new Kind({ ...object, spec: { ...object.spec, replicas: 'two', schedule: 5 } }).validate()).toThrow();
});

test('The examples name the engine that the package takes', () => {
  const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(CONTAINERFILE).toContain(`ENGINE=@dbos-inc/dbos-sdk@${peerDependencies['@dbos-inc/dbos-sdk']}`);
});
