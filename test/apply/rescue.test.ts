import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { rescueFilesOf, rescueFor } from '../../src/target/secrets/rescue.ts';
import { bot } from '../target/secrets/conformance.ts';

const root = await mkdtemp(join(tmpdir(), 'chatform-rescue-'));
afterAll(() => rm(root, { recursive: true }));

let count = 0;
const newLedger = () => join(root, `case-${count++}`, 'x.ndjson');

test('Each rescue is a file of its own, for the owner alone, and all of them are found, oldest first', async () => {
  const ledger = newLedger();
  const paths: string[] = [];
  for (let index = 0; index < 11; index += 1) paths.push(await rescueFor(ledger).store([bot('a', `s${index}`)]));
  expect(paths[0]).toBe(`${ledger}.rescue.1`);
  expect((await stat(paths[10] ?? '')).mode & 0o777).toBe(0o600);
  expect(await rescueFilesOf(ledger)).toEqual(paths.map((path, index) => ({ path, entries: [bot('a', `s${index}`)] })));
});

test('Rescues that run together take different files', async () => {
  const ledger = newLedger();
  const paths = await Promise.all(['a', 'b', 'c', 'd'].map((key) => rescueFor(ledger).store([bot(key)])));
  expect(new Set(paths).size).toBe(4);
});

test('A file without a secret is none that waits', async () => {
  const ledger = newLedger();
  const path = await rescueFor(ledger).store([bot('a')]);
  for (const text of ['', '\n', '{}\n']) {
    await writeFile(path, text);
    expect(await rescueFilesOf(ledger)).toEqual([]);
  }
});

test('Only files of this ledger are looked at', async () => {
  const ledger = newLedger();
  await rescueFor(ledger).store([bot('a')]);
  for (const other of ['y.ndjson.rescue.1', 'x.ndjson.rescue.01', 'x.ndjson.rescue.', 'x.ndjson.lease.3'])
    await writeFile(join(ledger, '..', other), '');
  expect(await rescueFilesOf(ledger)).toHaveLength(1);
  expect(await rescueFilesOf(newLedger())).toEqual([]);
});

test('A file that was changed by hand is refused, and not quoted', async () => {
  const ledger = newLedger();
  const path = await rescueFor(ledger).store([bot('a')]);
  for (const text of ['hush', '{"bot/a":{"id":{},"secret":"hush"}}', '{"bot/a":"hush"}', '{"bot/a":{"id":"x"}}']) {
    await writeFile(path, text);
    const error = await rescueFilesOf(ledger).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain(path);
    expect(String(error)).not.toContain('hush');
  }
});

test('Where no file can be made it says so, without the secret', async () => {
  const file = join(root, 'file');
  await writeFile(file, '');
  const error = await rescueFor(join(file, 'x.ndjson'))
    .store([bot('a', 'hush')])
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toMatch(/rescue file of .* cannot be written: E/);
  expect(String(error)).not.toContain('hush');
});

test('What cannot be read has a reason, and no rescue is overwritten', async () => {
  const ledger = newLedger();
  await mkdir(`${ledger}.rescue.1`, { recursive: true });
  await expect(rescueFilesOf(ledger)).rejects.toThrow('is not a file');
  expect(await rescueFor(ledger).store([bot('a')])).toBe(`${ledger}.rescue.2`);
  expect((await readdir(join(ledger, '..'))).sort()).toEqual(['x.ndjson.rescue.1', 'x.ndjson.rescue.2']);
  expect(await readFile(`${ledger}.rescue.2`, 'utf8')).toContain('secret-of-a');
});
