import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileSink, type StoredSecret } from '../../src/apply/secrets.ts';
import { UsageError } from '../../src/errors.ts';

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

const bot = (key: string, secret = `secret-of-${key}`): StoredSecret => ({
  address: `bot/${key}`,
  id: `id-${key}`,
  secret,
});
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

  test('What the file already holds stays, and an address that comes again has its newest secret', async () => {
    const path = newPath();
    await fileSink(path).store([bot('a'), bot('b')]);
    await fileSink(path).store([bot('b', 'newer'), bot('c')]);
    expect(await heldBy(path)).toEqual({
      'bot/a': { id: 'id-a', secret: 'secret-of-a' },
      'bot/b': { id: 'id-b', secret: 'newer' },
      'bot/c': { id: 'id-c', secret: 'secret-of-c' },
    });
  });

  test('An empty file that someone made in advance holds nothing', async () => {
    const path = await pathHolding('\n');
    await fileSink(path).probe();
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

  test('Stores that run together, from one sink or from two, lose nothing', async () => {
    const path = newPath();
    const sinks = [fileSink(path), fileSink(join(dirname(path), '.', 'secrets.json'))];
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    await Promise.all(keys.map((key, index) => sinks[index % 2]?.store([bot(key)])));
    expect(Object.keys(await heldBy(path)).sort()).toEqual(keys.map((key) => `bot/${key}`).sort());
  });

  test('Nothing but the file is left in the folder', async () => {
    const path = newPath();
    await fileSink(path).probe();
    expect(await readdir(dirname(path))).toEqual([]);
    await fileSink(path).store([bot('a')]);
    await fileSink(path).probe();
    expect(await readdir(dirname(path))).toEqual(['secrets.json']);
  });

  test('Storing nothing and probing leave the file as it is', async () => {
    const path = newPath();
    await fileSink(path).store([]);
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
    const held = await pathHolding('{ "bot/x": { "id": "x", "secret": "s" } }');
    await fileSink(held).probe();
    expect(await readFile(held, 'utf8')).toBe('{ "bot/x": { "id": "x", "secret": "s" } }');
  });

  const acts = {
    probe: (path: string) => fileSink(path).probe(),
    store: (path: string) => fileSink(path).store([bot('a', 'hush-hush')]),
  };

  describe.each(['probe', 'store'] as const)('%s', (act) => {
    test('A symbolic link is refused, and what it points to is not touched', async () => {
      const target = await pathHolding('{}');
      const path = join(dirname(target), 'link.json');
      await symlink(target, path);
      await expect(acts[act](path)).rejects.toThrow(UsageError);
      expect((await lstat(path)).isSymbolicLink()).toBe(true);
      expect(await readFile(target, 'utf8')).toBe('{}');
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
        await expect(acts[act]('/proc/nowhere/secrets.json')).rejects.toThrow('cannot be written: ENOENT');
      },
    );

    test('A folder that is a link to nowhere is refused at once', async () => {
      const link = join(root, `nowhere-${count++}`);
      await symlink(join(root, 'nothing', 'there'), link);
      await expect(acts[act](join(link, 'deep', 'secrets.json'))).rejects.toThrow(UsageError);
    });

    test('A path below a file is refused', async () => {
      const file = await pathHolding('{}');
      await expect(acts[act](join(file, 'secrets.json'))).rejects.toThrow(UsageError);
    });

    test.each(['null', '[]', '{"bot/x":{"secret":"hush-hush"', 'secret: hush-hush'])(
      'A file that holds %j is left alone, and its text is in no message',
      async (content) => {
        const path = await pathHolding(content);
        const error = await acts[act](path).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(UsageError);
        expect(String(error)).not.toContain('hush');
        expect(await readFile(path, 'utf8')).toBe(content);
        expect(await readdir(dirname(path))).toEqual(['secrets.json']);
      },
    );
  });

  test('A store that failed does not stop the next one', async () => {
    const path = await pathHolding('broken');
    const sink = fileSink(path);
    await expect(sink.store([bot('a')])).rejects.toThrow(UsageError);
    await rm(path);
    await sink.store([bot('b')]);
    expect(Object.keys(await heldBy(path))).toEqual(['bot/b']);
  });
});
