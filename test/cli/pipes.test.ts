// Files that are pipes: a signal ends the reading of each, and only what a pipe is for reads it.

import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, folder, spawned } from './chatform.ts';

const MANIFEST = 'version: 1\ngroups: { s: { name: S } }\n';

async function withPipe(files: { readonly [name: string]: string } = {}): Promise<string> {
  const cwd = await folder(files);
  execFileSync('mkfifo', [join(cwd, 'pipe.yaml')]);
  return cwd;
}

test.each([
  'emulate --port 0 --seed pipe.yaml',
  'emulate --port 0 --settings pipe.yaml',
  'emulate --port 0 --faults pipe.yaml',
  'emulate --port 0 --traffic pipe.yaml',
  'ci comment --no-post --plan pipe.yaml',
])('130: a signal ends what waits for a pipe: %s', async (args) => {
  const stop = new AbortController();
  setImmediate(() => stop.abort());
  const ran = await chatform(args.split(' '), { cwd: await withPipe(), stop });
  expect(ran.stderr).toContain('interrupted while pipe.yaml was read; nothing was changed');
  expect(ran.code).toBe(130);
});

test('A manifest from a pipe is planned, also where its report is replaced', async () => {
  const cwd = await withPipe({ 'manifest.yaml': MANIFEST });
  const plan = ['plan', '--base-url', 'emulator:license.json', '--report', 'html=plan.html', '-f'];
  expect(await chatform([...plan, 'manifest.yaml'], { cwd })).toMatchObject({ code: 0 });
  spawn('sh', ['-c', 'cat manifest.yaml > pipe.yaml'], { cwd });
  const ran = await spawned([...plan, 'pipe.yaml'], { cwd });
  expect(ran.stdout).toContain('Plan: 1 to add, 0 to change, 0 to destroy');
});
