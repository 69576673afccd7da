// A moment and an address come in, a new private key and a certificate that it signed itself go out. Must not know who serves with them.
// RFC 5280.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { bits, boolean, integer, objectId, octets, sequence, set, tagged, time, utf8 } from './der.ts';

/** Both in PEM. */
export interface Identity {
  readonly key: string;
  readonly certificate: string;
}

/** Names of this machine, which a certificate always has. */
const HERE = ['localhost', '127.0.0.1', '::1'];
/** There are clients that take nothing that is valid for more than 398 days. */
const VALID = 397 * 86_400_000;

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
 * An identity of this machine, and of `host` where that is another name or address of it, from `now` on. It is no certificate authority:
 * whoever trusts it trusts this server and nothing else. Key usage is left out, because some clients would take it for a reason to look
 * for another issuer.
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
