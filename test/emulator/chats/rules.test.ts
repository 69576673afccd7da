// The 18 rules of the state machine, one by one, as requests see them. customer-and-reports-notes.md, section 4.

import { describe, expect, test } from 'vitest';
import type { Seed, SettingsInput } from '../../../src/emulator/index.ts';
import { type ChatCaller, createChatCaller, granted, outcome } from '../customer/caller.ts';
import { threadsOf } from '../traffic/played.ts';

const MINUTE = 60_000;
const SHOP = 'https://shop.example/';
const EVERYBODY = { agent: ['read', 'write'], customer: ['read', 'write'] } as const;

const SEED: Seed = {
  agents: [
    { id: 'ann', name: 'Ann', max_chats_count: 1, groups: [{ id: 1, priority: 'first' }] },
    { id: 'bob', name: 'Bob', max_chats_count: 2, groups: [{ id: 1, priority: 'normal' }] },
    { id: 'cyd', name: 'Cyd', max_chats_count: 2, groups: [{ id: 1, priority: 'supervisor' }] },
  ],
  groups: [
    { id: 1, name: 'Sales' },
    { id: 2, name: 'Night' },
  ],
  auto_access: [
    { id: 'prices', access: { groups: [1] }, conditions: { url: { values: [{ value: '/pricing' }] } } },
    { id: 'poles', access: { groups: [2] }, conditions: { geolocation: { values: [{ country: 'Poland' }] } } },
  ],
};

const seeded = (more: Partial<Seed> = {}, settings: SettingsInput = {}): ChatCaller =>
  createChatCaller({ seed: { ...SEED, ...more }, settings });

const present = async (real: ChatCaller, ...ids: readonly string[]): Promise<void> => {
  for (const id of ids) await granted(real.control('presence', { id, status: 'accepting_chats' }));
};

interface Started {
  readonly chat_id: string;
  readonly thread_id: string;
}

const start = (real: ChatCaller, token: string, chat: object = {}, how: object = {}): Promise<Started> =>
  granted(real.customer(token, 'start_chat', { chat, ...how }));

/** Chats to group 1. */
const sales = (real: ChatCaller, token: string, how: object = {}): Promise<Started> =>
  start(real, token, { access: { group_ids: [1] } }, how);

const threadOf = async (real: ChatCaller, token: string, { chat_id }: Started) =>
  (await granted(real.customer(token, 'get_chat', { chat_id }))).thread;

const holderOf = async (real: ChatCaller, { chat_id }: Started): Promise<unknown> => {
  const { active } = await granted(real.control('chats'));
  return active.find((one: { chat_id: string }) => one.chat_id === chat_id)?.agent;
};

/** Types of the messages of the system, in their order. */
const said = async (real: ChatCaller, token: string, chat: Started): Promise<readonly string[]> => {
  const { events } = await threadOf(real, token, chat);
  return events.flatMap(({ system_message_type: type }: { system_message_type?: string }) => type ?? []);
};

const pass = async (real: ChatCaller, minutes: number): Promise<void> => {
  real.clock.now += minutes * MINUTE;
  await granted(real.control('clock', { advance: 0 }));
};

