// The lease in files next to a ledger, `<ledger>.lease.<generation>`. The file of a generation can be made once, and whole; only the newest counts.

import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createFolder, createSynced, diskErrorCode, explained, placePastLinks, syncFolder } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import { isObject, jsonIn } from '../base/json.ts';
import { LEASE_TIMES, type Lease, type LeaseRecord } from './lease.ts';
import { lease } from './validator.ts';

/** The version of the files that are written here. */
const FORMAT = 1;

/** Generations that stay: the newest, which counts, and two for a listing that was under way when the newest was made. */
const KEPT = 3;

/** The lease of a ledger's file. It excludes every run that names the same ledger, also through a link. */
export function fileLease(ledger: string): Lease {
  const what = `the lease of the ledger ${ledger}`;
  const recordIn = readingOnce();
  return {
    read: () => explained(what, 'read', async () => readNewest(await placeOf(ledger), recordIn)),
    replace: (record) => explained(what, 'written', async () => replace(await placeOf(ledger), record)),
    times: LEASE_TIMES,
  };
}

interface LeasePlace {
  readonly folder: string;
  /** What the names of the files begin with. */
  readonly prefix: string;
}

async function placeOf(ledger: string): Promise<LeasePlace> {
  const path = await placePastLinks(ledger);
  return { folder: dirname(path), prefix: `${basename(path)}.lease.` };
}

async function readNewest(
  place: LeasePlace,
  recordIn: (path: string) => Promise<LeaseRecord>,
): Promise<LeaseRecord | null> {
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

/** Reads a file only when it is another one: a run checks its lease before each write, and `stat` costs a quarter of a reading. */
function readingOnce(): (path: string) => Promise<LeaseRecord> {
  let last: { readonly file: string; readonly record: LeaseRecord } | null = null;
  return async (path) => {
    const found = await stat(path);
    // Reading a pipe or a device may never end.
    if (!found.isFile())
      throw new UsageError(`the lease ${path} is not a file: delete it once it is certain that no run is under way`);
    const file = `${found.ino} ${found.mtimeMs} ${path}`;
    if (last?.file !== file) last = { file, record: recordOf(path, await readFile(path, 'utf8')) };
    return last.record;
  };
}

async function replace(place: LeasePlace, record: LeaseRecord): Promise<boolean> {
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
  // A run that was suspended between the check and the link may have made a generation that existed, ended and was cleaned up.
  if ((await newestOf(place)) !== generation) {
    await rm(fileOf(place, generation), { force: true });
    return false;
  }
  await syncFolder(place.folder);
  // A run must not fail because of files that are not needed any more.
  await cleanUp(place, generation).catch(() => {});
  return true;
}

/** Makes the file by a link, which has its whole content from the first moment. @returns false when it exists already */
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
async function cleanUp(place: LeasePlace, newest: number): Promise<void> {
  const old = (await filesOf(place)).filter(({ generation }) => generation <= newest - KEPT);
  await Promise.all(old.map(({ name }) => rm(join(place.folder, name), { force: true })));
}

function fileOf({ folder, prefix }: LeasePlace, generation: number): string {
  return join(folder, `${prefix}${generation}`);
}

async function newestOf(place: LeasePlace): Promise<number> {
  const files = await filesOf(place);
  return Math.max(0, ...files.map(({ generation, isDraft }) => (isDraft ? 0 : generation)));
}

interface LeaseFile {
  readonly name: string;
  readonly generation: number;
  readonly isDraft: boolean;
}

async function filesOf({ folder, prefix }: LeasePlace): Promise<readonly LeaseFile[]> {
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
  const value = jsonIn(text);
  const v = isObject(value) ? value['v'] : undefined;
  if (typeof v === 'number' && v > FORMAT)
    throw new UsageError(`the lease ${path} was written by a newer chatform: use that version, or a later one`);
  if (!lease(value))
    throw new UsageError(`the lease ${path} is damaged: delete the file once it is certain that no run is under way`);
  const { generation, run, since, renewed, until } = value;
  const { user, host, pid, command, reason } = value.holder;
  const holder = { user, host, pid, command, ...(reason === undefined ? {} : { reason }) };
  return { generation, run, holder, since, renewed, until };
}
