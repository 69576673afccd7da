// Loads DBOS, an optional peer of the package: only runs on PostgreSQL need it, and no other file names it except for types.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';

type Dbos = typeof import('@dbos-inc/dbos-sdk');

const MISSING =
  '`--workers` needs the package @dbos-inc/dbos-sdk 5.3: `npm install @dbos-inc/dbos-sdk@5.3.0` where chatform is installed';

/** @throws UsageError when it is not installed, or in a version with other tables */
export async function loadDbos(
  load: () => Promise<Dbos> = () => import('@dbos-inc/dbos-sdk'),
  versionOf: () => string | null = loadedVersion,
): Promise<Dbos> {
  try {
    const dbos = await load();
    const version = versionOf();
    if (version !== null && !version.startsWith('5.3.'))
      throw new UsageError(
        `@dbos-inc/dbos-sdk ${version} is installed, and this chatform works with 5.3: \`npm install @dbos-inc/dbos-sdk@5.3.0\` where chatform is installed`,
      );
    return dbos;
  } catch (error) {
    if (isAbsence(error)) throw new UsageError(MISSING);
    throw error;
  }
}

/** The package does not export its version, and names no path to its package.json: its main module is found among those that are loaded. */
function loadedVersion(): string | null {
  const main = join('@dbos-inc', 'dbos-sdk', 'dist', 'src', 'index.js');
  const path = Object.keys(createRequire(process.execPath).cache).find((module) => module.endsWith(main));
  if (path === undefined) return null;
  const { version } = JSON.parse(readFileSync(join(path, '..', '..', '..', 'package.json'), 'utf8'));
  return typeof version === 'string' ? version : null;
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
