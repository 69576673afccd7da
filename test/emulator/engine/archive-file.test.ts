// The archive of a state file: what stands in it, and which files are refused.

import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLicenseFile } from '../../../src/emulator/engine/state-file.ts';
import { START } from '../caller.ts';
import { line, standardOptions, ticketFiles } from './ticket-files.ts';
import { ended, opened, plainApi, type Tickets, ticketApi, ticketsOf } from './tickets.ts';

const { at, openedFile, files, begun } = ticketFiles();

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
    expect((await readdir(at.folder)).toSorted()).toEqual(['license.json', basename(archive)]);
    await put(ended('a1'));
    expect((await files()).lines).toEqual([line(ended('a2')), line(ended('b1')), line(ended('a1'))]);
  });

  test('from the second save on: the first one makes the state file, with everything', async () => {
    const { put } = await openedFile();
    await put(ended('a1'));
    expect(await readdir(at.folder)).toEqual(['license.json']);
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
      const options = { ...standardOptions(), propagationDelay: 1000 };
      const { put, drop } = ticketsOf(await openLicenseFile([api], at.path, options));
      await put(opened('a1'), opened('a2'));
      await put(opened('a1', 'changed'));
      await drop('a2');
      texts.push(await readFile(at.path, 'utf8'));
      expect(await readdir(at.folder)).toEqual(['license.json']);
      await rm(at.path);
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
  expect(await readdir(at.folder)).toHaveLength(count === 0 ? 1 : 2);
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
  await mkdir(join(at.folder, 'elsewhere'));
  const link = join(at.folder, 'elsewhere', 'link.json');
  await symlink(at.path, link);
  const { put } = await openedFile({}, link);
  await put(ended('c1'));
  expect(await readdir(join(at.folder, 'elsewhere'))).toEqual(['link.json']);
  expect((await files()).lines.at(-1)).toEqual(line(ended('c1')));
});

describe('Files that do not belong together are refused, and stay as they are', () => {
  const first = (text: string): string => text.slice(0, text.indexOf('\n') + 1);
  /** Writes a text of as many bytes, so that only its content is wrong. */
  const rewrite = async (change: (text: string) => string): Promise<void> => {
    const { archive, state } = await files();
    const text = change(await readFile(archive, 'utf8'));
    await writeFile(archive, text);
    await writeFile(
      at.path,
      JSON.stringify({ ...state, archive: { ...state.archive, bytes: Buffer.byteLength(text) } }),
    );
  };
  const withState = async (change: (state: ReturnType<typeof JSON.parse>) => object): Promise<void> =>
    writeFile(at.path, JSON.stringify(change((await files()).state)));
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
    expect(String(error)).toContain(`${at.path} cannot be used as a license, and is left as it is: `);
    expect(String(error)).toContain(message);
    expect(await contents()).toEqual(before);
  });

  test('An archive without its state file', async () => {
    await begun();
    const { archive } = await files();
    await rm(at.path);
    await expect(openedFile()).rejects.toThrow(
      `${at.path} is missing, and its archive ${archive} is there: put ${at.path} back, or remove the archive`,
    );
    expect(await readdir(at.folder)).toEqual([basename(archive)]);
  });

  test('A state file without its former archive, which is neither read nor touched', async () => {
    await begun();
    const { archive } = await files();
    const text = await readFile(archive, 'utf8');
    await writeFile(at.path, JSON.stringify({ tickets: [ended('z1')] }));
    const { put, seen } = await openedFile();
    await put(ended('z2'));
    expect(await seen()).toEqual([ended('z1'), ended('z2')]);
    expect(await readFile(archive, 'utf8')).toBe(text);
    expect(await readdir(at.folder)).toHaveLength(3);
  });
});

/** The text of every file of the folder. */
async function contents(): Promise<Readonly<Record<string, string | null>>> {
  const names = (await readdir(at.folder, { withFileTypes: true })).toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  const texts = names.map(async (one) => [
    one.name,
    one.isFile() ? await readFile(join(at.folder, one.name), 'utf8') : null,
  ]);
  return Object.fromEntries(await Promise.all(texts));
}
