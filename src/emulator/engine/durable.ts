// Files that survive a crash at any moment: each function resolves once its work is on disk. Knows no content.

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Node's own recursion never ends where the system says ENOENT although the parent folder exists, as in /proc. */
async function createFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await createFolder(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Returns the size of the file in bytes. */
async function writeSynced(file: FileHandle, pieces: Iterable<string>): Promise<number> {
  await writeFile(file, pieces);
  await file.sync();
  return (await file.stat()).size;
}

async function writeNew(path: string, pieces: Iterable<string>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    return await writeSynced(file, pieces).finally(() => file.close());
  } catch (error) {
    await removeFile(path);
    throw error;
  }
}

/** Makes the names in a folder durable, where folders can be opened. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Makes a file, or rejects if there is one. Returns its size in bytes. */
export async function createFile(path: string, pieces: Iterable<string>): Promise<number> {
  const size = await writeNew(path, pieces);
  await syncFolder(dirname(path));
  return size;
}

/** Replaces what a file has after `from` bytes; when it rejects, nothing stands there. Returns the size of the file in bytes. */
export async function extendFile(path: string, from: number, pieces: Iterable<string>): Promise<number> {
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND);
  try {
    await file.truncate(from);
    return await writeSynced(file, pieces);
  } catch (error) {
    await file.truncate(from).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

/** Replaces a file as a whole, in a folder that may not exist yet: a reader finds the old content or the new. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await createFolder(dirname(path));
  const temporary = `${path}.${randomUUID()}.tmp`;
  await writeNew(temporary, [text]);
  try {
    await rename(temporary, path);
  } catch (error) {
    await removeFile(temporary);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Also resolves if there is no such file. */
export const removeFile = (path: string): Promise<void> => rm(path, { force: true });
