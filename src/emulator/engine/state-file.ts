// An emulator whose license is in a JSON file, which holds every answered write. Does not know what a state says.

import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { EmulatedApi } from './api.ts';
import { createLicenseEmulator, type EngineEmulator, type EngineOptions } from './emulator.ts';
import { type AnyState, looksLikeState } from './snapshot.ts';

/** The file that a path leads to, behind links, and its text; undefined when there is none. A pipe is refused: it might never end. */
async function readIfPresent(path: string): Promise<{ readonly file: string; readonly text: string } | undefined> {
  try {
    const file = await realpath(path);
    if (!(await stat(file)).isFile()) throw new Error('it is not a file');
    return { file, text: await readFile(file, 'utf8') };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
}

/** The file stays unchanged. */
function unusable(path: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  return new Error(`${path} cannot be used as a license, and is left as it is: ${why}`, { cause: error });
}

/** Node's own recursion never ends where the system says ENOENT although the parent folder exists, as in /proc. */
async function createFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await createFolder(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Replaces a file as a whole: a reader finds the old content or the new, also after a crash at any moment. */
async function replaceFile(path: string, text: string): Promise<void> {
  await createFolder(dirname(path));
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeSynced(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the rename itself durable, where directories can be opened. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Saves one state at a time: a commit during a save waits for one more, which it shares with all that wait. */
function createSaver(path: string): (state: () => AnyState) => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return (state) => {
    if (waiting !== undefined) return waiting;
    const save = async (): Promise<void> => {
      waiting = undefined;
      await replaceFile(path, JSON.stringify(state(), null, 1) + '\n');
    };
    waiting = running.then(save, save);
    running = waiting;
    return waiting;
  };
}

/** See `openStateFile` of the public door. A file without a member `format` holds a seed. */
export async function openLicenseFile(
  apis: readonly EmulatedApi[],
  path: string,
  options: Omit<EngineOptions, 'state'>,
): Promise<EngineEmulator> {
  const found = await readIfPresent(path);
  const save = createSaver(found?.file ?? path);
  const onCommit = async (state: () => AnyState): Promise<void> => {
    await save(state);
    await options.onCommit?.(state);
  };
  const kept = { identify: randomUUID, ...options, onCommit };
  if (found === undefined) return createLicenseEmulator(apis, kept);
  const { seed: _, ...others } = kept;
  try {
    const json: unknown = JSON.parse(found.text);
    const beginning = looksLikeState(json) ? { state: json } : { seed: json };
    return createLicenseEmulator(apis, { ...others, ...beginning });
  } catch (error) {
    throw unusable(path, error);
  }
}
