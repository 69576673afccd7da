// Attacks on a server of the emulator by a web page in a browser on the same machine, and by other machines.

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createEmulator, type ListenOptions, listen, withControl } from '../../src/emulator/index.ts';
import { chatform, folder } from '../cli/chatform.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function served(more: Partial<ListenOptions> = {}) {
  const emulator = createEmulator({ now: Date.now, random: () => 0.5 });
  const { host = '127.0.0.1' } = more;
  const steered = withControl(emulator, host === '127.0.0.1' ? {} : { token: 'a-token-of-the-test' });
  const server = await listen(steered, { port: 0, host, ...more });
  closers.push(server.close);
  const { port } = new URL(server.url);
  /** The status line of the answer to a request with exactly these headers. */
  const says = async (line: string, headers: readonly string[], body = '{"name":"G"}'): Promise<string> => {
    const socket = connect(Number(port), '127.0.0.1');
    const lines = [
      `${line} HTTP/1.1`,
      'Authorization: Bearer any',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
      ...headers,
    ];
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    await once(socket, 'close');
    return heard;
  };
  const groups = (): number => JSON.stringify(emulator.snapshot()).split('"G"').length - 1;
  return { says, groups, port };
}

const CREATE = 'POST /v3.6/configuration/action/create_group';
const OWN = 'Host: localhost:8080';
const BODY = '{"name":"G","agent_priorities":{}}';

describe('the place that a request names', () => {
  test.each([
    ['a page whose name leads here', CREATE, ['Host: evil.example']],
    ['the same with the port', CREATE, ['Host: evil.example:8080']],
    ['a name that begins like this machine', CREATE, ['Host: localhost.evil.example']],
    ['a name that begins like an address', CREATE, ['Host: 127.0.0.1.evil.example']],
    ['a name that ends like this machine', CREATE, ['Host: evillocalhost']],
    ['another address', CREATE, ['Host: 10.1.2.3']],
    ['another address of version 6', CREATE, ['Host: [2001:db8::1]:8080']],
    ['a target in absolute form', 'POST http://evil.example/v3.6/configuration/action/create_group', [OWN]],
    ['a reading of the control API', 'GET /_emulator/snapshot', ['Host: evil.example']],
    ['a reading of the API', 'GET /v3.7/customer/action/get_dynamic_configuration', ['Host: evil.example']],
  ])('%s is refused', async (_, line, headers) => {
    const { says, groups } = await served();
    const answer = await says(line, headers, BODY);
    expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*does not answer to the name .*: start it with --allow-host /);
    expect(groups()).toBe(0);
  });

  test.each([
    ['two of them', [OWN, 'Host: evil.example']],
    ['the same one twice', [OWN, OWN]],
    ['two in different spellings', ['host: evil.example', 'HOST: localhost']],
    ['one with a user name', ['Host: localhost@evil.example']],
    ['one with two ports', ['Host: localhost:80:80']],
    ['an empty one', ['Host: ']],
  ])('%s: 400', async (_, headers) => {
    const { says, groups } = await served();
    expect(await says(CREATE, headers, BODY)).toMatch(/^HTTP\/1\.1 400 /);
    expect(groups()).toBe(0);
  });

  test.each(['localhost', 'LOCALHOST:1', 'shop.localhost', '127.0.0.1', '127.8.8.8:80', '[::1]:8080', 'localhost.'])(
    '%s is this machine',
    async (host) => {
      const { says, groups } = await served();
      expect(await says(CREATE, [`Host: ${host}`], BODY)).toMatch(/^HTTP\/1\.1 200 /);
      expect(groups()).toBe(1);
    },
  );

  test('Names that are allowed, and the address that a server listens on, are answered', async () => {
    const { says, groups } = await served({ host: '0.0.0.0', allowedHosts: ['Emulator', 'ci.example'] });
    for (const host of ['emulator:8080', 'ci.example', '0.0.0.0'])
      expect([host, await says(CREATE, [`Host: ${host}`], BODY)]).toEqual([
        host,
        expect.stringMatching(/^HTTP\/1\.1 200 /),
      ]);
    expect(await says(CREATE, ['Host: x.ci.example'], BODY)).toMatch(/^HTTP\/1\.1 403 /);
    expect(groups()).toBe(3);
  });
});

