// The public samples of the Customer Chat Web API against what the emulator answers: the same members, with the same types, but for the
// exceptions that are listed here.

import { expect, test } from 'vitest';
import * as samples from '../../fixtures/payloads/customer.ts';
import { shapeDifferences, shapeOf } from '../../shapes.ts';
import { type ChatCaller, createChatCaller, granted, NOW } from './caller.ts';
import { PNG } from './images.ts';
import { SEED } from './rows/row.ts';

const CHAT = { chat_id: 'CHATKIM001' };
const THREAD = { ...CHAT, thread_id: 'THREADKIM2' };
const VERSIONS = ['3.6', '3.7'] as const;
type Version = (typeof VERSIONS)[number];

/** Members whose own members have free names. */
const MAPS = { properties: 2, content: 2, text_vars: 1, last_event_per_type: 1 };

const FIELD = { type: 'name', id: '1', label: 'Your name' };
const OPTIONS = [{ id: '0', label: 'Support' }];
const CHOICE = { id: '0', label: 'Support' };

/** An event of each sample; Kim sends them, Ann those that customers cannot send. */
const SENT = {
  custom: { type: 'custom', content: { custom: { nested: 'json' } } },
  filledForm: {
    type: 'filled_form',
    form_id: 'f',
    fields: [
      { ...FIELD, answer: 'Kim' },
      { ...FIELD, type: 'radio', answer: CHOICE },
      { ...FIELD, type: 'checkbox', answers: [CHOICE] },
      { ...FIELD, type: 'group_chooser', answer: { ...CHOICE, group_id: 1 } },
    ],
  },
  message: {
    type: 'message',
    text: 'Hello',
    postback: { id: 'call', ...THREAD, event_id: 'THREADKIM2_1', type: 'phone', value: '1' },
  },
} as const;

const SAID = { system_message_type: 'routing.assigned', text: 'Ann', text_vars: { agent: 'Ann' } };

const REPLIED = {
  form: {
    type: 'form',
    content: { form_id: 'f', fields: [{ ...FIELD, required: true, options: OPTIONS }] },
  },
  system: {
    type: 'system',
    content: { source: 'cdp', subtype: 'store_order_was_created', version: 1, details: '{}' },
  },
  systemMessage: {
    type: 'system_message',
    content: SAID,
  },
} as const;

function caller(): ChatCaller {
  const real = createChatCaller({ seed: SEED, settings: { omnichannelReading: 'listed' } });
  real.clock.now = NOW;
  return real;
}

/** Uploads a picture; returns its address. */
async function upload(real: ChatCaller): Promise<string> {
  const form = new FormData();
  form.append('file', new File([PNG], 'image25.png', { type: 'image/png' }));
  return (await granted(real.customer('dal:kim', 'upload_file', form))).url;
}

/** Every sample of an event, as the last thread of Kim shows it. */
async function shownEvents(real: ChatCaller, version: Version) {
  const url = await upload(real);
  const image = {
    url,
    name: 'a.png',
    content_type: 'image/png',
    size: 1,
    width: 640,
    height: 480,
    alternative_text: 'A',
  };
  const button = { text: 'Call', postback_id: 'call', user_ids: ['x'], type: 'phone', value: '1' };
  const buttons = [{ ...button, webview_height: 'tall', target: 'current' }];
  const sent = {
    ...SENT,
    file: { type: 'file', url, alternative_text: 'A' },
    richMessage: {
      type: 'rich_message',
      template_id: 'cards',
      elements: [{ title: 'T', subtitle: 'S', image, buttons }],
    },
  };
  const ids = new Map<string, string>();
  for (const [name, event] of Object.entries(sent)) {
    const given = { ...CHAT, event: { ...event, custom_id: name, properties: { shop: { tier: 'gold' } } } };
    ids.set(name, (await granted(real.customer('dal:kim', 'send_event', given, { version }))).event_id);
  }
  for (const [name, event] of Object.entries(REPLIED))
    ids.set(name, (await granted(real.control('chats/reply', { ...CHAT, ...event, custom_id: name }))).event_id);
  const named = { ...THREAD, event_id: ids.get('form'), properties: { shop: { tier: 'gold' } } };
  await granted(real.customer('dal:kim', 'update_event_properties', named));
  const { thread } = await granted(real.customer('dal:kim', 'get_chat', CHAT, { version }));
  return (name: string) => thread.events.find(({ id }: { id: string }) => id === ids.get(name));
}

const compared = (sample: unknown, shown: unknown): readonly string[] =>
  shapeDifferences(shapeOf(sample, MAPS), shapeOf(shown, MAPS));

/** What an event has that its sample lacks. */
const EVENT_EXCEPTIONS: { readonly [sample: string]: (version: Version) => readonly string[] } = {
  // 3.7 always says who sees a rich message; its sample is that of 3.6.
  richMessage: (version) => (version === '3.7' ? ['+ visibility'] : []),
  // The sample of a chat has it in messages of the system: everyone sees them.
  systemMessage: () => ['+ recipients'],
};

test.each(VERSIONS)('%s: every sample of an event has the shape of the emulator', async (version) => {
  const shown = await shownEvents(caller(), version);
  expect(Object.keys(samples.EVENTS).sort()).toEqual(
    [...Object.keys(SENT), ...Object.keys(REPLIED), 'file', 'richMessage'].sort(),
  );
  for (const [name, sample] of Object.entries(samples.EVENTS)) {
    const exceptions = EVENT_EXCEPTIONS[name]?.(version) ?? [];
    expect([name, compared(sample, shown(name))]).toEqual([name, exceptions]);
  }
});

