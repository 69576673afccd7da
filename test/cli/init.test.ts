// `chatform init`: a project that works, beside whatever is there already.

import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, filesIn, folder } from './chatform.ts';

test('A first project validates, applies to its emulator, and is then as it says', async () => {
  const cwd = await folder();
  const made = await chatform(['init'], { cwd });
  expect([made.code, made.stderr]).toEqual([0, '']);
  expect(Object.keys(await filesIn(cwd))).toEqual(['.gitignore', 'chatform.yaml', 'manifest.yaml']);
  expect(await chatform(['validate'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
  const again = await chatform(['plan', '--detailed-exitcode'], { cwd });
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('No changes.')]);
});

test('What a plan and an apply leave on the emulator are kept out of version control', async () => {
  const cwd = await folder();
  await chatform(['init'], { cwd });
  const before = Object.keys(await filesIn(cwd));
  await chatform(['plan', '--out', 'plan.json', '-q'], { cwd });
  await chatform(['apply', '--yes', '-q'], { cwd });
  const { '.gitignore': ignored, ...files } = await filesIn(cwd);
  const appeared = Object.keys(files).filter((name) => !before.includes(name));
  expect(appeared.length).toBeGreaterThan(0);
  const patterns = (ignored?.trimEnd().split('\n') ?? []).map(
    (line) => new RegExp(`^${line.replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
  );
  expect(appeared.filter((name) => !patterns.some((pattern) => pattern.test(name)))).toEqual([]);
});

test('It overwrites nothing, and adds to .gitignore what is missing', async () => {
  const mine = {
    'manifest.yaml': 'mine',
    'chatform.yaml': 'mine too',
    '.gitignore': 'node_modules/\n.chatform/sandbox.json',
  };
  const cwd = await folder(mine);
  const { code, stdout } = await chatform(['init'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^kept +chatform\.yaml$/m);
  expect(stdout).toMatch(/^extended +\.gitignore$/m);
  const { '.gitignore': ignored, ...files } = await filesIn(cwd);
  expect(files).toEqual({ 'manifest.yaml': 'mine', 'chatform.yaml': 'mine too' });
  const lines = ignored?.trimEnd().split('\n') ?? [];
  expect(lines.slice(0, 2)).toEqual(['node_modules/', '.chatform/sandbox.json']);
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines).toEqual(expect.arrayContaining(['.chatform/*.secrets.*', '*.rescue.*']));
  await chatform(['init'], { cwd });
  expect((await filesIn(cwd))['.gitignore']).toBe(ignored);
});

test('Every byte of .gitignore stays, whatever its encoding is', async () => {
  const cwd = await folder();
  const mine = Buffer.from('caf\u00e9/\r\n!.env\r\n', 'latin1');
  await writeFile(join(cwd, '.gitignore'), mine);
  await chatform(['init'], { cwd });
  const now = await readFile(join(cwd, '.gitignore'));
  expect([now.subarray(0, mine.length), now.length > mine.length]).toEqual([mine, true]);
});

test('A .gitignore that is a link is refused: git does not follow it, and its file may be outside of the project', async () => {
  const outside = await folder({ profile: 'mine\n' });
  const cwd = await folder();
  await symlink(join(outside, 'profile'), join(cwd, '.gitignore'));
  const { code, stderr } = await chatform(['init'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: \.gitignore is a symbolic link, .*: replace it /)]);
  expect(await filesIn(outside)).toEqual({ profile: 'mine\n' });
  await expect(readFile(join(cwd, 'chatform.yaml'))).rejects.toThrow('ENOENT');
});
