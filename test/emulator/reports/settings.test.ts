// Each setting of the Reports API, and the samples of the notes: what changes, and what stays.

import { describe, expect, test } from 'vitest';
import type { Seed, SettingsInput } from '../../../src/emulator/index.ts';
import { createReportCaller, type ReportCaller } from './caller.ts';
import { FIVE_DAYS, SEED } from './rows.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const HOUR = 3_600_000;

const askedOf = (settings: SettingsInput = {}, seed: Seed = SEED): ReportCaller['ask'] =>
  createReportCaller({ seed, settings, at: NOON }).ask;

const within = (filters: object = {}, more: object = {}) => ({ ...more, filters: { ...FIVE_DAYS, ...filters } });

type Parsed = ReturnType<typeof JSON.parse>;

/** Threads of one customer each. */
const seedOf = (threads: readonly object[], more: Partial<Seed> = {}): Seed => ({
  ...SEED,
  presence: {},
  shown_greetings: [],
  customers: threads.map((_, index) => ({ id: `c${index}`, token: `dal:c${index}` })),
  chats: threads.map((thread, index) => ({
    customer: `c${index}`,
    threads: [{ created_at: '2026-01-02T10:00:00Z', ...thread }],
  })),
  ...more,
});

test('Keys of buckets are as `reportKeys` says, in every distribution', async () => {
  const keysOf = async (distribution: string, settings: SettingsInput = {}) =>
    Object.keys((await askedOf(settings)('chats/total_chats', within({}, { distribution }))).records);
  const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
  const days = ['01', '02', '03', '04', '05'].map((day) => `2026-01-${day}`);
  expect(await keysOf('hour')).toEqual(days.flatMap((day) => hours.map((hour) => `${day} ${hour}`)));
  expect(await keysOf('hour', { reportKeys: { hour: 'time' } })).toEqual(hours);
  expect(await keysOf('day')).toEqual(days);
  expect(await keysOf('day-hours')).toEqual(hours);
  expect(await keysOf('month')).toEqual(['2026-01']);
  expect(await keysOf('year')).toEqual(['2026']);
  const settings: SettingsInput = { reportKeys: { dayHours: 'nested' } };
  const { records } = await askedOf(settings)('chats/total_chats', within({}, { distribution: 'day-hours' }));
  expect(Object.keys(records)).toEqual(days);
  expect(Object.keys(records['2026-01-02'])).toEqual(hours);
  expect(records['2026-01-02']).toMatchObject({
    '10:00': { total: 1, continuous: 1 },
    '11:00': { total: 1 },
    '12:00': {},
  });
});

