// Events of customers: where they go, what becomes of deleted ones, clicks on buttons, sneak peeks, and what was seen.

import { expect, test } from 'vitest';
import { type ChatCaller, createChatCaller, granted, NOW, outcome, SHOWN_NOW } from './caller.ts';
import { SEED } from './rows/row.ts';

const KIM = '11111111-1111-4111-8111-111111111111';
const BOTH = ['3.3', '3.5', '3.6', '3.7'] as const;

function caller(): ChatCaller {
  const found = createChatCaller({ seed: SEED });
  found.clock.now = NOW;
  return found;
}

const message = (text: string, more: object = {}) => ({
  chat_id: 'CHATKIM001',
  event: { type: 'message', text },
  ...more,
});
const chatOf = (real: ChatCaller, token = 'dal:kim', chat_id = 'CHATKIM001') =>
  granted(real.customer(token, 'get_chat', { chat_id }));
/** Ids and texts of the events of a chat's last thread, as its customer sees them. */
async function eventsOf(real: ChatCaller, token?: string, chat_id?: string) {
  const { thread } = await chatOf(real, token, chat_id);
  return thread.events.map(({ id, text, system_message_type }: Record<string, string>) => [
    id,
    text ?? system_message_type,
  ]);
}

test('An event goes to the active thread, with or without attach_to_last_thread', async () => {
  const real = caller();
  await granted(real.customer('dal:kim', 'send_event', message('One')));
  await granted(
    real.customer('dal:kim', 'send_event', message('Two', { attach_to_last_thread: true }), { version: '3.3' }),
  );
  await granted(real.control('chats/reply', { chat_id: 'CHATKIM001', text: 'Three' }));
  expect((await eventsOf(real)).map(([, text]: string[]) => text)).toEqual(['Again', 'One', 'Two', 'Three']);
});

test.each(BOTH)('%s adds an event to an inactive thread only if that is asked for', async (version) => {
  const real = caller();
  const lee = (more: object = {}) => ({ chat_id: 'CHATLEE001', event: { type: 'message', text: 'More' }, ...more });
  const send = (body: object) => real.customer('dal:lee', 'send_event', body, { version });
  expect(await outcome(send(lee()))).toBe(version !== '3.3' ? 'chat_inactive' : 'validation');
  expect(await granted(send(lee({ attach_to_last_thread: true })))).toEqual({ event_id: 'THREADLEE1_2' });
  const { thread } = await chatOf(real, 'dal:lee', 'CHATLEE001');
  expect([thread.active, thread.events.length]).toEqual([false, 2]);
});

test('A chat without a thread takes no event', async () => {
  const seed = { ...SEED, chats: [{ id: 'CHATMAX001', customer: '33333333-3333-4333-8333-333333333333' }] };
  const real = createChatCaller({ seed });
  const body = { chat_id: 'CHATMAX001', event: { type: 'message', text: 'x' }, attach_to_last_thread: true };
  expect(await outcome(real.customer('dal:max', 'send_event', body))).toBe('chat_inactive');
});

test('The text of a message is limited in bytes, and the setting moves the limit', async () => {
  const real = createChatCaller({ seed: SEED, settings: { limits: { eventText: 4 } } });
  expect(await outcome(real.customer('dal:kim', 'send_event', message('żż')))).toBe('granted');
  expect(await outcome(real.customer('dal:kim', 'send_event', message('żżx')))).toBe('validation');
});

test('An event for agents only is not shown to customers, and keeps its number', async () => {
  const real = caller();
  const event = { type: 'message', text: 'Secret', recipients: 'agents' };
  await granted(real.customer('dal:kim', 'send_event', { chat_id: 'CHATKIM001', event }));
  await granted(real.customer('dal:kim', 'send_event', message('Open')));
  expect(await eventsOf(real)).toEqual([
    ['THREADKIM2_1', 'Again'],
    ['THREADKIM2_3', 'Open'],
  ]);
});

