// An emulator whose license is in a file, which has every answered write. A small file is one state, and is written again by each save. A large one
// begins with a state, in lines of parts, and each save adds a line with its change. A last line without an end was cut off, and does not count.

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, open, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskErrorCode, statOrNull, writeWhole } from '../../base/disk.ts';
import { asError } from '../../base/errors.ts';
import { jsonIn } from '../../base/json.ts';
import { type EmulatedApi, kindsOf } from './api.ts';
import { createLicenseEmulator, type EngineEmulator, type EngineOptions, type LicenseStore } from './emulator.ts';
import type { EmulatedKind, EmulatedLicense } from './license.ts';
import type { AnyState, StateChange } from './snapshot.ts';
import { createStateReader, looksLikeState, readState, takeChanges, takeSnapshot } from './snapshot.ts';

/** What a file holds: a seed, or a state and its changes. */
interface FileContent {
  readonly seed?: unknown;
  readonly state?: AnyState;
  /** See `KnownFile`. */
  readonly fullAt: number;
}

/** A file as this process found or left it. */
interface KnownFile {
  readonly ino: number;
  /** In bytes. */
  readonly size: number;
  /** The size from which on it is written again instead of getting another line; 0 where no line can be added. */
  readonly fullAt: number;
}

/** Bytes of a large state. */
const LARGE = 1 << 20;

/** See `KnownFile`: a large file has as many changes as it has state. Sizes are in bytes. */
const fullAtOf = (stateSize: number, large: number): number => (stateSize < large ? 0 : 2 * stateSize + LARGE);

/** Rows of a change above which the file is written again: a line must be no longer than a text can be. */
const MOST_ROWS = 20_000;

/** Characters of a part of a state: it is made and written at once. */
const PART_LENGTH = 1 << 20;

/** The lines of a file; only the last one can be without an end. */
async function* linesIn(path: string): AsyncGenerator<{ readonly text: string; readonly hasEnd: boolean }> {
  let parts: string[] = [];
  const pieces: AsyncIterable<string> = createReadStream(path, { encoding: 'utf8', highWaterMark: PART_LENGTH });
  for await (const piece of pieces) {
    const [end = '', ...begins] = piece.split('\n');
    parts.push(end);
    for (const begin of begins) {
      yield { text: parts.join(''), hasEnd: true };
      parts = [begin];
    }
  }
  if (parts.some((part) => part !== '')) yield { text: parts.join(''), hasEnd: false };
}

const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');

/** Rejects with an Error that says what is wrong with the file. */
async function readContent(kinds: readonly EmulatedKind[], path: string, large: number): Promise<FileContent> {
  const reader = createStateReader(kinds);
  let number = 0;
  let stateSize = 0;
  let isCutOff = false;
  for await (const { text, hasEnd } of linesIn(path)) {
    number += 1;
    isCutOff = !hasEnd;
    if (number > 1 && isCutOff) break;
    const json: unknown = jsonIn(number === 1 ? withoutMark(text) : text);
    if (number === 1 && !looksLikeState(json)) break;
    if (json === undefined) throw new Error(`its line ${number} is not JSON`);
    if (reader.take(json) === 'part') stateSize += Buffer.byteLength(text);
  }
  const state = reader.state();
  if (state !== undefined) return { state, fullAt: isCutOff ? 0 : fullAtOf(stateSize, large) };
  // Another JSON document, with lines where its author likes them: a seed, or a snapshot.
  const json: unknown = JSON.parse(withoutMark(await readFile(path, 'utf8')));
  return { ...(looksLikeState(json) ? { state: readState(kinds, json) } : { seed: json }), fullAt: 0 };
}

/** The lines of a state: one, or parts of it. */
function* linesOf({ tables, ...head }: AnyState): Generator<string> {
  const lineOf = (members: readonly string[]): string =>
    `${JSON.stringify(head).slice(0, -1)},"tables":{${members.join(',')}}}\n`;
  let members: string[] = [];
  let length = 0;
  for (const [name, rows] of Object.entries(tables)) {
    const memberOf = (texts: readonly string[]): string => `${JSON.stringify(name)}:[${texts.join(',')}]`;
    let texts: string[] = [];
    for (const row of rows) {
      const text = JSON.stringify(row);
      texts.push(text);
      length += text.length;
      if (length < PART_LENGTH) continue;
      yield lineOf([...members, memberOf(texts)]);
      [members, texts, length] = [[], [], 0];
    }
    members.push(memberOf(texts));
  }
  yield lineOf(members);
}

