import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { fileSink } from '../../../src/target/secrets/file.ts';
import { bot } from './conformance.ts';

const root = await mkdtemp(join(tmpdir(), 'chatform-secrets-'));
afterAll(() => rm(root, { recursive: true }));

let count = 0;
const newPath = () => join(root, `case-${count++}`, 'kept', 'secrets.json');

async function pathHolding(content: string, mode = 0o600): Promise<string> {
  const path = newPath();
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
const heldBy = async (path: string) => JSON.parse(await readFile(path, 'utf8'));

describe('the file of secrets', () => {
  test('Secrets are kept by address, for the owner alone, in a folder for the owner alone', async () => {
    const path = newPath();
    await fileSink(path).store([bot('b'), bot('a')]);
    expect(await readFile(path, 'utf8')).toBe(
      `${JSON.stringify({ 'bot/a': { id: 'id-a', secret: 'secret-of-a' }, 'bot/b': { id: 'id-b', secret: 'secret-of-b' } }, null, 2)}\n`,
    );
    expect(await modeOf(path)).toBe(0o600);
    expect(await modeOf(dirname(path))).toBe(0o700);
  });

  test('An empty file that someone made in advance holds nothing', async () => {
    const path = await pathHolding('\n');
    await fileSink(path).probe([]);
    await fileSink(path).store([bot('a')]);
    expect(Object.keys(await heldBy(path))).toEqual(['bot/a']);
  });

  test('A file that others could read is closed to them', async () => {
    const path = await pathHolding('{}', 0o644);
    await fileSink(path).store([bot('a')]);
    expect(await modeOf(path)).toBe(0o600);
  });

  test('The rights do not depend on the umask of the process', async () => {
    const path = newPath();
    await mkdir(dirname(path), { recursive: true });
    const before = process.umask(0o777);
    try {
      await fileSink(path).store([bot('a')]);
    } finally {
      process.umask(before);
    }
    expect(await modeOf(path)).toBe(0o600);
  });

  test('Probing leaves a file as it is, and storing nothing makes none', async () => {
    const path = newPath();
    await fileSink(path).store([]);
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
    const held = await pathHolding('{ "bot/x": { "id": "x", "secret": "s" } }');
    await fileSink(held).probe([]);
    expect(await readFile(held, 'utf8')).toBe('{ "bot/x": { "id": "x", "secret": "s" } }');
  });

  test.each(['null', '[]', '{"bot/x":{"secret":"hush-hush"', 'secret: hush-hush', '\u00ff'])(
    'A file that holds %j is left alone, and its text is in no message',
    async (content) => {
      const path = await pathHolding('');
      await writeFile(path, content, 'latin1');
      const sink = fileSink(path);
      for (const act of [() => sink.probe([]), () => sink.store([bot('a', 'hush-hush')])]) {
        const error = await act().catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(UsageError);
        expect(String(error)).not.toContain('hush');
      }
      expect(await readFile(path, 'latin1')).toBe(content);
      expect(await readdir(dirname(path))).toEqual(['secrets.json']);
    },
  );

  test('A token replaces no secret of another object of its address, such as that of another license', async () => {
    const path = await pathHolding('{"bot/a":{"id":"id-a","secret":"hush-hush"}}');
    const before = await readFile(path, 'utf8');
    const { probeToken, storeToken } = fileSink(path);
    const other = { address: 'bot/a', id: 'id-b' } as const;
    const refused = /keeps the secret of another bot\/a, with the id "id-a": /;
    await expect(probeToken(other)).rejects.toThrow(refused);
    await expect(storeToken({ ...other, token: 'dal:1', until: '2026-01-06T09:00:00.000Z' })).rejects.toThrow(refused);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  test('Nothing but the file is left in the folder', async () => {
    const path = newPath();
    await fileSink(path).probe([]);
    expect(await readdir(dirname(path))).toEqual([]);
    await fileSink(path).store([bot('a')]);
    await fileSink(path).probe([]);
    expect(await readdir(dirname(path))).toEqual(['secrets.json']);
  });
});
