// HTTPS with a certificate that no authority signed: only clients that were given it trust it.

import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, listen } from '../../src/emulator/index.ts';
import { TLS } from '../certificates/tls.ts';
import { seededRandom } from './caller.ts';

const PATH = '/v3.6/configuration/action/list_groups';
const INIT = {
  method: 'POST',
  headers: { authorization: 'Bearer dal:token', 'content-type': 'application/json' },
  body: '{}',
} as const;

async function served() {
  const emulator = createEmulator({ now: Date.now, random: seededRandom(1) });
  const { url, close } = await listen(emulator, { port: 0, host: '127.0.0.1', tls: TLS });
  return { url, close, port: new URL(url).port, ca: TLS.cert };
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

test('A client that does not trust the certificate gets nothing', async () => {
  const { url, close } = await served();
  await expect(post(url + PATH, undefined)).rejects.toThrow(/self-signed/);
  await close();
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
