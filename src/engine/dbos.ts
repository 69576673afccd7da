// Loads DBOS, an optional peer of the package: only runs on PostgreSQL need it, and no other file names it except for types.

import { UsageError } from '../base/errors.ts';

type Dbos = typeof import('@dbos-inc/dbos-sdk');

const MISSING =
  '`--on postgres` needs the package @dbos-inc/dbos-sdk 5.3: `npm install @dbos-inc/dbos-sdk@5.3.0` where chatform is installed';

/** @throws UsageError when it is not installed */
export async function loadDbos(load: () => Promise<Dbos> = () => import('@dbos-inc/dbos-sdk')): Promise<Dbos> {
  try {
    return await load();
  } catch (error) {
    if (isAbsence(error)) throw new UsageError(MISSING);
    throw error;
  }
}

export async function isInstalled(): Promise<boolean> {
  try {
    await import('@dbos-inc/dbos-sdk');
    return true;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

/** Not that of one of its own modules, which would be a broken installation. */
function isAbsence(error: unknown): boolean {
  return error instanceof Error && /^Cannot find (?:package|module) '@dbos-inc\/dbos-sdk'/.test(error.message);
}
