import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEmulator, listen as listenHttps } from '../../src/emulator/index.ts';
import type { ExchangeRequest } from '../../src/service/exchange.ts';
import { createAgent, createHttpExchange } from '../../src/service/http.ts';
import { EXPIRED_TLS, TLS } from '../certificates/tls.ts';

/** Milliseconds; shorter than undici's own limits, so that ours is the one that passes. */
const TIMEOUT = 5_000;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((done) => server.close(done));
  });
  const address = server.address() satisfies string | AddressInfo | null;
  if (address === null || typeof address === 'string') throw new Error('not a port');
  return address.port;
}

/** A server that answers HTTP, and what has reached it. */
async function serve(answer: RequestListener) {
  const reached: string[] = [];
  const port = await listen(
    createServer((request, response) => {
      reached.push(`${request.method} ${request.url}`);
      answer(request, response);
    }),
  );
  return { port, url: `http://127.0.0.1:${port}/act`, reached };
}

/** The server at this port by an address that no client takes for this machine. */
const elsewhere = (port: number): string => `http://0.0.0.0:${port}/act`;

/** A server that gets bytes and does with the connection what it likes. */
const serveSocket = (talk: (socket: Socket) => void) => listen(createSocketServer(talk));

/** The emulator over HTTPS, with a certificate that no authority signed. */
async function serveTls(tls = TLS) {
  const emulator = createEmulator({ now: Date.now, random: () => 0.5 });
  const { url, close } = await listenHttps(emulator, { port: 0, host: '127.0.0.1', tls });
  closers.push(close);
  return { url, ca: tls.cert };
}

/** Time stands still until the returned function lets the time-out of a request pass. */
function holdTime(): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => vi.advanceTimersByTime(TIMEOUT);
}

const wanted = (url: string, changes: Partial<ExchangeRequest> = {}): ExchangeRequest => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeout: TIMEOUT,
  ...changes,
});

function exchangeOver(dispatcher: Dispatcher = createAgent(), maxReplyBytes?: number) {
  closers.push(() => dispatcher.destroy());
  return createHttpExchange(dispatcher, maxReplyBytes);
}

test('A connection that was given up while it was being opened does not outlive its dispatcher', {
  timeout: 2_000,
}, async () => {
  const gone = new AbortController();
  const given = new AbortController();
  let closed: Promise<unknown> = Promise.reject(new Error('nobody connected'));
  closed.catch(() => {});
  // Nobody answers the handshake.
  const port = await serveSocket((socket) => {
    closed = once(socket.resume(), 'close');
    given.abort();
  });
  const agent = createAgent({}, gone.signal);
  const ended = await createHttpExchange(agent)(wanted(`https://127.0.0.1:${port}/`, { signal: given.signal }));
  expect(ended).toMatchObject({ failure: { kind: 'aborted' } });
  gone.abort();
  await agent.destroy();
  await closed;
});

describe('a reply', () => {
  test('A reply comes with its status, its headers in lower case and its body, however it was cut', async () => {
    const { url, reached } = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(418, { 'X-Debug-Id': 'd', 'Set-Cookie': ['a=1', 'b=2'] });
        for (const byte of Buffer.concat(chunks)) response.write(Buffer.of(byte));
        response.end();
      });
    });
    const reply = await exchangeOver()(wanted(url, { body: '{"name":"Zoë 🌻"}' }));
    expect(reply).toMatchObject({ status: 418, body: '{"name":"Zoë 🌻"}' });
    expect(reply).toMatchObject({ headers: { 'x-debug-id': 'd', 'set-cookie': 'a=1, b=2' } });
    expect(reached).toEqual(['POST /act']);
  });

  test('A redirect is a reply like any other: it is not followed', async () => {
    const { url, reached } = await serve((_, response) => response.writeHead(307, { location: '/other' }).end());
    expect(await exchangeOver()(wanted(url))).toMatchObject({ status: 307, headers: { location: '/other' } });
    expect(reached).toHaveLength(1);
  });

  test('A reply of exactly the limit is read, one byte more is too large, and the next request still works', async () => {
    let size = 100;
    const { url } = await serve((_, response) => response.end('x'.repeat(size)));
    const exchange = exchangeOver(createAgent(), 100);
    expect(await exchange(wanted(url))).toMatchObject({ status: 200 });
    size = 101;
    expect(await exchange(wanted(url))).toMatchObject({ failure: { phase: 'sent', kind: 'too-large' } });
    size = 5;
    expect(await exchange(wanted(url))).toMatchObject({ body: 'xxxxx' });
  });

  test('A body without an end is given up at the limit', async () => {
    const { url } = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(1000)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const ended = await exchangeOver(createAgent(), 50_000)(wanted(url));
    expect(ended).toMatchObject({ failure: { phase: 'sent', kind: 'too-large' } });
  });
});

