// A log in a file, one JSON object a line; that of a ledger is one. A crash may leave the beginning of an event as the last line; any other unreadable
// line is refused. Knows no event's meaning.

import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import pLimit from 'p-limit';
import {
  createFolder,
  createSynced,
  diskErrorCode,
  explained,
  placePastLinks,
  statOrNull,
  syncFolder,
} from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import type { LedgerEvent } from './events.ts';
import type { Backend } from './ledger.ts';
import { endOfEvents, findingOf, isLog, linesOf, soundEvents, writeEvent } from './lines.ts';

/** What the lines of a log are. Each begins as those of a ledger do: with its version. */
export interface LogFormat<Event> {
  /** In messages: `the ledger`. */
  readonly what: string;
  /** @throws UsageError with every line that is no event */
  readonly read: (path: string, log: Buffer) => readonly Event[];
  /** The line of an event, without its end. */
  readonly write: (event: Event) => string;
  readonly notALog: (path: string) => UsageError;
}

/** A log that is kept in a file. */
export interface FileLog<Event> {
  readonly read: () => Promise<readonly Event[]>;
  readonly append: (events: readonly Event[]) => Promise<void>;
  readonly rewrite: (change: (events: readonly Event[]) => readonly Event[]) => Promise<void>;
}

export const LEDGER: LogFormat<LedgerEvent> = { what: 'the ledger', read: eventsOf, write: writeEvent, notALog };

/** The backend of a ledger in a file. */
export function fileLedger(path: string): Backend {
  return fileLog(path, LEDGER);
}

/** Appends that share a write: ten events take as long to write as one. */
interface AppendGroup<Event> {
  readonly events: Event[];
  readonly end: Promise<void>;
}

/**
 * A log in a file. The first append creates the file and its folder. An append is on disk before it resolves. Appends that are asked
 * for during a write wait for it, and are then written together.
 */
export function fileLog<Event>(path: string, format: LogFormat<Event>): FileLog<Event> {
  const what = `${format.what} ${path}`;
  const alone = pLimit(1);
  const appendLog = appendingTo(path, format);
  const write = (work: () => Promise<void>): Promise<void> => alone(() => explained(what, 'written', work));
  /** The group that further appends join; null when the last call was no append, or is being written. */
  let boarding: AppendGroup<Event> | null = null;
  const after = <T>(asked: () => Promise<T>): Promise<T> => {
    boarding = null;
    return asked();
  };

  function begin(): AppendGroup<Event> {
    const events: Event[] = [];
    const leave = (): readonly Event[] => {
      if (boarding === group) boarding = null;
      return events;
    };
    const end = write(() => appendLog(leave).finally(leave));
    const group = { events, end };
    return group;
  }

  return {
    read: () =>
      after(() => alone(() => explained(what, 'read', async () => format.read(path, await fileAt(path, format.what))))),
    append: async (events) => {
      if (events.length === 0) return;
      boarding ??= begin();
      for (const event of events) boarding.events.push(event);
      await boarding.end;
    },
    rewrite: (change) =>
      after(() =>
        write(async () => {
          const log = await fileAt(path, format.what);
          const events = format.read(path, log);
          const changed = change(events);
          if (changed === events) return;
          if (log.length === 0) await appendLog(() => changed);
          else await replaceFile(path, log, Buffer.from(textOf(changed, format)));
        }),
      ),
  };
}

/** @throws UsageError with every line that is no event */
function eventsOf(path: string, log: Buffer): readonly LedgerEvent[] {
  const sound = soundEvents(log);
  if (sound !== null) return sound;
  if (!isLog(log)) throw notALog(path);
  const findings: Diagnostic[] = [];
  const events = linesOf(log).flatMap((line) => {
    const { read } = line;
    if (read === 'torn') return [];
    if (typeof read === 'object') return [read];
    const finding = findingOf(path, line);
    // The remedy is the same for all of them, so it is stated once.
    findings.push(findings.some(({ remedy }) => remedy === finding.remedy) ? { ...finding, remedy: null } : finding);
    return [];
  });
  const first = findings[0];
  if (first === undefined) return events;
  throw new UsageError(`${path}:${first.place.line}: ${first.message}`, findings);
}

