// Properties of chats, threads and events: who may write and read them is what their definitions say.

import { describe, expect, test } from 'vitest';
import type { Seed } from '../../../src/emulator/index.ts';
import { type CustomerCaller, createChatCaller, createCustomerCaller, granted, outcome } from './caller.ts';
import { SEED } from './rows/row.ts';

type Right = 'read' | 'write';
const RIGHTS: readonly (readonly Right[])[] = [[], ['read'], ['write'], ['read', 'write']];
const NAMED = {
  chat: { id: 'CHATKIM001' },
  thread: { chat_id: 'CHATKIM001', thread_id: 'THREADKIM2' },
  event: { chat_id: 'CHATKIM001', thread_id: 'THREADKIM2', event_id: 'THREADKIM2_1' },
} as const;
type Place = keyof typeof NAMED;
const PLACES = ['chat', 'thread', 'event'] as const;
const VERSIONS = ['3.3', '3.5', '3.6', '3.7'] as const;

/** The license of the table, in which one property has these rights at one place, and is there with a value. */
function seedWith(place: Place, customer: readonly Right[]): Seed {
  const access = { [place]: { agent: ['read', 'write'], customer } };
  const mine = { mine: { grade: { type: 'string', access } } } as const;
  const value = { mine: { grade: 'A' } };
  const at = (here: Place) => (here === place ? { properties: value } : {});
  const [kim, ...others] = SEED.chats ?? [];
  const [first, last] = kim?.threads ?? [];
  const [event] = last?.events ?? [];
  if (kim === undefined || first === undefined || last === undefined || event === undefined) throw new Error('no chat');
  const threads = [first, { ...last, ...at('thread'), events: [{ ...event, ...at('event') }] }];
  return {
    ...SEED,
    properties: { ...SEED.properties, ...mine },
    chats: [{ ...kim, ...at('chat'), threads }, ...others],
  };
}

/** The value at a place as its customer reads it; undefined for none. */
async function gradeAt({ call }: CustomerCaller, place: Place): Promise<string | undefined> {
  const chat = await call('get_chat', { chat_id: 'CHATKIM001' });
  const holder = { chat, thread: chat.thread, event: chat.thread.events[0] }[place];
  return holder.properties?.mine?.grade;
}

/** The value at a place in the state of the license. */
function keptAt({ emulator }: CustomerCaller, place: Place): unknown {
  const { chats, threads } = emulator.snapshot().tables;
  const chat = chats.flat().find(({ value }) => value?.id === 'CHATKIM001')?.value;
  const thread = threads.flat().find(({ value }) => value?.id === 'THREADKIM2')?.value;
  return { chat, thread, event: thread?.events[0] }[place]?.properties?.['mine']?.['grade'];
}

describe.each(VERSIONS)('In version %s', (version) => {
  test.each(PLACES.flatMap((place) => RIGHTS.map((rights) => [place, rights] as const)))(
    'a property of a %s with the rights %j can be read and written accordingly',
    async (place, rights) => {
      const caller = createCustomerCaller({ seed: seedWith(place, rights) }, version);
      const [readable, writable] = [rights.includes('read'), rights.includes('write')];
      expect(await gradeAt(caller, place)).toBe(readable ? 'A' : undefined);
      const update = { ...NAMED[place], properties: { mine: { grade: 'B' } } };
      const remove = { ...NAMED[place], properties: { mine: ['grade'] } };
      if (!writable) {
        expect(await caller.fail(`update_${place}_properties`, update)).toBe('authorization');
        expect(await caller.fail(`delete_${place}_properties`, remove)).toBe('authorization');
        expect(keptAt(caller, place)).toBe('A');
        return;
      }
      await caller.call(`update_${place}_properties`, update);
      expect([keptAt(caller, place), await gradeAt(caller, place)]).toEqual(['B', readable ? 'B' : undefined]);
      await caller.call(`delete_${place}_properties`, remove);
      expect([keptAt(caller, place), await gradeAt(caller, place)]).toEqual([undefined, undefined]);
    },
  );
});

test.each(PLACES.flatMap((place) => PLACES.filter((other) => other !== place).map((other) => [place, other] as const)))(
  'A property of a %s is none of a %s',
  async (place, other) => {
    const { fail } = createCustomerCaller({ seed: seedWith(place, ['read', 'write']) });
    const properties = { mine: { grade: 'B' } };
    expect(await fail(`update_${other}_properties`, { ...NAMED[other], properties })).toBe('validation');
  },
);

test('A request writes all of its values, or none', async () => {
  const caller = createCustomerCaller({ seed: seedWith('chat', ['read', 'write']) });
  const before = caller.emulator.snapshot();
  for (const properties of [
    { mine: { grade: 'B' }, shop: { secret: 'x' } },
    { mine: { grade: 'B' }, test: { int_property: 'x' } },
  ])
    await caller.fail('update_chat_properties', { ...NAMED.chat, properties });
  await caller.fail('delete_chat_properties', { ...NAMED.chat, properties: { mine: ['grade'], shop: ['secret'] } });
  expect(caller.emulator.snapshot()).toEqual(before);
});