describe('a request that left and got no whole reply', () => {
  test('A time-out that no timer can count is a very long one, and not none', async () => {
    const { url } = await serve((_, response) => response.end('{}'));
    expect(await exchangeOver()(wanted(url, { timeout: 2 ** 40 }))).toMatchObject({ status: 200 });
  });

  test('A server that never answers ends in a time-out', async () => {
    const letTimePass = holdTime();
    const { url, reached } = await serve(letTimePass);
    expect(await exchangeOver()(wanted(url))).toMatchObject({ failure: { phase: 'sent', kind: 'timeout' } });
    expect(reached).toHaveLength(1);
  });

  test('A body that stalls ends in a time-out', async () => {
    const letTimePass = holdTime();
    const { url } = await serve((_, response) => response.write('{"id":', letTimePass));
    expect(await exchangeOver()(wanted(url))).toMatchObject({ failure: { phase: 'sent', kind: 'timeout' } });
  });

  test('A connection reset after the request arrived is a reset, and the request is not sent again', async () => {
    const { url, reached } = await serve((request) => request.socket.resetAndDestroy());
    expect(await exchangeOver()(wanted(url))).toMatchObject({ failure: { phase: 'sent', kind: 'reset' } });
    expect(reached).toHaveLength(1);
  });

  test('A connection closed in the middle of the body is a reset, not a short body', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"id":', () => request.socket.destroy());
    });
    expect(await exchangeOver()(wanted(url))).toMatchObject({ failure: { phase: 'sent', kind: 'reset' } });
  });

  test('What is not HTTP is malformed', async () => {
    const port = await serveSocket((socket) => socket.once('data', () => socket.write('SSH-2.0-x\r\n\r\n')));
    const ended = await exchangeOver()(wanted(`http://127.0.0.1:${port}/`));
    expect(ended).toMatchObject({ failure: { phase: 'sent', kind: 'malformed' } });
  });

  test('The signal gives up a request that is under way', async () => {
    const controller = new AbortController();
    const { url } = await serve(() => controller.abort());
    const ended = await exchangeOver()(wanted(url, { signal: controller.signal }));
    expect(ended).toMatchObject({ failure: { phase: 'sent', kind: 'aborted' } });
  });
});

