// Deliveries to a server of this machine: what is sent again and what is not, and that nothing said of it tells where it went. No pause takes time.

import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { notificationOf } from '../../../../src/features/drift/notify/send-notifications.ts';
import { noticeOf } from '../../../../src/features/drift/notify/transition.ts';
import { newsOf } from '../../../../src/features/drift/notify/words.ts';
import {
  type ChannelMessage,
  type Delivery,
  deliver,
  heartbeat,
  messageTo,
} from '../../../../src/outlets/notify/message.ts';
import { createAgent, createHttpExchange } from '../../../../src/service/http.ts';
import { virtualClock } from '../../../world.ts';
import { SEEN } from '../example.ts';

interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const PATH = '/services/T0/very-secret-path';

/** A server that answers with these, one after the other, and then with 200. */
async function receiver(...answers: readonly (number | RequestListener)[]) {
  const arrived: Arrived[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    arrived.push({ method: request.method, url: request.url, headers: request.headers, body });
    const answer = answers[arrived.length - 1] ?? 200;
    if (typeof answer === 'function') answer(request, response);
    else response.writeHead(answer).end(PATH);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { arrived, url: `http://127.0.0.1:${port}${PATH}` };
}

const notice = noticeOf(SEEN, null, 'on-change');
if (notice === null) throw new Error('the example has nothing to tell');
const NOTIFICATION = notificationOf(notice, SEEN, {
  target: 'production',
  page: null,
  channel: 'webhook:URL',
  told: null,
  mode: 'on-change',
});

const SECRET = 'a secret of more than sixteen characters';

function webhook(url: string): ChannelMessage {
  return messageTo({ type: 'webhook', name: 'webhook:URL', url, secret: SECRET }, newsOf(NOTIFICATION));
}

async function send(message: ChannelMessage, signal = new AbortController().signal) {
  const clock = virtualClock();
  const begun = clock.now();
  const agent = createAgent();
  onTestFinished(() => agent.destroy());
  const delivery = await deliver(message, { exchange: createHttpExchange(agent), clock, random: () => 0.5, signal });
  expect(JSON.stringify(delivery)).not.toMatch(/127\.0\.0\.1|secret/);
  return { ...delivery, waited: clock.now() - begun };
}

test('What is accepted at once is sent once, with its headers and its body', async () => {
  const { url, arrived } = await receiver(204);
  expect(await send(webhook(url))).toMatchObject({ failure: null, status: 204, attempts: 1, waited: 0 });
  expect(arrived).toMatchObject([{ method: 'POST', url: PATH }]);
  expect(arrived[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'chatform' });
  expect(JSON.parse(arrived[0]?.body ?? '')).toMatchObject({ delivery: NOTIFICATION.delivery, event: 'drift' });
});

test('What fails in passing is sent again with the same body and id, each time signed anew', async () => {
  const { url, arrived } = await receiver(500, (request) => request.socket.destroy(), 503, 429);
  expect(await send(webhook(url))).toMatchObject({ failure: null, attempts: 5 });
  expect(new Set(arrived.map(({ body }) => body)).size).toBe(1);
  expect(new Set(arrived.map(({ headers }) => headers['x-chatform-delivery'])).size).toBe(1);
  expect(new Set(arrived.map(({ headers }) => headers['x-chatform-timestamp'])).size).toBeGreaterThan(1);
});

test('Patience ends after five attempts, and says what was answered', async () => {
  const { url, arrived } = await receiver(500, 500, 500, 500, 502);
  expect(await send(webhook(url))).toMatchObject({ failure: 'it answered 502', status: 502, attempts: 5 });
  expect(arrived).toHaveLength(5);
});

test('`Retry-After` is waited for when that is not longer than the patience', async () => {
  const busy = (after: string): RequestListener => {
    return (_, response) => response.writeHead(429, { 'retry-after': after }).end();
  };
  const soon = await receiver(busy('20'));
  expect(await send(webhook(soon.url))).toMatchObject({ failure: null, attempts: 2, waited: 20_000 });
  const late = await receiver(busy('3600'));
  expect(await send(webhook(late.url))).toMatchObject({ failure: 'it answered 429', attempts: 1, waited: 0 });
  const often = await receiver(...Array.from({ length: 5 }, () => busy('25')));
  expect(await send(webhook(often.url))).toMatchObject({ attempts: 3, waited: 50_000 });
});

test.each([400, 401, 404, 410])('%i is not sent again', async (status) => {
  const { url, arrived } = await receiver(status);
  expect(await send(webhook(url))).toMatchObject({ failure: `it answered ${status}`, attempts: 1 });
  expect(arrived).toHaveLength(1);
});

test('A redirect is not followed', async () => {
  const elsewhere = await receiver();
  const { url } = await receiver((_, response) => response.writeHead(307, { location: elsewhere.url }).end());
  expect(await send(webhook(url))).toMatchObject({ failure: expect.stringContaining('not followed'), attempts: 1 });
  expect(elsewhere.arrived).toEqual([]);
});

test('A port without a server is named without the address', async () => {
  expect(await send(webhook(`http://127.0.0.1:1${PATH}`))).toMatchObject({
    failure: 'no server listens there',
    status: null,
    attempts: 5,
  });
});

test('Whoever interrupts waits for one attempt at most', async () => {
  const stop = new AbortController();
  const { url, arrived } = await receiver((_, response) => {
    stop.abort();
    response.writeHead(503).end();
  });
  expect(await send(webhook(url), stop.signal)).toMatchObject({ failure: 'it answered 503', attempts: 1 });
  expect(arrived).toHaveLength(1);
});

test('A heartbeat is a GET without a body', async () => {
  const { url, arrived } = await receiver(503);
  const { failure } = (await send(heartbeat(url))) satisfies Delivery;
  expect(failure).toBeNull();
  expect(arrived).toMatchObject([
    { method: 'GET', body: '' },
    { method: 'GET', body: '' },
  ]);
});