test('A deleted event is gone for its customer everywhere, keeps its number, and stays in the license', async () => {
  const real = caller();
  await granted(real.customer('dal:kim', 'send_event', message('Wrong')));
  const named = { chat_id: 'CHATKIM001', thread_id: 'THREADKIM2', event_id: 'THREADKIM2_2' };
  await granted(real.customer('dal:kim', 'delete_event', named));
  expect(await eventsOf(real)).toEqual([['THREADKIM2_1', 'Again']]);
  for (const version of BOTH) {
    const list = await granted(real.customer('dal:kim', 'list_chats', {}, { version }));
    expect(JSON.stringify(list)).not.toContain('Wrong');
    const [chat] = list.chats_info ?? list.chats_summary;
    const last = (chat.last_thread_info ?? chat).last_event_per_type.message.event;
    expect(last).toMatchObject({ id: 'THREADKIM2_1', text: 'Again' });
    const { threads } = await granted(real.customer('dal:kim', 'list_threads', { chat_id: 'CHATKIM001' }, { version }));
    expect(JSON.stringify(threads)).not.toContain('Wrong');
  }
  const { event_id } = await granted(real.customer('dal:kim', 'send_event', message('Right')));
  expect(event_id).toBe('THREADKIM2_3');
  const properties = { shop: { tier: 'gold' } };
  expect(await outcome(real.customer('dal:kim', 'update_event_properties', { ...named, properties }))).toBe(
    'authorization',
  );
  const kept = real.emulator
    .snapshot()
    .tables.threads.flat()
    .find(({ value }) => value?.id === 'THREADKIM2');
  expect(kept?.value?.events.map(({ content, deleted }) => [content['text'], deleted])).toEqual([
    ['Again', undefined],
    ['Wrong', true],
    ['Right', undefined],
  ]);
});

test('A type of event whose only event was deleted is not in last_event_per_type', async () => {
  const real = caller();
  const event = { type: 'custom', content: { any: 1 } };
  await granted(real.customer('dal:kim', 'send_event', { chat_id: 'CHATKIM001', event }));
  const types = async () => {
    const { chats_info } = await granted(real.customer('dal:kim', 'list_chats'));
    return Object.keys(chats_info[0].last_thread_info.last_event_per_type);
  };
  expect(await types()).toEqual(['message', 'custom']);
  const named = { chat_id: 'CHATKIM001', thread_id: 'THREADKIM2', event_id: 'THREADKIM2_2' };
  await granted(real.customer('dal:kim', 'delete_event', named));
  expect(await types()).toEqual(['message']);
});

const BUTTONS = [
  { text: 'Yes', type: 'message', value: 'yes', postback_id: 'yes', user_ids: [] },
  { text: 'Also yes', type: 'message', value: 'yes', postback_id: 'yes' },
  { text: 'No', type: 'message', value: 'no', postback_id: 'no', user_ids: ['other'] },
];

test('A postback marks the buttons of its id with the customer, and takes the mark back', async () => {
  const real = caller();
  const content = { template_id: 'cards', elements: [{ title: 'Shoes', buttons: BUTTONS }, { title: 'Hats' }] };
  const { event_id } = await granted(
    real.control('chats/reply', { chat_id: 'CHATKIM001', type: 'rich_message', content }),
  );
  const press = (id: string, toggled: boolean) => {
    const named = { chat_id: 'CHATKIM001', thread_id: 'THREADKIM2', event_id };
    return granted(real.customer('dal:kim', 'send_rich_message_postback', { ...named, postback: { id, toggled } }));
  };
  const marks = async () => {
    const { thread } = await chatOf(real);
    const { elements } = thread.events.at(-1);
    expect(elements[1]).toEqual({ title: 'Hats' });
    return elements[0].buttons.map(({ user_ids }: { user_ids?: string[] }) => user_ids);
  };
  await press('yes', true);
  await press('yes', true);
  await press('no', true);
  expect(await marks()).toEqual([[KIM], [KIM], ['other', KIM]]);
  await press('no', false);
  await press('yes', false);
  expect(await marks()).toEqual([[], [], ['other']]);
  expect((await chatOf(real)).thread.events.at(-1).id).toBe(event_id);
});

