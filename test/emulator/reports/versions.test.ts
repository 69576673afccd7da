// What versions of the Reports API have that 3.4 has not, and the other way round. Specification of it: today/reports.md.

import { describe, expect, test } from 'vitest';
import type { Seed, SettingsInput } from '../../../src/emulator/index.ts';
import { createReportCaller } from './caller.ts';
import { FIVE_DAYS, REPORTS, SEED } from './rows.ts';

const LATER = ['3.5', '3.6', '3.7'] as const;
const SINCE_36 = ['3.6', '3.7'] as const;
const at = (version: string) => ({ root: `/v${version}/` });
const BODY = { distribution: 'day', timezone: 'UTC', filters: FIVE_DAYS };

test.each(LATER)('Version %s answers as 3.4 does, but for the surveys, which are forms there', async (version) => {
  const settings = { reportEcho: 'never' } as const;
  const { send, ask } = createReportCaller({ seed: SEED, settings });
  for (const [report] of REPORTS) {
    if (report === 'chats/surveys') expect((await send(report, BODY, at(version))).status).toBe(404);
    else expect([report, await ask(report, BODY, at(version))]).toEqual([report, await ask(report, BODY)]);
  }
  expect((await send('chats/forms', BODY)).status).toBe(404);
  const { records } = await ask('chats/surveys', BODY);
  const { name, records: forms } = await ask('chats/forms', BODY, at(version));
  expect(name).toBe('form-report');
  const counts = (all: readonly { readonly group_id: number; readonly form_id: string; readonly count: number }[]) =>
    all.map(({ group_id, form_id, count }) => `${group_id} ${form_id} ${count}`).sort();
  const asForms = Object.entries<{ readonly [form: string]: { readonly count: number } }>(records).flatMap(
    ([group, of]) => Object.entries(of).map(([form_id, { count }]) => ({ group_id: Number(group), form_id, count })),
  );
  expect(asForms.length).toBeGreaterThan(1);
  expect(counts(forms)).toEqual(counts(asForms));
  const mood = forms.find(({ form_id }: { form_id: string }) => form_id === 'after');
  expect(mood.fields).toEqual([{ field_id: 'mood', label: '', answers: [{ answer_id: 1, label: '', count: 1 }] }]);
});

describe('filters', () => {
  const OSLO: Seed = {
    ...SEED,
    customers: (SEED.customers ?? []).map((customer) =>
      customer.id === 'a' ? { ...customer, geolocation: { country_code: 'NO' } } : customer,
    ),
  };
  const counted = async (filters: object, version: string, settings: SettingsInput = {}) => {
    const { send } = createReportCaller({ seed: OSLO, settings });
    const { status, body } = await send(
      'chats/total_chats',
      { ...BODY, filters: { ...FIVE_DAYS, ...filters } },
      at(version),
    );
    return status === 200 ? body.total : body.error.message;
  };
  const post = [{ type: 'post_chat' }];

  test('The country of the customer is one since 3.5', async () => {
    const norway = { customer_countries: { values: ['NO'] } };
    expect(await counted(norway, '3.4', { unknownFilters: 'ignored' })).toBe(6);
    for (const version of LATER) {
      expect(await counted(norway, version)).toBe(1);
      expect(await counted({ customer_countries: { exclude_values: ['NO'] } }, version)).toBe(5);
    }
    expect(await counted(norway, '3.4')).toContain('`filters.customer_countries`');
  });

  test('Forms are the surveys of 3.4, which later versions take under both names', async () => {
    expect(await counted({ surveys: post }, '3.4')).toBe(1);
    expect(await counted({ forms: post }, '3.4', { unknownFilters: 'ignored' })).toBe(6);
    for (const version of LATER) {
      expect(await counted({ forms: post }, version)).toBe(1);
      expect(await counted({ surveys: post }, version)).toBe(1);
      const ignored = { surveysFilter: 'unknown', unknownFilters: 'ignored' } as const;
      expect(await counted({ surveys: post }, version, ignored)).toBe(6);
    }
    expect(await counted({ surveys: post }, '3.6', { surveysFilter: 'unknown' })).toContain(
      '`filters.surveys` is not known',
    );
  });
});

test('Groups and tags are those of the reports that count them one by one', async () => {
  const { ask } = createReportCaller({ seed: SEED });
  for (const version of SINCE_36) {
    const { total, records } = await ask('chats/groups', { ...BODY, distribution: 'year' }, at(version));
    const groups: { readonly [group: string]: number } = records['2026'];
    let sum = 0;
    for (const [group, count] of Object.entries(groups)) {
      const filters = { ...FIVE_DAYS, groups: { values: [Number(group)] } };
      expect((await ask('chats/total_chats', { ...BODY, filters }, at(version))).total).toBe(count);
      sum += count;
    }
    expect([Object.keys(groups).length > 1, total]).toEqual([true, sum]);
    const tags = await ask('chats/tags', { ...BODY, distribution: 'year' }, at(version));
    const usage = await ask('tags/chat_usage', { timezone: 'UTC', filters: FIVE_DAYS }, at(version));
    expect(usage.records).toEqual(tags.records['2026']);
  }
});