describe('a request that never left', () => {
  test('A port where nothing listens refuses', async () => {
    const { url } = await serve(() => {});
    await Promise.all(closers.splice(0).map((close) => close()));
    expect(await exchangeOver()(wanted(url))).toMatchObject({ failure: { phase: 'connect', kind: 'refused' } });
  });

  test('A handshake that is never answered times out while connecting', async () => {
    const port = await serveSocket(holdTime());
    const ended = await exchangeOver()(wanted(`https://127.0.0.1:${port}/`));
    expect(ended).toMatchObject({ failure: { phase: 'connect', kind: 'timeout' } });
  });

  test('A connection reset during the handshake took no effect', async () => {
    const port = await serveSocket((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const ended = await exchangeOver()(wanted(`https://127.0.0.1:${port}/`));
    expect(ended).toMatchObject({ failure: { phase: 'connect', kind: 'reset' } });
  });

  test('A server that does not speak TLS is told apart', async () => {
    const { port, reached } = await serve((_, response) => response.end());
    const ended = await exchangeOver()(wanted(`https://127.0.0.1:${port}/`));
    expect(ended).toMatchObject({ failure: { phase: 'connect', kind: 'tls' } });
    expect(reached).toEqual([]);
  });

  test('A certificate that is not trusted says what would make it trusted', async () => {
    const { url } = await serveTls();
    const ended = await exchangeOver()(wanted(url));
    expect(ended).toMatchObject({
      failure: {
        phase: 'connect',
        kind: 'tls',
        detail: expect.stringMatching(/self-signed.*NODE_EXTRA_CA_CERTS.*DEPTH_ZERO_SELF_SIGNED_CERT/),
      },
    });
  });

  test('A certificate for another host says so, with the names that it has', async () => {
    const { url, ca } = await serveTls();
    const elsewhere = new Agent({ connect: { ca, servername: 'api.example.test' } });
    const ended = await exchangeOver(elsewhere)(wanted(url));
    expect(ended).toMatchObject({
      failure: { phase: 'connect', kind: 'tls', detail: expect.stringMatching(/another host.*DNS:localhost/) },
    });
  });

  test('A certificate that has expired says so', async () => {
    const { url, ca } = await serveTls(EXPIRED_TLS);
    const ended = await exchangeOver(new Agent({ connect: { ca } }))(wanted(url));
    expect(ended).toMatchObject({
      failure: { phase: 'connect', kind: 'tls', detail: expect.stringContaining('expired') },
    });
  });

  test.each([
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
  ])('A name that cannot be looked up (%s) is of kind %s', async (code, kind) => {
    const unknown = Object.assign(new Error(`getaddrinfo ${code}`), { code });
    const agent = new Agent({ connect: (_options, callback) => callback(unknown, null) });
    const ended = await exchangeOver(agent)(wanted('http://nowhere.test/'));
    expect(ended).toMatchObject({ failure: { phase: 'connect', kind } });
  });

  test('A signal that was given before sends nothing', async () => {
    const { url, reached } = await serve((_, response) => response.end('{}'));
    const exchange = exchangeOver();
    const ended = await exchange(wanted(url, { signal: AbortSignal.abort() }));
    expect(ended).toMatchObject({ failure: { phase: 'connect', kind: 'aborted' } });
    await exchange(wanted(url));
    expect(reached).toHaveLength(1);
  });

  test('A request given up while connecting is not written when the connection stands after all', async () => {
    const { url, reached } = await serve((_, response) => response.end('{}'));
    const connect = buildConnector({});
    const controller = new AbortController();
    let release = () => {};
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    const late = new Agent({
      pipelining: 1,
      connections: 1,
      connect: (options, callback) => {
        controller.abort();
        void waiting.then(() => connect(options, callback));
      },
    });
    const exchange = exchangeOver(late);
    const ended = await exchange(wanted(url.replace('/act', '/given-up'), { signal: controller.signal }));
    expect(ended).toMatchObject({ failure: { phase: 'connect', kind: 'aborted' } });
    const next = exchange(wanted(url));
    release();
    expect(await next).toMatchObject({ status: 200 });
    expect(reached).toEqual(['POST /act']);
  });
});

describe('proxies', () => {
  async function serveProxy() {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('{"from":"proxy"}');
    });
    server.on('connect', (request, socket) => {
      asked.push(`CONNECT ${request.url}`);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    return { url: `http://127.0.0.1:${await listen(server)}`, asked };
  }

  test.each(['HTTPS_PROXY', 'https_proxy'])(
    '%s names the proxy for https; its refusal is of kind proxy',
    async (name) => {
      const proxy = await serveProxy();
      const ended = await exchangeOver(createAgent({ [name]: proxy.url }))(wanted('https://api.example.test/'));
      expect(ended).toMatchObject({ failure: { phase: 'connect', kind: 'proxy' } });
      expect(proxy.asked).toEqual(['CONNECT api.example.test:443']);
    },
  );

  test('A proxy that is no URL is refused, and not repeated, because it may hold a password', () => {
    for (const wrong of ['proxy.example.com', 'ftp://u:hunter2@x', 'http://u:hunter2@:x'])
      expect(() => createAgent({ HTTPS_PROXY: wrong })).toThrow(/^HTTPS_PROXY is not the URL(?!.*hunter2)/);
  });

  test.each([
    ['502 Bad Gateway', 'unreachable'],
    ['407 Proxy Authentication Required', 'proxy'],
  ])('A proxy that answers %s is of kind %s', async (line, kind) => {
    const server = createServer();
    server.on('connect', (_, socket) => socket.end(`HTTP/1.1 ${line}\r\n\r\n`));
    const agent = createAgent({ HTTPS_PROXY: `http://u:hunter2@127.0.0.1:${await listen(server)}` });
    const ended = await exchangeOver(agent)(wanted('https://api.example.test/'));
    expect(ended).toMatchObject({ failure: { phase: 'connect', kind } });
    expect(JSON.stringify(ended)).not.toContain('hunter2');
  });

  test('NO_PROXY leads past the proxy', async () => {
    const proxy = await serveProxy();
    const { port } = await serve((_, response) => response.end('{"from":"server"}'));
    const agent = createAgent({ HTTP_PROXY: proxy.url, NO_PROXY: '0.0.0.0' });
    expect(await exchangeOver(agent)(wanted(elsewhere(port)))).toMatchObject({ body: '{"from":"server"}' });
    expect(proxy.asked).toEqual([]);
  });

  test('The environment of the process is not looked at', async () => {
    const proxy = await serveProxy();
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']) vi.stubEnv(name, proxy.url);
    const { port } = await serve((_, response) => response.end('{}'));
    const onlyHttps = createAgent({ HTTPS_PROXY: 'http://127.0.0.1:9' });
    expect(await exchangeOver(createAgent())(wanted(elsewhere(port)))).toMatchObject({ status: 200 });
    expect(await exchangeOver(onlyHttps)(wanted(elsewhere(port)))).toMatchObject({ status: 200 });
    expect(proxy.asked).toEqual([]);
  });

  test('A request to this machine goes past every proxy, however the machine is called and the proxy is named', async () => {
    const proxy = await serveProxy();
    const { port } = await serve((request, response) => response.end(request.headers['authorization']));
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
    for (const name of names) vi.stubEnv(name, proxy.url);
    const exchange = exchangeOver(createAgent(Object.fromEntries(names.map((name) => [name, proxy.url]))));
    for (const host of ['127.0.0.1', 'localhost', 'api.localhost', 'LOCALHOST', '127.1', '0x7f000001', '2130706433']) {
      const asked = wanted(`http://${host}:${port}/`, { headers: { authorization: 'Bearer dal:s3cr3t' } });
      expect([host, await exchange(asked)]).toEqual([host, expect.objectContaining({ body: 'Bearer dal:s3cr3t' })]);
    }
    // Refused there, so no proxy was asked.
    for (const url of [`http://[::1]:${port}/`, 'http://127.255.255.254:9/'])
      expect(await exchange(wanted(url))).toMatchObject({ failure: { kind: 'refused' } });
    expect(proxy.asked).toEqual([]);
    expect(await exchange(wanted(elsewhere(port)))).toMatchObject({ failure: { kind: 'proxy' } });
    expect(proxy.asked).toEqual([`CONNECT 0.0.0.0:${port}`]);
  });
});

describe('NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
  beforeEach(() => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  });

  test.each(['https://127.0.0.1', 'https://0.0.0.0'])(
    '%s: no byte of a request reaches a wrong certificate',
    async (host) => {
      const { url } = await serveTls();
      const ended = await exchangeOver()(wanted(`${host}:${new URL(url).port}/`));
      expect(ended).toMatchObject({ failure: { phase: 'connect', kind: 'tls' } });
    },
  );

  test('Nor through a proxy, nor at a proxy with a wrong certificate', async () => {
    const { url } = await serveTls();
    const there = elsewhere(Number(new URL(url).port)).replace('http:', 'https:');
    const proxy = createServer();
    proxy.on('connect', (request, socket, head) => {
      const [host, port] = String(request.url).split(':');
      const to = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        to.write(head);
        to.pipe(socket).pipe(to);
      });
      for (const end of [to, socket]) end.on('error', () => {});
    });
    const http = `http://127.0.0.1:${await listen(proxy)}`;
    for (const env of [{ HTTPS_PROXY: http }, { HTTPS_PROXY: url }, { HTTP_PROXY: url }]) {
      const ended = await exchangeOver(createAgent(env))(wanted(there));
      expect([env, ended]).toEqual([env, { failure: expect.objectContaining({ phase: 'connect', kind: 'tls' }) }]);
    }
    expect(await exchangeOver(createAgent({ HTTP_PROXY: url }))(wanted(elsewhere(9)))).toMatchObject({
      failure: { phase: 'connect', kind: 'tls' },
    });
  });
});