test('A postback of an event that is no rich message, or has no such button, is refused', async () => {
  const real = caller();
  const content = { template_id: 'cards', elements: [{ buttons: BUTTONS }, { title: 'Hats' }] };
  await granted(real.control('chats/reply', { chat_id: 'CHATKIM001', type: 'rich_message', content }));
  const press = (event_id: string, id: string) =>
    outcome(
      real.customer('dal:kim', 'send_rich_message_postback', {
        chat_id: 'CHATKIM001',
        thread_id: 'THREADKIM2',
        event_id,
        postback: { id, toggled: true },
      }),
    );
  expect(await press('THREADKIM2_2', 'yes')).toBe('granted');
  expect(await press('THREADKIM2_2', 'maybe')).toBe('validation');
  expect(await press('THREADKIM2_1', 'yes')).toBe('validation');
});

test('Agents see what a customer types, until it is sent or deleted, and no customer sees it', async () => {
  const real = caller();
  const type = (sneak_peek_text: string) =>
    granted(real.customer('dal:kim', 'send_sneak_peek', { chat_id: 'CHATKIM001', sneak_peek_text }));
  const peek = async () => (await granted(real.control('chats'))).active[0].sneak_peek;
  expect(await peek()).toBe(null);
  await type('Wha');
  await type('What');
  expect(await peek()).toBe('What');
  expect(JSON.stringify(await chatOf(real))).not.toContain('What');
  await granted(real.control('chats/reply', { chat_id: 'CHATKIM001', text: 'Hello' }));
  expect(await peek()).toBe('What');
  await granted(real.customer('dal:kim', 'send_event', message('What is it?')));
  expect(await peek()).toBe(null);
  await type('And');
  await type('');
  expect(await peek()).toBe(null);
  await type('And');
  await granted(real.customer('dal:kim', 'deactivate_chat', { id: 'CHATKIM001' }));
  expect(JSON.stringify(real.emulator.snapshot())).not.toContain('And');
});

async function seenBy(real: ChatCaller): Promise<readonly (string | undefined)[]> {
  const { users } = await chatOf(real);
  return users.map(({ events_seen_up_to }: { events_seen_up_to?: string }) => events_seen_up_to);
}

test('Events are seen by who sends one, and up to the moment that a customer says, which never moves back', async () => {
  const real = caller();
  const see = (seen_up_to: string) =>
    granted(real.customer('dal:kim', 'mark_events_as_seen', { chat_id: 'CHATKIM001', seen_up_to }));
  expect(await seenBy(real)).toEqual([undefined, undefined]);
  await see('2026-01-05T11:00:00.123456+01:00');
  expect(await seenBy(real)).toEqual(['2026-01-05T10:00:00.123000Z', undefined]);
  await see('2026-01-05T09:00:00Z');
  expect(await seenBy(real)).toEqual(['2026-01-05T10:00:00.123000Z', undefined]);
  await granted(real.customer('dal:kim', 'send_event', message('New')));
  expect(await seenBy(real)).toEqual([SHOWN_NOW, undefined]);
  await granted(real.control('chats/reply', { chat_id: 'CHATKIM001', text: 'Hello' }));
  expect(await seenBy(real)).toEqual([SHOWN_NOW, SHOWN_NOW]);
});

test('Starting and resuming a chat see everything in it', async () => {
  const real = caller();
  const resumed = await granted(real.customer('dal:lee', 'resume_chat', { chat: { id: 'CHATLEE001' } }));
  const { users, thread } = await chatOf(real, 'dal:lee', 'CHATLEE001');
  expect([users[0].events_seen_up_to, thread.id]).toEqual([SHOWN_NOW, resumed.thread_id]);
  const { chat_id } = await granted(real.customer('dal:max', 'start_chat'));
  expect((await chatOf(real, 'dal:max', chat_id)).users[0].events_seen_up_to).toBe(SHOWN_NOW);
});

test('A form whose labels are empty can be answered, as it can be asked', async () => {
  const real = caller();
  const [field, option] = [
    { type: 'radio', id: '0', label: '' },
    { id: '1', label: '' },
  ];
  const asked = { form_id: 'f', fields: [{ ...field, options: [option] }] };
  await granted(real.control('chats/reply', { chat_id: 'CHATKIM001', type: 'form', content: asked }));
  const answered = { type: 'filled_form', form_id: 'f', recipients: 'all', fields: [{ ...field, answer: option }] };
  await granted(real.customer('dal:kim', 'send_event', { chat_id: 'CHATKIM001', event: answered }));
});