describe('1. Presence', () => {
  const routing = async (real: ChatCaller): Promise<string> =>
    (await granted(real.configure('get_group', { id: 1, fields: ['routing_status'] }))).routing_status;

  test('is what the control API says, and offline at first', async () => {
    const real = seeded();
    expect(await routing(real)).toBe('offline');
    await granted(real.control('presence', { id: 'bob', status: 'not_accepting_chats' }));
    expect(await routing(real)).toBe('not_accepting_chats');
    await present(real, 'ann');
    expect(await routing(real)).toBe('accepting_chats');
  });

  test('follows login_status where the setting says so, unless the control API says otherwise', async () => {
    const agents = [
      { id: 'ann', name: 'Ann', login_status: 'accepting chats', groups: [{ id: 1, priority: 'first' }] },
    ] as const;
    const real = seeded({ agents }, { presence: 'login_status' });
    expect(await routing(real)).toBe('accepting_chats');
    await granted(real.control('presence', { id: 'ann', status: 'offline' }));
    expect(await routing(real)).toBe('offline');
  });

  test('follows working hours where the setting says so, in the zone of the schedule', async () => {
    // 2026-01-01 is a Thursday; it is 00:00 in UTC, and 01:00 in Warsaw.
    const work_scheduler = {
      timezone: 'Europe/Warsaw',
      schedule: [{ day: 'thursday', enabled: true, start: '01:30', end: '02:00' }],
    } as const;
    const agents = [{ id: 'ann', name: 'Ann', work_scheduler, groups: [{ id: 1, priority: 'first' }] }] as const;
    const real = seeded({ agents }, { presence: 'schedule' });
    const shown: string[] = [];
    for (const minutes of [0, 29, 1, 29, 1]) {
      await pass(real, minutes);
      shown.push(await routing(real));
    }
    expect(shown).toEqual(['offline', 'offline', 'accepting_chats', 'accepting_chats', 'offline']);
  });

  test.each(['schedule', 'always'] as const)(
    'of a bot is offline until its routing status is set (%s), unless a setting says otherwise',
    async (presence) => {
      const work_scheduler = {
        timezone: 'UTC',
        schedule: [{ day: 'thursday', enabled: true, start: '00:00', end: '23:59' }],
      } as const;
      const bots = [{ id: 'night-owl', name: 'Owl', work_scheduler, groups: [{ id: 1, priority: 'first' }] }] as const;
      const real = seeded({ bots, agents: [] }, { presence });
      expect(await routing(real)).toBe('offline');
      await granted(real.control('presence', { id: 'night-owl', status: 'accepting_chats' }));
      expect(await routing(real)).toBe('accepting_chats');
      const lenient = seeded({ bots, agents: [] }, { presence, botsWithoutStatus: 'present' });
      expect(await routing(lenient)).toBe('accepting_chats');
    },
  );
});

test('2. A group is online for customers, online for the queue, or offline', async () => {
  const status = async (settings: SettingsInput, ...steps: readonly ('present' | 'taken')[]) => {
    const real = seeded({}, settings);
    if (steps.includes('present')) await present(real, 'ann');
    if (steps.includes('taken')) await sales(real, 'kim');
    const { groups_status } = await granted(real.customer('lee', 'list_group_statuses', { group_ids: [1] }));
    return groups_status['1'];
  };
  expect(await status({})).toBe('offline');
  expect(await status({}, 'present')).toBe('online');
  expect(await status({}, 'present', 'taken')).toBe('online_for_queue');
  expect(await status({ queue: false }, 'present', 'taken')).toBe('offline');
  expect(await status({ limits: { queuedChats: 0 } }, 'present', 'taken')).toBe('offline');
});

test('3. A thread gets the groups of its request, else those of its page or place, else group 0, and keeps them', async () => {
  const real = seeded({ customers: [{ token: 'pola', geolocation: { country_code: 'PL' } }] });
  const groups = async (token: string, chat: object, referer?: string) => {
    const headers = referer === undefined ? {} : { referer };
    const started = await granted(real.customer(token, 'start_chat', { continuous: true, chat }, { headers }));
    return [started, (await threadOf(real, token, started)).access.group_ids] as const;
  };
  const [kept, first] = await groups('a', {}, `${SHOP}pricing`);
  expect(first).toEqual([1]);
  expect((await groups('b', { access: { group_ids: [2] } }, `${SHOP}pricing`))[1]).toEqual([2]);
  expect((await groups('pola', {}, SHOP))[1]).toEqual([2]);
  expect((await groups('c', {}, SHOP))[1]).toEqual([0]);
  expect((await groups('d', {}))[1]).toEqual([0]);
  await granted(real.configure('delete_auto_access', { id: 'prices' }));
  expect((await threadOf(real, 'a', kept)).access.group_ids).toEqual([1]);
});

