// Values come in, their DER goes out: each a tag, a length and the content. Must not know what is written with it. X.690.

/** A value of any tag around its content. */
export function tagged(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag), lengthOf(bytes.length), bytes]);
}

/** Below 128 one byte; above, the number of bytes that follow and then these. */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes = bigEndian(length);
  return Buffer.of(0x80 | bytes.length, ...bytes);
}

function bigEndian(value: number): readonly number[] {
  return value < 0x100 ? [value] : [...bigEndian(Math.floor(value / 0x100)), value % 0x100];
}

export const sequence = (...of: readonly Uint8Array[]): Buffer => tagged(0x30, ...of);
export const set = (...of: readonly Uint8Array[]): Buffer => tagged(0x31, ...of);
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.of(value ? 0xff : 0));
export const octets = (bytes: Uint8Array): Buffer => tagged(0x04, bytes);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));

/** A number that is not negative, from its bytes: the shortest form, with a zero where the first bit would be a sign. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.of(0) : bytes.subarray(first);
  return tagged(0x02, (digits[0] ?? 0) >= 0x80 ? Buffer.of(0) : Buffer.of(), digits);
}

/** Whole bytes, of which no bit is unused. */
export const bits = (bytes: Uint8Array): Buffer => tagged(0x03, Buffer.of(0), bytes);

/** From its dotted form. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...others].flatMap(base128)));
}

/** Seven bits to a byte, of which all but the last have the eighth set. */
function base128(value: number): readonly number[] {
  const higher = (rest: number): readonly number[] =>
    rest === 0 ? [] : [...higher(Math.floor(rest / 0x80)), 0x80 | (rest % 0x80)];
  return [...higher(Math.floor(value / 0x80)), value % 0x80];
}

/** A moment in whole seconds: with two digits of the year until 2049, and with four from 2050, as RFC 5280 wants it. */
export function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\.\d+|[-:T]/g, '');
  return digits < '2050' ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}
