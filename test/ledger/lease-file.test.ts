import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { fileLease } from '../../src/ledger/lease-file.ts';
import { describeLease, recordOf } from './lease-conformance.ts';

const root = await mkdtemp(join(tmpdir(), 'chatform-lease-'));
afterAll(() => rm(root, { recursive: true }));

let count = 0;
const newFolder = () => join(root, `place-${count++}`, 'deep');

describeLease('A file', async () => {
  const path = join(newFolder(), 'ledger.ndjson');
  return { open: () => fileLease(path) };
});

async function filled(files: { readonly [name: string]: string }) {
  const folder = newFolder();
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return { folder, lease: fileLease(join(folder, 'l.ndjson')) };
}

const text = (generation: number) => JSON.stringify({ v: 1, ...recordOf(generation) });

describe('a lease in files', () => {
  test('Each generation is a file beside the ledger, and only the newest three stay', async () => {
    const { folder, lease } = await filled({});
    for (let generation = 1; generation <= 12; generation += 1) await lease.replace(recordOf(generation));
    expect((await readdir(folder)).sort()).toEqual(['l.ndjson.lease.10', 'l.ndjson.lease.11', 'l.ndjson.lease.12']);
    expect(JSON.parse(await readFile(join(folder, 'l.ndjson.lease.12'), 'utf8'))).toEqual({ v: 1, ...recordOf(12) });
  });

  test('Looking creates nothing, and neither does asking for a generation that is not next', async () => {
    const folder = newFolder();
    const lease = fileLease(join(folder, 'l.ndjson'));
    expect([await lease.read(), await lease.replace(recordOf(2))]).toEqual([null, false]);
    await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('A draft that a crash left counts for nothing, and is cleaned up', async () => {
    const { folder, lease } = await filled({ 'l.ndjson.lease.1.6f.tmp': '{"v":1,"gen' });
    expect(await lease.read()).toBe(null);
    for (let generation = 1; generation <= 4; generation += 1) await lease.replace(recordOf(generation));
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('Files with other names are left alone', async () => {
    const others = [
      'l.ndjson',
      'l.ndjson.lease',
      'l.ndjson.lease.0',
      'l.ndjson.lease.07',
      'l.ndjson.lease.1.bak',
      'l.ndjson.leases.1',
      'x.lease.1',
    ];
    const { folder, lease } = await filled(Object.fromEntries(others.map((name) => [name, 'mine'])));
    expect(await lease.read()).toBe(null);
    for (let generation = 1; generation <= 9; generation += 1) await lease.replace(recordOf(generation));
    expect(await readdir(folder)).toEqual(expect.arrayContaining(others));
  });

  test('Two names of one ledger are one lease', async () => {
    const { folder, lease } = await filled({ 'l.ndjson': '' });
    await symlink(join(folder, 'l.ndjson'), join(folder, 'link.ndjson'));
    await symlink(folder, join(root, 'folder-link'));
    await lease.replace(recordOf(1));
    for (const path of [join(folder, 'link.ndjson'), join(root, 'folder-link', 'l.ndjson')])
      expect(await fileLease(path).read()).toEqual(recordOf(1));
  });

  test('The lease of a ledger that is a link stays where it is when the first append makes the ledger', async () => {
    const { folder } = await filled({ 'other.txt': '' });
    const elsewhere = join(newFolder(), '..');
    await mkdir(elsewhere, { recursive: true });
    await symlink(join(elsewhere, 'real.ndjson'), join(folder, 'link.ndjson'));
    const lease = fileLease(join(folder, 'link.ndjson'));
    await lease.replace(recordOf(1));
    await writeFile(join(elsewhere, 'real.ndjson'), '');
    expect(await lease.read()).toEqual(recordOf(1));
    expect(await fileLease(join(elsewhere, 'real.ndjson')).read()).toEqual(recordOf(1));
  });

  test('The lease of a link into no folder is refused', async () => {
    const { folder } = await filled({ 'other.txt': '' });
    await symlink(join(root, 'not-mounted', 'l.ndjson'), join(folder, 'link.ndjson'));
    await expect(fileLease(join(folder, 'link.ndjson')).replace(recordOf(1))).rejects.toThrow('does not exist: make');
  });

  test('A generation that could be made again because it was cleaned up is not kept', async () => {
    // Whoever was suspended saw generation 1 as the newest, and comes back when it is 9.
    const { folder, lease } = await filled({ 'l.ndjson.lease.9': text(9) });
    expect(await lease.replace(recordOf(2))).toBe(false);
    expect(await readdir(folder)).toEqual(['l.ndjson.lease.9']);
  });

  test.each([
    ['nothing', ''],
    ['half a record', text(1).slice(0, 80)],
    ['a list', '[]'],
    ['no holder', JSON.stringify({ v: 1, ...recordOf(1), holder: null })],
    ['a time that is none', JSON.stringify({ v: 1, ...recordOf(1), until: 'soon' })],
    ['no end', JSON.stringify({ v: 1, ...recordOf(1), until: undefined })],
  ])('A newest generation that holds %s is refused by its name', async (_, content) => {
    const { folder, lease } = await filled({ 'l.ndjson.lease.1': content });
    await expect(lease.read()).rejects.toThrow(UsageError);
    await expect(lease.read()).rejects.toThrow(join(folder, 'l.ndjson.lease.1'));
  });

  test('A newest generation that is no file is refused, and not read: a pipe or a device may never end', async () => {
    const { folder, lease } = await filled({});
    await symlink('/dev/zero', join(folder, 'l.ndjson.lease.1'));
    await expect(lease.read()).rejects.toThrow(/l\.ndjson\.lease\.1 is not a file: delete it/);
  });

  test('A lease of a newer format is refused', async () => {
    const { lease } = await filled({ 'l.ndjson.lease.1': '{"v":2}' });
    await expect(lease.read()).rejects.toThrow(/newer chatform/);
  });

  test('Members that only a newer chatform knows do no harm', async () => {
    const { lease } = await filled({ 'l.ndjson.lease.1': JSON.stringify({ v: 1, ...recordOf(1), queue: [] }) });
    expect(await lease.read()).toEqual(recordOf(1));
  });

  test('A place that cannot keep a lease is refused by its name', async () => {
    const { folder } = await filled({ file: '' });
    await expect(fileLease(join(folder, 'file', 'l.ndjson')).replace(recordOf(1))).rejects.toThrow(
      /^the lease of the ledger .*file.l\.ndjson cannot be written: ENOTDIR$/,
    );
  });

  test.skipIf(process.getuid?.() === 0)('A folder that may not be written to is refused', async () => {
    const { folder, lease } = await filled({});
    await chmod(folder, 0o500);
    await expect(lease.replace(recordOf(1))).rejects.toThrow(/cannot be written: EACCES$/);
    await chmod(folder, 0o700);
  });
});
