// The archive of a state file: what stands in it, what is refused, and what a crash at any step leaves.

import disk from 'node:fs';
import { cp, mkdir, mkdtemp, open, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EngineOptions } from '../../../src/emulator/engine/emulator.ts';
import { openLicenseFile } from '../../../src/emulator/engine/state-file.ts';
import { START, seededRandom } from '../caller.ts';
import { ended, opened, plainApi, type Ticket, type Tickets, ticketApi, ticketsOf } from './tickets.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
  path = join(folder, 'license.json');
});
afterEach(() => rm(folder, { recursive: true }));

const IDENTITY = 'one and the same';

async function openedFile(options: Partial<EngineOptions> = {}, file = path): Promise<Tickets> {
  const standard = { now: () => START, random: seededRandom(1), identify: () => IDENTITY };
  return ticketsOf(await openLicenseFile([ticketApi], file, { ...standard, ...options }));
}

/** The JSON file, and the lines of the archive that it names. */
async function files(): Promise<{ state: ReturnType<typeof JSON.parse>; archive: string; lines: readonly unknown[] }> {
  const state = JSON.parse(await readFile(path, 'utf8'));
  const archive = `${path}.archive-${state.archive?.id}.ndjson`;
  const text = state.archive === undefined ? '' : await readFile(archive, 'utf8');
  expect(Buffer.byteLength(text)).toBe(state.archive?.bytes ?? 0);
  return {
    state,
    archive,
    lines: text
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line)),
  };
}

const line = (value: Ticket) => ({ table: 'tickets', value });

/** A license with two open and two ended tickets, whose archive has begun. */
async function begun(): Promise<Tickets> {
  const tickets = await openedFile();
  await tickets.put(opened('a1'), ended('a2'), ended('b1'));
  await tickets.put(opened('b2'));
  return tickets;
}

