// An emulator whose license is in a JSON file and its archive, which hold every answered write. Knows no kind of record.

import { randomUUID } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isObject } from '../../base/json.ts';
import { type EmulatedApi, kindsOf } from './api.ts';
import type { ArchiveFile, OpenArchive } from './archive-file.ts';
import { beginArchive, extendArchive, findArchives, readArchive, readArchiveLink } from './archive-file.ts';
import { removeFile, replaceFile } from './durable.ts';
import { createLicenseEmulator, type EngineEmulator, type EngineOptions, type LicenseStore } from './emulator.ts';
import type { EmulatedLicense } from './license.ts';
import { type AnyState, type ArchiveLine, flushArchive, looksLikeState, takeSnapshot } from './snapshot.ts';

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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The file stays unchanged. */
function unusable(path: string, error: unknown): Error {
  // The message of a SyntaxError quotes the file, which may be any file of this machine.
  const why = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error);
  return new Error(`${path} cannot be used as a license, and is left as it is: ${why}`, { cause: error });
}

/** It has a code, as every error of the disk does: the request that wrote is not to blame. */
function unsaved(path: string, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'EIO';
  const isReadOnly = ['EACCES', 'EPERM', 'EROFS'].includes(code);
  const why = isReadOnly ? `files in ${dirname(path)} cannot be written (${code})` : messageOf(error);
  const then = 'Once the cause is gone, the next change saves this one also';
  return Object.assign(new Error(`${path} could not be saved: ${why}. ${then}`, { cause: error }), { code });
}

/** A license and its archive, which may be ahead of the state file. */
interface SavedLicense {
  readonly license: EmulatedLicense;
  readonly archive: ArchiveFile | undefined;
  /** What the archive lacks. */
  readonly lines: readonly ArchiveLine[];
}

function textOf({ format, archive: _, ...state }: AnyState, archive: ArchiveFile | undefined): string {
  const link = archive === undefined ? {} : { archive: { id: archive.id, bytes: archive.bytes } };
  return `${JSON.stringify({ format, ...link, ...state }, null, 1)}\n`;
}

/** Returns what saves a license: records are in the archive before the state leaves them out. `exists`: there is a state file. */
function createSave(path: string, first: SavedLicense, exists: boolean): (license: EmulatedLicense) => Promise<void> {
  let saved = first;
  let isThere = exists;
  /** Archives of earlier licenses, which the state file may still name. */
  let former: readonly string[] = [];

  return async (license) => {
    const isNew = license !== saved.license;
    if (isNew && saved.archive !== undefined) former = [...former, saved.archive.path];
    let archive = isNew ? undefined : saved.archive;
    const lines = [...(isNew ? [] : saved.lines), ...flushArchive(license, isNew)];
    saved = { license, archive, lines };
    // The first state has everything: an archive without a state file would be no license.
    const state = takeSnapshot(license, { archived: !isThere });
    if (isThere && lines.length > 0) {
      archive = archive === undefined ? await beginArchive(path, lines) : await extendArchive(archive, lines);
      saved = { license, archive, lines: [] };
    }
    await replaceFile(path, textOf(state, archive));
    isThere = true;
    // No state names them any more. One that cannot be removed does no harm.
    for (const one of former) await removeFile(one).catch(() => {});
    former = [];
  };
}

/** Saves one state at a time: a commit during a save waits for one more, which it shares with all that wait. */
function createStore(path: string, exists: boolean, opened?: OpenArchive): LicenseStore {
  return {
    archived: opened?.records ?? new Map(),
    keep: (first) => {
      const saveNow = createSave(path, { license: first, archive: opened?.file, lines: [] }, exists);
      let running: Promise<void> = Promise.resolve();
      let waiting: Promise<void> | undefined;
      return (present) => {
        if (waiting !== undefined) return waiting;
        const save = async (): Promise<void> => {
          waiting = undefined;
          await saveNow(present()).catch((error: unknown) => {
            throw unsaved(path, error);
          });
        };
        waiting = running.then(save, save);
        running = waiting;
        return waiting;
      };
    },
  };
}

/** See `openStateFile` of the public door. A file without a member `format` holds a seed. */
export async function openLicenseFile(
  apis: readonly EmulatedApi[],
  path: string,
  options: Omit<EngineOptions, 'state'>,
): Promise<EngineEmulator> {
  const found = await readIfPresent(path);
  const kept = { identify: randomUUID, ...options };
  if (found === undefined) {
    const [archive] = await findArchives(path);
    if (archive !== undefined)
      throw new Error(
        `${path} is missing, and its archive ${archive} is there: put ${path} back, or remove the archive`,
      );
    return createLicenseEmulator(apis, kept, createStore(path, false));
  }
  const { seed: _, ...others } = kept;
  try {
    const json: unknown = JSON.parse(found.text.replace(/^\ufeff/, ''));
    if (!looksLikeState(json))
      return createLicenseEmulator(apis, { ...others, seed: json }, createStore(found.file, true));
    const { archive: link, ...state } = json;
    // Without an id it is a snapshot that lacks the archived records, which is refused as such.
    if (!isObject(link) || !Object.hasOwn(link, 'id'))
      return createLicenseEmulator(apis, { ...others, state: json }, createStore(found.file, true));
    const opened = await readArchive(kindsOf(apis), found.file, readArchiveLink(link, 'archive'));
    return createLicenseEmulator(apis, { ...others, state }, createStore(found.file, true, opened));
  } catch (error) {
    throw unusable(path, error);
  }
}
