// What a play leaves in a license: the visitors of the description, served as the license decides, and the same each time.

import { expect, test } from 'vitest';
import { seededRandom } from '../../../src/emulator/engine/random.ts';
import { withControl } from '../../../src/emulator/index.ts';
import {
  customersOf,
  DAY,
  deviation,
  HOUR,
  isTaken,
  type PlayedThread,
  SHOP,
  START,
  shop,
  shownGreetingsOf,
  stateOf,
  threadsOf,
} from './played.ts';

const PRICES = { page: 'https://shop.example/pricing/{1..3}', place: { country: 'Poland' }, per_day: 60 };
const RETURNS = { page: 'https://shop.example/returns', per_day: 40 };
/** Thursday to Sunday. */
const LONG_WEEKEND = { days: 4, visitors: { prices: PRICES, returns: RETURNS } };
const ALL_DAY = { by_hour: { every_day: { '00-24': 6 } } };

test('The same description makes the same license byte for byte, and another seed another one', async () => {
  const played = async (seed: number, random: number) => {
    const emulator = shop({ random: seededRandom(random) });
    const reply = await emulator.play({ ...LONG_WEEKEND, seed, days: 2 });
    return { reply, bytes: JSON.stringify(stateOf(emulator)) };
  };
  const [one, same, other] = await Promise.all([played(5, 1), played(5, 2), played(6, 1)]);
  expect(one.reply.chats).toBeGreaterThan(100);
  expect(same).toEqual(one);
  expect(other.bytes).not.toEqual(one.bytes);
});

test('Every visitor has one chat from a page of the stream, in the group of the rule, and none stays active', async () => {
  const emulator = shop();
  const { visitors, chats, taken, ...period } = await emulator.play(LONG_WEEKEND);
  const threads = threadsOf(emulator);
  expect(period).toEqual({ from: '2026-01-29T00:00:00.000000Z', to: '2026-02-02T00:00:00.000000Z' });
  expect([visitors, chats, taken]).toEqual([threads.length, threads.length, threads.filter(isTaken).length]);
  const routed = threads.map(({ properties, group_ids }) => [properties['routing']?.['start_url'], group_ids]);
  const kinds = [...new Set(routed.map((one) => JSON.stringify(one)))].sort();
  expect(kinds).toEqual([
    '["https://shop.example/pricing/1",[1]]',
    '["https://shop.example/pricing/2",[1]]',
    '["https://shop.example/pricing/3",[1]]',
    '["https://shop.example/returns",[2]]',
  ]);
  const sales = threads.filter(({ group_ids }) => group_ids.includes(1)).length;
  expect(Math.abs(deviation(sales, threads.length, 0.6))).toBeLessThan(4);
  expect(threads.filter(({ active }) => active)).toEqual([]);
  const places = customersOf(emulator).map(({ geolocation }) => geolocation?.country ?? null);
  expect(new Set(places)).toEqual(new Set(['Poland', null]));
});

test('A stream alone on its rule is countable: a plan of 100 an hour in one hour is there and nowhere else', async () => {
  const emulator = shop();
  const hour = { by_hour: { thursday: { '10-11': 100 } } };
  await emulator.play({ days: 2, visitors: { sales: { page: 'https://shop.example/pricing', ...hour } } });
  const threads = threadsOf(emulator);
  expect(Math.abs(threads.length - 100)).toBeLessThan(40);
  expect(threads.every(({ group_ids }) => group_ids.join() === '1')).toBe(true);
  const outside = threads.filter(({ created_at }) => created_at < START + 10 * HOUR || created_at >= START + 11 * HOUR);
  expect(outside).toEqual([]);
  const filters = { from: '2026-01-29T00:00:00Z', to: '2026-01-31T00:00:00Z', groups: { values: [1] } };
  const report = await emulator.fetch(
    new Request('http://emulator/v3.4/reports/chats/total_chats', {
      method: 'POST',
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
      body: JSON.stringify({ filters }),
    }),
  );
  expect(await report.json()).toMatchObject({ total: threads.length });
});

test('Agents serve in their working hours only; at other times visitors wait, lose patience, and leave', async () => {
  const emulator = shop();
  await emulator.play({ ...LONG_WEEKEND, patience: '1m..3m' });
  const isOffice = (at: number): boolean => {
    const moment = new Date(at);
    const [day, hour] = [moment.getUTCDay(), moment.getUTCHours()];
    return day >= 1 && day <= 5 && hour >= 8 && hour < 18;
  };
  const threads = threadsOf(emulator);
  const answers = threads.flatMap(({ events }) => events.filter(({ author }) => author?.kind === 'agent'));
  expect(answers.length).toBeGreaterThan(100);
  expect(answers.filter(({ created_at }) => !isOffice(created_at))).toEqual([]);
  const alone = threads.filter((thread) => !isTaken(thread) && thread.created_at + 3 * 60_000 < START + 4 * DAY);
  expect(alone.length).toBeGreaterThan(100);
  expect(alone.filter(({ created_at }) => isOffice(created_at))).toEqual([]);
  const waits = alone.map(({ created_at, closed_at = 0 }) => (closed_at - created_at) / 60_000);
  expect([Math.min(...waits) >= 1, Math.max(...waits) <= 3]).toEqual([true, true]);
  expect(alone.every(({ properties }) => properties['routing']?.['continuous'] === true)).toBe(true);
});