describe('4. A chat goes only to', () => {
  test.each<[string, (real: ChatCaller) => Promise<unknown>]>([
    ['members who accept chats', (real) => real.control('presence', { id: 'ann', status: 'not_accepting_chats' })],
    ['members who are not suspended', (real) => real.configure('suspend_agent', { id: 'ann' })],
    ['members with a free slot', (real) => sales(real, 'other')],
    ['members of the group', (real) => real.configure('update_agent', { id: 'ann', groups: [] })],
    [
      'members who are no supervisors',
      (real) => real.configure('update_agent', { id: 'ann', groups: [{ id: 1, priority: 'supervisor' }] }),
    ],
  ])('%s', async (_, exclude) => {
    const real = seeded();
    await present(real, 'ann', 'bob', 'cyd');
    await exclude(real);
    expect(await holderOf(real, await sales(real, 'kim'))).toBe('bob');
  });

  test('members who do not wait for approval', async () => {
    const real = seeded({
      agents: [
        ...(SEED.agents ?? []),
        { id: 'aaa', name: 'A', awaiting_approval: true, groups: [{ id: 1, priority: 'first' }] },
      ],
    });
    await present(real, 'aaa', 'bob');
    expect(await holderOf(real, await sales(real, 'kim'))).toBe('bob');
  });

  test('anyone, where the group is 0', async () => {
    const real = seeded();
    await present(real, 'cyd');
    expect(await holderOf(real, await start(real, 'kim'))).toBe('cyd');
  });
});

describe('5. Among those, the chat goes', () => {
  const equals = (property: object = {}) =>
    seeded({
      agents: ['ann', 'bob', 'cyd'].map((id) => ({
        id,
        name: id,
        max_chats_count: 5,
        groups: [{ id: 1, priority: 'normal' as const }],
      })),
      ...property,
    });
  const held = async (real: ChatCaller, ...tokens: readonly string[]) => {
    const found: unknown[] = [];
    for (const token of tokens) {
      real.clock.now += 1;
      found.push(await holderOf(real, await sales(real, token)));
    }
    return found;
  };

  test('first to the best priority', async () => {
    const real = seeded();
    await present(real, 'bob', 'ann');
    expect(await held(real, 'a', 'b')).toEqual(['ann', 'bob']);
  });

  test('then to the fewest chats, one each before a second round, the longest idle first', async () => {
    const real = equals();
    await present(real, 'cyd', 'bob', 'ann');
    expect(await held(real, 'a', 'b', 'c', 'd')).toEqual(['ann', 'bob', 'cyd', 'ann']);
    const again = equals();
    await present(again, 'ann', 'bob');
    const first = await sales(again, 'a');
    await granted(again.customer('a', 'deactivate_chat', { id: first.chat_id }));
    expect(await held(again, 'b', 'c')).toEqual(['bob', 'ann']);
  });

  test("to the customer's last agent, where a property says so", async () => {
    for (const [prefers, expected] of [
      [true, 'ann'],
      [false, 'bob'],
    ] as const) {
      const real = equals({ license_properties: { chats: { prefer_recent_agent: prefers } } });
      await present(real, 'ann', 'bob');
      const chat = await sales(real, 'kim');
      expect(await holderOf(real, chat)).toBe('ann');
      await granted(real.customer('kim', 'deactivate_chat', { id: chat.chat_id }));
      real.clock.now += 1;
      await granted(real.customer('kim', 'resume_chat', { chat: { id: chat.chat_id, access: { group_ids: [1] } } }));
      expect(await holderOf(real, chat)).toBe(expected);
    }
  });
});

