// Rescue files: secrets that their sink did not take, in files next to the ledger that only their owner can read.

import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { createFolder, createSynced, diskErrorCode, explained, syncFolder } from '../../base/disk.ts';
import { documentOf, entriesIn } from './file.ts';
import { privateFile } from './private-file.ts';
import type { StoredSecret } from './secrets.ts';

/** A place for secrets that the sink does not keep. */
export interface Rescue {
  /** Stores the secrets and returns the path, durable once it resolves. @throws UsageError when they are not stored */
  readonly store: (entries: readonly StoredSecret[]) => Promise<string>;
}

/** Writes a new file each time, `<ledger>.rescue.<number>`, so that no existing file blocks it or is lost. */
export function rescueFor(ledger: string): Rescue {
  const store = async (entries: readonly StoredSecret[]): Promise<string> => {
    await createFolder(dirname(ledger), 0o777);
    for (let number = (await numbersOf(ledger)).at(-1) ?? 0; ; ) {
      number += 1;
      const path = pathOf(ledger, number);
      try {
        await createSynced(path, documentOf(entries), 0o600, 'exactly');
      } catch (error) {
        if (diskErrorCode(error) === 'EEXIST') continue;
        throw error;
      }
      await syncFolder(dirname(ledger));
      return path;
    }
  };
  return { store: (entries) => explained(`the rescue file of ${ledger}`, 'written', () => store(entries)) };
}

export interface RescueFile {
  readonly path: string;
  readonly entries: readonly StoredSecret[];
}

/** Returns the rescue files of a ledger that have a secret, oldest first. @throws UsageError for a file that cannot be read, or was changed by hand */
export async function rescueFilesOf(ledger: string): Promise<readonly RescueFile[]> {
  const numbers = await explained(`the folder of ${ledger}`, 'read', () => numbersOf(ledger));
  const files = await Promise.all(
    numbers.map(async (number) => {
      const path = pathOf(ledger, number);
      const what = `the rescue file ${path}`;
      return { path, entries: entriesIn(await privateFile(path, what).read(), what) };
    }),
  );
  return files.filter(({ entries }) => entries.length > 0);
}

function pathOf(ledger: string, number: number): string {
  return `${ledger}.rescue.${number}`;
}

async function numbersOf(ledger: string): Promise<readonly number[]> {
  const names = await readdir(dirname(ledger)).catch((error: unknown) => {
    if (diskErrorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const start = `${basename(ledger)}.rescue.`;
  return names
    .filter((name) => name.startsWith(start) && /^[1-9]\d*$/.test(name.slice(start.length)))
    .map((name) => Number(name.slice(start.length)))
    .sort((a, b) => a - b);
}
