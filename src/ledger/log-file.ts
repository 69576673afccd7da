// The path of a log in; its bytes read, or replaced as a whole, out. It must not know what the bytes say.

import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createSynced, diskErrorCode, syncFolder } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';

/** Empty when there is no such file. */
export async function fileAt(path: string): Promise<Buffer> {
  try {
    // Reading a pipe or a device may never end.
    if ((await stat(path)).isFile()) return await readFile(path);
    throw new UsageError(`the ledger ${path} is not a file`);
  } catch (error) {
    if (diskErrorCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
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
    const { mode } = await stat(place);
    await createSynced(next, after, mode & 0o777, 'exactly');
    if (!(await readFile(place)).equals(before))
      throw new UsageError(
        `the ledger ${path} was written by somebody else at the same time, and is left as it is: try again`,
      );
    await rename(next, place);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  await syncFolder(dirname(place));
}
