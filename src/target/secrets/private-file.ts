// Text files that only their owner can read, replaced as a whole. Knows nothing of what the text means.

import { randomUUID } from 'node:crypto';
import { lstat, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import {
  createFolder,
  createSynced,
  diskErrorCode,
  explained,
  fileKey,
  folderRefusal,
  syncFolder,
} from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';

/** Every change replaces the whole file, with mode 0600; a folder that is missing is created with 0700. */
export interface PrivateFile {
  /** `''` when there is none. @throws UsageError for anything but a plain text file */
  readonly read: () => Promise<string>;
  /** Replaces the text with what `edit` returns, at once or not at all. When `edit` throws, nothing changes. @throws UsageError */
  readonly change: (edit: (text: string) => string) => Promise<void>;
  /** Proves that `change` can work, and leaves no trace but the folder. @throws UsageError */
  readonly probe: (check: (text: string) => void) => Promise<void>;
  /** Returns the mode, null when there is no file. Proves less than `probe`, and writes nothing. @throws UsageError when `change` could not work */
  readonly inspect: (check: (text: string) => void) => Promise<number | null>;
}

/** `what` names the file in errors, for people. */
export function privateFile(path: string, what: string): PrivateFile {
  const file = resolve(path);
  const alone = lockOf(`${fileKey(dirname(file))}/${basename(file)}`);
  const work = <T>(task: () => Promise<T>): Promise<T> => alone(() => explained(what, 'written', task));
  return {
    read: () => alone(() => explained(what, 'read', async () => textOf(await bytesOf(file, what), what))),
    change: (edit) => work(() => change(file, what, edit)),
    probe: (check) =>
      work(async () => {
        await createFolder(dirname(file), 0o700);
        check(textOf(await bytesOf(file, what), what));
        await rm(await writeNextTo(file, ''));
      }),
    inspect: (check) =>
      work(async () => {
        check(textOf(await bytesOf(file, what), what));
        const code = await folderRefusal(dirname(file));
        if (code !== null) throw new UsageError(`${what} cannot be written: ${code}`);
        const found = await stat(file).catch(() => null);
        return found === null ? null : found.mode & 0o777;
      }),
  };
}

/** One queue per file, not per sink: two sinks of one file would overwrite each other. */
const locks = new Map<string, WeakRef<LimitFunction>>();

function lockOf(file: string): LimitFunction {
  const lock = locks.get(file)?.deref() ?? pLimit(1);
  locks.set(file, new WeakRef(lock));
  return lock;
}

/** Another process may write the same file: the edit then begins again with its text. */
const ATTEMPTS = 5;

async function change(file: string, what: string, edit: (text: string) => string): Promise<void> {
  await createFolder(dirname(file), 0o700);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const before = await bytesOf(file, what);
    const whole = await writeNextTo(file, edit(textOf(before, what)));
    try {
      if (isSame(before, await bytesOf(file, what))) {
        await rename(whole, file);
        await syncFolder(dirname(file));
        return;
      }
    } finally {
      await rm(whole, { force: true });
    }
  }
  throw new UsageError(`${what} is being written by another process; try again`);
}

function isSame(before: Buffer | null, now: Buffer | null): boolean {
  return before === null || now === null ? before === now : before.equals(now);
}

/** Null when there is none. Only a plain file is replaced: a link or a device may be there on purpose. */
async function bytesOf(file: string, what: string): Promise<Buffer | null> {
  const found = await lstat(file).catch((error: unknown) => {
    if (diskErrorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return null;
  if (found.isSymbolicLink()) throw new UsageError(`${what} is a symbolic link: name the file itself`);
  if (!found.isFile()) throw new UsageError(`${what} is not a file`);
  if (found.nlink > 1)
    throw new UsageError(`${what} has ${found.nlink} names (hard links), and a change would part them: keep one name`);
  return readFile(file);
}

/** A byte order mark is part of the text. */
function textOf(bytes: Buffer | null, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? new Uint8Array());
  } catch {
    throw new UsageError(`${what} is not UTF-8 text, and is not changed`);
  }
}

/** A durable file of mode 0600 in the same folder, so that a rename can put it into place. */
async function writeNextTo(file: string, content: string): Promise<string> {
  const path = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
  try {
    await createSynced(path, content, 0o600, 'exactly');
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return path;
}