test('Where a clock goes forward or back, days have 23 and 25 hours, and an hour that is there twice is one bucket', async () => {
  const days = [
    ['2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 23],
    ['2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 25],
  ] as const;
  for (const [day, from, to, hours] of days) {
    const threads = Array.from({ length: hours }, (_, hour) => ({
      created_at: new Date(Date.parse(from) + hour * HOUR).toISOString(),
    }));
    const seed = seedOf(threads, { presence: { ann: 'accepting_chats' } });
    const { ask } = createReportCaller({ seed, at: Date.UTC(2027, 0, 1) });
    const body = (distribution: string) => ({ distribution, timezone: 'Europe/Warsaw', filters: { from, to } });
    expect(await ask('chats/total_chats', body('day'))).toMatchObject({ records: { [day]: { total: hours } } });
    expect((await ask('agents/availability', body('day'))).records).toEqual({ [day]: { hours } });
    const byHour = (await ask('chats/total_chats', body('hour'))).records;
    const minutes = (await ask('agents/availability', body('hour'))).records;
    expect(Object.keys(byHour)).toHaveLength(hours === 23 ? 23 : 24);
    expect(byHour[`${day} 02:00`]).toEqual(hours === 23 ? undefined : { total: 2 });
    expect(minutes[`${day} 02:00`]).toEqual(hours === 23 ? undefined : { minutes: 120 });
    expect(minutes[`${day} 03:00`]).toEqual({ minutes: 60 });
  }
});

test('Working hours are those of the clock on the wall, also on such days, and what ended stays as it was', async () => {
  const night = (day: string) => ({ day: day as 'sunday', enabled: true, start: '00:00', end: '06:00' });
  const work_scheduler = { timezone: 'Europe/Warsaw', schedule: [night('sunday'), night('monday')] };
  const seed: Seed = { agents: [{ id: 'ann', name: 'Ann', work_scheduler }] };
  const settings = { presence: 'schedule' as const };
  const { ask, post, clock } = createReportCaller({ seed, settings, at: Date.UTC(2026, 2, 30, 12) });
  const filters = { from: '2026-03-28T00:00:00+01:00', to: '2026-04-07T00:00:00+02:00' };
  const hours = async () => (await ask('agents/availability', { timezone: 'Europe/Warsaw', filters })).records;
  const known = { '2026-03-29': { hours: 5 }, '2026-03-30': { hours: 6 } };
  expect(await hours()).toMatchObject({ '2026-03-28': {}, ...known });
  const next = { timezone: 'Europe/Warsaw', schedule: [{ ...night('sunday'), end: '01:00' }] };
  await post('/v3.6/configuration/action/update_agent', { id: 'ann', work_scheduler: next });
  clock.now = Date.UTC(2026, 3, 7);
  expect(await hours()).toMatchObject({ ...known, '2026-04-05': { hours: 1 }, '2026-04-06': {} });
  await post('/v3.6/configuration/action/delete_agent', { id: 'ann' });
  expect(await hours()).toMatchObject({ ...known, '2026-04-05': { hours: 1 } });
});

test('The time zone is that of the request, of the agent of the token, or of the first moment that is named', async () => {
  const seed = seedOf([{ created_at: '2026-01-02T22:30:00Z' }]);
  const dayOf = async (more: object, settings: SettingsInput = {}, tokens?: Seed['tokens'], from = FIVE_DAYS.from) => {
    const filters = { ...FIVE_DAYS, from };
    const ask = askedOf(settings, tokens === undefined ? seed : { ...seed, tokens });
    const { records } = await ask('chats/total_chats', { ...more, filters });
    return Object.entries<Parsed>(records).find(([, { total }]) => total === 1)?.[0];
  };
  const ann = [{ token: 'dal:reader', agent_id: 'ann', scopes: ['reports_read'] }];
  const offset = '2026-01-01T02:00:00+02:00';
  expect(await dayOf({})).toBe('2026-01-02');
  expect(await dayOf({ timezone: 'Europe/Bucharest' })).toBe('2026-01-03');
  expect(await dayOf({}, {}, undefined, offset)).toBe('2026-01-03');
  expect(await dayOf({}, {}, undefined, '2025-12-31T19:30:00-04:30')).toBe('2026-01-02');
  expect(await dayOf({}, {}, ann, offset)).toBe('2026-01-02');
  expect(await dayOf({}, { agentTimezone: 'Asia/Tokyo' }, ann)).toBe('2026-01-03');
  expect(await dayOf({}, { requestTimezone: 'Asia/Tokyo' }, ann)).toBe('2026-01-03');
  expect(await dayOf({ timezone: 'UTC' }, { requestTimezone: 'Asia/Tokyo' }, ann)).toBe('2026-01-02');
});

test('Without filters, a report spans the last seven days', async () => {
  const ago = (ms: number) => ({ created_at: new Date(NOON - ms).toISOString() });
  const seed = seedOf([
    ago(0),
    ago(6 * 24 * HOUR + 12 * HOUR),
    ago(6 * 24 * HOUR + 12 * HOUR + 1),
    ago(7 * 24 * HOUR + 1),
  ]);
  const days = await askedOf({}, seed)('chats/total_chats', {});
  expect([days.total, Object.keys(days.records).length]).toEqual([2, 7]);
  const hours = await askedOf({ defaultRange: 'hours' }, seed)('chats/total_chats', {});
  expect([hours.total, Object.keys(hours.records).length]).toEqual([3, 8]);
  const local = await askedOf({}, seed)('chats/total_chats', { timezone: 'Asia/Tokyo' });
  expect(Object.keys(local.records).at(0)).toBe('2025-12-30');
});

test('A chat at the very end of the range, and one of which reports do not know yet', async () => {
  const total = async (settings: SettingsInput, filters: object, report = 'chats/total_chats'): Promise<number> =>
    (await askedOf(settings)(report, { filters })).total;
  const until = { from: FIVE_DAYS.from, to: '2026-01-02T11:00:00Z' };
  expect(await total({}, until)).toBe(1);
  expect(await total({ reportRangeEnd: 'inclusive' }, until)).toBe(2);
  const fraction = { from: '2026-01-02T11:00:00.0001Z', to: '2026-01-02T11:00:00.0002Z' };
  expect(await total({ reportRangeEnd: 'inclusive' }, fraction)).toBe(0);
  expect(await total({ reportsLag: 599 }, FIVE_DAYS)).toBe(6);
  expect(await total({ reportsLag: 601 }, FIVE_DAYS)).toBe(5);
  expect(await total({ reportsLag: 3 * 24 * 3600 }, FIVE_DAYS, 'chats/greetings_conversion')).toBe(0);
  expect(await total({ reportChats: 'ended' }, FIVE_DAYS)).toBe(5);
});

test('A range may not be longer than `limits.reportDays`', async () => {
  const asked = async (settings: SettingsInput, to: string) => {
    const { send } = createReportCaller({ seed: SEED, settings });
    return (await send('chats/total_chats', { distribution: 'year', filters: { from: '2020-01-01T00:00:00Z', to } }))
      .status;
  };
  expect(await asked({}, '2030-01-01T00:00:00Z')).toBe(200);
  expect(await asked({}, '2031-01-01T00:00:00Z')).toBe(400);
  expect(await asked({ limits: { reportDays: -1 } }, '2031-01-01T00:00:00Z')).toBe(200);
  expect(await asked({ limits: { reportDays: 1 } }, '2020-01-02T00:00:00Z')).toBe(200);
  expect(await asked({ limits: { reportDays: 1 } }, '2020-01-02T00:00:01Z')).toBe(400);
});

test('Units, decimals, zeros, empty buckets and the echo are as the settings say', async () => {
  const ask = (settings: SettingsInput, report: string, more: object = {}) =>
    askedOf(settings)(report, within({}, more));
  const response = async (settings: SettingsInput): Promise<Parsed> =>
    (await ask(settings, 'chats/response_time')).records['2026-01-02'].response_time;
  expect(await response({})).toBe(90);
  expect(await response({ reportDurations: 'milliseconds' })).toBe(90_000);
  expect(await response({ reportDurations: 'minutes' })).toBe(1.5);
  expect(await response({ responseTimeMean: 'per_response' })).toBe(80);
  expect(await response({ reportDurations: 'minutes', reportDecimals: 0 })).toBe(2);
  const { records } = await ask({ zeroMembers: 'shown' }, 'chats/total_chats');
  expect(records).toMatchObject({ '2026-01-01': {}, '2026-01-03': { total: 2, continuous: 0 } });
  expect(Object.keys((await ask({ emptyBuckets: 'omitted' }, 'chats/total_chats')).records)).toHaveLength(4);
  expect(await ask({ reportEcho: 'always' }, 'chats/tags', { timezone: 'UTC' })).toMatchObject({
    request: { timezone: 'UTC', filters: FIVE_DAYS },
  });
  const [ranked, nowhere] = [await ask({}, 'chats/ranking'), await ask({ zeroMembers: 'omitted' }, 'chats/ranking')];
  expect([ranked.records.ann.bad, nowhere.records.ann.bad]).toEqual([0, undefined]);
  expect((await ask({ zeroMembers: 'omitted' }, 'agents/availability')).records['2026-01-01']).toEqual({});
  expect((await ask({ engagementTotal: true }, 'chats/engagement')).records['2026-01-03'].total).toBe(2);
  const performance = await ask({ zeroMembers: 'shown' }, 'agents/performance');
  expect(Object.keys(performance.records).sort()).toEqual(['ann', 'bob', 'owner@example.com', 'robin']);
  expect(performance.records['owner@example.com']).toMatchObject({ chats_count: 0, logged_in_time: 0 });
});

test('`total` of availability is in the unit of the records, or in hours', async () => {
  const total = async (settings: SettingsInput): Promise<number> => {
    const seed = { ...SEED, presence: { ann: 'accepting_chats' as const } };
    const filters = { from: '2026-01-02T00:00:00Z', to: '2026-01-02T02:00:00Z' };
    return (await askedOf(settings, seed)('agents/availability', { distribution: 'hour', filters })).total;
  };
  expect(await total({})).toBe(120);
  expect(await total({ availabilityTotal: 'hours' })).toBe(2);
});

test('Bots are agents of chats, or also have times, or are none', async () => {
  const seed = { ...SEED, presence: { robin: 'accepting_chats' as const } };
  const filters = { ...FIVE_DAYS, agents: { exists: false } };
  const answer = async (settings: SettingsInput) => {
    const ask = askedOf(settings, seed);
    const { records } = await ask('agents/performance', within());
    const { accepting_chats_time: time = 0 } = records.robin ?? {};
    const { total } = await ask('chats/total_chats', { filters });
    return [total, 'robin' in records, time, (await ask('agents/availability', within())).total];
  };
  const seconds = 4.5 * 24 * 3600;
  expect(await answer({})).toEqual([1, true, 0, 0]);
  expect(await answer({ reportBots: 'chats_and_times' })).toEqual([1, true, seconds, seconds / 3600]);
  expect(await answer({ reportBots: 'none' })).toEqual([2, false, 0, 0]);
});

test('A credential of a person is taken only where the settings say so', async () => {
  const tokens = [{ token: 'mine', kind: 'personal' as const, scopes: ['reports_read'] }];
  const authorization = `Basic ${Buffer.from('account:mine').toString('base64')}`;
  const ask = askedOf({ reportsAuthorization: 'any' }, { ...SEED, tokens });
  expect(await ask('chats/total_chats', within(), { authorization })).toMatchObject({ total: 6 });
});

test('Parameters that are not known are refused in both forms, or ignored', async () => {
  const { send } = createReportCaller({ seed: SEED });
  for (const method of ['POST', 'GET'])
    for (const body of [within({ countries: { values: ['PL'] } }), within({}, { group: 1 })]) {
      const { status, body: reply } = await send('chats/tags', body, { method });
      expect([status, reply.error?.type]).toEqual([400, 'validation']);
    }
  const wrong = [
    ['agents/performance', within({ agents: { exists: true } })],
    ['agents/availability', within({ tags: { values: ['vip'] } })],
    ['chats/total_chats', within({}, { page: 1 })],
  ] as const;
  for (const [report, body] of wrong) {
    expect([report, (await send(report, body)).status]).toEqual([report, 400]);
    await askedOf({ unknownFilters: 'ignored' })(report, body);
  }
  expect((await send('chats/tags', within({ groups: { values: [1] } }))).status).toBe(200);
  const strict = createReportCaller({ seed: SEED, settings: { agentResponseWithoutFirst: 'validation' } });
  const agents = { values: ['ann'] };
  expect((await strict.send('chats/tags', within({ agent_response: { agents } }))).status).toBe(400);
  expect((await strict.send('chats/tags', within({ agent_response: { first: true, agents } }))).status).toBe(200);
});

test('Properties of the chat count where the settings say so', async () => {
  const [chat] = SEED.chats ?? [];
  const properties = { shop: { tier: 'gold' } };
  const seed: Seed = { ...SEED, chats: [{ ...chat, customer: 'a', properties }] };
  const filters = within({ properties: { shop: { tier: { values: ['gold'] } } } });
  expect((await askedOf({}, seed)('chats/total_chats', filters)).total).toBe(0);
  expect((await askedOf({ reportProperties: 'thread_and_chat' }, seed)('chats/total_chats', filters)).total).toBe(1);
});

test('Ratings count all chats, or those that were rated', async () => {
  expect(await askedOf({ ratingsChats: 'rated' })('chats/ratings', within())).toMatchObject({
    total: 2,
    records: { '2026-01-02': { chats: 2, good: 1, bad: 1 }, '2026-01-03': {} },
  });
});

test('Where a filter names agents, only those have records, and of surveys only those of the type that is asked count', async () => {
  const together = { agent: 'ann', properties: { rating: { score: 1 } }, events: [{ author: 'bob', text: 'Hello' }] };
  const ask = askedOf({}, seedOf([together]));
  for (const report of ['chats/ranking', 'agents/performance']) {
    const agents = async (filter?: object) =>
      Object.keys((await ask(report, within(filter === undefined ? {} : { agents: filter }))).records).sort();
    expect(await agents()).toEqual(['ann', 'bob']);
    expect(await agents({ values: ['bob'] })).toEqual(['bob']);
    expect(await agents({ values: ['ann', 'bob'], require_every_value: true })).toEqual(['ann', 'bob']);
  }
  const surveys = [['before', 'prechat'] as const, ['after', 'postchat'] as const].map(([form_id, form_type]) => ({
    type: 'filled_form' as const,
    content: { form_id, form_type, fields: [] },
  }));
  const filled = askedOf({}, seedOf([{ events: surveys }]));
  const ids = async (filters: object) =>
    Object.keys((await filled('chats/surveys', within(filters))).records[0]).sort();
  expect(await ids({})).toEqual(['after', 'before']);
  expect(await ids({ surveys: [{ type: 'pre_chat' }] })).toEqual(['before']);
});

test('A goal belongs to the chat that had begun last when the customer reached it', async () => {
  const threads = ['2026-01-02T10:00:00Z', '2026-01-04T10:00:00Z'].map((created_at) => ({ created_at }));
  const seed: Seed = {
    ...SEED,
    customers: [{ id: 'a', token: 'dal:a' }],
    shown_greetings: [],
    chats: [{ customer: 'a', threads }],
  };
  const { ask, post } = createReportCaller({ seed, at: NOON });
  const visit = { session_fields: [], group_id: 0, page_url: 'https://shop.example/thanks' };
  await post('/v3.7/customer/action/check_goals?organization_id=o', visit, 'dal:a');
  const { total, records } = await ask('chats/total_chats', within({ goals: { values: [1] } }));
  expect([total, records['2026-01-04']]).toEqual([1, { total: 1 }]);
});

describe('What happens on the license while it runs', () => {
  const start = async (caller: ReportCaller, token: string, group: number, text?: string): Promise<string> => {
    const thread = text === undefined ? {} : { events: [{ type: 'message', text }] };
    const chat = { access: { group_ids: [group] }, thread };
    const path = '/v3.7/customer/action/start_chat?organization_id=o';
    return (await caller.post(path, { chat, continuous: false }, token)).chat_id;
  };
  const running = async (settings: SettingsInput = {}): Promise<ReportCaller> => {
    const { chats: _, shown_greetings: __, ...seed } = SEED;
    const caller = createReportCaller({ seed: { ...seed, presence: {} }, settings, at: NOON });
    for (const id of ['ann', 'bob']) await caller.post('/_emulator/presence', { id, status: 'accepting_chats' });
    return caller;
  };
  const minutes = (caller: ReportCaller, count: number) => {
    caller.clock.now += count * 60_000;
  };

  test('A transferred chat counts for all its agents and groups, and the time of each', async () => {
    const figures = async (settings: SettingsInput = {}) => {
      const caller = await running(settings);
      const chat_id = await start(caller, 'dal:a', 1, 'Hi');
      minutes(caller, 10);
      await caller.post('/_emulator/chats/reply', { chat_id, text: 'Hello' });
      await caller.post('/_emulator/chats/transfer', { chat_id, group_ids: [2] });
      minutes(caller, 5);
      await caller.post('/_emulator/chats/close', { chat_id });
      minutes(caller, 5);
      const ofGroup = async (group: number): Promise<number> =>
        (await caller.ask('chats/total_chats', within({ groups: { values: [group] } }))).total;
      const { records, summary } = await caller.ask('agents/performance', within());
      const chatting = [records.ann.chatting_time, records.bob.chatting_time];
      return { chatting, summary: summary.chats_count, groups: [await ofGroup(1), await ofGroup(2)] };
    };
    expect(await figures()).toEqual({ chatting: [600, 300], summary: 1, groups: [1, 1] });
    expect(await figures({ transferredChats: 'last_groups' })).toMatchObject({ groups: [0, 1] });
    expect(await figures({ performanceSummary: 'sum' })).toMatchObject({ summary: 2 });
  });

  test('An agent chats with two customers at once for one time, or for two', async () => {
    const chatting = async (settings: SettingsInput): Promise<number> => {
      const caller = await running(settings);
      await start(caller, 'dal:a', 1);
      await start(caller, 'dal:b', 1);
      minutes(caller, 10);
      return (await caller.ask('agents/performance', within())).records.ann.chatting_time;
    };
    expect(await chatting({})).toBe(600);
    expect(await chatting({ chattingTime: 'sum' })).toBe(1200);
  });

  test('The first response is counted from the chat, or from the message; a chat of an agent is started by the agent', async () => {
    const figures = async (settings: SettingsInput) => {
      const caller = await running(settings);
      const chat_id = await start(caller, 'dal:a', 1);
      minutes(caller, 1);
      const event = { type: 'message', text: 'Hi' };
      await caller.post('/v3.7/customer/action/send_event?organization_id=o', { chat_id, event }, 'dal:a');
      minutes(caller, 1);
      await caller.post('/_emulator/chats/reply', { chat_id, text: 'Hello' });
      const { records } = await caller.ask('chats/first_response_time', within());
      return records['2026-01-05'];
    };
    expect(await figures({})).toEqual({ count: 1, first_response_time: 120 });
    expect(await figures({ firstResponseFrom: 'message' })).toEqual({ count: 1, first_response_time: 60 });
    const caller = await running();
    const started = await caller.post('/_emulator/chats/start', {
      customer_id: 'b',
      agent: 'ann',
      text: 'May I help?',
    });
    expect(started).toEqual({ chat_id: expect.any(String), thread_id: expect.any(String) });
    const again = caller.post('/_emulator/chats/start', { customer_id: 'b', agent: 'ann' });
    await expect(again).rejects.toThrow('has an active chat');
    await caller.post('/_emulator/chats/sale', { chat_id: started.chat_id, sale_id: 4 });
    const { records } = await caller.ask('chats/engagement', within({ sales: { values: [4] } }));
    expect(records['2026-01-05']).toEqual({ started_by_agent: 1 });
  });

  test('Members of a group, or chats of a group, are what `performanceGroups` says', async () => {
    const figures = async (settings: SettingsInput) => {
      const caller = await running(settings);
      const chat_id = await start(caller, 'dal:a', 1);
      await caller.post('/_emulator/chats/transfer', { chat_id, to: 'bob' });
      const { summary, records } = await caller.ask('agents/performance', within({ groups: { values: [2] } }));
      return [summary.chats_count, records.bob?.chats_count ?? 0, 'ann' in records];
    };
    expect(await figures({})).toEqual([0, 0, false]);
    expect(await figures({ performanceGroups: 'members' })).toEqual([1, 1, false]);
  });

  test('Suspending an agent ends the time at which the agent was there', async () => {
    const caller = await running();
    minutes(caller, 60);
    await caller.post('/v3.6/configuration/action/suspend_agent', { id: 'ann' });
    await caller.post('/_emulator/presence', { id: 'bob', status: 'not_accepting_chats' });
    minutes(caller, 60);
    expect((await caller.ask('agents/availability', within())).total).toBe(1);
    const { records } = await caller.ask('agents/performance', within());
    expect(records).toMatchObject({
      ann: { accepting_chats_time: 3600, logged_in_time: 3600 },
      bob: { accepting_chats_time: 3600, not_accepting_chats_time: 3600, logged_in_time: 7200 },
    });
    const state = JSON.parse(JSON.stringify(caller.emulator.snapshot()));
    const later = createReportCaller({ state, at: caller.clock.now });
    expect((await later.ask('agents/performance', within())).records).toEqual(records);
    for (const table of ['attendance']) delete state.tables[table];
    const older = createReportCaller({ state, at: caller.clock.now });
    expect((await older.ask('agents/availability', within())).total).toBe(0);
  });

  test('At most 100 greetings of a day are there, those that were shown most often', async () => {
    const caller = await running({ limits: { greetingsPerDay: 1 } });
    for (const greeting_id of [8, 7, 7]) {
      await caller.post('/_emulator/greetings/show', { customer_id: 'a', greeting_id });
      minutes(caller, 60);
    }
    for (const distribution of ['day', 'year', 'hour'])
      expect(
        JSON.stringify(await caller.ask('chats/greetings_conversion', within({}, { distribution }))),
      ).not.toContain('"8"');
    const { records } = await caller.ask('chats/greetings_conversion', within());
    expect(records['2026-01-05']).toEqual({ 7: { displayed: 2, accepted: 0, canceled: 0, goals: 0 } });
  });
});

describe('The samples of the notes', () => {
  test.each([
    [13, 6, 0.423267130314633],
    [0, 2, 0.114734824257859],
    [10, 2, 0.5194200469],
    [2, 0, 0.3312764381],
  ])('%i good and %i bad ratings score %d', async (good, bad, score) => {
    const rated = (value: number) => ({ agent: 'ann', properties: { rating: { score: value } } });
    const threads = [...Array.from({ length: good }, () => rated(1)), ...Array.from({ length: bad }, () => rated(0))];
    const { records } = await askedOf({}, seedOf([...threads, { agent: 'ann' }]))('chats/ranking', within());
    expect(records.ann).toMatchObject({ total: good + bad });
    expect(records.ann.score).toBeCloseTo(score, String(score).length === 17 ? 15 : 10);
  });

  test('The first response time of all is the mean of the agents, weighted by their chats', async () => {
    const answered = (agent: string, seconds: number) => ({
      agent,
      events: [{ text: 'Hi' }, { author: agent, text: 'Hello', created_at: `2026-01-02T10:00:${seconds}Z` }],
    });
    const seed = seedOf([answered('ann', 10), answered('ann', 20), answered('bob', 45)]);
    const { summary, records } = await askedOf({}, seed)('agents/performance', within());
    expect(records).toMatchObject({ ann: { first_response_time: 15 }, bob: { first_response_time: 45 } });
    expect(summary).toMatchObject({ first_response_chats_count: 3, first_response_time: 25 });
  });
});