describe('a page of another origin', () => {
  const PAGES = [
    ['a page elsewhere', ['Origin: https://evil.example']],
    ['a page of another port of this machine', ['Origin: http://localhost:3000', 'Sec-Fetch-Site: same-site']],
    ['a page in a sandbox', ['Origin: null']],
    ['a page that hides its origin', ['Sec-Fetch-Site: cross-site']],
    ['a page over another scheme', ['Origin: https://localhost:8080']],
  ] as const;

  test.each(PAGES)('%s writes nothing', async (_, headers) => {
    const { says, groups } = await served();
    expect(await says(CREATE, [OWN, ...headers], BODY)).toMatch(/^HTTP\/1\.1 403 [\s\S]*see --allow-origin/);
    expect(groups()).toBe(0);
  });

  test.each(PAGES)('%s gets nothing from the control API', async (_, headers) => {
    const { says } = await served();
    for (const line of ['GET /_emulator/snapshot', 'POST /_emulator/reset', 'POST /_emulator/seed'])
      expect([line, await says(line, [OWN, ...headers], '{}')]).toEqual([
        line,
        expect.stringMatching(/^HTTP\/1\.1 403 /),
      ]);
  });

  test.each([
    ['a program', []],
    ['a page of the emulator itself', ['Origin: http://localhost:8080']],
    ['the same behind a proxy, as its browser says', ['Origin: http://localhost:3000', 'Sec-Fetch-Site: same-origin']],
    ['the address bar', ['Sec-Fetch-Site: none']],
  ])('%s writes', async (_, headers) => {
    const { says, groups } = await served();
    expect(await says(CREATE, [OWN, ...headers], BODY)).toMatch(/^HTTP\/1\.1 200 /);
    expect(groups()).toBe(1);
  });

  test('An origin that is allowed writes, and does not steer', async () => {
    const { says, groups } = await served({ allowedOrigins: ['http://localhost:3000'] });
    const page = [OWN, 'Origin: http://localhost:3000', 'Sec-Fetch-Site: same-site'];
    expect(await says(CREATE, page, BODY)).toMatch(/^HTTP\/1\.1 200 /);
    expect(groups()).toBe(1);
    expect(await says('POST /_emulator/reset', page, '{}')).toMatch(/^HTTP\/1\.1 403 /);
    expect(groups()).toBe(1);
  });
});

describe('the control API', () => {
  const TOKEN = 'a-token-of-20-letter';
  const steer = (token: string | null, more: object = {}) => {
    const emulator = createEmulator({ now: Date.now, random: () => 0.5, settings: { limits: { bodyBytes: 100 } } });
    const headers = { 'content-type': 'application/json', ...(token === null ? {} : { authorization: token }) };
    const asked = { method: 'POST', headers, body: '{"advance":1}', ...more };
    return withControl(emulator, { token: TOKEN }).fetch(new Request('http://emulator/_emulator/clock', asked));
  };

  test.each([null, 'Bearer any', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, 'Bearer '])(
    'With a token, %j is refused',
    async (token) => {
      expect((await steer(token)).status).toBe(401);
    },
  );

  test('With a token, that token is taken', async () => {
    expect((await steer(`Bearer ${TOKEN}`)).status).toBe(200);
  });

  test.each(['0.0.0.0', '::', '', '192.0.2.1', 'emulator.example'])(
    'Without a token, a program cannot serve it on "%s"',
    async (host) => {
      const steered = withControl(createEmulator({ now: Date.now, random: () => 0.5 }));
      await expect(listen(steered, { port: 0, host })).rejects.toThrow('would let other machines change everything');
    },
  );

  test('A body has the limit of every other, whether or not it says how large it is', async () => {
    for (const length of [{}, { 'content-length': '1000000' }]) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}`, ...length };
      const reply = await steer(null, { headers, body: `{"advance":${'1'.repeat(200)}}` });
      expect([reply.status, await reply.text()]).toEqual([413, expect.stringContaining('at most 100 bytes')]);
    }
  });

  test.each([
    [['--control', '--host', '0.0.0.0'], '--control on 0.0.0.0 would let other machines change everything'],
    [['--control', '--host', '::'], '--control on :: would let other machines change everything'],
    [['--control-token-env', 'SHORT'], 'variable SHORT must hold a token of at least 16 characters'],
    [['--control-token-env', 'ABSENT'], 'variable ABSENT must hold a token of at least 16 characters'],
    [['--allow-origin', 'localhost:3000'], '--allow-origin localhost:3000 is not an origin'],
    [['--allow-origin', 'http://localhost:3000/'], 'is not an origin'],
  ])('emulate %s is refused', async (args, why) => {
    const cwd = await folder();
    const { code, stderr } = await chatform(['emulate', '--port', '0', ...args], { cwd, env: { SHORT: 'short' } });
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
  });
});