test('A value joins those that are there, and a deleted one leaves the others', async () => {
  const { call } = createCustomerCaller();
  const properties = async () => (await call('get_chat', { chat_id: 'CHATKIM001' })).properties;
  await call('update_chat_properties', {
    ...NAMED.chat,
    properties: { test: { int_property: 1, bool_property: true } },
  });
  expect(await properties()).toEqual({ shop: { tier: 'gold' }, test: { int_property: 1, bool_property: true } });
  await call('delete_chat_properties', { ...NAMED.chat, properties: { test: ['int_property', 'string_property'] } });
  expect(await properties()).toEqual({ shop: { tier: 'gold' }, test: { bool_property: true } });
  await call('delete_chat_properties', { ...NAMED.chat, properties: { test: ['bool_property'], shop: ['tier'] } });
  expect(await properties()).toEqual({});
});

const LIMITED: Seed['properties'] = {
  mine: {
    size: { type: 'string', access: { chat: { customer: ['read', 'write'] } }, domain: ['S', 'L'] },
    count: { type: 'int', access: { chat: { customer: ['read', 'write'] } }, range: { from: 2, to: 5 } },
  },
};

test.each([
  [{ size: 'L', count: 5 }, 'granted'],
  [{ size: 'M' }, 'validation'],
  [{ count: 1 }, 'validation'],
  [{ count: 6 }, 'validation'],
  [{ count: 2.5 }, 'validation'],
])('A value must be in the domain and in the range of its definition: %j', async (mine, expected) => {
  const real = createChatCaller({ seed: { ...SEED, properties: { ...SEED.properties, ...LIMITED } } });
  const body = { ...NAMED.chat, properties: { mine } };
  expect(await outcome(real.customer('dal:kim', 'update_chat_properties', body))).toBe(expected);
});

test('A customer rates a chat that is over, and cannot write what the service says of it', async () => {
  const { call, fail } = createCustomerCaller();
  const named = { chat_id: 'CHATKIM001', thread_id: 'THREADKIM1' };
  await call('update_thread_properties', { ...named, properties: { rating: { score: 0, comment: 'Slow' } } });
  const { threads } = await call('list_threads', { chat_id: 'CHATKIM001', sort_order: 'asc' });
  expect(threads[0].properties).toEqual({ rating: { score: 0, comment: 'Slow' } });
  for (const [score, expected] of [
    [2, 'validation'],
    [-1, 'validation'],
    ['1', 'validation'],
  ] as const)
    expect(await fail('update_thread_properties', { ...named, properties: { rating: { score } } })).toBe(expected);
  for (const name of ['continuous', 'unassigned', 'idle', 'start_url'])
    expect([
      name,
      await fail('update_thread_properties', { ...named, properties: { routing: { [name]: true } } }),
    ]).toEqual([name, 'authorization']);
});

test('What may only be written is not shown', async () => {
  const { call } = createCustomerCaller();
  const properties = { routing: { ignore_bots: true } };
  await call('update_thread_properties', { ...NAMED.thread, properties });
  expect((await call('get_chat', { chat_id: 'CHATKIM001' })).thread.properties).not.toHaveProperty(
    'routing.ignore_bots',
  );
});

test('An event that the customer cannot see has no properties to write', async () => {
  const real = createChatCaller({ seed: SEED });
  await granted(real.control('chats/reply', { chat_id: 'CHATKIM001', text: 'Among us', recipients: 'agents' }));
  const named = { ...NAMED.event, event_id: 'THREADKIM2_2' };
  const properties = { shop: { tier: 'gold' } };
  const answer = real.customer('dal:kim', 'update_event_properties', { ...named, properties });
  expect(await outcome(answer)).toBe('authorization');
});

test('A definition counts from the moment at which it has taken effect', async () => {
  const caller = createCustomerCaller({ propagationDelay: 5000 });
  const body = { ...NAMED.chat, properties: { mine: { grade: 'A' } } };
  const definition = {
    name: 'grade',
    owner_client_id: 'mine',
    type: 'string',
    access: { chat: { customer: ['write'] } },
  };
  const request = new Request('http://emulator/v3.6/configuration/action/register_property', {
    method: 'POST',
    headers: { authorization: 'Bearer dal:agent', 'content-type': 'application/json' },
    body: JSON.stringify(definition),
  });
  expect((await caller.emulator.fetch(request)).status).toBe(200);
  expect(await caller.fail('update_chat_properties', body)).toBe('validation');
  caller.clock.now += 5000;
  await caller.call('update_chat_properties', body);
});
