import { expect, test } from 'vitest';
import { createCaller } from '../caller.ts';

const MONDAY = { day: 'monday', enabled: true, start: '08:00', end: '16:00' } as const;
const FRIDAY = { day: 'friday', enabled: true, start: '09:00', end: '12:00' };
const id = 'ann@example.com';
const fields = ['work_scheduler'];

test('A scheduler written in 3.3 reads back in both shapes', async () => {
  const { call } = createCaller();
  const daily = { friday: { start: '09:00', end: '12:00' }, monday: { start: '08:00', end: '16:00' } };
  await call('create_agent', { id, name: 'Ann', work_scheduler: daily }, { version: '3.3' });
  expect((await call('get_agent', { id, fields }, { version: '3.3' })).work_scheduler).toEqual(daily);
  const weekly = { timezone: 'UTC', schedule: [MONDAY, FRIDAY] };
  expect((await call('get_agent', { id, fields })).work_scheduler).toEqual(weekly);
});

test.each([
  ['work_scheduler.someday', { someday: { start: '08:00', end: '09:00' } }],
  ['work_scheduler.monday.end', { monday: { start: '08:00' } }],
  ['work_scheduler.monday.start', { monday: { start: '8', end: '09:00' } }],
])('3.3 refuses %s', async (field, work_scheduler) => {
  const { send } = createCaller({}, '3.3');
  const { status, body } = await send('create_agent', { id, name: 'Ann', work_scheduler });
  expect(status).toBe(400);
  expect(body.error.message).toContain('`' + field + '`');
});

test.each(['update_agent', 'update_bot'])('%s of 3.6 refuses the shape of 3.3, and keeps the hours', async (action) => {
  const bots = [{ id: 'bot', name: 'Bot', work_scheduler: { timezone: 'UTC', schedule: [MONDAY] } }] as const;
  const { call, send } = createCaller({ seed: { bots, agents: [{ ...bots[0], id }] } });
  const of = action === 'update_bot' ? 'bot' : id;
  const work_scheduler = { monday: { start: '09:00', end: '17:00' } };
  const { status, body } = await send(action, { id: of, work_scheduler });
  expect([status, body.error.type]).toEqual([400, 'validation']);
  expect(body.error.message).toContain('`work_scheduler.monday` is the shape of version 3.3');
  const read = await call(action === 'update_bot' ? 'get_bot' : 'get_agent', { id: of, fields });
  expect(read.work_scheduler).toEqual({ timezone: 'UTC', schedule: [MONDAY] });
});

test('3.3 answers `validation` when it is asked for the newer shape, and only then', async () => {
  const { call, fail } = createCaller();
  await call('create_agent', { id, name: 'Ann', work_scheduler: { timezone: 'UTC', schedule: [MONDAY] } });
  expect(await fail('get_agent', { id, fields }, { version: '3.3' })).toBe('validation');
  expect(await fail('list_agents', { fields }, { version: '3.3' })).toBe('validation');
  expect(await call('list_agents', {}, { version: '3.3' })).toHaveLength(2);
});

test('3.3 can be set to convert the newer shape as far as it goes', async () => {
  const { call, fail } = createCaller({ settings: { newerSchedulerIn33: 'converted' } });
  await call('create_agent', { id, name: 'Ann', work_scheduler: { timezone: 'UTC', schedule: [MONDAY] } });
  const { work_scheduler } = await call('get_agent', { id, fields }, { version: '3.3' });
  expect(work_scheduler).toEqual({ monday: { start: '08:00', end: '16:00' } });
  for (const schedule of [[MONDAY, MONDAY], [{ ...MONDAY, enabled: false }]]) {
    await call('update_agent', { id, work_scheduler: { timezone: 'UTC', schedule } });
    expect(await fail('get_agent', { id, fields }, { version: '3.3' })).toBe('validation');
  }
});

test.each([
  ['agent', 'Asia/Kolkata'],
  ['empty', ''],
] as const)('An empty timezone reads back by the setting %s as %j', async (emptyTimezoneReadsAs, timezone) => {
  const { call } = createCaller({ settings: { emptyTimezoneReadsAs, agentTimezone: 'Asia/Kolkata' } });
  await call('create_agent', { id, name: 'Ann', work_scheduler: { timezone: '', schedule: [MONDAY] } });
  const { work_scheduler } = await call('get_agent', { id, fields });
  expect(work_scheduler).toEqual({ timezone, schedule: [MONDAY] });
});

test('An empty schedule needs no timezone', async () => {
  const { call } = createCaller();
  await call('create_agent', { id, name: 'Ann', work_scheduler: { schedule: [] } });
  await call('update_agent', { id, work_scheduler: {} });
});
