// What both sinks that are files do about the place they are given.

import { writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { envFileSink } from '../../../src/target/secrets/env-file.ts';
import { fileSink } from '../../../src/target/secrets/file.ts';
import { privateFile } from '../../../src/target/secrets/private-file.ts';
import { bot } from './conformance.ts';

const root = await mkdtemp(join(tmpdir(), 'chatform-private-'));
afterAll(() => rm(root, { recursive: true }));

let count = 0;
const newPath = () => join(root, `case-${count++}`, 'kept', 'secrets');
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

async function pathHolding(content: string, mode = 0o600): Promise<string> {
  const path = newPath();
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

describe.each([
  ['a JSON file', fileSink],
  ['an env file', envFileSink],
])('%s', (_, sinkOf) => {
  test('It is for the owner alone, in a folder for the owner alone', async () => {
    const path = newPath();
    await sinkOf(path).store([bot('a')]);
    expect([await modeOf(path), await modeOf(dirname(path))]).toEqual([0o600, 0o700]);
  });

  test('A file that others could read is closed to them', async () => {
    const path = await pathHolding('', 0o644);
    await sinkOf(path).store([bot('a')]);
    expect(await modeOf(path)).toBe(0o600);
  });

  test('The rights do not depend on the umask of the process', async () => {
    const path = newPath();
    await mkdir(dirname(path), { recursive: true });
    const before = process.umask(0o777);
    try {
      await sinkOf(path).store([bot('a')]);
    } finally {
      process.umask(before);
    }
    expect(await modeOf(path)).toBe(0o600);
  });

  test('Nothing but the file is left in the folder', async () => {
    const path = newPath();
    await sinkOf(path).probe([]);
    expect(await readdir(dirname(path))).toEqual([]);
    await sinkOf(path).store([bot('a')]);
    await sinkOf(path).probe([]);
    expect(await readdir(dirname(path))).toEqual(['secrets']);
  });

  test('Two names of one file are one file', async () => {
    const path = newPath();
    const sinks = [sinkOf(path), sinkOf(join(dirname(path), '.', 'secrets'))];
    const keys = Array.from({ length: 10 }, (_, index) => `k${index}`);
    await Promise.all(keys.map((key, index) => sinks[index % 2]?.store([bot(key)])));
    const text = await readFile(path, 'utf8');
    expect(keys.filter((key) => !text.includes(`secret-of-${key}`))).toEqual([]);
  });

  const acts = {
    probe: (path: string) => sinkOf(path).probe([]),
    store: (path: string) => sinkOf(path).store([bot('a', 'hush-hush')]),
  };

  describe.each(['probe', 'store'] as const)('%s', (act) => {
    test('A symbolic link is refused, and what it points to is not touched', async () => {
      const target = await pathHolding('');
      const path = join(dirname(target), 'link');
      await symlink(target, path);
      await expect(acts[act](path)).rejects.toThrow(UsageError);
      expect((await lstat(path)).isSymbolicLink()).toBe(true);
      expect(await readFile(target, 'utf8')).toBe('');
    });

    test('A link that points nowhere is refused too', async () => {
      const path = join(root, `dangling-${count++}`);
      await symlink(join(root, 'nowhere'), path);
      await expect(acts[act](path)).rejects.toThrow(UsageError);
    });

    test('A folder in the place of the file is refused', async () => {
      await expect(acts[act](root)).rejects.toThrow(UsageError);
      await expect(acts[act](root)).rejects.toThrow(root);
    });

    test.runIf(process.platform === 'linux')(
      'A folder that the system refuses to make is refused at once',
      async () => {
        await expect(acts[act]('/proc/nowhere/secrets')).rejects.toThrow('cannot be written: ENOENT');
      },
    );

    test('A folder that is a link to nowhere is refused at once', async () => {
      const link = join(root, `nowhere-${count++}`);
      await symlink(join(root, 'nothing', 'there'), link);
      await expect(acts[act](join(link, 'deep', 'secrets'))).rejects.toThrow(UsageError);
    });

    test('A path below a file is refused', async () => {
      const file = await pathHolding('');
      await expect(acts[act](join(file, 'secrets'))).rejects.toThrow(UsageError);
    });
  });
});

test('What another process wrote meanwhile is not overwritten, but changed in its turn', async () => {
  const path = await pathHolding('mine');
  let calls = 0;
  const file = privateFile(path, 'the file');
  await file.change((text) => {
    calls += 1;
    // As another process would, which knows nothing of our queue.
    if (calls === 1) writeFileSync(path, 'theirs');
    return `${text} and more`;
  });
  expect(await readFile(path, 'utf8')).toBe('theirs and more');
  const never = file.change((text) => {
    writeFileSync(path, `${text}+`);
    return text;
  });
  await expect(never).rejects.toThrow('by another process');
  expect(await readdir(dirname(path))).toEqual(['secrets']);
});
