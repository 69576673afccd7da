// Uploads: the action that takes a file, and the API that serves files back. Specification: "Events", upload_file; "Limits".

import { isObject } from '../../base/json.ts';
import { addFile, fileContent, filePath } from '../chats/files.ts';
import type { EmulatedApi } from '../engine/api.ts';
import { readMultipart } from '../engine/body.ts';
import { refuse } from '../engine/refusal.ts';
import { type JsonReader, object, quoted, text } from '../engine/shape.ts';
import { queryOf, type WireRequest } from '../engine/wire.ts';
import { type CustomerKind, writeAction } from './action.ts';
import { type CustomerSettings, has } from './settings.ts';

/** A file as a form carries it. */
interface UploadedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** What a form has around its file, in bytes. */
const MARGIN = 64 * 1024;

/** The form of an upload in the shape of a body: its texts, and its files with their bytes. */
export async function readUpload(request: WireRequest, { limits }: CustomerSettings): Promise<object> {
  const form = await readMultipart(request, limits.uploadBytes === -1 ? -1 : limits.uploadBytes + MARGIN);
  const parts = Array.from(form, async ([name, part]): Promise<readonly [string, string | UploadedFile]> => {
    if (typeof part === 'string') return [name, part];
    return [name, { name: part.name, type: part.type, bytes: new Uint8Array(await part.arrayBuffer()) }];
  });
  return Object.fromEntries(await Promise.all(parts));
}

const file: JsonReader<UploadedFile> = (value, path) => {
  if (value === undefined) return refuse('validation', `${quoted(path)} is required`);
  if (!isObject(value) || !(value['bytes'] instanceof Uint8Array))
    return refuse('validation', `${quoted(path)} must be a file`);
  const { name, type, bytes } = value;
  // A browser may send the path of the file on its machine.
  const [last = ''] = String(name).split(/[/\\]/).reverse();
  if (last === '') return refuse('validation', `${quoted(path)} must have a file name`);
  return { name: last, type: type === '' ? 'application/octet-stream' : String(type), bytes };
};

/** How names of programs, of installers, and of scripts that a system runs end. */
const EXECUTABLE_NAMES = new Set(
  'apk app bat cmd com cpl deb dll dmg exe hta jar js jse msi msp pif pkg ps1 reg rpm run scr sh sys vb vbe vbs wsf wsh'.split(
    ' ',
  ),
);
/** How programs begin: Windows, Linux, macOS (both byte orders and both sizes, and several in one), and scripts with an interpreter. */
const EXECUTABLE_BEGINNINGS = ['4d5a', '7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe', '2321'];

function isExecutable({ name, bytes }: UploadedFile): boolean {
  const beginning = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  // Windows ignores dots and blanks at the end of a name.
  const [, extension = ''] = /\.([^.]+?)[. ]*$/.exec(name.toLowerCase()) ?? [];
  return EXECUTABLE_NAMES.has(extension) || EXECUTABLE_BEGINNINGS.some((magic) => beginning.startsWith(magic));
}

const actions = [
  writeAction('upload_file', object({ file }), {
    isForm: true,
    run: ({ file }, context) => {
      const { version, settings, caller } = context;
      const { uploadBytes } = settings.limits;
      const { name, type: content_type, bytes } = file;
      if (uploadBytes !== -1 && bytes.byteLength > uploadBytes)
        refuse('entity_too_large', `${quoted('file')} must have at most ${uploadBytes} bytes`);
      if (has('refusedExecutables', version) && isExecutable(file))
        refuse('validation', `${quoted('file')} must not be executable`);
      const added = addFile(context, { name, content_type, ...imageSize(bytes) }, bytes);
      return { url: caller.origin + filePath(added) };
    },
  }),
];

export const uploadActionKind = { tables: [], actions } satisfies CustomerKind;

/** Where files are read: their URLs need no token. */
export const fileApi = {
  path: 'files',
  prefix: 'files/',
  versions: ['3.7'],
  settings: {},
  kinds: [],
  actions: [
    {
      name: 'content',
      versions: ['3.7'],
      methods: ['GET'],
      effect: 'read',
      reply: 'bytes',
      run: (body, { license }) => fileContent(license, object({ id: text })(body, '').id),
    },
  ],
  isRegional: () => false,
  authenticate: () => null,
  read: async (request: WireRequest) => Object.fromEntries(queryOf(request)),
} satisfies EmulatedApi;

/** In pixels. */
interface ImageSize {
  readonly width: number;
  readonly height: number;
}

type SizeReader = (bytes: Buffer) => ImageSize | undefined;

const isAt = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));

/** W3C PNG, 11.2.2: IHDR is the first chunk. */
const png: SizeReader = (bytes) => {
  if (bytes.length < 24 || !isAt(bytes, 0, '\x89PNG\r\n\x1a\n') || !isAt(bytes, 12, 'IHDR')) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
};

const gif: SizeReader = (bytes) => {
  if (bytes.length < 10 || !(isAt(bytes, 0, 'GIF87a') || isAt(bytes, 0, 'GIF89a'))) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
};

/** Markers C0 to CF begin a frame, but for tables (C4, CC) and an extension (C8). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** ITU T.81, annex B: segments, each with its length, until the one that begins a frame. */
const jpeg: SizeReader = (bytes) => {
  if (!isAt(bytes, 0, '\xff\xd8')) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    // Fill bytes may precede a marker; the pixels follow SOS, and a frame never comes after them.
    if (marker === 0xff) at += 1;
    else if (marker === 0xda || marker === 0xd9) return undefined;
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
};

/** RFC 9649: a lossy picture, a lossless one, or an extended file that says its canvas. */
const webp: SizeReader = (bytes) => {
  if (bytes.length < 25 || !isAt(bytes, 0, 'RIFF') || !isAt(bytes, 8, 'WEBP')) return undefined;
  if (isAt(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (bytes.length < 30) return undefined;
  if (isAt(bytes, 12, 'VP8X')) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (!isAt(bytes, 12, 'VP8 ') || !isAt(bytes, 23, '\x9d\x01\x2a')) return undefined;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
};

/** Undefined for bytes that are none of these images. */
export function imageSize(content: Uint8Array): ImageSize | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  for (const read of [png, gif, jpeg, webp]) {
    const size = read(bytes);
    if (size !== undefined && size.width > 0 && size.height > 0) return size;
  }
  return undefined;
}
