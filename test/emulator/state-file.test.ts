import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStateFile } from '../../src/emulator/index.ts';
import { callerOf, START, seededRandom } from './caller.ts';

const ANN = { id: 'ann@example.com', name: 'Ann' };

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulator-'));
  path = join(folder, 'license.json');
});
afterEach(() => rm(folder, { recursive: true }));

function optionsAt(clock: { now: number }, propagationDelay = 0) {
  return { now: () => clock.now, random: seededRandom(1), propagationDelay };
}

test('Without a file a fresh license begins, and the first answered write makes the file', async () => {
  const { call } = callerOf(await openStateFile(path, optionsAt({ now: START })));
  expect(await call('list_agents')).toHaveLength(1);
  expect(await readdir(folder)).toEqual([]);
  await call('create_agent', ANN);
  expect(await readdir(folder)).toEqual(['license.json']);
  expect(await readFile(path, 'utf8')).toContain(ANN.id);
});

test('Every answered write is in the file, however many are sent at once', async () => {
  const { call } = callerOf(await openStateFile(path, optionsAt({ now: START })));
  const create = async (id: string) => {
    await call('create_agent', { id, name: 'A' });
    expect(await readFile(path, 'utf8')).toContain(`"${id}"`);
  };
  await Promise.all(Array.from({ length: 40 }, (_, at) => create(`agent${at}`)));
  expect(await readdir(folder)).toEqual(['license.json']);
});

test('A reader of the file during a write finds a whole license, the one before or the one after', async () => {
  const { call } = callerOf(await openStateFile(path, optionsAt({ now: START })));
  await call('create_agent', ANN);
  let writing = true;
  const write = async (): Promise<void> => {
    for (let count = 0; count < 60; count += 1) await call('create_agent', { id: `agent${count}`, name: 'A' });
    writing = false;
  };
  const read = async (): Promise<readonly number[]> => {
    const sizes: number[] = [];
    while (writing) sizes.push(JSON.parse(await readFile(path, 'utf8')).tables.agents.length);
    return sizes;
  };
  const [sizes] = await Promise.all([read(), write()]);
  expect(new Set(sizes).size).toBeGreaterThan(1);
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
});

test('A refused write and a read do not touch the file', async () => {
  const { call, fail } = callerOf(await openStateFile(path, optionsAt({ now: START })));
  await fail('create_agent', { id: 'x' });
  await call('list_agents');
  await call('batch_create_agents', { requests: [{ id: 'x' }] });
  expect(await readdir(folder)).toEqual([]);
});

test('A clock that was set ahead goes on from where it stood, in another process as well', async () => {
  const [clock, DAY] = [{ now: START }, 86_400_000];
  const first = await openStateFile(path, optionsAt(clock, 5000));
  first.advance(2 * DAY);
  await callerOf(first).call('create_agent', ANN);
  clock.now += 60_000;
  const second = await openStateFile(path, optionsAt(clock, 5000));
  expect(second.now()).toBe(START + 2 * DAY);
  clock.now += 6000;
  // Otherwise the writes of two days would be of one moment, and no read would ever show them.
  await callerOf(second).call('create_agent', { id: 'bob@example.com', name: 'Bob' });
  clock.now += 6000;
  expect(second.now()).toBe(START + 2 * DAY + 12_000);
  expect(await callerOf(second).call('list_agents')).toHaveLength(3);
});

test('A second process continues where the first one ended, with ids that are new', async () => {
  const clock = { now: START };
  const one = callerOf(await openStateFile(path, optionsAt(clock)));
  const first = await one.call('create_bot', { name: 'A' });
  const group = await one.call('create_group', { name: 'A', agent_priorities: {} });
  const other = callerOf(await openStateFile(path, optionsAt(clock)));
  expect(await other.call('list_bots', { all: true })).toHaveLength(1);
  expect((await other.call('create_bot', { name: 'B' })).id).not.toBe(first.id);
  expect((await other.call('create_group', { name: 'B', agent_priorities: {} })).id).toBe(group.id + 1);
});

test('What is still propagating keeps propagating in a second process', async () => {
  const clock = { now: START };
  const one = callerOf(await openStateFile(path, optionsAt(clock, 5000)));
  await one.call('create_agent', ANN);
  clock.now += 3000;
  await one.call('update_agent', { id: ANN.id, job_title: 'x' });
  const other = callerOf(await openStateFile(path, optionsAt(clock, 5000)));
  expect(await other.fail('get_agent', { id: ANN.id })).toBe('not_found');
  clock.now += 2000;
  expect(await other.call('get_agent', { id: ANN.id, fields: ['job_title'] })).toHaveProperty('job_title', '');
  clock.now += 3000;
  expect(await other.call('get_agent', { id: ANN.id, fields: ['job_title'] })).toHaveProperty('job_title', 'x');
});

