// Files and folders that survive a crash, and errors of the disk in words. Knows no file's content.

import { randomUUID } from 'node:crypto';
import { readlinkSync, realpathSync, statSync } from 'node:fs';
import {
  access,
  constants,
  mkdir,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UsageError } from './errors.ts';
import { utf8In } from './text.ts';

/**
 * Creates `folder` and what is missing above it; only what is created gets `mode`. One by one, because Node's own recursion never ends where the
 * system says ENOENT of a folder although the one above it is there, as in /proc.
 */
export async function createFolder(folder: string, mode: number): Promise<void> {
  if (await isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) await createFolder(above, mode);
  try {
    await mkdir(folder, { mode });
    await syncFolder(above);
  } catch (error) {
    // Another process may have been faster.
    if (!(await isFolder(folder))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Makes the names in `folder` durable, as fsync does for the content of a file. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** `ENOSPC` and the like; null for an error of our own. */
export function diskErrorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Runs `work`, with an error of the disk as UsageError: a path, a permission, a full disk is for the user to change. `what` names the file. */
export async function explained<T>(what: string, done: 'read' | 'written', work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = diskErrorCode(error);
    if (code === null) throw error;
    const reason = code === 'ENOENT' && done === 'read' ? 'there is no such file' : code;
    throw new UsageError(`${what} cannot be ${done}: ${reason}`);
  }
}

/** What can end a reading that may wait. */
export interface Interruptible {
  readonly signal?: AbortSignal;
}

/** The text of a file or pipe, without its byte order mark. @throws UsageError where it cannot be read, and when it is interrupted */
export async function textAt(path: string, interruptible: Interruptible): Promise<string> {
  const text = utf8In(await explained(path, 'read', () => bytesAt(path, interruptible)));
  if (text === null) throw new UsageError(`${path} is not text in UTF-8: save it as UTF-8`);
  return text;
}

/** The bytes of a file or pipe. @throws UsageError when it is interrupted; errors of the disk */
export async function bytesAt(path: string, interruptible: Interruptible): Promise<Buffer> {
  if ((await stat(path)).isFile()) return readFile(path);
  return (await readPipe(path, Number.MAX_SAFE_INTEGER, interruptible)) ?? Buffer.of();
}

/** Bytes that are read from a pipe at once. */
const CHUNK = 1 << 18;

/** Milliseconds before a pipe that has nothing is asked again. */
const PIPE_PAUSE = 20;

/**
 * The bytes of a pipe, until it ends; null for more than `most`. It is never waited for in a call of the system: neither that call nor a process
 * with one can be ended.
 */
export async function readPipe(path: string, most: number, { signal }: Interruptible): Promise<Buffer | null> {
  // A pipe that a shell passes on has had its writer. One in a folder may wait for it.
  const awaitsWriter = (await stat(path)).isFIFO() && !/^\/(dev|proc)\//.test(resolve(path));
  const chunks: Buffer[] = [];
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    for (let left = most; left >= 0; ) {
      const buffer = Buffer.allocUnsafe(Math.min(left + 1, CHUNK));
      const count = await file.read({ buffer }).then(
        ({ bytesRead }) => bytesRead,
        (error: unknown) => {
          if (diskErrorCode(error) === 'EAGAIN') return null;
          throw error;
        },
      );
      if (count === 0 && !(awaitsWriter && chunks.length === 0)) return Buffer.concat(chunks);
      if (count === null || count === 0) await pause(path, signal);
      else chunks.push(buffer.subarray(0, count));
      left -= count ?? 0;
    }
    return null;
  } finally {
    await file.close();
  }
}

async function pause(path: string, signal: AbortSignal | undefined): Promise<void> {
  await setTimeout(PIPE_PAUSE, undefined, { signal }).catch(() => {
    throw new UsageError(`interrupted while ${path} was read; nothing was changed`);
  });
}

/**
 * Where a file is or would be made, past every link, also past one whose file is not made yet.
 * @throws UsageError for a link that leads into no folder: its disk may not be mounted
 */
export async function placePastLinks(path: string): Promise<string> {
  const found = await realPathOrNull(path);
  if (found !== null) return found;
  const folder = await folderPastLinks(dirname(path));
  const target = await linkTarget(path);
  if (target === null) return join(folder, basename(path));
  const place = resolve(folder, target);
  if (!(await isFolder(dirname(place)))) throw leadsNowhere(path, place);
  return placePastLinks(place);
}

async function folderPastLinks(folder: string): Promise<string> {
  const found = await realPathOrNull(folder);
  if (found !== null || dirname(folder) === folder) return found ?? folder;
  const target = await linkTarget(folder);
  if (target !== null) throw leadsNowhere(folder, target);
  return join(await folderPastLinks(dirname(folder)), basename(folder));
}

function leadsNowhere(link: string, target: string): UsageError {
  return new UsageError(
    `${link} is a link to ${target}, and its folder does not exist: make the folder, or mount its disk`,
  );
}

/** Links that a path may lead through, as Linux has it. */
const MOST_LINKS = 40;

/**
 * Equal for two names of one file, whether it exists or not: its device and number, or those of the nearest folder that exists and the rest of the path.
 * So links, `..`, a second hard link and, where the disk ignores them, capitals make no difference. The only way to compare two paths.
 */
export function fileKey(path: string): string {
  // Not resolved yet: `link/..` is the folder above the one that the link leads to.
  let at = isAbsolute(path) ? path : `${process.cwd()}${sep}${path}`;
  let rest = '';
  for (let links = 0; ; ) {
    const key = diskKey(at);
    if (key !== null)
      return key + (rest === '' ? '' : isCaseless(at, key) ? rest.normalize('NFC').toLowerCase() : rest);
    const target = links < MOST_LINKS ? orNull(() => readlinkSync(at)) : null;
    if (target !== null) {
      links += 1;
      at = isAbsolute(target) ? target : `${dirname(at)}${sep}${target}`;
    } else if (dirname(at) === at) {
      return at + rest;
    } else if (['.', '..'].includes(basename(at))) {
      at = resolve(at);
    } else {
      rest = `/${basename(at)}${rest}`;
      at = dirname(at);
    }
  }
}

/** Null for what does not exist, and for what may not be looked at. */
function diskKey(path: string): string | null {
  const found = orNull(() => statSync(path, { bigint: true, throwIfNoEntry: false }));
  if (found === null) return null;
  // Some disks number no files.
  return found.ino === 0n ? orNull(() => realpathSync.native(path)) : `${found.dev}:${found.ino}`;
}

/** Whether the disk of a folder takes capitals and small letters for the same. */
function isCaseless(folder: string, key: string): boolean {
  const swapped = basename(folder).replace(/\p{L}/gu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return swapped !== basename(folder) && diskKey(join(dirname(folder), swapped)) === key;
}

function orNull<T>(ask: () => T | undefined): T | null {
  try {
    return ask() ?? null;
  } catch {
    return null;
  }
}

async function realPathOrNull(path: string): Promise<string | null> {
  return realpath(path).catch(nullFor('ENOENT'));
}

/** What a link says; null for anything else. */
async function linkTarget(path: string): Promise<string | null> {
  return readlink(path).catch(nullFor('ENOENT', 'EINVAL', 'UNKNOWN'));
}

/** Null for these errors of the disk. */
function nullFor(...codes: readonly string[]): (error: unknown) => null {
  return (error) => {
    if (codes.includes(diskErrorCode(error) ?? '')) return null;
    throw error;
  };
}

/** Whole, or in pieces that are made as they are written. */
type FileContent = string | Uint8Array | Iterable<string>;

/** Makes a new file, on disk before it resolves. `exactly`: the umask of the process takes no rights away. */
export async function createSynced(
  path: string,
  content: FileContent,
  mode: number,
  rights: 'exactly' | 'at most',
): Promise<void> {
  const file = await open(path, 'wx', rights === 'exactly' ? 0o600 : mode);
  try {
    if (rights === 'exactly') await file.chmod(mode);
    await writeFile(file, content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Who may read a file: its owner only, or those whom its mode lets (of a new file, the umask of the process). */
export type Readers = 'owner' | 'as before';

/** Replaces or makes a file: whole and on disk, or not at all. Of two writers at a time the last wins. */
export async function writeWhole(path: string, content: FileContent, readers: Readers = 'as before'): Promise<void> {
  await createFolder(dirname(path), 0o777);
  // What is a link elsewhere stays one.
  const place = await placePastLinks(path).catch(() => path);
  const next = `${place}.${randomUUID()}.tmp`;
  try {
    const found = await statOrNull(place);
    // A rename would take a device or a pipe from every program of the machine.
    if (found !== null && !found.isFile() && !found.isDirectory())
      throw Object.assign(new Error(`${place} is not a file`), { code: 'ENOTSUP' });
    if (readers === 'owner') await createSynced(next, content, 0o600, 'exactly');
    else if (found === null) await createSynced(next, content, 0o666, 'at most');
    else await createSynced(next, content, found.mode & 0o777, 'exactly');
    await rename(next, place);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  await syncFolder(dirname(place));
}

/** Why `file` could not be made or changed; null when no reason is found. Writes nothing. */
export async function writeRefusal(file: string): Promise<string | null> {
  return refusalOf(async () => {
    const found = await statOrNull(file);
    if (found === null) return folderRefusal(dirname(file));
    if (!found.isFile()) return found.isDirectory() ? 'EISDIR' : null;
    await access(file, constants.W_OK);
    return null;
  });
}

/** The same for making files in `folder`, which may not exist yet. */
export async function folderRefusal(folder: string): Promise<string | null> {
  return refusalOf(async () => {
    const found = await statOrNull(folder);
    if (found === null) return folderRefusal(dirname(folder));
    if (!found.isDirectory()) return 'ENOTDIR';
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  });
}

/** Null when there is no such file. */
export async function statOrNull(path: string) {
  return stat(path).catch(nullFor('ENOENT'));
}

async function refusalOf(look: () => Promise<string | null>): Promise<string | null> {
  try {
    return await look();
  } catch (error) {
    const code = diskErrorCode(error);
    if (code === null) throw error;
    return code;
  }
}
