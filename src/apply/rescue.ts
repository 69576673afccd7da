// Secrets that their sink did not take in; a file beside the ledger that only its owner can read, and what such files hold, out.

import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { createFolder, createSynced, diskErrorCode, explained, syncFolder } from '../base/disk.ts';
import type { StoredSecret } from './secrets.ts';
import { documentOf, entriesIn } from './sinks/file.ts';
import { privateFile } from './sinks/private-file.ts';

/** A place for what the sink fails to keep. */
export interface Rescue {
  /** Where they are, on disk once it resolves. @throws UsageError when they are nowhere */
  readonly store: (entries: readonly StoredSecret[]) => Promise<string>;
}

/** Each time a file of its own, `<ledger>.rescue.<number>`: nothing that is there can stand in the way, or be lost. */
export function rescueBeside(ledger: string): Rescue {
  const store = async (entries: readonly StoredSecret[]): Promise<string> => {
    await createFolder(dirname(ledger), 0o777);
    for (let number = (await numbersBeside(ledger)).at(-1) ?? 0; ; ) {
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
  return { store: (entries) => explained(`the rescue file beside ${ledger}`, 'written', () => store(entries)) };
}

export interface Rescued {
  readonly path: string;
  readonly entries: readonly StoredSecret[];
}

/** What waits beside a ledger, oldest first. @throws UsageError for a file that cannot be read, or was changed by hand */
export async function rescuedBeside(ledger: string): Promise<readonly Rescued[]> {
  const numbers = await explained(`the folder of ${ledger}`, 'read', () => numbersBeside(ledger));
  return Promise.all(
    numbers.map(async (number) => {
      const path = pathOf(ledger, number);
      const what = `the rescue file ${path}`;
      return { path, entries: entriesIn(await privateFile(path, what).read(), what) };
    }),
  );
}

function pathOf(ledger: string, number: number): string {
  return `${ledger}.rescue.${number}`;
}

async function numbersBeside(ledger: string): Promise<readonly number[]> {
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