async function writeState(path: string, state: AnyState, large: number): Promise<KnownFile> {
  await writeWhole(path, linesOf(state), 'owner');
  const { ino, size } = await stat(path);
  return { ino, size, fullAt: fullAtOf(size, large) };
}

/** Adds a line, which is on disk when it resolves. */
async function addLine(path: string, file: KnownFile, change: StateChange): Promise<KnownFile> {
  const line = `${JSON.stringify(change)}\n`;
  const handle = await open(path, constants.O_WRONLY | constants.O_APPEND);
  try {
    await writeFile(handle, line);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { ...file, size: file.size + Buffer.byteLength(line) };
}

const rowsIn = ({ gone, tables }: StateChange): number =>
  [...Object.values(gone), ...Object.values(tables)].reduce((sum, rows) => sum + rows.length, 0);

/** Returns what saves a license. `opened` is the file that has the state of `first`, or its seed; null without a file. */
function createSave(path: string, first: EmulatedLicense, opened: KnownFile | null, large: number) {
  /** Null where there is none yet, and after a write of this process that failed. */
  let file = opened;
  /** The license whose state is in the file; null where the file must be written again. */
  let saved: EmulatedLicense | null = first;
  first.history.tracksChanges = true;

  return async (license: EmulatedLicense): Promise<void> => {
    const found = await statOrNull(path);
    const isThere = found?.isFile() === true;
    if (isThere && file !== null && (found.ino !== file.ino || found.size !== file.size))
      throw new Error('another process changed it: let only one process use the file, and start this one again');
    const isGrowing = isThere && file !== null && file.size < file.fullAt && license === saved;
    const change = isGrowing ? takeChanges(license) : null;
    const known = file;
    [file, saved] = [null, null];
    if (known !== null && change !== null && rowsIn(change) <= MOST_ROWS) file = await addLine(path, known, change);
    else {
      license.history.tracksChanges = true;
      takeChanges(license);
      file = await writeState(path, takeSnapshot(license), large);
    }
    saved = license;
  };
}

/** It has a code, as every error of the disk does: the request that wrote is not to blame. */
function unsaved(path: string, error: unknown): Error {
  const code = diskErrorCode(error) ?? 'EIO';
  const isReadOnly = ['EACCES', 'EPERM', 'EROFS'].includes(code);
  const why = isReadOnly ? `files in ${dirname(path)} cannot be written (${code})` : asError(error).message;
  const then = 'Once the cause is gone, the next change saves this one also';
  return Object.assign(new Error(`${path} could not be saved: ${why}. ${then}`, { cause: error }), { code });
}

/** Saves one state at a time: a commit during a save waits for one more, which it shares with all that wait. */
function createStore(path: string, large: number, opened: KnownFile | null, state?: AnyState): LicenseStore {
  return {
    ...(state === undefined ? {} : { state }),
    keep: (first) => {
      const saveNow = createSave(path, first, opened, large);
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

/** The file that a path leads to, behind links; null when there is none. A pipe is refused: it might never end. */
async function fileBehind(path: string) {
  const found = await statOrNull(path);
  if (found === null) return null;
  if (!found.isFile()) throw new Error('it is not a file');
  return { place: await realpath(path), ino: found.ino, size: found.size };
}

/** See `openStateFile` of the public door. A file without a member `format` holds a seed. `large`: bytes of a state whose file gets lines. */
export async function openLicenseFile(
  apis: readonly EmulatedApi[],
  path: string,
  options: Omit<EngineOptions, 'state'>,
  large: number = LARGE,
): Promise<EngineEmulator> {
  const asked = { identify: randomUUID, ...options };
  try {
    const found = await fileBehind(path);
    if (found !== null) {
      const { place, ino, size } = found;
      const { seed, state, fullAt } = await readContent(kindsOf(apis), place, large);
      return createLicenseEmulator(apis, { ...asked, seed }, createStore(place, large, { ino, size, fullAt }, state));
    }
  } catch (error) {
    // The message of a SyntaxError quotes the file, which may be any file of this machine.
    const why = error instanceof SyntaxError ? 'it is not JSON' : asError(error).message;
    throw new Error(`${path} cannot be used as a license, and is left as it is: ${why}`, { cause: error });
  }
  return createLicenseEmulator(apis, asked, createStore(path, large, null));
}
