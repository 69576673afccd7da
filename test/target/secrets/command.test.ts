// Programs that are told secrets: what they are given, and what becomes of those that fail.

import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { commandSink, type SecretsCommand } from '../../../src/target/secrets/command.ts';
import { createScrubber } from '../../../src/target/secrets/scrub.ts';
import { bot } from './conformance.ts';

const root = await mkdtemp(join(tmpdir(), 'chatform-command-'));
afterAll(() => rm(root, { recursive: true }));

const PATH = process.env['PATH'] ?? '';
const TOLD = bot('a', 'hush/"hush');

function sh(script: string, how: Partial<SecretsCommand> = {}) {
  return commandSink({
    argv: ['sh', '-c', script, 'sh', ...(how.argv ?? [])],
    folder: root,
    env: { PATH, ...how.env },
    timeout: how.timeout ?? 10_000,
  });
}

async function refusalOf(script: string, how: Partial<SecretsCommand> = {}): Promise<string> {
  const error = await sh(script, how)
    .store([TOLD])
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).not.toContain('hush');
  return String(error);
}

test('It is given one JSON document on its standard input, its arguments as they are, its environment and its folder', async () => {
  await sh('cat > told; printf "%s|" "$@" "$WHERE" "$(pwd)" > rest', {
    argv: ['$HOME', 'a b'],
    env: { WHERE: 'x' },
  }).store([TOLD]);
  expect(JSON.parse(await readFile(join(root, 'told'), 'utf8'))).toEqual({ secrets: [TOLD] });
  expect(await readFile(join(root, 'rest'), 'utf8')).toBe(`$HOME|a b|x|${root}|`);
});

test.each([
  ['cat > /dev/null; echo no such vault >&2; exit 3', /secrets command sh ended with 3: no such vault$/],
  ['cat > /dev/null; exit 1', /ended with 1$/],
  ['cat > /dev/null; kill -9 $$', /was killed by SIGKILL$/],
  ['cat >&2; exit 1', /ended with 1: .*\[secret\]/],
  ['cat; exit 1', /ended with 1$/],
  ['tr a-z A-Z >&2 <&-; printf "hush/\\"hush" | base64 >&2; exit 1', /\[secret\]/],
])('%j has failed', async (script, reason) => {
  expect(await refusalOf(script)).toMatch(reason);
});

test('However much it prints, it is cut, and no part of a secret is left at the cut', async () => {
  const secret = 'hush-hush-hush-hush';
  const script = `cat > /dev/null; head -c 65530 /dev/zero | tr '\\0' x >&2; echo ${secret} >&2; exit 1`;
  const error = await sh(script)
    .store([bot('a', secret)])
    .catch((reason: unknown) => reason);
  expect(String(error)).not.toContain('hush-h');
  expect(String(error).length).toBeLessThan(700);
});

test('Whoever ends well without having read all of it has not kept it', async () => {
  const big = bot('a', 'x'.repeat(1_000_000));
  const error = await sh('exec true')
    .store([big])
    .catch((reason: unknown) => reason);
  expect(String(error)).toContain('did not read what it was given');
});

test('When its time is up it is ended, with whatever it started', async () => {
  const script = 'cat > /dev/null; sleep 60 & echo $! > child; wait';
  expect(await refusalOf(script, { timeout: 1_500 })).toContain('did not end in 1.5 s');
  const child = (await readFile(join(root, 'child'), 'utf8')).trim();
  // Where nobody collects orphans it stays as a zombie.
  expect(spawnSync('ps', ['-o', 'stat=', '-p', child], { encoding: 'utf8' }).stdout.trim()).toMatch(/^(Z.*)?$/);
});

test('It runs in a group of its own, so that Ctrl-C does not reach it', async () => {
  await sh('cat > /dev/null; ps -o pgid= -p $$ | tr -d " " > group; echo $$ > self').store([TOLD]);
  const [group, self] = await Promise.all(['group', 'self'].map((name) => readFile(join(root, name), 'utf8')));
  expect(group).toBe(self);
});

test('What it leaves running holds nobody up', async () => {
  const started = Date.now();
  await sh('cat > /dev/null; sleep 30 2> /dev/null & exit 0').store([TOLD]);
  expect(Date.now() - started).toBeLessThan(10_000);
});

test('A program is found in PATH, or from the folder, and is not run to find out', async () => {
  await writeFile(join(root, 'run'), '#!/bin/sh\ntouch was-run\n', { mode: 0o755 });
  await writeFile(join(root, 'plain'), '', { mode: 0o644 });
  const probe = (program: string, path = PATH) =>
    commandSink({ argv: [program], folder: root, env: { PATH: path } }).probe(['bot/a']);
  await probe('./run');
  await probe(join(root, 'run'));
  await probe('run', `/nowhere:${root}`);
  await expect(probe('run')).rejects.toThrow('secrets command run is not in PATH');
  await expect(probe('./nothing')).rejects.toThrow('./nothing is not there');
  await expect(probe('./plain')).rejects.toThrow('./plain is not executable');
  await expect(probe('/')).rejects.toThrow('is not executable');
  await expect(readFile(join(root, 'was-run'))).rejects.toThrow('ENOENT');
});

test('A program that cannot be started has kept nothing', async () => {
  await expect(commandSink({ argv: ['./gone'], folder: root, env: { PATH } }).store([TOLD])).rejects.toThrow(
    'cannot be started: ENOENT',
  );
});

test('A secret is taken out of a text in every form in which it is usually repeated', () => {
  const secret = `p/ä+"'x`;
  const base64 = Buffer.from(secret).toString('base64');
  const forms = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    base64,
    Buffer.from(secret).toString('hex'),
  ];
  const scrub = createScrubber([secret]);
  for (const form of forms) expect(scrub(`before ${form} after`)).toMatch(/^before "?\[secret\]"? after$/);
  expect(createScrubber([''])('nothing')).toBe('nothing');
  expect(createScrubber(['ab'])('cabbage')).toBe('c[secret]bage');
});

test('A part of a secret, and one inside of something that was encoded as a whole, is taken out as well', () => {
  const secret = 'Zm9v-hush-hush-QmFy';
  const scrub = createScrubber([secret]);
  expect(scrub(`token ${secret.slice(3, 12)}... is unknown`)).toBe('token [secret]... is unknown');
  for (const before of ['', 'a', 'ab', 'abc']) {
    const whole = Buffer.from(`${before}${secret}xyz`).toString('base64');
    expect(scrub(whole).replaceAll('[secret]', '').length).toBeLessThan(16);
  }
});
