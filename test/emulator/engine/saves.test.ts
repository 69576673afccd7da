// A license in a file: what each save adds to it, saves that fail, and saves that a crash cuts short at any step.

import disk from 'node:fs';
import { cp, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { START } from '../caller.ts';
import { ticketFiles } from './ticket-files.ts';
import { type Tickets, ticketOf } from './tickets.ts';

const { at, openedFile, lines, begun } = ticketFiles();

test('A small file is one state, which each save writes again', async () => {
  const { put } = await openedFile({}, 1000);
  const sizes: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    await put(ticketOf(`c${count}`, 'x'.repeat(60)));
    sizes.push((await lines()).length);
  }
  expect(sizes.slice(0, 6)).toEqual([1, 1, 1, 1, 1, 1]);
  const [last = 0, next] = sizes.slice(-2);
  expect(next).toBe(last + 1);
});

describe('A save of a large license adds one line', () => {
  test('with the rows that changed, and the keys of those that are gone', async () => {
    const { put, drop } = await begun();
    const [state, change] = await lines();
    expect(state).not.toHaveProperty('gone');
    expect(state?.tables.tickets).toHaveLength(3);
    expect(change).toMatchObject({ gone: {}, tables: { tickets: [[{ value: ticketOf('b2') }]] } });
    const before = await readFile(at.path, 'utf8');
    await put(ticketOf('a1', 'changed'));
    await drop('a2');
    expect((await readFile(at.path, 'utf8')).startsWith(before)).toBe(true);
    expect((await lines()).slice(2)).toMatchObject([
      { gone: {}, tables: { tickets: [[{ value: ticketOf('a1', 'changed') }]] } },
      { gone: { tickets: ['a2'] }, tables: {} },
    ]);
    expect(await readdir(at.folder)).toEqual(['license.json']);
  });

  test('with all versions that a read can still see', async () => {
    const clock = { now: START };
    const options = { now: () => clock.now, propagationDelay: 1000 };
    const one = await openedFile(options);
    await one.put(ticketOf('a1'));
    clock.now += 1000;
    await one.put(ticketOf('a1', 'changed'));
    const other = await openedFile(options);
    for (const { seen } of [one, other]) expect(await seen()).toEqual([ticketOf('a1')]);
    clock.now += 1000;
    for (const { seen } of [one, other]) expect(await seen()).toEqual([ticketOf('a1', 'changed')]);
    await other.put(ticketOf('b1'));
    // The older version can no longer be read.
    expect((await lines()).at(-1)?.tables.tickets).toMatchObject([
      [{ value: ticketOf('a1', 'changed') }],
      [{ value: ticketOf('b1') }],
    ]);
  });

  test('which holds all that JSON can say, such as line separators, and more than a piece of a file', async () => {
    const { put } = await begun();
    const long = Array.from({ length: 40 }, (_, index) =>
      ticketOf(`c${index}`, `a\u2028b\nd\r\ne\u0000ż🙂`.repeat(9000)),
    );
    await put(...long);
    expect(await (await openedFile()).seen('c')).toEqual(long);
  });

  test('until the lines are longer than the state: then the file is written again, in as many parts as it takes', async () => {
    const { put, drop } = await begun();
    const note = 'x'.repeat(400_000);
    await put(...Array.from({ length: 10 }, (_, index) => ticketOf(`c${index}`, note)));
    await put(ticketOf('c1', 'short'));
    const parts = await lines();
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(part).not.toHaveProperty('gone');
    const { size } = await stat(at.path);
    await drop('c2');
    expect((await stat(at.path)).size).toBeLessThan(size + 200);
    const other = await openedFile();
    expect((await other.seen('c')).map(({ id }) => id)).toEqual(['c0', 'c1', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9']);
    await other.put(ticketOf('d1'));
    expect(await lines()).toHaveLength(parts.length + 2);
  });

  test('of a seed or a snapshot in the place of the file not: the first save makes a file of it', async () => {
    const { emulator } = await begun();
    for (const document of [JSON.stringify(emulator.snapshot(), null, 1), JSON.stringify(emulator.snapshot())]) {
      await writeFile(at.path, document);
      const { put } = await openedFile();
      expect(await readFile(at.path, 'utf8')).toBe(document);
      await put(ticketOf('c1'));
      expect(await lines()).toHaveLength(1);
      expect(await (await openedFile()).size()).toBe(5);
    }
  });
});

test('A reset right after the start brings back what the file had', async () => {
  await begun();
  const one = await openedFile();
  const before = one.emulator.snapshot();
  await one.drop('a2');
  await one.put(ticketOf('b1', 'changed'));
  await one.emulator.begin();
  expect(one.emulator.snapshot()).toEqual(before);
  expect((await openedFile()).emulator.snapshot()).toEqual(before);
});

test('Every answered write is in the file, however many are sent at once', async () => {
  const { put } = await begun();
  const write = async (id: string) => {
    await put(ticketOf(id));
    expect(await (await openedFile()).get(id)).toEqual(ticketOf(id));
  };
  await Promise.all(Array.from({ length: 30 }, (_, index) => write(`c${index}`)));
  expect(await (await openedFile()).size()).toBe(34);
});

test('A last line without an end does not count, and the next save writes the file again', async () => {
  await begun();
  const text = await readFile(at.path, 'utf8');
  for (const rest of ['{"format":"chatform', text.split('\n')[1] ?? '']) {
    await writeFile(at.path, text + rest);
    const { put, seen } = await openedFile();
    expect(await seen()).toHaveLength(4);
    await put(ticketOf('c1'));
    expect(await lines()).toHaveLength(1);
  }
});

test.each<[string, (text: string) => string, string]>([
  ['no JSON', (text) => `${text}{]\n`, 'its line 3 is not JSON'],
  ['nothing', (text) => `${text}\n`, 'its line 3 is not JSON'],
  ['another format', (text) => text.replace(/(?<=\n.*)emulator\/2/, 'emulator/9'), '`format` must be one of'],
  ['a record that lacks a member', (text) => text.replace(/(?<=\n.*),"note":""/, ''), 'note` is required'],
  [
    'no keys of rows that are gone',
    (text) => text.replace('"gone":{', '"gone":{"tickets":1'),
    '`gone.tickets` must be',
  ],
])('A file with a line that has %s is refused, and stays as it is', async (_, change, message) => {
  await begun();
  const text = await readFile(at.path, 'utf8');
  const broken = change(text);
  expect(broken).not.toBe(text);
  await writeFile(at.path, broken);
  const error = await openedFile().catch((caught: Error) => caught);
  expect(String(error)).toContain(`${at.path} cannot be used as a license, and is left as it is: `);
  expect(String(error)).toContain(message);
  expect(await readFile(at.path, 'utf8')).toBe(broken);
});

describe('A write that cannot be saved is refused, and saved with the next one', () => {
  test('because the state file is a folder', async () => {
    const { put, get } = await begun();
    await rm(at.path);
    await mkdir(at.path);
    await expect(put(ticketOf('c1'))).rejects.toThrow('EISDIR');
    await expect(put(ticketOf('c2'))).rejects.toThrow('could not be saved');
    expect(await get('c1')).toEqual(ticketOf('c1'));
    await rm(at.path, { recursive: true });
    await put(ticketOf('c3'));
    expect(await (await openedFile()).seen('c')).toEqual([ticketOf('c1'), ticketOf('c2'), ticketOf('c3')]);
    expect(await readdir(at.folder)).toHaveLength(1);
  });

  test('because another process changed it, whose writes stay', async () => {
    const one = await begun();
    const other = await openedFile();
    await other.put(ticketOf('c1'));
    await expect(one.put(ticketOf('c2'))).rejects.toThrow('another process changed it');
    await expect(one.put(ticketOf('c3'))).rejects.toThrow('let only one process use the file');
    await expect(one.emulator.begin()).rejects.toThrow('let only one process use the file');
    expect(await (await openedFile()).seen('c')).toEqual([ticketOf('c1')]);
    await other.put(ticketOf('c4'));
    expect(await (await openedFile()).seen('c')).toEqual([ticketOf('c1'), ticketOf('c4')]);
  });

  test('and in a file that was removed', async () => {
    const { put } = await begun();
    await rm(at.path);
    await put(ticketOf('c1'));
    expect(await (await openedFile()).size()).toBe(5);
  });

  test('because the folder is read-only', async () => {
    const { put } = await begun();
    const restore = replaceDisk({
      open: async () => {
        throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
      },
    });
    try {
      for (const ticket of [ticketOf('a1', 'changed'), ticketOf('c1')])
        await expect(put(ticket)).rejects.toMatchObject({
          code: 'EROFS',
          message: `${at.path} could not be saved: files in ${at.folder} cannot be written (EROFS). Once the cause is gone, the next change saves this one also`,
        });
    } finally {
      restore();
    }
    await put(ticketOf('c2'));
    const other = await openedFile();
    expect([await other.get('a1'), ...(await other.seen('c'))]).toEqual([
      ticketOf('a1', 'changed'),
      ticketOf('c1'),
      ticketOf('c2'),
    ]);
  });

  test('because the disk is full', async () => {
    const { put } = await begun();
    const before = await readFile(at.path, 'utf8');
    const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    const { writeFile: original } = disk.promises;
    const restore = replaceDisk({
      writeFile: async (file: never, pieces: string | Iterable<string>, ...rest: never[]) => {
        const text = typeof pieces === 'string' ? pieces : Array.from(pieces).join('');
        await original(file, text.slice(0, text.length / 2), ...rest);
        throw full;
      },
    });
    try {
      for (const id of ['c1', 'c2', 'c3']) await expect(put(ticketOf(id))).rejects.toThrow('ENOSPC');
    } finally {
      restore();
    }
    expect((await readFile(at.path, 'utf8')).startsWith(before)).toBe(true);
    expect((await (await openedFile()).seen('c')).length).toBe(0);
    await put(ticketOf('c9'));
    expect(await (await openedFile()).seen('c')).toEqual(['c1', 'c2', 'c3', 'c9'].map((id) => ticketOf(id)));
    expect(await readdir(at.folder)).toHaveLength(1);
  });
});

type Disk = Record<string, (...args: never[]) => Promise<unknown>>;

/** Puts functions in the place of those of `node:fs/promises`; returns what puts them back. */
function replaceDisk(functions: Disk): () => void {
  const present = disk.promises as unknown as Disk;
  const originals = Object.fromEntries(Object.keys(functions).map((name) => [name, present[name]]));
  const put = (these: object): void => {
    Object.assign(present, these);
    syncBuiltinESMExports();
  };
  put(functions);
  return () => put(originals);
}

/**
 * Runs `work` in a process that dies after so many steps, as far as the disk can tell: what it writes then is half written, and it does
 * nothing more. Returns the steps that it did.
 */
async function stoppedAt(last: number, work: () => Promise<unknown>): Promise<readonly string[]> {
  const handle = await open(at.path, 'r');
  const prototype = Object.getPrototypeOf(handle) as Disk;
  await handle.close();
  const steps: string[] = [];
  const dying = (name: string, original: Disk[string], half?: (...args: never[]) => Promise<unknown>): Disk[string] =>
    async function (this: unknown, ...args: never[]) {
      if (steps.length === last) await half?.apply(this, args);
      if (steps.length >= last) throw new Error(`stopped at ${name}`);
      steps.push(name);
      return original.apply(this, args);
    };
  const { open: opens, rename: renames, rm: removes, writeFile: writes } = disk.promises as unknown as Disk;
  const { sync, truncate } = prototype;
  if (!(opens && renames && removes && writes && sync && truncate)) throw new Error('the disk lacks a function');
  const restore = replaceDisk({
    open: dying('open', opens),
    rename: dying('rename', renames),
    rm: dying('rm', removes),
    writeFile: dying('writeFile', writes, async (file, pieces: string | Iterable<string>) => {
      const text = typeof pieces === 'string' ? pieces : Array.from(pieces).join('');
      await writes(file, text.slice(0, text.length / 2) as never);
    }),
  });
  Object.assign(prototype, { sync: dying('sync', sync), truncate: dying('truncate', truncate) });
  try {
    await work().catch(() => {});
  } finally {
    Object.assign(prototype, { sync, truncate });
    restore();
  }
  return steps;
}

describe('A process that dies at any step of a save leaves the license as it was, or as it is then', () => {
  const ADDED = ['open', 'writeFile', 'sync'];
  const WRITTEN = ['open', 'writeFile', 'sync', 'rename', 'open', 'sync'];
  test.each<[string, (tickets: Tickets) => Promise<unknown>, readonly string[]]>([
    ['that adds and changes records', ({ put }) => put(ticketOf('c1'), ticketOf('a2', 'changed')), ADDED],
    ['that deletes a record', ({ drop }) => drop('a2'), ADDED],
    ['that begins another license', ({ emulator }) => emulator.begin({ seed: { tickets: [ticketOf('z1')] } }), WRITTEN],
  ])('%s', async (_, write, steps) => {
    const tickets = await begun();
    const saved = join(at.folder, '..', `${basename(at.folder)}-saved`);
    await cp(at.folder, saved, { recursive: true });
    const before = tickets.emulator.snapshot();
    await write(tickets);
    const after = tickets.emulator.snapshot();
    const seen: string[] = [];
    for (let last = 0; ; last += 1) {
      await rm(at.folder, { recursive: true });
      await cp(saved, at.folder, { recursive: true });
      const dying = await openedFile();
      const done = await stoppedAt(last, () => write(dying));
      if (done.length < last) {
        expect(done).toEqual(steps);
        break;
      }
      const next = await openedFile();
      const state = next.emulator.snapshot();
      const isAfter = sameTickets(state, after);
      seen.push(isAfter ? 'after' : 'before');
      expect(withoutTime(state)).toEqual(withoutTime(isAfter ? after : before));
      // What follows is saved as if nothing had happened.
      await next.put(ticketOf('x1'));
      await next.put(ticketOf('x2'));
      expect(await (await openedFile()).seen('x')).toEqual([ticketOf('x1'), ticketOf('x2')]);
      expect(withoutTime((await openedFile()).emulator.snapshot())).toEqual(withoutTime(next.emulator.snapshot()));
    }
    await rm(saved, { recursive: true });
    // From the moment on at which it is there.
    expect(seen.indexOf('after')).toBeGreaterThan(0);
    expect(seen.slice(seen.indexOf('after'))).not.toContain('before');
  });
});

type State = ReturnType<Tickets['emulator']['snapshot']>;
const byKey = ({ tables }: State) => (tables['tickets'] ?? []).map((row) => JSON.stringify(row)).toSorted();
const sameTickets = (one: State, other: State): boolean => byKey(one).join() === byKey(other).join();
/** What two processes that did the same have in common: the identity is made anew where a save did not get so far. */
const withoutTime = (state: State) => ({ serial: state.serial, tickets: byKey(state) });
