// Whether two paths are one file: by links, `..`, hard links and missing parts, and never by their spelling.

import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { fileKey } from '../../src/base/disk.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chatform-Key-'));
  await mkdir(join(folder, 'a/b'), { recursive: true });
  await writeFile(join(folder, 'a/there'), 'x');
  await link(join(folder, 'a/there'), join(folder, 'a/hard'));
  await symlink('a', join(folder, 'to-a'));
  await symlink('a/b', join(folder, 'to-b'));
  await symlink('to-a/there', join(folder, 'to-there'));
  await symlink('a/later', join(folder, 'to-later'));
  await symlink('nowhere/x', join(folder, 'to-nowhere'));
  await symlink('circle', join(folder, 'circle'));
  return () => rm(folder, { recursive: true, force: true });
});

const key = (path: string): string => fileKey(`${folder}/${path}`);

test.each([
  ['a/there', './a//b/../there'],
  ['a/there', 'to-a/there'],
  ['a/there', 'to-there'],
  ['a/there', 'a/hard'],
  // The folder above the one that the link leads to.
  ['a/there', 'to-b/../there'],
  ['a/later', 'to-a/later'],
  ['a/later', 'to-later'],
  ['a/later', 'to-b/../later'],
  ['a/no/x', 'to-a/no/../no/./x'],
  ['nowhere/x', 'to-nowhere'],
  ['circle', './circle'],
])('%s is %s', (one, other) => {
  expect(key(one)).toBe(key(other));
  expect(fileKey(relative(process.cwd(), join(folder, one)))).toBe(key(one));
});

test('others are others, also where capitals are all that differs', () => {
  const paths = ['a', 'a/b', 'a/there', 'a/later', 'a/later/x', 'b/later', 'circle', 'a/LATER'];
  expect(new Set(paths.map(key)).size).toBe(paths.length);
});
