// Pages of threads: they join to the whole list in both directions, and a token is good for its own list and for a month.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Seed } from '../../../src/emulator/index.ts';
import { tries } from '../../tries.ts';
import { type CustomerCaller, createCustomerCaller } from './caller.ts';
import { SEED } from './rows/row.ts';

const KIM = '11111111-1111-4111-8111-111111111111';
const LEE = '22222222-2222-4222-8222-222222222222';
const DAY = 86_400_000;

/** Chats of Kim and Lee, with a thread for each number: that of its events. */
function seedOf(sizes: readonly number[]): Seed {
  const threads = (prefix: string) =>
    sizes.map((events, at) => ({
      id: `${prefix}${String(at).padStart(4, '0')}`,
      created_at: new Date(Date.UTC(2025, 0, 1 + at)).toISOString(),
      events: Array.from({ length: events }, (_, index) => ({ text: `${index}` })),
    }));
  return {
    ...SEED,
    chats: [
      { id: 'CHATKIM001', customer: KIM, threads: threads('K') },
      { id: 'CHATLEE001', customer: LEE, threads: threads('L') },
    ],
  };
}

const named = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `K${String(at).padStart(4, '0')}`);
const page = ({ call }: CustomerCaller, query: object) => call('list_threads', { chat_id: 'CHATKIM001', ...query });
const idsOf = ({ threads }: { threads: readonly { id: string }[] }): readonly string[] => threads.map(({ id }) => id);

/** Ids of each page, from the first to the last. */
async function walk(caller: CustomerCaller, query: object): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let found = await page(caller, query);
  expect(found.previous_page_id).toBeUndefined();
  for (;;) {
    pages.push(idsOf(found));
    if (found.next_page_id === undefined) return pages;
    found = await page(caller, { page_id: found.next_page_id });
    expect(found.previous_page_id).toEqual(expect.any(String));
  }
}

const order = fc.constantFrom('asc' as const, 'desc' as const);

test('The pages of a list are the list, and the way back leads over the same pages', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 12 }), fc.integer({ min: 1, max: 5 }), order, async (count, limit, sort_order) => {
      const caller = createCustomerCaller({ seed: seedOf(Array.from({ length: count }, () => 1)) });
      const all = sort_order === 'asc' ? named(count) : named(count).toReversed();
      const pages = await walk(caller, { limit, sort_order });
      expect(pages.flat()).toEqual(all);
      expect(pages.slice(0, -1).every((one) => one.length === limit)).toBe(true);
      // Back again, from the last page.
      let found = await page(caller, { limit, sort_order });
      while (found.next_page_id !== undefined) found = await page(caller, { page_id: found.next_page_id });
      const back = [idsOf(found)];
      while (found.previous_page_id !== undefined) {
        found = await page(caller, { page_id: found.previous_page_id });
        back.unshift(idsOf(found));
      }
      expect(back).toEqual(pages);
    }),
    { numRuns: tries(300) },
  );
});

test('min_events_count takes as many threads as have that many events together', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 6 }), { maxLength: 10 }),
      fc.integer({ min: 1, max: 9 }),
      async (sizes, least) => {
        const caller = createCustomerCaller({ seed: seedOf(sizes) });
        const eventsIn = (ids: readonly string[]) =>
          ids.reduce((sum, id) => sum + (sizes[Number(id.slice(1))] ?? 0), 0);
        const pages = await walk(caller, { min_events_count: least });
        expect(pages.flat()).toEqual(named(sizes.length).toReversed());
        for (const ids of pages.slice(0, -1)) {
          expect(eventsIn(ids)).toBeGreaterThanOrEqual(least);
          expect(eventsIn(ids.slice(0, -1))).toBeLessThan(least);
        }
      },
    ),
    { numRuns: tries(300) },
  );
});

test('Without a limit, a page has three threads, the newest first', async () => {
  const caller = createCustomerCaller({ seed: seedOf([1, 1, 1, 1, 1]) });
  const found = await page(caller, {});
  expect([idsOf(found), found.found_threads]).toEqual([['K0004', 'K0003', 'K0002'], 5]);
});

test('A page has no thread twice, and leaves none out, when one is added meanwhile', async () => {
  const caller = createCustomerCaller({ seed: seedOf([1, 1, 1, 1]) });
  const first = await page(caller, { limit: 2 });
  await caller.call('resume_chat', { chat: { id: 'CHATKIM001' } });
  const second = await page(caller, { page_id: first.next_page_id });
  expect([...idsOf(first), ...idsOf(second)]).toEqual(['K0003', 'K0002', 'K0001', 'K0000']);
});

test('A token is refused with any other member of the first request, and in other lists', async () => {
  const caller = createCustomerCaller({ seed: seedOf([1, 1, 1]) });
  const { next_page_id: page_id } = await page(caller, { limit: 1 });
  for (const more of [{ limit: 1 }, { sort_order: 'desc' }, { min_events_count: 1 }]) {
    const { status, body } = await caller.send('list_threads', { chat_id: 'CHATKIM001', page_id, ...more });
    expect([status, body.error.type]).toEqual([400, 'validation']);
    expect(body.error.message).toContain('`page_id`');
  }
  expect(await caller.fail('list_chats', { page_id })).toBe('validation');
  const lee = { authorization: 'Bearer dal:lee' };
  expect(await caller.fail('list_threads', { chat_id: 'CHATLEE001', page_id }, lee)).toBe('validation');
  await caller.call('list_threads', { chat_id: 'CHATKIM001', page_id });
});

test('A token lasts for a month', async () => {
  const caller = createCustomerCaller({ seed: seedOf([1, 1, 1]) });
  const { next_page_id: page_id } = await page(caller, { limit: 1 });
  caller.clock.now += 31 * DAY;
  expect(idsOf(await page(caller, { page_id }))).toEqual(['K0001']);
  caller.clock.now += 1;
  expect(await caller.fail('list_threads', { chat_id: 'CHATKIM001', page_id })).toBe('validation');
});

test('A text that no page gave is refused, whatever it says', async () => {
  const caller = createCustomerCaller({ seed: seedOf([1, 1, 1]) });
  const { next_page_id } = await page(caller, { limit: 1 });
  const given = JSON.parse(Buffer.from(next_page_id, 'base64url').toString());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(given)), fc.jsonValue(), async (member, value) => {
      const page_id = Buffer.from(JSON.stringify({ ...given, [member]: value })).toString('base64url');
      const { status } = await caller.send('list_threads', { chat_id: 'CHATKIM001', page_id });
      expect([200, 400]).toContain(status);
    }),
    { numRuns: tries(500, 100) },
  );
  for (const page_id of ['x', '!', next_page_id.slice(1), Buffer.from('null').toString('base64url')])
    expect(await caller.fail('list_threads', { chat_id: 'CHATKIM001', page_id })).toBe('validation');
});
