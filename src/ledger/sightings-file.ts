// Where the sightings of a target are kept as one text, and the file of them, by default next to the ledger. Knows nothing of what the text says.

import { readFile, rm } from 'node:fs/promises';
import { diskErrorCode, explained, statOrNull, writeWhole } from '../base/disk.ts';

/** A text, null where there is none; or why it cannot be read, and whether another may replace it. */
export type SightingsText =
  | { readonly text: string | null }
  | { readonly problem: string; readonly isReplaceable: boolean };

/** One conformance suite holds for all of them: test/ledger/sightings-conformance.ts. */
export interface SightingsPlace {
  /** As messages name it. */
  readonly name: string;
  /** Never rejects because of the place. */
  readonly read: () => Promise<SightingsText>;
  /** Of several at a time, the last one stays. @throws UsageError when it cannot be written */
  readonly write: (text: string) => Promise<void>;
  /** Also where there is none. @throws UsageError when it cannot be removed */
  readonly remove: () => Promise<void>;
}

/** Named after the ledger. */
export function sightingsPath(ledger: string): string {
  return `${ledger.replace(/(\.ledger)?\.ndjson$/, '')}.sightings.json`;
}

export function sightingsFile(path: string): SightingsPlace {
  const written = <T>(work: () => Promise<T>): Promise<T> => explained(`the sightings ${path}`, 'written', work);
  return {
    name: path,
    read: async () => {
      try {
        const found = await statOrNull(path);
        // Reading a pipe or a device may never end.
        if (found?.isFile() === false && !found.isDirectory()) return { problem: 'are no file', isReplaceable: false };
        return { text: await readFile(path, 'utf8') };
      } catch (error) {
        const code = diskErrorCode(error);
        if (code === null) throw error;
        return code === 'ENOENT' ? { text: null } : { problem: `cannot be read (${code})`, isReplaceable: true };
      }
    },
    write: (text) => written(() => writeWhole(path, text)),
    remove: () => written(() => rm(path, { force: true })),
  };
}