test.each(VERSIONS)('%s: users, chats, threads, forms, access and properties do as well', async (version) => {
  const real = caller();
  const messenger = {
    id: 'm',
    name: 'Kim',
    first_name: 'Kim',
    last_name: 'Lee',
    profile_pic: 'https://shop.example/kim.png',
    gender: 'female',
    locale: 'en_US',
    is_verified_user: true,
  };
  await granted(
    real.customer('dal:kim', 'update_customer', {
      email: 'kim@shop.example',
      avatar: 'https://shop.example/kim.png',
      phone_number: '+18008529001',
      session_fields: [{ custom_key: 'a' }, { another_custom_key: 'b' }],
      omnichannel: { messenger, sms: { phone_number: '+18008529001' } },
      address: { address: 'Main 1', city: 'Oslo', country: 'Norway', state: 'Oslo', postal_code: '0150' },
    }),
  );
  await granted(
    real.customer('dal:kim', 'send_event', {
      ...CHAT,
      event: { type: 'message', text: 'Hi', custom_id: 'c', properties: { shop: { tier: 'gold' } } },
    }),
  );
  await granted(real.control('chats/reply', { ...CHAT, text: 'Hello' }));
  const chat = await granted(real.customer('dal:kim', 'get_chat', CHAT, { version }));
  const [customer, agent] = chat.users;
  expect(compared(samples.USERS.customer, customer)).toEqual([]);
  // The sample of an agent lacks the job title, which those of chats have.
  expect(compared(samples.USERS.agent, agent)).toEqual(['+ job_title']);
  expect(compared(samples.ACCESS, { access: chat.access })).toEqual([]);
  expect(compared(samples.PROPERTIES, { properties: chat.properties })).toEqual([]);

  const { form } = await granted(real.customer('dal:kim', 'get_form', { group_id: 0, type: 'prechat' }, { version }));
  expect(compared(samples.FORM, form)).toEqual([]);
});

/** A sample of a chat as it is meant: `properties` are misspelt there, and one of several `threads` stands for the `thread` of a reply. */
function meant(sample: object): object {
  const { threads: [thread] = [], ...rest } = JSON.parse(JSON.stringify(sample).replaceAll('properites', 'properties'));
  return thread === undefined ? rest : { ...rest, thread };
}

/** What customers have set of themselves, which the samples of chats leave out. */
const PROFILE = ['+ users[].email', '+ users[].omnichannel'];

test('Chats have the shape of their samples, which misspell `properties` and have members of an older form', async () => {
  const real = caller();
  const event = { type: 'message', text: 'Hi', custom_id: 'c', properties: { shop: { tier: 'gold' } } };
  await granted(real.control('chats/reply', { ...CHAT, text: 'Hello' }));
  await granted(real.customer('dal:kim', 'send_event', { ...CHAT, event }));
  const properties = { shop: { tier: 'gold' } };
  await granted(real.customer('dal:kim', 'update_thread_properties', { ...THREAD, properties }));
  await granted(real.customer('dal:kim', 'send_event', { ...CHAT, event: { type: 'system_message', ...SAID } }));
  const reply = async (action: string, given: object, version: Version = '3.6') =>
    granted(real.customer('dal:kim', action, given, { version }));
  const summary = (await reply('list_chats', {})).chats_summary[0];
  const older = ['- last_event_per_type.*.thread_order'];
  expect(compared(meant(samples.SUMMARY), summary)).toEqual(
    [...PROFILE, '+ last_event_per_type.*.event.recipients', ...older].sort(),
  );
  // The sample of 3.7 is that of 3.6; the page of the method shows a nested one.
  expect(compared(meant(samples.INFO), summary)).toEqual(compared(meant(samples.SUMMARY), summary));
  const info = (await reply('list_chats', {}, '3.7')).chats_info[0];
  expect(Object.keys(info.last_thread_info)).toEqual(['id', 'created_at', 'last_event_per_type']);

  await granted(real.customer('dal:kim', 'deactivate_chat', { id: 'CHATKIM001' }));
  await granted(real.customer('dal:kim', 'resume_chat', { chat: { id: 'CHATKIM001' } }));
  for (const version of VERSIONS) {
    const chat = await reply('get_chat', THREAD, version);
    expect(compared(meant(samples.CHAT), chat)).toEqual([...PROFILE, '+ thread.events[].recipients'].sort());
    // No thread waits in the queue that another one follows.
    expect(compared(samples.THREAD, { ...chat.thread, events: chat.thread.events.slice(2, 3) })).toEqual([
      '- queue',
      '- queue.position',
      '- queue.queued_at',
      '- queue.wait_time',
    ]);
  }
});

test('A thread that waits has the queue of the sample', async () => {
  const agents = [{ id: 'ann', name: 'Ann', max_chats_count: 0 }];
  const real = createChatCaller({ seed: { agents, presence: { ann: 'accepting_chats' } } });
  const { chat_id } = await granted(real.customer('kim', 'start_chat'));
  const { thread } = await granted(real.customer('kim', 'get_chat', { chat_id }));
  expect(compared(samples.THREAD.queue, thread.queue)).toEqual([]);
});

test('Fields of forms have the shape of their samples', () => {
  expect(compared(samples.FILLED_FIELDS, { fields: SENT.filledForm.fields })).toEqual([]);
  const { options: _, required: __, ...field } = { ...FIELD, options: OPTIONS, required: true };
  expect(compared(samples.FORM_FIELDS, { fields: [field] })).toEqual([]);
});