test('A file that holds a seed begins a license, whose ids are the same each time it is read', async () => {
  const seed = {
    agents: [ANN],
    bots: [{ name: 'B' }],
    auto_access: [{ access: { groups: [0] }, conditions: { url: { values: [{ value: 'x' }] } } }],
  };
  await writeFile(path, JSON.stringify(seed));
  const one = callerOf(await openStateFile(path, { ...optionsAt({ now: START }, 5000), random: seededRandom(1) }));
  const other = callerOf(await openStateFile(path, { ...optionsAt({ now: START }, 5000), random: seededRandom(2) }));
  for (const [action, body] of [
    ['list_agents', {}],
    ['list_bots', { all: true }],
    ['list_auto_accesses', {}],
  ] as const) {
    const found = await one.call(action, body);
    expect(found.length).toBeGreaterThan(0);
    expect(await other.call(action, body)).toEqual(found);
  }
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(seed);
  await one.call('delete_agent', { id: ANN.id });
  expect(JSON.parse(await readFile(path, 'utf8'))).toHaveProperty('format');
});

async function corrupted(change: (text: string) => string): Promise<string> {
  const { call } = callerOf(await openStateFile(path, optionsAt({ now: START })));
  await call('create_agent', { ...ANN, groups: [{ id: 0, priority: 'first' }] });
  for (let rules = 0; rules < 3; rules += 1)
    await call('add_auto_access', { access: { groups: [0] }, conditions: { url: { values: [{ value: 'x' }] } } });
  const text = await readFile(path, 'utf8');
  const broken = change(text);
  expect(broken).not.toBe(text);
  await writeFile(path, broken);
  return broken;
}

test.each<[string, (text: string) => string]>([
  ['was cut off', (text) => text.slice(0, -100)],
  ['is empty', () => ''],
  ['is an array', () => '[]'],
  ['has another format', (text) => text.replace('chatform-emulator/2', 'chatform-emulator/1')],
  ['lacks a table', (text) => text.replace('"ruleEnds"', '"ruleHeads"')],
  ['has a role that does not exist', (text) => text.replace('"role":"owner"', '"role":"king"')],
  ['has a member of no group', (text) => text.replace('"group":0', '"group":5')],
  ['has a broken chain of rules', (text) => text.replace(/"next":"[0-9a-f]+"/, '"next":""')],
  ['has an agent twice', (text) => text.replace('"id":"ann@example.com"', '"id":"owner@example.com"')],
  ['is a seed with a misspelt member', () => '{"agent": []}'],
  [
    'is a seed that contradicts itself',
    () => '{"agents": [{"id": "a", "name": "A", "groups": [{"id": 7, "priority": "first"}]}]}',
  ],
])('A file that %s is refused with its path, and left as it is', async (_, change) => {
  const broken = await corrupted(change);
  await expect(openStateFile(path, optionsAt({ now: START }))).rejects.toThrow(path);
  expect(await readFile(path, 'utf8')).toBe(broken);
});

test('A folder that does not exist is made with the file', async () => {
  const deep = join(folder, 'some', 'where', 'license.json');
  const { call } = callerOf(await openStateFile(deep, optionsAt({ now: START })));
  await call('create_agent', ANN);
  expect(await readFile(deep, 'utf8')).toContain(ANN.id);
});

test('A write that cannot be saved is answered with `internal`, and leaves no temporary file behind', async () => {
  const { call, fail } = callerOf(await openStateFile(path, optionsAt({ now: START })));
  await mkdir(path);
  expect(await fail('create_agent', ANN)).toBe('internal');
  expect(await readdir(folder)).toEqual(['license.json']);
  await rm(path, { recursive: true });
  await call('update_agent', { id: ANN.id, job_title: 'x' });
  expect(await readFile(path, 'utf8')).toContain(ANN.id);
});

test('A link to a file stays a link, and the file behind it is written', async () => {
  const { call } = callerOf(await openStateFile(path, optionsAt({ now: START })));
  await call('create_agent', ANN);
  const link = join(folder, 'link.json');
  await symlink('license.json', link);
  const again = callerOf(await openStateFile(link, optionsAt({ now: START })));
  await again.call('create_agent', { id: 'bob@example.com', name: 'Bob' });
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(path, 'utf8')).toContain('bob@example.com');
});

test('A folder, or a device that may never end, is refused by its name', async () => {
  await expect(openStateFile(folder, optionsAt({ now: START }))).rejects.toThrow(
    `${folder} cannot be used as a license`,
  );
  await expect(openStateFile('/dev/null', optionsAt({ now: START }))).rejects.toThrow('it is not a file');
});

test.runIf(process.platform === 'linux')(
  'A folder that the system refuses to make refuses the write at once',
  async () => {
    const { call } = callerOf(await openStateFile('/proc/nowhere/license.json', optionsAt({ now: START })));
    await expect(call('create_agent', ANN)).rejects.toThrow('ENOENT');
  },
);

test('A folder that is a link to nowhere refuses the write at once', async () => {
  await symlink(join(folder, 'nothing', 'there'), join(folder, 'nowhere'));
  const { call } = callerOf(
    await openStateFile(join(folder, 'nowhere', 'deep', 'license.json'), optionsAt({ now: START })),
  );
  await expect(call('create_agent', ANN)).rejects.toThrow(/ENOENT|EEXIST/);
});
