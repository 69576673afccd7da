import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { disk } from '../../src/yaml/read.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';
import { tries } from '../tries.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chatform-read-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function codesOf(files: { readonly [name: string]: string | Uint8Array }) {
  const { diagnostics } = await loadManifest({
    files: Object.keys(files),
    env: {},
    version: '3.6',
    io: memoryDisk(files),
  });
  return diagnostics.map(({ code }) => code);
}

async function codesOnDisk(path: string) {
  const { diagnostics } = await loadManifest({ files: [path], env: {}, version: '3.6' });
  return diagnostics.map(({ code }) => code);
}

/** A license of `agents` agents with everything that agents have. */
function license(agents: number): string {
  const groups = Array.from({ length: 80 }, (_, index) => `  g${index}: { name: Group ${index} }`);
  const entries = Array.from({ length: agents }, (_, index) =>
    [
      `  agent${index}@example.com:`,
      `    name: Agent Number ${index}`,
      `    max_chats_count: ${index % 20}`,
      `    groups: { g${index % 80}: first, g${(index + 1) % 80}: normal }`,
      '    notifications: [new_visitor, incoming_chat]',
      '    work_scheduler:',
      '      timezone: Europe/Warsaw',
      '      schedule:',
      '        - { day: monday, enabled: true, start: "08:00", end: "16:00" }',
      '        - { day: tuesday, enabled: true, start: "08:00", end: "16:00" }',
    ].join('\n'),
  );
  return `version: 1\ngroups:\n${groups.join('\n')}\nagents:\n${entries.join('\n')}\n`;
}

test('A manifest of two megabytes is fine', async () => {
  const text = license(5500);
  expect(text.length).toBeGreaterThan(2_000_000);
  const loaded = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', io: memoryDisk({ 'm.yaml': text }) });
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.desired?.resources).toHaveLength(5580);
});

test('A file that is larger than what can be read at all is refused by its size', async () => {
  const path = join(folder, 'large.yaml');
  const file = await open(path, 'w');
  await file.truncate(3 * 1024 ** 3);
  await file.close();
  const { diagnostics } = await loadManifest({ files: [path], env: {}, version: '3.6' });
  expect(diagnostics.map(({ code }) => code)).toEqual(['file-too-large']);
  expect(diagnostics[0]?.message).toMatch(/3072\.0 MiB.*16 MiB/);
});

test.skipIf(process.platform === 'win32')('What does not say its size is read no further than the limit', async () => {
  const { diagnostics } = await loadManifest({ files: ['/dev/zero'], env: {}, version: '3.6' });
  expect(diagnostics.map(({ code }) => code)).toEqual(['file-too-large']);
  expect(await disk().read('/dev/zero', 10)).toEqual({ size: null });
  expect(await disk().read('/dev/null', 0)).toHaveLength(0);
});

test('What is not text in UTF-8 is refused, and a byte order mark is not', async () => {
  expect(await codesOf({ 'm.yaml': new Uint8Array([0x76, 0xff, 0xfe]) })).toEqual(['file-unreadable']);
  expect(await codesOf({ 'm.yaml': new Uint8Array(Buffer.from('version: 1', 'utf16le')) })).toEqual([
    'file-unreadable',
  ]);
  expect(await codesOf({ 'm.yaml': '\uFEFFversion: 1\n' })).toEqual([]);
});

test('The real disk tells a file, a directory and nothing apart', async () => {
  const path = join(folder, 'm.yaml');
  await writeFile(path, 'version: 1\ngroups: { a: { name: A } }\n');
  expect(await codesOnDisk(path)).toEqual([]);
  expect(await codesOnDisk(join(folder, 'nothing.yaml'))).toEqual(['file-unreadable']);
  expect(await codesOnDisk(join(path, 'below'))).toEqual(['file-unreadable']);
});

test('An error that is no answer of the disk is not taken for one', async () => {
  const io = { ...memoryDisk({ 'm.yaml': '' }), read: () => Promise.reject(new Error('a defect')) };
  await expect(loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', io })).rejects.toThrow('a defect');
});

const nested = (depth: number, twice: (name: string) => string) =>
  [
    'x-0: &a0 [x, x]',
    ...Array.from({ length: depth }, (_, index) => `x-${index + 1}: &a${index + 1} ${twice(`*a${index}`)}`),
  ].join('\n');

test.each([
  ['lists', nested(30, (alias) => `[${alias}, ${alias}]`)],
  ['mappings', nested(30, (alias) => `{ one: ${alias}, two: ${alias} }`)],
])('An alias bomb of %s is refused in a moment, with one error', async (_, bomb) => {
  expect(await codesOf({ 'm.yaml': `version: 1\n${bomb}\ngroups: *a30\n` })).toEqual(['yaml-alias']);
  const agents = Array.from({ length: 50 }, (_, index) => `  a${index}@example.com: *a30`).join('\n');
  expect(await codesOf({ 'm.yaml': `version: 1\n${bomb}\nagents:\n${agents}\n` })).toEqual(['yaml-alias']);
});

test('Thousands of aliases and merges of one small mapping are no bomb', async () => {
  const agents = Array.from(
    { length: 2000 },
    (_, index) => `  a${index}@example.com: { <<: *base, work_scheduler: *day }`,
  );
  const text = [
    'version: 1',
    'x-base: &base { role: normal, login_status: accepting chats }',
    'x-day: &day { timezone: UTC, schedule: [{ day: monday, enabled: true, start: "08:00", end: "16:00" }] }',
    'agents:',
    ...agents,
  ].join('\n');
  expect(await codesOf({ 'm.yaml': text })).toEqual([]);
});

test.each([
  ['brackets', `a: ${'['.repeat(300_000)}`],
  ['braces', '{a: '.repeat(900)],
  ['dashes', '- '.repeat(20_000)],
  ['question marks', '? '.repeat(20_000)],
  ['indentation', Array.from({ length: tries(3000, 1000) }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
])('Endless nesting by %s is an error of syntax, not the end of the process', async (_, text) => {
  expect(await codesOf({ 'm.yaml': text })).toContain('yaml-syntax');
});
