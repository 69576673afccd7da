// The journal of webhooks: which are kept, in which order, and their payloads. today/configuration.md, "Webhooks".

import { expect, test } from 'vitest';
import type { SettingsInput } from '../../../src/emulator/index.ts';
import { type ChatCaller, createChatCaller, granted, NOW, SHOWN_NOW } from '../customer/caller.ts';
import { SEED } from '../customer/rows/row.ts';

const KIM = '11111111-1111-4111-8111-111111111111';
const LEE = '22222222-2222-4222-8222-222222222222';
const CHAT = { chat_id: 'CHATKIM001' };
const THREAD = { ...CHAT, thread_id: 'THREADKIM2' };

function caller(settings: SettingsInput = {}): ChatCaller {
  const real = createChatCaller({ seed: SEED, settings });
  real.clock.now = NOW;
  return real;
}

interface Kept {
  readonly at: number;
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The webhooks since the last call. */
async function kept(real: ChatCaller): Promise<readonly Kept[]> {
  const found = await granted(real.control('webhooks'));
  await granted(real.control('reset', { stats: true }));
  return found;
}

/** Names and payloads of what an act is told of. */
async function told(real: ChatCaller, act: ReturnType<ChatCaller['control']>): Promise<readonly unknown[]> {
  await granted(act);
  return (await kept(real)).map(({ action, payload }) => [action, payload]);
}

test('A chat that begins is told of with everything in it, and its end with who ended it', async () => {
  const real = caller();
  const thread = { events: [{ type: 'message', text: 'Hello' }] };
  const chat = { id: 'CHATLEE001', access: { group_ids: [1] }, thread };
  const { thread_id } = await granted(real.customer('dal:lee', 'resume_chat', { chat }));
  const [begun, access, ...rest] = await kept(real);
  expect(rest).toEqual([]);
  expect(access).toEqual({
    at: NOW,
    action: 'chat_access_updated',
    payload: { id: 'CHATLEE001', access: { group_ids: [1] } },
    additional_data: { chat_properties: {}, chat_presence_user_ids: [LEE, 'ann'] },
  });
  expect([begun?.at, begun?.action]).toEqual([NOW, 'incoming_chat']);
  expect(begun?.payload).toMatchObject({
    chat: {
      id: 'CHATLEE001',
      users: [
        { id: LEE, type: 'customer', name: 'Lee', present: true },
        // Applications see an agent by the e-mail, customers do not.
        { id: 'ann', type: 'agent', name: 'Ann', present: true },
      ],
      thread: {
        id: thread_id,
        active: true,
        user_ids: [LEE, 'ann'],
        events: [{ id: `${thread_id}_1`, type: 'message', text: 'Hello', author_id: LEE, recipients: 'all' }],
        access: { group_ids: [1] },
        created_at: SHOWN_NOW,
        previous_thread_id: 'THREADLEE1',
      },
      access: { group_ids: [1] },
    },
  });
  const where = { chat_id: 'CHATLEE001', thread_id };
  const ended = await told(real, real.customer('dal:lee', 'deactivate_chat', { id: 'CHATLEE001' }));
  expect(ended).toMatchObject([
    ['incoming_event', { ...where, event: { system_message_type: 'manual_archived_customer' } }],
    ['chat_deactivated', { ...where, user_id: LEE }],
  ]);
});

test('Events, clicks, what was seen, and what is typed', async () => {
  const real = caller();
  const content = { template_id: 'cards', elements: [{ buttons: [{ text: 'Yes', postback_id: 'yes' }] }] };
  const said = await told(real, real.control('chats/reply', { ...CHAT, type: 'rich_message', content }));
  expect(said).toEqual([
    [
      'incoming_event',
      {
        ...THREAD,
        event: {
          id: 'THREADKIM2_2',
          type: 'rich_message',
          author_id: 'ann',
          created_at: SHOWN_NOW,
          recipients: 'all',
          ...content,
        },
      },
    ],
  ]);
  const named = { ...THREAD, event_id: 'THREADKIM2_2' };
  const postback = { id: 'yes', toggled: true, button_type: 'message', ecommerce: { product_id: 'shoe' } };
  expect(await told(real, real.customer('dal:kim', 'send_rich_message_postback', { ...named, postback }))).toEqual([
    ['incoming_rich_message_postback', { user_id: KIM, ...named, postback }],
  ]);
  const seen = { ...CHAT, seen_up_to: '2026-01-05T10:01:00Z' };
  expect(await told(real, real.customer('dal:kim', 'mark_events_as_seen', seen))).toEqual([
    ['events_marked_as_seen', { user_id: KIM, ...CHAT, seen_up_to: '2026-01-05T10:01:00.000000Z' }],
  ]);
  expect(await told(real, real.customer('dal:kim', 'mark_events_as_seen', seen))).toEqual([]);
  expect(await told(real, real.customer('dal:kim', 'send_sneak_peek', { ...CHAT, sneak_peek_text: 'a' }))).toEqual([]);
  const own = { ...THREAD, event_id: 'THREADKIM2_1' };
  expect(await told(real, real.customer('dal:kim', 'delete_event', own))).toEqual([['event_deleted', own]]);
});

test('Properties, with only what changed', async () => {
  const real = caller();
  const holders = {
    chat: [{ id: 'CHATKIM001' }, CHAT],
    thread: [THREAD, THREAD],
    event: [
      { ...THREAD, event_id: 'THREADKIM2_1' },
      { ...THREAD, event_id: 'THREADKIM2_1' },
    ],
  } as const;
  const properties = { shop: { tier: 'silver' } };
  const names = { shop: ['tier'] };
  for (const [of, [named, place]] of Object.entries(holders)) {
    const update = real.customer('dal:kim', `update_${of}_properties`, { ...named, properties });
    expect(await told(real, update)).toEqual([[`${of}_properties_updated`, { ...place, properties }]]);
    const remove = real.customer('dal:kim', `delete_${of}_properties`, { ...named, properties: names });
    expect(await told(real, remove)).toEqual([[`${of}_properties_deleted`, { ...place, properties: names }]]);
  }
});

test('Transfers by an agent, and by the routing', async () => {
  const real = caller();
  await granted(real.control('presence', { id: 'bob', status: 'accepting_chats' }));
  expect((await kept(real)).map(({ action, payload }) => [action, payload])).toEqual([
    ['routing_status_set', { agent_id: 'bob', status: 'accepting chats' }],
  ]);
  const why = { requester_id: 'ann', reason: 'manual' };
  expect(await told(real, real.control('chats/transfer', { ...CHAT, to: 'bob' }))).toMatchObject([
    ['user_removed_from_chat', { ...THREAD, user_id: 'ann', ...why }],
    ['user_added_to_chat', { ...THREAD, user: { id: 'bob', type: 'agent', name: 'Bob', present: true }, ...why }],
    ['chat_transferred', { ...THREAD, ...why, transferred_to: { group_ids: [1], agent_ids: ['bob'] } }],
    ['incoming_event', { event: { system_message_type: 'chat_transferred' } }],
  ]);
  const left = await told(real, real.control('presence', { id: 'bob', status: 'offline' }));
  expect(left).toMatchObject([
    ['routing_status_set', { agent_id: 'bob', status: 'offline' }],
    ['user_removed_from_chat', { ...THREAD, user_id: 'bob', reason: 'assigned' }],
    ['user_added_to_chat', { ...THREAD, user: { id: 'ann' }, reason: 'assigned' }],
    ['chat_transferred', { ...THREAD, reason: 'assigned', transferred_to: { group_ids: [1], agent_ids: ['ann'] } }],
    ['incoming_event', { event: { system_message_type: 'routing.assigned_signed_out' } }],
  ]);
});

test('Tags, and fields of a customer who has a chat', async () => {
  const real = caller();
  expect(await told(real, real.control('chats/tag', { ...CHAT, add: ['a', 'b'] }))).toEqual([
    ['thread_tagged', { ...THREAD, tag: 'a' }],
    ['thread_tagged', { ...THREAD, tag: 'b' }],
  ]);
  expect(await told(real, real.control('chats/tag', { ...CHAT, remove: ['a'] }))).toEqual([
    ['thread_untagged', { ...THREAD, tag: 'a' }],
  ]);
  const session_fields = [{ cart: '2' }];
  const fields = ['customer_session_fields_updated', { id: KIM, active_chat: THREAD, session_fields }];
  expect(await told(real, real.customer('dal:kim', 'set_customer_session_fields', { session_fields }))).toEqual([
    fields,
  ]);
  expect(await told(real, real.customer('dal:kim', 'update_customer', { name: 'Kimberly' }))).toEqual([fields]);
  expect(await told(real, real.customer('dal:lee', 'set_customer_session_fields', { session_fields }))).toEqual([]);
});

test('A refused request tells of nothing, the router closes without a user, and a reset forgets', async () => {
  const real = caller({ archiveAfterMinutes: 30 });
  await real.customer('dal:kim', 'deactivate_chat', { id: 'CHATNONE01' });
  await real.control('chats/reply', { ...CHAT, type: 'custom', content: { content: 7 } });
  expect(await kept(real)).toEqual([]);
  real.clock.now = NOW + 60 * 60_000;
  await granted(real.control('clock', { advance: 0 }));
  const closed = (await kept(real)).find(({ action }) => action === 'chat_deactivated');
  // At its own time, although the clock jumps.
  expect(closed).toEqual({
    at: NOW + 25 * 60_000,
    action: 'chat_deactivated',
    payload: THREAD,
    // The agent had the chat until then.
    additional_data: { chat_properties: { shop: { tier: 'gold' } }, chat_presence_user_ids: [KIM, 'ann'] },
  });
  await granted(real.control('reset', {}));
  expect(await kept(real)).toEqual([]);
});
