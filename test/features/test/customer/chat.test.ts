// The rehearsal of a chat: which one can be rehearsed, what begins it, and what its thread shows.

import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/base/model.ts';
import {
  chatOf,
  chatResults,
  isMarked,
  knownChat,
  pageHeader,
  rehearsalOf,
} from '../../../../src/features/test/customer/chat.ts';
import { type Golden, lineOf, subjectOf } from './cases.ts';

const MARK = { property: 'test/string_property', value: 'chatform test --on customer' };

const GOLDEN: Golden = {
  name: 'a shop',
  manifest: `groups: { sales: { name: Sales }, desk: { name: Desk } }
properties:
  shop:
    mark: { type: string, access: { thread: { agent: [read], customer: [read, write] } } }
    quiet: { type: string, access: { thread: { agent: [read], customer: [read] } } }
    count: { type: int, access: { thread: { customer: [write] } } }
    elsewhere: { type: string, access: { chat: { customer: [write] } } }
routes:
  - { name: prices, when: { url: "https://shop.example/preise#büro" }, expect: [sales, desk] }
  - { when: { url: "https://shop.example/" }, expect: none }
  - { name: poles, when: { url: "https://shop.example/", country: Poland }, expect: desk }
`,
  groups: { sales: 1, desk: 2 },
  answers: {},
  checks: [],
};

describe('The route of a rehearsal', () => {
  test('is meant by its name, or by its page', async () => {
    const subject = await subjectOf(GOLDEN);
    expect(rehearsalOf('prices', subject, MARK).route).toBe(subject.routes[0]);
    expect(rehearsalOf('https://shop.example/', subject, MARK).route).toBe(subject.routes[1]);
    expect(rehearsalOf('https://shop.example/preise#büro', subject, MARK)).toMatchObject({
      route: subject.routes[0],
      name: 'prices',
    });
    expect(() => rehearsalOf('price', subject, MARK)).toThrow('there is no such route; did you mean `prices`?');
  });

  test('has no place: the service would go by the address of this machine', async () => {
    const subject = await subjectOf(GOLDEN);
    expect(() => rehearsalOf('poles', subject, MARK)).toThrow('choose a route without a place');
  });

  test.each([
    ['shop/mark', null],
    ['test/tokenized_string_property', null],
    ['shop/none', 'declare it under `properties:`, or use test/string_property'],
    ['test/int_property', 'the files declare no such property'],
    ['shop/quiet', 'customers may not write it'],
    ['shop/elsewhere', 'customers may not write it'],
    ['shop/count', 'it has type int'],
  ])('is marked by %s only where customers may write it', async (property, refusal) => {
    const subject = await subjectOf(GOLDEN);
    const made = () => rehearsalOf('prices', subject, { ...MARK, property });
    if (refusal === null) expect(made().mark.property).toBe(property);
    else expect(made).toThrow(refusal);
  });
});

test('A chat begins marked, and asks for no agent', () => {
  expect(chatOf({ mark: MARK })).toEqual({
    properties: { routing: { ignore_agents_routing: true } },
    thread: { properties: { test: { string_property: 'chatform test --on customer' } } },
  });
});

test('The page travels as a browser sends it', () => {
  expect(pageHeader('https://shop.example/preise#büro')).toBe('https://shop.example/preise#b%C3%BCro');
});

test('The list of either version tells the chat of the customer', () => {
  expect(knownChat({ total_chats: 0 })).toBeNull();
  expect(knownChat({ chats_info: [{ id: 'C1', active: false }] })).toEqual({ id: 'C1', isActive: false });
  expect(knownChat({ chats_summary: [{ id: 'C1', active: true }] })).toEqual({ id: 'C1', isActive: true });
});

test('A thread that an earlier rehearsal left open is known by its mark', () => {
  const reading = (properties: Json): Json => ({ id: 'C1', thread: { id: 'T1', properties }, users: [] });
  expect(isMarked(reading({ test: { string_property: 'chatform test --on customer' } }), MARK)).toBe(true);
  expect(isMarked(reading({ test: { string_property: 'else' } }), MARK)).toBe(false);
  expect(isMarked({ id: 'C1', users: [] }, MARK)).toBe(false);
});

describe('The thread of a chat', () => {
  const PAGE = pageHeader('https://shop.example/preise#büro');
  const lines = async (key: string, groups: readonly number[], more: { readonly [member: string]: Json } = {}) => {
    const subject = await subjectOf(GOLDEN);
    const { page = PAGE, users = [], queue = null } = more;
    const thread = { access: { group_ids: groups }, properties: { routing: { start_url: page } }, queue };
    const found = chatResults(rehearsalOf(key, subject, MARK), subject, { id: 'C1', thread, users });
    return found.map((each) => lineOf(each).replace(/ @.*/, ''));
  };

  test('stands in all of the groups that the route expects, and in no other', async () => {
    const stands = 'a chat from https://shop.example/preise#büro stands in';
    expect(await lines('prices', [2, 1])).toEqual([`ok chat prices: ${stands} group/sales, group/desk`]);
    expect(await lines('prices', [1])).toEqual([
      `differs chat prices: ${stands} group/sales, and group/desk, group/sales is expected`,
    ]);
    expect(await lines('prices', [0])).toEqual([
      `differs chat prices: ${stands} the default group, and group/desk, group/sales is expected`,
    ]);
    expect(await lines('https://shop.example/', [0], { page: 'https://shop.example/' })).toEqual([
      'ok chat https://shop.example/: a chat from https://shop.example/ stands in the default group',
    ]);
  });

  test('proves nothing where the service did not take the page', async () => {
    expect(await lines('prices', [0], { page: null })).toEqual([
      'unseen chat prices: a chat from https://shop.example/preise#büro stands in the default group: the service did not take the page of the chat from the request (page-not-taken)',
    ]);
  });

  test('proves nothing where the service took another page, and all where it writes the page in another way', async () => {
    const other = await lines('prices', [7], { page: 'https://shop.example/' });
    expect(other).toEqual([expect.stringMatching(/^unseen .*\(page-not-taken\)$/)]);
    const same = await lines('prices', [7], { page: 'HTTPS://shop.example:443/preise#büro' });
    expect(same).toEqual([expect.stringMatching(/^differs chat prices: /)]);
    expect(await lines('prices', [7], { page: null })).toEqual([expect.stringMatching(/^differs chat prices: /)]);
  });

  test('tells what was found in words of their own', async () => {
    const subject = await subjectOf(GOLDEN);
    const thread = { access: { group_ids: [1, 2] }, properties: {}, queue: { position: 3 } };
    const users = ['Ann', 'Bob'].map((name) => ({ id: name, type: 'agent', name, present: true }));
    const results = chatResults(rehearsalOf('prices', subject, MARK), subject, { id: 'C1', thread, users });
    expect(results.filter(({ outcome }) => outcome === 'reported').map(({ found }) => found)).toEqual([
      'Ann, Bob',
      'position 3',
    ]);
  });

  test('tells of agents who got it, and of a queue', async () => {
    const users = [
      { id: 'x', type: 'agent', name: 'Ann', present: true },
      { id: 'y', type: 'agent', name: 'Bob', present: false },
      { id: 'z', type: 'customer', present: true },
    ];
    expect((await lines('prices', [1, 2], { users, queue: { position: 3 } })).slice(1)).toEqual([
      'reported chat prices: Ann got the chat, which asks for no agent',
      'reported chat prices: the chat waits at position 3 of the queue',
    ]);
  });
});
