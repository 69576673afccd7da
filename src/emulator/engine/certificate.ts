// A self-signed certificate of this machine, and the DER that it is written in. Knows no server. RFC 5280, X.690.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { DAY } from '../../base/zone.ts';

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

/** Both in PEM. */
export interface Identity {
  readonly key: string;
  readonly certificate: string;
}

/** Names of this machine, which a certificate always has. */
const HERE = ['localhost', '127.0.0.1', '::1'];
/** Some clients accept no certificate that is valid for more than 398 days. */
const VALID = 397 * DAY;

const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const SERVER_AUTHENTICATION = objectId('1.3.6.1.5.5.7.3.1');
/** `[0]` is the field "version", in which 2 is the third; `[3]` are the extensions. */
const VERSION_3 = tagged(0xa0, integer(Buffer.of(2)));
const extensions = (...of: readonly Buffer[]): Buffer => tagged(0xa3, sequence(...of));

const named = (commonName: string): Buffer => sequence(set(sequence(objectId('2.5.4.3'), utf8(commonName))));

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [zoneless = ''] = address.split('%');
  const [head = '', tail = ''] = new URL(`http://[${zoneless}]`).hostname.slice(1, -1).split('::');
  const words = (half: string): readonly number[] =>
    half === '' ? [] : half.split(':').map((word) => Number.parseInt(word, 16));
  const [first, last] = [words(head), words(tail)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return Buffer.from([...first, ...zeros, ...last].flatMap((word) => [word >> 8, word & 0xff]));
}

/** `[2]` is a name of the DNS, `[7]` an address. */
function alternative(host: string): Buffer {
  return isIP(host) === 0 ? tagged(0x82, Buffer.from(host)) : tagged(0x87, addressBytes(host));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/**
 * An identity of this machine, and of `host` where that is another name or address of it, from `now` on. It is no certificate
 * authority: a client that trusts it trusts this server and nothing else. It has no key usage, because with one some clients look for
 * another issuer.
 */
export function createIdentity({ now, host }: { readonly now: number; readonly host: string }): Identity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const whose = named('chatform emulator');
  const alternatives = [...new Set([...HERE, host])].map(alternative);
  const signed = sequence(
    VERSION_3,
    integer(randomBytes(16)),
    ECDSA_WITH_SHA256,
    whose,
    sequence(time(now), time(now + VALID)),
    whose,
    keyInfo,
    extensions(
      sequence(objectId('2.5.29.17'), octets(sequence(...alternatives))),
      sequence(objectId('2.5.29.19'), boolean(true), octets(sequence())),
      sequence(objectId('2.5.29.37'), octets(sequence(SERVER_AUTHENTICATION))),
      sequence(objectId('2.5.29.14'), octets(octets(createHash('sha256').update(keyInfo).digest().subarray(0, 20)))),
    ),
  );
  const signature = sign('sha256', signed, privateKey);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem(sequence(signed, ECDSA_WITH_SHA256, bits(signature))),
  };
}