test('Visitors who leave no message have no chat when no agent is there', async () => {
  const emulator = shop();
  const { visitors, chats, taken } = await emulator.play({ ...LONG_WEEKEND, offline: 'leave' });
  const threads = threadsOf(emulator);
  expect(visitors).toBeGreaterThan(chats + 100);
  expect([threads.length, taken]).toEqual([chats, threads.filter(isTaken).length]);
  expect(threads.filter(({ properties }) => properties['routing']?.['continuous'] === true)).toEqual([]);
  expect(customersOf(emulator).filter(({ logged_in }) => logged_in)).toEqual([]);
});

test('When every slot is taken, visitors queue; each is served within the patience, or leaves when it ends', async () => {
  const agents = [{ id: 'ann@example.com', name: 'Ann', max_chats_count: 2 }];
  const emulator = shop({ seed: { agents, owner: { id: 'zoe@example.com', name: 'Zoe' } } });
  await emulator.control('presence', { id: 'zoe@example.com', status: 'offline' });
  const stream = { page: 'https://shop.example/', by_hour: { every_day: { '00-24': 20 } } };
  await emulator.play({ days: 1, length: '9m..11m', patience: '4m..4m', answer: '10s..10s', visitors: { stream } });
  const threads = threadsOf(emulator).filter(({ created_at }) => created_at < START + DAY - HOUR);
  const waited = ({ held = [], created_at, closed_at = 0 }: PlayedThread): number =>
    ((held[0]?.from ?? closed_at) - created_at) / 1000;
  const [served, lost] = [threads.filter(isTaken), threads.filter((thread) => !isTaken(thread))];
  expect([served.length > 200, lost.length > 50]).toEqual([true, true]);
  expect(served.filter((thread) => waited(thread) > 240)).toEqual([]);
  expect(served.filter((thread) => waited(thread) > 0).length).toBeGreaterThan(50);
  expect(new Set(lost.map(waited))).toEqual(new Set([240]));
  // Two slots, each 10 minutes and 10 seconds a chat on average: about 11.8 chats an hour at most.
  expect(served.length).toBeLessThan(2 * 23 * 6);
});

test('Lengths, answers, ratings and tags have their shares, and only chats with an answer have them', async () => {
  const emulator = shop();
  const stream = { ...PRICES, per_day: 250, tags: { price: 0.5, size: 0.1 }, rated: 0.4, good: 0.75 };
  await emulator.play({ days: 2, presence: 'always', length: '5m', answer: '20s', visitors: { stream } });
  const threads = threadsOf(emulator);
  const answered = threads.filter(({ events }) => events.some(({ author }) => author?.kind === 'agent'));
  const rated = threads.filter(({ properties }) => properties['rating'] !== undefined);
  const good = rated.filter(({ properties }) => properties['rating']?.['score'] === 1);
  const tagged = (tag: string) => threads.filter(({ tags }) => tags.includes(tag)).length;
  expect(answered.length).toBeGreaterThan(400);
  expect(rated.filter((thread) => !answered.includes(thread))).toEqual([]);
  for (const [count, of, share] of [
    [rated.length, answered.length, 0.4],
    [good.length, rated.length, 0.75],
    [tagged('price'), answered.length, 0.5],
    [tagged('size'), answered.length, 0.1],
  ] as const)
    expect(Math.abs(deviation(count, of, share))).toBeLessThan(4);
  const firstAnswer = ({ events }: PlayedThread): number =>
    events.find(({ author }) => author?.kind === 'agent')?.created_at ?? 0;
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  const free = answered.filter(({ held = [], created_at }) => held[0]?.from === created_at);
  const answers = free.map((thread) => (firstAnswer(thread) - thread.created_at) / 1000);
  const lengths = answered.map((thread) => ((thread.closed_at ?? 0) - firstAnswer(thread)) / 60_000);
  // The mean of an exponential has a standard deviation of its own mean over the root of the count.
  expect(Math.abs(mean(answers) / 20 - 1) * Math.sqrt(answers.length)).toBeLessThan(4);
  expect(Math.abs(mean(lengths) / 5 - 1) * Math.sqrt(lengths.length)).toBeLessThan(4);
});

