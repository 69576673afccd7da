// A certificate in PEM comes in, the file that clients are told to trust goes out. Must not know whose certificate it is.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../base/errors.ts';

/** Writes the file anew, unless something else stands there: a slip of the keyboard must not cost anybody a license or a manifest. */
export async function writeCertificate(path: string, certificate: string): Promise<void> {
  const present = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (present !== null && !present.startsWith('-----BEGIN CERTIFICATE-----'))
    throw new UsageError(`--certificate ${path}: there is a file that is no certificate, and it is left as it is`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, certificate);
}