test('6. Of several groups, the best priority in any of them counts; or the first group that has a member', async () => {
  const agents = [
    { id: 'ann', name: 'Ann', groups: [{ id: 1, priority: 'last' as const }] },
    { id: 'bob', name: 'Bob', groups: [{ id: 2, priority: 'first' as const }] },
  ];
  for (const [groupsOfChat, expected] of [
    ['best_priority', 'bob'],
    ['first_group', 'ann'],
  ] as const) {
    const real = seeded({ agents }, { groupsOfChat });
    await present(real, 'ann', 'bob');
    expect(await holderOf(real, await start(real, 'kim', { access: { group_ids: [1, 2] } }))).toBe(expected);
  }
});

test('7. Chats wait in the order of their priority and time, and know their place and an estimate', async () => {
  const agents = [
    {
      id: 'ann',
      name: 'Ann',
      max_chats_count: 1,
      groups: [
        { id: 1, priority: 'first' as const },
        { id: 2, priority: 'first' as const },
      ],
    },
  ];
  const real = seeded(
    { agents, group_properties: { '2': { chats: { 'queue.routing_priority': 5 } } } },
    { meanChatSeconds: 300 },
  );
  await present(real, 'ann');
  const first = await sales(real, 'a');
  real.clock.now += 1000;
  const second = await sales(real, 'b');
  const third = await sales(real, 'c');
  const urgent = await start(real, 'd', { access: { group_ids: [2] } });
  expect((await granted(real.control('chats'))).queue).toEqual([urgent, second, third].map(({ chat_id }) => chat_id));
  expect((await threadOf(real, 'c', third)).queue).toEqual({
    position: 2,
    wait_time: 600,
    queued_at: '2026-01-01T00:00:01.000000Z',
  });
  expect((await threadOf(real, 'a', first)).queue).toBeUndefined();
});

test('8. Where no member accepts chats, only a continuous chat begins, without an agent', async () => {
  const real = seeded();
  expect(await outcome(real.customer('kim', 'start_chat', {}))).toBe('groups_offline');
  expect(await outcome(real.customer('kim', 'get_customer'))).toBe('granted');
  const chat = await start(real, 'kim', {}, { continuous: true });
  const { properties } = await threadOf(real, 'kim', chat);
  // Customers do not see the marks of the desk.
  expect(properties.routing).toEqual({ continuous: true });
  expect(threadsOf(real.emulator)[0]?.properties).toMatchObject({ routing: { unassigned: true, pinned: true } });
  expect(await holderOf(real, chat)).toBeNull();
  const full = seeded({}, { queue: false });
  await present(full, 'ann');
  await sales(full, 'a');
  expect(await outcome(full.customer('b', 'start_chat', { chat: { access: { group_ids: [1] } } }))).toBe(
    'group_unavailable',
  );
});

describe('9. The queue is served when a slot is free', () => {
  test.each<[string, (real: ChatCaller, first: Started) => Promise<unknown>]>([
    ['because a chat ends', (real, { chat_id }) => granted(real.customer('a', 'deactivate_chat', { id: chat_id }))],
    ['because another agent comes', (real) => present(real, 'bob')],
    ['because a limit is raised', (real) => granted(real.configure('update_agent', { id: 'ann', max_chats_count: 2 }))],
    [
      'because an agent joins the group',
      async (real) => {
        await present(real, 'dan');
        await granted(real.configure('update_agent', { id: 'dan', groups: [{ id: 1, priority: 'last' }] }));
      },
    ],
    [
      'because an agent is no longer suspended',
      async (real) => {
        await granted(real.configure('suspend_agent', { id: 'bob' }));
        await present(real, 'bob');
        await granted(real.configure('unsuspend_agent', { id: 'bob' }));
      },
    ],
  ])('%s', async (_, free) => {
    const real = seeded({
      agents: [...(SEED.agents ?? []), { id: 'dan', name: 'Dan', groups: [{ id: 2, priority: 'normal' }] }],
    });
    await present(real, 'ann');
    const first = await sales(real, 'a');
    const waiting = await sales(real, 'b');
    expect(await holderOf(real, waiting)).toBeNull();
    await free(real, first);
    expect(await holderOf(real, waiting)).not.toBeNull();
    expect((await granted(real.control('chats'))).queue).toEqual([]);
  });

  test('and what is configured counts only when it has propagated', async () => {
    const real = createChatCaller({ seed: SEED, propagationDelay: 60_000 });
    await present(real, 'ann');
    await sales(real, 'a');
    const waiting = await sales(real, 'b');
    await granted(real.configure('update_agent', { id: 'ann', max_chats_count: 2 }));
    real.clock.now += 59_999;
    expect(await holderOf(real, waiting)).toBeNull();
    real.clock.now += 60_000;
    expect(await holderOf(real, waiting)).toBe('ann');
  });
});