test('A share of the visitors has been there before, and resumes the chat', async () => {
  const emulator = shop();
  await emulator.play({ days: 4, returning: 0.3, visitors: { prices: PRICES } });
  const threads = threadsOf(emulator);
  const again = threads.filter(({ number }) => number > 1).length;
  expect(customersOf(emulator)).toHaveLength(threads.length - again);
  // The first visitors find few who were there, and some come while their last chat goes on.
  expect(deviation(again, threads.length, 0.3)).toBeGreaterThan(-4);
  expect(deviation(again, threads.length, 0.3)).toBeLessThan(4);
});

test('Every visitor is shown the greeting; those who accept it begin with it, and the others cancel it', async () => {
  const emulator = shop();
  const { visitors } = await emulator.play({
    days: 4,
    visitors: { prices: { ...PRICES, greeting: { id: 7, share: 0.25 } } },
  });
  const shown = shownGreetingsOf(emulator);
  const accepted = shown.filter(({ accepted_at }) => accepted_at !== undefined);
  expect(shown).toHaveLength(visitors);
  expect(Math.abs(deviation(accepted.length, visitors, 0.25))).toBeLessThan(4);
  expect(shown.filter(({ cancelled_at }) => cancelled_at !== undefined)).toHaveLength(visitors - accepted.length);
  const marked = threadsOf(emulator).flatMap(({ properties }) => properties['lc2']?.['greeting_unique_id'] ?? []);
  expect(new Set(marked)).toEqual(new Set(accepted.map(({ unique_id }) => unique_id)));
});

test('Without any working hours agents are always there; what the control API says of an agent comes first', async () => {
  const agents = (SHOP.agents ?? []).map(({ work_scheduler: _, ...rest }) => rest);
  const stream = { page: 'https://shop.example/pricing', ...ALL_DAY };
  const everyone = shop({ seed: { ...SHOP, agents } });
  const { chats, taken } = await everyone.play({ days: 1, visitors: { stream } });
  expect([chats > 80, taken]).toEqual([true, chats]);
  const away = shop({ seed: { ...SHOP, agents } });
  for (const { id } of agents) await away.control('presence', { id, status: 'offline' });
  expect((await away.play({ days: 1, visitors: { stream } })).taken).toBe(0);
});

test('A play moves the clock to its end, and the setting of presence holds again', async () => {
  const emulator = shop();
  const { fetch } = withControl(emulator);
  const post = async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const reply = await fetch(new Request('http://emulator/_emulator/traffic', request));
    return { status: reply.status, body: JSON.parse(await reply.text()) };
  };
  expect(await post({ days: 2 })).toEqual({
    status: 400,
    body: { error: { type: 'validation', message: '`visitors` is required: no traffic was played yet' } },
  });
  const first = await post({ ...LONG_WEEKEND, days: 1 });
  expect([first.status, first.body.to]).toEqual([200, '2026-01-30T00:00:00.000000Z']);
  expect(emulator.now()).toBe(START + DAY);
  const later = await post({ days: 2 });
  expect([later.body.from, later.body.to]).toEqual(['2026-01-30T00:00:00.000000Z', '2026-02-01T00:00:00.000000Z']);
  expect(later.body.chats).toBeGreaterThan(50);
  expect(threadsOf(emulator)).toHaveLength(first.body.chats + later.body.chats);
  const groups = await emulator.fetch(
    new Request('http://emulator/v3.7/customer/action/list_group_statuses?organization_id=o', {
      method: 'POST',
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
      body: '{"all":true}',
    }),
  );
  expect(await groups.json()).toEqual({ groups_status: { '0': 'offline', '1': 'offline', '2': 'offline' } });
  const wrong = await post({ visitors: { prices: { ...PRICES, rated: 2 } } });
  expect(wrong.body.error.message).toBe('`visitors.prices.rated` must be a number between 0 and 1');
});

test('Visitors come at the same moments however the time is cut into plays', async () => {
  const streams = { returning: 0, from: '2026-01-29', visitors: LONG_WEEKEND.visitors };
  const [whole, cut] = [shop(), shop()];
  await whole.play({ ...streams, to: '2026-01-31T12:00:00Z' });
  for (const to of ['2026-01-29T09:30:00Z', '2026-01-29T10:07:00Z', '2026-01-31T12:00:00Z'])
    await cut.play({ ...streams, to });
  const arrivals = (emulator: ReturnType<typeof shop>) =>
    threadsOf(emulator).map(({ created_at, customer_id }) => [created_at, customer_id]);
  expect(arrivals(cut)).toEqual(arrivals(whole));
});