describe('the queue', () => {
  const START = Date.UTC(2026, 0, 5, 8);
  /** Ann takes one chat at a time, so those who come next wait. */
  async function waited(settings: SettingsInput = {}, begin = START) {
    const seed: Seed = {
      agents: [{ id: 'ann', name: 'Ann', max_chats_count: 1, groups: [{ id: 0, priority: 'first' }] }],
      presence: { ann: 'accepting_chats' },
      customers: ['a', 'b', 'c'].map((id) => ({ id, token: `dal:${id}`, ...(id === 'b' ? { name: 'Bea' } : {}) })),
    };
    const caller = createReportCaller({ seed, settings, at: begin });
    const start = (who: string) => caller.post('/v3.6/customer/action/start_chat?organization_id=o', {}, `dal:${who}`);
    const end = (who: string, id: string) =>
      caller.post('/v3.6/customer/action/deactivate_chat?organization_id=o', { id }, `dal:${who}`);
    const a = await start('a');
    const b = await start('b');
    const c = await start('c');
    caller.clock.now += 40_000;
    await end('b', b.chat_id);
    caller.clock.now += 20_000;
    await end('a', a.chat_id);
    caller.clock.now += 10_000;
    return { ...caller, b, c };
  }

  test('Who was served and who left are counted with their waits, and both reports agree', async () => {
    const { ask, b } = await waited();
    for (const version of SINCE_36) {
      const { total, records } = await ask('chats/queued_visitors', { timezone: 'UTC' }, at(version));
      expect(records['2026-01-05']).toEqual({
        left_queue: { count: 1, min: 40, max: 40, avg: 40 },
        queued: { count: 1, min: 60, max: 60, avg: 60 },
      });
      expect([total, records['2026-01-04']]).toEqual([1, {}]);
      const { request, ...left } = await ask('chats/queued_visitors_left', { timezone: 'UTC' }, at(version));
      expect(request).toEqual(version === '3.7' ? { timezone: 'UTC' } : undefined);
      expect(left).toEqual({
        name: 'queued-visitors-left-report',
        total: 1,
        summary: { left_without_details: 0, total_pages: 1 },
        records: {
          [b.chat_id]: {
            visitor: { id: 'b', name: 'Bea', ip: '127.0.0.1' },
            queue: { duration: 40, group: 0, start_date: '2026-01-05T08:00:00Z' },
          },
        },
      });
    }
  });

  test('A page beyond the end is empty, and what `total` counts is a setting', async () => {
    const { ask } = await waited({ queuedTotal: 'both', queuePage: 1 });
    expect((await ask('chats/queued_visitors', {}, at('3.6'))).total).toBe(2);
    const { records, summary } = await ask('chats/queued_visitors_left', { page: 2 }, at('3.6'));
    expect([records, summary.total_pages]).toEqual([{}, 1]);
  });

  test('Whether a visitor who left the queue counts as a chat in the other reports is a setting', async () => {
    const counts = async (settings: SettingsInput) => {
      const { ask } = await waited(settings);
      const chats = await ask('chats/total_chats', { timezone: 'UTC' }, at('3.6'));
      const groups = await ask('chats/groups', { timezone: 'UTC' }, at('3.6'));
      const { records } = await ask('chats/queued_visitors', { timezone: 'UTC' }, at('3.6'));
      return [chats.total, groups.total, records['2026-01-05']?.left_queue.count];
    };
    const [all, inGroups] = await counts({});
    expect(await counts({ queueLeaversAreChats: false })).toEqual([all - 1, inGroups - 1, 1]);
  });

  test('A visit counts where it began or ended, and a half without visitors has zeros or is left out', async () => {
    const hours = { distribution: 'hour', timezone: 'UTC', filters: { ...FIVE_DAYS, from: '2026-01-05T07:00:00Z' } };
    const shown = async (settings: SettingsInput) => {
      const { ask, clock } = await waited(settings, START - 30_000);
      clock.now += 3_600_000;
      const { records } = await ask('chats/queued_visitors', hours, at('3.6'));
      return ['07', '08'].map((hour) => records[`2026-01-05 ${hour}:00`]);
    };
    const [began] = await shown({});
    expect(began).toMatchObject({ left_queue: { count: 1 }, queued: { count: 1 } });
    const [none, ended] = await shown({ queuedBucket: 'ended', queuedHalves: 'omitted' });
    expect([none, ended]).toMatchObject([{}, { left_queue: { count: 1 }, queued: { count: 1 } }]);
  });
});

test('The group of a first response is that of the chat at that moment, although the chat moves later', async () => {
  const seed: Seed = {
    agents: ['ann', 'bob'].map((id, index) => ({ id, name: id, groups: [{ id: index + 1, priority: 'first' }] })),
    groups: [
      { id: 1, name: 'Sales' },
      { id: 2, name: 'Night' },
    ],
    presence: { ann: 'accepting_chats', bob: 'accepting_chats' },
    customers: [{ id: 'a', token: 'dal:a' }],
  };
  const { ask, post, clock } = createReportCaller({ seed, at: Date.UTC(2026, 0, 5, 8) });
  const access = { group_ids: [1] };
  const { chat_id } = await post('/v3.6/customer/action/start_chat?organization_id=o', { chat: { access } }, 'dal:a');
  const say = async (path: string, body: object): Promise<void> => {
    clock.now += 10_000;
    await post(`/_emulator/chats/${path}`, { chat_id, ...body });
  };
  await say('reply', { text: 'Hello' });
  await say('transfer', { group_ids: [2] });
  await say('reply', { text: 'Hello again' });
  const counted = async (filters: object): Promise<number> =>
    (await ask('chats/total_chats', { filters: { ...FIVE_DAYS, ...filters } }, at('3.6'))).total;
  const first = (group: number) => counted({ agent_response: { first: true, groups: { values: [group] } } });
  expect([await first(1), await first(2)]).toEqual([1, 0]);
  expect([await counted({ groups: { values: [1] } }), await counted({ groups: { values: [2] } })]).toEqual([1, 1]);
  const { records } = await ask('chats/groups', { timezone: 'UTC', filters: FIVE_DAYS }, at('3.6'));
  expect(records['2026-01-05']).toEqual({ 1: 1, 2: 1 });
});
