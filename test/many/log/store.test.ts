import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { fileStore, firstEvent } from '../../../src/many/log/file-store.ts';
import { memoryStore } from '../../../src/many/log/store.ts';
import { ended, runOf, spec, started, wave } from '../names.ts';
import { describeStore } from './store.conformance.ts';

const root = await mkdtemp(join(tmpdir(), 'chatform-fleet-'));
afterAll(() => rm(root, { recursive: true }));

let count = 0;
const newPath = () => join(root, `runs-${count++}`, 'r1.ndjson');

describeStore('Memory', async () => {
  const store = memoryStore();
  return { open: () => store };
});

describeStore('A file', async () => {
  const path = newPath();
  return { open: () => fileStore(path) };
});

const RUN = runOf(spec([wave('all', ['a', 'b'])]));

test('A last line that was cut while it was written is dropped, wherever it was cut, and the next append takes its place', async () => {
  const path = newPath();
  await fileStore(path).append([RUN, started('a')]);
  const [first = '', second = ''] = (await readFile(path, 'utf8')).split('\n');
  for (let length = 0; length < second.length; length += 7) {
    await writeFile(path, `${first}\n${second}`);
    await truncate(path, first.length + 1 + length);
    expect(await fileStore(path).read()).toEqual([RUN]);
    await fileStore(path).append([ended('a')]);
    expect(await fileStore(path).read()).toEqual([RUN, ended('a')]);
  }
  await writeFile(path, `${first}\n${second}`);
  expect(await fileStore(path).read()).toEqual([RUN, started('a')]);
});

test('A damaged line, and one of a newer version, are refused at their place', async () => {
  const path = newPath();
  await fileStore(path).append([RUN, started('a')]);
  const good = await readFile(path, 'utf8');
  const after = async (line: string) => {
    await writeFile(path, `${good}${line}\n`);
    return fileStore(path).read();
  };
  await expect(after('{"v":1,"type":"ended"}')).rejects.toThrow(`${path}:3: this line is no event of a fleet run`);
  await expect(after('{"v":2,"type":"ended"}')).rejects.toThrow(`${path}:3: this line was written by a newer chatform`);
  await expect(after('<<<<<<< HEAD')).rejects.toThrow(UsageError);
});

test('A file that is no log stays unchanged', async () => {
  const path = newPath();
  await fileStore(path).append([RUN]);
  await writeFile(path, 'my key');
  const refusal = `${path} is no log of a fleet run, and stays unchanged`;
  await expect(fileStore(path).read()).rejects.toThrow(refusal);
  await expect(fileStore(path).append([started('a')])).rejects.toThrow(refusal);
  expect(await readFile(path, 'utf8')).toBe('my key');
});

test('A damaged request to cancel is an error that says what to do', async () => {
  const path = newPath();
  await fileStore(path).append([RUN]);
  await writeFile(`${path}.cancel`, '{}');
  await expect(fileStore(path).cancelled()).rejects.toThrow(`${path}.cancel is damaged: delete it`);
});

test('The first event is read alone, whatever comes after it; a log without its run has none', async () => {
  const path = newPath();
  expect(await firstEvent(path)).toBeNull();
  await fileStore(path).append([RUN, started('a')]);
  await writeFile(path, `${await readFile(path, 'utf8')}damaged\n`);
  expect(await firstEvent(path)).toEqual(RUN);
  await writeFile(path, `${JSON.stringify(started('a'))}\n`);
  expect(await firstEvent(path)).toBeNull();
  await writeFile(path, '{"v":1,"ty');
  expect(await firstEvent(path)).toBeNull();
});