describe('What ended is in the archive', () => {
  test('and no longer in the state, which says how much of the archive counts', async () => {
    const { put } = await begun();
    const { state, archive, lines } = await files();
    expect(Object.keys(state)).toEqual(['format', 'archive', 'identity', 'now', 'serial', 'tables']);
    expect(state.tables.tickets).toHaveLength(2);
    expect(lines).toEqual([line(ended('a2')), line(ended('b1'))]);
    expect((await readFile(archive, 'utf8')).split('\n')[0]).toBe(
      `{"format":"chatform-emulator-archive/1","id":"${state.archive.id}"}`,
    );
    expect((await readdir(folder)).toSorted()).toEqual(['license.json', basename(archive)]);
    await put(ended('a1'));
    expect((await files()).lines).toEqual([line(ended('a2')), line(ended('b1')), line(ended('a1'))]);
  });

  test('from the second save on: the first one makes the state file, with everything', async () => {
    const { put } = await openedFile();
    await put(ended('a1'));
    expect(await readdir(folder)).toEqual(['license.json']);
    expect((await files()).state.tables.tickets).toHaveLength(1);
    const again = await openedFile();
    expect(await again.seen()).toEqual([ended('a1')]);
    await again.put(opened('a2'));
    expect((await files()).lines).toEqual([line(ended('a1'))]);
  });

  test('and is added to: a save writes no ended record again', async () => {
    const { put } = await begun();
    const { archive } = await files();
    for (let count = 0; count < 5; count += 1) {
      const before = await readFile(archive, 'utf8');
      await put(ended(`c${count}`), opened('a1', `${count}`));
      expect(await readFile(archive, 'utf8')).toBe(`${before}${JSON.stringify(line(ended(`c${count}`)))}\n`);
    }
  });

  test('and nothing else: without ended records the file is, byte for byte, that of a table which archives none', async () => {
    const texts: string[] = [];
    for (const api of [plainApi, ticketApi]) {
      const options = { now: () => START, random: seededRandom(1), identify: () => IDENTITY, propagationDelay: 1000 };
      const { put, drop } = ticketsOf(await openLicenseFile([api], path, options));
      await put(opened('a1'), opened('a2'));
      await put(opened('a1', 'changed'));
      await drop('a2');
      texts.push(await readFile(path, 'utf8'));
      expect(await readdir(folder)).toEqual(['license.json']);
      await rm(path);
    }
    expect(texts[1]).toBe(texts[0]);
    expect(texts[0]).toContain('changed');
  });

  test('and is found by the next process, in the same order', async () => {
    const one = await begun();
    await one.put(ended('a2', 'changed'));
    await one.put(ended('b2'));
    const other = await openedFile();
    expect(other.emulator.snapshot({ archived: true })).toEqual(one.emulator.snapshot({ archived: true }));
    expect(await other.seen('b')).toEqual([ended('b1'), ended('b2')]);
    expect(await other.sizes()).toEqual([4, 3]);
    expect(await other.get('a2')).toEqual(ended('a2', 'changed'));
  });

  test('once it has propagated: until then it is in the state', async () => {
    const clock = { now: START };
    const options = { now: () => clock.now, propagationDelay: 1000 };
    const one = await openedFile(options);
    await one.put(opened('a1'));
    clock.now += 1000;
    await one.put(ended('a1'));
    const other = await openedFile(options);
    for (const { seen } of [one, other]) expect(await seen()).toEqual([opened('a1')]);
    clock.now += 1000;
    await other.put(opened('b1'));
    expect((await files()).lines).toEqual([line(ended('a1'))]);
    const third = await openedFile(options);
    expect(await third.seen()).toEqual([ended('a1')]);
    await third.put(ended('a1', 'changed'));
    expect((await files()).state.tables.tickets).toEqual([
      [{ at: clock.now, value: opened('b1') }],
      [{ value: ended('a1') }, { at: clock.now, value: ended('a1', 'changed') }],
    ]);
    // The row of the state counts, and not the line of the archive.
    const fourth = await openedFile(options);
    expect(await fourth.sizes()).toEqual([2, 0]);
    clock.now += 1000;
    expect(await fourth.seen('a')).toEqual([ended('a1', 'changed')]);
    await fourth.put(opened('b2'));
    expect((await files()).lines).toEqual([line(ended('a1')), line(ended('a1', 'changed'))]);
    expect(await (await openedFile(options)).get('a1')).toEqual(ended('a1', 'changed'));
  });

  test('until it is deleted, which the archive says in a line of its own', async () => {
    const one = await begun();
    await one.drop('a2');
    expect((await files()).lines.at(-1)).toEqual({ table: 'tickets', gone: 'a2' });
    const other = await openedFile();
    expect(await other.get('a2')).toBeUndefined();
    await other.put(ended('a2', 'again'));
    expect(await (await openedFile()).get('a2')).toEqual(ended('a2', 'again'));
  });

  test('and is opened again with all that JSON can say, such as line separators', async () => {
    const note = 'a\u2028b\u2029c\nd\r\ne\u0000 zażółć 🙂';
    const { put } = await begun();
    await put(ended('c1', note));
    expect(await (await openedFile()).get('c1')).toEqual(ended('c1', note));
  });

  test('also if it is longer than a piece of the file', async () => {
    const { put } = await begun();
    const long = Array.from({ length: 40 }, (_, at) => ended(`c${at}`, `${at}ż`.repeat(30_000)));
    await put(...long);
    const other = await openedFile();
    expect(await other.seen('c')).toEqual(long);
  });
});

test.each<[string, (tickets: Tickets) => Promise<void>, number]>([
  ['A reset', ({ emulator }) => emulator.begin(), 2],
  ['A seed', ({ emulator }) => emulator.begin({ seed: { tickets: [opened('z1'), ended('z2'), ended('z3')] } }), 2],
  ['A snapshot', ({ emulator }) => emulator.begin({ state: emulator.snapshot({ archived: true }) }), 3],
  ['A seed without tickets', ({ emulator }) => emulator.begin({ seed: {} }), 0],
])('%s begins another archive, and removes the former one', async (_, begin, count) => {
  await begun();
  const tickets = await openedFile();
  const before = await files();
  await tickets.put(ended('c1'));
  await begin(tickets);
  const after = await files();
  expect(after.lines).toHaveLength(count);
  expect(await readdir(folder)).toHaveLength(count === 0 ? 1 : 2);
  expect(after.archive).not.toBe(before.archive);
  const other = await openedFile();
  expect(other.emulator.snapshot({ archived: true })).toEqual(tickets.emulator.snapshot({ archived: true }));
});

test('A reset right after the start brings back what the files had, the archive also', async () => {
  await begun();
  const one = await openedFile();
  const before = one.emulator.snapshot({ archived: true });
  await one.emulator.begin();
  expect(one.emulator.snapshot({ archived: true })).toEqual(before);
  await one.drop('a2');
  await one.put(ended('b1', 'changed'));
  await one.emulator.begin();
  expect((await openedFile()).emulator.snapshot({ archived: true })).toEqual(before);
});

