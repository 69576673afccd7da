import { expect, test } from 'vitest';
import type { Seed, SettingsInput } from '../../../src/emulator/index.ts';
import { createCaller } from '../caller.ts';

const GREETING = { type: 'normal', active: true, name: 'G', group: 1, rules: [] };
const SEED = {
  agents: [{ id: 'ann', name: 'Ann', groups: [{ id: 1, priority: 'normal' }] }],
  groups: [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ],
  tokens: [{ token: 'ann', agent_id: 'ann', role: 'normal', scopes: ['greetings:ro'] }],
  greetings: [
    { id: 5, name: 'Five', group: 1, active_until: '2026-12-31T23:00:00Z' },
    { name: 'Six', group: 2 },
  ],
} satisfies Seed;

const callerWith = (settings: SettingsInput = {}, seed: Seed = SEED) => createCaller({ seed, settings });
const OPEN = { ...SEED, tokens: undefined };
const open = (settings: SettingsInput = {}) => {
  const { tokens: _, ...seed } = OPEN;
  return callerWith(settings, seed);
};

test('A button without an id gets one, and an update that leaves it out makes another', async () => {
  const { call } = open();
  const button = { text: 'Yes', type: 'message', value: 'y', postback_id: 'y' };
  const message = (buttons: readonly object[]) => ({
    template_id: 'quick_replies',
    elements: [{ title: 'T', subtitle: 'S', image: { url: 'https://a/i.png' }, buttons }],
  });
  const { id } = await call('create_greeting', { ...GREETING, rich_message: message([button]) });
  const idOf = async () => (await call('get_greeting', { id })).rich_message.elements[0].buttons[0].button_id;
  const first = await idOf();
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  await call('update_greeting', { id, rich_message: message([{ ...button, button_id: first }]) });
  expect(await idOf()).toBe(first);
  await call('update_greeting', { id, rich_message: message([button]) });
  expect(await idOf()).not.toBe(first);
});

test('What clears a date is a setting, and what is left out stays', async () => {
  const dates = async (settings: SettingsInput, active_until: unknown) => {
    const { call, send } = open(settings);
    const { status } = await send('update_greeting', { id: 5, active_until });
    return [status, (await call('get_greeting', { id: 5 })).active_until];
  };
  const was = '2026-12-31T23:00:00Z';
  expect(await dates({}, null)).toEqual([200, undefined]);
  expect(await dates({}, undefined)).toEqual([200, was]);
  expect(await dates({}, '')).toEqual([400, was]);
  expect(await dates({ clearedDates: 'empty' }, '')).toEqual([200, undefined]);
  expect(await dates({ clearedDates: 'empty' }, null)).toEqual([200, was]);
  expect(await dates({ clearedDates: 'nothing' }, null)).toEqual([200, was]);
});

test('A list has pages, and each leads to the next one until all are there', async () => {
  const { call, fail } = open();
  for (let made = 0; made < 4; made += 1) await call('create_greeting', GREETING);
  const first = await call('list_greetings', { groups: [1], limit: 2 });
  expect(first).toMatchObject({ greetings: [{ id: 5 }, { id: 7 }], found_greetings: 5 });
  await call('delete_greeting', { id: 7 });
  const second = await call('list_greetings', { page_id: first.next_page_id });
  expect(second).toMatchObject({ greetings: [{ id: 8 }, { id: 9 }], found_greetings: 4 });
  const third = await call('list_greetings', { page_id: second.next_page_id });
  expect(third).toEqual({ greetings: [{ ...GREETING, id: 10 }], found_greetings: 4 });
  expect(await fail('list_greetings', { page_id: first.next_page_id, limit: 2 })).toBe('validation');
  for (const token of [{ after: 'x' }, { after: 1, limit: 0 }, 7].map((one) => btoa(JSON.stringify(one))))
    expect(await fail('list_greetings', { page_id: token })).toBe('validation');
});

test('A setting shows an agent the greetings of its own groups alone; one that is asked for by its id is always there', async () => {
  const how = { authorization: 'Bearer ann' };
  const all = callerWith();
  expect(await all.call('list_greetings', {}, how)).toMatchObject({ found_greetings: 2 });
  const own = callerWith({ accessibleGreetings: 'own' });
  expect(await own.call('list_greetings', {}, how)).toMatchObject({ greetings: [{ id: 5 }], found_greetings: 1 });
  expect(await own.call('get_greeting', { id: 6 }, how)).toMatchObject({ name: 'Six' });
});

test('Greetings of a deleted group go, or stay without it, or keep it from being deleted', async () => {
  const left = async (settings: SettingsInput) => {
    const { call, send } = open(settings);
    const { status } = await send('delete_group', { id: 1 });
    const { greetings } = await call('list_greetings', {});
    return [status, greetings.map(({ id }: { id: number }) => id)];
  };
  expect(await left({})).toEqual([200, [6]]);
  expect(await left({ deletedGroupGreetings: 'keep' })).toEqual([200, [5, 6]]);
  expect(await left({ deletedGroupGreetings: 'refuse' })).toEqual([400, [5, 6]]);
});

test('A message is as its table says, or as the samples have it', async () => {
  const sampled = { template_id: 'text', elements: [{ title: 'T' }] };
  expect(await open().fail('create_greeting', { ...GREETING, rich_message: sampled })).toBe('validation');
  await open({ greetingMessages: 'sampled' }).call('create_greeting', { ...GREETING, rich_message: sampled });
});

test.each([
  ['a group that does not exist', [{ name: 'G', group: 9 }]],
  [
    'two greetings of one id',
    [
      { id: 1, name: 'G' },
      { id: 1, name: 'H' },
    ],
  ],
  ['a member that is not known', [{ name: 'G', group_id: 1 }]],
])('A seed with %s is refused', (_, greetings) => {
  expect(() => createCaller({ seed: { greetings } as Seed })).toThrow('greeting');
});
