// What drift checks remember: what is kept is recalled, and what cannot be used is said and costs no look.

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chosenSightings, type Memory, sightingsIn } from '../../../../src/features/drift/notify/read-sightings.ts';
import { knownAfter } from '../../../../src/features/drift/notify/transition.ts';
import { sighted } from '../../../../src/features/drift/sightings.ts';
import { sightingsFile } from '../../../../src/ledger/sightings-file.ts';
import { folder } from '../../../cli/chatform.ts';
import { fakeTerminal } from '../../../cli/terminal.ts';
import { FAILED, ITEMS, REPORT, SEEN } from '../example.ts';

const LOOK = { at: REPORT.at, covers: () => true };

const MEMORY: Memory = {
  sightings: sighted(new Map(), ITEMS, LOOK).sightings,
  told: new Map([
    ['slack:SLACK_URL', knownAfter(SEEN, null)],
    ['webhook:HOOK_URL', knownAfter(FAILED, null)],
  ]),
};

async function place(text: string | null = null) {
  const path = join(await folder(), 'production.sightings.json');
  if (text !== null) await writeFile(path, text);
  return { path, file: sightingsIn(sightingsFile(path), 'production') };
}

test('What is kept is recalled, in a folder that is made for it, and nothing else is left there', async () => {
  const path = join(await folder(), 'new', 'production.sightings.json');
  const file = sightingsIn(sightingsFile(path), 'production');
  expect(await file.recall()).toEqual({ sightings: new Map(), told: new Map(), note: null });
  await file.keep(MEMORY);
  expect(await sightingsIn(sightingsFile(path), 'production').recall()).toEqual({ ...MEMORY, note: null });
  await file.keep({ ...MEMORY, told: new Map() });
  expect(await file.recall()).toMatchObject({ told: new Map() });
  expect(await readdir(join(path, '..'))).toEqual(['production.sightings.json']);
});

test('What is no file is not read, and nothing is remembered: a pipe may never end', async () => {
  const { path, file } = await place();
  execFileSync('mkfifo', [path]);
  expect(await file.recall()).toMatchObject({ note: { message: expect.stringContaining('are no file: ') } });
  await file.keep(MEMORY);
  expect((await stat(path)).isFIFO()).toBe(true);
});

test('No value of the license is in it', async () => {
  const { path, file } = await place();
  await file.keep(MEMORY);
  const text = await readFile(path, 'utf8');
  for (const value of ['"last"', 'APAC', 'Black friday', '/bf', 'Europe/Warsaw']) expect(text).not.toContain(value);
});

test('Of many looks at a time the last one wins, and whoever reads meanwhile reads a whole file', async () => {
  const { path, file } = await place();
  await file.keep(MEMORY);
  const writing = Array.from({ length: 40 }, () => sightingsIn(sightingsFile(path), 'production').keep(MEMORY));
  const reading = Array.from({ length: 40 }, () => sightingsIn(sightingsFile(path), 'production').recall());
  for (const read of await Promise.all(reading)) expect(read).toEqual({ ...MEMORY, note: null });
  await Promise.all(writing);
  expect(await file.recall()).toEqual({ ...MEMORY, note: null });
});

test('A link to a file elsewhere stays one', async () => {
  const cwd = await folder({ 'elsewhere.json': '' });
  await symlink(join(cwd, 'elsewhere.json'), join(cwd, 'link.json'));
  await sightingsIn(sightingsFile(join(cwd, 'link.json')), 'production').keep(MEMORY);
  expect(JSON.parse(await readFile(join(cwd, 'elsewhere.json'), 'utf8'))).toMatchObject({ target: 'production' });
});

describe('A file that cannot be used begins anew, and a note says so', () => {
  const whole = (change: (document: { [name: string]: unknown }) => void): string => {
    const document = {
      format_version: '1.0',
      target: 'production',
      sightings: Object.fromEntries(MEMORY.sightings),
      told: {},
    };
    change(document);
    return JSON.stringify(document);
  };
  test.each([
    ['nothing', ''],
    ['half of it', whole(() => {}).slice(0, 200)],
    ['marks of a merge', `<<<<<<< HEAD\n${whole(() => {})}`],
    ['a sighting without a time', whole((document) => (document['sightings'] = { a: { address: 'group/a' } }))],
    ['a channel that knows what nobody says', whole((document) => (document['told'] = { a: { state: 'fine' } }))],
  ])('%s', async (_, text) => {
    const { file } = await place(text);
    const { note, ...memory } = await file.recall();
    expect(memory).toEqual({ sightings: new Map(), told: new Map() });
    expect(note).toMatchObject({ kind: 'sightings-lost', message: expect.stringContaining('are damaged') });
    await file.keep(MEMORY);
    expect(await file.recall()).toEqual({ ...MEMORY, note: null });
  });

  test('a folder', async () => {
    const { path, file } = await place();
    await mkdir(path);
    expect((await file.recall()).note?.message).toContain('EISDIR');
    await expect(file.keep(MEMORY)).rejects.toThrow(/sightings .* cannot be written: EISDIR/);
    expect(await readdir(join(path, '..'))).toEqual(['production.sightings.json']);
  });
});

test.each([
  ['of a newer chatform', '{ "format_version": "2.0", "target": "production", "sightings": [] }', 'newer chatform'],
  [
    'of another target',
    '{ "format_version": "1.0", "target": "staging", "sightings": {}, "told": {} }',
    'target staging',
  ],
  ['with another JSON text', '{ "name": "chatform" }', 'hold something else'],
  ['with a list', '[]', 'hold something else'],
  ['with a key', 'sk-live-0123456789', 'hold something else'],
])('A file %s is left alone, and a note says so', async (_, text, said) => {
  const { path, file } = await place(text);
  expect((await file.recall()).note?.message).toContain(said);
  await file.keep(MEMORY);
  expect(await readFile(path, 'utf8')).toBe(text);
});

test.skipIf(process.getuid?.() === 0)('A folder that cannot be written is an error of whoever keeps', async () => {
  const { path, file } = await place();
  await chmod(join(path, '..'), 0o500);
  await expect(file.keep(MEMORY)).rejects.toThrow('EACCES');
  await chmod(join(path, '..'), 0o700);
});

test('A flag names another file, and `--no-sightings` leaves no trace', async () => {
  const cwd = await folder();
  const ledger = join(cwd, 'ledger.ndjson');
  const settings = { name: 'production', ledger, localPath: ledger };
  const { terminal } = fakeTerminal(null);
  await chosenSightings({ sightings: false }, settings, terminal).keep(MEMORY);
  expect(await readdir(cwd)).toEqual([]);
  await chosenSightings({ sightings: join(cwd, 'own.json') }, settings, terminal).keep(MEMORY);
  await chosenSightings({}, settings, terminal).keep(MEMORY);
  expect(await readdir(cwd)).toEqual(['ledger.sightings.json', 'own.json']);
});
