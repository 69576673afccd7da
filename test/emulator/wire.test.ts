// What goes over the connection itself, byte by byte.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { EmulatorOptions, Listening } from '../../src/emulator/index.ts';
import { createEmulator, listen } from '../../src/emulator/index.ts';
import { seededRandom } from './caller.ts';

async function served(options: Partial<EmulatorOptions> = {}): Promise<Listening> {
  const emulator = createEmulator({ now: () => 0, random: seededRandom(1), ...options });
  return listen(emulator, { port: 0, host: '127.0.0.1' });
}

interface Line {
  readonly socket: Socket;
  /** Resolves with all that came as soon as it matches; rejects when the connection is closed without it. */
  readonly says: (expected: RegExp) => Promise<string>;
  /** Resolves with all that ever came. */
  readonly closed: Promise<string>;
}

async function dial({ url }: Listening): Promise<Line> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let heard = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    heard += text;
  });
  // A server that gives up on a connection may reset it; what it said before is what counts.
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)));
  await once(socket, 'connect');
  const says = (expected: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (expected.test(heard)) resolve(heard);
      };
      socket.on('data', look);
      void closed.then(() => reject(new Error(`closed without ${expected}: ${heard}`)));
      look();
    });
  return { socket, says, closed };
}

/** A request with a body of these bytes; `headers` replace or, as null, take away. */
function bytes(action: string, body: string, headers: { readonly [name: string]: string | null } = {}): string {
  const all = {
    host: 'localhost',
    authorization: 'Bearer dal:token',
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]));
  const target = action.includes('://') ? action : `/v3.6/configuration/action/${action}`;
  return `POST ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

const CREATE = '{"id":"a","name":"A"}';
const CHUNKED = { 'content-length': null, 'transfer-encoding': 'chunked' };

test.each(['http', 'https'])('A request whose target is a whole %s URL is answered', async (scheme) => {
  const server = await served();
  const { socket, closed } = await dial(server);
  const target = `${scheme}://127.0.0.1:8080/v3.6/configuration/action/list_groups`;
  socket.write(bytes(target, '{}', { connection: 'close' }));
  expect(await closed).toMatch(/^HTTP\/1\.1 200 [\s\S]*"General"/);
  await server.close();
});

test('A connection is kept alive from one request to the next', async () => {
  const server = await served();
  const { socket, says } = await dial(server);
  socket.write(bytes('create_agent', CREATE));
  await says(/\{"id":"a"\}$/);
  socket.write(bytes('get_agent', '{"id":"a"}'));
  expect((await says(/"name":"A"/)).match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  await server.close();
});

test('A client of HTTP 1.0, which names no host, is answered and left', async () => {
  const server = await served();
  const { socket, closed } = await dial(server);
  socket.write(bytes('list_groups', '{}', { host: null }).replace('HTTP/1.1', 'HTTP/1.0'));
  expect(await closed).toMatch(/^HTTP\/1\.1 200 [\s\S]*"General"/);
  await server.close();
});

test('Requests that are sent without waiting are answered in their order', async () => {
  const server = await served();
  const { socket, closed } = await dial(server);
  const refused = bytes('get_agent', '{"id":"absent"}');
  const last = bytes('get_agent', '{"id":"a"}', { connection: 'close' });
  socket.write(bytes('create_agent', CREATE) + refused + bytes('list_groups', '{}') + last);
  const said = await closed;
  expect(said.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9))).toEqual(['200', '404', '200', '200']);
  expect(said).toMatch(/\{"id":"a"\}[\s\S]*"not_found"[\s\S]*"General"[\s\S]*"name":"A"/);
  await server.close();
});

test('A client that expects `100-continue` gets it, and then its answer', async () => {
  const server = await served();
  const { socket, says } = await dial(server);
  socket.write(bytes('create_agent', '', { 'content-length': String(CREATE.length), expect: '100-continue' }));
  expect(await says(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(CREATE);
  await says(/HTTP\/1\.1 200 OK[\s\S]*\{"id":"a"\}$/);
  await server.close();
});

test.each<[string, string, number]>([
  ['is no HTTP', 'hello\r\n\r\n', 400],
  ['has a header without a name', bytes('list_groups', '{}', { '': 'x' }), 400],
  ['has a header with a control character', bytes('list_groups', '{}', { 'x-any': 'a\u0001b' }), 400],
  ['has two lengths', bytes('list_groups', '{}', { 'transfer-encoding': 'chunked' }), 400],
  ['has a length that is no number', bytes('list_groups', '{}', { 'content-length': 'two' }), 400],
  ['has no Host', bytes('list_groups', '{}', { host: null }), 400],
  ['has a Host that is none', bytes('list_groups', '{}', { host: 'a b' }), 400],
  ['has a target that is neither a path nor a URL', bytes('ftp://x/', '{}'), 400],
  ['has a chunk without a size', bytes('create_agent', `zz\r\n${CREATE}\r\n0\r\n\r\n`, CHUNKED), 400],
  ['has a chunk longer than its size', bytes('create_agent', `2\r\n${CREATE}\r\n0\r\n\r\n`, CHUNKED), 400],
  ['has headers without end', bytes('list_groups', '{}', { 'x-any': 'x'.repeat(100_000) }), 431],
  ['expects what no server can do', bytes('list_groups', '{}', { expect: 'tea' }), 417],
])('A request that %s is refused, changes nothing, and is the only one', async (_, sent, status) => {
  const server = await served();
  const { socket, says } = await dial(server);
  socket.write(sent);
  await says(new RegExp(`^HTTP/1\\.1 ${status} `));
  const next = await dial(server);
  next.socket.write(bytes('list_agents', '{}', { connection: 'close' }));
  expect(await next.closed).toMatch(/^HTTP\/1\.1 200 (?![\s\S]*"id":"a")/);
  await server.close();
});

test('A connection that ends in the middle of a body changes nothing', async () => {
  const server = await served();
  const { socket, closed } = await dial(server);
  socket.end(bytes('create_agent', CREATE.slice(0, -1), { 'content-length': String(CREATE.length) }));
  await closed;
  const next = await dial(server);
  next.socket.write(bytes('list_agents', '{}', { connection: 'close' }));
  expect(await next.closed).toMatch(/^HTTP\/1\.1 200 (?![\s\S]*"id":"a")/);
  await server.close();
});

test('Closing ends at once the connections that wait for no response: those never used, those kept alive, those half asked', async () => {
  const server = await served();
  const [silent, kept, half] = await Promise.all([dial(server), dial(server), dial(server)]);
  kept.socket.write(bytes('list_groups', '{}'));
  await kept.says(/"General"/);
  half.socket.write(bytes('list_groups', '{}').slice(0, 60));
  await server.close();
  expect(await silent.closed).toBe('');
  expect(await half.closed).toBe('');
  expect(await kept.closed).toMatch(/"General"/);
});

test('Closing answers what a connection has asked already, and tells it that it is the last', async () => {
  let release = (): void => {};
  const saved = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived = (): void => {};
  const writing = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const onCommit = (): Promise<void> => {
    arrived();
    return saved;
  };
  const server = await served({ onCommit });
  const { socket, closed } = await dial(server);
  socket.write(bytes('create_agent', CREATE) + bytes('list_groups', '{}'));
  await writing;
  const over = server.close();
  release();
  const said = await closed;
  expect(said.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  expect(said.match(/connection: [\w-]+/gi)).toEqual(['Connection: keep-alive', 'connection: close']);
  await over;
});
