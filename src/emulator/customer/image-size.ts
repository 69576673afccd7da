// Width and height of images, read from their bytes: PNG, GIF, JPEG and WebP. Decodes no picture.

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
