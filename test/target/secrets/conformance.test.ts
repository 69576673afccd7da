// Every sink against the suite, on a disk that fails when it is told to.

import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { commandSink } from '../../../src/target/secrets/command.ts';
import { envFileSink } from '../../../src/target/secrets/env-file.ts';
import { fileSink } from '../../../src/target/secrets/file.ts';
import { bot, describeSink, type Kept, type Place } from './conformance.ts';

const disk = vi.hoisted(() => ({ full: false, done: [] as string[] }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    open: async (...args: Parameters<typeof real.open>) => {
      const handle = await real.open(...args);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        disk.done.push('sync');
        await sync();
      };
      return handle;
    },
    rename: async (from: string, to: string) => {
      if (disk.full) throw Object.assign(new Error('ENOSPC: hush-hush'), { code: 'ENOSPC' });
      disk.done.push('rename');
      await real.rename(from, to);
    },
  };
});

const root = await mkdtemp(join(tmpdir(), 'chatform-sinks-'));
afterAll(() => rm(root, { recursive: true }));
beforeEach(() => {
  disk.full = false;
});

let count = 0;
const newPath = () => join(root, `place-${count++}`);
const read = (path: string) => readFile(path, 'utf8').catch(() => '');

function failDisk(): () => void {
  disk.full = true;
  return () => {
    disk.full = false;
  };
}

describeSink('A file', async (): Promise<Place> => {
  const path = newPath();
  return {
    open: () => fileSink(path),
    kept: async () => JSON.parse((await read(path)) || '{}'),
    fail: failDisk,
  };
});

describeSink('An env file', async (): Promise<Place> => {
  const path = newPath();
  const kept = async (): Promise<Kept> =>
    Object.fromEntries(
      Array.from((await read(path)).matchAll(/^# chatform (.+)\n\w+=(.+)$/gm), ([, mark = '', secret]) => {
        const { address, id } = JSON.parse(mark);
        return [address, { id, secret }];
      }),
    );
  return { open: () => envFileSink(path), kept, fail: failDisk };
});

/** Adds what it is told as one line, or repeats it as its errors and gives up half-way. */
const PROGRAM = `#!/bin/sh
if [ -e "$1.fail" ]; then head -c 60 >&2; exit 7; fi
cat >> "$1"
`;

describeSink('A command', async (): Promise<Place> => {
  const path = newPath();
  const program = `${path}.sh`;
  await writeFile(program, PROGRAM, { mode: 0o755 });
  const kept = async (): Promise<Kept> =>
    Object.fromEntries(
      (await read(path))
        .split('\n')
        .flatMap((line) => (line === '' ? [] : JSON.parse(line).secrets))
        .map(({ address, id, secret }) => [address, { id, secret }]),
    );
  const command = { argv: [program, path], folder: root, env: { PATH: process.env['PATH'] } } as const;
  return {
    open: () => commandSink(command),
    kept,
    fail: () => {
      writeFileSync(`${path}.fail`, '');
      return () => rmSync(`${path}.fail`);
    },
  };
});

test.each([
  ['A file', fileSink],
  ['An env file', envFileSink],
])('%s is on the disk, and so is its name, before a store resolves', async (_, sinkOf) => {
  const path = newPath();
  await sinkOf(path).store([bot('a')]);
  disk.done.length = 0;
  await sinkOf(path).store([bot('b')]);
  expect(disk.done).toEqual(['sync', 'rename', 'sync']);
});
