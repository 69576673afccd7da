// ci/ledger.sh with a real git repository and no license: what one job stores another one finds, and of two that claim a target one gets it.

import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folder } from '../cli/chatform.ts';
import { bash, git, type Ran } from './site.ts';

const SCRIPT = fileURLToPath(new URL('../../ci/ledger.sh', import.meta.url));

interface Runner {
  readonly cwd: string;
  readonly does: (what: string) => Promise<Ran>;
  readonly writes: (file: string, text: string) => void;
}

async function repository() {
  const root = await folder();
  const remote = join(root, 'r.git');
  git(root, 'init', '--quiet', '--bare', remote);
  const tree = git(remote, 'hash-object', '-t', 'tree', '-w', '/dev/null');
  git(remote, 'update-ref', 'refs/heads/chatform-ledger', git(remote, 'commit-tree', tree, '-m', 'begin'));
  const runner = async (run: string, target = 'production', more: Readonly<Record<string, string>> = {}) => {
    const cwd = await folder();
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: root,
      LEDGER_URL: `file://${remote}`,
      LEDGER_RUN: run,
      LEDGER_TARGET: target,
      LEDGER_PAUSE: '0',
      ...more,
    };
    const made: Runner = {
      cwd,
      does: (what) => bash(`bash "${SCRIPT}" ${what}`, { cwd, env }),
      writes: (file, text) => writeFileSync(join(cwd, 'ledger', file), text),
    };
    return made;
  };
  const kept = (): readonly string[] => git(remote, 'ls-tree', '--name-only', 'refs/heads/chatform-ledger').split('\n');
  return { runner, kept, remote };
}

test('What one job stores another one finds: ledgers, and nothing that lies beside them', async () => {
  const { runner, kept } = await repository();
  const one = await runner('run 1');
  for (const what of ['fetch', 'begin']) expect(await one.does(what)).toMatchObject({ code: 0 });
  expect(kept()).toEqual(['production.begun']);
  for (const name of ['production.ndjson', 'production.ndjson.lease.3', 'secrets.json']) one.writes(name, 'text\n');
  for (const what of ['store', 'store']) expect(await one.does(what)).toMatchObject({ code: 0 });
  expect(kept()).toEqual(['production.ndjson']);
  const two = await runner('run 2');
  expect(await two.does('fetch')).toMatchObject({ code: 0 });
  expect(readFileSync(join(two.cwd, 'ledger/production.ndjson'), 'utf8')).toBe('text\n');
});

test('A run that failed before it wrote a ledger gives the target back', async () => {
  const { runner, kept } = await repository();
  const one = await runner('run 1');
  for (const what of ['fetch', 'begin', 'store']) expect(await one.does(what)).toMatchObject({ code: 0 });
  expect(kept()).toEqual(['']);
});

test('Of two runs that have the same ledger one gets the target, and the other ends with 4 and stores nothing', async () => {
  const { runner, kept } = await repository();
  const [one, two] = [await runner('run 1'), await runner('run 2')];
  for (const each of [one, two]) await each.does('fetch');
  const ended = await Promise.all([one.does('begin'), two.does('begin')]);
  expect(ended.map(({ code }) => code).toSorted()).toEqual([0, 4]);
  const [winner, loser] = ended[0]?.code === 0 ? [one, two] : [two, one];
  loser.writes('production.ndjson', 'of the loser\n');
  expect(await loser.does('store')).toMatchObject({ code: 0 });
  expect(kept()).toEqual(['production.begun']);
  winner.writes('production.ndjson', 'of the winner\n');
  expect(await winner.does('store')).toMatchObject({ code: 0 });
  const next = await runner('run 3');
  await next.does('fetch');
  expect(readFileSync(join(next.cwd, 'ledger/production.ndjson'), 'utf8')).toBe('of the winner\n');
});

test('Whoever begins after another run has ended has what that run stored, although it fetched before', async () => {
  const { runner } = await repository();
  const [one, two] = [await runner('run 1'), await runner('run 2')];
  for (const each of [one, two]) await each.does('fetch');
  await one.does('begin');
  one.writes('production.ndjson', 'newest\n');
  await one.does('store');
  expect(await two.does('begin')).toMatchObject({ code: 0 });
  expect(readFileSync(join(two.cwd, 'ledger/production.ndjson'), 'utf8')).toBe('newest\n');
});

