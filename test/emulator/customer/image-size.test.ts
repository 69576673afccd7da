import fc from 'fast-check';
import { expect, test } from 'vitest';
import { imageSize } from '../../../src/emulator/customer/upload.ts';
import { tries } from '../../tries.ts';
import { IMAGES, PNG } from './images.ts';

test.each(IMAGES)('The size of an image is read: %s', (_, bytes) => {
  expect(imageSize(bytes)).toEqual({ width: 300, height: 7 });
});

test('Bytes within a larger memory are read from their own beginning', () => {
  const memory = new Uint8Array(PNG.length + 20);
  memory.set(PNG, 11);
  expect(imageSize(memory.subarray(11, 11 + PNG.length))).toEqual({ width: 300, height: 7 });
});

test.each([
  ['no bytes', ''],
  ['text', 'hello, this is only text and not an image'],
  ['a JPEG without a frame', '\xff\xd8\xff\xe0\x00\x04ab\xff\xda\x00\x08\xff\xc0\x00\x11\x08\x00\x07\x01\x2c'],
  ['a JPEG that ends', '\xff\xd8\xff\xe0\x00\x04ab\xff\xd9\xff\xc0\x00\x11\x08\x00\x07\x01\x2c'],
  ['an image without width', 'GIF89a\x00\x00\x07\x00'],
  [
    'a WebP without its start code',
    'RIFF\x22\x00\x00\x00WEBPVP8 \x15\x00\x00\x00\x00\x00\x00\x9d\x01\x2b\x2c\x01\x07\x00',
  ],
  ['another RIFF file', 'RIFF\x22\x00\x00\x00WAVEVP8L\x15\x00\x00\x00\x2f\x2b\x81\x01\x00'],
])('%s has no size', (_, text) => {
  expect(imageSize(Buffer.from(text, 'latin1'))).toBeUndefined();
});

test('A JPEG may have fill bytes before a marker', () => {
  const filled = Buffer.from('\xff\xd8\xff\xff\xff\xc0\x00\x11\x08\x00\x07\x01\x2c', 'latin1');
  expect(imageSize(filled)).toEqual({ width: 300, height: 7 });
});

const damaged = fc.tuple(
  fc.constantFrom(...IMAGES),
  fc.nat(),
  fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 }),
);

test('An image that was cut off or damaged is read without an error, and never with a size of nothing', () => {
  fc.assert(
    fc.property(damaged, ([[, whole], length, changes]) => {
      const bytes = whole.slice(0, length % (whole.length + 1));
      for (const [at, value] of changes) bytes[at % (bytes.length + 1)] = value;
      const size = imageSize(bytes);
      if (size !== undefined) expect(Math.min(size.width, size.height)).toBeGreaterThan(0);
    }),
    { numRuns: tries(20_000, 500) },
  );
});
