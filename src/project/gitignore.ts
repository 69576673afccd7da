// The .gitignore of a project: what a run leaves on one machine, and what holds secrets. No byte of an existing file is removed or changed.

import { appendFile, lstat, readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { explained } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import { isWithin, slashed } from '../base/repository.ts';
import { EMULATOR, type TargetSettings } from './settings.ts';

const GITIGNORE = '.gitignore';

const IGNORED: readonly string[] = [
  'node_modules/',
  '.env',
  '.chatform/*.secrets.*',
  '.chatform/sandbox.json',
  '.chatform/sandbox.ledger.ndjson',
  '*.lease.*',
  '*.sightings.json',
  '*.rescue.*',
  '.chatform/*.reports/',
  '.chatform/fleet/',
  'plan.json',
  'plans/',
];

const A_LINK = `${GITIGNORE} is a symbolic link, which git does not follow: replace it with a file of its own`;

export type WrittenFile = 'created' | 'kept' | 'extended';

/** Makes a file. An existing one stays as it is. */
export async function writeNew(path: string, text: string): Promise<WrittenFile> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return 'created';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'kept';
    throw error;
  }
}

/** Adds what is missing to .gitignore: a secret that is committed is no secret. `more`: further lines. @throws UsageError for a link */
export async function ignoreLocalFiles(more: readonly string[] = []): Promise<WrittenFile> {
  const wanted = [...IGNORED, ...more];
  return explained(GITIGNORE, 'written', async () => {
    const made = await writeNew(GITIGNORE, `${wanted.join('\n')}\n`);
    if (made === 'created') return made;
    if ((await lstat(GITIGNORE)).isSymbolicLink()) throw new UsageError(A_LINK);
    const text = await readFile(GITIGNORE, 'utf8');
    const lines = new Set(text.split(/\r?\n/));
    const missing = wanted.filter((line) => !lines.has(line));
    if (missing.length === 0) return 'kept';
    await appendFile(GITIGNORE, `${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`);
    return 'extended';
  });
}

/** The lines for what a target leaves on this machine: its file of secrets, and the state of its emulator. None for what another line covers. */
export function localLines({ secrets, baseUrl }: Pick<TargetSettings, 'secrets' | 'baseUrl'>): readonly string[] {
  const state = baseUrl.startsWith(EMULATOR) ? [baseUrl.slice(EMULATOR.length)] : [];
  const own = secrets === null || secrets.type === 'command' ? [] : [secrets.path];
  return [...own, ...state].flatMap((path) => {
    const line = slashed(relative('.', path));
    const isCovered = /^\.chatform\/[^/]*\.secrets\.[^/]*$/.test(line) || IGNORED.includes(line);
    return isWithin('.', path) && !isCovered ? [`/${line.replaceAll(/[*?[\\\]!# ]/g, String.raw`\$&`)}`] : [];
  });
}
