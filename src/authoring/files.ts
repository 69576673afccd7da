// Files and folders of a manifest on disk: which exist, and new texts for them, all or none. Knows nothing of their content.

import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFolder, createSynced, diskErrorCode, explained, syncFolder } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';

const YAML_FILE = /\.ya?ml$/;

export type PathKind = 'file' | 'folder';

/** Kind of a path that exists, or the kind that its name suggests. */
export async function placeOf(path: string): Promise<PathKind> {
  const found = await statOrNull(path);
  if (found !== null) return found.isDirectory() ? 'folder' : 'file';
  return YAML_FILE.test(path) ? 'file' : 'folder';
}

/** The paths that have something to read. */
export async function readable(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map(async (path) => ((await hasText(path)) ? [path] : [])));
  return there.flat();
}

async function hasText(path: string): Promise<boolean> {
  const found = await statOrNull(path);
  if (found === null || !found.isDirectory()) return found !== null;
  return (await readdir(path)).some((name) => YAML_FILE.test(name));
}

async function statOrNull(path: string) {
  return stat(path).catch((error: unknown) => {
    if (diskErrorCode(error) === 'ENOENT') return null;
    throw error;
  });
}

export interface NewText {
  readonly path: string;
  /** Text that the file must have; null for a file that must not exist. */
  readonly before: string | null;
  readonly text: string;
}

/** Writes each file whole, none before all are on disk. @throws UsageError when a file is not as expected */
export async function putTexts(texts: readonly NewText[]): Promise<void> {
  const drafts: { readonly text: NewText; readonly place: string; readonly draft: string }[] = [];
  try {
    for (const text of texts)
      await explained(text.path, 'written', async () => {
        // A link stays a link.
        const place = text.before === null ? text.path : await realpath(text.path);
        await createFolder(dirname(place), 0o777);
        const mode = text.before === null ? 0o666 : (await stat(place)).mode & 0o777;
        const draft = `${place}.${randomUUID()}.tmp`;
        drafts.push({ text, place, draft });
        await createSynced(draft, text.text, mode, text.before === null ? 'at most' : 'exactly');
        if (text.before !== null && (await readFile(place, 'utf8')) !== text.before) throw changedMeanwhile(text.path);
      });
    for (const { text, place, draft } of drafts)
      await explained(text.path, 'written', async () => {
        if (text.before === null) await link(draft, place);
        else await rename(draft, place);
        await syncFolder(dirname(place));
      });
  } finally {
    for (const { draft } of drafts) await rm(draft, { force: true });
  }
}

function changedMeanwhile(path: string): UsageError {
  return new UsageError(`${path} was changed at the same time by another program; nothing was written`);
}
