// The files and folders that a manifest is said to be in; those that are there, and the texts that come to stand in them, all or none, out. Must not
// know what they say.

import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFolder, createSynced, diskErrorCode, explained, syncFolder } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';

const YAML_FILE = /\.ya?ml$/;

export type Place = 'file' | 'folder';

/** What a path is, or what it would be by its name. */
export async function placeOf(path: string): Promise<Place> {
  const found = await statOrNull(path);
  if (found !== null) return found.isDirectory() ? 'folder' : 'file';
  return YAML_FILE.test(path) ? 'file' : 'folder';
}

/** Of the paths of a manifest those that have something to read. */
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
  /** What the file has to say so far; null for one that must not be there. */
  readonly before: string | null;
  readonly text: string;
}

/** One after the other, each as a whole; nothing is changed before all are on disk. @throws UsageError when a file is not as it was */
export async function putTexts(texts: readonly NewText[]): Promise<void> {
  const drafts: { readonly text: NewText; readonly place: string; readonly draft: string }[] = [];
  try {
    for (const text of texts)
      await explained(text.path, 'written', async () => {
        // What is a link elsewhere stays one.
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
  return new UsageError(`${path} was changed by somebody else at the same time; nothing was written`);
}
