// A log in a file, one JSON object a line: a path in, a Ledger out. What a crash may leave behind is a torn last line; anything else that cannot be
// read is refused with its line. It must not know what events mean.

import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import pLimit from 'p-limit';
import { UsageError } from '../errors.ts';
import type { Diagnostic, Json } from '../model.ts';
import { createFolder, diskErrorCode, syncFolder } from './disk.ts';
import { type LedgerEvent, readEvent, writeEvent } from './events.ts';
import type { Ledger } from './ledger.ts';

/** The file and its folder are created by the first append. Each append is one write, and on disk before it resolves. */
export function fileLedger(path: string): Ledger {
  const alone = pLimit(1);
  return {
    read: () => alone(() => explained(path, 'read', () => readLog(path))),
    append: (events) => alone(() => explained(path, 'written', () => appendLog(path, events))),
  };
}

async function readLog(path: string): Promise<readonly LedgerEvent[]> {
  const lines = (await textOf(path)).split('\n');
  if (isTorn(lines.at(-1) ?? '')) lines.pop();
  return lines.flatMap((line, index) => (line.trim() === '' ? [] : [eventOf(line, { path, number: index + 1 })]));
}

async function textOf(path: string): Promise<string> {
  try {
    // Reading a pipe or a device may never end.
    if ((await stat(path)).isFile()) return await readFile(path, 'utf8');
    throw new UsageError(`the ledger ${path} is not a file`);
  } catch (error) {
    if (diskErrorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

async function appendLog(path: string, events: readonly LedgerEvent[]): Promise<void> {
  if (events.length === 0) return;
  const folder = dirname(path);
  await createFolder(folder, 0o777);
  const log = await open(path, 'a+');
  try {
    const { size } = await log.stat();
    const start = await endLastLine(log, size);
    await log.appendFile(`${start}${events.map((event) => `${writeEvent(event)}\n`).join('')}`);
    await log.sync();
    if (size === 0) await syncFolder(folder);
  } finally {
    await log.close();
  }
}

/** Cuts a torn last line off; the text that has to come before the next line: a line end, when only that was lost. */
async function endLastLine(log: FileHandle, size: number): Promise<'' | '\n'> {
  if (size === 0) return '';
  const { buffer: last } = await log.read(Buffer.alloc(1), 0, 1, size - 1);
  if (last.toString() === '\n') return '';
  const { buffer: all } = await log.read(Buffer.alloc(size), 0, size, 0);
  const end = all.lastIndexOf('\n') + 1;
  if (!isTorn(all.subarray(end).toString())) return '\n';
  await log.truncate(end);
  return '';
}

/** Whether a line that has no end was cut while it was written: no beginning of an object is an object. */
function isTorn(line: string): boolean {
  return line.trim() !== '' && parse(line) === undefined;
}

function eventOf(line: string, place: { readonly path: string; readonly number: number }): LedgerEvent {
  const value = parse(line);
  const event = value === undefined ? 'damaged' : readEvent(value);
  if (event === 'newer')
    throw refusal(line, place, 'was written by a newer chatform: use that version, or a later one');
  if (event === 'damaged') throw refusal(line, place, 'is not an event: restore the file from its last good copy');
  return event;
}

function refusal(line: string, { path, number }: { readonly path: string; readonly number: number }, why: string) {
  const message = `line ${number} of the ledger ${why}`;
  const finding: Diagnostic = {
    code: 'file-unreadable',
    severity: 'error',
    place: { file: path, line: number, column: 1, length: line.length },
    message,
    remedy: null,
    excerpt: line.slice(0, 200),
    related: [],
  };
  return new UsageError(`${path}:${number}: ${message}`, [finding]);
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What the file system refuses is for the user to change: a path, a permission, a full disk. */
async function explained<T>(path: string, done: 'read' | 'written', work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = diskErrorCode(error);
    if (code === null) throw error;
    throw new UsageError(`the ledger ${path} cannot be ${done}: ${code}`);
  }
}
