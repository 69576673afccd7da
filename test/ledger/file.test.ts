import { appendFileSync } from 'node:fs';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { fileLedger } from '../../src/ledger/file.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { writeEvent } from '../../src/ledger/lines.ts';
import { inspect } from '../../src/ledger/repair.ts';
import { tries } from '../tries.ts';
import { AT, anyEvent, describeLedger, forgotten, intent } from './conformance.ts';

const root = await mkdtemp(join(tmpdir(), 'chatform-ledger-'));
afterAll(() => rm(root, { recursive: true }));

let count = 0;
const newPath = () => join(root, `place-${count++}`, 'deep', 'ledger.ndjson');

async function logOf(content: string | Buffer) {
  const path = join(root, `log-${count++}.ndjson`);
  await writeFile(path, content);
  return { path, ledger: fileLedger(path) };
}

const line = (key: string) => `${JSON.stringify(forgotten(key))}\n`;

describeLedger('A file', async () => {
  const path = newPath();
  return { open: () => fileLedger(path) };
});

describe('a log in a file', () => {
  test('Each event is one line of JSON, in folders that are created', async () => {
    const path = newPath();
    await fileLedger(path).append([forgotten('a'), forgotten('line\nbreak')]);
    const lines = (await readFile(path, 'utf8')).split('\n');
    expect(lines.map((each) => (each === '' ? null : JSON.parse(each)))).toEqual([
      forgotten('a'),
      forgotten('line\nbreak'),
      null,
    ]);
  });

  test.runIf(process.platform === 'linux')('A folder that the system refuses to make is refused at once', async () => {
    await expect(fileLedger('/proc/nowhere/ledger.ndjson').append([forgotten('a')])).rejects.toThrow(
      'the ledger /proc/nowhere/ledger.ndjson cannot be written: ENOENT',
    );
  });

  test('A folder that is a link to nowhere is refused at once', async () => {
    const alias = join(root, `nowhere-${count++}`);
    await symlink(join(root, 'nothing', 'there'), alias);
    await expect(fileLedger(join(alias, 'deep', 'ledger.ndjson')).append([forgotten('a')])).rejects.toThrow(UsageError);
  });

  test('A ledger that is a link to a file that is not made yet is made there, and the link stays', async () => {
    const path = newPath();
    const file = join(root, `elsewhere-${count++}.ndjson`);
    await mkdir(dirname(path), { recursive: true });
    await symlink(join('..', '..', basename(file)), path);
    expect(await fileLedger(path).read()).toEqual([]);
    await fileLedger(path).append([forgotten('a')]);
    expect(await readFile(file, 'utf8')).toBe(line('a'));
    expect(await readlink(path)).toBe(join('..', '..', basename(file)));
  });

  test('A ledger that is a link into no folder is refused, also for a reading: its disk may not be mounted', async () => {
    const path = join(root, `unmounted-${count++}.ndjson`);
    await symlink(join(root, 'not-mounted', 'ledger.ndjson'), path);
    const message =
      /is a link to .*not-mounted.ledger\.ndjson, and its folder does not exist: make the folder, or mount/;
    await expect(fileLedger(path).read()).rejects.toThrow(message);
    await expect(fileLedger(path).append([forgotten('a')])).rejects.toThrow(message);
  });

  test('A ledger with two hard links is read, and refused before anything is written', async () => {
    const { path } = await logOf(line('a') + line('b'));
    await link(path, `${path}.other`);
    const ledger = fileLedger(path);
    expect(await ledger.read()).toHaveLength(2);
    await expect(ledger.append([forgotten('c')])).rejects.toThrow('2 names (hard links)');
    await expect(ledger.rewrite((events) => events.slice(1))).rejects.toThrow('mount its folder and not the file');
    expect(await readFile(path, 'utf8')).toBe(line('a') + line('b'));
  });

  test('A hard link that is made while a run writes does not keep it from writing what it did', async () => {
    const { path, ledger } = await logOf(line('a'));
    await ledger.append([forgotten('b')]);
    await link(path, `${path}.backup`);
    await ledger.append([forgotten('c')]);
    expect(await ledger.read()).toHaveLength(3);
  });

  test('Of appends that run together and fail each one says so, and the next is tried anew', async () => {
    const path = newPath();
    await mkdir(path, { recursive: true });
    const ledger = fileLedger(path);
    const ends = await Promise.allSettled(['a', 'b', 'c'].map((key) => ledger.append([forgotten(key)])));
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await rm(path, { recursive: true });
    await ledger.append([forgotten('d')]);
    expect(await ledger.read()).toEqual([forgotten('d')]);
  });

  test('What is no file is not read: a device may never end', async () => {
    await expect(fileLedger('/dev/null').read()).rejects.toThrow('the ledger /dev/null is not a file');
    await expect(fileLedger(root).read()).rejects.toThrow(`the ledger ${root} is not a file`);
  });

  test('Reading creates nothing, and neither does appending no events', async () => {
    const path = newPath();
    await fileLedger(path).read();
    await fileLedger(path).append([]);
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('Wherever a crash cut the last line, the events before it stand and the next append follows them', async () => {
    const whole = Buffer.from(line('a') + line('zoë 🌻'));
    const first = Buffer.byteLength(line('a'));
    for (let length = first; length < whole.length - 1; length += 1) {
      const { path, ledger } = await logOf(whole.subarray(0, length));
      expect(await ledger.read()).toEqual([forgotten('a')]);
      await ledger.append([forgotten('b')]);
      expect(await readFile(path, 'utf8')).toBe(line('a') + line('b'));
    }
  });

  test('Any beginning of the bytes of a log reads as a beginning of its events, and takes the next one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { minLength: 1, maxLength: 4 }), fc.nat(), async (events, cut) => {
        const whole = Buffer.from(events.map((event) => `${writeEvent(event)}\n`).join(''));
        const { ledger } = await logOf(whole.subarray(0, cut % whole.length));
        const read = await ledger.read();
        expect(read).toEqual(events.slice(0, read.length));
        const ends =
          whole
            .subarray(0, (cut % whole.length) + 1)
            .toString('latin1')
            .split('\n').length - 1;
        expect(read.length).toBe(ends);
        await ledger.append([forgotten('b')]);
        expect(await ledger.read()).toEqual([...read, forgotten('b')]);
      }),
      { numRuns: tries(60) },
    );
  });

  test('Every damaged line is refused in one go', async () => {
    const { path, ledger } = await logOf(`${line('a')}{\n${line('b')}7\n${line('c')}`);
    const lines = [2, 4].map((number) => ({ place: { file: path, line: number } }));
    await expect(ledger.read()).rejects.toMatchObject({ diagnostics: lines });
  });

  test('Bytes that are no text are damage: nobody knows what they stood for', async () => {
    const bytes = Buffer.from(line('zoe') + line('b'));
    bytes[bytes.indexOf('zoe') + 1] = 0xff;
    const { path, ledger } = await logOf(bytes);
    await expect(ledger.read()).rejects.toThrow(`${path}:1`);
  });

  test('A log that is rewritten keeps its permissions, and a link to it stays a link', async () => {
    const { path } = await logOf(line('a') + line('b'));
    await chmod(path, 0o666);
    const alias = `${path}.link`;
    await symlink(path, alias);
    await fileLedger(alias).rewrite((events) => events.slice(1));
    expect(await readlink(alias)).toBe(path);
    expect(await readFile(path, 'utf8')).toBe(line('b'));
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o666);
  });

  test('What somebody else wrote during a rewriting is not lost: the rewriting is, and leaves nothing behind', async () => {
    const { path, ledger } = await logOf(line('a'));
    const late = ledger.rewrite(() => {
      appendFileSync(path, line('theirs'));
      return [];
    });
    await expect(late).rejects.toThrow('written by another program');
    expect(await readFile(path, 'utf8')).toBe(line('a') + line('theirs'));
    expect((await readdir(root)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('A log that is nothing but a torn line starts anew', async () => {
    const { path, ledger } = await logOf('{"v":1,"at":"20');
    expect(await ledger.read()).toEqual([]);
    await ledger.append([forgotten('b')]);
    expect(await readFile(path, 'utf8')).toBe(line('b'));
  });

  test.each([
    ['a key', 'sk-live-0123456789'],
    ['a key of several lines', '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n'],
    ['a number', '12345'],
    ['the beginning of another object', '{ "name": "chat'],
    ['zeros', '\0\0\0\0'],
    ['no text', Buffer.from([0xff, 0xfe, 0x00])],
  ])('A file that holds %s is no log: it stays unchanged, and no error quotes it', async (_, content) => {
    const { path, ledger } = await logOf(content);
    const error = await ledger.read().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toBe(
      `${path} is no ledger of chatform, and stays unchanged: name another file as the ledger`,
    );
    expect((error as UsageError).diagnostics).toEqual([]);
    await expect(ledger.rewrite(() => [])).rejects.toThrow('no ledger of chatform');
    await expect(inspect(path)).rejects.toThrow('no ledger of chatform');
    expect(await readFile(path)).toEqual(Buffer.from(content));
  });

  test('A last line that is no beginning of an event is never cut off, also where it came after the reading', async () => {
    const { path, ledger } = await logOf(line('a'));
    await ledger.read();
    appendFileSync(path, 'sk-live-0123456789');
    await expect(ledger.append([forgotten('b')])).rejects.toThrow('no ledger of chatform');
    await expect(ledger.read()).rejects.toThrow(`${path}:2`);
    expect(await readFile(path, 'utf8')).toBe(`${line('a')}sk-live-0123456789`);
  });

  test('A last line that lacks only its end counts, and gets its end', async () => {
    const { path, ledger } = await logOf(line('a') + line('b').trimEnd());
    expect(await ledger.read()).toEqual([forgotten('a'), forgotten('b')]);
    await ledger.append([forgotten('c')]);
    expect(await readFile(path, 'utf8')).toBe(line('a') + line('b') + line('c'));
  });

  test('A last line that somebody tears in place between two appends is cut off, and no new line sticks to it', async () => {
    const { path, ledger } = await logOf(line('a'));
    await ledger.append([forgotten('b')]);
    await writeFile(path, (line('a') + line('b')).replace(/}\n$/, '  '));
    await utimes(path, 1, 1);
    await ledger.append([forgotten('c')]);
    expect(await readFile(path, 'utf8')).toBe(line('a') + line('c'));
  });

  test('Blocks of zeros that a power failure left at the end are cut off', async () => {
    const { path, ledger } = await logOf(Buffer.concat([Buffer.from(line('a')), Buffer.alloc(512)]));
    expect(await ledger.read()).toEqual([forgotten('a')]);
    await ledger.append([forgotten('b')]);
    expect(await readFile(path, 'utf8')).toBe(line('a') + line('b'));
  });

  test('Line ends of Windows and empty lines are read past', async () => {
    const { ledger } = await logOf(`${line('a').trimEnd()}\r\n\r\n${line('b')}`);
    expect(await ledger.read()).toEqual([forgotten('a'), forgotten('b')]);
  });

  const damaged: readonly (readonly [string, string])[] = [
    ['half a line', '{"v":1,"at'],
    ['a mark of a merge', '<<<<<<< HEAD'],
    ['not an object', '7'],
    ['no version', JSON.stringify({ ...forgotten('x'), v: undefined })],
    ['version zero', JSON.stringify({ ...forgotten('x'), v: 0 })],
    ['no time', JSON.stringify({ ...forgotten('x'), at: 'today' })],
    ['no type', JSON.stringify({ v: 1, at: AT })],
    ['no address', JSON.stringify({ v: 1, at: AT, run: 'r', type: 'forgotten' })],
    ['an address without a key', JSON.stringify({ v: 1, at: AT, run: 'r', type: 'forgotten', address: 'agent/' })],
    ['no id', JSON.stringify({ v: 1, at: AT, run: 'r', type: 'bound', address: 'agent/a', origin: 'created' })],
    [
      'no origin',
      JSON.stringify({ v: 1, at: AT, run: 'r', type: 'bound', address: 'agent/a', id: 1, origin: 'toString' }),
    ],
    [
      'a spec that is a list',
      JSON.stringify({ v: 1, at: AT, run: 'r', type: 'applied', address: 'agent/a', spec: [], digests: {} }),
    ],
    [
      'a digest that is a number',
      JSON.stringify({ v: 1, at: AT, run: 'r', type: 'applied', address: 'agent/a', spec: {}, digests: { a: 1 } }),
    ],
    ['a move to nowhere', JSON.stringify({ v: 1, at: AT, run: 'r', type: 'moved', from: 'agent/a' })],
    ['a move to another kind', JSON.stringify({ v: 1, at: AT, run: 'r', type: 'moved', from: 'agent/a', to: 'bot/a' })],
    ['an intent of another kind', JSON.stringify({ ...intent('group/a', 'i'), kind: 'bot' })],
    ['an intent without an id', JSON.stringify({ ...intent('group/a', 'i'), id: '' })],
    ['an intent that saw no list', JSON.stringify({ ...intent('group/a', 'i'), seen: {} })],
    ['an end of no intent', JSON.stringify({ v: 1, at: AT, run: 'r', type: 'done', outcome: 'refused' })],
    [
      'a creation without an id',
      JSON.stringify({ v: 1, at: AT, run: 'r', type: 'done', intent: 'i', outcome: 'created' }),
    ],
    ['an event without a run', JSON.stringify({ v: 1, at: AT, type: 'forgotten', address: 'agent/a' })],
    ['a run without a command', JSON.stringify({ v: 1, at: AT, run: 'r', type: 'run', outcome: 'done' })],
  ];
  test.each(damaged)('A damaged line in the middle (%s) is refused with its file and line', async (_, bad) => {
    const { path, ledger } = await logOf(`${line('a')}${bad}\n${line('b')}`);
    const error = await ledger.read().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain(`${path}:2`);
    expect(error).toMatchObject({ diagnostics: [{ code: 'file-unreadable', place: { file: path, line: 2 } }] });
  });

  test('A log of a newer format is refused, in its last line too', async () => {
    const newer = JSON.stringify({ v: 2, at: AT, type: 'forgotten', address: 'agent/a' });
    for (const content of [`${newer}\n${line('a')}`, line('a') + newer]) {
      const { ledger } = await logOf(content);
      await expect(ledger.read()).rejects.toThrow(UsageError);
      await expect(ledger.read()).rejects.toThrow(/newer/);
    }
  });

  test('Events, kinds and outcomes of a newer chatform of the same format are kept, without a meaning', async () => {
    const events = [
      { v: 1, at: AT, run: 'r', type: 'of_tomorrow', address: 'group/a', seen: [1, 2] },
      {
        v: 1,
        at: AT,
        run: 'r',
        type: 'intent',
        id: 'i',
        address: 'group/a',
        kind: 'group',
        operation: 'clone',
        identity: '',
        seen: [],
      },
      { v: 1, at: AT, run: 'r', type: 'done', intent: 'i', outcome: 'postponed' },
      { v: 1, at: AT, run: 'r', type: 'moved', from: 'workflow/a', to: 'workflow/b' },
      { v: 1, at: AT, run: 'r', type: 'bound', address: 'workflow/a', id: 'w', origin: 'created' },
      { v: 1, at: AT, run: 'r', type: 'run', command: 'apply', outcome: 'paused' },
    ];
    const { ledger } = await logOf(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const read = await ledger.read();
    expect(read).toEqual(events.map((event) => ({ type: 'unknown', event })));
    expect(foldLedger(read)).toEqual(foldLedger([]));
  });

  test('A member that only a newer chatform knows survives a copy of the log', async () => {
    const event = { ...forgotten('a'), because: 'moved' };
    const { ledger } = await logOf(`${JSON.stringify(event)}\n`);
    const copy = newPath();
    await fileLedger(copy).append(await ledger.read());
    expect(JSON.parse(await readFile(copy, 'utf8'))).toEqual(event);
  });

  test('A path that cannot hold a log is refused by its name, and does not stop a later append', async () => {
    const { path } = await logOf('');
    const below = fileLedger(join(path, 'ledger.ndjson'));
    await expect(below.append([forgotten('a')])).rejects.toThrow(UsageError);
    await expect(below.append([forgotten('a')])).rejects.toThrow(path);
    await expect(fileLedger(root).read()).rejects.toThrow(UsageError);
    await rm(path);
    await below.append([forgotten('a')]);
    expect(await below.read()).toEqual([forgotten('a')]);
  });
});