describe('10. When an agent leaves, the chat', () => {
  const gone = (real: ChatCaller, id: string) => granted(real.control('presence', { id, status: 'offline' }));

  test('goes to the next agent', async () => {
    const real = seeded();
    await present(real, 'ann', 'bob');
    const chat = await sales(real, 'kim');
    await gone(real, 'ann');
    expect(await holderOf(real, chat)).toBe('bob');
    expect(await said(real, 'kim', chat)).toEqual(['routing.assigned_signed_out']);
  });

  test('says why its agent left', async () => {
    const real = seeded();
    await present(real, 'ann', 'bob');
    const chat = await sales(real, 'kim');
    await granted(real.configure('suspend_agent', { id: 'ann' }));
    await granted(real.configure('delete_agent', { id: 'bob' }));
    expect(await said(real, 'kim', chat)).toEqual([
      'routing.assigned_other',
      'routing.unassigned_deleted',
      'routing.archived_offline',
    ]);
  });

  test('waits when the others are busy', async () => {
    const real = seeded();
    await present(real, 'ann');
    const chat = await sales(real, 'kim');
    await granted(real.configure('update_agent', { id: 'bob', max_chats_count: 0 }));
    await present(real, 'bob');
    await granted(real.configure('delete_agent', { id: 'ann' }));
    expect((await granted(real.control('chats'))).queue).toEqual([chat.chat_id]);
    expect(await said(real, 'kim', chat)).toEqual(['routing.unassigned_deleted']);
  });

  test('ends when no agent is there, and so do those in the queue; continuous ones stay', async () => {
    const real = seeded();
    await present(real, 'ann');
    const [chat, waiting] = [await sales(real, 'kim'), await sales(real, 'lee')];
    const lasting = await sales(real, 'max', { continuous: true });
    await gone(real, 'ann');
    expect(await said(real, 'kim', chat)).toEqual(['routing.unassigned_signed_out', 'routing.archived_offline']);
    expect(await said(real, 'lee', waiting)).toEqual(['routing.archived_offline']);
    expect((await threadOf(real, 'lee', waiting)).active).toBe(false);
    expect((await threadOf(real, 'max', lasting)).active).toBe(true);
  });
});

test('11. Events go to the last thread, which alone can be active, or is attached to', async () => {
  const real = seeded();
  const chat = await start(real, 'kim', {}, { continuous: true });
  const event = { type: 'message', text: 'x' };
  expect(await outcome(real.customer('kim', 'resume_chat', { chat: { id: chat.chat_id } }))).toBe('validation');
  await granted(real.customer('kim', 'deactivate_chat', { id: chat.chat_id }));
  expect(await outcome(real.customer('kim', 'send_event', { chat_id: chat.chat_id, event }))).toBe('chat_inactive');
  expect(await outcome(real.customer('kim', 'send_event', { chat_id: chat.chat_id, event }, { version: '3.3' }))).toBe(
    'validation',
  );
  const attached = await granted(
    real.customer('kim', 'send_event', { chat_id: chat.chat_id, event, attach_to_last_thread: true }),
  );
  expect(attached.event_id).toBe(`${chat.thread_id}_2`);
  const { thread_id } = await granted(real.customer('kim', 'resume_chat', { chat: { id: chat.chat_id } }));
  const sent = await granted(real.customer('kim', 'send_event', { chat_id: chat.chat_id, event }));
  expect(sent.event_id).toBe(`${thread_id}_1`);
});

