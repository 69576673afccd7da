// What a file needs of the disk to survive a crash, and how the disk refuses. It must not know what is in the file.

import { mkdir, open } from 'node:fs/promises';

/** Creates `folder` and what is missing above it; only what is created gets `mode`. */
export async function createFolder(folder: string, mode: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode });
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
