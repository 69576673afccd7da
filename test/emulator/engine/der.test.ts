import { expect, test } from 'vitest';
import {
  bits,
  boolean,
  integer,
  objectId,
  octets,
  sequence,
  tagged,
  time,
  utf8,
} from '../../../src/emulator/engine/certificate.ts';

const hex = (der: Buffer): string => der.toString('hex');

test.each([
  [0, '0400'],
  [127, '047f'],
  [128, '048180'],
  [255, '0481ff'],
  [256, '04820100'],
  [65_536, '0483010000'],
])('The length of %i bytes is written in as few bytes as can be', (length, expected) => {
  const der = octets(Buffer.alloc(length));
  expect(der.length).toBe(expected.length / 2 + length);
  expect(hex(der)).toMatch(new RegExp(`^${expected}(00)*$`));
});

test.each([
  ['', '020100'],
  ['00', '020100'],
  ['02', '020102'],
  ['7f', '02017f'],
  ['80', '02020080'],
  ['000080', '02020080'],
  ['00007f01', '02027f01'],
])('The number with the bytes %j is never negative and has no byte too many', (bytes, expected) => {
  expect(hex(integer(Buffer.from(bytes, 'hex')))).toBe(expected);
});

test.each([
  ['2.5.29.17', '0603551d11'],
  ['1.2.840.10045.4.3.2', '06082a8648ce3d040302'],
  ['1.3.6.1.4.1.128.16383.16384', '060c2b060104018100ff7f818000'],
])('The object id %s is written as X.690 has it', (dotted, expected) => {
  expect(hex(objectId(dotted))).toBe(expected);
});

test.each([
  ['1970-01-01T00:00:00.000Z', 0x17, '700101000000Z'],
  ['2026-11-21T09:08:07.999Z', 0x17, '261121090807Z'],
  ['2049-12-31T23:59:59.000Z', 0x17, '491231235959Z'],
  ['2050-01-01T00:00:00.000Z', 0x18, '20500101000000Z'],
])('The moment %s is written in whole seconds, in the form of its century', (moment, tag, text) => {
  expect(time(Date.parse(moment))).toEqual(tagged(tag, Buffer.from(text)));
});

test('Values stand in each other', () => {
  expect(hex(sequence(boolean(true), boolean(false), utf8('é'), bits(Buffer.of(5))))).toBe(
    '300e0101ff0101000c02c3a903020005',
  );
});
