// What an apply does with batches that the service refuses as too large.

import { describe, expect, it, test } from 'vitest';
import { listen } from '../../../src/emulator/engine/listen.ts';
import { createEmulator } from '../../../src/emulator/index.ts';
import { createClient } from '../../../src/service/client.ts';
import { CONFIGURATION } from '../../../src/service/configuration.ts';
import type { Exchange } from '../../../src/service/exchange.ts';
import { createHttpExchange } from '../../../src/service/http.ts';
import { patient } from '../../../src/service/patience/retry.ts';
import { declare, desiredOf } from '../../desired.ts';
import { seededRandom, world } from '../../world.ts';
import { clientWith, failureOf, NOW, reply } from '../scripted.ts';

type Item = { readonly id: string };

/** A service that refuses batches like this; which items were in each batch that it was sent. */
function scene(refusal: (items: readonly Item[]) => Awaited<ReturnType<Exchange>> | null) {
  const sent: string[] = [];
  const left: number[][] = [];
  const clock = { now: () => NOW, sleep: async () => {} };
  const exchange: Exchange = async ({ body }) => {
    const items: readonly Item[] = JSON.parse(body).requests;
    sent.push(items.map(({ id }) => id).join(''));
    return refusal(items) ?? reply(200, { responses: items.map(({ id }) => ({ id })) });
  };
  const client = patient(clientWith({ exchange, clock }), { clock, random: () => 0, concurrency: 8 });
  const leaving = async (places: readonly number[]): Promise<void> => {
    left.push([...places]);
  };
  return { client, sent, left, leaving };
}

const itemsOf = (letters: string): readonly Item[] => [...letters].map((id) => ({ id }));
const TOO_LARGE = reply(413, '<html>413 Request Entity Too Large</html>');
const INVALID = reply(400, { error: { type: 'validation', message: '`requests` must have at most 2 items' } });

describe('a batch that is refused as too large', () => {
  test.each([
    ['by a gateway', TOO_LARGE],
    ['by the service', INVALID],
  ])(
    '%s goes in halves, each of which is told before it leaves, and answers in the order of its items',
    async (_, no) => {
      const { client, sent, left, leaving } = scene((items) => (items.length > 2 ? no : null));
      const outcomes = await client.batch('create_bot', itemsOf('abcdefg'), { leaving });
      expect(sent).toEqual(['abcdefg', 'abcd', 'ab', 'cd', 'efg', 'ef', 'g']);
      expect(left.map((places) => places.length)).toEqual(sent.map((items) => items.length));
      expect(left[4]).toEqual([4, 5, 6]);
      expect(outcomes).toEqual([...'abcdefg'].map((id) => ({ ok: { id } })));
    },
  );

  test('fails for the one item that is too large by itself, and for no other', async () => {
    const { client } = scene((items) => (items.some(({ id }) => id === 'a') ? TOO_LARGE : null));
    const [first, ...others] = await client.batch('create_agent', itemsOf('abcdef'));
    expect(first).toMatchObject({ error: { status: 413, ambiguous: false } });
    expect(others).toEqual([...'bcdef'].map((id) => ({ ok: { id } })));
  });

  test('is given up when even its first two items are refused, each by itself', async () => {
    const { client, sent } = scene(() => INVALID);
    expect(await failureOf(client.batch('update_agent', itemsOf('abcdefgh')))).toMatchObject({ type: 'validation' });
    expect(sent).toEqual(['abcdefgh', 'abcd', 'ab', 'a', 'b']);
  });

  test('is sent whole when it was refused for something else', async () => {
    const { client, sent } = scene(() => reply(403, { error: { type: 'authorization', message: 'no' } }));
    await failureOf(client.batch('update_agent', itemsOf('abcd')));
    expect(sent).toEqual(['abcd']);
  });
});

describe('apply', () => {
  const names = Array.from({ length: 20 }, (_, index) => `a${index}@example.com`);
  const agents = desiredOf(names.map((name) => declare('agent', name, { name })));
  const bots = desiredOf(
    Array.from({ length: 12 }, (_, index) => declare('bot', `b${index}`, { name: `Bot ${index}` })),
  );

  it.each([
    ['agents', agents, { batchItems: 6 }, { batch_create_agents: 7, list_agents: 1 }],
    ['agents', agents, { bodyBytes: 400 }, null],
    ['bots', bots, { batchItems: 3 }, null],
  ])('creates %s once each where batches of the service are small (%#)', async (_, desired, limits, requests) => {
    const { plan, apply, emulator } = world({ settings: { limits } });
    const planned = await plan(desired);
    emulator.resetStats();
    const report = await apply(planned, desired);
    expect(report.outcome).toBe('done');
    if (requests !== null) expect(emulator.stats()).toEqual(requests);
    expect((await plan(desired)).steps).toEqual([]);
  });
});

test('A refusal for the size arrives over the network although the request was never read', async () => {
  const emulator = createEmulator({
    now: () => NOW,
    random: seededRandom(1),
    settings: { limits: { bodyBytes: 100_000 } },
  });
  const { url, close } = await listen(emulator, { port: 0, host: '127.0.0.1' });
  const clock = { now: () => NOW, sleep: async () => {} };
  const client = patient(
    createClient(CONFIGURATION, {
      baseUrl: url,
      version: '3.6',
      credential: { kind: 'bearer', token: 'any' },
      exchange: createHttpExchange(),
      clock,
    }),
    { clock, random: () => 0, concurrency: 8 },
  );
  const items = Array.from({ length: 100 }, (_, index) => ({ id: `a${index}`, name: 'x'.repeat(10_000) }));
  const outcomes = await client.batch('create_agent', items);
  expect(outcomes.map((end) => ('ok' in end ? end.ok : end.error))).toEqual(items.map(({ id }) => ({ id })));
  await close();
});