/** Quotes nothing of the file: it may be a key. */
export function notALog(path: string): UsageError {
  return new UsageError(`${path} is no ledger of chatform, and stays unchanged: name another file as the ledger`);
}

/** Appends to the file. `events` is called just before the write. */
function appendingTo<Event>(path: string, format: LogFormat<Event>): (events: () => readonly Event[]) => Promise<void> {
  /** Shape of the file after the last write: then its last line needs no check. */
  let left = '';
  return async (events) => {
    const log = await open(path, 'a+').catch(async (error: unknown) => {
      if (diskErrorCode(error) !== 'ENOENT') throw error;
      await createFolder(dirname(await placePastLinks(path)), 0o777);
      return open(path, 'a+');
    });
    try {
      const found = await log.stat();
      // Later in a run, the ledger must learn what became of a request.
      if (left === '') refuseLinks(path, found, format.what);
      const start = left === shapeOf(found) ? '' : await endLastLine(path, log, found.size, format);
      const text = Buffer.from(start + textOf(events(), format));
      await log.appendFile(text);
      await log.sync();
      const written = await log.stat();
      left = written.size === found.size + text.length ? shapeOf(written) : '';
      if (found.size === 0) await syncFolder(dirname(await placePastLinks(path)));
    } finally {
      await log.close();
    }
  };
}

/** @throws UsageError for a ledger that a run under another name of it could write at the same time */
function refuseLinks(path: string, { nlink }: Stats, what = 'the ledger'): void {
  if (nlink <= 1) return;
  throw new UsageError(
    `${what} ${path} is one file with ${nlink} names (hard links), and runs under different names do not see each other: keep one name; to share it, mount its folder and not the file`,
  );
}

/** The same, before anything is written. */
export async function requireOneName(path: string): Promise<void> {
  await explained(`the ledger ${path}`, 'read', async () => {
    const found = await statOrNull(path);
    if (found?.isFile() === true) refuseLinks(path, found);
  });
}

/** A text that changes with every change of the file, also in place. */
function shapeOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

/**
 * Cuts off a torn last line. @returns what the next line needs before it: a line end, when only that was lost
 * @throws UsageError when the last line is no beginning of an event
 */
async function endLastLine(
  path: string,
  log: FileHandle,
  size: number,
  { notALog }: Pick<LogFormat<unknown>, 'notALog'>,
): Promise<'' | '\n'> {
  if (size === 0) return '';
  const { buffer: last } = await log.read(Buffer.alloc(1), 0, 1, size - 1);
  if (last.toString() === '\n') return '';
  const { buffer: all } = await log.read(Buffer.alloc(size), 0, size, 0);
  const end = endOfEvents(all);
  if (end === size) return '\n';
  if (end === null) throw notALog(path);
  await log.truncate(end);
  return '';
}

function textOf<Event>(events: readonly Event[], { write }: LogFormat<Event>): string {
  return events.map((event) => `${write(event)}\n`).join('');
}

/** Empty when there is no such file. @throws UsageError for anything but a file, and for a link that leads into no folder */
export async function fileAt(path: string, what = 'the ledger'): Promise<Buffer> {
  const found = await statOrNull(path);
  if (found === null) {
    await placePastLinks(path);
    return Buffer.alloc(0);
  }
  // Reading a pipe or a device may never end.
  if (!found.isFile()) throw new UsageError(`${what} ${path} is not a file`);
  return readFile(path);
}

/**
 * Puts `after` in the place of `before`: whole and durable, or not at all.
 * @throws UsageError when the file is no longer `before`
 */
export async function replaceFile(path: string, before: Buffer, after: Buffer): Promise<void> {
  // What is a link elsewhere stays one.
  const place = await realpath(path);
  const next = `${place}.${randomUUID()}.tmp`;
  try {
    const found = await stat(place);
    refuseLinks(path, found);
    await createSynced(next, after, found.mode & 0o777, 'exactly');
    if (!(await readFile(place)).equals(before))
      throw new UsageError(
        `the ledger ${path} was written by another program at the same time, and stays unchanged: try again`,
      );
    await rename(next, place);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  await syncFolder(dirname(place));
}