test('12. A chat ends by its customer, becomes idle by silence, and ends by silence', async () => {
  const real = seeded({ license_properties: { chats: { archive_chat_after_min: 30 } } }, { idleAfterMinutes: 10 });
  await present(real, 'bob');
  const [kim, lee] = [await sales(real, 'kim'), await sales(real, 'lee')];
  await granted(real.customer('kim', 'deactivate_chat', { id: kim.chat_id }));
  expect(await said(real, 'kim', kim)).toEqual(['manual_archived_customer']);
  await pass(real, 9.9);
  expect(await said(real, 'lee', lee)).toEqual([]);
  await pass(real, 0.1);
  expect(await said(real, 'lee', lee)).toEqual(['routing.idle']);
  await granted(real.control('chats/reply', { chat_id: lee.chat_id, text: 'Still there?' }));
  await pass(real, 100);
  const { events, active } = await threadOf(real, 'lee', lee);
  expect(active).toBe(false);
  // Both happen at their own times, although the clock jumps.
  expect(
    events.map(({ created_at, system_message_type: type }: Record<string, string>) => [
      created_at?.slice(11, 16),
      type,
    ]),
  ).toEqual([
    ['00:10', 'routing.idle'],
    ['00:10', undefined],
    ['00:20', 'routing.idle'],
    ['00:40', 'routing.archived_inactive'],
  ]);
});

test('12. A continuous chat has a limit of its own', async () => {
  const chats = { archive_chat_after_min: 30, archive_offline_chat_after_min: 5, chat_inactive_after_min: -1 };
  const real = seeded({ license_properties: { chats } });
  await present(real, 'bob');
  const kim = await start(real, 'kim', {}, { continuous: true });
  const lee = await sales(real, 'lee');
  await pass(real, 29);
  expect(await said(real, 'kim', kim)).toEqual(['routing.archived_inactive']);
  expect(await said(real, 'lee', lee)).toEqual([]);
});

test('13. What customers send moves what they have seen, and ids are those of their own events', async () => {
  const real = seeded();
  const thread = { events: [{ type: 'message', text: 'x' }] };
  const chat = await granted(real.customer('kim', 'start_chat', { continuous: true, chat: { thread } }));
  expect(chat.event_ids).toEqual([`${chat.thread_id}_1`]);
  const seen = async () => {
    const { users } = await granted(real.customer('kim', 'get_chat', { chat_id: chat.chat_id }));
    return users[0].events_seen_up_to;
  };
  expect(await seen()).toBe('2026-01-01T00:00:00.000000Z');
  real.clock.now += 1000;
  await granted(real.control('chats/reply', { chat_id: chat.chat_id, author: 'bob', text: 'y' }));
  expect(await seen()).toBe('2026-01-01T00:00:00.000000Z');
  await granted(real.customer('kim', 'send_event', { chat_id: chat.chat_id, event: { type: 'message', text: 'z' } }));
  expect(await seen()).toBe('2026-01-01T00:00:01.000000Z');
  expect('event_ids' in (await start(seeded(), 'lee', {}, { continuous: true }))).toBe(false);
});

test('14. The service says where a thread began, and customers may rate it', async () => {
  const real = seeded({ customers: [{ token: 'kim', client_id: 'site' }] });
  const chat = await granted(
    real.customer('kim', 'start_chat', { continuous: true }, { headers: { referer: `${SHOP}pricing` } }),
  );
  const rate = (rating: object) =>
    outcome(real.customer('kim', 'update_thread_properties', { ...chat, properties: { rating } }));
  expect(await rate({ score: 1, comment: 'Fine' })).toBe('granted');
  expect(await rate({ score: 2 })).toBe('validation');
  const { properties } = await threadOf(real, 'kim', chat);
  expect(properties).toMatchObject({
    routing: { start_url: `${SHOP}pricing`, continuous: true },
    source: { customer_client_id: 'site' },
    rating: { score: 1, comment: 'Fine' },
  });
  const forged = { routing: { start_url: 'https://other.example/' } };
  expect(await outcome(real.customer('kim', 'update_thread_properties', { ...chat, properties: forged }))).toBe(
    'authorization',
  );
});

