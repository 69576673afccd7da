// A file that a request carries, and its multipart form as a stream. Specification: "Upload File"; RFC 7578.

import { randomUUID } from 'node:crypto';
import { UsageError } from '../base/errors.ts';
import { counted } from '../base/text.ts';

type ByteStream = AsyncIterable<Uint8Array | string>;

/** A file as a caller has it. */
export interface FileContent {
  /** A stream, such as a `Readable`, can be read once; a function opens another one for each attempt. */
  readonly content: Uint8Array | Blob | ByteStream | (() => ByteStream);
  readonly name: string;
  /** Content type, such as `image/png`. */
  readonly type: string;
  /** Bytes of a stream. With it, the stream is sent while it is read; without it, the stream is read before anything is sent. */
  readonly size?: number;
}

/** A file that is small enough to be sent. */
export interface Upload {
  readonly name: string;
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Called for each attempt. */
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Its content can be read once only, so it is sent once only. */
  readonly isReadOnce?: true;
}

/** Multipart form data with one file. */
export interface Form {
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: AsyncIterable<Uint8Array>;
}

const MEGABYTE = 1024 * 1024;

/** @throws UsageError for a file of more than `mostBytes`, or without a size that a request can state */
export async function uploadOf({ content, name, type, size }: FileContent, mostBytes: number): Promise<Upload> {
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[\x20-\x7e]*)?$/.test(type))
    throw new UsageError(`the file ${name} needs a content type such as image/png, and \`${type}\` is none`);
  const known = { name, type };
  if (content instanceof Uint8Array)
    return small({ ...known, size: content.byteLength, read: () => once(content) }, mostBytes);
  if (content instanceof Blob) return small({ ...known, size: content.size, read: () => content.stream() }, mostBytes);
  const isReopened = typeof content === 'function';
  const open = isReopened ? content : () => content;
  if (size === undefined) {
    const bytes = await gathered(open(), mostBytes);
    if (bytes === null) throw tooLarge(name, mostBytes);
    return { ...known, size: bytes.byteLength, read: () => once(bytes) };
  }
  if (!Number.isSafeInteger(size) || size < 0)
    throw new UsageError(`the size of the file ${name} must be a whole number of bytes`);
  const read = () => exactly(open(), size, name);
  return small({ ...known, size, read, ...(isReopened ? {} : { isReadOnce: true }) }, mostBytes);
}

function small(upload: Upload, mostBytes: number): Upload {
  if (upload.size > mostBytes) throw tooLarge(upload.name, mostBytes);
  return upload;
}

function tooLarge(name: string, mostBytes: number): UsageError {
  return new UsageError(`the file ${name} is too large: the service takes ${mostBytes / MEGABYTE} MB at most`);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** All bytes of a stream; null as soon as there are more than `most`, and the stream is closed then. */
async function gathered(stream: ByteStream, most: number): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > most) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** The stream, which fails where it does not have the size that was stated: the request would not end otherwise. */
async function* exactly(stream: ByteStream, size: number, name: string): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    sent += bytes.byteLength;
    if (sent > size) throw new Error(`the file ${name} has more than the ${counted(size, 'byte')} that were stated`);
    yield bytes;
  }
  if (sent < size) throw new Error(`the file ${name} has ${sent} of the ${counted(size, 'byte')} that were stated`);
}

/** The form whose member `member` is the file. */
export function formOf(member: string, { name, type, size, read }: Upload): Form {
  const boundary = `chatform-${randomUUID()}`;
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="${quotable(member)}"; filename="${quotable(name)}"\r\ncontent-type: ${type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* read();
    yield tail;
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.byteLength + size + tail.byteLength),
    },
    stream: stream(),
  };
}

/** As browsers write a name inside quotes. */
function quotable(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
