import { expect, test } from 'vitest';
import { createEmulator, listen, type WireRequest, type WireResponse } from '../../src/emulator/index.ts';
import { seededRandom } from './caller.ts';

const { Request, Response } = globalThis;
const HEADERS = { authorization: 'Bearer dal:token', 'content-type': 'application/json' };
const fresh = () => createEmulator({ now: () => 0, random: seededRandom(1) });
const anywhere = { port: 0, host: '127.0.0.1' };

function post(url: string, action: string, body: object): Promise<Response> {
  const init = { method: 'POST', headers: HEADERS, body: JSON.stringify(body) };
  return fetch(`${url}/v3.6/configuration/action/${action}`, init);
}

test('An emulator listens on a free port, answers over HTTP and stops', async () => {
  const { url, close } = await listen(fresh(), anywhere);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await post(url, 'create_agent', { id: 'a', name: 'A' })).json()).toEqual({ id: 'a' });
  const refused = await post(url, 'get_agent', { id: 'b' });
  expect([refused.status, refused.headers.get('x-emulator-propagation-delay')]).toEqual([404, '0']);
  await refused.text();
  await close();
  await expect(post(url, 'list_agents', {})).rejects.toThrow();
});

test('Listening leaves the globals of the process alone', async () => {
  const { close } = await listen(fresh(), anywhere);
  expect([globalThis.Request, globalThis.Response]).toEqual([Request, Response]);
  await close();
});

test('What wraps the emulator may answer in its stead, and read or replace what it answers', async () => {
  const emulator = fresh();
  const wraps: readonly ((given: WireResponse) => WireResponse)[] = [
    () => ({ status: 200, headers: {}, body: '{"other":true}' }),
    (given) => given,
    (given) => ({ ...given, headers: { ...given.headers, 'x-more': 'yes' } }),
  ];
  const answers = wraps.map(async (wrap) => {
    const handle = async (asked: WireRequest) => wrap(await emulator.handle(asked));
    const { url, close } = await listen({ handle }, anywhere);
    const response = await post(url, 'list_groups', {});
    const answer = [await response.json(), response.headers.get('x-emulator-propagation-delay')];
    await close();
    return [...answer, response.headers.get('x-more')];
  });
  const groups = [expect.objectContaining({ id: 0 })];
  expect(await Promise.all(answers)).toEqual([
    [{ other: true }, null, null],
    [groups, '0', null],
    [groups, '0', 'yes'],
  ]);
});

test('A port that is taken is an error', async () => {
  const { url, close } = await listen(fresh(), anywhere);
  await expect(listen(fresh(), { ...anywhere, port: Number(new URL(url).port) })).rejects.toThrow('EADDRINUSE');
  await close();
});

test('Closing waits for the request in flight, which is answered', async () => {
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
  const emulator = createEmulator({ now: () => 0, random: seededRandom(1), onCommit });
  const { url, close } = await listen(emulator, anywhere);
  const answer = post(url, 'create_agent', { id: 'a', name: 'A' });
  await writing;
  const closed = close();
  release();
  expect(await (await answer).json()).toEqual({ id: 'a' });
  const answered = performance.now();
  await closed;
  // Far below the seconds for which the connection would be kept alive.
  expect(performance.now() - answered).toBeLessThan(1500);
});

test('A body in chunks is read up to the limit', async () => {
  const emulator = createEmulator({
    now: () => 0,
    random: seededRandom(1),
    settings: { limits: { bodyBytes: 50_000 } },
  });
  const { url, close } = await listen(emulator, anywhere);
  const send = async (chunks: readonly string[]) => {
    const body = ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk)));
    const init = { method: 'POST', headers: HEADERS, body, duplex: 'half' } as const;
    const response = await fetch(`${url}/v3.6/configuration/action/create_agent`, init);
    return [response.status, await response.json()];
  };
  expect(await send(['{"id":', '"a","name":"A"}'])).toEqual([200, { id: 'a' }]);
  const long = Array.from({ length: 60 }, () => ' '.repeat(1000));
  expect(await send(['{', ...long, '}'])).toMatchObject([413, { error: { type: 'validation' } }]);
  await close();
});
