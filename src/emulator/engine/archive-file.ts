// The archive of a state file: a file of NDJSON next to it, which says first which archive it is. Lines are only added.
// The state says how many of its bytes count, so lines that were added without a new state are no part of the license.

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createFile, extendFile } from './durable.ts';
import type { EmulatedKind } from './license.ts';
import { refuse } from './refusal.ts';
import { checked, closed, int, object, oneOf, optional, quoted, text, unread } from './shape.ts';
import { type ArchivedRecords, type ArchiveLine, tablesOf } from './snapshot.ts';

const FORMAT = 'chatform-emulator-archive/1';

/** It is a part of a path. */
const archiveId = checked(text, (given, path) => {
  if (!/^[0-9a-f-]+$/.test(given)) refuse('validation', `${quoted(path)} must be the id of an archive`);
});

/** Member of a state file: its archive, and how many bytes of it count. */
export const readArchiveLink = closed({ id: archiveId, bytes: int(1) });
type ArchiveLink = ReturnType<typeof readArchiveLink>;

/** An archive as this process found or left it; `size` is in bytes, with what does not count. */
export interface ArchiveFile extends ArchiveLink {
  readonly path: string;
  readonly size: number;
}

export interface OpenArchive {
  readonly file: ArchiveFile;
  readonly records: ArchivedRecords;
}

const prefixOf = (stateFile: string): string => `${stateFile}.archive-`;
const SUFFIX = '.ndjson';

/** The archives next to a state file. */
export async function findArchives(stateFile: string): Promise<readonly string[]> {
  const folder = dirname(stateFile);
  const names = await readdir(folder).catch(() => []);
  const prefix = basename(prefixOf(stateFile));
  return names.filter((name) => name.startsWith(prefix) && name.endsWith(SUFFIX)).map((name) => join(folder, name));
}

/** In bytes. A pipe is refused: it might never end. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`its archive ${path} is missing: put it back next to the state file`);
    throw error;
  });
  if (!found.isFile()) throw new Error(`its archive ${path} is not a file: put the archive back in its place`);
  return found.size;
}

/** Reads what counts of the archive that a state names. Rejects with an Error that says what is wrong with it. */
export async function readArchive(
  kinds: readonly EmulatedKind[],
  stateFile: string,
  { id, bytes }: ArchiveLink,
): Promise<OpenArchive> {
  const path = `${prefixOf(stateFile)}${id}${SUFFIX}`;
  const size = await sizeOf(path);
  if (size < bytes)
    throw new Error(
      `its archive ${path} has ${size} bytes, and ${bytes} of them count: put back the archive that was saved with it`,
    );
  const reader = createRecordReader(kinds, id);
  let number = 0;
  let rest = '';
  const pieces: AsyncIterable<string> = createReadStream(path, { encoding: 'utf8', end: bytes - 1 });
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      number += 1;
      try {
        reader.take(JSON.parse(line));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`line ${number} of its archive ${path}: ${why}`, { cause: error });
      }
    }
  }
  if (rest !== '')
    throw new Error(
      `what counts of its archive ${path} ends within a line: put back the archive that was saved with it`,
    );
  return { file: { id, bytes, path, size }, records: reader.records() };
}

const headLine = object({ format: oneOf([FORMAT]), id: text });
const recordLine = closed({ table: text, value: optional(unread), gone: optional(text) });

/** Takes the lines of an archive in their order. */
function createRecordReader(kinds: readonly EmulatedKind[], id: string) {
  const tables = new Map(
    tablesOf(kinds).map((table) => [table.name, { table, found: new Map<string, unknown>() }] as const),
  );
  let isFirst = true;

  function take(json: unknown): void {
    if (isFirst) {
      isFirst = false;
      const head = headLine(json, '');
      if (head.id !== id) throw new Error(`it belongs to another license: put back the archive with the id ${id}`);
      return;
    }
    const { table: name, value, gone } = recordLine(json, '');
    const { table, found } = tables.get(name) ?? refuse('validation', `there is no table ${quoted(name)}`);
    const record = gone === undefined ? table.record(value, 'value') : undefined;
    const key = gone ?? table.keyOf(record);
    // The last line of a key counts, also for its place.
    found.delete(key);
    if (gone === undefined) found.set(key, record);
  }

  const records = (): ArchivedRecords =>
    new Map(Array.from(tables, ([name, { found }]) => [name, Array.from(found.values())]));
  return { take, records };
}

/** A piece is written at once. */
const PIECE_LENGTH = 1 << 20;

function* ndjson(lines: readonly object[]): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += `${JSON.stringify(line)}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Begins an archive with these lines, which are on disk when it resolves. */
export async function beginArchive(stateFile: string, lines: readonly ArchiveLine[]): Promise<ArchiveFile> {
  const id = randomUUID();
  const path = `${prefixOf(stateFile)}${id}${SUFFIX}`;
  const bytes = await createFile(path, ndjson([{ format: FORMAT, id }, ...lines]));
  return { id, bytes, path, size: bytes };
}

/** Adds lines, which are on disk when it resolves. Rejects if another process changed the archive. */
export async function extendArchive(archive: ArchiveFile, lines: readonly ArchiveLine[]): Promise<ArchiveFile> {
  const size = await sizeOf(archive.path);
  // After a failed attempt of this process, only what counts is left.
  if (size !== archive.size && size !== archive.bytes)
    throw new Error(
      `another process changed its archive ${archive.path}: let only one process use the state file, and start that one again`,
    );
  const bytes = await extendFile(archive.path, archive.bytes, ndjson(lines));
  return { ...archive, bytes, size: bytes };
}
