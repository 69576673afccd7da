// HTTPS with a certificate of our own: only clients that were given it trust it.

import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, createIdentity, listen } from '../../src/emulator/index.ts';
import { seededRandom } from './caller.ts';

const PATH = '/v3.6/configuration/action/list_groups';
const INIT = {
  method: 'POST',
  headers: { authorization: 'Bearer dal:token', 'content-type': 'application/json' },
  body: '{}',
} as const;

async function served(host = '127.0.0.1') {
  const tls = createIdentity({ now: Date.now(), host });
  const emulator = createEmulator({ now: Date.now, random: seededRandom(1) });
  const { url, close } = await listen(emulator, { port: 0, host, tls });
  return { url, close, port: new URL(url).port, ca: tls.certificate };
}

function post(url: string, ca: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const { method, headers, body } = INIT;
    const sent = httpsRequest(
      url,
      { method, headers, agent: false, ...(ca === undefined ? {} : { ca }) },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve(text));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

test.each(['127.0.0.1', 'localhost'])(
  'The https of Node that trusts the certificate is answered at %s',
  async (name) => {
    const { url, port, ca, close } = await served();
    expect(url).toBe(`https://127.0.0.1:${port}`);
    expect(await post(`https://${name}:${port}${PATH}`, ca)).toContain('"General"');
    await close();
  },
);

test('undici that trusts the certificate is answered, over one connection', async () => {
  const { url, ca, close } = await served();
  const dispatcher = new Agent({ connect: { ca }, connections: 1 });
  onTestFinished(() => dispatcher.close());
  for (let requests = 0; requests < 3; requests += 1) {
    const { statusCode, body } = await request(`${url}${PATH}`, { ...INIT, dispatcher });
    expect([statusCode, await body.json()]).toEqual([200, [expect.objectContaining({ name: 'General' })]]);
  }
  await close();
});

test('A client that does not trust the certificate, or trusts that of another emulator, gets nothing', async () => {
  const [{ url, close }, other] = [await served(), await served()];
  await expect(post(url + PATH, undefined)).rejects.toThrow(/self-signed/);
  await expect(post(url + PATH, other.ca)).rejects.toThrow(/certificate/);
  await Promise.all([close(), other.close()]);
});

test('A connection without TLS is cut off, and no other client notices', async () => {
  const { url, port, ca, close } = await served();
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket.resume(), 'close');
  expect(await post(url + PATH, ca)).toContain('"General"');
  await close();
});

test('Closing ends connections that asked nothing, before TLS and after it', async () => {
  const { port, ca, close } = await served();
  const bare = connect(Number(port), '127.0.0.1').on('error', () => {});
  await once(bare, 'connect');
  const secure = connectTls({ host: '127.0.0.1', port: Number(port), ca }).on('error', () => {});
  await once(secure, 'secureConnect');
  const ended = Promise.all([once(bare.resume(), 'close'), once(secure.resume(), 'close')]);
  await close();
  await ended;
});

const NOW = Date.UTC(2026, 10, 21, 9, 8, 7, 654);

test.each(['127.0.0.1', 'emulator.example', '192.168.7.9', 'fe80::12:1', '2001:db8:1:2:3:4:5:6'])(
  'The certificate for %s has that name and those of this machine, and no other',
  (host) => {
    const certificate = new X509Certificate(createIdentity({ now: NOW, host }).certificate);
    const names = [host, 'localhost', '127.0.0.1', '::1'];
    const found = names.map((name) => certificate.checkHost(name) ?? certificate.checkIP(name));
    expect(found).toEqual(names);
    expect([certificate.checkHost('example.com'), certificate.checkIP('127.0.0.2')]).toEqual([undefined, undefined]);
  },
);

test('The certificate is valid from now on for 397 days, signed by its own key, and no authority over others', () => {
  const identity = createIdentity({ now: NOW, host: '127.0.0.1' });
  const certificate = new X509Certificate(identity.certificate);
  expect(Date.parse(certificate.validFrom)).toBe(Date.UTC(2026, 10, 21, 9, 8, 7));
  expect(Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)).toBe(397 * 86_400_000);
  expect([certificate.verify(certificate.publicKey), certificate.ca]).toEqual([true, false]);
  expect(certificate.issuer).toBe(certificate.subject);
});

test('Every identity has a key and a number of its own', () => {
  const [one, other] = [createIdentity({ now: NOW, host: '::1' }), createIdentity({ now: NOW, host: '::1' })];
  expect(one.key).not.toBe(other.key);
  const [first, second] = [new X509Certificate(one.certificate), new X509Certificate(other.certificate)];
  expect(first.serialNumber).not.toBe(second.serialNumber);
});
