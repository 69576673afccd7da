// Uploaded files: their records, their bytes, and when they go. Does not know how a file arrives.
// Specification: "Events", upload_file.

import { sha256Hex } from '../../base/digest.ts';
import { isObject } from '../../base/json.ts';
import { DAY } from '../../base/zone.ts';
import { defineTable, type EmulatedLicense, type LicenseContext } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import { int, object, optional, string, text } from '../engine/shape.ts';
import { type EventRecord, moment } from './records.ts';

const fileRecord = object({
  id: text,
  /** Of its bytes. */
  digest: text,
  name: text,
  content_type: text,
  /** In bytes. */
  size: int(0),
  /** Of an image, in pixels. */
  width: optional(int(1)),
  height: optional(int(1)),
});
export type FileRecord = ReturnType<typeof fileRecord>;
const fileTable = defineTable('files', fileRecord, ({ id }) => id, { bytes: ({ digest }) => digest });

/** Bytes by their digest, in base64: equal files have them once. */
const fileBytesTable = defineTable('fileBytes', object({ digest: text, base64: string }), ({ digest }) => digest, {});

/** Files that no event names yet, and when each of them goes. */
const temporaryFileTable = defineTable('temporaryFiles', object({ id: text, expires: moment }), ({ id }) => id, {});

export const fileTables = [fileTable, fileBytesTable, temporaryFileTable];

const LIFETIME = DAY;

/** Keeps a file for a day, or for as long as an event names it. */
export function addFile(
  { license, ids }: LicenseContext,
  given: Omit<FileRecord, 'id' | 'digest' | 'size'>,
  bytes: Uint8Array,
): FileRecord {
  const file: FileRecord = { ...given, id: ids.object(), digest: sha256Hex(bytes), size: bytes.byteLength };
  fileTable.of(license).set(file);
  if (fileBytesTable.of(license).get(file.digest) === undefined)
    fileBytesTable.of(license).set({ digest: file.digest, base64: Buffer.from(bytes).toString('base64') });
  temporaryFileTable.of(license).set({ id: file.id, expires: license.history.now + LIFETIME });
  return file;
}

/** Removes a file, and its bytes unless another file has the same. */
function dropFile(license: EmulatedLicense, id: string): void {
  const file = fileTable.of(license).get(id);
  if (file === undefined) return;
  fileTable.of(license).delete(id);
  temporaryFileTable.of(license).delete(id);
  if (fileTable.of(license).where('bytes', file.digest).length === 0) fileBytesTable.of(license).delete(file.digest);
}

/** Removes the files whose day is over and which no event names. */
export function dropExpiredFiles({ license }: LicenseContext): void {
  for (const { id, expires } of temporaryFileTable.of(license).all())
    if (expires <= license.history.now) dropFile(license, id);
}

/** The path of a file on the emulator. Records hold no origin: it is another one after a restart. */
export const filePath = ({ id }: FileRecord): string => `/v3.7/files/content?id=${id}`;

function parsed(url: string): URL | undefined {
  try {
    return new URL(url, 'http://localhost');
  } catch {
    return undefined;
  }
}

/** The file at a URL of this license, whatever its origin. */
export function fileAt(license: EmulatedLicense, url: string): FileRecord | undefined {
  const found = parsed(url);
  const file = fileTable.of(license).get(found?.searchParams.get('id') ?? '');
  return file !== undefined && found?.pathname === parsed(filePath(file))?.pathname ? file : undefined;
}

/** The type and the bytes of a file. */
export function fileContent(
  license: EmulatedLicense,
  id: string,
): { readonly type: string; readonly bytes: Uint8Array } {
  const file = fileTable.of(license).get(id);
  const kept = file && fileBytesTable.of(license).get(file.digest);
  if (file === undefined || kept === undefined)
    return refuse('not_found', 'there is no such file: a file that no event names is gone after 24 hours');
  return { type: file.content_type, bytes: Buffer.from(kept.base64, 'base64') };
}

/** URLs of the files that an event shows: its own, and the images of its cards. */
function urlsIn({ type, content }: Pick<EventRecord, 'type' | 'content'>): readonly unknown[] {
  if (type === 'file') return [content['url']];
  const { elements } = content;
  if (type !== 'rich_message' || !Array.isArray(elements)) return [];
  return elements.map((element: unknown) => {
    const image = isObject(element) ? element['image'] : undefined;
    return isObject(image) ? image['url'] : undefined;
  });
}

const filesIn = (license: EmulatedLicense, event: Pick<EventRecord, 'type' | 'content'>): readonly FileRecord[] =>
  urlsIn(event).flatMap((url) => (typeof url === 'string' ? (fileAt(license, url) ?? []) : []));

/** Keeps the files of an event for as long as the license lasts. */
export function keepFiles(license: EmulatedLicense, event: Pick<EventRecord, 'type' | 'content'>): void {
  for (const { id } of filesIn(license, event)) temporaryFileTable.of(license).delete(id);
}

/** Removes the files of an event whose content is removed. */
export function dropFiles(license: EmulatedLicense, event: Pick<EventRecord, 'type' | 'content'>): void {
  for (const { id } of filesIn(license, event)) dropFile(license, id);
}

/** Refuses a state that has a file without its bytes. */
export function checkFiles(license: EmulatedLicense): void {
  for (const file of fileTable.of(license).all())
    if (fileBytesTable.of(license).get(file.digest) === undefined) refuse('validation', `file ${file.id} has no bytes`);
  for (const { id } of temporaryFileTable.of(license).all())
    if (fileTable.of(license).get(id) === undefined) refuse('validation', `temporary file ${id} does not exist`);
}
