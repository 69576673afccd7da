// Saves of a license with an archive that fail, or that a crash cuts short at any step.

import disk from 'node:fs';
import { cp, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ticketFiles } from './ticket-files.ts';
import { ended, opened, type Tickets } from './tickets.ts';

const { at, openedFile, files, begun } = ticketFiles();

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
        await rm(at.path);
        await mkdir(at.path);
      },
      () => rm(at.path, { recursive: true }),
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
    expect(await readdir(at.folder)).toHaveLength(2);
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
          message: `${at.path} could not be saved: files in ${at.folder} cannot be written (EROFS). Once the cause is gone, the next change saves this one also`,
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
    expect(await readdir(at.folder)).toHaveLength(2);
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
    const saved = join(at.folder, '..', `${basename(at.folder)}-saved`);
    await cp(at.folder, saved, { recursive: true });
    const before = tickets.emulator.snapshot({ archived: true });
    await write(tickets);
    const after = tickets.emulator.snapshot({ archived: true });
    const seen: string[] = [];
    for (let last = 0; ; last += 1) {
      await rm(at.folder, { recursive: true });
      await cp(saved, at.folder, { recursive: true });
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
