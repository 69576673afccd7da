// The path of a log in; what a repair would keep of it out, and the repair itself. What is damaged is moved aside, never thrown away.

import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { explained, syncFolder } from '../base/disk.ts';
import { fileAt, replaceFile } from './log-file.ts';
import { bytesOf, type Repair, repair } from './repair.ts';

export interface Inspection extends Repair {
  /** Where the damaged lines go, below those of earlier repairs. */
  readonly aside: string;
  /** @throws UsageError when it cannot be written, or when the log is no longer what was looked at */
  readonly mend: () => Promise<void>;
}

export async function inspect(path: string): Promise<Inspection> {
  const log = await explained(`the ledger ${path}`, 'read', () => fileAt(path));
  const found = repair(log);
  const aside = `${path}.damaged`;
  return {
    ...found,
    aside,
    mend: async () => {
      await explained(`the ledger ${aside}`, 'written', () => append(aside, bytesOf(found.damaged)));
      await explained(`the ledger ${path}`, 'written', () => replaceFile(path, log, bytesOf(found.kept)));
    },
  };
}

async function append(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
}
