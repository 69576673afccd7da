// A lease in files beside a ledger, `<ledger>.lease.<generation>`: the path of the ledger in, a Lease out. A generation is a file that can be made
// once, whole, or not at all; only the newest counts. It must not know when a lease ends.

import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createFolder, createSynced, diskErrorCode, explained, syncFolder } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import type { Holder, Lease, LeaseRecord } from './lease.ts';

/** The version of the files that are written here. */
const FORMAT = 1;

/** Generations that stay: the newest, which counts, and two for a listing that was under way when the newest was made. */
const KEPT = 3;

/** It excludes whoever names the same ledger, also through a link. */
export function fileLease(ledger: string): Lease {
  const what = `the lease beside the ledger ${ledger}`;
  const recordIn = readingOnce();
  return {
    read: () => explained(what, 'read', async () => readNewest(await placeOf(ledger), recordIn)),
    replace: (record) => explained(what, 'written', async () => replace(await placeOf(ledger), record)),
  };
}

interface Place {
  readonly folder: string;
  /** What the names of the files begin with. */
  readonly prefix: string;
}

async function placeOf(ledger: string): Promise<Place> {
  const path = await realPath(ledger);
  return { folder: dirname(path), prefix: `${basename(path)}.lease.` };
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (diskErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await realPath(dirname(path)), basename(path));
  }
}

async function readNewest(place: Place, recordIn: (path: string) => Promise<LeaseRecord>): Promise<LeaseRecord | null> {
  for (;;) {
    const generation = await newestOf(place);
    if (generation === 0) return null;
    const record = await recordIn(fileOf(place, generation)).catch((error: unknown) => {
      // A newer one was made since, and this one was cleaned up.
      if (diskErrorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (record !== null) return record;
  }
}

/** Whoever holds a lease looks before each write, and the file that was read last never changes: to see that it is the same costs a quarter. */
function readingOnce(): (path: string) => Promise<LeaseRecord> {
  let last: { readonly file: string; readonly record: LeaseRecord } | null = null;
  return async (path) => {
    const { ino, mtimeMs } = await stat(path);
    const file = `${ino} ${mtimeMs} ${path}`;
    if (last?.file !== file) last = { file, record: recordOf(path, await readFile(path, 'utf8')) };
    return last.record;
  };
}

async function replace(place: Place, record: LeaseRecord): Promise<boolean> {
  const { generation } = record;
  if ((await newestOf(place)) !== generation - 1) return false;
  await createFolder(place.folder, 0o777);
  const draft = `${fileOf(place, generation)}.${randomUUID()}.tmp`;
  try {
    await createSynced(draft, `${JSON.stringify({ v: FORMAT, ...record })}\n`, 0o644, 'at most');
    if (!(await made(draft, fileOf(place, generation)))) return false;
  } finally {
    await rm(draft, { force: true });
  }
  // Whoever was suspended between the look and the link may have made a generation that was there, ended and was cleaned up.
  if ((await newestOf(place)) !== generation) {
    await rm(fileOf(place, generation), { force: true });
    return false;
  }
  await syncFolder(place.folder);
  // What is not needed any more must not be what a run fails for.
  await cleanUp(place, generation).catch(() => {});
  return true;
}

/** Unlike a file that is opened to be made, a link has its whole content from the first moment. */
async function made(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    // ENOENT: the draft was cleaned up, so newer generations were made.
    if (['EEXIST', 'ENOENT'].includes(diskErrorCode(error) ?? '')) return false;
    throw error;
  }
}

/** Old generations, and drafts that a crash left. */
async function cleanUp(place: Place, newest: number): Promise<void> {
  const old = (await filesOf(place)).filter(({ generation }) => generation <= newest - KEPT);
  await Promise.all(old.map(({ name }) => rm(join(place.folder, name), { force: true })));
}

function fileOf({ folder, prefix }: Place, generation: number): string {
  return join(folder, `${prefix}${generation}`);
}

async function newestOf(place: Place): Promise<number> {
  const files = await filesOf(place);
  return Math.max(0, ...files.map(({ generation, isDraft }) => (isDraft ? 0 : generation)));
}

interface LeaseFile {
  readonly name: string;
  readonly generation: number;
  readonly isDraft: boolean;
}

async function filesOf({ folder, prefix }: Place): Promise<readonly LeaseFile[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (diskErrorCode(error) === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((name) => {
    const match = name.startsWith(prefix) ? /^([1-9]\d{0,14})(\..+\.tmp)?$/.exec(name.slice(prefix.length)) : null;
    return match === null ? [] : [{ name, generation: Number(match[1]), isDraft: match[2] !== undefined }];
  });
}

function recordOf(path: string, text: string): LeaseRecord {
  const value = parse(text);
  if (!isObject(value)) throw damaged(path);
  const { v, generation, run, holder, since, renewed, until } = value;
  if (typeof v === 'number' && v > FORMAT)
    throw new UsageError(`the lease ${path} was written by a newer chatform: use that version, or a later one`);
  const isRight = typeof generation === 'number' && typeof run === 'string' && isHolder(holder);
  if (!isRight || !isTime(since) || !isTime(renewed) || !(until === null || isTime(until))) throw damaged(path);
  const { user, host, pid, command } = holder;
  return { generation, run, holder: { user, host, pid, command }, since, renewed, until };
}

function damaged(path: string): UsageError {
  return new UsageError(`the lease ${path} is damaged: delete the file once it is certain that no run is under way`);
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isHolder(value: Json | undefined): value is Holder & { readonly [name: string]: Json } {
  if (!isObject(value)) return false;
  const { user, host, pid, command } = value;
  return [user, host, command].every((text) => typeof text === 'string') && typeof pid === 'number';
}

function isTime(value: Json | undefined): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