test('Every answered write is in the two files, however many are sent at once', async () => {
  const { put } = await begun();
  const write = async (id: string) => {
    await put(ended(id));
    expect(await (await openedFile()).get(id)).toEqual(ended(id));
  };
  await Promise.all(Array.from({ length: 30 }, (_, at) => write(`c${at}`)));
  expect((await files()).lines).toHaveLength(32);
});

test('The archive of a linked state file is next to the file itself', async () => {
  await begun();
  await mkdir(join(folder, 'elsewhere'));
  const link = join(folder, 'elsewhere', 'link.json');
  await symlink(path, link);
  const { put } = await openedFile({}, link);
  await put(ended('c1'));
  expect(await readdir(join(folder, 'elsewhere'))).toEqual(['link.json']);
  expect((await files()).lines.at(-1)).toEqual(line(ended('c1')));
});

describe('Files that do not belong together are refused, and stay as they are', () => {
  const first = (text: string): string => text.slice(0, text.indexOf('\n') + 1);
  /** Writes a text of as many bytes, so that only its content is wrong. */
  const rewrite = async (change: (text: string) => string): Promise<void> => {
    const { archive, state } = await files();
    const text = change(await readFile(archive, 'utf8'));
    await writeFile(archive, text);
    await writeFile(path, JSON.stringify({ ...state, archive: { ...state.archive, bytes: Buffer.byteLength(text) } }));
  };
  const withState = async (change: (state: ReturnType<typeof JSON.parse>) => object): Promise<void> =>
    writeFile(path, JSON.stringify(change((await files()).state)));
  const OTHER = '12345678-1234-4123-8123-123456789abc';

  test.each<[string, () => Promise<unknown>, string]>([
    ['is missing', async () => rm((await files()).archive), 'is missing: put it back next to the state file'],
    [
      'is a folder',
      async () => {
        const { archive } = await files();
        await rm(archive);
        await mkdir(archive);
      },
      'is not a file: put the archive back in its place',
    ],
    [
      'is a device, which never ends',
      async () => {
        const { archive } = await files();
        await rm(archive);
        await symlink('/dev/zero', archive);
      },
      'is not a file: put the archive back in its place',
    ],
    [
      'belongs to another license',
      () => rewrite((text) => text.replace(/"id":"[^"]+"/, `"id":"${OTHER}"`)),
      'line 1 of its archive',
    ],
    ['says not what it is', () => rewrite((text) => text.slice(first(text).length)), '`format` is required'],
    ['has another format', () => rewrite((text) => text.replace('archive/1', 'archive/2')), '`format` must be one of'],
    ['is empty', async () => writeFile((await files()).archive, ''), 'has 0 bytes'],
    [
      'is shorter than the state says',
      async () => {
        const { archive } = await files();
        await writeFile(archive, (await readFile(archive, 'utf8')).slice(0, -1));
      },
      'of them count: put back the archive that was saved with it',
    ],
    ['ends within a line', () => rewrite((text) => text.slice(0, -5)), 'ends within a line'],
    ['has a line that is no JSON', () => rewrite((text) => `${text}{]\n`), 'line 4 of its archive'],
    ['has an empty line', () => rewrite((text) => `${text}\n`), 'line 4 of its archive'],
    [
      'names another table',
      () => rewrite((text) => text.replace('"tickets"', '"letters"')),
      'there is no table `letters`',
    ],
    ['lacks a member', () => rewrite((text) => text.replace('"note":"",', '')), '`value.note` is required'],
    [
      'has a member too many',
      () => rewrite((text) => text.replace('{"table"', '{"x":1,"table"')),
      '`x` is not a known',
    ],
    ['has a line without a record', () => rewrite((text) => `${text}{"table":"tickets"}\n`), '`value` is required'],
    [
      'has no id in the state',
      () => withState((state) => ({ ...state, archive: { records: 2 } })),
      'it lacks its archived',
    ],
    [
      'has an id that is a path',
      () => withState((state) => ({ ...state, archive: { ...state.archive, id: '../x' } })),
      '`archive.id` must be the id of an archive',
    ],
    [
      'has no length',
      () => withState((state) => ({ ...state, archive: { id: state.archive.id } })),
      '`archive.bytes` is required',
    ],
  ])('An archive that %s', async (_, spoil, message) => {
    await begun();
    await spoil();
    const before = await contents();
    const error = await openedFile().catch((caught: Error) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toContain(`${path} cannot be used as a license, and is left as it is: `);
    expect(String(error)).toContain(message);
    expect(await contents()).toEqual(before);
  });

  test('An archive without its state file', async () => {
    await begun();
    const { archive } = await files();
    await rm(path);
    await expect(openedFile()).rejects.toThrow(
      `${path} is missing, and its archive ${archive} is there: put ${path} back, or remove the archive`,
    );
    expect(await readdir(folder)).toEqual([basename(archive)]);
  });

  test('A state file without its former archive, which is neither read nor touched', async () => {
    await begun();
    const { archive } = await files();
    const text = await readFile(archive, 'utf8');
    await writeFile(path, JSON.stringify({ tickets: [ended('z1')] }));
    const { put, seen } = await openedFile();
    await put(ended('z2'));
    expect(await seen()).toEqual([ended('z1'), ended('z2')]);
    expect(await readFile(archive, 'utf8')).toBe(text);
    expect(await readdir(folder)).toHaveLength(3);
  });
});

/** The text of every file of the folder. */
async function contents(): Promise<Readonly<Record<string, string | null>>> {
  const names = (await readdir(folder, { withFileTypes: true })).toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  const texts = names.map(async (one) => [
    one.name,
    one.isFile() ? await readFile(join(folder, one.name), 'utf8') : null,
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

describe('A write that cannot be saved is refused, and saved with the next one', () => {
  test.each<[string, (archive: string) => Promise<void>, (archive: string) => Promise<void>, string]>([
    [
      'because the archive is missing',
      (archive) => rename(archive, `${archive}.away`),
      (archive) => rename(`${archive}.away`, archive),
      'is missing: put it back next to the state file',
    ],
    [
      'because a folder stands in its place',
      async (archive) => {
        await rename(archive, `${archive}.away`);
        await mkdir(archive);
      },
      async (archive) => {
        await rm(archive, { recursive: true });
        await rename(`${archive}.away`, archive);
      },
      'is not a file',
    ],
    [
      'because the state file is a folder',
      async () => {
        await rm(path);
        await mkdir(path);
      },
      () => rm(path, { recursive: true }),
      'EISDIR',
    ],
  ])('%s', async (_, spoil, repair, message) => {
    const { put, get } = await begun();
    const { archive } = await files();
    await spoil(archive);
    await expect(put(ended('c1'))).rejects.toThrow(message);
    await expect(put(ended('c2'))).rejects.toThrow('could not be saved');
    expect(await get('c1')).toEqual(ended('c1'));
    await repair(archive);
    await put(opened('c3'));
    const other = await openedFile();
    expect(await other.seen('c')).toEqual([ended('c1'), ended('c2'), opened('c3')]);
    expect(await readdir(folder)).toHaveLength(2);
  });

  test('because another process changed the archive, whose lines stay', async () => {
    const one = await begun();
    const other = await openedFile();
    await other.put(ended('c1'));
    await expect(one.put(ended('c2'))).rejects.toThrow('another process changed its archive');
    await expect(one.put(ended('c3'))).rejects.toThrow('let only one process use the state file');
    expect(await (await openedFile()).seen('c')).toEqual([ended('c1')]);
    await other.put(ended('c4'));
    expect(await (await openedFile()).seen('c')).toEqual([ended('c1'), ended('c4')]);
  });

  test('because the folder is read-only', async () => {
    const { put } = await begun();
    const restore = replaceDisk({
      open: async () => {
        throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
      },
    });
    try {
      for (const ticket of [opened('a1', 'changed'), ended('c1')])
        await expect(put(ticket)).rejects.toMatchObject({
          code: 'EROFS',
          message: `${path} could not be saved: files in ${folder} cannot be written (EROFS). Once the cause is gone, the next change saves this one also`,
        });
    } finally {
      restore();
    }
    await put(opened('c2'));
    expect(await (await openedFile()).seen('c')).toEqual([ended('c1'), opened('c2')]);
  });

  test('because the disk is full, whichever of its files does not fit', async () => {
    const { put } = await begun();
    const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    const { writeFile: original } = disk.promises;
    const fills = (name: RegExp | null) => ({
      writeFile: async (file: never, pieces: Iterable<string>, ...rest: never[]) => {
        const text = Array.from(pieces).join('');
        if (name !== null && !name.test(text)) return original(file, text, ...rest);
        await original(file, text.slice(0, text.length / 2), ...rest);
        throw full;
      },
    });
    for (const [count, name] of [/^\{"table"/, /^\{\n/, null].entries()) {
      const restore = replaceDisk(fills(name));
      try {
        await expect(put(ended(`c${count}`))).rejects.toThrow('ENOSPC');
      } finally {
        restore();
      }
    }
    expect((await (await openedFile()).seen('c')).length).toBe(0);
    await put(opened('c9'));
    expect(await (await openedFile()).seen('c')).toEqual([ended('c0'), ended('c1'), ended('c2'), opened('c9')]);
    expect(await readdir(folder)).toHaveLength(2);
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
  const handle = await open(path, 'r');
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
    writeFile: dying('writeFile', writes, async (file, pieces: Iterable<string>) => {
      const text = Array.from(pieces).join('');
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
  test.each<[string, (tickets: Tickets) => Promise<unknown>, number]>([
    ['that begins the archive', ({ put }) => put(ended('a1'), opened('b2', 'changed')), 10],
    ['that adds to the archive', ({ put }) => put(ended('b2'), ended('a2', 'changed')), 9],
    ['that deletes an ended record', ({ drop }) => drop('a2'), 9],
    ['that takes a record out of the archive', ({ put }) => put(opened('a2', 'again')), 5],
    ['that begins another license', ({ emulator }) => emulator.begin({ seed: { tickets: [ended('z1')] } }), 10],
    ['that begins a license without ended records', ({ emulator }) => emulator.begin({ seed: {} }), 6],
  ])('%s', async (name, write, steps) => {
    const tickets = name === 'that begins the archive' ? await openedFile() : await begun();
    if (name === 'that begins the archive') await tickets.put(opened('a1'), opened('b2'));
    const saved = join(folder, '..', `${basename(folder)}-saved`);
    await cp(folder, saved, { recursive: true });
    const before = tickets.emulator.snapshot({ archived: true });
    await write(tickets);
    const after = tickets.emulator.snapshot({ archived: true });
    const seen: string[] = [];
    for (let last = 0; ; last += 1) {
      await rm(folder, { recursive: true });
      await cp(saved, folder, { recursive: true });
      const dying = await openedFile();
      if ((await stoppedAt(last, () => write(dying))).length < last) break;
      const next = await openedFile();
      const state = next.emulator.snapshot({ archived: true });
      const isAfter = state.tables['tickets']?.length === after.tables['tickets']?.length && sameTickets(state, after);
      seen.push(isAfter ? 'after' : 'before');
      expect(withoutTime(state)).toEqual(withoutTime(isAfter ? after : before));
      // What follows is saved as if nothing had happened.
      await next.put(ended('x1'), opened('x2'));
      await next.put(ended('x2'));
      expect(await (await openedFile()).seen('x')).toEqual([ended('x1'), ended('x2')]);
      expect(withoutTime((await openedFile()).emulator.snapshot({ archived: true }))).toEqual(
        withoutTime(next.emulator.snapshot({ archived: true })),
      );
    }
    await rm(saved, { recursive: true });
    expect(seen.length).toBeGreaterThanOrEqual(steps);
    // The new state is there from the rename on, and not before.
    expect(seen.indexOf('after')).toBeGreaterThan(0);
    expect(seen.slice(seen.indexOf('after'))).not.toContain('before');
  });
});

test('What ended is on disk before the state that leaves it out stands in the place of the former', async () => {
  const { put } = await begun();
  const toArchive = ['open', 'truncate', 'writeFile', 'sync'];
  const toState = ['open', 'writeFile', 'sync', 'rename', 'open', 'sync'];
  expect(await stoppedAt(Infinity, () => put(ended('c1')))).toEqual([...toArchive, ...toState]);
  expect(await stoppedAt(Infinity, () => put(opened('a1', 'changed')))).toEqual(toState);
});

type State = ReturnType<Tickets['emulator']['snapshot']>;
const byKey = ({ tables }: State) => (tables['tickets'] ?? []).map((row) => JSON.stringify(row)).toSorted();
const sameTickets = (one: State, other: State): boolean => byKey(one).join() === byKey(other).join();
/** What two processes that did the same have in common: the identity is made anew where a save did not get so far. */
const withoutTime = (state: State) => ({ serial: state.serial, tickets: byKey(state) });
