// Texts of files and pipes: a byte order mark is no part of them, and a pipe is waited for until a signal.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPipe, textAt } from '../../src/base/disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'chatform-disk-'));

function pipe(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

test('A text has no byte order mark, and other encodings are refused', async () => {
  const path = join(folder, 'text');
  writeFileSync(path, '\ufeff{}');
  expect(await textAt(path, {})).toBe('{}');
  writeFileSync(path, Buffer.from('\ufeff{}', 'utf16le'));
  await expect(textAt(path, {})).rejects.toThrow('is not text in UTF-8: save it as UTF-8');
  await expect(textAt(join(folder, 'none'), {})).rejects.toThrow('cannot be read: there is no such file');
});

test('A pipe is read to its end, also from a writer that comes late and writes in pieces', async () => {
  const path = pipe('late');
  const read = textAt(path, {});
  const writer = spawn('sh', ['-c', '(printf one; sleep 0.1; printf two) > "$0"', path]);
  expect(await read).toBe('onetwo');
  expect(writer.exitCode ?? 0).toBe(0);
});

test('A pipe with more than is wanted is not read to its end', async () => {
  const path = pipe('long');
  const writer = spawn('sh', ['-c', 'cat /dev/zero > "$0"', path], { stdio: 'ignore' });
  expect(await readPipe(path, 1000, {})).toBeNull();
  writer.kill();
});

test('A signal ends the wait for a pipe without a writer, and for one whose writer is silent', async () => {
  const path = pipe('never');
  const stop = new AbortController();
  const ended = expect(textAt(path, { signal: stop.signal })).rejects.toThrow(
    `interrupted while ${path} was read; nothing was changed`,
  );
  stop.abort();
  await ended;
  const writer = spawn('sh', ['-c', 'exec sleep 60 > "$0"', path]);
  const other = new AbortController();
  const also = expect(textAt(path, { signal: other.signal })).rejects.toThrow('interrupted');
  await new Promise((resolve) => writer.once('spawn', resolve));
  other.abort();
  await also;
  writer.kill();
});