test('15. Customers write and read properties as their definitions say', async () => {
  const READ = { agent: ['read', 'write'], customer: ['read'] } as const;
  const HIDDEN = { agent: ['read', 'write'] } as const;
  const real = seeded({
    properties: {
      shop: {
        open: { type: 'string', access: { chat: EVERYBODY, group: EVERYBODY } },
        shown: { type: 'string', access: { chat: READ, group: READ } },
        hidden: { type: 'string', access: { chat: HIDDEN, group: HIDDEN } },
      },
    },
    group_properties: { '1': { shop: { open: 'a', shown: 'b', hidden: 'c' } } },
  });
  const { chat_id: id } = await start(real, 'kim', {}, { continuous: true });
  const write = (name: string) =>
    outcome(real.customer('kim', 'update_chat_properties', { id, properties: { shop: { [name]: 'x' } } }));
  expect([await write('open'), await write('shown'), await write('hidden')]).toEqual([
    'granted',
    'authorization',
    'authorization',
  ]);
  const { properties } = await granted(real.customer('kim', 'get_chat', { chat_id: id }));
  expect(properties).toEqual({ shop: { open: 'x' } });
  const listed = await granted(real.customer('kim', 'list_group_properties', { id: 1, namespace: 'shop' }));
  expect(listed).toEqual({ shop: { open: 'a', shown: 'b' } });
});

test('16. The version of a configuration changes exactly with what customers can see', async () => {
  const real = seeded();
  const version = async () =>
    (await granted(real.customer('kim', 'get_dynamic_configuration', { group_id: 1 }))).product;
  const before = await version();
  await granted(real.configure('update_agent', { id: 'ann', mobile: '1' }));
  expect(await version()).toEqual(before);
  await granted(real.configure('update_group', { id: 1, language_code: 'pl' }));
  const after = await version();
  expect([after.language, after.localization_version === before.localization_version]).toEqual(['pl', false]);
});

test('17. A page_id lasts for a month, and comes alone', async () => {
  const real = seeded();
  const chat = await start(real, 'kim', {}, { continuous: true });
  for (let round = 0; round < 4; round += 1) {
    await granted(real.customer('kim', 'deactivate_chat', { id: chat.chat_id }));
    await granted(real.customer('kim', 'resume_chat', { chat: { id: chat.chat_id }, continuous: true }));
  }
  const list = (body: object) => real.customer('kim', 'list_threads', { chat_id: chat.chat_id, ...body });
  const { next_page_id: page_id, found_threads } = await granted(list({}));
  expect(found_threads).toBe(5);
  expect((await granted(list({ page_id }))).threads).toHaveLength(2);
  for (const other of [{ limit: 3 }, { sort_order: 'asc' }, { min_events_count: 1 }])
    expect(await outcome(list({ page_id, ...other }))).toBe('validation');
  real.clock.now += 32 * 24 * 60 * MINUTE;
  expect(await outcome(list({ page_id }))).toBe('validation');
});

test('18. A deleted event is gone for customers, and its number is not given again', async () => {
  const real = seeded();
  const chat = await start(real, 'kim', {}, { continuous: true });
  const send = async (text: string) =>
    (await granted(real.customer('kim', 'send_event', { chat_id: chat.chat_id, event: { type: 'message', text } })))
      .event_id;
  const lost = await send('a');
  await granted(real.customer('kim', 'delete_event', { ...chat, event_id: lost }));
  const listed = async () => (await granted(real.customer('kim', 'list_chats'))).chats_info[0];
  expect((await threadOf(real, 'kim', chat)).events).toEqual([]);
  expect((await listed()).last_thread_info.last_event_per_type).toEqual({});
  expect(await send('b')).toBe(`${chat.thread_id}_2`);
});
