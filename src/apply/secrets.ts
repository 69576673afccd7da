// The sink of secrets. In: what the service tells once and never again; out: a file that only its owner can read. It must not know how a secret came
// to be, and must not put one into a message.

import { randomUUID } from 'node:crypto';
import { lstat, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import { UsageError } from '../errors.ts';
import { createFolder, createSynced, diskErrorCode, explained, folderRefusal, syncFolder } from '../ledger/disk.ts';
import type { Address, Json, JsonObject, ObjectId } from '../model.ts';

export interface StoredSecret {
  readonly address: Address;
  readonly id: ObjectId;
  readonly secret: string;
}

/** Where the secrets of new bots and bot templates are kept. */
export interface SecretsSink {
  /** Proves that `store` can work, before anything is created whose secret it would have to keep. @throws UsageError */
  readonly probe: () => Promise<void>;
  /** Adds `entries` to what is kept, the newest of an address replacing older ones; durable once it resolves. @throws UsageError */
  readonly store: (entries: readonly StoredSecret[]) => Promise<void>;
}

/** One JSON object, address -> `{ id, secret }`, mode 0600; a folder that is missing is created with 0700. Every change replaces the whole file. */
export function fileSink(path: string): SecretsSink {
  const file = resolve(path);
  const alone = lockOf(file);
  return {
    probe: () => alone(() => explained(whatIs(file), 'written', () => probe(file))),
    store: (entries) => alone(() => explained(whatIs(file), 'written', () => store(file, entries))),
  };
}

/** One queue per file, not per sink: two sinks of one file would overwrite each other. */
const locks = new Map<string, LimitFunction>();

function lockOf(file: string): LimitFunction {
  const lock = locks.get(file) ?? pLimit(1);
  locks.set(file, lock);
  return lock;
}

/**
 * The rights of a sink's file, null when there is none yet. Proves less than `probe`, and writes nothing.
 * @throws UsageError when `store` could not work
 */
export async function inspectSink(path: string): Promise<number | null> {
  const file = resolve(path);
  return explained(whatIs(file), 'written', async () => {
    await readKept(file);
    const code = await folderRefusal(dirname(file));
    if (code !== null) throw refusal(file, `cannot be written: ${code}`);
    const found = await stat(file).catch(() => null);
    return found === null ? null : found.mode & 0o777;
  });
}

async function probe(file: string): Promise<void> {
  await createFolder(dirname(file), 0o700);
  await readKept(file);
  const trial = await writeBeside(file, '');
  await rm(trial);
}

async function store(file: string, entries: readonly StoredSecret[]): Promise<void> {
  if (entries.length === 0) return;
  await createFolder(dirname(file), 0o700);
  const kept = new Map(Object.entries(await readKept(file)));
  for (const { address, id, secret } of entries) kept.set(address, { id, secret });
  const sorted = [...kept].sort(([a], [b]) => (a < b ? -1 : 1));
  const whole = await writeBeside(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  try {
    await rename(whole, file);
  } catch (error) {
    await rm(whole, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}

/** What the file holds; nothing when there is none. Only a plain file is replaced: a link or a device is there for a reason we do not know. */
async function readKept(file: string): Promise<JsonObject> {
  const found = await lstat(file).catch((error: unknown) => {
    if (diskErrorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return {};
  if (found.isSymbolicLink()) throw refusal(file, 'is a symbolic link: name the file itself');
  if (!found.isFile()) throw refusal(file, 'is not a file');
  const kept = parse(await readFile(file, 'utf8'));
  if (kept === null) throw refusal(file, 'is not a JSON object: it was not written by chatform, and is left alone');
  return kept;
}

/** A durable file of mode 0600 in the same folder, so that a rename can put it into place. */
async function writeBeside(file: string, content: string): Promise<string> {
  const path = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
  try {
    await createSynced(path, content, 0o600, 'exactly');
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return path;
}

function parse(text: string): JsonObject | null {
  if (text.trim() === '') return {};
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // The parser's own message quotes the text, which holds secrets.
    return null;
  }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function whatIs(file: string): string {
  return `the secrets file ${file}`;
}

function refusal(file: string, why: string): UsageError {
  return new UsageError(`${whatIs(file)} ${why}`);
}