test('A claim that was never given back stops the next run, which names it', async () => {
  const { runner } = await repository();
  const dead = await runner('https://ci.example/runs/1');
  for (const what of ['fetch', 'begin']) await dead.does(what);
  const next = await runner('run 2');
  await next.does('fetch');
  expect(await next.does('begin')).toMatchObject({
    code: 4,
    said: expect.stringContaining('https://ci.example/runs/1'),
  });
  expect(await next.does('held')).toMatchObject({ code: 4, said: expect.stringContaining('runs/1') });
});

/** A claim that another pusher of the branch has made, in the folder of a runner. */
async function forged(make: (claim: string) => void) {
  const { runner } = await repository();
  const made = await runner('https://ci.example/runs/2', 'production', {
    LEDGER_TOKEN: 's3cr3t',
    JOB_VALUE: 'of-the-job',
  });
  await made.does('fetch');
  make(join(made.cwd, 'ledger/production.begun'));
  return made;
}

test.each([
  ['the environment of the job', '/proc/self/environ'],
  ['what never ends', '/dev/zero'],
  ['what is not there', '../not-there'],
])('A claim that is a link to %s is not read, and no other file is written', async (_, target) => {
  const { does, cwd } = await forged((claim) => symlinkSync(target, claim));
  for (const what of ['begin', 'held']) {
    const { code, said } = await does(what);
    expect([code, said]).toEqual([4, expect.stringContaining('production is claimed by a file that is no claim')]);
    expect(said).not.toMatch(/of-the-job|AUTHORIZATION/);
  }
  expect(existsSync(join(cwd, 'not-there'))).toBe(false);
});

test('A claim is shown as one line of plain text, which commands no runner', async () => {
  const { does } = await forged((claim) =>
    writeFileSync(claim, `x\r::set-output name=a::b\u001b[2J\u2028${'y'.repeat(9000)}`),
  );
  const { code, said } = await does('held');
  expect([code, said.length < 1200, said]).toEqual([4, true, expect.stringMatching(/^[ -~]+\n$/)]);
});

test('Targets share the branch and do not keep each other waiting', async () => {
  const { runner, kept } = await repository();
  const [one, two] = [await runner('run 1', 'production'), await runner('run 2', 'sandbox')];
  for (const each of [one, two]) await each.does('fetch');
  for (const what of ['begin', 'store'])
    for (const [each, name] of [
      [one, 'production'],
      [two, 'sandbox'],
    ] as const) {
      each.writes(`${name}.ndjson`, `${what}\n`);
      expect(await each.does(what)).toMatchObject({ code: 0 });
    }
  expect(kept()).toEqual(['production.ndjson', 'sandbox.ndjson']);
});

test('A branch that is not there, or cannot be pushed to, stops a run before anything is applied', async () => {
  const { runner, remote } = await repository();
  const none = await runner('run 1', 'production', { LEDGER_BRANCH: 'other' });
  expect(await none.does('fetch')).toMatchObject({ code: 1, said: expect.stringContaining('create it once') });
  const far = await runner('run 1', 'production', { LEDGER_URL: `file://${remote}/nowhere` });
  expect(await far.does('fetch')).toMatchObject({ code: 1, said: expect.stringContaining('could not be read') });
  const one = await runner('run 1');
  await one.does('fetch');
  const remedy = 'if the main branch has it, run git rm -r --cached ledger';
  expect(await one.does('fetch')).toMatchObject({ code: 1, said: expect.stringContaining(remedy) });
  writeFileSync(join(remote, 'hooks/pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  expect(await one.does('begin')).toMatchObject({
    code: 4,
    said: expect.stringMatching(/no run holds production.*nothing was applied.*may push/),
  });
  expect(existsSync(join(one.cwd, 'ledger/production.begun'))).toBe(false);
});

test('A ledger whose push failed is pushed when it is stored again', async () => {
  const { runner, kept, remote } = await repository();
  const one = await runner('run 1');
  for (const what of ['fetch', 'begin']) await one.does(what);
  one.writes('production.ndjson', 'text\n');
  const hook = join(remote, 'hooks/pre-receive');
  writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  for (const _ of ['once', 'twice'])
    expect(await one.does('store')).toMatchObject({ code: 1, said: expect.stringContaining('stays claimed') });
  expect(kept()).toEqual(['production.begun']);
  rmSync(hook);
  for (const _ of ['once', 'twice']) expect(await one.does('store')).toMatchObject({ code: 0 });
  expect(kept()).toEqual(['production.ndjson']);
});

test.each(['fetch', 'begin', 'store', 'held'])('%s refuses what is no name of a target', async (what) => {
  const { runner } = await repository();
  for (const target of ['../x', '..', 'a/b']) {
    const one = await runner('run 1', target);
    expect(await one.does(what)).toMatchObject({ code: 1, said: expect.stringContaining('name of a target') });
  }
});
